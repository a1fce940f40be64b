"""What reads the frames of a watching camera: looks for the table's memory, and from where they were taken."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from assistant.table.look import Look
from calibration.pose import CameraView
from vision.images import Numbers
from vision.live.frames import Frame
from vision.reading import Reading, TableReader

SMALL_STEP = 8
"""Every eighth pixel both ways is enough to see a hand or a figure move."""

CHANGED_STEPS, CHANGED_SHARE = 24, 0.0015
"""A pixel that differs by more grey steps than noise does, and the share of such pixels that makes a change: 0.15 % of
a table of a square metre is a figure's base."""

WITNESSES = 2
"""Readings of one and the same still table: what only one of them shows is not believed."""


@dataclass(frozen=True, eq=False)
class Glance:
    """What one frame gave.

    Args:
        look: what it says.
        view: where the camera is.
        is_current: whether the frame shows nothing else than what was read: no hand, nothing that moves or has moved.
    """

    look: Look
    view: CameraView
    is_current: bool


class Eye(Protocol):
    """Reads the frames of one camera, one after the other."""

    def look(self, frame: Frame) -> Glance | None:
        """What the frame says; None while nothing can be said.

        Raises:
            PhotoError: the table cannot be read from it.
        """


@dataclass
class WholeEye:
    """Reads the whole picture, twice, whenever it has changed and come to rest.

    Args:
        reader: reads pictures.
    """

    reader: TableReader
    _last: Numbers | None = None
    _read: Numbers | None = None
    _readings: int = 0
    _agreeing: int = 0
    _reading: Reading | None = field(default=None, repr=False)

    def look(self, frame: Frame) -> Glance | None:
        """What the frame says; None while the first picture has not come to rest.

        Raises:
            PhotoError: the table cannot be read from it.
        """
        small = frame.image_bgr[::SMALL_STEP, ::SMALL_STEP].astype(np.int16)
        is_still = frame.is_photo or (self._last is not None and not _differs(small, self._last))
        self._last = small
        if self._read is not None and _differs(small, self._read):
            self._agreeing = 0
        if is_still and self._agreeing < WITNESSES:
            self._read_whole(frame, small)
        if self._reading is None:
            return None
        look = Look(self._reading.observation, frozenset(), self._readings, frame.monotonic_s)
        return Glance(look, self._reading.view, is_still and self._agreeing >= WITNESSES)

    def _read_whole(self, frame: Frame, small: Numbers) -> None:
        self._read, self._agreeing = small, self._agreeing + 1
        self._reading = self.reader.read(frame.image_bgr)
        self._readings += 1


def _differs(one: Numbers, other: Numbers) -> bool:
    if one.shape != other.shape:
        return True
    return float((np.abs(one - other).max(axis=2) > CHANGED_STEPS).mean()) > CHANGED_SHARE
