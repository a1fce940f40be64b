"""Checks the disk that stores matches."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from assistant.app.problems import ProblemList
from assistant.hosting.disk import disk_problem, free_bytes_of

LOOK_EVERY_S, ALERT_EVERY_S = 20.0, 2.0
"""Seconds between two checks, normally and during a problem. Each check writes, which wears out a card, but the end of
a problem should be noticed soon."""


@dataclass
class DiskCheck:
    """Reports when the disk is nearly full or cannot be written, and when that is over.

    Args:
        folder: the data folder.
        problems: the list in which ``disk`` is reported.
        free_bytes: returns the free bytes of a folder's disk.
    """

    folder: Path
    problems: ProblemList
    free_bytes: Callable[[Path], int] = free_bytes_of
    _wake: threading.Event = field(default_factory=threading.Event)
    _is_closing: bool = False

    def start(self) -> None:
        """Start checking on its own thread. The problem's button checks at once."""
        self.problems.look_after("disk")
        self.problems.offer("disk", self._wake.set)
        threading.Thread(target=self._run, name="disk-check", daemon=True).start()

    def close(self) -> None:
        """Stop checking."""
        self._is_closing = True
        self._wake.set()

    def look(self) -> float:
        """Check once, and return the seconds until the next check."""
        problem = disk_problem(self.folder, self.free_bytes)
        if problem is None:
            self.problems.clear("disk")
            return LOOK_EVERY_S
        self.problems.report("disk", problem)
        return ALERT_EVERY_S

    def _run(self) -> None:
        while not self._is_closing:
            self._wake.wait(self.look())
            self._wake.clear()
