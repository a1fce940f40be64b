"""Watches the table: takes the camera's newest frame, has it read, puts it before the tablets."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from assistant.errors import CameraError, CannotDo, SightlineError
from assistant.wiring.reader import GameReader
from vision.images import BgrImage
from web.ports import Shot
from web.state import PageState

log = logging.getLogger(__name__)

PAUSE_S = 0.3
"""Rest between two readings, so that uploads and pages get their turn on a small machine."""

RETRY_S = 2.0
"""After a camera's fault; slow cameras need some seconds after a plug-in."""


class WatchEnded(CannotDo):
    """The watching ended by itself."""


class FrameSource(Protocol):
    """A camera, real or simulated."""

    def frame(self) -> BgrImage:
        """The newest picture.

        Raises:
            CameraError: the camera does not deliver.
        """


@dataclass
class TableWatch:
    """Reads frame after frame in a thread of its own.

    Args:
        source: where frames come from.
        reader: what reads them.
        state: the page that shows them.
        now_s: the clock, seconds since 1970.
    """

    source: FrameSource
    reader: GameReader
    state: PageState
    on_shot: Callable[[Shot], None] = lambda shot: None
    now_s: Callable[[], float] = time.time
    _stopping: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None
    _count: int = 0

    def start(self) -> None:
        """Begins to watch."""
        self._thread = threading.Thread(target=self._run, name="table-watch", daemon=True)
        self._thread.start()

    def stop(self, wait_s: float = 0.5) -> bool:
        """Stops after the reading that is under way; whether it ended within the time."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(wait_s)
            return not self._thread.is_alive()
        return True

    def step(self) -> bool:
        """Takes and reads one frame; whether it could be done. Every fault becomes a problem on the page."""
        try:
            image, taken_at_s = self.source.frame(), self.now_s()
            self.state.clear("camera")
            with self.state.reading:
                read = self.reader.read_image(image)
        except CameraError as problem:
            self.state.report("camera", problem)
            return False
        except SightlineError as problem:
            self.state.report("table", problem)
            return False
        self.state.clear("table")
        self._count += 1
        shot = Shot(f"live-{self.state.hub.boot}-{self._count}", "live", read, self.reader.setup, taken_at_s)
        self.state.show_live(shot)
        self.on_shot(shot)
        return True

    def _run(self) -> None:
        try:
            while not self._stopping.is_set():
                done = self.step()
                self._stopping.wait(PAUSE_S if done else RETRY_S)
        finally:
            if not self._stopping.is_set():  # a mistake of ours ended the watching; the page must not keep quiet
                self.state.report("table", WatchEnded("the table is not watched any more; start the program again"))
