"""The hall as a desk sees it: each table's presence, the age of its news, and its troubles."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from msgspec.structs import replace

from assistant.documents.hall import PROTOCOL, Status, TableNews, TableSeat

STALE_S = 6.0
"""Silence after which a table counts as late: it missed two messages."""

OFFLINE_S = 8.5
"""Silence after which a table counts as gone: it missed three messages. The broker looks for silent clients only every
few seconds; a page that looks every second shows the loss within ten."""

KNOWN_RUNS = 8

Condition = Literal["online", "stale", "stopped", "offline"]
Trouble = Literal["twice", "newer", "older", "other key"]


@dataclass
class TableSeen:
    """The last news of a table.

    Args:
        name: the table.
        status: what it, or the broker for it, said last.
        since_s: since when that holds.
        now: how it said it is.
        heard_s: when it was last heard at all.
        runs: the programs that came under its name, the latest last.
        is_twice: whether one of them came back after another, and neither has gone: two programs share the name.
    """

    name: str
    status: Status | None = None
    since_s: float = 0.0
    now: TableNews | None = None
    heard_s: float = 0.0
    runs: deque[str] = field(default_factory=lambda: deque(maxlen=KNOWN_RUNS))
    is_twice: bool = False
    has_other_key: bool = False
    """Whether it signs with another key than the one that the tournament's authority signed."""
    lacks_result: bool = False
    """Whether its game has a result that its older program does not read."""
    clock_ahead_ms: int | None = None
    """How far the table's clock is ahead of the desk's, by its last live message."""

    def readable(self, seat: TableSeat) -> TableSeat:
        """Return the seat without a result that the table's older program would drop with the whole message."""
        self.lacks_result = seat.result == "0-0" and self.status is not None and not self.status.double_loss
        return replace(seat, result="*") if self.lacks_result else seat

    def condition(self, now_s: float) -> Condition:
        if self.status is None or self.status.state != "online":
            return "stopped" if self.status is not None and self.status.state == "stopped" else "offline"
        silent_s = now_s - self.heard_s
        return "offline" if silent_s > OFFLINE_S else "stale" if silent_s > STALE_S else "online"

    def troubles(self) -> list[Trouble]:
        """Problems between the table and its desk."""
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
    """All tables by name; its caller lets one thread in at a time.

    Args:
        names: tables that are expected, so that one that never came is shown, too.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self.tables: dict[str, TableSeen] = {name: TableSeen(name) for name in names}

    def hear_status(self, name: str, status: Status, now_s: float) -> bool:
        """Take a presence message; whether the table has just come."""
        seen = self._seen(name)
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
        """Take a table's news; news kept by the broker does not prove that the table is there now."""
        seen = self._seen(name)
        seen.now = now
        if not retained:
            seen.clock_ahead_ms = now.t - round(now_s * 1000)
        seen.heard_s = max(seen.heard_s, now.t / 1000 if retained else now_s)

    def happened_ms(self, name: str, t_ms: int, now_s: float) -> int:
        """When something happened at a table by the desk's clock, given the table's time: never later than now."""
        seen, now_ms = self.tables.get(name), round(now_s * 1000)
        if seen is None or seen.clock_ahead_ms is None:
            return now_ms
        return max(0, min(now_ms, t_ms - seen.clock_ahead_ms))

    def lose_sight(self, now_s: float) -> None:
        """Count every table as unheard while the broker is away."""
        for seen in self.tables.values():
            if seen.status is not None and seen.status.state == "online":
                seen.heard_s = min(seen.heard_s, now_s - OFFLINE_S - 1)

    def _seen(self, name: str) -> TableSeen:
        return self.tables.setdefault(name, TableSeen(name))
