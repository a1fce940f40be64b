"""Fit the linear form: what differs more between sculpts than between views of one (Fisher, 1936)."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float32

from calibration.arrays import Singles

_COMPONENTS, _KEPT, _SHRUNK = 300, 64, 0.2
"""Principal components of the features, numbers of a form, and share of an even scatter mixed into the sculpts' own."""


def fit_discriminants(
    samples: Float32[Singles, "sculpts views features"],
) -> tuple[Float32[Singles, "features numbers"], Float32[Singles, " numbers"]]:
    """Return matrix and shift of a linear form, fitted to the views of many sculpts.

    Linear discriminant analysis within the largest principal components. A direction counts by the share of its
    scatter that is between sculpts.
    """
    sculpts, views, count = samples.shape
    rows = samples.reshape(-1, count).astype(np.float32)
    middle = rows.mean(axis=0)
    spread = rows.std(axis=0) + 1e-3 * rows.std()
    rows = (rows - middle) / spread
    components = _components(rows)
    seen = (rows @ components).reshape(sculpts, views, -1)
    within = seen - seen.mean(axis=1, keepdims=True)
    scatter = np.einsum("kvi,kvj->ij", within, within) / (sculpts * (views - 1))
    scatter = (1 - _SHRUNK) * scatter + _SHRUNK * np.eye(_COMPONENTS) * np.trace(scatter) / _COMPONENTS
    values, vectors = np.linalg.eigh(scatter)
    white = vectors / np.sqrt(values)
    between = np.cov((seen.mean(axis=1) @ white).T) - np.eye(_COMPONENTS) / views
    values, vectors = np.linalg.eigh(between)
    signal = np.maximum(values[::-1][:_KEPT], 0)
    matrix = components @ white @ (vectors[:, ::-1][:, :_KEPT] * np.sqrt(signal / (signal + 1))) / spread[:, None]
    return matrix.astype(np.float32), (middle @ matrix).astype(np.float32)


def _components(rows: Float32[Singles, "n features"]) -> Float32[Singles, "features components"]:
    """Return principal components by two rounds of a random subspace (Halko, Martinsson and Tropp, 2011)."""
    chance = np.random.default_rng(0).standard_normal((rows.shape[1], _COMPONENTS + 20)).astype(np.float32)
    for _ in range(2):
        chance = np.linalg.qr(rows.T @ (rows @ chance))[0]
    turned = np.linalg.svd(rows @ chance, full_matrices=False)[2]
    return np.asarray((chance @ turned.T)[:, :_COMPONENTS], np.float32)
