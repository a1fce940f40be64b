"""Where the use cases say what is wrong at the table; whoever shows it to people stands behind these Protocols."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from assistant.errors import SightlineError
from assistant.translations.messages import Said


class ProblemBoard(Protocol):
    """Takes what is wrong with each part of the table, from every thread."""

    def report(self, part: str, error: SightlineError) -> None:
        """Says what is wrong with one part; the same again is not news."""

    def clear(self, part: str, how: Said | None = None) -> None:
        """Says that nothing is wrong with one part any more, and how it is, where there is more to say."""


class RemedyBoard(ProblemBoard, Protocol):
    """A board of problems on which each has one button."""

    def look_after(self, part: str) -> None:
        """Says that somebody looks after a part, so that no news of it is good news."""

    def offer(self, part: str, act: Callable[[], None]) -> None:
        """Puts what can be done behind the button of a part; ``act`` returns at once."""
