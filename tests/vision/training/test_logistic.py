"""Weights from samples, and limits of their confidence."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="only there where something is fitted")
from vision.training.logistic import fit_logistic, fit_widened


def samples(shifts: list[float]) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """For each set 60 samples whose evidence is shifted by another amount."""
    rng, rows, labels, sets = np.random.default_rng(11), [], [], []
    for number, shift in enumerate(shifts):
        for _ in range(60):
            evidence = rng.normal(0, 2)
            rows.append((1.0, evidence + shift))
            labels.append(rng.random() < 1 / (1 + np.exp(-3 * evidence)))
            sets.append(f"set {number}")
    return np.array(rows), np.array(labels), sets


def test_sets_that_are_alike_leave_the_weights_nearly_as_they_are() -> None:
    features, labels, sets = samples([0.0] * 6)
    plain, widened = (
        fit_logistic(features, labels),
        fit_widened(features, labels, sets, np.ones(len(labels), dtype=bool)),
    )
    assert widened == pytest.approx(plain, rel=0.15, abs=0.15)


def test_what_misleads_on_sets_left_out_is_believed_less() -> None:
    features, labels, sets = samples([-6.0, 6.0])
    plain, widened = (
        fit_logistic(features, labels),
        fit_widened(features, labels, sets, np.ones(len(labels), dtype=bool)),
    )
    assert abs(widened[1]) < 0.9 * abs(plain[1])


def test_only_the_sets_that_judge_make_it_less_sure() -> None:
    features, labels, sets = samples([0.0] * 4 + [-6.0, 6.0])
    odd = np.array([name in ("set 4", "set 5") for name in sets])
    by_the_odd, by_the_others = (fit_widened(features, labels, sets, judged) for judged in (odd, ~odd))
    assert abs(by_the_odd[1]) < 0.9 * abs(by_the_others[1])


def test_as_many_are_expected_as_there_were_where_the_weights_are_not_too_sure() -> None:
    features, labels, sets = samples([0.0] * 6)
    judged = np.array([name == "set 5" for name in sets])
    labels[judged] = 3 * features[judged, 1] > -2  # more than elsewhere, and with a sharper limit
    plain, widened = fit_logistic(features, labels), fit_widened(features, labels, sets, judged)
    assert widened[1] == plain[1]
    before, expected = (float((1 / (1 + np.exp(-features[judged] @ weights))).sum()) for weights in (plain, widened))
    assert abs(expected - labels[judged].sum()) < 1 < abs(before - labels[judged].sum())
