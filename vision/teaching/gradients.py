"""The steepest slope of three colour channels: where a picture has edges, whatever they are between."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.arrays import BgrImage, FloatImage

_SPREAD_PX = 1.0
"""Standard deviation of the blur before slopes are taken; it takes away what is noise."""


def steepest_gradient(image: BgrImage) -> tuple[FloatImage, FloatImage]:
    """The slopes to the right and down of the channel that is steepest at each pixel, (H, W) each, levels a pixel."""
    soft = cv2.GaussianBlur(image.astype(np.float32), (0, 0), _SPREAD_PX)
    x, y = (cv2.Sobel(soft, cv2.CV_32F, *order, scale=1 / 8) for order in ((1, 0), (0, 1)))
    strongest = (x * x + y * y).argmax(axis=2)[:, :, None]
    along, down = (np.take_along_axis(part, strongest, 2)[:, :, 0] for part in (x, y))
    return np.asarray(along, np.float32), np.asarray(down, np.float32)
