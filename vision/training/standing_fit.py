"""Fit the weights that turn features of networks and prints into odds of figures and doors.

The tables differ from those of the networks and are set up as in a game, so that the odds suit a game. Their confidence
is calibrated on held-out sets of tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Shaped

from assistant.table.lattice import Cell, list_inner_edges
from calibration.arrays import Numbers
from vision.evidence.doors import door_features
from vision.evidence.figures import FIGURE_CLASSES, FigureClass, FigureEvidence, figure_evidence, kind_features
from vision.evidence.occupancy import find_occupancy
from vision.evidence.patches import door_patches, patch_source
from vision.evidence.rings import find_rings
from vision.training.labelled import KnownBoard
from vision.training.logistic import fit_widened

_LEAST_SAMPLES = 40
_SIMULATED, _SIMULATED_SETS = "simulated", 8
"""Name and number of sets of simulated tables. The networks learned from such tables, so they are weak evidence about
photos."""


class FigureSample(NamedTuple):
    """One candidate figure of a kind, or of any, with its truth.

    All candidates for the same cells of one table share ``place``.
    """

    figure_class: FigureClass
    features: Float[Numbers, " factors"]
    stood: bool
    place: tuple[str, tuple[Cell, ...]]
    has_kind: bool
    all_have_rings: bool

    @property
    def set_name(self) -> str:
        """The set of its table."""
        return _set_of(self.place[0])


class DoorSample(NamedTuple):
    """Features of one edge, the truth about its door, and the set of its table."""

    features: Float[Numbers, " factors"]
    stood: bool
    set_name: str


def _set_of(table: str) -> str:
    return table.partition("/")[0]


def as_simulated(table: KnownBoard, number: int) -> KnownBoard:
    """Mark a simulated table by the name of its set.

    Args:
        table: a simulated table.
        number: its number.
    """
    return replace(table, name=f"{_SIMULATED} {number % _SIMULATED_SETS}/{table.name}")


def standing_samples(table: KnownBoard) -> tuple[list[FigureSample], list[DoorSample]]:
    """Collect the candidates on one table, with their truth."""
    source = patch_source(table.board, table.roster)
    all_have_rings = all(figure.ring for figure in table.roster.figures)
    occupancy = find_occupancy(source, table.roster)
    rings = find_rings(table.board, table.roster, occupancy.possible)
    figures = [
        FigureSample(
            evidence.figure_class,
            evidence.features,
            _is_right(evidence, table.figures),
            (table.name, evidence.cells),
            evidence.model is not None,
            all_have_rings,
        )
        for evidence in figure_evidence(table.board, table.roster, occupancy, rings)
    ]
    edges = list_inner_edges(table.board.cells)
    places = table.board.openings.features(edges)
    features = door_features(door_patches(source, edges, table.roster.doors), places)
    of_set = _set_of(table.name)
    return figures, [DoorSample(row, e in table.doors, of_set) for e, row in zip(edges, features, strict=True)]


def _is_right(evidence: FigureEvidence, kinds: Mapping[tuple[Cell, ...], str]) -> bool:
    kind = kinds.get(evidence.cells)
    return kind is not None and (evidence.model is None or evidence.model.kind == kind)


def figure_document(samples: Iterable[FigureSample]) -> Mapping[str, list[float]]:
    """Fit the weights of each class and of the kind, in the form of ``vision/data/figures.json``.

    Raises:
        ValueError: a class has too few samples.
    """
    by_class: dict[FigureClass, list[FigureSample]] = {name: [] for name in FIGURE_CLASSES}
    for sample in samples:
        by_class[sample.figure_class].append(sample)
    document: dict[str, list[float]] = {}
    for name, chosen in by_class.items():
        if sum(sample.stood for sample in chosen) < _LEAST_SAMPLES:
            raise ValueError(f"too few figures of class {name}; simulate more tables")
        features = np.array([sample.features for sample in chosen])
        stood = np.array([sample.stood for sample in chosen])
        weights = _fit(features, stood, [sample.set_name for sample in chosen], ridge=0.5)
        document[name] = [round(float(w), 3) for w in weights]
    document["kind"] = _kind_weights(by_class, document)
    return document


def _fit(
    features: Float[Numbers, "n factors"], stood: Shaped[Numbers, " n"], sets: Sequence[str], *, ridge: float
) -> Float[Numbers, " factors"]:
    """Fit weights, calibrated on held-out photographed sets, or on simulated ones without any."""
    is_photographed = np.array([not name.startswith(_SIMULATED) for name in sets])
    judged = is_photographed if is_photographed.any() else ~is_photographed
    return fit_widened(features, stood, sets, judged, ridge=ridge)


def _kind_weights(samples: Mapping[FigureClass, list[FigureSample]], weights: Mapping[str, list[float]]) -> list[float]:
    """Fit the weights for a place's likeliest ring against the place without a kind."""
    best: dict[tuple[str, tuple[Cell, ...]], dict[bool, tuple[float, FigureSample]]] = {}
    for name, chosen in samples.items():
        for sample in chosen:
            there, log_odds = best.setdefault(sample.place, {}), float(np.dot(weights[name], sample.features))
            if sample.has_kind not in there or there[sample.has_kind][0] < log_odds:
                there[sample.has_kind] = (log_odds, sample)
    both = [there for there in best.values() if len(there) == 2]
    features = [
        kind_features(there[True][0], there[False][0], all_have_rings=there[True][1].all_have_rings) for there in both
    ]
    stood = np.array([there[True][1].stood for there in both])
    sets = [there[True][1].set_name for there in both]
    return [round(float(w), 3) for w in _fit(np.array(features), stood, sets, ridge=0.2)]


def door_document(samples: Iterable[DoorSample]) -> Mapping[str, list[float]]:
    """Fit the weights of an edge's features, in the form of ``vision/data/doors.json``."""
    chosen = list(samples)
    features, stood = np.array([s.features for s in chosen]), np.array([s.stood for s in chosen])
    weights = _fit(features, stood, [s.set_name for s in chosen], ridge=0.3)
    return {"weights": [round(float(w), 3) for w in weights]}
