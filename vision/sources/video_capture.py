"""A camera or stream that OpenCV holds open."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from assistant.errors import CameraLost
from assistant.translations.messages import said
from calibration.arrays import BgrImage
from calibration.opencv import opencv_means

READS_IN_A_ROW = 5
"""So many failed reads, and the camera is given up; a single one happens while it adapts its exposure."""


@dataclass
class CaptureDevice:
    """A camera that OpenCV opened.

    Args:
        shown: what it is called in sentences.
        capture: OpenCV's handle.
    """

    shown: str
    capture: cv2.VideoCapture

    def read(self) -> BgrImage:
        """The next picture.

        Raises:
            CameraLost: it gives none any more.
        """
        with opencv_means(
            lambda: CameraLost(said("the camera {shown} sent what is no picture; check its cable", shown=self.shown))
        ):
            for _ in range(READS_IN_A_ROW):
                is_read, image = self.capture.read()
                # It may say “yes” with nothing in hand.
                if is_read and image is not None and image.size:
                    return np.asarray(image, np.uint8)
        raise CameraLost(
            said(
                "The camera {shown} sends no pictures any more. Check its cable and its power; it is tried "
                "again by itself.",
                shown=self.shown,
            )
        )

    def close(self) -> None:
        """Lets the camera go."""
        self.capture.release()
