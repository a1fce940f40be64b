"""Logistic regression: chances from features, for whatever is decided by a handful of numbers."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Shaped
from sklearn.linear_model import LogisticRegression

from calibration.arrays import Numbers

_SETTLED = 1e-8
"""Weights are written with three digits; at the library's own bound the third one is not always settled."""


def fit_logistic(
    features: Float[Numbers, "n factors"], labels: Shaped[Numbers, " n"], *, ridge: float = 0.1
) -> Float[Numbers, " factors"]:
    """The weights with the greatest likelihood, held back a little.

    Args:
        features: what is known of each sample, the first of them 1.
        labels: whether it was so.
        ridge: how much weights other than the first are held back.
    """
    model = LogisticRegression(C=1 / ridge, tol=_SETTLED, max_iter=2000)
    model.fit(features[:, 1:], labels)
    return np.append(model.intercept_, model.coef_[0])
