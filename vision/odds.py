"""Chances and log odds."""

from __future__ import annotations

import math

MOST_LOG_ODDS = 6.0
"""Nothing is said to be surer than 400 to 1."""

_LEAST_CHANCE = 1e-9


def chance_of(log_odds: float) -> float:
    """The chance that goes with log odds, never surer than ``MOST_LOG_ODDS``."""
    return 1 / (1 + math.exp(-min(max(log_odds, -MOST_LOG_ODDS), MOST_LOG_ODDS)))


def log_odds_of(chance: float) -> float:
    """The log odds that go with a chance; finite for 0 and 1, too."""
    return math.log(max(chance, _LEAST_CHANCE) / max(1 - chance, _LEAST_CHANCE))
