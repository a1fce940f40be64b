"""The mean of motionless frames."""

from __future__ import annotations

import numpy as np
import pytest

from vision.live.gating import MOST_FRAMES, StillPicture


def noisy(seed: int, sigma: float = 6.0) -> np.ndarray:
    """Return an even grey of 100 with noise."""
    return np.clip(np.random.default_rng(seed).normal(100, sigma, (60, 80, 3)).round(), 0, 255).astype(np.uint8)


def test_four_frames_have_half_the_noise_of_one():
    picture = StillPicture(noisy(0))
    for seed in range(1, 4):
        picture.add(noisy(seed), is_still=True)

    assert picture.image().dtype == np.uint8
    assert picture.image().mean() == pytest.approx(100, abs=0.2)
    assert picture.image().std() == pytest.approx(3.0, abs=0.2)


def test_only_the_last_frames_count():
    picture = StillPicture(np.zeros((4, 4, 3), np.uint8))
    for _ in range(MOST_FRAMES):
        picture.add(np.full((4, 4, 3), 200, np.uint8), is_still=True)

    assert (picture.image() == 200).all()


def test_what_moved_begins_a_new_picture_even_of_another_size():
    picture = StillPicture(noisy(0))
    picture.image()
    fresh = np.full((10, 20, 3), 7, np.uint8)
    picture.add(fresh, is_still=False)

    assert (picture.image() == fresh).all()


def test_there_is_no_picture_of_no_frame():
    with pytest.raises(ValueError, match="one frame"):
        StillPicture().image()
