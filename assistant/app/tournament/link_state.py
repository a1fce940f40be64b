"""What a table's link remembers: its problems, the desks that are there, a rival under its name, what it has sent."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from assistant.documents.hall import PROTOCOL, Status
from assistant.errors import CannotDo, SightlineError
from assistant.translations.messages import said

BROKER, STORE, CODE, OUTBOX, MESSAGE = "broker", "store", "code", "outbox", "message"
DESK = "desk "
"""Before a desk's name."""

_WORST_FIRST = (STORE, OUTBOX, BROKER, CODE, DESK, MESSAGE)
"""What is lost, before what waits."""


class DeskOutdated(CannotDo):
    """The desk speaks an older protocol than this table."""

    def __init__(self, desk: str, version: str) -> None:
        super().__init__(
            said(
                "The desk “{desk}” runs an older Sightline ({version}). Update it; until then everything for it is "
                "kept here.",
                desk=desk,
                version=version or "?",
            )
        )


class CodeShared(CannotDo):
    """Two programs came to the broker under one name."""

    def __init__(self, table: str) -> None:
        super().__init__(
            said(
                "Two programs use the join code of “{table}”, and only the first of them is heard. Give each table a "
                "code of its own; the other one keeps everything until then.",
                table=table,
            )
        )


class LinkTroubles:
    """Keeps what is wrong by what it is about, until it is well again; safe to use from every thread.

    Args:
        tell: told the worst that is wrong, first of all and whenever that changes; None once nothing is.
    """

    def __init__(self, tell: Callable[[SightlineError | None], None]) -> None:
        self._tell = tell
        self._known: dict[str, SightlineError] = {}
        self._told: list[SightlineError | None] = []
        self._guard = threading.RLock()

    def note(self, about: str, problem: SightlineError | None) -> None:
        """Something is wrong about one thing, or is not any more."""
        with self._guard:
            if problem is None:
                self._known.pop(about, None)
            else:
                self._known[about] = problem
            worst = next((self._known[one] for one in sorted(self._known, key=_rank)), None)
            if self._told != [worst]:
                self._told = [worst]
                self._tell(worst)


def _rank(about: str) -> int:
    return next(place for place, one in enumerate(_WORST_FIRST) if about.startswith(one))


@dataclass
class HeardDesks:
    """Which desks are there, by what they say themselves."""

    by_name: dict[str, Status] = field(default_factory=dict)

    def hear(self, name: str, status: Status) -> bool:
        """Whether this is news by which everything has to be told again."""
        known = self.by_name.get(name)
        self.by_name[name] = status
        return known is None or (known.run, known.state) != (status.run, status.state)

    @property
    def there(self) -> dict[str, Status]:
        """Those that something may be told: online, and none of an older protocol."""
        return {
            name: status
            for name, status in self.by_name.items()
            if status.state == "online" and status.protocol >= PROTOCOL
        }


@dataclass
class PlaceOfRuns:
    """Which of the programs under one table's name is heard: the one that has had it longer, by their own words.

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
        """Whether this program has to say that it is there, after this word under its name."""
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
        """Forgets the other one: it has gone, or is heard of anew over a new connection."""
        self.rival, self.is_own = "", True


@dataclass
class WaitingRow:
    """How far the row of waiting events has been told, and which of those no desk has kept yet."""

    told_to: int = 0
    underway: set[str] = field(default_factory=set)
    moved_at_s: float = 0.0

    def again(self) -> None:
        """Begins anew with the first."""
        self.told_to = 0
        self.underway.clear()
