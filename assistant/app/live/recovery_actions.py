"""The actions behind the buttons of problems, in a thread of their own so that no page waits for a camera."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from assistant.app.problems import ProblemList
from assistant.errors import SightlineError


@dataclass
class RecoveryActions:
    """Runs one action after the other.

    Args:
        problems: gives each problem its button.
    """

    problems: ProblemList
    _hand: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "remedy"))

    def offer_watching(self, watch_again: Callable[[], None], *, is_watched: bool, is_recorded: bool) -> None:
        """Offers to open the camera again, which also checks the markers anew and begins a new recording."""
        for part in ("camera", "table", "recording") if is_recorded else ("camera", "table"):
            if is_watched:
                self.problems.look_after(part)
            self.problems.offer(part, lambda: self._hand.submit(self._do, watch_again))

    def offer_strip(self, search_now: Callable[[], None], *, is_expected: bool) -> None:
        """Offers to look for the strip at once, on every port."""
        if is_expected:
            self.problems.look_after("strip")
        self.problems.offer("strip", search_now)

    def close(self) -> None:
        """Starts no further action."""
        self._hand.shutdown(wait=False, cancel_futures=True)

    def _do(self, act: Callable[[], None]) -> None:
        try:
            act()
        except SightlineError as problem:
            self.problems.report("camera", problem)
