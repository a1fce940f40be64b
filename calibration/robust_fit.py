"""Levenberg-Marquardt least squares in which large residuals count linearly.

For a pose this is fifteen times as fast as SciPy's general solver, for a table six times, for a lens up to twice
(``make bench-fit``). SciPy factors the whole matrix of slopes in each round. This solver factors its small normal
matrix.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64

from calibration.arrays import Doubles

MAX_ROUNDS = 60
ENOUGH = 1e-7
"""Relative decrease of the cost below which the fit ends."""

LEAST_DAMPING, MOST_DAMPING = 1e-12, 1e9


@dataclass(frozen=True, eq=False)
class RobustFit:
    """The unknowns (K,) that fit best, their residuals (N,), and their normal matrix (K, K)."""

    unknowns: Float64[Doubles, " k"]
    residuals: Float64[Doubles, " n"]
    normal: Float64[Doubles, "k k"]

    def covariance(self, noise: float) -> Float64[Doubles, "k k"]:
        """Return the covariance (K, K) of the unknowns for residuals of that standard deviation.

        It leaves out directions that the residuals do not determine. Rounding would give them negative variances.
        """
        values, axes = np.linalg.eigh(self.normal)
        determined = values > len(values) * np.finfo(np.float64).eps * values[-1]
        covariance: Doubles = noise**2 * (axes[:, determined] / values[determined]) @ axes[:, determined].T
        return covariance


Residuals = Callable[[Float64[Doubles, " k"]], tuple[Float64[Doubles, " n"], Float64[Doubles, "n k"]]]
"""The residuals (N,) at given unknowns (K,), and their slopes (N, K)."""


def fit_robustly(residuals_and_slopes: Residuals, start: Float64[Doubles, " k"], softness: float) -> RobustFit:
    """Return the unknowns with the least residuals.

    Args:
        residuals_and_slopes: residuals (N,) at given unknowns, and their slopes (N, K).
        start: the unknowns to start from, (K,).
        softness: residuals beyond this count linearly (the loss ``2 (sqrt(1 + r^2) - 1)``).
    """
    unknowns, damping = np.array(start, dtype=np.float64), 1e-3
    residuals, slopes = residuals_and_slopes(unknowns)
    cost = _cost(residuals, softness)
    for _ in range(MAX_ROUNDS):
        weighted = slopes * (1 + (residuals / softness) ** 2)[:, None] ** -0.5
        normal, gradient = weighted.T @ slopes, weighted.T @ residuals
        diagonal = np.maximum(np.diag(normal), 1e-12)
        step = np.linalg.solve(normal + damping * np.diag(diagonal), gradient)
        tried, tried_slopes = residuals_and_slopes(unknowns - step)
        gained = cost - _cost(tried, softness)
        if not gained >= 0:  # Worse, or not a number.
            damping *= 8
            if damping > MOST_DAMPING:
                break
            continue
        unknowns, residuals, slopes, cost = unknowns - step, tried, tried_slopes, cost - gained
        damping = max(damping / 8, LEAST_DAMPING)
        if gained <= ENOUGH * cost:
            break
    weighted = slopes * (1 + (residuals / softness) ** 2)[:, None] ** -0.5
    return RobustFit(unknowns, residuals, weighted.T @ slopes)


def _cost(residuals: Float64[Doubles, " n"], softness: float) -> float:
    return float(2 * (np.sqrt(1 + (residuals / softness) ** 2) - 1).sum())
