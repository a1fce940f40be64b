"""OpenCV's boundary: map its errors to the project's, and read the frames of a video.

OpenCV raises ``cv2.error`` for unusable input: a picture of one pixel, points on one line, a truncated
file. A call on a user's input names the error to raise instead::

    with opencv_means(lambda: PhotoUnreadable("the picture is cut short; take it again")):
        ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np

from assistant.errors import PhotoUnreadable, SightlineError
from assistant.translations.messages import said
from calibration.arrays import GrayImage
from calibration.color import gray_from_bgr

MAX_FRAMES = 600
"""Most frames of a video. Twenty seconds show a lens board from everywhere."""

VIDEO_ENDINGS = frozenset({".mp4", ".mov", ".avi", ".mkv", ".webm", ".m4v"})


@contextmanager
def opencv_means(problem: Callable[[], SightlineError]) -> Iterator[None]:
    """Raise the error that ``problem`` makes if OpenCV refuses the input of the calls inside."""
    try:
        yield
    except cv2.error:
        raise problem() from None


def frames_of(path: Path) -> Iterator[GrayImage]:
    """Yield the grey frames of a video file. Raise ``PhotoUnreadable`` for a missing or undecodable one."""
    refusal = PhotoUnreadable(
        said("is not a readable video. Record it as MP4, or give single pictures."), document=str(path)
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
