"""Checks the disk on which matches are kept."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from assistant.app.problems import ProblemList
from assistant.hosting.disk import disk_problem, free_bytes_of

LOOK_EVERY_S, ALERT_EVERY_S = 20.0, 2.0
"""Time between two checks: each writes, which wears out a card, but the end of a problem should be noticed soon."""


@dataclass
class DiskCheck:
    """Reports when the disk is nearly full or cannot be written, and when that is over.

    Args:
        folder: the data folder.
        problems: where the ``disk`` is reported.
        free_bytes: the free room in a folder.
    """

    folder: Path
    problems: ProblemList
    free_bytes: Callable[[Path], int] = free_bytes_of
    _wake: threading.Event = field(default_factory=threading.Event)
    _is_closing: bool = False

    def start(self) -> None:
        """Begin to check, in a thread of its own; the button of the problem checks at once."""
        self.problems.look_after("disk")
        self.problems.offer("disk", self._wake.set)
        threading.Thread(target=self._run, name="disk-check", daemon=True).start()

    def close(self) -> None:
        """End that."""
        self._is_closing = True
        self._wake.set()

    def look(self) -> float:
        """Check once; the seconds until the next check."""
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
