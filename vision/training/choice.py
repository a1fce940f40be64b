"""Fit weights to choices with one true alternative each: a conditional logit (McFadden, 1974)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from scipy.optimize import minimize

from calibration.arrays import Numbers


class LabelledChoice(NamedTuple):
    """Alternatives that exclude each other.

    Args:
        factors: the factors of each alternative, which the weights multiply.
        offsets: the known part of each alternative's log odds.
        label: the index of the true alternative.
    """

    factors: Float[Numbers, "n factors"]
    offsets: Float[Numbers, " n"]
    label: int


def choice_loss(
    choices: Sequence[LabelledChoice],
) -> Callable[[Float[Numbers, " factors"]], tuple[float, Float[Numbers, " factors"]]]:
    """Return the negative log likelihood of the true alternatives and its gradient, as a function of the weights."""
    factors = np.concatenate([choice.factors for choice in choices])
    offsets = np.concatenate([choice.offsets for choice in choices])
    counts = np.array([len(choice.offsets) for choice in choices])
    starts = np.cumsum(counts) - counts
    true = starts + np.array([choice.label for choice in choices])
    true_factors = factors[true].sum(axis=0)

    def loss(weights: Float[Numbers, " factors"]) -> tuple[float, Float[Numbers, " factors"]]:
        values = factors @ weights + offsets
        totals = np.logaddexp.reduceat(values, starts)
        chances = np.exp(values - np.repeat(totals, counts))
        return float((totals - values[true]).sum()), chances @ factors - true_factors

    return loss


def fit_choice(
    choices: Sequence[LabelledChoice], prior: Float[Numbers, " factors"], ridge: Float[Numbers, " factors"]
) -> Float[Numbers, " factors"]:
    """Return the weights under which the true alternatives are likeliest, drawn towards ``prior``.

    Args:
        choices: the samples.
        prior: the weights without any sample.
        ridge: the penalty for a squared distance of 1 from each prior weight. The loss is convex.
    """
    loss = choice_loss(choices)

    def penalised(weights: Float[Numbers, " factors"]) -> tuple[float, Float[Numbers, " factors"]]:
        value, slope = loss(weights)
        away = weights - prior
        return value + float(ridge @ away**2), slope + 2 * ridge * away

    fitted: Float[Numbers, " factors"] = minimize(penalised, prior, jac=True, method="L-BFGS-B").x
    return fitted
