"""Logistic regression: chances from features, for whatever is decided by a handful of numbers."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Shaped
from scipy.optimize import minimize

from calibration.arrays import Numbers


def fit_logistic(
    features: Float[Numbers, "n factors"],
    labels: Shaped[Numbers, " n"],
    *,
    ridge: float = 0.1,
    weight: Shaped[Numbers, " n"] | None = None,
) -> Float[Numbers, " factors"]:
    """The weights (F,) with the greatest likelihood, held back a little.

    Args:
        features: (N, F), the first of them 1.
        labels: whether it was so, (N,).
        ridge: how much weights other than the first are held back.
        weight: how often each sample counts, (N,); once without.
    """
    signs = 2 * np.asarray(labels, dtype=float) - 1
    counts = np.ones(len(signs)) if weight is None else np.asarray(weight, dtype=float)
    held = np.full(features.shape[1], ridge)
    held[0] = 0

    def cost(weights: Float[Numbers, " factors"]) -> tuple[float, Float[Numbers, " factors"]]:
        margins = signs * (features @ weights)
        slopes = -signs * counts / (1 + np.exp(np.clip(margins, -50, 50)))
        value = float((counts * np.logaddexp(0, -margins)).sum() + (held * weights**2).sum() / 2)
        return value, features.T @ slopes + held * weights

    found = minimize(cost, np.zeros(features.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 2000})
    return np.asarray(found.x)
