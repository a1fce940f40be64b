"""What the watching of a table tells whoever shows it, and what it asks of them, as Protocols of its own."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Literal, Protocol

from assistant.app.live.shots import Shot
from assistant.app.problems import ProblemBoard

Holding = Literal["waiting", "now", "moving", "old", "frozen"]
"""How the live table that is shown stands to the one that is there: nothing was seen yet; it is so now; something is
being moved or has not settled; the camera does not tell; a person holds it as it is."""


class Screen(ProblemBoard, Protocol):
    """Shows a watched table to everybody."""

    @property
    def boot(self) -> str:
        """Tells one run of the program from the next, so that no two pictures have one name."""

    @property
    def holding(self) -> Holding:
        """How the table that is shown stands to the one that is there."""

    @property
    def reading(self) -> AbstractContextManager[object]:
        """Held while a picture is read: two at once would both take twice as long."""

    def show_live(self, shot: Shot) -> None:
        """Puts a new picture of the camera before everybody."""

    def hold(self, holding: Holding, now_s: float) -> None:
        """Says how the table that is shown stands to the one that is there, at a time in seconds since 1970."""


class StripScreen(ProblemBoard, Protocol):
    """Shows the LED strip to everybody."""

    def show_strip(self, pixels: Sequence[tuple[int, int, int]], *, is_virtual: bool) -> None:
        """Shows the pixels as red, green and blue, 0 to 255 each."""
