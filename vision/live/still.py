"""The picture of a table at rest: the mean of the last frames without motion.

In the dusk noise spoils the reading of a frame. The mean of four frames has half the noise and is as sharp.
"""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np

from calibration.arrays import BgrImage

MOST_FRAMES = 4
"""Frames in the mean; twice as many would remove another third of the noise, but show a change of light later."""


class StillPicture:
    """The frames since the last motion, as one picture."""

    def __init__(self, image: BgrImage | None = None) -> None:
        self._images: deque[BgrImage] = deque([] if image is None else [image], maxlen=MOST_FRAMES)
        self._mean = image

    def add(self, image: BgrImage, *, is_still: bool) -> None:
        """Take the next frame; ``is_still`` says that nothing has moved since the frame before."""
        if not is_still:
            self._images.clear()
        self._images.append(image)
        self._mean = None

    def image(self) -> BgrImage:
        """The mean of the frames.

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
