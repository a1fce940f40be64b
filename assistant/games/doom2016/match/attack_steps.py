"""An attack step by step (rules A5): roll, defence card, cover's second card, effects, damage."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any, Self

from msgspec import Meta
from msgspec.structs import replace

from assistant.games.doom2016.match.attack_rules import count_colors, damage_of, has_cover, require_attack
from assistant.games.doom2016.match.effect_rules import (
    EffectStep,
    Use,
    begin_effects,
    begin_own_effects,
    check_effects,
    damage_area,
    find_areas_hit,
    require_moment,
)
from assistant.games.doom2016.match.setup import Card
from assistant.games.doom2016.match.state import (
    STUNNED,
    Match2016,
    PendingAttack2016,
    ShownCard,
    apply_damage,
    require_free_hands,
)
from assistant.match.chance import Chance
from assistant.match.deck import draw_cards
from assistant.match.game import INVADER, MARINES, Count, Integer, Name, SaltedStep, ShownDie, Step, Text, require
from assistant.match.rulings import sight_document
from assistant.translations.messages import Said, color_in_words, dice_in_words, listed, said

MAX_ICONS = 3
"""No face of a die shows more damage icons (A5)."""

Icons = Annotated[int, Meta(ge=0, le=MAX_ICONS)]


class Attack2016(Step[Match2016], frozen=True, kw_only=True, tag="attack"):
    """The acting figure attacks: sight, range and cover are settled on the table, then the dice.

    Args of the command: ``profile`` counts the attacks that are left, from 0; ``drop`` is the colour of the
    die that a stunned attacker leaves out; ``dice`` are the faces of physical dice as ``[colour, damage
    icons]`` with ``rolled_here`` false; ``range`` and ``cover`` are typed where the camera sees no table.
    """

    reveals = True
    defender: Name
    profile: Count = 0
    drop: str | None = None
    rolled_here: bool = True
    dice: tuple[tuple[Name, Icons], ...] = ()
    range: Count | None = None
    cover: bool = False
    ruling: dict[str, Any] | None = None

    def side(self, game: Match2016) -> str | None:
        """Whose activation it is."""
        return None if game.turn is None else game.turn.side

    def settle(self, game: Match2016, chance: Chance) -> Self:
        """The step with the ruling of this table and, unless they are typed, the dice."""
        step = self
        if game.ground:
            ruling = sight_document(game, game.acting().id, self.defender)
            step = replace(step, ruling=ruling, range=ruling["range"], cover=bool(ruling["cover"]))
        if not self.rolled_here:
            return step
        colors = [] if not self._has_profile(game) else sorted(self._colors(game).elements())
        return replace(step, dice=tuple((color, roll_die(game, color, chance)) for color in colors))

    def check(self, game: Match2016) -> None:
        """An attack must be left, the defender an enemy in sight and range, and the dice those of the card."""
        attacker, defender = game.acting(), game.piece(self.defender)
        require_free_hands(game)
        require(attacker.on_table, said("{figure} is not on the board", figure=attacker.id))
        require(self._has_profile(game), said("no attack is left in this activation"))
        require(
            defender.on_table and defender.side != attacker.side,
            said("{defender} is no enemy on the board", defender=defender.id),
        )
        if self.ruling is not None:
            require(
                bool(self.ruling["line_of_sight"]),
                said("{attacker} does not see {defender}", attacker=attacker.id, defender=defender.id),
            )
        reach, away = game.the_turn().attacks[self.profile].range, self.range
        require(
            away is not None or self.ruling is None,
            said("no way leads from {attacker} to {defender}", attacker=attacker.id, defender=defender.id),
        )
        require(
            self.range is None or self.range <= reach,
            said(
                "{defender} is {range} away; this attack reaches {reach}",
                defender=defender.id,
                range=self.range,
                reach=reach,
            ),
        )
        wanted = self._colors(game)
        require(
            Counter(color for color, _ in self.dice) == wanted,
            said("roll these dice: {dice}", dice=_word_colors(wanted)),
        )

    def apply(self, game: Match2016) -> Match2016:
        """The game with the attack waiting for its defence."""
        turn = game.the_turn()
        left = turn.attacks[: self.profile] + turn.attacks[self.profile + 1 :]
        pending = PendingAttack2016(
            attacker=game.acting().id,
            defender=self.defender,
            dice=self.dice,
            cover=self.cover,
            attacker_stunned=STUNNED in game.acting().marks,
        )
        game = replace(game, turn=replace(turn, attacks=left))
        return begin_own_effects(game, pending, turn.attacks[self.profile].effects)

    def title(self, game: Match2016) -> Said:
        """What it does."""
        return said(
            "{attacker} attacks {defender}: {icons} damage rolled",
            attacker=game.acting().id,
            defender=self.defender,
            icons=sum(icons for _, icons in self.dice),
        )

    def dice_shown(self, game: Match2016) -> tuple[ShownDie, ...]:
        """The dice of the attack by their icons."""
        return tuple(ShownDie(str(icons), color) for color, icons in self.dice)

    def _has_profile(self, game: Match2016) -> bool:
        return game.turn is not None and self.profile < len(game.turn.attacks)

    def _colors(self, game: Match2016) -> Counter[str]:
        return count_colors(game, game.the_turn().attacks[self.profile], STUNNED in game.acting().marks, self.drop)


class Defend(SaltedStep[Match2016], frozen=True, kw_only=True, tag="defend"):
    """The defender reveals the top card of its deck; a stunned one may not, and then only its skin counts.

    For decks that stay on the table the icons of the revealed card are typed in. With ``again`` a
    defender in cover passes over the card it revealed and must take the next one (A2).
    """

    reveals = True
    again: bool = False
    shields: Count = 0
    dodge: bool = False
    special: bool = False

    def side(self, game: Match2016) -> str | None:
        """The defender decides."""
        return None if game.pending is None else game.piece(game.pending.defender).side

    def check(self, game: Match2016) -> None:
        """An attack must be open, and a second card needs cover and a first one."""
        attack = require_attack(game)
        if self.again:
            stunned = STUNNED in game.piece(attack.defender).marks
            require(attack.defended and not stunned, said("no defence card was revealed yet"))
            may = has_cover(game, attack) and len(attack.revealed) == 1
            require(may, said("only a defender in cover takes a second card, and only one"))
        else:
            require(not attack.defended, said("the defence was revealed already"))

    def apply(self, game: Match2016) -> Match2016:
        """The game with the defence known."""
        attack = require_attack(game)
        defender = game.piece(attack.defender)
        if STUNNED in defender.marks:
            return replace(game, pending=replace(attack, defended=True))
        owner = defender.id if defender.side == MARINES else INVADER
        if owner not in game.decks:
            shown = ShownCard(shields=self.shields, dodge=self.dodge, special=self.special)
            return _play_card(game, "card on the table", shown)
        draw = draw_cards(game.deck(owner), 1, self.chance)
        game = game.with_deck(owner, draw.deck.discarding(*draw.cards))
        if not draw.cards:
            return replace(game, pending=replace(attack, defended=True))
        card = game.card(draw.cards[0])
        return _play_card(game, draw.cards[0], ShownCard(shields=card.shields, dodge=card.dodge, special=card.special))

    def title(self, game: Match2016) -> Said:
        """What it does."""
        defender = require_attack(game).defender
        if self.again:
            return said("{figure} reveals another defence card", figure=defender)
        return said("{figure} reveals a defence card", figure=defender)


class ModifyDamage(Step[Match2016], frozen=True, kw_only=True, tag="modify"):
    """A card or an ability changes the attack's damage or the defender's shields; ``reason`` names it."""

    reason: Text
    damage: Integer = 0
    shields: Integer = 0

    def check(self, game: Match2016) -> None:
        """An attack must be open, and something must change."""
        require_attack(game)
        require(bool(self.damage or self.shields), said("say what changes: damage or shields"))

    def apply(self, game: Match2016) -> Match2016:
        """The game with the change noted."""
        attack = require_attack(game)
        changes = (*attack.changes, (self.reason, self.damage, self.shields))
        return replace(game, pending=replace(attack, changes=changes))

    def title(self, game: Match2016) -> Said:
        """What it does."""
        parts = [said("{change} damage", change=f"{self.damage:+d}")] if self.damage else []
        parts += [said("{change} shields", change=f"{self.shields:+d}")] if self.shields else []
        return said("{changes} ({reason})", changes=listed(parts), reason=self.reason)


class PlayReaction(EffectStep, frozen=True, kw_only=True, tag="react"):
    """A marine plays a reaction from his hand in somebody else's activation (A6).

    ``figure`` is the marine, without one the defender of the open attack. While he defends, shields and dodge of
    the card count, typed as printed for a card that the mission does not describe; else it is discarded. Its effects
    happen in any case.
    """

    card: Name
    figure: Name | None = None
    shields: Count = 0
    dodge: bool = False

    def side(self, game: Match2016) -> str | None:
        """The marines decide."""
        return MARINES

    def settle(self, game: Match2016, chance: Chance) -> Self:
        """The step with whom the card's area reaches."""
        return self.settled(game, chance, self._marine(game), game.card(self.card).effects)

    def check(self, game: Match2016) -> None:
        """It must be a marine's, who holds a reaction of that name, and not in his own activation."""
        marine, card = self._marine(game), self._shown(game)
        require(game.piece(marine).side == MARINES, said("no marine is being attacked"))
        require(card.kind == "reaction", said("“{card}” is no reaction", card=self.card))
        own = game.turn is not None and game.turn.figure == marine and not self._defends(game)
        require(
            not own, said("{figure} plays reactions in activations of others, not in his own activation", figure=marine)
        )
        require_moment(game, marine, card.when)
        check_effects(game, marine, card.effects)
        if marine in game.decks:
            game.deck(marine).taken(self.card)

    def apply(self, game: Match2016) -> Match2016:
        """The game with the card discarded, its icons counted and its effects done."""
        marine, card, defends = self._marine(game), self._shown(game), self._defends(game)
        if marine in game.decks:
            game = game.with_deck(marine, game.deck(marine).without(self.card))
        if defends:
            attack = require_attack(game)
            changes = (*attack.changes, (card.name, 0, card.shields))
            dodges = attack.reaction_dodge or card.dodge
            game = replace(game, pending=replace(attack, changes=changes, reaction_dodge=dodges))
        return begin_effects(game, Use(marine, card.name, self.hit, self.chance), card.effects)

    def title(self, game: Match2016) -> Said:
        """What it does."""
        return said("{figure} reacts with {card}", figure=self._marine(game), card=self._shown(game).name)

    def _shown(self, game: Match2016) -> Card:
        """The card as the mission describes it, or as people read it off a printed one."""
        if self.card in game.setup.cards or self._marine(game) in game.decks:
            return game.card(self.card)
        return Card(name=self.card, kind="reaction", shields=self.shields, dodge=self.dodge)

    def _marine(self, game: Match2016) -> str:
        return require_attack(game).defender if self.figure is None else self.figure

    def _defends(self, game: Match2016) -> bool:
        return game.pending is not None and game.pending.defender == self._marine(game)


