"""Decide when a picture of a watched table is worth reading: it has changed since the last reading, and is still."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from jaxtyping import Float32

from calibration.arrays import BgrImage, Singles
from calibration.color import gray_from_bgr

SMALL_WH = (480, 270)
MOVED_LEVELS = 12.0
"""Change of a spot in the small picture. A camera's noise there is a third of it."""

MOVED_SPOTS = 6
STILL_PICTURES = 3
"""Unchanged pictures in a row that count as still."""


@dataclass
class Stillness:
    """Detects changes that have come to rest, picture by picture."""

    _read: Float32[Singles, "height width"] | None = None
    _last: Float32[Singles, "height width"] | None = None
    _still: int = 0

    def is_news(self, image: BgrImage) -> bool:
        """Return whether the picture differs from the last reading's, and has come to rest."""
        small, last = _small(image), self._last
        self._still = self._still + 1 if last is not None and not _differs(small, last) else 0
        self._last = small
        is_other = self._read is None or _differs(small, self._read)
        return is_other and self._still >= STILL_PICTURES

    def was_read(self) -> None:
        """Note that the last picture has been read."""
        self._read = self._last


def _small(image: BgrImage) -> Float32[Singles, "height width"]:
    """Return the small picture without its mean, so that a cloud before the sun is no change."""
    gray = np.asarray(cv2.resize(gray_from_bgr(image), SMALL_WH, interpolation=cv2.INTER_AREA), dtype=np.float32)
    return np.asarray(gray - gray.mean(), dtype=np.float32)


def _differs(a: Float32[Singles, "height width"], b: Float32[Singles, "height width"]) -> bool:
    return int(np.count_nonzero(np.abs(a - b) > MOVED_LEVELS)) >= MOVED_SPOTS
