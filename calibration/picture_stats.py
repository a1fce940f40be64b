"""Picture statistics: brightness, colour of the light, sharpness."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import BgrImage, GrayImage
from calibration.color import gray_from_bgr

WIDTH_PX = 480
"""Width of the small copy for light statistics. Sharpness comes from a strip of the full picture."""


@dataclass(frozen=True, slots=True)
class PictureStats:
    """Statistics of one picture.

    Args:
        brightness: mean code value, 0 to 255.
        blown_share: share of clipped pixels at the upper end.
        warmth: mean of red over mean of blue.
        sharpness: steepest slopes over the spread of brightness, per pixel. Half as much means twice the blur.
    """

    brightness: float
    blown_share: float
    warmth: float
    sharpness: float


def picture_stats(bgr_image: BgrImage) -> PictureStats:
    """Return the statistics of a colour picture (height, width, 3)."""
    small_height = max(1, round(bgr_image.shape[0] * WIDTH_PX / bgr_image.shape[1]))
    small = cv2.resize(bgr_image, (WIDTH_PX, small_height), interpolation=cv2.INTER_AREA)
    blue, _, red = (float(value) for value in small.reshape(-1, 3).mean(axis=0))
    gray = gray_from_bgr(bgr_image)
    return PictureStats(
        brightness=float(small.mean()),
        blown_share=float((small.min(axis=2) >= 250).mean()),
        warmth=(red + 1) / (blue + 1),
        sharpness=_sharpness(gray),
    )


def _sharpness(gray: GrayImage) -> float:
    rows = gray[::4]
    spread = _level(rows, 0.998) - _level(rows, 0.002)
    if spread < 5:
        return 0.0
    # The largest differences between neighbours are the sharp edges of prints; noise lies far below.
    steps = np.asarray(cv2.absdiff(rows[:, 1:], rows[:, :-1]), dtype=np.uint8)
    return _level(steps, 0.9995) / spread


def _level(values: GrayImage, share: float) -> float:
    """Return the level below which that share of the values lies. Counting is ten times as fast as sorting."""
    counts = np.bincount(values.ravel(), minlength=256)
    below = np.cumsum(counts)
    level = int(np.searchsorted(below, share * below[-1]))
    return level + 1.0 - float(below[level] - share * below[-1]) / float(max(counts[level], 1))
