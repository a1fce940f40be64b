"""Between an attack's roll and its result: dodges, re-rolls, changes by cards (rules B5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Self

from msgspec.structs import replace

from assistant.games.doom2004.match.attack_rules import may_wound, require_attack, word_result
from assistant.games.doom2004.match.attack_steps import ATTACK_RULE
from assistant.games.doom2004.match.invader_steps import ask_own_card, list_cards_with
from assistant.games.doom2004.match.moments import ask_in_attack
from assistant.games.doom2004.match.setup import DodgeByEvent, FaceSetup
from assistant.games.doom2004.match.state import DODGE, Match2004, PendingAttack2004, may_use_order
from assistant.match.asks import Ask, Asks, Draft, ask_change, ask_figure, ask_thing
from assistant.match.chance import Chance
from assistant.match.game import (
    INVADER,
    MARINES,
    Count,
    Integer,
    Moment,
    Name,
    Prompt,
    ShownDie,
    Step,
    Text,
    require,
    roll_face,
)
from assistant.rules.reasons import Rule
from assistant.translations.messages import Said, color_in_words, counted, listed, message, said

REROLL_RULE = Rule(
    "doom2004/dodge-and-aim",
    message("Rules, “Re-rolls”"),
    message("Aim and dodge re-roll an attack once; both together cancel out."),
)


def add_dodge(game: Match2004, figure: str) -> Match2004:
    """Return the game with that dodger. A dodge after an aimed re-roll cancels it: the first dice count again.

    “the two effects cancel each other out and the attack is not re-rolled at all” (seed 004).
    """
    attack = replace(require_attack(game), dodger=figure)
    if attack.first_dice:
        attack = replace(attack, dice=attack.first_dice, first_dice=(), rerolled=False)
    return replace(game, pending=attack)


class Dodge(Step[Match2004], frozen=True, kw_only=True, tag="dodge"):
    """A marine under attack uses his order to dodge, which cancels out an aim."""

    rule = REROLL_RULE
    label = said("Dodge")
    figure: Annotated[Name, Asks(_who_dodges)]

    @classmethod
    def prompts(cls, game: Match2004) -> Iterator[Prompt]:
        attack = game.pending if game.moment == "attack" else None
        for name in attack.targets if attack is not None and may_wound(game, attack, MARINES) else ():
            if cls(figure=name).is_allowed(game):
                note = word_result(game, require_attack(game))
                yield cls.prompt(said("{figure} dodges", figure=name), side=MARINES, note=note, figure=name)

    def side(self, game: Match2004) -> str | None:
        return MARINES

    def check(self, game: Match2004) -> None:
        require_dodgeable(game, self.figure)
        require(DODGE in game.piece(self.figure).marks, said("{figure} has no order to dodge", figure=self.figure))
        late = said("{figure} has placed that order in this turn; the house lets him use it later", figure=self.figure)
        require(may_use_order(game, self.figure, DODGE), late)

    def apply(self, game: Match2004) -> Match2004:
        return add_dodge(game.with_piece(game.piece(self.figure).unmarked(DODGE)), self.figure)

    def title(self, game: Match2004) -> Said:
        if require_attack(game).aimed:
            return said("{figure} dodges: the aim is cancelled, nothing is rolled again", figure=self.figure)
        return said("{figure} dodges: dice are rolled again", figure=self.figure)


class DodgeByCard(Step[Match2004], frozen=True, kw_only=True, tag="dodge_by_card"):
    """An invader under attack dodges by a card of the hand, which cancels out an aim."""

    rule = REROLL_RULE
    label = said("Dodge by a card")
    is_secret = True
    figure: Annotated[Name, Asks(_who_dodges)]
    card: Annotated[Name, Asks(ask_own_card)]

    def side(self, game: Match2004) -> str | None:
        return INVADER

    def check(self, game: Match2004) -> None:
        require_dodgeable(game, self.figure)
        require(
            game.piece(self.figure).side == INVADER,
            said("{figure} is a marine and dodges by an order", figure=self.figure),
        )
        game.deck.taken(self.card)
        require(self.card in list_dodging(game), said("this card lets nobody dodge"))

    def is_idle(self, game: Match2004) -> bool:
        return not may_wound(game, require_attack(game), INVADER)

    def apply(self, game: Match2004) -> Match2004:
        return add_dodge(replace(game, deck=game.deck.without(self.card)), self.figure)

    def title(self, game: Match2004) -> Said:
        card = game.setup.cards[self.card]
        return said("{figure} dodges by the card {card}: dice are rolled again", figure=self.figure, card=card.name)


def list_dodging(game: Match2004) -> tuple[str, ...]:
    """Return the invader's cards in hand that let an invader dodge; all cards if the mission names no dodges."""
    dodging = list_cards_with(game, DodgeByEvent)
    return tuple(card for card in game.deck.hand if not dodging or card in dodging)


def require_dodgeable(game: Match2004, figure: str) -> None:
    """Refuse a dodge of the open attack by a figure that may not dodge it.

    Raises:
        IllegalStep: the figure is no target, or somebody has dodged or re-rolled the attack.
    """
    attack = require_attack(game)
    require(figure in attack.targets, said("{figure} is not attacked", figure=figure))
    require(not attack.scatters, said("the card is drawn; say where the shot lands"))
    require(bool(attack.dice), said("this attack has no dice to roll again"))
    is_late = attack.rerolled and not attack.first_dice
    require(not is_late and attack.dodger is None, said("an attack is re-rolled only once"))


