"""Views of sculpts for the fit of forms."""

from __future__ import annotations

import numpy as np

from vision.evidence.forms import HEIGHT, WIDTH
from vision.training.form_views import form_samples
from vision.training.sculpts import random_sculpt


def test_a_sculpt_is_the_same_for_the_same_seed_and_stands_on_its_base() -> None:
    one, again, other = random_sculpt(70_001), random_sculpt(70_001), random_sculpt(70_002)
    assert np.array_equal(one.points, again.points)
    assert not np.array_equal(one.points, other.points)
    assert 0.2 < one.points[:, 2].min() < 0.35


def test_each_view_of_a_sculpt_is_another_picture() -> None:
    repainted, painted = form_samples(70_003, 2)
    assert repainted.shape == painted.shape == (2, HEIGHT, WIDTH, 3)
    assert not np.array_equal(*repainted)
    assert not np.array_equal(*painted)


def test_a_painted_sculpt_keeps_its_colours_from_view_to_view() -> None:
    """A head for painted figures learns colours only from views that share them."""

    def spread_of(views: np.ndarray) -> float:
        tints = views[:, 40:60, 12:36].astype(float)
        tints = (tints - tints.mean(axis=3, keepdims=True)).mean(axis=(1, 2))
        return float(tints.std(axis=0).mean())

    spreads = [[spread_of(views) for views in form_samples(seed, 5)] for seed in range(70_010, 70_022)]
    repainted, painted = np.mean(spreads, axis=0)
    assert painted < 0.7 * repainted
