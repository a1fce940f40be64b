"""Abilities of marines, demons and glory kill cards, and the dice that they add or roll again."""

from __future__ import annotations

from collections import Counter
from typing import Self

from msgspec.structs import replace

from assistant.games.doom2016.match.attack_rules import require_attack
from assistant.games.doom2016.match.attack_steps import Icons, roll_die
from assistant.games.doom2016.match.effect_rules import EffectStep, Use, begin_effects, check_effects, require_moment
from assistant.games.doom2016.match.effects import Ability
from assistant.games.doom2016.match.marine_steps import has_main_left
from assistant.games.doom2016.match.state import CLASS_EXHAUSTED, DemonCard, Match2016, find_abilities
from assistant.match.chance import Chance
from assistant.match.game import INVADER, MARINES, Count, Name, Piece, ShownDie, Step, find_by_name, require
from assistant.translations.messages import Said, counted, dice_in_words, said


class UseAbility(EffectStep, frozen=True, kw_only=True, tag="use_ability"):
    """A figure uses an ability that the mission describes: it is paid for, and its effects happen."""

    figure: Name
    ability: Name

    def side(self, game: Match2016) -> str | None:
        """Whose figure it is."""
        return game.piece(self.figure).side

    def settle(self, game: Match2016, chance: Chance) -> Self:
        """The step with whom its area reaches."""
        return self.settled(game, chance, self.figure, find_ability(game, self.figure, self.ability).effects)

    def check(self, game: Match2016) -> None:
        """The figure must have it, be where it helps, pay for it, and use nothing of that name a second time."""
        piece, ability = game.piece(self.figure), find_ability(game, self.figure, self.ability)
        require(piece.on_table, said("{figure} is not on the board", figure=self.figure))
        require_moment(game, self.figure, ability.when)
        require_paid(game, piece, ability)
        used = () if game.pending is None else game.pending.played
        require(ability.name not in used, said("a card or ability of this name is in use at this moment"))
        check_effects(game, self.figure, ability.effects)

    def apply(self, game: Match2016) -> Match2016:
        """The game with the ability paid for and its effects done."""
        ability = find_ability(game, self.figure, self.ability)
        game = _pay(game, game.piece(self.figure), ability)
        if game.pending is not None:
            game = replace(game, pending=replace(game.pending, played=(*game.pending.played, ability.name)))
        return begin_effects(game, Use(self.figure, ability.name, self.hit, self.chance), ability.effects)

    def title(self, game: Match2016) -> Said:
        """What it does."""
        return said("{figure} uses {ability}", figure=self.figure, ability=self.ability)


class UseGloryCard(EffectStep, frozen=True, kw_only=True, tag="use_glory"):
    """The marine uses the ability of a glory kill card that he has revealed in this activation."""

    card: Name

    def side(self, game: Match2016) -> str | None:
        """The marines decide."""
        return MARINES

    def settle(self, game: Match2016, chance: Chance) -> Self:
        """The step with whom its area reaches."""
        turn = game.turn
        if turn is None or turn.figure is None:
            return self
        return self.settled(game, chance, turn.figure, game.card(self.card).effects)

    def check(self, game: Match2016) -> None:
        """The card must be one that he revealed and has not used."""
        marine, card = game.acting(MARINES), game.card(self.card)
        require(
            self.card in game.the_turn().glory,
            said("“{card}” was not revealed by a glory kill of this activation, or is used", card=card.name),
        )
        require_moment(game, marine.id, card.when)
        check_effects(game, marine.id, card.effects)

    def apply(self, game: Match2016) -> Match2016:
        """The game with the card's effects done."""
        turn, marine, card = game.the_turn(), game.acting(), game.card(self.card)
        glory = list(turn.glory)
        glory.remove(self.card)
        game = replace(game, turn=replace(turn, glory=tuple(glory)))
        return begin_effects(game, Use(marine.id, card.name, self.hit, self.chance), card.effects)

    def title(self, game: Match2016) -> Said:
        """What it does."""
        return said("{figure} uses {ability}", figure=game.acting().id, ability=game.card(self.card).name)


class RollAddedDice(Step[Match2016], frozen=True, kw_only=True, tag="roll_added"):
    """The dice that a card or an ability adds to the open attack are rolled, or typed in as ``[colour, icons]``."""

    reveals = True
    rolled_here: bool = True
    dice: tuple[tuple[Name, Icons], ...] = ()

    def side(self, game: Match2016) -> str | None:
        """The attacker rolls."""
        return None if game.pending is None else game.piece(game.pending.attacker).side

    def settle(self, game: Match2016, chance: Chance) -> Self:
        """The step with the dice, unless they are typed."""
        if not self.rolled_here or game.pending is None:
            return self
        colors = sorted(Counter(dict(game.pending.dice_due)).elements())
        return replace(self, dice=tuple((color, roll_die(game, color, chance)) for color in colors))

    def check(self, game: Match2016) -> None:
        """Dice must be due, and these be they."""
        due = Counter(dict(require_attack(game).dice_due))
        require(bool(due), said("no dice are to be added now"))
        require(
            Counter(color for color, _ in self.dice) == due, said("roll these dice: {dice}", dice=dice_in_words(due))
        )

    def apply(self, game: Match2016) -> Match2016:
        """The game with the dice among the others."""
        attack = require_attack(game)
        return replace(game, pending=replace(attack, dice=(*attack.dice, *self.dice), dice_due={}))

    def title(self, game: Match2016) -> Said:
        """What it does."""
        return said("Added dice: {icons} damage rolled", icons=sum(icons for _, icons in self.dice))

    def dice_shown(self, game: Match2016) -> tuple[ShownDie, ...]:
        """The added dice by their icons."""
        return tuple(ShownDie(str(icons), color) for color, icons in self.dice)


