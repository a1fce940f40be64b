"""Miniatures: bases with a known ring (``evidence.rings``), and other things in a cell (``evidence.occupancy``).

One logistic model for each size of base combines both. It was fitted on simulated tables
(``vision.training.standing_fit``). A base without a ring of the roster has no kind.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

import numpy as np
from jaxtyping import Float

from assistant.table.lattice import Cell
from assistant.table.roster import Roster, RosterFigure
from calibration.arrays import Numbers
from vision.evidence.bases import ring_kinds, shapes_of, share_with_rings, stands
from vision.evidence.occupancy import Occupancy
from vision.evidence.rings import RingSighting, find_rings
from vision.learned import MOST_LOG_ODDS, chance_of, chance_of_presence, learned_document, log_odds_of
from vision.tiles.board_view import BoardView

FigureClass = Literal["small", "large", "plain small", "plain large"]
"""The model for a sighting: by the size of its base, one cell or more, with or without a ring of the roster."""

FIGURE_CLASSES: tuple[FigureClass, ...] = ("small", "large", "plain small", "plain large")

_FAINT = -2.0
"""Least log odds of a possible ring."""

_OTHER_KIND = 1.0
"""Least lead of the best ring in log odds."""

_STRANGERS = 0.4
"""Share of the remaining chance for a stranger from another box, if all figures have rings. The rings share the rest as
they share the place."""

LEAST_CHANCE = 0.002
"""Least chance of a kept sighting. A hundred cells below it still hold one figure on ten tables."""

_UNLIKELY = -3.0
"""Mean log odds of any base below which a place is empty."""

_LONG_CELLS = 2

_SURE_BASE = 3.0
"""Log odds from which a base of several cells counts as certain for its neighbours."""


@dataclass(frozen=True)
class FigureSighting:
    """A figure on its cells.

    Args:
        model: one of the roster's figures with its look, or None.
        cells: the cells under its base, sorted.
        center_px: the centre of the base in the board's frame.
        log_odds: the evidence for it.
        rivals: other candidates for its place, the likelier first, none likelier than it.
    """

    model: RosterFigure | None
    cells: tuple[Cell, ...]
    center_px: tuple[float, float]
    log_odds: float
    rivals: tuple[FigureSighting, ...] = ()

    @property
    def kind(self) -> str | None:
        """The kind of its model."""
        return self.model.kind if self.model else None

    @property
    def confidence(self) -> float:
        """The probability that this figure stands there."""
        return chance_of_presence(self.log_odds)


@dataclass(frozen=True, eq=False)
class FigureEvidence:
    """The evidence for a figure in a place.

    Args:
        model: one of the roster's figures with its look, or None.
        cells: the cells under its base, sorted.
        center_px: the centre of the base in the board's frame.
        figure_class: its model class.
        features: the factors that the weights of the class multiply.
        most_log_odds: cap on its log odds, since its ring may be another one of the roster.
    """

    model: RosterFigure | None
    cells: tuple[Cell, ...]
    center_px: tuple[float, float]
    figure_class: FigureClass
    features: Float[Numbers, " factors"]
    most_log_odds: float = math.inf


@dataclass(frozen=True, eq=False)
class FigureModel:
    """The learned weights.

    Args:
        weights: feature weights by class, for the log odds of this figure, or of any figure without a ring.
        kind_weights: weights of ``kind_features``, for the log odds that the likeliest ring is right.
    """

    weights: Mapping[FigureClass, Float[Numbers, " factors"]]
    kind_weights: Float[Numbers, " 5"]


@cache
def figure_model() -> FigureModel:
    """Return the shipped model, from ``vision/data/figures.json``."""
    document = learned_document("figures.json")
    return FigureModel({name: np.array(document[name]) for name in FIGURE_CLASSES}, np.array(document["kind"]))


def judge_figures(board: BoardView, roster: Roster, occupancy: Occupancy) -> list[FigureSighting]:
    """Judge every possible figure on the board, however unlikely. Many exclude each other.

    Things beside a large base look like a part of it. Once such a base is sure, the evidence that it leaves unexplained
    decides the cells beside it (explaining away: Pearl, Probabilistic Reasoning, 1988).
    """
    rings = find_rings(board, roster, occupancy.possible)
    first = _judge(figure_evidence(board, roster, occupancy, rings), roster)
    large = [sighting for sighting in first if len(sighting.cells) > 1]
    explained = cells_under(large, least_log_odds=_SURE_BASE)
    if not explained:
        return first
    again = _judge(figure_evidence(board, roster, occupancy, rings, explained), roster)
    return [
        *(sighting for sighting in first if not explained.isdisjoint(sighting.cells)),
        *(sighting for sighting in again if explained.isdisjoint(sighting.cells)),
    ]


def cells_under(found: Iterable[FigureSighting], *, least_log_odds: float) -> frozenset[Cell]:
    """Return the cells of all bases above these log odds. On a shared cell the likelier base counts."""
    cells: set[Cell] = set()
    for sighting in sorted(found, key=lambda f: (-f.log_odds, f.cells)):
        if sighting.log_odds > least_log_odds and cells.isdisjoint(sighting.cells):
            cells.update(sighting.cells)
    return frozenset(cells)


def _judge(known: Iterable[FigureEvidence], roster: Roster) -> list[FigureSighting]:
    model = figure_model()
    best: dict[tuple[Cell, ...], dict[RosterFigure | None, FigureSighting]] = {}
    for evidence in known:
        log_odds = min(float(model.weights[evidence.figure_class] @ evidence.features), evidence.most_log_odds)
        there = best.setdefault(evidence.cells, {})
        if evidence.model not in there or there[evidence.model].log_odds < log_odds:
            there[evidence.model] = FigureSighting(evidence.model, evidence.cells, evidence.center_px, log_odds)
    rings = {"all_have_rings": all(figure.ring for figure in roster.figures)}
    found = (s for there in best.values() for s in with_kind(there, model.kind_weights, **rings))
    return [sighting for sighting in found if sighting.log_odds > math.log(LEAST_CHANCE)]


def with_kind(
    there: Mapping[RosterFigure | None, FigureSighting], kind_weights: Float[Numbers, " 5"], *, all_have_rings: bool
) -> Iterator[FigureSighting]:
    """Yield the sightings on the same cells, weighed together: whether a figure stands there, and which."""
    known = sorted((s for s in there.values() if s.model is not None), key=lambda s: -s.log_odds)
    somebody = there.get(None)
    if somebody is None or not known:
        yield from there.values()
        return
    features = kind_features(known[0].log_odds, somebody.log_odds, all_have_rings=all_have_rings)
    kind_odds = float(kind_weights @ features)
    chances = [chance_of(kind_odds), *(chance_of(min(other.log_odds, kind_odds - _OTHER_KIND)) for other in known[1:])]
    rest = max(somebody.confidence - chances[0], 0.0)
    stranger = rest * (_STRANGERS if all_have_rings else 1.0)
    for one, chance in zip(known, chances, strict=True):
        yield replace(one, log_odds=log_odds_of(chance + (rest - stranger) * chance / sum(chances)))
    if stranger > LEAST_CHANCE:
        yield replace(somebody, log_odds=log_odds_of(stranger))


def kind_features(ring_log_odds: float, plain_log_odds: float, *, all_have_rings: bool) -> Float[Numbers, " 5"]:
    """Return the factors of the kind: odds of the likeliest ring and of any figure, and whether all have rings."""
    ring, plain = (min(max(odds, -MOST_LOG_ODDS), MOST_LOG_ODDS) for odds in (ring_log_odds, plain_log_odds))
    return np.array([1.0, ring, plain, max(ring, 0.0), float(all_have_rings)])


def figure_evidence(
    board: BoardView,
    roster: Roster,
    occupancy: Occupancy,
    rings: Sequence[RingSighting],
    explained: frozenset[Cell] = frozenset(),
) -> Iterator[FigureEvidence]:
    """Yield the evidence for every place and kind with any support.

    ``explained`` are the cells under known bases.
    """
    kinds = ring_kinds(roster)
    for ring in rings:
        model = kinds[ring.stand.shape, ring.color][0]
        figure_class: FigureClass = "small" if len(ring.stand.cells) == 1 else "large"
        features = _ring_features(ring, occupancy, explained)
        # Certainty of a figure must not become certainty of its kind.
        yield FigureEvidence(model, ring.stand.cells, ring.center_px, figure_class, features, ring.among_rings)
    yield from _without_ring(board, roster, occupancy, rings, explained)


def _ring_features(ring: RingSighting, occupancy: Occupancy, explained: frozenset[Cell]) -> Float[Numbers, " 20"]:
    cells, hidden = ring.stand.cells, occupancy.by_trunk
    occupied, one = occupancy.log_odds(cells), occupancy.log_odds_of_one(cells)
    print_seen = max(ring.print_likeness, -0.2)
    _, around = occupancy.print_seen(cells)
    # A counter may be painted like a ring. So a ring counts only as far as a base or a body also hides print there.
    hides = 1 - chance_of(-hidden.log_odds(cells)) * max(around, 0.0)
    rim = hides * ring.rim
    return np.array(
        [
            1.0,
            hides * max(ring.log_odds, 0.0) + min(ring.log_odds, 0.0),
            min(ring.log_odds, 0.0),
            rim,
            hides * ring.new,
            ring.surround,
            print_seen,
            occupied,
            max(one, 0.0),
            min(one, 0.0),
            max(occupied, 0.0) * rim,
            occupancy.least_log_odds(cells),
            occupancy.log_odds_around(cells, explained),
            float(len(cells) == _LONG_CELLS),
            *occupancy.print_seen(cells),
            hidden.log_odds(cells),
            hidden.log_odds_of_one(cells),
            hidden.log_odds_around(cells, explained),
            hidden.leaned_over.get(cells[0], 0.0),
        ]
    )


def _without_ring(
    board: BoardView, roster: Roster, occupancy: Occupancy, rings: Iterable[RingSighting], explained: frozenset[Cell]
) -> Iterator[FigureEvidence]:
    """Yield the evidence for a figure without a ring in each place not proven empty.

    The ring network may have missed a ring there.
    """
    faint = {ring.stand.cells for ring in rings if ring.log_odds > _FAINT}
    hidden = occupancy.by_trunk
    ringed = share_with_rings(roster)
    for shape in dict.fromkeys(shape for figure in roster.figures for shape in shapes_of(figure)):
        for stand in stands(shape, board.cells):
            cells = stand.cells
            if occupancy.log_odds(cells) < _UNLIKELY and (len(cells) > 1 or hidden.log_odds(cells) < _UNLIKELY):
                continue
            is_faint = float(cells in faint)
            figure_class: FigureClass = "plain small" if len(cells) == 1 else "plain large"
            features = (
                [1.0, ringed, is_faint, *_small_features(occupancy, cells, explained, ringed)]
                if len(cells) == 1
                else [1.0, float(ringed == 1), is_faint, *_large_features(occupancy, cells, explained)]
            )
            x, y = board.frame_from_lattice(np.array([stand.middle]))[0]
            yield FigureEvidence(None, cells, (float(x), float(y)), figure_class, np.array(features))


def _small_features(
    occupancy: Occupancy, cells: Sequence[Cell], explained: frozenset[Cell], ringed: float
) -> list[float]:
    """Return ten factors of a cell, its ring aside.

    The patch network learned from tables with rings, so its weight is the share of figures with one.
    """
    hidden, leaned = occupancy.by_trunk, occupancy.by_trunk.leaned_over.get(cells[0], 0.0)
    occupied, one = hidden.log_odds(cells), hidden.log_odds_of_one(cells)
    by_patches = (
        occupancy.log_odds(cells),
        occupancy.log_odds_of_one(cells),
        occupancy.log_odds_around(cells, explained),
    )
    return [
        occupied,
        one,
        hidden.log_odds_around(cells, explained),
        *occupancy.print_seen(cells),
        leaned,
        leaned * max(occupied, 0.0),
        *(ringed * odds for odds in by_patches),
    ]


def _large_features(occupancy: Occupancy, cells: Sequence[Cell], explained: frozenset[Cell]) -> list[float]:
    """Return eleven factors of several cells without a ring."""
    return [
        occupancy.log_odds(cells),
        occupancy.log_odds_of_one(cells),
        occupancy.least_log_odds(cells),
        occupancy.log_odds_around(cells, explained),
        float(len(cells) == _LONG_CELLS),
        *occupancy.print_seen(cells),
        occupancy.by_trunk.log_odds(cells),
        occupancy.by_trunk.log_odds_of_one(cells),
        occupancy.by_trunk.least_log_odds(cells),
        occupancy.by_trunk.log_odds_around(cells, explained),
    ]
