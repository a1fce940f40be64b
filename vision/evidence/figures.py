"""Miniatures: bases with a known ring (``evidence.rings``), and other things in a cell (``evidence.occupancy``).

One logistic model for each size of base combines both. It was fitted on simulated tables
(``vision.training.standing_fit``). A base without a ring of the roster has no kind.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal, NamedTuple

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


class RingedSighting(NamedTuple):
    """A figure by one possible ring of its place. Its log odds are those of any figure there.

    Args:
        sighting: the figure.
        share: the share of its ring among the possible ones there.
        any_ring: log odds of any ring of the roster there.
    """

    sighting: FigureSighting
    share: float
    any_ring: float


@dataclass(frozen=True, eq=False)
class FigureEvidence:
    """The evidence for a figure in a place.

    Args:
        model: one of the roster's figures with its look, or None.
        cells: the cells under its base, sorted.
        center_px: the centre of the base in the board's frame.
        figure_class: its model class.
        features: the factors that the weights of the class multiply.
        ring: its ring, or None.
    """

    model: RosterFigure | None
    cells: tuple[Cell, ...]
    center_px: tuple[float, float]
    figure_class: FigureClass
    features: Float[Numbers, " factors"]
    ring: RingSighting | None = None


@dataclass(frozen=True, eq=False)
class FigureModel:
    """The learned weights.

    Args:
        weights: feature weights by class, for the log odds of any figure there.
        kind_weights: weights of ``kind_features``, for the log odds that a figure has one of the roster's rings.
    """

    weights: Mapping[FigureClass, Float[Numbers, " factors"]]
    kind_weights: Float[Numbers, " 4"]


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
    """Return the cells of all bases above these log odds, of any kind. On a shared cell the likelier base counts."""
    chances: dict[tuple[Cell, ...], float] = {}
    for sighting in found:
        chances[sighting.cells] = chances.get(sighting.cells, 0.0) + sighting.confidence
    cells: set[Cell] = set()
    for place in sorted(chances, key=lambda place: (-chances[place], place)):
        if chances[place] > chance_of(least_log_odds) and cells.isdisjoint(place):
            cells.update(place)
    return frozenset(cells)


def of_each_kind(there: Iterable[FigureSighting]) -> list[FigureSighting]:
    """Return the likeliest sighting of each kind on the same cells, with the summed chance of that kind.

    Rings of one kind are no rivals. None, a figure of no known kind, counts as a kind.
    """
    found: dict[str | None, FigureSighting] = {}
    for figure in there:
        other = found.get(figure.kind)
        if other is None:
            found[figure.kind] = figure
        else:
            likelier = max(figure, other, key=lambda one: one.log_odds)
            both = figure.confidence + other.confidence
            found[figure.kind] = replace(likelier, log_odds=log_odds_of(both))
    return list(found.values())


def _judge(known: Iterable[FigureEvidence], roster: Roster) -> list[FigureSighting]:
    model = figure_model()
    plain: dict[tuple[Cell, ...], FigureSighting] = {}
    ringed: dict[tuple[Cell, ...], dict[RosterFigure, RingedSighting]] = {}
    for evidence in known:
        log_odds = float(model.weights[evidence.figure_class] @ evidence.features)
        sighting = FigureSighting(evidence.model, evidence.cells, evidence.center_px, log_odds)
        if evidence.model is None or evidence.ring is None:
            plain[evidence.cells] = max(sighting, plain.get(evidence.cells, sighting), key=lambda one: one.log_odds)
            continue
        one = RingedSighting(sighting, evidence.ring.share, evidence.ring.log_odds)
        there = ringed.setdefault(evidence.cells, {})
        turned = there.get(evidence.model)  # a base turned by a right angle on the same cells
        if turned is not None:
            one = max(one, turned, key=lambda either: either.share)._replace(share=one.share + turned.share)
        there[evidence.model] = one
    found = [one for cells, one in plain.items() if cells not in ringed]
    for cells, there in ringed.items():
        found += with_kind(
            [*there.values()], plain.get(cells), model.kind_weights, all_have_rings=roster.all_have_rings
        )
    return [sighting for sighting in found if sighting.log_odds > math.log(LEAST_CHANCE)]


def with_kind(
    there: Sequence[RingedSighting],
    plain: FigureSighting | None,
    kind_weights: Float[Numbers, " 4"],
    *,
    all_have_rings: bool,
) -> Iterator[FigureSighting]:
    """Yield the figures of one place, and last one without a ring of the roster.

    Their chances add up to that of any figure: rings that look alike share one figure. ``plain``, the evidence by the
    cells alone, counts for one cell if it is stronger: the figure may have no ring.
    """
    first = max(there, key=lambda one: one.share)
    is_large = len(first.sighting.cells) > 1
    somebody = first.sighting.confidence
    if plain is not None and not (is_large or all_have_rings):
        somebody = max(somebody, plain.confidence)
    factors = kind_features(first.any_ring, all_have_rings=all_have_rings, is_large=is_large)
    # Where colours hardly tell rings apart, rings beyond the few candidates have a share, too: an unknown kind.
    known = chance_of(float(kind_weights @ factors)) * min(math.fsum(one.share for one in there), 1.0)
    among = [one.share * one.sighting.confidence for one in there]
    for one, share in zip(there, among, strict=True):
        yield replace(one.sighting, log_odds=log_odds_of(somebody * known * share / sum(among)))
    yield replace(first.sighting, model=None, log_odds=log_odds_of(somebody * (1 - known)))


def kind_features(any_ring: float, *, all_have_rings: bool, is_large: bool) -> Float[Numbers, " 4"]:
    """Return the factors of a known kind: log odds of any ring, whether all figures have rings, and the base's size."""
    odds = min(max(any_ring, -MOST_LOG_ODDS), MOST_LOG_ODDS)
    return np.array([1.0, odds, float(all_have_rings), float(is_large)])


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
        of_ring = _ring_features if figure_class == "small" else _large_ring_features
        features = np.append(of_ring(ring, occupancy, explained), float(roster.all_have_rings))
        yield FigureEvidence(model, ring.stand.cells, ring.center_px, figure_class, features, ring)
    yield from _without_ring(board, roster, occupancy, rings, explained)


