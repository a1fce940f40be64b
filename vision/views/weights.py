"""How much each of several pictures of one thing counts, and whether they contradict each other.

Each picture alone gives calibrated log odds. Together the prior counts once. What each picture adds would count in full
only if their errors were independent. They are not: a figure in front of a door hides it from every camera on that
side, and a mistake from one side is often repeated beside it. So the additions are weighed by the best linear estimate
of measurements with correlated errors. The correlation grows as the cameras come nearer to each other.
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
from vision.learned import MOST_LOG_ODDS, chance_of, learned_document

_SPREAD_DEG = 10.0
"""Angle over which the correlation of two pictures falls to the common share. On simulated tables a few degrees are
enough; real cameras have more errors in common than rendered ones."""

_SUREST_AWAY = 9.0
"""Cap on one picture's log odds of absence: nearly all of a board's hundred edges are empty and show their print."""

_SAME = 0.999
"""Largest correlation: two pictures from one place still have noise of their own."""


@dataclass(frozen=True)
class ViewWeights:
    """The learned numbers of one sort of thing (``vision.training.view_weight_fit``).

    Args:
        prior: log odds that it stands in a place, before any picture.
        shared: share of errors that two pictures have in common, whatever their sides.
    """

    prior: float
    shared: float

    def joint_log_odds(self, log_odds: Sequence[float], weights: Sequence[float]) -> float:
        """Return the log odds by all pictures, with the weights of ``weights_of``."""
        added = (w * (_bound(odds) - self.prior) for w, odds in zip(weights, log_odds, strict=True))
        return self.prior + sum(added)

    def weights_of(self, sides: Float[Numbers, "n 3"]) -> list[float]:
        """Return the weight of each picture's addition; ``sides`` are unit vectors from the board to the cameras."""
        apart_deg = np.degrees(np.arccos(np.clip(sides @ sides.T, -1, 1)))
        common = self.shared + (1 - self.shared) * np.exp(-apart_deg / _SPREAD_DEG)
        common = np.minimum(common, _SAME)
        np.fill_diagonal(common, 1.0)
        return [float(w) for w in np.linalg.solve(common, np.ones(len(common)))]

    def surprise(self, log_odds: Sequence[float]) -> float:
        """Return log odds that the pictures show different things; below 0 where they agree."""
        prior = chance_of(self.prior)
        chances = [chance_of(_bound(odds)) for odds in log_odds]
        there = math.prod(chance / prior for chance in chances)
        away = math.prod((1 - chance) / (1 - prior) for chance in chances)
        return -math.log(prior * there + (1 - prior) * away)


@cache
def view_weights(what: Literal["doors", "figures"]) -> ViewWeights:
    """Return the shipped numbers, from ``vision/data/view_weights.json``."""
    document = learned_document("view_weights.json")[what]
    return ViewWeights(float(document["prior"]), float(document["shared"]))


def _bound(log_odds: float) -> float:
    """Return the log odds within the limits of one picture, which may be surer of absence than of presence."""
    return min(max(log_odds, -_SUREST_AWAY), MOST_LOG_ODDS)
