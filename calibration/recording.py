"""Grey pictures from colour ones, and from the frames of a recorded video, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from assistant.errors import PhotoUnreadable
from assistant.translations.messages import said
from calibration.arrays import GrayImage
from calibration.color import gray_from_bgr
from calibration.opencv import opencv_means

MAX_FRAMES = 600
"""Twenty seconds of video show a lens board from everywhere; of a longer one the first part is used."""

VIDEO_ENDINGS = frozenset({".mp4", ".mov", ".avi", ".mkv", ".webm", ".m4v"})


def frames_of(path: Path) -> Iterator[GrayImage]:
    """The grey frames of a video file.

    Raises:
        PhotoUnreadable: the file is not there, or holds no video that can be decoded.
    """
    refusal = PhotoUnreadable(
        said("is no video that can be read; record it as MP4, or hand in single pictures"), document=str(path)
    )
    with opencv_means(lambda: refusal):
        recording = cv2.VideoCapture(str(path))
        try:
            for count in range(MAX_FRAMES):
                is_read, frame = recording.read()
                if not is_read:
                    if count == 0:
                        raise refusal
                    return
                yield gray_from_bgr(np.asarray(frame, dtype=np.uint8))
        finally:
            recording.release()
