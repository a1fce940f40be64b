"""Weights that make the true alternatives likeliest."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from vision.training.choice import LabelledChoice, choice_loss, fit_choice


def choices(count: int) -> list[LabelledChoice]:
    """Return choices of two to five alternatives with random factors, offsets and labels."""
    rng = np.random.default_rng(3)
    sizes = rng.integers(2, 6, count)
    return [LabelledChoice(rng.normal(0, 2, (n, 4)), rng.normal(0, 1, n), int(rng.integers(n))) for n in sizes]


def test_the_gradient_equals_finite_differences() -> None:
    loss = choice_loss(choices(30))
    weights = np.array([0.4, -1.1, 0.7, 0.2])
    value, slope = loss(weights)
    assert slope == pytest.approx(approx_fprime(weights, lambda at: loss(at)[0], 1e-6), abs=1e-3)
    one_by_one = 0.0
    for choice in choices(30):
        values = choice.factors @ weights + choice.offsets
        one_by_one += np.log(np.exp(values - values[choice.label]).sum())
    assert value == pytest.approx(one_by_one)


def test_a_factor_that_says_nothing_gets_no_weight() -> None:
    rng = np.random.default_rng(5)
    rows = [np.column_stack([np.eye(3)[i % 3] * 3, rng.normal(0, 1, 3)]) for i in range(300)]
    samples = [LabelledChoice(row, np.zeros(3), i % 3) for i, row in enumerate(rows)]
    weights = fit_choice(samples, np.array([1.0, 0.0]), np.array([0.3, 0.3]))
    assert weights[0] > 1
    assert abs(weights[1]) < 0.5


def test_an_offset_needs_no_weight() -> None:
    label = [0] * 75 + [1] * 25
    samples = [LabelledChoice(np.array([[1.0], [0.0]]), np.array([0.0, -np.log(3)]), one) for one in label]
    assert fit_choice(samples, np.zeros(1), np.zeros(1)) == pytest.approx([0.0], abs=1e-3)


def test_a_strong_ridge_keeps_the_given_weights() -> None:
    prior = np.array([1.0, -2.0, 0.5, 3.0])
    assert fit_choice(choices(20), prior, np.full(4, 1e6)) == pytest.approx(prior, abs=1e-3)
