"""Things are parted from a table of planks, whose seams shut in a part of the table between two of them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.teaching.box_outlines import find_loose_things


def test_seams_between_two_things_do_not_join_them():
    photo = np.full((750, 1000, 3), (80, 110, 150), np.uint8)
    for y in (250, 500):
        cv2.line(photo, (0, y), (1000, y), (55, 80, 112), 4)
    for x in (250, 600):
        cv2.rectangle(photo, (x, 240), (x + 150, 510), (170, 170, 175), cv2.FILLED)
        cv2.rectangle(photo, (x, 240), (x + 150, 510), (20, 20, 20), 3)
    photo = cv2.GaussianBlur(photo, (0, 0), 1.0)
    noise = np.random.default_rng(1).normal(0, 1.0, photo.shape)
    found = find_loose_things(np.clip(photo + noise, 0, 255).astype(np.uint8))
    large = [thing for thing in found if cv2.contourArea(thing.outline_px.astype(np.float32)) > 5000]
    left, right = sorted(cv2.boundingRect(thing.outline_px.astype(np.float32)) for thing in large)
    assert (left[0] + left[2] / 2, right[0] + right[2] / 2) == pytest.approx((325, 675), abs=12)
