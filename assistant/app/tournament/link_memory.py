"""What a table's link keeps in mind: which desks are there, who else has its name, how far it has told its events."""

from __future__ import annotations

from dataclasses import dataclass, field

from assistant.documents.hall import PROTOCOL, Status


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
