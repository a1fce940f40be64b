"""The fit of forms: what differs between sculpts is kept, what differs between views of one is not."""

from __future__ import annotations

import numpy as np

from vision.evidence.forms import HEIGHT, WIDTH
from vision.training.form_fit import fit_discriminants
from vision.training.form_views import form_samples
from vision.training.sculpts import random_sculpt


def test_a_sculpt_is_the_same_for_the_same_seed_and_stands_on_its_base() -> None:
    one, again, other = random_sculpt(70_001), random_sculpt(70_001), random_sculpt(70_002)
    assert np.array_equal(one.points, again.points)
    assert not np.array_equal(one.points, other.points)
    assert 0.2 < one.points[:, 2].min() < 0.35


def test_each_view_of_a_sculpt_has_features_of_its_own() -> None:
    first, second = form_samples(70_003, 2, is_painted=False)
    assert first.shape == second.shape == (176, 8, 4)
    assert not np.array_equal(first, second)
    assert WIDTH < HEIGHT


def test_a_painted_sculpt_keeps_its_colours_from_view_to_view() -> None:
    """A head for painted figures learns colours only from views that share them."""

    def spread_of(*, is_painted: bool) -> float:
        spread = []
        for seed in range(70_010, 70_016):
            means = form_samples(seed, 4, is_painted=is_painted).mean(axis=(2, 3))
            spread.append(float(means.std(axis=0).mean()))
        return float(np.mean(spread))

    assert spread_of(is_painted=True) < spread_of(is_painted=False)


def test_the_fit_keeps_what_differs_between_sculpts() -> None:
    rng = np.random.default_rng(1)
    samples = rng.normal(0, 1, (90, 5, 340))
    samples[:, :, :8] += rng.normal(0, 6, (90, 1, 8))  # differs between sculpts
    samples[:, :, 8:16] += rng.normal(0, 6, (90, 5, 8))  # differs between views as much
    matrix, shift = fit_discriminants(samples.astype(np.float32))
    vectors = samples @ matrix - shift
    vectors /= np.linalg.norm(vectors, axis=2, keepdims=True)
    same = np.einsum("kd,kd->k", vectors[:, 0], vectors[:, 1])
    others = np.einsum("kd,kd->k", vectors[:, 0], np.roll(vectors[:, 1], 1, axis=0))
    assert same.mean() > others.mean() + 0.5
