"""The one file in which errors of OpenCV are caught and turned into ours.

OpenCV complains with ``cv2.error`` where it is given something that it cannot work with: a picture of one
pixel, points on one line, a file that is cut short. Whoever makes such a call on what a user handed in says
which of our errors that means::

    with opencv_means(lambda: PhotoUnreadable("the picture is cut short; take it again")):
        ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import cv2

from assistant.errors import SightlineError


@contextmanager
def opencv_means(problem: Callable[[], SightlineError]) -> Iterator[None]:
    """A stretch of calls in which a complaint of OpenCV means ``problem``.

    Raises:
        SightlineError: the one that ``problem`` makes, when OpenCV refuses what it was given.
    """
    try:
        yield
    except cv2.error:
        raise problem() from None