class ResolveDamage(SaltedStep[Match2016], frozen=True, kw_only=True, tag="resolve"):
    """The damage is applied: icons and changes less shields, nothing after a dodge; stuns are used up.

    ``hit`` is who stands in the attack's area; the program fills it in on a table, without one it is typed.
    """

    hit: tuple[Name, ...] = ()

    def settle(self, game: Match2016, chance: Chance) -> Self:
        """The step with its salt, and whom the attack's area reaches."""
        step, attack = super().settle(game, chance), game.pending
        if attack is None or not game.ground:
            return step
        return replace(step, hit=find_areas_hit(game, attack.defender, attack.areas))

    def check(self, game: Match2016) -> None:
        """The defence must be known and added dice rolled; an area hits who is on the board."""
        attack = require_attack(game)
        require(attack.defended, said("reveal the defence card first"))
        require(not attack.dice_due, said("roll the added dice first"))
        require(bool(attack.areas) or not self.hit, said("this attack has no area"))
        for name in self.hit:
            require(game.piece(name).on_table, said("{figure} is not on the board", figure=name))

    def apply(self, game: Match2016) -> Match2016:
        """The game after the attack."""
        attack = require_attack(game)
        amount = damage_of(game, attack)
        game = replace(game, pending=None)
        # «Если фигура уже оглушена, то повторного оглушения не происходит»: this attack was the one that it weakened.
        stuns = attack.stuns and STUNNED not in game.piece(attack.defender).marks
        for name in (attack.attacker, attack.defender):
            game = game.with_piece(game.piece(name).unmarked(STUNNED))
        if amount:
            game = apply_damage(game, game.piece(attack.defender), amount, self.chance)
        defender = game.piece(attack.defender)
        if amount and stuns and defender.on_table:
            game = game.with_piece(defender.marked(STUNNED))
        for area in attack.areas:
            game = damage_area(game, self.hit, area, self.chance)
        return game

    def title(self, game: Match2016) -> Said:
        """What it does."""
        attack = require_attack(game)
        return said(
            "{defender} takes {damage} damage from {attacker}",
            defender=attack.defender,
            damage=damage_of(game, attack),
            attacker=attack.attacker,
        )