class RerollDamage(Step[Match2016], frozen=True, kw_only=True, tag="reroll"):
    """Dice of the open attack are rolled again by a card or an ability: picked by their places, from 0."""

    reveals = True
    which: tuple[Count, ...]
    rolled_here: bool = True
    faces: tuple[Icons, ...] = ()

    def side(self, game: Match2016) -> str | None:
        """The attacker rolls."""
        return None if game.pending is None else game.piece(game.pending.attacker).side

    def settle(self, game: Match2016, chance: Chance) -> Self:
        """The step with the new faces, unless they are typed."""
        attack = game.pending
        if not self.rolled_here or attack is None or not self._fits(game):
            return self
        return replace(self, faces=tuple(roll_die(game, attack.dice[place][0], chance) for place in self.which))

    def check(self, game: Match2016) -> None:
        """A card or an ability must allow as many, and the dice be among those rolled."""
        left = require_attack(game).rerolls
        require(
            0 < len(self.which) <= left,
            counted("{n} die may be rolled again", "{n} dice may be rolled again", left),
        )
        require(self._fits(game), said("name dice of this attack by their places, each once"))
        require(len(self.faces) == len(self.which), said("give one face for each die"))

    def apply(self, game: Match2016) -> Match2016:
        """The game with the new faces."""
        attack = require_attack(game)
        dice = list(attack.dice)
        for place, icons in zip(self.which, self.faces, strict=True):
            dice[place] = (dice[place][0], icons)
        return replace(game, pending=replace(attack, dice=tuple(dice), rerolls=attack.rerolls - len(self.which)))

    def dice_shown(self, game: Match2016) -> tuple[ShownDie, ...]:
        """The dice that were rolled again."""
        dice = require_attack(game).dice
        return tuple(ShownDie(str(icons), dice[place][0]) for place, icons in zip(self.which, self.faces, strict=True))

    def title(self, game: Match2016) -> Said:
        """What it does."""
        return counted("{n} die is rolled again", "{n} dice are rolled again", len(self.which))

    def _fits(self, game: Match2016) -> bool:
        count = len(require_attack(game).dice)
        return len(set(self.which)) == len(self.which) and all(place < count for place in self.which)


def list_usable(game: Match2016, figure: str) -> tuple[Ability, ...]:
    """The abilities that a figure may use at this moment."""
    abilities = find_abilities(game, game.piece(figure))
    return tuple(one for one in abilities if UseAbility(figure=figure, ability=one.name).is_allowed(game))


def find_ability(game: Match2016, figure: str, name: str) -> Ability:
    """The ability of that name that a figure has.

    Raises:
        UnknownName: it has none.
    """
    unknown = said("{figure} has no ability “{ability}”; choose one of its card", figure=figure, ability=name)
    return find_by_name(find_abilities(game, game.piece(figure)), "name", name, unknown)


def require_paid(game: Match2016, piece: Piece, ability: Ability) -> None:
    """Makes sure that the cost of an ability can be paid (source 001, “Способности”).

    Raises:
        IllegalStep: it cannot.
    """
    ready = not ability.exhausts or CLASS_EXHAUSTED not in piece.marks
    require(ready, said("the class card of {figure} is exhausted", figure=piece.id))
    if ability.action == "main":
        require(has_main_left(game), said("the main action of this activation is used up"))
    if piece.side == INVADER:
        card = game.demon_cards.get(piece.kind, DemonCard())
        ignored = bool(ability.argent) and game.setup.goals.tutorial
        require(not ignored, said("the tutorial ignores abilities that cost argent"))
        require(card.argent >= ability.argent, said("there is not enough argent on that card"))


def _pay(game: Match2016, piece: Piece, ability: Ability) -> Match2016:
    if ability.exhausts:
        game = game.with_piece(piece.marked(CLASS_EXHAUSTED))
    if ability.action == "main":
        turn = game.the_turn()
        game = replace(game, turn=replace(turn, mains_used=turn.mains_used + 1))
    if ability.argent:
        card = game.demon_cards[piece.kind]
        game = game.with_demon_card(piece.kind, replace(card, argent=card.argent - ability.argent))
    return game
