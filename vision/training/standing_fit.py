"""Fit the weights that turn features of networks and prints into odds of figures and doors.

The tables differ from those of the networks and are set up as in a game, so that the odds suit a game. Their confidence
is calibrated on held-out sets of tables. Large bases are fitted by the choices of the scene (``large_fit``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Shaped

from assistant.table.lattice import Cell, list_inner_edges
from calibration.arrays import Numbers
from vision.evidence.doors import door_features, door_views
from vision.evidence.figures import FIGURE_CLASSES, FigureClass, FigureEvidence, figure_evidence, kind_features
from vision.evidence.hidden_print import print_maps
from vision.evidence.occupancy import find_occupancy
from vision.evidence.patches import patch_source
from vision.evidence.rings import find_rings
from vision.learned import MOST_LOG_ODDS
from vision.scene.table import calibration
from vision.training.labelled import KnownBoard
from vision.training.large_fit import Candidate, LargeTable, Place, fit_large
from vision.training.logistic import fit_widened

_LEAST_SAMPLES = 40
_LARGE: Mapping[FigureClass, float] = {"large": 0.03, "plain large": 0.2}
"""The classes of large bases, and the strength of the prior of each, as it did best on held-out tables. The second is
fitted beside the first."""

_SIMULATED, _SIMULATED_SETS = "simulated", 8
"""Name and number of sets of simulated tables. The networks learned from such tables, so they are weak evidence about
photos."""


class FigureSample(NamedTuple):
    """The evidence for any figure in one place, by its likeliest ring or by its cells alone, with its truth.

    Args:
        figure_class: its model class.
        cells: the place, sorted.
        features: the factors of the class.
        stood: whether a figure stood on exactly these cells.
        set_name: the set of its table.
        kind_factors: those of a known kind, or None without a ring.
        is_known: whether the figure there has one of the possible rings.
    """

    figure_class: FigureClass
    cells: Place
    features: Float[Numbers, " factors"]
    stood: bool
    set_name: str
    kind_factors: Float[Numbers, " 4"] | None = None
    is_known: bool = False


class DoorSample(NamedTuple):
    """Features of one edge, the truth about its door, and the set of its table."""

    features: Float[Numbers, " factors"]
    stood: bool
    set_name: str


class StandingSamples(NamedTuple):
    """The candidates on one table, with their truth.

    Args:
        figures: the candidates for figures.
        doors: those for doors.
        bases: the cells under each true base.
        all_have_rings: whether all figures of its box have rings.
    """

    figures: list[FigureSample]
    doors: list[DoorSample]
    bases: frozenset[Place]
    all_have_rings: bool


def _set_of(table: str) -> str:
    return table.partition("/")[0]


def as_simulated(table: KnownBoard, number: int) -> KnownBoard:
    """Mark a simulated table by the name of its set.

    Args:
        table: a simulated table.
        number: its number.
    """
    return replace(table, name=f"{_SIMULATED} {number % _SIMULATED_SETS}/{table.name}")


def standing_samples(table: KnownBoard) -> StandingSamples:
    """Collect the candidates on one table, with their truth."""
    source = patch_source(table.board, table.roster)
    all_have_rings = table.roster.all_have_rings
    maps = print_maps(source)
    occupancy = find_occupancy(source, maps, table.roster)
    rings = find_rings(table.board, table.roster, occupancy.possible)
    by_place: dict[tuple[tuple[Cell, ...], bool], list[FigureEvidence]] = {}
    for evidence in figure_evidence(table.board, table.roster, occupancy, rings):
        by_place.setdefault((evidence.cells, evidence.ring is not None), []).append(evidence)
    of_set = _set_of(table.name)
    figures = [_sample(there, table.figures.get(there[0].cells), all_have_rings, of_set) for there in by_place.values()]
    edges = list_inner_edges(table.board.cells)
    views = door_views(source, table.roster.doors, edges)
    features = door_features(views, maps, occupancy)
    doors = [DoorSample(row, e in table.doors, of_set) for e, row in zip(edges, features, strict=True)]
    return StandingSamples(figures, doors, frozenset(table.figures), all_have_rings)


def _sample(there: Sequence[FigureEvidence], kind: str | None, all_have_rings: bool, set_name: str) -> FigureSample:
    """Return the sample of one place. ``kind`` is what stood there, None for nobody."""
    first = max(there, key=lambda one: one.ring.share if one.ring else 0.0)
    if first.ring is None:
        return FigureSample(first.figure_class, first.cells, first.features, kind is not None, set_name)
    is_large = len(first.cells) > 1
    factors = kind_features(first.ring.log_odds, all_have_rings=all_have_rings, is_large=is_large)
    is_known = any(one.model is not None and one.model.kind == kind for one in there)
    return FigureSample(first.figure_class, first.cells, first.features, kind is not None, set_name, factors, is_known)


def figure_document(tables: Sequence[StandingSamples]) -> Mapping[str, list[float]]:
    """Fit the weights of each class and of the kind, in the form of ``vision/data/figures.json``.

    Raises:
        ValueError: a class has too few samples.
    """
    by_class: dict[FigureClass, list[FigureSample]] = {name: [] for name in FIGURE_CLASSES}
    for sample in (sample for table in tables for sample in table.figures):
        by_class[sample.figure_class].append(sample)
    fitted: dict[FigureClass, Float[Numbers, " factors"]] = {}
    for name, chosen in by_class.items():
        if sum(sample.stood for sample in chosen) < _LEAST_SAMPLES:
            raise ValueError(f"too few figures of class {name}; simulate more tables")
        if name not in _LARGE:
            features, stood = np.array([one.features for one in chosen]), np.array([one.stood for one in chosen])
            fitted[name] = _fit(features, stood, [one.set_name for one in chosen], ridge=0.5)
    for name, ridge in _LARGE.items():
        fitted[name] = _fit_large(tables, fitted, name, len(by_class[name][0].features), ridge)
    ringed = [one for chosen in by_class.values() for one in chosen if one.stood and one.kind_factors is not None]
    factors, known = np.array([one.kind_factors for one in ringed]), np.array([one.is_known for one in ringed])
    kind = _fit(factors, known, [one.set_name for one in ringed], ridge=0.2)
    weights = [*((name, fitted[name]) for name in FIGURE_CLASSES), ("kind", kind)]
    return {name: [round(float(w), 3) for w in row] for name, row in weights}


def _fit_large(
    tables: Iterable[StandingSamples],
    weights: Mapping[FigureClass, Float[Numbers, " _factors"]],
    name: FigureClass,
    factors: int,
    ridge: float,
) -> Float[Numbers, " factors"]:
    """Fit a class of large bases beside the weights of the others. The scene scales and shifts its log odds."""
    known = [LargeTable(_candidates(table, weights, name, factors), table.bases) for table in tables]
    scale, shift = calibration().large
    fitted = fit_large(known, factors, ridge=ridge, most_log_odds=scale * MOST_LOG_ODDS)
    fitted[0] -= shift
    return fitted / scale


def _candidates(
    table: StandingSamples, weights: Mapping[FigureClass, Float[Numbers, " _factors"]], name: FigureClass, factors: int
) -> Mapping[Place, Candidate]:
    """Return the candidates of one table as the scene compares them, with the factors of those of class ``name``.

    The evidence by the cells alone counts where no ring is possible. It also counts on one cell if a figure may have no
    ring and it is stronger. A class that is not fitted yet counts nowhere.
    """
    by, no_factors = calibration(), np.zeros(factors)
    ringed = {one.cells for one in table.figures if one.kind_factors is not None}
    found: dict[Place, Candidate] = {}
    for one in table.figures:
        has_ring, is_large = one.kind_factors is not None, len(one.cells) > 1
        if not has_ring and one.cells in ringed and (is_large or table.all_have_rings):
            continue
        if one.figure_class == name:
            found[one.cells] = Candidate(one.features, 0.0)
        elif one.figure_class in weights:
            stated = float(np.clip(weights[one.figure_class] @ one.features, -MOST_LOG_ODDS, MOST_LOG_ODDS))
            log_odds = (by.large if is_large else by.small if has_ring else by.plain)(stated)
            other = found.get(one.cells, Candidate(no_factors, log_odds))
            found[one.cells] = Candidate(no_factors, max(log_odds, other.log_odds))
    return found


def _fit(
    features: Float[Numbers, "n factors"], stood: Shaped[Numbers, " n"], sets: Sequence[str], *, ridge: float
) -> Float[Numbers, " factors"]:
    """Fit weights, calibrated on held-out photographed sets, or on simulated ones without any."""
    is_photographed = np.array([not name.startswith(_SIMULATED) for name in sets])
    judged = is_photographed if is_photographed.any() else ~is_photographed
    return fit_widened(features, stood, sets, judged, ridge=ridge)


def door_document(samples: Iterable[DoorSample]) -> Mapping[str, list[float]]:
    """Fit the weights of an edge's features, in the form of ``vision/data/doors.json``."""
    chosen = list(samples)
    features, stood = np.array([s.features for s in chosen]), np.array([s.stood for s in chosen])
    weights = _fit(features, stood, [s.set_name for s in chosen], ridge=0.3)
    return {"weights": [round(float(w), 3) for w in weights]}
