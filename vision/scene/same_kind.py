"""Same-kind evidence: figures that look alike in one photo are mostly of one kind, so sure ones help the others.

Two figures are alike as far as their points have the same colours in the same places, and their bodies the same form.
People paint the figures of a kind alike, and their bases, too. A figure with a plain ring often identifies another of
its kind with a dark, thin or half hidden one. Two figures that look alike are evidence for one kind, two that differ
for two kinds. But unpainted figures all look alike, and individually painted figures all differ. All pairs of the
photo, with what the rings say, decide which of the three explains them best.
Every place informs the others once, by what its own evidence says.

Only the kind within the roster may change. The chances of an empty place and of a stranger stay. Figures that are sure
by themselves stay unchanged. Taught looks (``vision.evidence.looks``) are stronger evidence and replace this.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from jaxtyping import Float, Float32

from assistant.table.lattice import Cell
from assistant.table.roster import Roster
from calibration.arrays import Numbers, Singles
from vision.evidence.figure_views import ViewPoints
from vision.evidence.figures import FigureSighting, by_place
from vision.evidence.forms import painted_form
from vision.evidence.looks import (
    LEAST_POINTS,
    compared,
    cut_at,
    density,
    fits,
    log_odds_of_shares,
    over_strangers,
    radius_mm,
)
from vision.tiles.board_view import BoardView

_SURE_KIND = 0.98
"""Least share of one kind, by the ring, from which a figure needs no other evidence."""

_HEIGHT_MM = 16.0
"""Height up to which figures are compared: base and legs. Higher up more of the points are ground beside a body."""

_OF_ONE_KIND, _OF_TWO, _USUAL_PAIRS = 1.4, 0.3, 2.0
"""Usual mean similarity of pairs of one kind and of pairs of two, and how many pairs of the photo count as much. Light,
blur and paint shift the similarity of all pairs of a photo: in 135 photos the means vary by .22 and .33."""

_SLOPE, _MOST_ODDS = 5.5, 4.0
"""Log odds per unit of similarity, where looks tell the kinds apart, and their largest sum. Among many figures a pair
reaches a higher similarity than among few."""

_ODD = 0.2
"""Share of pairs that differ where all look alike, and that look alike where all differ."""

_LEAST_SHARE = 1e-9


@dataclass(frozen=True, eq=False)
class _Place:
    """The place of a figure, the likeliest of the places that share its cells.

    Args:
        there: the candidates.
        shares: the share of each kind, None for a stranger, given that a figure is there. They add up to 1.
        points: points of the photo in comparison form, (N, 5).
        cut: all points of the photo that may belong to it.
    """

    there: Sequence[FigureSighting]
    shares: Mapping[str | None, float]
    radius_mm: float
    points: Float[Numbers, "n 5"]
    cut: ViewPoints

    @cached_property
    def form(self) -> Float32[Singles, " numbers"]:
        """The form of the whole body."""
        return painted_form(self.cut)


def apply_same_kind(found: Sequence[FigureSighting], board: BoardView, roster: Roster) -> list[FigureSighting]:
    """Adjust the sightings by figures that look alike. Unchanged if all are sure or looks are taught."""
    if any(figure.look is not None for figure in roster.figures):
        return list(found)
    standing = list(_standing(found))
    if all(_is_sure(there) for there in standing):
        return list(found)
    places = [_place(there, board, roster) for there in standing]
    kinds = [*sorted({kind for place in places for kind in place.shares if kind is not None}), None]
    before = np.array([[place.shares.get(kind, 0.0) for kind in kinds] for place in places])
    shared = _heard(before, _pair_odds(before, _likenesses(places)))
    changed: dict[tuple[Cell, ...], list[FigureSighting]] = {}
    for place, row in zip(places, shared, strict=True):
        if not _is_sure(place.there):
            changed[place.there[0].cells] = list(_restate(place, dict(zip(kinds, row.tolist(), strict=True))))
    kept = [sighting for sighting in found if sighting.cells not in changed]
    return [*kept, *(sighting for there in changed.values() for sighting in there)]


def _restate(place: _Place, shared: Mapping[str | None, float]) -> Iterator[FigureSighting]:
    """Yield the sightings of a place with these shares of each kind, given a figure there. A stranger's chance stays.

    Looks do not distinguish figures of one kind, so these keep their shares of it.
    """
    total = sum(one.confidence for one in place.there)
    is_stranger = max(place.there, key=lambda one: one.log_odds).model is None
    shares = {
        _name(one): one.confidence / total * shared[one.kind] / place.shares[one.kind]
        for one in place.there
        if is_stranger or one.model is not None
    }
    odds = log_odds_of_shares(shares, min(1.0, total))
    yield from (one if one.model is None else replace(one, log_odds=odds[_name(one)]) for one in place.there)


def _name(sighting: FigureSighting) -> str | None:
    return sighting.model.id if sighting.model else None


def _standing(found: Sequence[FigureSighting]) -> Iterator[list[FigureSighting]]:
    """Yield the candidates of each likely occupied place, the surest first. These places share no cell."""
    taken: set[Cell] = set()
    for there in sorted(by_place(found).values(), key=lambda there: -max(one.log_odds for one in there)):
        cells = there[0].cells
        if sum(one.confidence for one in there) >= 1 / 2 and taken.isdisjoint(cells):
            taken |= set(cells)
            yield there


def _shares(there: Sequence[FigureSighting]) -> dict[str | None, float]:
    """Return the share of each kind, None for a stranger, given that a figure is there."""
    total = sum(one.confidence for one in there)
    shares: dict[str | None, float] = {}
    for one in there:
        shares[one.kind] = shares.get(one.kind, 0.0) + one.confidence / total
    return shares


def _is_sure(there: Sequence[FigureSighting]) -> bool:
    return max(_shares(there).values()) >= _SURE_KIND


def _place(there: Sequence[FigureSighting], board: BoardView, roster: Roster) -> _Place:
    """Return the photo's evidence for the figure at this place."""
    seen = max(there, key=lambda one: (one.model is not None, one.log_odds))
    radius = radius_mm(seen.model or next(figure for figure in roster.figures if fits(figure, seen.cells)))
    cut = cut_at(board, seen.center_px, radius)
    return _Place(there, _shares(there), radius, compared(cut, _HEIGHT_MM / radius), cut)


