"""Everything that is wrong at the table now, and what can be done about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from assistant.errors import SightlineError
from assistant.translations.messages import Said
from web.serving.events import EventHub
from web.serving.parts import FeatureNeeds

Remedy = Callable[[], None]
"""What the one button of a problem does; it returns at once."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong at the table; its error is worded for each reader."""

    part: str
    error: SightlineError
    since_s: float


@dataclass
class ProblemList:
    """The problems of the table, part by part; every change is told to everybody.

    Args:
        hub: tells the tablets.
        now_s: the clock, seconds since 1970.
    """

    hub: EventHub
    now_s: Callable[[], float]
    remedies: dict[str, Remedy] = field(default_factory=dict)
    """By the part that has the button."""
    watches: set[str] = field(default_factory=set)
    """The parts that somebody looks after, so that no news of them is good news."""
    told: dict[str, Said] = field(default_factory=dict)
    """How a part is with which nothing is wrong, where there is more to say than that."""
    _by_part: dict[str, Problem] = field(default_factory=dict)

    @property
    def problems(self) -> list[Problem]:
        """Everything that is wrong now, the oldest first."""
        return sorted(self._by_part.values(), key=lambda problem: problem.since_s)

    def look_after(self, part: str) -> None:
        """Says that somebody looks after a part, so that no news of it is good news."""
        self.watches.add(part)

    def offer(self, part: str, act: Remedy) -> None:
        """Puts what can be done behind the button of a part."""
        self.remedies[part] = act

    def report(self, part: str, error: SightlineError) -> None:
        """Says what is wrong with one part; the same sentence again is not news."""
        known = self._by_part.get(part)
        if known is None or str(known.error) != str(error):
            since_s = self.now_s() if known is None else known.since_s
            self._by_part[part] = Problem(part, error, since_s)
            self.told.pop(part, None)
            self.hub.publish("problems", {})

    def clear(self, part: str, how: Said | None = None) -> None:
        """Says that nothing is wrong with one part any more, and how it is; the same again is not news."""
        was_wrong = self._by_part.pop(part, None) is not None
        if not was_wrong and self.told.get(part) == how:
            return
        if how is None:
            self.told.pop(part, None)
        else:
            self.told[part] = how
        self.hub.publish("problems", {})


problem_list = FeatureNeeds[ProblemList]("problems")
