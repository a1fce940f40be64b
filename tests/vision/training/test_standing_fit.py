"""Weights of figures from tables: large bases among their rivals, all others place by place."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="only there where something is fitted")
from vision.evidence.figures import FIGURE_CLASSES
from vision.scene.table import calibration
from vision.training.standing_fit import FigureSample, StandingSamples, figure_document

BASE = ((0, 0), (0, 1), (1, 0), (1, 1))
ASIDE = ((1, 0), (1, 1), (2, 0), (2, 1))


def table(number: int) -> StandingSamples:
    """Return a large base among others, most of them with a place one space aside that is called as occupied."""
    rng, of_set = np.random.default_rng(number), f"set {number % 4}"
    occupied, kind = (
        (1.0, np.array([1.0, 2.0, 1.0, 1.0])) if number % 4 == 0 else (4.0, np.array([1.0, -2.0, 0.0, 1.0]))
    )
    figures = [FigureSample("large", BASE, np.array([1.0, occupied, 1.0]), True, of_set, kind, number % 4 == 0)]
    if occupied > 1:
        figures.append(FigureSample("large", ASIDE, np.array([1.0, occupied, 0.0]), False, of_set, kind))
    for column, stood in ((5, True), (8, False)):
        seen = np.array([1.0, rng.normal(1.0 if stood else -1.0)])
        figures.append(FigureSample("small", ((column, 5),), seen, stood, of_set, kind, number % 4 == 0))
        figures.append(FigureSample("plain small", ((column, 5),), seen, stood, of_set))
        figures.append(FigureSample("plain large", ((column, 7), (column, 8)), seen, stood, of_set))
    bases = frozenset([BASE, ((5, 5),), ((5, 7), (5, 8))])
    return StandingSamples(figures, [], bases, all_have_rings=False)


def test_large_bases_are_fitted_among_their_rivals_and_in_the_scale_of_the_scene() -> None:
    document = figure_document([table(number) for number in range(60)])
    assert list(document) == [*FIGURE_CLASSES, "kind"]
    assert document["large"][1] > 0
    assert document["large"][2] * calibration().large.scale > 1
    assert document["plain small"][1] > 0
