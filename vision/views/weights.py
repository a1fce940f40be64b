"""Weights of several pictures of one thing, and the log odds of their contradiction.

Each picture alone gives calibrated log odds. In the sum the prior counts once. Each picture's addition would count in
full only if errors were independent. They are not: a figure in front of a door occludes it from every camera on that
side, and a mistake from one side often recurs beside it. So the best linear estimate of measurements with correlated
errors weighs the additions. The correlation grows as the cameras come nearer to each other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
from jaxtyping import Float

from calibration.arrays import Numbers
from calibration.pose import CameraView
from vision.learned import MOST_LOG_ODDS, chance_of, learned_document

_SPREAD_DEG = 10.0
"""Angle over which the correlation of two pictures falls to the common share. On simulated tables a few degrees are
enough. Real cameras have more errors in common than rendered ones."""

_SUREST_AWAY = 9.0
"""Cap on one picture's log odds of absence. Nearly all of a board's hundred edges are empty and show their print."""

_NOISE_ERRORS = 0.25
"""Variance of errors by noise as strong as the print, relative to that of all others. With 1 the clearer of two sharp
pictures decides nearly alone, and one of 266 kinds on simulated tables is stated wrongly."""

_SAME = 0.999
"""Largest correlation. Even two pictures from one place have independent noise."""


@dataclass(frozen=True)
class ViewWeights:
    """The trained weights for one type of thing (``vision.training.view_weight_fit``).

    Args:
        prior: log odds of its presence before any picture.
        shared: share of errors common to two pictures from any sides.
    """

    prior: float
    shared: float

    def joint_log_odds(self, log_odds: Sequence[float], weights: Sequence[float]) -> float:
        """Return the joint log odds of all pictures, with the weights of ``weights_of``."""
        added = (w * (_bound(odds) - self.prior) for w, odds in zip(weights, log_odds, strict=True))
        return self.prior + sum(added)

    def weights_of(self, sides: Float[Numbers, "n 3"], clarity: Float[Numbers, " n"] | None = None) -> list[float]:
        """Return the weight of each picture's addition.

        Args:
            sides: unit vectors from the board to the cameras.
            clarity: how clearly each picture shows the print, or None if all do alike.
        """
        apart_deg = np.degrees(np.arccos(np.clip(sides @ sides.T, -1, 1)))
        common = self.shared + (1 - self.shared) * np.exp(-apart_deg / _SPREAD_DEG)
        common = np.minimum(common, _SAME)
        np.fill_diagonal(common, 1.0 if clarity is None else _variances(clarity))
        return [float(w) for w in np.linalg.solve(common, np.ones(len(common)))]

    def surprise(self, log_odds: Sequence[float], clarity: Float[Numbers, " n"]) -> float:
        """Return log odds that the pictures show different things, below 0 if they agree.

        A picture less clear than the others contradicts them less (see ``weights_of``).
        """
        prior = chance_of(self.prior)
        noise = _variances(clarity).tolist()
        added = [(_bound(odds) - self.prior) / variance for odds, variance in zip(log_odds, noise, strict=True)]
        chances = [chance_of(self.prior + one) for one in added]
        there = math.prod(chance / prior for chance in chances)
        away = math.prod((1 - chance) / (1 - prior) for chance in chances)
        return -math.log(prior * there + (1 - prior) * away)


def unit_sides(middle_mm: Float[Numbers, " 2"], views: Sequence[CameraView]) -> Float[Numbers, "n 3"]:
    """Return unit vectors from a place on the table to each camera, (N, 3)."""
    towards = np.array([view.camera_center_mm - (*middle_mm, 0.0) for view in views])
    sides: Numbers = towards / np.linalg.norm(towards, axis=1, keepdims=True)
    return sides


@cache
def view_weights(what: Literal["doors", "figures"]) -> ViewWeights:
    """Return the shipped numbers, from ``vision/data/view_weights.json``."""
    document = learned_document("view_weights.json")[what]
    return ViewWeights(float(document["prior"]), float(document["shared"]))


def _variances(clarity: Float[Numbers, " n"]) -> Float[Numbers, " n"]:
    """Return the variance of each picture's errors, relative to the clearest one's.

    One part is the same in every picture. The other is noise relative to what the picture shows of the print.
    """
    variances = 1 + _NOISE_ERRORS * (clarity**-2.0 - 1)
    return np.asarray(variances / variances.min())


def _bound(log_odds: float) -> float:
    """Clip the log odds to the limits of one picture. Its limit of absence is wider than that of presence."""
    return min(max(log_odds, -_SUREST_AWAY), MOST_LOG_ODDS)
