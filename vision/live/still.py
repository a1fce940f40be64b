"""The picture of a table at rest: the mean of the last frames between which nothing moved.

In the dusk the noise of a frame is what spoils its reading, and a table at rest is shown many times over: the mean of
four frames has half the noise of one and is as sharp.
"""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np

from calibration.arrays import BgrImage

MOST_FRAMES = 4
"""Twice as many would take away another third of the noise, and tell later that the light has changed."""


class StillPicture:
    """The frames since something moved last, as one picture.

    Args:
        image: the first of them, (H, W, 3), or None as long as there is none.
    """

    def __init__(self, image: BgrImage | None = None) -> None:
        self._images: deque[BgrImage] = deque([] if image is None else [image], maxlen=MOST_FRAMES)
        self._mean = image

    def add(self, image: BgrImage, *, is_still: bool) -> None:
        """Takes the next frame.

        Args:
            image: the frame, (H, W, 3), of the size of those before if nothing has moved.
            is_still: whether nothing has moved between the frame before and this one.
        """
        if not is_still:
            self._images.clear()
        self._images.append(image)
        self._mean = None

    def image(self) -> BgrImage:
        """The mean of the frames, (H, W, 3).

        Raises:
            ValueError: there is none yet.
        """
        if not self._images:
            raise ValueError("a picture is made of one frame at least")
        if self._mean is None:
            self._mean = self._images[0] if len(self._images) == 1 else _mean(list(self._images))
        return self._mean


def _mean(images: list[BgrImage]) -> BgrImage:
    total = np.zeros(images[0].shape, np.float32)
    for image in images:
        cv2.accumulate(image, total)
    return np.asarray(cv2.convertScaleAbs(total, alpha=1 / len(images)), np.uint8)