class CallOff(Step[Match2016], frozen=True, kw_only=True, tag="call_off"):
    """A judge ends an attack that cannot be finished, without damage."""

    for_judge = True

    def check(self, game: Match2016) -> None:
        """An attack must be open."""
        require_attack(game)

    def apply(self, game: Match2016) -> Match2016:
        """The game without the attack."""
        return replace(game, pending=None)

    def title(self, game: Match2016) -> Said:
        """What it does."""
        return said("The attack is called off")


def _play_card(game: Match2016, card: str, shown: ShownCard) -> Match2016:
    attack = require_attack(game)
    known = replace(attack, revealed=(*attack.revealed, card), cards=(*attack.cards, shown), defended=True)
    return replace(game, pending=known)


def roll_die(game: Match2016, color: str, chance: Chance) -> int:
    """The damage icons on a face of a die of that colour.

    Raises:
        IllegalStep: the mission does not say what such dice show.
    """
    faces = game.setup.dice.get(color, ())
    require(
        bool(faces),
        said(
            "the mission does not say what {color} dice show; roll them by hand and type them in",
            color=color_in_words(color),
        ),
    )
    return faces[chance.below(len(faces))]


def _word_colors(colors: Counter[str]) -> Said:
    return dice_in_words(colors) if colors else said("none")
