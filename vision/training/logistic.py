"""Logistic regression: chances from features, for whatever is decided by a handful of numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float, Shaped
from scipy.optimize import brentq
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from calibration.arrays import Numbers

_SETTLED = 1e-8
"""Weights are written with three digits; at the library's own bound the third one is not always settled."""

_FARTHEST = 50.0
"""No log odds are moved further."""


def fit_logistic(
    features: Float[Numbers, "n factors"], labels: Shaped[Numbers, " n"], *, ridge: float = 0.1
) -> Float[Numbers, " factors"]:
    """The weights with the greatest likelihood, held back a little.

    Args:
        features: what is known of each sample, the first of them 1.
        labels: whether it was so.
        ridge: how much weights other than the first are held back.
    """
    # Few factors, many samples: its steps settle in a dozen, where those of the usual one need thousands.
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
    """The same, as often right as on sets of tables that the fit had not seen, and no surer.

    Each set is judged by weights fitted without it. By how much these log odds are too large there, all weights shrink,
    and the first one moves until as many are expected as there were.

    Args:
        features: what is known of each sample, the first of them 1.
        labels: whether it was so.
        sets: the set that each sample is from; tables of one set are alike.
        judged: the samples by which it is judged how sure the weights may be: those most like what they are for.
        ridge: how much weights other than the first are held back.
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
    """What is added to all of the log odds so that as many are expected to be so as are."""
    return float(brentq(lambda shift: expit(log_odds + shift).sum() - labels.sum(), -_FARTHEST, _FARTHEST))
