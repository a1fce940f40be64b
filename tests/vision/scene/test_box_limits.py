"""Chances of places that share one box, against the enumeration of all joint outcomes."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from vision.scene.box_limits import Outcomes, chances_within


def random_places(rng: np.random.Generator) -> tuple[list[Outcomes], np.ndarray]:
    """Return up to six places of up to four outcomes, which take up to two pieces, and a small box of three kinds."""
    places = []
    for _ in range(int(rng.integers(1, 7))):
        uses = np.vstack([np.zeros((1, 3), int), rng.choice([0, 0, 1, 2], (int(rng.integers(0, 4)), 3))])
        places.append(Outcomes(rng.normal(0, 2, len(uses)), uses))
    return places, rng.integers(0, 4, 3)


def by_enumeration(places: list[Outcomes], most: np.ndarray) -> tuple[float, list[np.ndarray]]:
    """Return the log weight of all joint outcomes and each outcome's chance, one joint outcome after another."""
    chances, total = [np.zeros(len(place.scores)) for place in places], 0.0
    for chosen in product(*(range(len(place.scores)) for place in places)):
        if (sum(place.uses[one] for place, one in zip(places, chosen, strict=True)) <= most).all():
            weight = math.exp(sum(place.scores[one] for place, one in zip(places, chosen, strict=True)))
            total += weight
            for chance, one in zip(chances, chosen, strict=True):
                chance[one] += weight
    return math.log(total), [chance / total for chance in chances]


def test_chances_are_those_of_all_joint_outcomes() -> None:
    rng = np.random.default_rng(4)
    for _ in range(60):
        places, most = random_places(rng)
        log_total, chances = chances_within(places, most)
        expected_total, expected = by_enumeration(places, most)
        assert log_total == pytest.approx(expected_total, abs=1e-4)
        assert np.concatenate(chances) == pytest.approx(np.concatenate(expected), abs=1e-4)
        assert [chance.sum() for chance in chances] == pytest.approx([1.0] * len(places))


def test_far_more_than_the_box_holds_leaves_equal_places_equal_chances() -> None:
    sure = Outcomes(np.array([0.0, 6.0]), np.array([[0], [1]]))
    _, chances = chances_within([sure] * 24, np.array([12]))
    assert [chance[1] for chance in chances] == pytest.approx([0.5] * 24, abs=1e-3)
