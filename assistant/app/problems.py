"""Everything that is wrong at the table now, and what each problem's button does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from assistant.errors import SightlineError
from assistant.run_clock import now_s
from assistant.translations.messages import Said

Publish = Callable[[str, Mapping[str, Any]], object]
"""Sends an event to every open page: its kind, and the fields that a page needs."""

Remedy = Callable[[], object]
"""The action behind the one button of a problem. It returns at once."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem at the table. Its error is worded for each reader."""

    part: str
    error: SightlineError
    since_s: float


@dataclass
class ProblemList:
    """The table's problems by part, reported from any thread. Each change is published.

    Args:
        publish: sends events to the pages.
        now_s: the clock, seconds since 1970.
    """

    publish: Publish
    now_s: Callable[[], float] = now_s
    remedies: dict[str, Remedy] = field(default_factory=dict)
    """The actions behind the buttons, by part."""
    watches: set[str] = field(default_factory=set)
    """The supervised parts, for which no news is good news."""
    states: dict[str, Said] = field(default_factory=dict)
    """The state of a healthy part, if there is more to say than that it is well."""
    confirmed: set[str] = field(default_factory=set)
    """The parts that somebody found well since their last problem or the camera's."""
    _by_part: dict[str, Problem] = field(default_factory=dict)

    @property
    def problems(self) -> list[Problem]:
        """All current problems, the oldest first."""
        return sorted(self._by_part.values(), key=lambda problem: problem.since_s)

    def look_after(self, part: str) -> None:
        """Supervise a part, for which no news is then good news."""
        self.watches.add(part)

    def offer(self, part: str, act: Remedy) -> None:
        """Put an action behind the button of a part."""
        self.remedies[part] = act

    def report(self, part: str, error: SightlineError) -> None:
        """Report a problem of a part. The same sentence again is not news."""
        known = self._by_part.get(part)
        self.confirmed -= {part} if part != "camera" else {"camera", "table"}
        if known is None or str(known.error) != str(error):
            since_s = self.now_s() if known is None else known.since_s
            self._by_part[part] = Problem(part, error, since_s)
            self.states.pop(part, None)
            self.publish("problems", {})

    def clear(self, part: str, how: Said | None = None) -> None:
        """Report that a part is well, and its state. The same again is not news."""
        was_wrong = self._by_part.pop(part, None) is not None
        is_news = part in self.watches and part not in self.confirmed
        self.confirmed.add(part)
        if not was_wrong and not is_news and self.states.get(part) == how:
            return
        if how is None:
            self.states.pop(part, None)
        else:
            self.states[part] = how
        self.publish("problems", {})
