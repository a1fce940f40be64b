"""What a match tells those who show it, and what is asked of them, as Protocols of its own."""

from __future__ import annotations

from typing import Protocol

from assistant.match.session import Session
from assistant.table.tracker import TrackerView


class MatchScreen(Protocol):
    """Shows the match of the table to everybody."""

    @property
    def match(self) -> Session | None:
        """The match that is played; None while none is."""

    def play(self, session: Session) -> None:
        """Shows this match from now on, and every step of it."""

    def announce_match(self) -> None:
        """Tells every page that another match is shown from now on."""


class Lights(Protocol):
    """Shows whose turn it is in lights."""

    def show(self, view: TrackerView) -> None:
        """Shows the newest order of the turns; returns at once."""
