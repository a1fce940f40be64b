"""Where the events of a table go besides its own disk, as a Protocol: a table plays on whoever listens, or nobody."""

from __future__ import annotations

from typing import Protocol

from assistant.documents.call import Call
from assistant.documents.table_event import TableEvent


class EventOutlet(Protocol):
    """Takes what happened at a table to whoever else wants to know it.

    An event is on the table's own disk before it is handed over, and is handed over again after a start if the outlet
    did not take it then; so an outlet that keeps what it takes loses nothing and may drop what it has by its ``id``.
    """

    @property
    def taken_seq(self) -> int:
        """The number of the last event that the outlet has taken and will not forget; 0 for none."""

    def take(self, event: TableEvent, line: bytes, call: Call | None) -> None:
        """Takes an event; returns at once and raises nothing, whatever becomes of it.

        Args:
            event: what happened.
            line: its bytes, of which the next event names the hash.
            call: the call that it is about, as it stands now.
        """


class NoOutlet:
    """For a table that stands alone."""

    taken_seq = 0

    def take(self, event: TableEvent, line: bytes, call: Call | None) -> None:
        """Lets it go."""
