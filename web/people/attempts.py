"""Wrong join codes, remembered over a restart so that a restart does not give new tries."""

from __future__ import annotations

import threading
from collections.abc import Callable

from assistant.run_clock import now_s
from web.people.keeping import KeptFile

KEPT_ATTEMPTS = 100


class AttemptLog:
    """The times of the last wrong codes, in seconds since 1970.

    Args:
        kept: the file they are kept in.
        now_s: the clock, seconds since 1970. What the file has from later than now is from before the clock was put
            back: it counts as of now, or codes would be refused until that time has come.
    """

    def __init__(self, kept: KeptFile | None = None, now_s: Callable[[], float] = now_s) -> None:
        self._kept = kept or KeptFile(None)
        self._lock = threading.Lock()
        times = self._kept.read()
        listed = times if isinstance(times, list) else []
        self._times_s = [min(float(at_s), now_s()) for at_s in listed if isinstance(at_s, (int, float))]

    def add(self, at_s: float) -> None:
        """Remembers one wrong code."""
        with self._lock:
            self._times_s = [*self._times_s, at_s][-KEPT_ATTEMPTS:]
            self._kept.write(self._times_s)

    def count_since(self, start_s: float) -> int:
        """How many wrong codes there were since a time."""
        with self._lock:
            return sum(at_s > start_s for at_s in self._times_s)
