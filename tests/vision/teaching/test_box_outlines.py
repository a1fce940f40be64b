"""Things are separated from a plank table with seams, and from a cloth of nearly their colours."""

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


def test_a_grey_thing_on_a_cloth_with_grey_checks_is_found_whole():
    down, right = np.mgrid[:750, :1000] // 20 % 2
    photo = np.where((down ^ right)[:, :, None] > 0, (150, 150, 152), (110, 60, 30)).astype(np.uint8)
    for left in (200, 600):
        cv2.rectangle(photo, (left, 300), (left + 160, 420), (132, 138, 142), cv2.FILLED)
    photo = cv2.GaussianBlur(photo, (0, 0), 1.0)
    noise = np.random.default_rng(1).normal(0, 2.0, photo.shape)
    found = find_loose_things(np.clip(photo + noise, 0, 255).astype(np.uint8))
    boxes = sorted(cv2.boundingRect(thing.outline_px.astype(np.float32)) for thing in found)
    assert len(boxes) == 2
    assert np.array(boxes) == pytest.approx(np.array([(200, 300, 161, 121), (600, 300, 161, 121)]), abs=8)


def test_a_thing_that_the_rim_of_a_plain_photo_cuts_off_is_none_of_the_table():
    photo = np.full((750, 1000, 3), (80, 110, 150), np.uint8)
    cv2.line(photo, (0, 400), (1000, 400), (55, 80, 112), 4)
    for left, top, right, bottom in ((450, 300, 600, 420), (700, 660, 820, 760), (-10, 200, 90, 330)):
        cv2.rectangle(photo, (left, top), (right, bottom), (170, 120, 105), cv2.FILLED)
        cv2.rectangle(photo, (left, top), (right, bottom), (20, 20, 20), 3)
    photo = cv2.GaussianBlur(photo, (0, 0), 1.0)
    noise = np.random.default_rng(1).normal(0, 1.0, photo.shape)
    found = find_loose_things(np.clip(photo + noise, 0, 255).astype(np.uint8))
    cut = sorted(cv2.boundingRect(one.outline_px.astype(np.float32))[:2] for one in found if one.is_cut)
    assert len(found) == 3
    assert np.array(cut) == pytest.approx(np.array([(0, 200), (700, 660)]), abs=8)
