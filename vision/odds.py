"""Chances and log odds."""

from __future__ import annotations

import math

MOST_LOG_ODDS = 6.0
"""Nothing is said to be surer than 400 to 1."""

_LEAST_LOG_ODDS = -9.0
"""Of a board's hundred edges all but a few are empty: at 400 to 1 each, one photo in four would have an unseen door."""

_LEAST_CHANCE = 1e-9


def chance_of(log_odds: float) -> float:
    """The chance that goes with log odds, never surer than ``MOST_LOG_ODDS``."""
    return 1 / (1 + math.exp(-min(max(log_odds, -MOST_LOG_ODDS), MOST_LOG_ODDS)))


def chance_of_presence(log_odds: float) -> float:
    """The same for whether something is there, of which a place that shows its print may be surer than of anything."""
    return 1 / (1 + math.exp(min(max(-log_odds, -MOST_LOG_ODDS), -_LEAST_LOG_ODDS)))


def log_odds_of(chance: float) -> float:
    """The log odds that go with a chance; finite for 0 and 1, too."""
    return math.log(max(chance, _LEAST_CHANCE) / max(1 - chance, _LEAST_CHANCE))
