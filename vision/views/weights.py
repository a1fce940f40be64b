"""Several pictures of one thing as witnesses of it: what they say together, and whether they contradict each other.

Each picture alone gives log odds that are true as often as they say. Taken together the odds that hold before anybody
looked count once, and what each picture adds to them counts in full only where the pictures are told of by
independent witnesses. They are not: a figure in front of a door hides it from all who stand on the same side, and what
looks like a door from one side often does from beside it. So what they add is weighed as the best linear estimate
weighs measurements whose errors have something in common, the more the nearer the cameras stood to each other.
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
"""Pictures from one place share all their errors but noise; so fast they share no more of them than any two do. On
simulated tables a few degrees are enough; real cameras have more errors in common than rendered ones."""

_SUREST_AWAY = 9.0
"""Log odds: of a board's hundred edges nearly all are empty, and an edge that shows its print is surely so."""

_SAME = 0.999
"""Two pictures from one place share nearly all their errors, though never quite all: their noise is their own."""


@dataclass(frozen=True)
class WitnessModel:
    """What was learned of one sort of thing (``vision.training.witness_fit``).

    Args:
        prior: log odds that it stands in a place before anybody looked there.
        shared: share of the errors that two pictures have in common from wherever they are taken.
    """

    prior: float
    shared: float

    def joint_log_odds(self, log_odds: Sequence[float], weights: Sequence[float]) -> float:
        """What the pictures say together, with the weights of ``weights_of``."""
        added = (w * (_bounded(odds) - self.prior) for w, odds in zip(weights, log_odds, strict=True))
        return self.prior + sum(added)

    def weights_of(self, sides: Float[Numbers, "n 3"]) -> list[float]:
        """How much what each picture adds counts.

        Args:
            sides: unit vectors from the board to the cameras, (N, 3).
        """
        apart_deg = np.degrees(np.arccos(np.clip(sides @ sides.T, -1, 1)))
        common = self.shared + (1 - self.shared) * np.exp(-apart_deg / _SPREAD_DEG)
        common = np.minimum(common, _SAME)
        np.fill_diagonal(common, 1.0)
        return [float(w) for w in np.linalg.solve(common, np.ones(len(common)))]

    def surprise(self, log_odds: Sequence[float]) -> float:
        """By how much more log odds the pictures are of different things than of one; below 0 where they agree."""
        prior = chance_of(self.prior)
        chances = [chance_of(_bounded(odds)) for odds in log_odds]
        there = math.prod(chance / prior for chance in chances)
        away = math.prod((1 - chance) / (1 - prior) for chance in chances)
        return -math.log(prior * there + (1 - prior) * away)


@cache
def witness_model(what: Literal["doors", "figures"]) -> WitnessModel:
    """The model that ships for ``doors`` or ``figures``, from ``vision/data/witnesses.json``."""
    document = learned_document("witnesses.json")[what]
    return WitnessModel(float(document["prior"]), float(document["shared"]))


def _bounded(log_odds: float) -> float:
    """No picture alone is believed further; what it does not show it may be surer of than of what it shows."""
    return min(max(log_odds, -_SUREST_AWAY), MOST_LOG_ODDS)
