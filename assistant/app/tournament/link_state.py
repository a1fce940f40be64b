"""What a table's link remembers: its problems, the desks that are there, a rival under its name, what it has sent."""

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
"""Subjects in the order of their weight: lost things before waiting things."""


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
    """The broker is there, and no desk."""

    sentence = said("No desk is there; wave for a judge. Calls go out when a desk comes back.")


class CodeShared(CannotDo):
    """Two programs came to the broker under one name."""

    def __init__(self, table: str) -> None:
        super().__init__(
            said(
                "Two programs use the join code of “{table}”, and only the first one counts. Give each table its "
                "own code; the other one keeps everything until then.",
                table=table,
            )
        )


class BrokerRefusesSome(CannotDo):
    """The broker takes everything but some messages."""

    def __init__(self, count: int) -> None:
        super().__init__(
            said(
                "The broker refuses some messages of this table (so far: {count}). They stay here and in the evidence "
                "file. Everything else goes to the desk.",
                count=count,
            )
        )


class LinkTroubles:
    """The problems by subject until each is well again; safe to use from every thread.

    Args:
        tell: called with the worst problem at first and at each change, and with None once all is well.
    """

    def __init__(self, tell: Callable[[SightlineError | None], None]) -> None:
        self._tell = tell
        self._known: dict[str, SightlineError] = {}
        self._told: list[SightlineError | None] = []
        self._guard = threading.RLock()

    def note(self, about: str, problem: SightlineError | None) -> None:
        """Note a problem of one subject, or that it is well again."""
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
    """The desks that are there, by their own messages."""

    by_name: dict[str, Status] = field(default_factory=dict)

    def hear(self, name: str, status: Status) -> bool:
        """Return whether this is news that requires sending everything again."""
        known = self.by_name.get(name)
        self.by_name[name] = status
        return known is None or (known.run, known.state) != (status.run, status.state)

    def forget(self, name: str) -> None:
        """A desk that was taken off the broker's memory is none any more."""
        self.by_name.pop(name, None)

    @property
    def is_any_online(self) -> bool:
        """Whether any desk is there, an outdated one, too."""
        return any(status.state == "online" for status in self.by_name.values())

    @property
    def there(self) -> dict[str, Status]:
        """The desks that events go to: online, with no older protocol."""
        return {
            name: status
            for name, status in self.by_name.items()
            if status.state == "online" and status.protocol >= PROTOCOL
        }


@dataclass
class PlaceOfRuns:
    """Decides between two programs under one table's name: the older run is heard.

    What the broker remembers of a program counts for nothing, since that may be gone: one that is there answers.

    Args:
        own: what this program says of itself.
        rival: the run of another program that is there, too; empty while none is.
        is_own: whether this program is the one to be heard.
    """

    own: Status
    rival: str = ""
    is_own: bool = True

    def hear(self, status: Status, *, is_remembered: bool) -> bool:
        """Return whether this program has to announce itself after this message under its name."""
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
        """Forget the rival: it has gone, or announces itself anew over a new connection."""
        self.rival, self.is_own = "", True


@dataclass
class WaitingRow:
    """The progress of sending the waiting events, and the ones that no desk has kept yet."""

    told_to: int = 0
    underway: set[str] = field(default_factory=set)
    moved_at_s: float = 0.0
    aside: set[str] = field(default_factory=set)
    """What the broker has refused since the connection began: the rest must not wait behind it."""

    def again(self) -> None:
        """Begin with the first event again."""
        self.told_to = 0
        self.underway.clear()
