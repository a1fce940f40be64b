"""Logistic regression for decisions from a handful of features."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float, Shaped
from scipy.optimize import brentq
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from calibration.arrays import Numbers

_SETTLED = 1e-8
"""Tolerance of the fit. At the library's own, the third written digit can still change."""

_FARTHEST = 50.0
"""Bound of the shift of log odds."""


def fit_logistic(
    features: Float[Numbers, "n factors"], labels: Shaped[Numbers, " n"], *, ridge: float = 0.1
) -> Float[Numbers, " factors"]:
    """Fit the maximum-likelihood weights, slightly regularised.

    Args:
        features: features of each sample, the first always 1.
        labels: the truth of each sample.
        ridge: regularisation of all weights but the first.
    """
    # With few factors and many samples, this solver needs a dozen steps where the default needs thousands.
    model = LogisticRegression(C=1 / ridge, tol=_SETTLED, max_iter=200, solver="newton-cholesky")
    model.fit(features[:, 1:], labels)
    return np.append(model.intercept_, model.coef_[0])


def fit_widened(
    features: Float[Numbers, "n factors"],
    labels: Shaped[Numbers, " n"],
    sets: Sequence[str],
    judged: Shaped[Numbers, " n"],
    *,
    ridge: float = 0.1,
) -> Float[Numbers, " factors"]:
    """Fit weights and calibrate their confidence on held-out sets of tables.

    Weights fitted without a set predict it. If those log odds are too large, all weights shrink by that factor. Then
    the first one is shifted until the expected count equals the true one.

    Args:
        features: features of each sample, the first always 1.
        labels: the truth of each sample.
        sets: set of each sample. Tables of one set look similar.
        judged: samples that determine the confidence, those closest to real use.
        ridge: regularisation of all weights but the first.
    """
    weights, left_out = fit_logistic(features, labels, ridge=ridge), np.zeros(len(labels))
    from_set = np.array(sets)
    for name in sorted(set(from_set[judged])):
        others, own = from_set != name, from_set == name
        if len(set(labels[others])) < 2:
            return weights
        left_out[own] = features[own] @ fit_logistic(features[others], labels[others], ridge=ridge)
    if len(set(labels[judged])) < 2:
        return weights
    stated = np.column_stack([np.ones(len(labels)), left_out])[judged]
    shift, factor = fit_logistic(stated, labels[judged], ridge=0.01)
    widened = min(factor, 1.0) * weights
    widened[0] += shift if factor < 1 else _shift(left_out[judged], labels[judged])
    return np.asarray(widened)


def _shift(log_odds: Float[Numbers, " n"], labels: Shaped[Numbers, " n"]) -> float:
    """Return the shift of all log odds that makes the expected count equal the true one."""
    return float(brentq(lambda shift: expit(log_odds + shift).sum() - labels.sum(), -_FARTHEST, _FARTHEST))
