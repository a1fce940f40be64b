"""What people set right by hand, and what the texts of cards do: damage, healing, frags, stuns."""

from __future__ import annotations

from assistant.games.doom2016.match.state import STUNNED, Match2016, apply_damage, frag, heal
from assistant.match.game import Name, PositiveCount, SaltedStep, Step, require
from assistant.translations.messages import Said, said


class DamageByHand(SaltedStep[Match2016], frozen=True, kw_only=True, tag="damage"):
    """Damage put on a figure by hand: a card's text, or an attack worked out at the table."""

    figure: Name
    amount: PositiveCount

    def check(self, game: Match2016) -> None:
        """The figure must be on the board."""
        require(game.piece(self.figure).on_table, said("{figure} is not on the board", figure=self.figure))
        require(game.phase != "setup", said("the first round has not begun"))

    def apply(self, game: Match2016) -> Match2016:
        """The game with the damage done."""
        return apply_damage(game, game.piece(self.figure), self.amount, self.chance)

    def title(self, game: Match2016) -> Said:
        """What it does."""
        return said("{figure}: {count} damage", figure=self.figure, count=self.amount)


class HealDamage(Step[Match2016], frozen=True, kw_only=True, tag="heal"):
    """Damage taken off a figure by hand."""

    figure: Name
    amount: PositiveCount

    def check(self, game: Match2016) -> None:
        """The figure must have damage."""
        require(game.piece(self.figure).harm > 0, said("{figure} has no damage", figure=self.figure))

    def apply(self, game: Match2016) -> Match2016:
        """The game with the damage gone."""
        return heal(game, game.piece(self.figure), self.amount)

    def title(self, game: Match2016) -> Said:
        """What it does."""
        return said("{figure}: {count} damage healed", figure=self.figure, count=self.amount)


class FragByHand(SaltedStep[Match2016], frozen=True, kw_only=True, tag="frag"):
    """A figure fragged outright: a card's text, or a displaced figure that has nowhere to go."""

    figure: Name

    def check(self, game: Match2016) -> None:
        """The figure must be on the board."""
        require(game.piece(self.figure).on_table, said("{figure} is not on the board", figure=self.figure))
        require(game.phase != "setup", said("the first round has not begun"))

    def apply(self, game: Match2016) -> Match2016:
        """The game without it."""
        return frag(game, game.piece(self.figure), self.chance)

    def title(self, game: Match2016) -> Said:
        """What it does."""
        return said("{figure} is fragged", figure=self.figure)


class Stun(Step[Match2016], frozen=True, kw_only=True, tag="stun"):
    """A stun token beside a figure, or (``on`` false) taken away; a stunned figure gets no second one (A5)."""

    figure: Name
    on: bool = True

    def check(self, game: Match2016) -> None:
        """The figure must be on the board and not so already."""
        piece = game.piece(self.figure)
        require(piece.on_table, said("{figure} is not on the board", figure=self.figure))
        require(
            (STUNNED in piece.marks) != self.on,
            said("{figure} is stunned already", figure=self.figure)
            if self.on
            else said("{figure} is not stunned", figure=self.figure),
        )

    def apply(self, game: Match2016) -> Match2016:
        """The game with the token placed or taken."""
        piece = game.piece(self.figure)
        return game.with_piece(piece.marked(STUNNED) if self.on else piece.unmarked(STUNNED))

    def title(self, game: Match2016) -> Said:
        """What it does."""
        if self.on:
            return said("{figure} is stunned", figure=self.figure)
        return said("{figure} is no longer stunned", figure=self.figure)