def _ring_features(ring: RingSighting, occupancy: Occupancy, explained: frozenset[Cell]) -> Float[Numbers, " 20"]:
    cells, hidden = ring.stand.cells, occupancy.by_trunk
    occupied, one = occupancy.log_odds(cells), occupancy.log_odds_of_one(cells)
    print_seen = max(ring.print_likeness, -0.2)
    hides = _hides(cells, occupancy)
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


def _large_ring_features(ring: RingSighting, occupancy: Occupancy, explained: frozenset[Cell]) -> Float[Numbers, " 10"]:
    """Return the factors of several cells with a possible ring.

    Each cell adds the odds of both networks. So two bases side by side gain nothing over one base on their cells, and
    occluded print proves no base where both networks see empty cells.
    """
    cells = ring.stand.cells
    hides = _hides(cells, occupancy)
    return np.array(
        [
            1.0,
            hides * max(ring.log_odds, 0.0) + min(ring.log_odds, 0.0),
            hides * ring.rim,
            ring.surround,
            occupancy.log_odds_around(cells, explained),
            *occupancy.print_seen(cells),
            occupancy.by_trunk.log_odds_around(cells, explained),
            sum(_log_odds_of_part(cell, occupancy) for cell in cells),
            len(cells) * occupancy.by_trunk.log_odds(cells),
        ]
    )


def _log_odds_of_part(cell: Cell, occupancy: Occupancy) -> float:
    """Return the log odds that a larger base covers a cell, by the mean chance of both networks."""
    chance = (occupancy.chance_of[cell][2] + occupancy.by_trunk.chance_of[cell][2]) / 2
    return min(max(log_odds_of(chance), -MOST_LOG_ODDS), MOST_LOG_ODDS)


def _hides(cells: Sequence[Cell], occupancy: Occupancy) -> float:
    """Return how far a base or a body hides print there, 0 to 1. A counter may be painted like a ring."""
    _, around = occupancy.print_seen(cells)
    return 1 - chance_of(-occupancy.by_trunk.log_odds(cells)) * max(around, 0.0)


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
        all_ringed = float(all(figure.ring for figure in roster.figures if shape in shapes_of(figure)))
        for stand in stands(shape, board.cells):
            cells = stand.cells
            if occupancy.log_odds(cells) < _UNLIKELY and (len(cells) > 1 or hidden.log_odds(cells) < _UNLIKELY):
                continue
            figure_class: FigureClass = "plain small" if len(cells) == 1 else "plain large"
            features = (
                [1.0, ringed, float(cells in faint), *_small_features(occupancy, cells, explained, ringed)]
                if len(cells) == 1
                else [1.0, all_ringed, *_large_features(occupancy, cells, explained, ringed)]
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


def _large_features(
    occupancy: Occupancy, cells: Sequence[Cell], explained: frozenset[Cell], ringed: float
) -> list[float]:
    """Return eight factors of several cells, their ring aside.

    The patch network learned from tables with rings, so its weight is the share of figures with one.
    """
    hidden = occupancy.by_trunk
    return [
        *occupancy.print_seen(cells),
        hidden.log_odds_around(cells, explained),
        hidden.log_odds_beside(cells, explained),
        hidden.log_odds_of_one(cells),
        hidden.log_odds(cells),
        ringed * occupancy.log_odds_around(cells, explained),
        ringed * sum(_log_odds_of_part(cell, occupancy) for cell in cells) / len(cells),
    ]