def _likenesses(places: Sequence[_Place]) -> Float[Numbers, "n n"]:
    """Return the similarity of figures with equal bases, (N, N), NaN if the photo cannot say.

    Each figure's points are explained by another figure's, against those of all figures of the photo. So ground and
    shade that all show alike say nothing. The cosine of the forms is added.
    """
    alike = np.full((len(places), len(places)), np.nan)
    groups: dict[tuple[float, int], list[int]] = {}
    for index, place in enumerate(places):
        if len(place.points) >= LEAST_POINTS:
            groups.setdefault((place.radius_mm, len(place.there[0].cells)), []).append(index)
    for group in groups.values():
        for one in group if len(group) > 1 else ():
            others = [other for other in group if other != one]
            colors = np.array([density(places[one].points, places[other].points) for other in others])
            forms = np.array([places[one].form @ places[other].form for other in others])
            alike[one, others] = over_strangers(colors) + forms
    both: Numbers = (alike + alike.T) / 2
    return both


def _pair_odds(shares: Float[Numbers, "n kinds"], alike: Float[Numbers, "n n"]) -> Float[Numbers, "n n"]:
    """Return the log likelihood ratio of one kind to two for each pair, (N, N), 0 if the photo cannot say.

    What the rings say of all pairs gives the similarity half way between those of one kind and those of two.
    """
    pairs = np.triu(~np.isnan(alike), 1)
    known = shares[:, :-1] / np.maximum(shares[:, :-1].sum(axis=1, keepdims=True), _LEAST_SHARE)
    of_one = (known @ known.T)[pairs]
    means = [
        (weights @ alike[pairs] + _USUAL_PAIRS * usual) / (weights.sum() + _USUAL_PAIRS)
        for weights, usual in ((of_one, _OF_ONE_KIND), (1 - of_one, _OF_TWO))
    ]
    odds = np.minimum(_SLOPE * (alike - sum(means) / 2), _MOST_ODDS)
    return np.where(np.isnan(alike), 0.0, odds)


def _heard(shares: Float[Numbers, "n kinds"], pair_odds: Float[Numbers, "n n"]) -> Float[Numbers, "n kinds"]:
    """Return the share of each kind at each place by its own evidence and all others', (N, kinds).

    The last, a stranger's, stays. Each row keeps its sum.
    """
    # How much more often a pair of one kind looks so than a pair of two kinds does, less 1.
    excess = np.expm1(pair_odds)
    known = np.maximum(shares[:, :-1], _LEAST_SHARE)
    somebody = known.sum(axis=1, keepdims=True)
    log_weights = np.log(known) + np.log1p(excess[:, :, None] * known).sum(axis=1)
    log_sums = np.logaddexp.reduce(log_weights, axis=1, keepdims=True)
    by_looks = somebody * np.exp(log_weights - log_sums)
    by_pairs = np.log1p(excess * (known @ known.T))
    kinds_differ = by_pairs.sum() / 2 - by_pairs.sum(axis=1, keepdims=True) + log_sums
    all_alike, all_differ = (np.log1p(excess * share).sum() / 2 + np.log(somebody) for share in (1 - _ODD, _ODD))
    chance = np.exp(kinds_differ - np.logaddexp.reduce([kinds_differ, all_alike, all_differ], axis=0))
    return np.hstack([known + chance * (by_looks - known), shares[:, -1:]])
