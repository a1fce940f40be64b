"""The actions behind the buttons of problems, on their own thread so that no page waits for a camera."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial

from assistant.app.problems import ProblemList
from assistant.errors import SightlineError

BETWEEN_S = 5.0
"""Shortest time in seconds between two accepted presses, since a camera that keeps reopening shows nothing."""


@dataclass
class RecoveryActions:
    """Runs actions one at a time. It ignores a press during or soon after another, or when nothing is wrong.

    Args:
        problems: gives each problem its button.
        steady_s: a clock that never jumps, in seconds.
    """

    problems: ProblemList
    steady_s: Callable[[], float] = time.monotonic
    _waits: threading.Lock = field(default_factory=threading.Lock)
    _next_s: float = 0.0
    _hand: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "remedy"))

    def offer_watching(self, watch_again: Callable[[], None], *, is_watched: bool, is_recorded: bool) -> None:
        """Offer to reopen the camera, which also rechecks the markers and starts a new recording."""
        for part in ("camera", "table", "recording") if is_recorded else ("camera", "table"):
            if is_watched:
                self.problems.look_after(part)
            self.problems.offer(part, partial(self._press, part, watch_again))

    def offer_strip(self, search_now: Callable[[], None], *, is_expected: bool) -> None:
        """Offer to search every port for the strip at once."""
        if is_expected:
            self.problems.look_after("strip")
        self.problems.offer("strip", search_now)

    def close(self) -> None:
        """Start no further action."""
        self._hand.shutdown(wait=False, cancel_futures=True)

    def _press(self, part: str, act: Callable[[], None]) -> None:
        is_wrong = any(problem.part == part for problem in self.problems.problems)
        if is_wrong and self.steady_s() >= self._next_s and self._waits.acquire(blocking=False):
            self._hand.submit(self._do, act)

    def _do(self, act: Callable[[], None]) -> None:
        try:
            act()
        except SightlineError as problem:
            self.problems.report("camera", problem)
        finally:
            self._next_s = self.steady_s() + BETWEEN_S
            self._waits.release()
