"""What the one button of each problem does, in a thread of its own so that no page waits for a camera."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from assistant.app.problems import RemedyBoard
from assistant.errors import SightlineError


@dataclass
class RecoveryActions:
    """The hands behind the buttons; one thing after the other.

    Args:
        state: the page that has the buttons.
    """

    state: RemedyBoard
    _hand: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "remedy"))

    def offer_watching(self, watch_again: Callable[[], None], *, is_watched: bool, is_recorded: bool) -> None:
        """Camera, markers and recording: the watching is begun anew, with the camera opened again and a new file."""
        for part in ("camera", "table", "recording") if is_recorded else ("camera", "table"):
            if is_watched:
                self.state.look_after(part)
            self.state.offer(part, lambda: self._begin(watch_again))

    def offer_strip(self, search_now: Callable[[], None], *, is_expected: bool) -> None:
        """The strip: it is looked for at once on every port."""
        if is_expected:
            self.state.look_after("strip")
        self.state.offer("strip", search_now)

    def close(self) -> None:
        """Begins nothing more."""
        self._hand.shutdown(wait=False, cancel_futures=True)

    def _begin(self, act: Callable[[], None]) -> None:
        self._hand.submit(self._do, act)

    def _do(self, act: Callable[[], None]) -> None:
        try:
            act()
        except SightlineError as problem:
            self.state.report("camera", problem)
