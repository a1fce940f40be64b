"""From what the networks say to chances: weights for figures, scale for doors, fitted on simulated tables.

Other tables than those of the networks, laid as in a game: so the chances come out as a game has them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from assistant.table.lattice import Cell, list_inner_edges
from calibration.arrays import Numbers
from vision.figures import FIGURE_CLASSES, FigureClass, FigureEvidence, figure_evidence, kind_features
from vision.network import chances
from vision.occupancy import find_occupancy
from vision.odds import log_odds_of
from vision.patches import door_patches, patch_source
from vision.training.labelled import KnownBoard
from vision.training.logistic import fit_logistic

_LEAST_SAMPLES = 40


class FigureSample(NamedTuple):
    """One place at which a figure, or without a kind anybody, was thought possible, and whether it stood there.

    ``place`` is the same for all that was thought of the same cells of one table.
    """

    figure_class: FigureClass
    features: Float[Numbers, " factors"]
    stood: bool
    place: tuple[str, tuple[Cell, ...]]
    has_kind: bool
    all_have_rings: bool


class DoorSample(NamedTuple):
    """The network's log odds for one edge, and whether a door stood there."""

    log_odds: float
    stood: bool


def standing_samples(labelled: KnownBoard) -> tuple[list[FigureSample], list[DoorSample]]:
    """What was thought possible on one table, and what was so."""
    board, roster = labelled.board, labelled.roster
    source = patch_source(board, roster)
    all_have_rings = all(figure.ring for figure in roster.figures)
    figures = [
        FigureSample(
            evidence.figure_class,
            evidence.features,
            _is_right(evidence, labelled.figures),
            (labelled.name, evidence.cells),
            evidence.model is not None,
            all_have_rings,
        )
        for evidence in figure_evidence(board, roster, find_occupancy(source))
    ]
    edges = list_inner_edges(board.cells)
    raw = chances("doors", door_patches(source, edges, roster.doors))[:, 1]
    return figures, [DoorSample(log_odds_of(float(p)), e in labelled.doors) for e, p in zip(edges, raw, strict=True)]


def _is_right(evidence: FigureEvidence, kinds: Mapping[tuple[Cell, ...], str]) -> bool:
    kind = kinds.get(evidence.cells)
    return kind is not None and (evidence.model is None or evidence.model.kind == kind)


def figure_document(samples: Iterable[FigureSample]) -> Mapping[str, list[float]]:
    """The weights of each class and of the kind, as ``vision/data/figures.json`` holds them.

    Raises:
        ValueError: a class was hardly seen.
    """
    by_class: dict[FigureClass, list[FigureSample]] = {name: [] for name in FIGURE_CLASSES}
    for sample in samples:
        by_class[sample.figure_class].append(sample)
    document: dict[str, list[float]] = {}
    for name, chosen in by_class.items():
        if sum(sample.stood for sample in chosen) < _LEAST_SAMPLES:
            raise ValueError(f"too few figures of class {name}; simulate more tables")
        features = np.array([sample.features for sample in chosen])
        weights = fit_logistic(features, np.array([sample.stood for sample in chosen]), ridge=0.5)
        document[name] = [round(float(w), 3) for w in weights]
    document["kind"] = _kind_weights(by_class, document)
    return document


def _kind_weights(samples: Mapping[FigureClass, list[FigureSample]], weights: Mapping[str, list[float]]) -> list[float]:
    """The weights by which the likeliest ring of a place is right, with what is thought of the place without it."""
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
    return [round(float(w), 3) for w in fit_logistic(np.array(features), stood, ridge=0.2)]


def door_document(samples: Iterable[DoorSample]) -> Mapping[str, float]:
    """Factor and shift of the doors' log odds, as ``vision/data/doors.json`` holds them."""
    rows = np.array([(1.0, sample.log_odds, float(sample.stood)) for sample in samples])
    shift, factor = fit_logistic(rows[:, :2], rows[:, 2], ridge=0.01)
    return {"factor": round(float(factor), 3), "shift": round(float(shift), 3)}
