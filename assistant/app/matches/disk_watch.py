"""Looks after the disk on which the match is kept, and says so when it fills or takes nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from assistant.app.problems import RemedyBoard
from assistant.hosting.disk import disk_problem, free_bytes_of

LOOK_EVERY_S, ALERT_EVERY_S = 20.0, 2.0
"""While all is well a write now and then, which wears out a card; while something is wrong it is seen soon that it is
over."""


@dataclass
class DiskWatch:
    """Tells the page when the disk is nearly full or takes nothing, and when that is over.

    Args:
        folder: the data folder.
        state: the page.
        free_bytes: how much room there is.
    """

    folder: Path
    state: RemedyBoard
    free_bytes: Callable[[Path], int] = free_bytes_of
    _wake: threading.Event = field(default_factory=threading.Event)
    _is_closing: bool = False

    def start(self) -> None:
        """Begins to look."""
        self.state.look_after("disk")
        self.state.offer("disk", self._wake.set)
        threading.Thread(target=self._run, name="disk-watch", daemon=True).start()

    def close(self) -> None:
        """Looks no more."""
        self._is_closing = True
        self._wake.set()

    def look(self) -> float:
        """Looks once; so many seconds later it should look again."""
        problem = disk_problem(self.folder, self.free_bytes)
        if problem is None:
            self.state.clear("disk")
            return LOOK_EVERY_S
        self.state.report("disk", problem)
        return ALERT_EVERY_S

    def _run(self) -> None:
        while not self._is_closing:
            self._wake.wait(self.look())
            self._wake.clear()
