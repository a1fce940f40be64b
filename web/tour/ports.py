"""What the tour needs of the demo behind it."""

from __future__ import annotations

from typing import Protocol

from assistant.app.matches.demo_stage import DemoGame


class DemoGuide(Protocol):
    """Shows the demo of one game after the other, each on a table that is still at first."""

    @property
    def games(self) -> tuple[DemoGame, ...]:
        """Every game that has a demo."""

    def choose(self, game: str) -> None:
        """Shows the demo of that game to everybody."""

    def attack(self) -> str | None:
        """Lets the match be played to its next blow; who is hurt, None where nobody is."""

    def let_move(self) -> None:
        """Lets hands begin to move the figures."""
