"""Miniatures: bases with a known ring (``evidence.rings``), and other things in a cell (``evidence.occupancy``).

The log odds of both add up, each with a weight. The weights of each size of base were fitted on simulated and
ray-traced tables (``vision.training.standing_fit``). A base without a ring of the roster has no kind.
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
from vision.evidence.rings import LEAST_RING_ODDS, RingSighting, find_rings
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


@dataclass(frozen=True)
class FigureSighting:
    """A figure on its cells.

    Args:
        model: one of the roster's figures with its look, or None.
        cells: the cells under its base, sorted.
        center_px: the centre of the base in the board's frame.
        log_odds: the evidence for it.
        rivals: other candidates for its place, the likelier first, none likelier than it.
        beyond: log odds of any figure there beyond the cap on stated ones. Of two bases that share cells the one with
            more evidence is likelier, however sure each is by itself.
    """

    model: RosterFigure | None
    cells: tuple[Cell, ...]
    center_px: tuple[float, float]
    log_odds: float
    rivals: tuple[FigureSighting, ...] = ()
    beyond: float = 0.0

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
    """Judge every possible figure on the board, however unlikely. Many exclude each other."""
    model = figure_model()
    plain: dict[tuple[Cell, ...], FigureSighting] = {}
    ringed: dict[tuple[Cell, ...], dict[RosterFigure, RingedSighting]] = {}
    rings = find_rings(board, roster, occupancy.possible)
    for evidence in figure_evidence(board, roster, occupancy, rings):
        log_odds = float(model.weights[evidence.figure_class] @ evidence.features)
        beyond = max(0.0, log_odds - MOST_LOG_ODDS)
        sighting = FigureSighting(evidence.model, evidence.cells, evidence.center_px, log_odds, beyond=beyond)
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


def cells_under(found: Iterable[FigureSighting], *, least_log_odds: float) -> frozenset[Cell]:
    """Return the cells of all bases above these log odds, of any kind. On a shared cell the likelier base counts."""
    return frozenset[Cell]().union(*bases_in(found, least_log_odds=least_log_odds))


def bases_in(found: Iterable[FigureSighting], *, least_log_odds: float) -> list[tuple[Cell, ...]]:
    """Return the bases of ``cells_under``, the likeliest first."""
    chances: dict[tuple[Cell, ...], float] = {}
    for sighting in found:
        chances[sighting.cells] = chances.get(sighting.cells, 0.0) + sighting.confidence
    cells: set[Cell] = set()
    bases: list[tuple[Cell, ...]] = []
    for place in sorted(chances, key=lambda place: (-chances[place], place)):
        if chances[place] > chance_of(least_log_odds) and cells.isdisjoint(place):
            cells.update(place)
            bases.append(place)
    return bases


def by_place(found: Iterable[FigureSighting]) -> dict[tuple[Cell, ...], list[FigureSighting]]:
    """Return the sightings on the same cells together, in their order."""
    places: dict[tuple[Cell, ...], list[FigureSighting]] = {}
    for one in found:
        places.setdefault(one.cells, []).append(one)
    return places


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
    board: BoardView, roster: Roster, occupancy: Occupancy, rings: Sequence[RingSighting]
) -> Iterator[FigureEvidence]:
    """Yield the evidence for every place and kind with any support."""
    kinds = ring_kinds(roster)
    for ring in rings:
        model, cells = kinds[ring.stand.shape, ring.color][0], ring.stand.cells
        figure_class: FigureClass = "small" if len(cells) == 1 else "large"
        features = np.array([1.0, ring.log_odds, _log_odds_by_trunk(cells, occupancy)])
        yield FigureEvidence(model, cells, ring.center_px, figure_class, features, ring)
    yield from _without_ring(board, roster, occupancy, rings)


def _plain_class(cells: Sequence[Cell], *, all_ringed: bool) -> FigureClass:
    """Return the model of a place without a ring.

    If all bases of the shape have rings, a large place without one counts as one with the faintest ring.
    """
    if len(cells) == 1:
        return "plain small"
    return "large" if all_ringed else "plain large"


def _log_odds_by_trunk(cells: Sequence[Cell], occupancy: Occupancy) -> float:
    """Return the trunk's log odds of a base of one cell, or the sum of its log odds that any base covers each cell.

    A sum, so that two bases side by side gain nothing over one base on their cells.
    """
    hidden = occupancy.by_trunk
    return hidden.log_odds_of_one(cells) if len(cells) == 1 else len(cells) * hidden.log_odds(cells)


def _without_ring(
    board: BoardView, roster: Roster, occupancy: Occupancy, rings: Iterable[RingSighting]
) -> Iterator[FigureEvidence]:
    """Yield the evidence for a figure without a ring in each place not proven empty.

    The ring network may have missed a ring there.
    """
    faint = {ring.stand.cells for ring in rings if ring.log_odds > _FAINT}
    hidden = occupancy.by_trunk
    ringed = share_with_rings(roster)
    for shape in dict.fromkeys(shape for figure in roster.figures for shape in shapes_of(figure)):
        all_ringed = all(figure.ring for figure in roster.figures if shape in shapes_of(figure))
        for stand in stands(shape, board.cells):
            cells = stand.cells
            if max(occupancy.log_odds(cells), hidden.log_odds(cells)) < _UNLIKELY:
                continue
            one, figure_class = hidden.log_odds_of_one(cells), _plain_class(cells, all_ringed=all_ringed)
            if figure_class == "plain small":
                # The patch network learned from tables with rings, so its weight is the share of figures with one.
                features = [1.0, ringed, float(cells in faint), one, ringed * occupancy.log_odds_of_one(cells)]
            elif figure_class == "plain large":
                features = [1.0, one, hidden.log_odds(cells), hidden.log_odds_beside(cells)]
            else:
                features = [1.0, LEAST_RING_ODDS, _log_odds_by_trunk(cells, occupancy)]
            x, y = board.frame_from_lattice(np.array([stand.middle]))[0]
            yield FigureEvidence(None, cells, (float(x), float(y)), figure_class, np.array(features))
