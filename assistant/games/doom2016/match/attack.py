"""An attack step by step (rules A5): roll, added dice, defence card, cover's second card, effects, damage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Any, Self

from msgspec import Meta
from msgspec.structs import replace

from assistant.games.doom2016.match import play_rules
from assistant.games.doom2016.match.attack_rules import (
    ask_attacker,
    ask_defence,
    count_colors,
    damage_of,
    is_settled,
    may_choose_drop,
    may_take_second_card,
    word_sum,
)
from assistant.games.doom2016.match.card_words import describe_attack, list_icons
from assistant.games.doom2016.match.effects import begin_own_effects, damage_area, find_areas_hit
from assistant.games.doom2016.match.state import (
    STUNNED,
    Match2016,
    PendingAttack2016,
    ShownCard,
    apply_damage,
    begin_step_of,
    require_free_hands,
    require_step_of,
)
from assistant.match.asks import Ask, Asks, Draft, ask_change, ask_range, ask_thing
from assistant.match.chance import Chance
from assistant.match.deck import draw_cards
from assistant.match.game import (
    INVADER,
    MARINES,
    Count,
    Integer,
    Moment,
    Name,
    Piece,
    Prompt,
    SaltedStep,
    ShownDie,
    Step,
    Text,
    require,
    roll_face,
)
from assistant.match.rulings import sight_document
from assistant.rules.reasons import Rule
from assistant.translations.messages import Said, color_in_words, counted, dice_in_words, listed, said, said_in

MAX_ICONS = 3
"""Most damage icons on a face of a die (A5)."""


Icons = Annotated[int, Meta(ge=0, le=MAX_ICONS)]


class Attack2016(Step[Match2016], frozen=True, kw_only=True, tag="attack"):
    """The acting figure attacks: the table gives sight, range and cover, then the dice roll.

    ``profile`` counts the remaining attacks from 0. ``drop`` is the colour of the die that a stunned attacker leaves
    out. With ``rolled_here`` false, ``dice`` holds the faces of people's dice as ``[colour, damage icons]``. People
    type ``range`` and ``cover`` if the match has seen no table.
    """

    rule = play_rules.ATTACK
    reveals = True
    defender: Name
    profile: Annotated[Count, Asks(_asks_profile)] = 0
    drop: Annotated[str | None, Asks(_asks_drop)] = None
    rolled_here: bool = True
    dice: tuple[tuple[Name, Icons], ...] = ()
    range: Annotated[Count | None, Asks(lambda draft: ask_range(draft.game))] = None
    cover: bool = False
    ruling: dict[str, Any] | None = None
    in_order: bool | None = None
    """Whether defence and effects keep their order. The program fills it in; older matches lack it."""
    filled_later = frozenset({"in_order"})

    @classmethod
    def prompts(cls, game: Match2016) -> Iterator[Prompt]:
        if game.free_figure is not None and game.the_turn().attacks:
            yield cls.prompt(said_in("command", "Attack"), side=game.the_turn().side, urgency=1)

    @classmethod
    def word_nothing(cls, game: Match2016) -> Said | None:
        return said("No target in sight and in range.")

    def side(self, game: Match2016) -> str | None:
        return None if game.turn is None else game.turn.side

    def settle(self, game: Match2016, chance: Chance) -> Self:
        step = replace(self, in_order=True)
        if game.ground:
            ruling = sight_document(game, game.acting().id, self.defender)
            step = replace(step, ruling=ruling, range=ruling["range"], cover=bool(ruling["cover"]))
        if not self.rolled_here:
            return step
        colors = [] if not self._has_profile(game) else sorted(self._colors(game).elements())
        return replace(step, dice=tuple((color, roll_face(game.setup.dice, color, chance)) for color in colors))

    def check(self, game: Match2016) -> None:
        attacker, defender = game.acting(), game.piece(self.defender)
        require_free_hands(game)
        require(attacker.on_table, said("{figure} is not on the board", figure=attacker.id))
        require(self._has_profile(game), said("no attack is left in this activation"))
        require(
            defender.on_table and defender.side != attacker.side,
            said("{defender} is no enemy; choose an enemy on the board", defender=defender.id),
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
        wanted, box = self._colors(game), sum(game.setup.dice_in_box.values())
        # A card that people type may name a colour of another box. The limit is the number of dice on the table.
        text = counted("the box has {n} die; check the card", "the box has {n} dice; check the card", box)
        require(not box or wanted.total() <= box, text)
        require(
            Counter(color for color, _ in self.dice) == wanted,
            said("roll these dice: {dice}", dice=dice_in_words(wanted) if wanted else said("none")),
        )

    def apply(self, game: Match2016) -> Match2016:
        turn = game.the_turn()
        left = turn.attacks[: self.profile] + turn.attacks[self.profile + 1 :]
        pending = PendingAttack2016(
            attacker=game.acting().id,
            defender=self.defender,
            dice=self.dice,
            cover=self.cover,
            attacker_stunned=STUNNED in game.acting().marks,
            in_order=bool(self.in_order),
        )
        game = replace(game, turn=replace(turn, attacks=left))
        return begin_own_effects(game, pending, turn.attacks[self.profile].effects)

    def title(self, game: Match2016) -> Said:
        return said(
            "{attacker} attacks {defender}: {icons} damage rolled",
            attacker=game.acting().id,
            defender=self.defender,
            icons=sum(icons for _, icons in self.dice),
        )

    def dice_shown(self, game: Match2016) -> tuple[ShownDie, ...]:
        return tuple(ShownDie(str(icons), color) for color, icons in self.dice)

    def _has_profile(self, game: Match2016) -> bool:
        return game.turn is not None and self.profile < len(game.turn.attacks)

    def _colors(self, game: Match2016) -> Counter[str]:
        return count_colors(game, game.the_turn().attacks[self.profile], STUNNED in game.acting().marks, self.drop)


class RollAddedDice(Step[Match2016], frozen=True, kw_only=True, tag="roll_added"):
    """Roll the dice that a card or an ability adds to the open attack, or type them as ``[colour, icons]``."""

    rule = play_rules.ATTACK
    label = said("Roll the added dice")
    reveals = True
    rolled_here: bool = True
    dice: tuple[tuple[Name, Icons], ...] = ()

    @classmethod
    def prompts(cls, game: Match2016) -> Iterator[Prompt]:
        attack = game.pending
        if attack is not None and attack.dice_due and not game.summons_due:
            side = game.piece(attack.attacker).side
            yield cls.prompt(said("Roll the added dice: {dice}", dice=dice_in_words(attack.dice_due)), side=side)

    def side(self, game: Match2016) -> str | None:
        return None if game.pending is None else game.piece(game.pending.attacker).side

    def settle(self, game: Match2016, chance: Chance) -> Self:
        if not self.rolled_here or game.pending is None:
            return self
        colors = sorted(Counter(dict(game.pending.dice_due)).elements())
        return replace(self, dice=tuple((color, roll_face(game.setup.dice, color, chance)) for color in colors))

    def check(self, game: Match2016) -> None:
        due = Counter(dict(game.the_attack().dice_due))
        require(bool(due), said("no dice have to be added now"))
        require(
            Counter(color for color, _ in self.dice) == due, said("roll these dice: {dice}", dice=dice_in_words(due))
        )

    def apply(self, game: Match2016) -> Match2016:
        attack = game.the_attack()
        return replace(game, pending=replace(attack, dice=(*attack.dice, *self.dice), dice_due={}))

    def title(self, game: Match2016) -> Said:
        return said("Added dice: {icons} damage rolled", icons=sum(icons for _, icons in self.dice))

    def dice_shown(self, game: Match2016) -> tuple[ShownDie, ...]:
        return tuple(ShownDie(str(icons), color) for color, icons in self.dice)


class ResolveDamage(SaltedStep[Match2016], frozen=True, kw_only=True, tag="resolve"):
    """Apply the damage: icons and changes less shields, nothing after a dodge. The attack ends both figures' stuns.

    ``hit`` names the figures in the attack's area. People type it only if the match has seen no table.
    """

    rule = play_rules.ATTACK
    hit: tuple[Name, ...] = ()

    @classmethod
    def moments(cls, game: Match2016) -> Iterator[Moment]:
        yield from ask_defence(game)
        yield from ask_attacker(game)

    @classmethod
    def prompts(cls, game: Match2016) -> Iterator[Prompt]:
        attack = _attack_to_settle(game)
        if attack is not None and attack.defended:
            damage, defender = damage_of(game, attack), attack.defender
            dealt = said("Apply {damage} damage to {figure}", damage=damage, figure=defender)
            text = dealt if damage else said("No damage to {figure}: go on", figure=defender)
            yield cls.prompt(text, urgency=1, note=word_sum(game, attack))

    def settle(self, game: Match2016, chance: Chance) -> Self:
        step, attack = super().settle(game, chance), game.pending
        if attack is None or not game.ground:
            return step
        return replace(step, hit=find_areas_hit(game, attack.defender, attack.areas))

    def check(self, game: Match2016) -> None:
        attack = game.the_attack()
        require(attack.defended, said("reveal the defence card first"))
        require(not attack.dice_due, said("roll the added dice first"))
        require(bool(attack.areas) or not self.hit, said("this attack has no area"))
        for name in self.hit:
            require(game.piece(name).on_table, said("{figure} is not on the board", figure=name))

    def apply(self, game: Match2016) -> Match2016:
        attack = game.the_attack()
        amount = damage_of(game, attack)
        game = replace(game, pending=None)
        # «Если фигура уже оглушена, то повторного оглушения не происходит»: this attack already used up the old stun.
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
        attack = game.the_attack()
        return said(
            "{defender} takes {damage} damage from {attacker}: {sum}",
            defender=attack.defender,
            damage=damage_of(game, attack),
            attacker=attack.attacker,
            sum=word_sum(game, attack),
        )


class Defend(SaltedStep[Match2016], frozen=True, kw_only=True, tag="defend"):
    """The defender reveals the top card of its deck. A stunned one reveals none, and only its skin counts.

    People type the icons of a card from a printed deck. With ``again``, a defender in cover discards its revealed card
    and must use the next one (A2).
    """

    rule = play_rules.ATTACK
    reveals = True
    again: bool = False
    shields: Count = 0
    dodge: bool = False
    special: bool = False

    @classmethod
    def prompts(cls, game: Match2016) -> Iterator[Prompt]:
        attack = _attack_to_settle(game)
        if attack is None:
            return
        defender = game.piece(attack.defender)
        if not attack.defended:
            text = said("{figure}: reveal a defence card", figure=defender.id)
            if STUNNED in defender.marks:
                text = said("{figure} is stunned and reveals no card", figure=defender.id)
            task, note = said("defend {figure}", figure=defender.id), word_sum(game, attack)
            if not damage_of(game, attack):
                note = said("{sum}; the rules reveal a card all the same", sum=note)
            yield cls.prompt(text, side=defender.side, urgency=1, task=task, note=note)
        elif may_take_second_card(game, attack) and not (
            STUNNED in defender.marks or attack.effects_begun or is_settled(game, attack)
        ):
            text = said("{figure} is in cover: take another card instead", figure=defender.id)
            yield cls.prompt(text, side=defender.side, urgency=1, note=word_sum(game, attack), again=True)

    def side(self, game: Match2016) -> str | None:
        return None if game.pending is None else game.piece(game.pending.defender).side

    def rule_at(self, game: Match2016) -> Rule:
        return play_rules.COVER if self.again else play_rules.ATTACK

    def check(self, game: Match2016) -> None:
        attack = game.the_attack()
        if self.again:
            stunned = STUNNED in game.piece(attack.defender).marks
            require(attack.defended and not stunned, said("no defence card was revealed yet"))
            require(
                may_take_second_card(game, attack),
                said("only a defender in cover takes a second card, and only one"),
                play_rules.COVER,
            )
            require_step_of(game, game.piece(attack.defender).side)
        else:
            require(not attack.defended, said("the defence was revealed already"))

    def apply(self, game: Match2016) -> Match2016:
        attack = game.the_attack()
        defender = game.piece(attack.defender)
        if STUNNED in defender.marks:
            return replace(game, pending=replace(attack, defended=True))
        owner = _deck_of(defender)
        if owner not in game.decks:
            return _play_card(game, "card on the table", self._typed)
        draw = draw_cards(game.deck(owner), 1, self.chance)
        game = game.with_deck(owner, draw.deck.discarding(*draw.cards))
        if not draw.cards:
            return replace(game, pending=replace(attack, defended=True))
        card = game.card(draw.cards[0])
        return _play_card(game, draw.cards[0], ShownCard(shields=card.shields, dodge=card.dodge, special=card.special))

    def title(self, game: Match2016) -> Said:
        defender = game.piece(game.the_attack().defender)
        if STUNNED in defender.marks:
            return said("{figure} is stunned and reveals no card", figure=defender.id)
        owner = _deck_of(defender)
        if owner not in game.decks:
            typed = listed(list_icons(self._typed) or (NOTHING,))
            return said("{figure} defends: {icons}", figure=defender.id, icons=typed)
        drawn = draw_cards(game.deck(owner), 1, self.chance).cards
        if not drawn:
            return said("{figure} has no defence card left", figure=defender.id)
        card = game.card(drawn[0])
        icons = listed(list_icons(card) or (NOTHING,))
        if self.again:
            return said(
                "{figure} reveals another card, {card}: {icons}", figure=defender.id, card=card.name, icons=icons
            )
        return said("{figure} reveals {card} from the deck: {icons}", figure=defender.id, card=card.name, icons=icons)

    @property
    def _typed(self) -> ShownCard:
        return ShownCard(shields=self.shields, dodge=self.dodge, special=self.special)


class RerollDamage(Step[Match2016], frozen=True, kw_only=True, tag="reroll"):
    """Roll dice of the open attack again, by a card or an ability; ``which`` holds their positions, from 0."""

    rule = play_rules.ATTACK
    label = said("Roll dice again")
    reveals = True
    which: Annotated[tuple[Count, ...], Asks(_asks_rerolled_dice)]
    rolled_here: bool = True
    faces: tuple[Icons, ...] = ()

    @classmethod
    def moments(cls, game: Match2016) -> Iterator[Moment]:
        return ask_defence(game)

    @classmethod
    def prompts(cls, game: Match2016) -> Iterator[Prompt]:
        attack = _attack_to_settle(game)
        if attack is not None and attack.rerolls and attack.defended:
            again = counted("Roll {n} die again", "Roll up to {n} dice again", attack.rerolls)
            yield cls.prompt(again, side=game.piece(attack.attacker).side)

    def side(self, game: Match2016) -> str | None:
        return None if game.pending is None else game.piece(game.pending.attacker).side

    def settle(self, game: Match2016, chance: Chance) -> Self:
        attack = game.pending
        if not self.rolled_here or attack is None or not self._fits(game):
            return self
        return replace(
            self, faces=tuple(roll_face(game.setup.dice, attack.dice[place][0], chance) for place in self.which)
        )

    def check(self, game: Match2016) -> None:
        left = game.the_attack().rerolls
        require_step_of(game, game.piece(game.the_attack().attacker).side)
        require(
            0 < len(self.which) <= left,
            counted("{n} die may be rolled again", "{n} dice may be rolled again", left),
        )
        require(self._fits(game), said("choose dice of this attack, each once"))
        require(len(self.faces) == len(self.which), said("give one face for each die"))

    def apply(self, game: Match2016) -> Match2016:
        attack = game.the_attack()
        dice = list(attack.dice)
        for place, icons in zip(self.which, self.faces, strict=True):
            dice[place] = (dice[place][0], icons)
        game = begin_step_of(game, game.piece(attack.attacker).side)
        attack = game.the_attack()
        return replace(game, pending=replace(attack, dice=tuple(dice), rerolls=attack.rerolls - len(self.which)))

    def dice_shown(self, game: Match2016) -> tuple[ShownDie, ...]:
        dice = game.the_attack().dice
        return tuple(ShownDie(str(icons), dice[place][0]) for place, icons in zip(self.which, self.faces, strict=True))

    def title(self, game: Match2016) -> Said:
        return counted("{n} die is rolled again", "{n} dice are rolled again", len(self.which))

    def _fits(self, game: Match2016) -> bool:
        count = len(game.the_attack().dice)
        return len(set(self.which)) == len(self.which) and all(place < count for place in self.which)


class ModifyDamage(Step[Match2016], frozen=True, kw_only=True, tag="modify"):
    """A card or an ability changes the attack's damage or the defender's shields; ``reason`` names it.

    The attacker decides changes in his favour, after the defence. The defender decides all others, before that.
    """

    rule = play_rules.ATTACK
    label = said("A card or an ability changes the attack")
    reason: Text
    damage: Annotated[Integer, Asks(_asks_damage_change)] = 0
    shields: Annotated[Integer, Asks(_asks_shields_change)] = 0

    @classmethod
    def moments(cls, game: Match2016) -> Iterator[Moment]:
        return ask_defence(game)

    def side(self, game: Match2016) -> str | None:
        attack = game.pending
        if attack is None:
            return None
        return game.piece(attack.attacker if self.damage > self.shields else attack.defender).side

    def check(self, game: Match2016) -> None:
        game.the_attack()
        require(bool(self.damage or self.shields), said("say what changes: damage or shields"))
        require_step_of(game, str(self.side(game)))

    def apply(self, game: Match2016) -> Match2016:
        game = begin_step_of(game, str(self.side(game)))
        attack = game.the_attack()
        changes = (*attack.changes, (self.reason, self.damage, self.shields))
        return replace(game, pending=replace(attack, changes=changes))

    def title(self, game: Match2016) -> Said:
        parts = [said("{change} damage", change=f"{self.damage:+d}")] if self.damage else []
        parts += [said("{change} shields", change=f"{self.shields:+d}")] if self.shields else []
        return said("{changes} ({reason})", changes=listed(parts), reason=self.reason)


class CallOff(Step[Match2016], frozen=True, kw_only=True, tag="call_off"):
    """A judge ends an attack that cannot be finished, without damage."""

    rule = play_rules.ATTACK
    label = said("Call the attack off")
    for_judge = True

    def check(self, game: Match2016) -> None:
        game.the_attack()

    def apply(self, game: Match2016) -> Match2016:
        return replace(game, pending=None)

    def title(self, game: Match2016) -> Said:
        return said("The attack is called off")


def _asks_profile(draft: Draft[Match2016]) -> Ask | None:
    attacks = () if draft.game.turn is None else draft.game.turn.attacks
    if len(attacks) < 2:
        return None
    ways = ((i, describe_attack(one)) for i, one in enumerate(attacks))
    return ask_thing("profile", said("With which attack?"), ways)


def _asks_drop(draft: Draft[Match2016]) -> Ask | None:
    """Ask for the die that a stunned attacker leaves out, if its player chooses."""
    game, turn = draft.game, draft.game.turn
    if turn is None or turn.figure is None or STUNNED not in game.piece(turn.figure).marks or not may_choose_drop(game):
        return None
    colors = sorted({color for attack in turn.attacks for color in attack.dice})
    return ask_thing("drop", said("Die to leave out"), ((color, color_in_words(color)) for color in colors))


def _asks_rerolled_dice(draft: Draft[Match2016]) -> Ask:
    """Ask for dice of the open attack that a card allows to roll again."""
    attack = draft.game.pending
    dice = () if attack is None else attack.dice
    shown = (([place], said("{color}: {icons}", color=color_in_words(c), icons=n)) for place, (c, n) in enumerate(dice))
    most = max(2, 0 if attack is None else attack.rerolls)
    return replace(ask_thing("which", said("Which dice?"), shown), most=most)


def _asks_damage_change(draft: Draft[Match2016]) -> Ask:
    return ask_change("damage", said("How does the damage change?"), (-2, -1, 0, 1, 2, 3))


def _asks_shields_change(draft: Draft[Match2016]) -> Ask | None:
    """Ask for a change of shields if the damage does not change, since something must."""
    if draft.fields.get("damage"):
        return None
    return ask_change("shields", said("How do the shields change?"), (-2, -1, 1, 2, 3))


def _attack_to_settle(game: Match2016) -> PendingAttack2016 | None:
    """Return the open attack, once no dice are due and no demons have to be summoned."""
    attack = game.pending
    return None if attack is None or attack.dice_due or game.summons_due else attack


NOTHING = said("no shield")


def _deck_of(defender: Piece) -> str:
    """Return the owner of the deck that defends a figure."""
    return defender.id if defender.side == MARINES else INVADER


def _play_card(game: Match2016, card: str, shown: ShownCard) -> Match2016:
    attack = game.the_attack()
    known = replace(attack, revealed=(*attack.revealed, card), cards=(*attack.cards, shown), defended=True)
    return replace(game, pending=known)
