"""The watched table as people meet it: they ask what it is not sure of, set it right, and hold it as it is."""

from __future__ import annotations

from dataclasses import dataclass, field

from assistant.app.live.table_memory import TableCorrection, TableMemory
from assistant.app.live.wishes import Wishes
from assistant.table.roster import Roster
from assistant.tracking.values import IdentityQuestion, IllegalMove


@dataclass
class WatchedTable:
    """One table that a camera watches, for every thread but the one that watches.

    Args:
        memory: what is believed.
        wishes: brings what people want to the thread that watches.
    """

    memory: TableMemory
    wishes: Wishes = field(default_factory=Wishes)

    @property
    def is_frozen(self) -> bool:
        """Whether a person holds the table as it is."""
        return self.memory.is_frozen

    @property
    def questions(self) -> tuple[IdentityQuestion, ...]:
        """What the people at the table are asked, the oldest first."""
        return self.memory.questions

    @property
    def notes(self) -> tuple[IllegalMove, ...]:
        """Moves that the rules do not allow, the oldest first."""
        return self.memory.notes

    @property
    def roster(self) -> Roster:
        """The figures that one on the table may be."""
        return self.memory.roster

    def set_right(self, correction: TableCorrection) -> None:
        """Believes a person, between two frames: where figures stand, which doors are open, who is who.

        Raises:
            InputError: what was said cannot be.
            CannotDo: the camera has shown nothing yet, or the table is busy.
        """
        self.wishes.ask(correction)

    def freeze(self, *, is_frozen: bool) -> None:
        """Holds the table as it is, or lets the camera have its say again.

        Raises:
            TableBusy: it was not done in time.
        """
        self.wishes.ask(is_frozen)
