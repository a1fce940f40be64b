"""The fit of forms: what differs between sculpts is kept, what differs between views of one is not."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from vision.evidence.forms import HEIGHT, WIDTH
from vision.training.form_fit import fit_forms, form_samples
from vision.training.sculpts import random_sculpt


def test_a_sculpt_is_the_same_for_the_same_seed_and_stands_on_its_base() -> None:
    one, again, other = random_sculpt(70_001), random_sculpt(70_001), random_sculpt(70_002)
    assert np.array_equal(one.points, again.points)
    assert not np.array_equal(one.points, other.points)
    assert 0.2 < one.points[:, 2].min() < 0.35


def test_each_view_of_a_sculpt_has_features_of_its_own() -> None:
    first, second = form_samples(70_003, 2)
    assert first.shape == second.shape
    assert len(first) % 176 == 0
    assert not np.array_equal(first, second)
    assert WIDTH < HEIGHT


def test_the_fit_keeps_what_differs_between_sculpts(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    samples = rng.normal(0, 1, (90, 5, 340))
    samples[:, :, :8] += rng.normal(0, 6, (90, 1, 8))  # differs between sculpts
    samples[:, :, 8:16] += rng.normal(0, 6, (90, 5, 8))  # differs between views as much
    fit_forms(samples.astype(np.float32), tmp_path / "forms.npz")
    with np.load(tmp_path / "forms.npz") as kept:
        vectors = samples @ kept["matrix"].astype(np.float32) - kept["shift"]
    vectors /= np.linalg.norm(vectors, axis=2, keepdims=True)
    same = np.einsum("kd,kd->k", vectors[:, 0], vectors[:, 1])
    others = np.einsum("kd,kd->k", vectors[:, 0], np.roll(vectors[:, 1], 1, axis=0))
    assert same.mean() > others.mean() + 0.5
