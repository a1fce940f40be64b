"""OpenCV's errors become ours, and nothing else does."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from assistant.errors import PhotoUnreadable
from assistant.translations.messages import said
from calibration.opencv import opencv_means


def unreadable() -> PhotoUnreadable:
    return PhotoUnreadable(said("the picture cannot be decoded; send another"))


def test_a_complaint_of_opencv_is_worded_for_the_user():
    with pytest.raises(PhotoUnreadable, match="send another"), opencv_means(unreadable):
        cv2.cvtColor(np.zeros((0, 0), np.uint8), cv2.COLOR_GRAY2BGR)


def test_a_bug_stays_a_bug():
    with pytest.raises(ZeroDivisionError), opencv_means(unreadable):
        1 / 0  # noqa: B018 - the division is the bug
