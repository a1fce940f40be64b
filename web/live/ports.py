"""What the page needs of a table that a camera watches, as Protocols of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, Protocol

from assistant.app.live.table_memory import TableCorrection
from assistant.table.roster import Roster

TakePicture = Callable[[bytes], None]
"""Takes a JPEG as the table's camera would have brought it."""


class OpenQuestion(Protocol):
    """Which one is this? Asked while the game goes on with the likeliest answer."""

    @property
    def id(self) -> str:
        """Names the question."""

    @property
    def figure(self) -> str:
        """The name that the figure goes by until somebody answers."""

    @property
    def candidates(self) -> tuple[str, ...]:
        """The names that it may have, the likeliest first."""


class OddMove(Protocol):
    """A move that the rules do not allow, seen all the same."""

    @property
    def id(self) -> str:
        """Names the note."""

    @property
    def kind(self) -> Literal["too_far", "no_way"]:
        """What the rules have against it."""

    @property
    def figure(self) -> str:
        """Who moved."""

    @property
    def points(self) -> int | None:
        """The points of movement that it had, where they are known."""


class LiveTable(Protocol):
    """The table that a camera watches."""

    @property
    def is_frozen(self) -> bool:
        """Whether a person holds it as it is."""

    @property
    def questions(self) -> Sequence[OpenQuestion]:
        """What the people at the table are asked."""

    @property
    def notes(self) -> Sequence[OddMove]:
        """Moves that the rules do not allow."""

    @property
    def roster(self) -> Roster:
        """The figures that one on the table may be."""

    def freeze(self, *, is_frozen: bool) -> None:
        """Holds the table as it is, or lets the camera have its say again."""

    def set_right(self, correction: TableCorrection) -> None:
        """Believes a person: all of it, or nothing where some of it cannot be.

        Raises:
            InputError: what was said cannot be.
            CannotDo: the camera has shown nothing yet.
        """
