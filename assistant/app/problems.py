"""Everything that is wrong at the table now, and what one button does about each part."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from assistant.errors import SightlineError
from assistant.run_clock import now_s
from assistant.translations.messages import Said

Publish = Callable[[str, Mapping[str, Any]], object]
"""Sends an event of a kind, with what a page needs to know of it, to every open page."""

Remedy = Callable[[], object]
"""The action behind the one button of a problem; it returns at once."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong at the table; its error is worded for each reader."""

    part: str
    error: SightlineError
    since_s: float


@dataclass
class ProblemList:
    """The problems of the table by part, reported from every thread; each change is published.

    Args:
        publish: reaches the pages.
        now_s: the clock, seconds since 1970.
    """

    publish: Publish
    now_s: Callable[[], float] = now_s
    remedies: dict[str, Remedy] = field(default_factory=dict)
    """The buttons, by part."""
    watches: set[str] = field(default_factory=set)
    """The parts under supervision: no news of them is good news."""
    states: dict[str, Said] = field(default_factory=dict)
    """The state of a healthy part, where there is more to say than that it is well."""
    confirmed: set[str] = field(default_factory=set)
    """The parts that somebody has found well since the last problem of theirs or of the camera."""
    _by_part: dict[str, Problem] = field(default_factory=dict)

    @property
    def problems(self) -> list[Problem]:
        """Everything that is wrong now, the oldest first."""
        return sorted(self._by_part.values(), key=lambda problem: problem.since_s)

    def look_after(self, part: str) -> None:
        """Put a part under supervision, so that no news of it is good news."""
        self.watches.add(part)

    def offer(self, part: str, act: Remedy) -> None:
        """Put an action behind the button of a part."""
        self.remedies[part] = act

    def report(self, part: str, error: SightlineError) -> None:
        """Note what is wrong with a part; the same sentence again is not news."""
        known = self._by_part.get(part)
        self.confirmed -= {part} if part != "camera" else {"camera", "table"}
        if known is None or str(known.error) != str(error):
            since_s = self.now_s() if known is None else known.since_s
            self._by_part[part] = Problem(part, error, since_s)
            self.states.pop(part, None)
            self.publish("problems", {})

    def clear(self, part: str, how: Said | None = None) -> None:
        """Note that a part is well, and in which state it is; the same again is not news."""
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