class RerollAttack(Step[Match2004], frozen=True, kw_only=True, tag="reroll"):
    """Roll some dice again, named by their positions from 0. The new faces count (B5)."""

    rule = REROLL_RULE
    reveals = True
    which: Annotated[tuple[Count, ...], Asks(_which_dice)]
    rolled_here: bool = True
    faces: tuple[FaceSetup, ...] = ()

    @classmethod
    def moments(cls, game: Match2004) -> Iterator[Moment]:
        return ask_in_attack(game)

    @classmethod
    def prompts(cls, game: Match2004) -> Iterator[Prompt]:
        if game.moment == "attack" and (figure := find_reroller(game)) is not None:
            task = said("choose dice of {figure} to roll again", figure=figure)
            side, note = game.piece(figure).side, word_result(game, require_attack(game))
            yield cls.prompt(said("Choose dice to roll again"), side=side, task=task, note=note)

    def side(self, game: Match2004) -> str | None:
        figure = find_reroller(game)
        return None if figure is None else game.piece(figure).side

    def settle(self, game: Match2004, chance: Chance) -> Self:
        if not self.rolled_here or game.pending is None or not self._fits(game.pending):
            return self
        colors = [game.pending.dice[place][0] for place in self.which]
        return replace(self, faces=tuple(roll_face(game.setup.dice, color, chance) for color in colors))

    def check(self, game: Match2004) -> None:
        attack = require_attack(game)
        require(attack.may_reroll is not None, said("there is nothing to re-roll"))
        require(self._fits(attack), said("choose dice of this attack, each once"))
        require(bool(self.which), said("choose one or more dice to roll again"))
        require(len(self.faces) == len(self.which), said("give one face for each die"))

    def apply(self, game: Match2004) -> Match2004:
        attack = require_attack(game)
        dice = list(attack.dice)
        for place, face in zip(self.which, self.faces, strict=True):
            dice[place] = (dice[place][0], face)
        # The attacker was too fast for a dodge unless the defender has passed.
        first = attack.dice if attack.dodger is None and "attack" not in game.passed else ()
        return replace(game, pending=replace(attack, dice=tuple(dice), rerolled=True, first_dice=first))

    def title(self, game: Match2004) -> Said:
        return counted("{n} die is rolled again", "{n} dice are rolled again", len(self.which))

    def dice_shown(self, game: Match2004) -> tuple[ShownDie, ...]:
        dice = require_attack(game).dice
        return tuple(
            ShownDie(face.text, dice[place][0], face.words) for place, face in zip(self.which, self.faces, strict=True)
        )

    def _fits(self, attack: PendingAttack2004) -> bool:
        return len(set(self.which)) == len(self.which) and all(place < len(attack.dice) for place in self.which)


class ModifyRoll(Step[Match2004], frozen=True, kw_only=True, tag="modify"):
    """Change the range or the damage of the open attack by a card or an ability; ``reason`` names it."""

    rule = ATTACK_RULE
    label = said("A card or an ability changes the attack")
    reason: Text
    range: Annotated[Integer, Asks(_which_range)] = 0
    damage: Annotated[Integer, Asks(_which_damage)] = 0

    def rests_on_people(self, game: Match2004) -> bool:
        return True

    def check(self, game: Match2004) -> None:
        require(not require_attack(game).scatters, said("the card is drawn; say where the shot lands"))
        require(bool(self.range or self.damage), said("say what changes: the range or the damage"))

    def apply(self, game: Match2004) -> Match2004:
        attack = require_attack(game)
        changes = (*attack.changes, (self.reason, self.range, self.damage))
        return replace(game, pending=replace(attack, changes=changes))

    def title(self, game: Match2004) -> Said:
        parts = [said("{change} range", change=f"{self.range:+d}")] if self.range else []
        parts += [said("{change} damage", change=f"{self.damage:+d}")] if self.damage else []
        return said("{changes} ({reason})", changes=listed(parts), reason=self.reason)


def find_reroller(game: Match2004) -> str | None:
    """Return the figure with the open re-roll: the aiming attacker, or the dodger (the attacker by house option)."""
    attack = game.pending
    if attack is None or attack.may_reroll is None:
        return None
    by_attacker = attack.may_reroll == "attacker" or game.rules.options["dodge_choice"] == "attacker"
    return attack.attacker if by_attacker else str(attack.dodger)


def _who_dodges(draft: Draft[Match2004]) -> Ask:
    game = draft.game
    targets = () if game.pending is None else game.pending.targets
    by_card = draft.fields["type"] == "dodge_by_card"
    shown = [name for name in targets if by_card or DODGE in game.piece(name).marks]
    return ask_figure("figure", said("Who dodges?"), shown)


def _which_dice(draft: Draft[Match2004]) -> Ask:
    attack = draft.game.pending
    dice = () if attack is None else attack.dice
    shown = (
        (
            [place],
            said(
                "{color}: {damage} damage, range {range}",
                color=color_in_words(color),
                damage=face.damage,
                range=face.range,
            ),
        )
        for place, (color, face) in enumerate(dice)
    )
    return replace(ask_thing("which", said("Which dice?"), shown), most=max(2, len(dice)))


def _which_range(draft: Draft[Match2004]) -> Ask:
    return ask_change("range", said("How does the range change?"), (-2, -1, 0, 1, 2, 3))


def _which_damage(draft: Draft[Match2004]) -> Ask | None:
    # Something must change, so a change of range is enough.
    if draft.fields.get("range"):
        return None
    return ask_change("damage", said("How does the damage change?"), (-2, -1, 1, 2, 3))
