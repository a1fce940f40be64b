"""Pictures from a browser: a phone used as the camera, or a person's single photos."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace

from assistant.errors import PicturesStopped
from calibration.arrays import BgrImage
from vision.live.frames import Frame
from vision.sources.supply import stale_after_s, usual_gap_s

NAME = "push"

PHOTO_STANDS_S = 4.0
"""Time during which a photo is delivered again, slightly longer than until its content is trusted."""


class PushedSource:
    """Frames from uploads. The newest wins.

    Before the first frame, nothing counts as missing. A stream is missing after an unusual silence, at the latest after
    two seconds. A person's photo holds until the next one. It is delivered again for a while, since a single frame is
    not trusted.
    """

    name = NAME

    def __init__(self, clock_s: Callable[[], float] = time.monotonic) -> None:
        self._clock_s = clock_s
        self._changed = threading.Condition()
        self._waiting: Frame | None = None
        self._sequence = 0
        self._last_s = clock_s()
        self._is_stream = False
        self._gap_s: float | None = None
        self._photo: Frame | None = None

    def push(self, image_bgr: BgrImage, *, is_photo: bool = False) -> int:
        """Submit the newest picture and return the number of its frame. The picture must not be modified afterwards."""
        with self._changed:
            self._sequence += 1
            now_s = self._clock_s()
            self._gap_s = usual_gap_s(self._gap_s, now_s - self._last_s) if self._is_stream and not is_photo else None
            self._last_s, self._is_stream = now_s, not is_photo
            self._waiting = Frame(image_bgr, self._sequence, self._last_s, self.name, is_photo=is_photo)
            self._changed.notify()
            return self._sequence

    def next_frame(self, timeout_s: float) -> Frame | None:
        with self._changed:
            self._changed.wait_for(lambda: self._waiting is not None, timeout_s)
            frame, self._waiting = self._waiting, None
            if frame is None:
                return self._nothing_new()
            self._photo = frame if frame.is_photo else None
            return frame

    def _nothing_new(self) -> Frame | None:
        silent_s = self._clock_s() - self._last_s
        if self._photo is not None and silent_s < PHOTO_STANDS_S:
            self._sequence += 1
            return replace(self._photo, sequence=self._sequence, monotonic_s=self._clock_s())
        if self._is_stream and silent_s >= stale_after_s(self._gap_s):
            raise PicturesStopped
        return None

    def close(self) -> None:
        """Do nothing: there is nothing to release."""
