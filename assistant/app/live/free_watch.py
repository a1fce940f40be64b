"""A camera over a table without a grid: whenever something has changed and lies still again, the picture is read."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from assistant.app.live.free_desk import FreeDesk
from assistant.app.problems import ProblemBoard
from assistant.errors import CameraError, SightlineError
from vision.free.stillness import Stillness
from vision.live.frames import FrameSource

WAIT_S = 0.25
LOOK_EVERY_S = 0.2


@dataclass
class FreeWatch:
    """Watches one camera in a thread of its own.

    Args:
        source: where frames come from.
        desk: reads them, and shows what it read.
        problems: is told what goes wrong.
    """

    source: FrameSource
    desk: FreeDesk
    problems: ProblemBoard
    _stillness: Stillness = field(default_factory=Stillness)
    _stopping: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def start(self) -> None:
        """Begins to watch."""
        self._thread = threading.Thread(target=self._run, name="free-watch", daemon=True)
        self._thread.start()

    def close(self) -> bool:
        """Stops after the reading that is under way, and lets the camera go; whether no picture is read any more."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(0.5)
        self.source.close()
        return self._thread is None or not self._thread.is_alive()

    def step(self) -> bool:
        """Takes one frame if there is one; whether it was read."""
        try:
            frame = self.source.next_frame(WAIT_S)
        except CameraError as problem:
            self.problems.report("camera", problem)
            return False
        if frame is None:
            return False
        self.problems.clear("camera")
        if not self._stillness.is_news(frame.image_bgr) and not frame.is_photo:
            return False
        self._stillness.was_read()
        try:
            self.desk.read(frame.image_bgr)
        except SightlineError as problem:
            self.problems.report("table", problem)
            return False
        self.problems.clear("table")
        return True

    def _run(self) -> None:
        while not self._stopping.is_set():
            self.step()
            self._stopping.wait(LOOK_EVERY_S)
