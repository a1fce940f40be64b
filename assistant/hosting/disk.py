"""Looks after the disk on which the match is kept: whether there is room, and whether it takes anything."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from assistant.errors import DiskFull
from web.state import PageState

LEAST_FREE_MB = 200
"""A long evening with its rulings needs a few; the rest is for the system, which fails before the match does."""

LOOK_EVERY_S = 20.0


@dataclass
class DiskWatch:
    """Tells the page when the disk is nearly full or takes nothing, and when that is over.

    Args:
        folder: the data folder.
        state: the page.
        free_bytes: how much room there is.
    """

    folder: Path
    state: PageState
    free_bytes: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free
    _wake: threading.Event = field(default_factory=threading.Event)
    _is_closing: bool = False

    def start(self) -> None:
        """Begins to look."""
        self.state.watches.add("disk")
        self.state.remedies["disk"] = self._wake.set
        threading.Thread(target=self._run, name="disk-watch", daemon=True).start()

    def close(self) -> None:
        """Looks no more."""
        self._is_closing = True
        self._wake.set()

    def look(self) -> None:
        """Looks once."""
        try:
            free_mb = self.free_bytes(self.folder) >> 20
            self._try_to_write()
        except OSError:
            self.state.report("disk", DiskFull())
            return
        if free_mb < LEAST_FREE_MB:
            self.state.report("disk", DiskFull(free_mb))
        else:
            self.state.clear("disk")

    def _try_to_write(self) -> None:
        probe = self.folder / "disk-probe"
        with probe.open("wb") as file:
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())
        probe.unlink()

    def _run(self) -> None:
        while not self._is_closing:
            self.look()
            self._wake.wait(LOOK_EVERY_S)
            self._wake.clear()
