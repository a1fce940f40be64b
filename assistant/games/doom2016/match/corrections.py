"""Damage, healing, frags and stuns by hand: corrections, and the texts of cards."""

from __future__ import annotations

from typing import Annotated

from assistant.games.doom2016.match import play_rules
from assistant.games.doom2016.match.state import STUNNED, Match2016, apply_damage, frag, heal
from assistant.match.asks import Ask, Asks, Draft, ask_thing
from assistant.match.game import Name, PositiveCount, SaltedStep, Step, require
from assistant.translations.messages import Said, said, said_in


class _HarmByHand(SaltedStep[Match2016], frozen=True, kw_only=True):
    rule = play_rules.DAMAGE
    by_hand = True
    of_figure = True
    figure: Name

    def check(self, game: Match2016) -> None:
        require(game.piece(self.figure).on_table, said("{figure} is not on the board", figure=self.figure))
        require(game.phase != "setup", said("the first round has not begun"))


class DamageByHand(_HarmByHand, frozen=True, kw_only=True, tag="damage"):
    """Damage a figure by hand: a card's text, or an attack resolved at the table."""

    label = said("Damage by hand")
    amount: PositiveCount

    def apply(self, game: Match2016) -> Match2016:
        return apply_damage(game, game.piece(self.figure), self.amount, self.chance)

    def title(self, game: Match2016) -> Said:
        return said("{figure}: {count} damage", figure=self.figure, count=self.amount)


class HealDamage(Step[Match2016], frozen=True, kw_only=True, tag="heal"):
    """Remove damage from a figure by hand."""

    rule = play_rules.DAMAGE
    label = said("Take damage off by hand")
    by_hand = True
    of_figure = True
    figure: Name
    amount: PositiveCount

    def check(self, game: Match2016) -> None:
        require(game.piece(self.figure).harm > 0, said("{figure} has no damage", figure=self.figure))

    def apply(self, game: Match2016) -> Match2016:
        return heal(game, game.piece(self.figure), self.amount)

    def title(self, game: Match2016) -> Said:
        return said("{figure}: {count} damage healed", figure=self.figure, count=self.amount)


class FragByHand(_HarmByHand, frozen=True, kw_only=True, tag="frag"):
    """Frag a figure outright: a card's text, or a displaced figure without a free cell."""

    label = said("Frag a figure by hand")

    def apply(self, game: Match2016) -> Match2016:
        return frag(game, game.piece(self.figure), self.chance)

    def title(self, game: Match2016) -> Said:
        return said("{figure} is fragged", figure=self.figure)


class Stun(Step[Match2016], frozen=True, kw_only=True, tag="stun"):
    """Stun a figure, or (``on`` false) end its stun. A stunned figure gets no second token (A5)."""

    rule = play_rules.STUN
    label = said("Stun a figure, or end it")
    by_hand = True
    of_figure = True
    figure: Name
    on: Annotated[bool, Asks(_asks_stun)] = True

    def check(self, game: Match2016) -> None:
        piece = game.piece(self.figure)
        require(piece.on_table, said("{figure} is not on the board", figure=self.figure))
        require(
            (STUNNED in piece.marks) != self.on,
            said("{figure} is stunned already", figure=self.figure)
            if self.on
            else said("{figure} is not stunned", figure=self.figure),
        )

    def apply(self, game: Match2016) -> Match2016:
        piece = game.piece(self.figure)
        return game.with_piece(piece.marked(STUNNED) if self.on else piece.unmarked(STUNNED))

    def title(self, game: Match2016) -> Said:
        if self.on:
            return said("{figure} is stunned", figure=self.figure)
        return said("{figure} is no longer stunned", figure=self.figure)


def _asks_stun(draft: Draft[Match2016]) -> Ask:
    return ask_thing("on", said("Which?"), ((True, said_in("stun", "stunned")), (False, said("no longer stunned"))))
