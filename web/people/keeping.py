"""Small JSON files in the data folder, read at the start and rewritten whole at each change."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from assistant.errors import StoreError
from assistant.kept_files import write_kept
from assistant.run_clock import now_s
from assistant.translations.messages import said

log = logging.getLogger(__name__)


def _nobody(_problem: StoreError | None) -> None:
    return None


class KeptFile:
    """One small JSON document.

    Args:
        path: the file, or None to keep nothing.
        tell: receives the disk's problem, and None once a write succeeds again.
    """

    def __init__(self, path: Path | None, tell: Callable[[StoreError | None], None] = _nobody) -> None:
        self._path = path
        self._lock = threading.Lock()
        self.tell = tell

    def read(self) -> Any:
        """Return the document, or None without a file, or if a power failure truncated it."""
        if self._path is None:
            return None
        try:
            return json.loads(self._path.read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as problem:  # the next change rewrites it
            log.warning("%s cannot be read: %s", self._path.name, problem)
            return None

    def write(self, document: Any) -> bool:
        """Replace the document. Return whether that succeeded.

        A failure is reported, and nobody waits.
        """
        if self._path is None:
            return True
        try:
            with self._lock:
                write_kept(self._path, json.dumps(document).encode())
        except StoreError as problem:
            log.warning("%s", problem)
            self.tell(StoreError(said("the list of devices cannot be saved; free some space on the disk")))
            return False
        self.tell(None)
        return True


KEPT_ATTEMPTS = 100


class AttemptLog:
    """The times of recent wrong codes in seconds since 1970. They survive a restart, which so grants no new attempts.

    Args:
        kept: their file.
        now_s: the clock, seconds since 1970. A later time in the file predates a setback of the clock. It counts as
            now, or codes would be refused until that time.
    """

    def __init__(self, kept: KeptFile | None = None, now_s: Callable[[], float] = now_s) -> None:
        self._kept = kept or KeptFile(None)
        self._lock = threading.Lock()
        times = self._kept.read()
        listed = times if isinstance(times, list) else []
        self._times_s = [min(float(at_s), now_s()) for at_s in listed if isinstance(at_s, (int, float))]

    def add(self, at_s: float) -> None:
        """Record a wrong code."""
        with self._lock:
            self._times_s = [*self._times_s, at_s][-KEPT_ATTEMPTS:]
            self._kept.write(self._times_s)

    def count_since(self, start_s: float) -> int:
        """Return the number of wrong codes since a time."""
        with self._lock:
            return sum(at_s > start_s for at_s in self._times_s)
