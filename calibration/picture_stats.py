"""A few numbers that tell whether a camera's picture is still what it was: light, colour of the light, sharpness."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.recording import gray_of

WIDTH_PX = 480
"""Light is measured on a small copy, sharpness on a strip of the full picture."""


@dataclass(frozen=True, slots=True)
class PictureStats:
    """What one picture looks like as a whole.

    Args:
        brightness: mean code value, 0 to 255.
        blown_share: share of pixels at the upper end, where nothing can be told apart any more.
        warmth: mean of red over mean of blue.
        sharpness: steepest slopes over the spread of brightness, per pixel; half as much is twice the blur.
    """

    brightness: float
    blown_share: float
    warmth: float
    sharpness: float


def picture_stats(bgr_image: npt.NDArray[np.uint8]) -> PictureStats:
    """The numbers of a colour picture (height, width, 3)."""
    small_height = max(1, round(bgr_image.shape[0] * WIDTH_PX / bgr_image.shape[1]))
    small = cv2.resize(bgr_image, (WIDTH_PX, small_height), interpolation=cv2.INTER_AREA)
    blue, _, red = (float(value) for value in small.reshape(-1, 3).mean(axis=0))
    gray = gray_of(bgr_image)
    return PictureStats(
        brightness=float(small.mean()),
        blown_share=float((small.min(axis=2) >= 250).mean()),
        warmth=(red + 1) / (blue + 1),
        sharpness=_sharpness(gray),
    )


def _sharpness(gray: npt.NDArray[np.uint8]) -> float:
    rows = gray[::4].astype(np.int16)
    spread = float(np.subtract(*np.percentile(rows, (99.8, 0.2))))
    if spread < 5:
        return 0.0
    # Of the differences between neighbours the uppermost are the sharp edges of prints; noise lies far below them.
    return float(np.percentile(np.abs(np.diff(rows, axis=1)), 99.95)) / spread
