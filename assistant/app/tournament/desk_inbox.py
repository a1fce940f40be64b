"""What a desk has heard and not written down yet: gathered for a moment, so that one transaction keeps all of it."""

from __future__ import annotations

import queue
import time
from dataclasses import dataclass, field

from assistant.app.tournament.desk_store import KeptEvent, KeptPart
from assistant.documents.hall import Answer

BATCH = 500
GATHER_S = 0.012
"""So long a desk gathers before it writes, so that all that comes meanwhile costs one transaction."""

MOST_WAITING = 20_000
"""Events in memory while the database is away; what does not fit is told again by its table."""


@dataclass
class HallNews:
    """What was heard since the desk last looked: events, answers, and tables that have come."""

    events: list[KeptEvent] = field(default_factory=list)
    parts: list[KeptPart] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    come: set[str] = field(default_factory=set)

    def add(self, item: KeptEvent | KeptPart | Answer | str) -> None:
        """Puts it to its kind; a name is that of a table that has come."""
        if isinstance(item, KeptEvent):
            self.events.append(item)
        elif isinstance(item, KeptPart):
            self.parts.append(item)
        elif isinstance(item, Answer):
            self.answers.append(item)
        else:
            self.come.add(item)


class HallInbox:
    """What was heard and is not on the disk yet, events, answers, and the names of tables that have come."""

    def __init__(self) -> None:
        self._items: queue.Queue[KeptEvent | KeptPart | Answer | str] = queue.Queue(MOST_WAITING)

    def put(self, item: KeptEvent | KeptPart | Answer | str) -> bool:
        """Whether there was room for it."""
        try:
            self._items.put_nowait(item)
        except queue.Full:
            return False
        return True

    def news(self, timeout_s: float) -> HallNews:
        """What has come, at most ``BATCH`` items; nothing after the time-out."""
        found = HallNews()
        try:
            found.add(self._items.get(timeout=timeout_s))
            time.sleep(GATHER_S)
            for _ in range(BATCH):
                found.add(self._items.get_nowait())
        except queue.Empty:
            pass
        return found
