"""Watches one table through one camera at a time, passing its newest frame to the table."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from assistant.app.live.believed_table import BelievedTable
from assistant.app.live.game_files import FreeGame, ReadableGame
from assistant.app.problems import ProblemList
from assistant.errors import CameraError, CannotDo
from assistant.match.actor import Actor
from assistant.translations.messages import said
from vision.live.frames import Frame, FrameSource
from vision.sources.names import SourceName
from vision.sources.opening import open_source
from vision.sources.usb import CaptureSettings
from vision.sources.virtual import VirtualTable

WAIT_S = 0.25
"""Longest wait in seconds for a frame, so that a stop is noticed soon."""

END_S = 10.0
"""Seconds within which a running read ends, even on a slow machine."""


class WatchEnded(CannotDo):
    """Watching ended by itself."""


class WatchedTable(Protocol):
    """A table under a camera: ``BelievedTable`` on cells, ``FreeTablePictures`` without a grid."""

    @property
    def pace_s(self) -> float:
        """Shortest time in seconds from one frame to the next, or 0 if every frame counts."""

    def take(self, frame: Frame, problems: ProblemList) -> None:
        """Read a frame, and report problems of the ``table``."""

    def lose(self, problem: CannotDo) -> None:
        """Handle a camera failure, or the end of watching."""

    def close(self) -> None:
        """Handle the end of the frames."""


OpenWatch = Callable[[], tuple[FrameSource, WatchedTable]]
"""Opens a camera and a table that was not seen yet."""


@dataclass
class Watcher:
    """The program's one camera, on its own thread.

    Args:
        problems: the list in which problems of the ``camera`` are reported.
        has_live: whether a camera watches a table with cells; stays True while the set-up borrows it.
        source: the open camera, if any.
        table: the watched table.
    """

    problems: ProblemList
    has_live: bool = False
    source: FrameSource | None = None
    table: WatchedTable | None = None
    opened_by: OpenWatch | None = None
    told_by: tuple[Actor, ...] = ()
    """The actors who corrected figures or doors since the match took the table, the latest first, for the history."""
    terrain_by: dict[str, Actor] = field(default_factory=dict)
    """The actor who changed each piece of terrain by hand since the match took the table, for the history."""
    _stopping: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    @property
    def believed(self) -> BelievedTable | None:
        """The watched table, if it has cells."""
        return self.table if isinstance(self.table, BelievedTable) else None

    def open(self, open_watch: OpenWatch | None, *, has_live: bool = True) -> None:
        """Open a camera or table in place of the current one. None watches nothing.

        Raises:
            CannotDo: the current watch does not end.
        """
        self.let_go()
        self.told_by = ()
        self.opened_by, self.has_live = open_watch, has_live and open_watch is not None
        if open_watch is not None:
            self.source, self.table = open_watch()

    def start(self) -> None:
        """Start taking frames, if a camera is open and idle."""
        if self.source is not None and self._thread is None:
            self._stopping = threading.Event()
            self._thread = threading.Thread(target=self._run, args=(self._stopping,), name="watcher", daemon=True)
            self._thread.start()

    def again(self) -> None:
        """Reopen the same camera and reread everything.

        Raises:
            CannotDo: the current watch does not end.
        """
        self.open(self.opened_by, has_live=self.has_live)
        self.start()

    def let_go(self) -> None:
        """Close the camera so that another user can have it. ``again`` takes it back.

        Raises:
            CannotDo: the current watch does not end.
        """
        if not self.close(END_S):
            raise CannotDo(said("the camera before is still busy; try again in a moment"))
        self.source = self.table = self._thread = None

    def close(self, wait_s: float = 0.5) -> bool:
        """Stop after the current reading. Return whether it ended in time."""
        self._stopping.set()
        has_ended = True
        if self._thread is not None:
            self._thread.join(wait_s)
            has_ended = not self._thread.is_alive()
        # A step asks for a frame only at its beginning, so a step that takes this long no longer needs the camera. Its
        # process and shared memory are released even if the program exits before the step ends.
        if self.source is not None:
            self.source.close()
        if has_ended and self.table is not None:  # otherwise the step still writes into it
            self.table.close()
        return has_ended

    def step(self) -> None:
        """Take one frame if one is available."""
        if self.source is None or self.table is None:
            return
        try:
            frame = self.source.next_frame(WAIT_S)
        except CameraError as problem:
            self.problems.report("camera", problem)
            self.table.lose(problem)
            return
        if frame is not None:
            self.problems.clear("camera")
            self.table.take(frame, self.problems)

    def _run(self, stopping: threading.Event) -> None:
        try:
            while not stopping.is_set():
                begun_s = time.monotonic()
                self.step()
                if self.table is not None:
                    stopping.wait(max(0.0, begun_s + self.table.pace_s - time.monotonic()))
        finally:
            if not stopping.is_set():  # a bug of ours ended watching, and the page must say so
                problem = WatchEnded(said("the program no longer watches the camera; start it again"))
                self.problems.report("table", problem)
                if self.table is not None:
                    self.table.lose(problem)


def source_of(name: SourceName, game: ReadableGame | FreeGame, *, table: VirtualTable | None = None) -> FrameSource:
    """Open the source of that name, requesting pictures of the size that the lens was calibrated for.

    Raises:
        PhotoUnreadable: the recording or photos for playback do not exist.
    """
    lens = game.lens
    wanted = CaptureSettings() if lens is None else CaptureSettings(lens.width_px, lens.height_px)
    shown = game.shown if isinstance(game, ReadableGame) else None
    return open_source(name, wanted=wanted, table=table or shown)
