"""Differences between two pictures of one camera: boxes round things moved, added or removed."""

from __future__ import annotations

from typing import NamedTuple, cast

import cv2
import numpy as np

from calibration.arrays import BgrImage
from vision.photo.decoding import decode_photo

COMPARED_PX = 512
"""Width of the compared copies. A figure is 10 pixels wide there, and most noise is gone."""

LEAST_CHANGE = 22
"""Least change of a level (of 255). Shadows of people change less, a figure on a printed space more."""

LEAST_SHARE = 0.0004
"""Smallest box as a share of the picture, half a figure's base."""

MOST_BOXES = 24


class DifferenceBox(NamedTuple):
    """A part of a picture, in shares of its width and height."""

    left: float
    top: float
    width: float
    height: float


WHOLE = DifferenceBox(0.0, 0.0, 1.0, 1.0)


def find_differences(first_jpeg: bytes, second_jpeg: bytes, within: DifferenceBox = WHOLE) -> tuple[DifferenceBox, ...]:
    """Return at most ``MOST_BOXES`` boxes in which two pictures of one camera differ, the largest first.

    A change of the light as a whole does not count. ``within`` limits the comparison to a part of the picture, at a
    finer scale.

    Raises:
        PhotoUnreadable: one of them is not a picture.
    """
    first, second = (_small(_part(decode_photo(jpeg), within)) for jpeg in (first_jpeg, second_jpeg))
    height, width = first.shape[:2]
    same_size = cv2.resize(second, (width, height), interpolation=cv2.INTER_AREA)
    change = first.astype(np.int16) - same_size.astype(np.int16)
    change -= np.median(change, axis=(0, 1)).astype(np.int16)
    differs = (np.abs(change).max(axis=2) >= LEAST_CHANGE).astype(np.uint8)
    joined = cv2.morphologyEx(differs, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(joined)
    found = sorted(stats[1:].tolist(), key=lambda one: -one[cv2.CC_STAT_AREA])
    return tuple(
        DifferenceBox(
            within.left + within.width * left / width,
            within.top + within.height * top / height,
            within.width * wide / width,
            within.height * high / height,
        )
        for left, top, wide, high, area in found[:MOST_BOXES]
        if area >= LEAST_SHARE * width * height
    )


def _part(image: BgrImage, within: DifferenceBox) -> BgrImage:
    height, width = image.shape[:2]
    left, top = round(within.left * width), round(within.top * height)
    right, bottom = round((within.left + within.width) * width), round((within.top + within.height) * height)
    part = image[max(0, top) : max(top + 1, bottom), max(0, left) : max(left + 1, right)]
    return cast(BgrImage, part) if part.size else image


def _small(image: BgrImage) -> BgrImage:
    height, width = image.shape[:2]
    wanted = (COMPARED_PX, max(1, round(height * COMPARED_PX / width)))
    small = cv2.GaussianBlur(cv2.resize(image, wanted, interpolation=cv2.INTER_AREA), (5, 5), 0)
    return cast(BgrImage, small)
