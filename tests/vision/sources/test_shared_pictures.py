"""The newest picture wins, whole, also when its writer is killed."""

from __future__ import annotations

import multiprocessing
import time

import numpy as np
import pytest

from vision.sources.shared_pictures import MAX_BYTES, SharedPictures


@pytest.fixture
def place():
    made = SharedPictures()
    yield made
    made.remove()


def flat(value: int, width: int = 640, height: int = 360) -> np.ndarray:
    return np.full((height, width, 3), value, np.uint8)


def write_for_ever(name: str) -> None:
    pictures = SharedPictures(name)
    for number in range(1, 10**6):
        pictures.put(flat(number % 251, 1280, 720), time.monotonic())


def test_the_newest_wins_and_is_handed_out_once(place):
    assert place.newest_after(0) is None
    for value in (1, 2, 3):
        place.put(flat(value), value / 10)
    newest = place.newest_after(0)
    assert (newest.number, newest.monotonic_s, int(newest.image_bgr.max())) == (3, 0.3, 3)
    assert place.newest_after(newest.number) is None
    assert place.counts.pictures == 3


def test_what_was_taken_stays_as_it_was(place):
    place.put(flat(5), 0.0)
    taken = place.newest_after(0)
    for value in (6, 7, 8):
        place.put(flat(value), 0.0)
    assert (taken.image_bgr == 5).all()


def test_the_size_may_change_from_picture_to_picture(place):
    place.put(flat(1), 0.0)
    place.put(flat(2, 32, 16), 0.0)
    assert place.newest_after(1).image_bgr.shape == (16, 32, 3)


def test_a_picture_that_does_not_fit_is_refused(place):
    with pytest.raises(ValueError, match="do not fit"):
        place.put(np.zeros((MAX_BYTES // 3 + 1, 1, 3), np.uint8), 0.0)


def test_no_picture_is_torn_while_another_process_writes_and_is_killed(place):
    writer = multiprocessing.get_context("spawn").Process(target=write_for_ever, args=(place.name,), daemon=True)
    writer.start()
    number, seen = 0, 0
    until_s = time.monotonic() + 20
    while seen < 60 and time.monotonic() < until_s:
        newest = place.newest_after(number)
        if newest is None:
            continue
        assert newest.image_bgr.min() == newest.image_bgr.max() == newest.number % 251
        number, seen = newest.number, seen + 1
        if seen == 50:
            writer.kill()
            writer.join()
            break
    assert seen == 50
    last = place.newest_after(0)
    assert last is None or last.image_bgr.min() == last.image_bgr.max()
