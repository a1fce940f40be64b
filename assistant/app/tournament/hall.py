"""The hall as a desk sees it: each table's presence, the age of its news, and its problems."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from msgspec.structs import replace

from assistant.documents.hall import PROTOCOL, Status, TableNews, TableSeat

STALE_S = 6.0
"""Silence in seconds after which a table counts as late: it missed two messages."""

OFFLINE_S = 8.5
"""Silence in seconds after which a table counts as gone: it missed three messages. The broker checks for silent clients
only every few seconds. A page that polls every second shows the loss within ten."""

KNOWN_RUNS = 8

Condition = Literal["online", "stale", "stopped", "offline"]
Trouble = Literal["twice", "newer", "older", "other key"]


@dataclass
class TableSeen:
    """The last news of a table.

    Args:
        name: the table.
        status: its last status, sent by it or by the broker for it.
        since_s: the time of its last change of status.
        now: its last news.
        heard_s: the time of its last message of any kind.
        runs: the runs that came online under its name, the latest last.
        is_twice: whether one of them returned after another and neither has left, so that two programs share the name.
    """

    name: str
    status: Status | None = None
    since_s: float = 0.0
    now: TableNews | None = None
    heard_s: float = 0.0
    runs: deque[str] = field(default_factory=lambda: deque(maxlen=KNOWN_RUNS))
    is_twice: bool = False
    has_other_key: bool = False
    """Whether it signs with a key other than the one that the tournament's authority signed."""
    lacks_result: bool = False
    """Whether the desk withheld a result that the table's older program cannot read."""
    clock_ahead_ms: int | None = None
    """How far in ms the table's clock is ahead of the desk's, by its last live message."""

    def readable(self, seat: TableSeat) -> TableSeat:
        """Return the seat without a result for which the table's older program would drop the whole message."""
        self.lacks_result = seat.result == "0-0" and self.status is not None and not self.status.double_loss
        return replace(seat, result="*") if self.lacks_result else seat

    def condition(self, now_s: float) -> Condition:
        if self.status is None or self.status.state != "online":
            return "stopped" if self.status is not None and self.status.state == "stopped" else "offline"
        silent_s = now_s - self.heard_s
        return "offline" if silent_s > OFFLINE_S else "stale" if silent_s > STALE_S else "online"

    def troubles(self) -> list[Trouble]:
        """Return the problems between the table and its desk."""
        found: list[Trouble] = ["twice"] if self.is_twice else []
        protocol = PROTOCOL if self.status is None else self.status.protocol
        if protocol != PROTOCOL:
            found.append("newer" if protocol > PROTOCOL else "older")
        elif self.lacks_result:
            found.append("older")
        if self.has_other_key:
            found.append("other key")
        return found


class Hall:
    """All tables by name. Not thread-safe: the caller admits one thread at a time.

    Args:
        names: the expected tables, so that one that never came is also shown.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self.tables: dict[str, TableSeen] = {name: TableSeen(name) for name in names}

    def hear_status(self, name: str, status: Status, now_s: float) -> bool:
        """Record a presence message. Return whether the table has just come online."""
        seen = self._entry(name)
        has_come = status.state == "online" and (
            seen.status is None or (seen.status.state, seen.status.run) != ("online", status.run)
        )
        if seen.status is None or (seen.status.state, seen.status.run) != (status.state, status.run):
            seen.since_s = now_s
        if status.state == "online":
            seen.heard_s = now_s
            if status.run in seen.runs and seen.runs[-1] != status.run:
                seen.is_twice = True
            elif status.run not in seen.runs:
                seen.runs.append(status.run)
        elif len(seen.runs) > 1 and status.run in seen.runs:
            seen.runs.remove(status.run)
            seen.is_twice = False
        seen.status = status
        return has_come

    def hear_state(self, name: str, now: TableNews, now_s: float, *, retained: bool = False) -> None:
        """Record a table's news. News retained by the broker does not prove that the table is online now."""
        seen = self._entry(name)
        seen.now = now
        if not retained:
            seen.clock_ahead_ms = now.t - round(now_s * 1000)
        seen.heard_s = max(seen.heard_s, now.t / 1000 if retained else now_s)

    def happened_ms(self, name: str, t_ms: int, now_s: float) -> int:
        """Convert a table's time to the desk's clock in ms. The result is never later than now."""
        seen, now_ms = self.tables.get(name), round(now_s * 1000)
        if seen is None or seen.clock_ahead_ms is None:
            return now_ms
        return max(0, min(now_ms, t_ms - seen.clock_ahead_ms))

    def lose_sight(self, now_s: float) -> None:
        """Count every table as silent while the broker is away."""
        for seen in self.tables.values():
            if seen.status is not None and seen.status.state == "online":
                seen.heard_s = min(seen.heard_s, now_s - OFFLINE_S - 1)

    def _entry(self, name: str) -> TableSeen:
        return self.tables.setdefault(name, TableSeen(name))
