"""Figures of one photo that look alike are mostly of one kind: let sure ones help those with a poor ring.

People paint the figures of a kind alike, and their bases, too. A figure with a plain ring often identifies another of
its kind with a dark, thin or half hidden one. Two figures that look alike speak for one kind, two that do not for two,
but weakly: unpainted figures all look alike, and figures painted one by one all differ. Every place informs its
fellows, a few times over (belief propagation; Pearl, Probabilistic Reasoning, 1988).

Only who of the roster it is may change: that nobody stands there, or a stranger, stays as likely as it was. Who is sure
by himself is left as he is, and where looks were taught (``vision.evidence.looks``) these say more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from assistant.table.lattice import Cell
from assistant.table.roster import Roster
from calibration.arrays import Numbers
from vision.evidence.figure_views import Foot, cut_points
from vision.evidence.figures import FigureSighting
from vision.evidence.looks import LEAST_POINTS, compared, fits, light_at, likeness, log_odds_of_shares, radius_mm
from vision.tiles.board_view import BoardView

_SURE_KIND = 0.98
"""Least share of one kind, by the ring, from which a figure needs no evidence of others."""

_HEIGHT_MM = 30.0
"""All are compared as if they were so high: who they are is not known yet."""

_TYPICAL, _SLOPE = -4.2, 0.65
"""Likeness of a pair from which it speaks for one kind rather than two, and the log odds of each unit more. On four
simulated sets this is likelier than densities of three sorts of tables, see ``vision/data/RECORD.md``."""

_ROUNDS = 4
_LEAST_SHARE = 1e-9


@dataclass(frozen=True, eq=False)
class _Place:
    """Somebody's place, the likeliest of those that share cells with it.

    Args:
        there: who may stand there.
        shares: of each kind, None for a stranger, given that a figure is there; they add up to 1.
        points: of the photo as they are compared, (N, 5).
    """

    there: Sequence[FigureSighting]
    shares: Mapping[str | None, float]
    radius_mm: float
    points: Float[Numbers, "n 5"]


def apply_same_kind(found: Sequence[FigureSighting], board: BoardView, roster: Roster) -> list[FigureSighting]:
    """The sightings with what those who look alike tell of each other; unchanged where all are sure or looks taught."""
    if any(figure.look is not None for figure in roster.figures):
        return list(found)
    standing = list(_standing(found))
    if all(_is_sure(there) for there in standing):
        return list(found)
    places = [_place(there, board, roster) for there in standing]
    kinds = [*sorted({kind for place in places for kind in place.shares if kind is not None}), None]
    before = np.array([[place.shares.get(kind, 0.0) for kind in kinds] for place in places])
    shared = _spread(before, _pair_odds(_likenesses(places)))
    changed: dict[tuple[Cell, ...], list[FigureSighting]] = {}
    for place, row in zip(places, shared, strict=True):
        if not _is_sure(place.there):
            changed[place.there[0].cells] = list(_restated(place, dict(zip(kinds, row.tolist(), strict=True))))
    kept = [sighting for sighting in found if sighting.cells not in changed]
    return [*kept, *(sighting for there in changed.values() for sighting in there)]


def _restated(place: _Place, shared: Mapping[str | None, float]) -> Iterator[FigureSighting]:
    """Yield the sightings of a place with these shares of each kind, given a figure there; a stranger's chance stays.

    Looks do not tell figures of one kind apart: these keep their shares of it.
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
    """Who may stand in each place where somebody rather does, the surest places first; they share no cell."""
    places: dict[tuple[Cell, ...], list[FigureSighting]] = {}
    for sighting in found:
        places.setdefault(sighting.cells, []).append(sighting)
    taken: set[Cell] = set()
    for there in sorted(places.values(), key=lambda there: -max(one.log_odds for one in there)):
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
    """What the photo shows of the figure at this place."""
    seen = max(there, key=lambda one: (one.model is not None, one.log_odds))
    radius = radius_mm(seen.model or next(figure for figure in roster.figures if fits(figure, seen.cells)))
    x, y = board.frame.table_from_frame(np.array([seen.center_px]))[0].tolist()
    cut = cut_points(board.photo, board.view, Foot((x, y), board.thickness_mm, radius), light_at(board, (x, y)))
    return _Place(there, _shares(there), radius, compared(cut, _HEIGHT_MM / radius))


def _likenesses(places: Sequence[_Place]) -> Float[Numbers, "n n"]:
    """How much each looks like each other with a base of the same size, (N, N); NaN where the photo cannot say."""
    alike = np.full((len(places), len(places)), np.nan)
    for i, one in enumerate(places):
        for j, other in enumerate(places[:i]):
            is_one_size = (one.radius_mm, len(one.there[0].cells)) == (other.radius_mm, len(other.there[0].cells))
            if is_one_size and min(len(one.points), len(other.points)) >= LEAST_POINTS:
                both = likeness(one.points, other.points) + likeness(other.points, one.points)
                alike[i, j] = alike[j, i] = both / 2
    return alike


def _pair_odds(alike: Float[Numbers, "n n"]) -> Float[Numbers, "n n"]:
    """Return log odds of one kind against two for each pair by its likeness, (N, N)."""
    odds: Numbers = np.where(np.isnan(alike), 0.0, _SLOPE * (alike - _TYPICAL))
    return odds


def _spread(shares: Float[Numbers, "n kinds"], pair_odds: Float[Numbers, "n n"]) -> Float[Numbers, "n kinds"]:
    """The share of each kind at each place after what its fellows say, (N, kinds); a stranger's, the last, stays.

    Each row adds up to what it did.
    """
    own = np.log(np.maximum(shares, _LEAST_SHARE))
    gain = np.expm1(pair_odds)[:, :, None]
    messages = np.zeros((len(shares), *shares.shape))  # to the first, from the second
    for _ in range(_ROUNDS):
        # What somebody tells a fellow is not what he has from him.
        thought = (own + messages.sum(axis=1))[:, None, :] - messages
        belief = np.exp(thought - thought.max(axis=2, keepdims=True))
        belief /= belief.sum(axis=2, keepdims=True)
        messages = (messages + np.log1p(gain * belief.transpose(1, 0, 2))) / 2
        messages[:, :, -1] = 0.0  # a stranger is like nobody
    heard = messages.sum(axis=1)[:, :-1]
    after = shares[:, :-1] * np.exp(heard - heard.max(axis=1, keepdims=True))
    known = shares[:, :-1].sum(axis=1, keepdims=True)
    after *= known / np.maximum(after.sum(axis=1, keepdims=True), _LEAST_SHARE)
    return np.hstack([after, shares[:, -1:]])
