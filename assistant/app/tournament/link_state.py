"""The state of a table's link: its problems, the online desks, a rival under its name, and its send progress."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from assistant.documents.hall import PROTOCOL, Status
from assistant.errors import CannotDo, SightlineError
from assistant.translations.messages import said

BROKER, STORE, CODE, OUTBOX, MESSAGE, REFUSED = "broker", "store", "code", "outbox", "message", "refused"
NO_DESK = "no desk"
DESK = "desk "
"""Prefix of a desk's name."""

_WORST_FIRST = (STORE, OUTBOX, BROKER, CODE, NO_DESK, REFUSED, DESK, MESSAGE)
"""Subjects by severity: lost data before delayed data."""


class DeskOutdated(CannotDo):
    """The desk speaks an older protocol than this table."""

    def __init__(self, desk: str, version: str) -> None:
        super().__init__(
            said(
                "The desk “{desk}” runs an older Sightline ({version}). Update it; until then this table keeps "
                "everything for it.",
                desk=desk,
                version=version or "?",
            )
        )


class DeskMissing(CannotDo):
    """The broker is online, but no desk."""

    sentence = said("No desk is there; wave for a judge. Calls go out when a desk comes back.")


class CodeShared(CannotDo):
    """Two programs connected to the broker under one name."""

    def __init__(self, table: str) -> None:
        super().__init__(
            said(
                "Two programs use the join code of “{table}”, and only the first one counts. Give each table its "
                "own code; the other one keeps everything until then.",
                table=table,
            )
        )


class BrokerRefusesSome(CannotDo):
    """The broker refuses some messages and accepts the others."""

    def __init__(self, count: int) -> None:
        super().__init__(
            said(
                "The broker refuses some messages of this table (so far: {count}). They stay here and in the evidence "
                "file. Everything else goes to the desk.",
                count=count,
            )
        )


class LinkTroubles:
    """A thread-safe record of each subject's current problem.

    Args:
        tell: called with the worst problem, initially and at each change; with None once all is well.
    """

    def __init__(self, tell: Callable[[SightlineError | None], None]) -> None:
        self._tell = tell
        self._known: dict[str, SightlineError] = {}
        self._told: list[SightlineError | None] = []
        self._guard = threading.RLock()

    def note(self, about: str, problem: SightlineError | None) -> None:
        """Set the problem of a subject, or clear it with None."""
        with self._guard:
            if problem is None:
                self._known.pop(about, None)
            else:
                self._known[about] = problem
            names = (name for start in _WORST_FIRST for name in self._known if name.startswith(start))
            worst = next((self._known[name] for name in names), None)
            if self._told != [worst]:
                self._told = [worst]
                self._tell(worst)


@dataclass
class HeardDesks:
    """The known desks, by their own messages."""

    by_name: dict[str, Status] = field(default_factory=dict)

    def hear(self, name: str, status: Status) -> bool:
        """Record a desk's status. Return whether everything has to be resent because of it."""
        known = self.by_name.get(name)
        self.by_name[name] = status
        return known is None or (known.run, known.state) != (status.run, status.state)

    def forget(self, name: str) -> None:
        """Forget a desk whose retained message was removed from the broker."""
        self.by_name.pop(name, None)

    @property
    def is_any_online(self) -> bool:
        """Whether any desk is online, even an outdated one."""
        return any(status.state == "online" for status in self.by_name.values())

    @property
    def there(self) -> dict[str, Status]:
        """The desks that receive events: online, and with no older protocol."""
        return {
            name: status
            for name, status in self.by_name.items()
            if status.state == "online" and status.protocol >= PROTOCOL
        }


@dataclass
class PlaceOfRuns:
    """Resolves a conflict of two programs under one table's name in favour of the older run.

    The broker's retained status of a program is ignored, since that program may be gone. A running one answers.

    Args:
        own: this program's status.
        rival: the run of another program that is also online; empty if there is none.
        is_own: whether this program has the name.
    """

    own: Status
    rival: str = ""
    is_own: bool = True

    def hear(self, status: Status, *, is_remembered: bool) -> bool:
        """Process a status under this name. Return whether this program has to announce itself again."""
        if status.run == self.own.run or is_remembered:
            return False
        if status.state != "online":
            if status.run == self.rival:
                self.begin()
            return self.is_own
        self.rival = status.run
        self.is_own = (self.own.since_t, self.own.run) < (status.since_t, status.run)
        return self.is_own

    def begin(self) -> None:
        """Forget the rival: it has left, or will announce itself over the new connection."""
        self.rival, self.is_own = "", True


@dataclass
class WaitingRow:
    """The send position in the queue of waiting events, and the events that no desk has stored yet."""

    told_to: int = 0
    underway: set[str] = field(default_factory=set)
    moved_at_s: float = 0.0
    aside: set[str] = field(default_factory=set)
    """Messages that the broker refused since it connected. The others must not wait for them."""

    def again(self) -> None:
        """Start again with the first event."""
        self.told_to = 0
        self.underway.clear()
