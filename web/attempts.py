"""Wrong join codes, remembered over a restart so that a restart does not give new tries."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

KEPT_ATTEMPTS = 100


class AttemptLog:
    """The times of the last wrong codes, in seconds since 1970.

    Args:
        path: the file they are kept in; None keeps them in memory only.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._times_s = _read(path)

    def add(self, at_s: float) -> None:
        """Remembers one wrong code."""
        with self._lock:
            self._times_s = [*self._times_s, at_s][-KEPT_ATTEMPTS:]
            if self._path is not None:
                fresh = self._path.with_suffix(".new")
                fresh.write_text(json.dumps(self._times_s), encoding="utf-8")
                os.replace(fresh, self._path)

    def count_since(self, start_s: float) -> int:
        """How many wrong codes there were since a time."""
        with self._lock:
            return sum(at_s > start_s for at_s in self._times_s)


def _read(path: Path | None) -> list[float]:
    if path is None or not path.exists():
        return []
    try:
        times = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return []  # a file cut short by a power failure; it is written anew with the next wrong code
    return [float(at_s) for at_s in times if isinstance(at_s, (int, float))] if isinstance(times, list) else []
