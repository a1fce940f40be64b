"""The tiles of a box from all its photos: photos of one side vote, and fronts find their backs by place.

Tiles stay about where they lie while they are photographed again, and while they are turned over. So two photos are
laid on each other by the tiles' places, in which shapes must agree; a tile that was turned over has the mirrored shape.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float
from scipy.optimize import linear_sum_assignment

from assistant.table.lattice import Cell
from calibration.arrays import Flags, Numbers
from vision.teaching.box_tiles import BoxPhoto, FoundTile
from vision.teaching.sighting import CELL_MM
from vision.teaching.tile_reading import TileReading, best_of

_STRAY_MM = 22.0
"""Usual shift of a tile that is turned over in its place."""

_FAR_MM = 75.0
"""Largest shift of a tile that is still the same."""

_WRONG_SHAPE_MM = 60.0
"""Shift that weighs as much as a shape that does not agree."""

_TRIES = 3000
_UPRIGHT_RAD = 1.2
"""Turn of the whole picture from one photo to the next that counts a little against a way to lay them on each other."""


@dataclass(frozen=True, eq=False)
class TileSight:
    """One tile side by all its photos.

    Args:
        reading: its print.
        seen: where the first photo that agrees with it has it.
        photos: the tile in each photo that shows it.
    """

    reading: TileReading
    seen: FoundTile
    photos: tuple[FoundTile, ...]


@dataclass(frozen=True, eq=False)
class TwoSides:
    """A tile with what was seen of both its sides; the pair is doubtful where shapes or places do not agree well."""

    front: TileSight | None
    back: TileSight | None
    is_sure: bool


class BatchSides(NamedTuple):
    """The tile sides of one batch, and which of them belong together."""

    fronts: tuple[TileSight, ...]
    backs: tuple[TileSight, ...]
    pairs: tuple[TwoSides, ...]


def read_batch(fronts: Sequence[BoxPhoto], backs: Sequence[BoxPhoto]) -> BatchSides:
    """All photos of one batch together: both sides of a tile have one shape, mirrored.

    A side keeps its place in the order when photos are added after it.
    """
    sights = [*one_side(fronts)], [*one_side(backs)]
    found = match_places([one.seen for one in sights[0]], [one.seen for one in sights[1]], is_turned=True)
    surely = {}
    for first, second, is_sure in found:
        settled = _settled(sights[0][first], sights[1][second])
        if settled is not None:
            sights[0][first], sights[1][second] = settled
        surely[first] = second, is_sure or (settled is not None and _is_alone(first, second, found))
    pairs = []
    for index, front in enumerate(sights[0]):
        partner, is_sure = surely.get(index, (None, False))
        pairs.append(TwoSides(front, None if partner is None else sights[1][partner], is_sure))
    left = set(range(len(sights[1]))) - {second for second, _ in surely.values()}
    pairs += [TwoSides(None, sights[1][index], False) for index in sorted(left)]
    return BatchSides(tuple(sights[0]), tuple(sights[1]), tuple(pairs))


def one_side(photos: Sequence[BoxPhoto]) -> tuple[TileSight, ...]:
    """The tiles that any photo of the same sides shows, each read from all of them.

    Those of the first photo come first, then what only further ones show.
    """
    if not photos:
        return ()
    seen: list[list[FoundTile]] = [[tile] for tile in photos[0].tiles]
    for photo in photos[1:]:
        firsts = [some[0] for some in seen]
        found = match_places(firsts, photo.tiles, is_turned=False)
        if len(found) < min(2, max(len(firsts), len(photo.tiles))):
            continue
        moved = _in_place_of(firsts, photo.tiles, found)
        for first, second, _ in found:
            seen[first].append(moved[second])
        matched = {second for _, second, _ in found}
        seen += [[tile] for index, tile in enumerate(moved) if index not in matched and _is_apart(tile, firsts)]
    return tuple(_voted(some) for some in seen)


def match_places(
    first: Sequence[FoundTile], second: Sequence[FoundTile], *, is_turned: bool
) -> list[tuple[int, int, bool]]:
    """Which tile of one photo is which of another, and whether shape and place agree well."""
    if not first or not second:
        return []
    fits = _shapes_fit(first, second, is_turned=is_turned)
    a = np.array([tile.center_mm for tile in first])
    b = np.array([tile.center_mm for tile in second])
    moved = _laid_on(a, b, fits)
    away = np.linalg.norm(moved[:, None] - b[None], axis=2)
    cost = away + _WRONG_SHAPE_MM * ~fits
    found = []
    for i, j in zip(*linear_sum_assignment(np.minimum(cost, _FAR_MM + _WRONG_SHAPE_MM)), strict=True):
        if cost[i, j] > _FAR_MM + _WRONG_SHAPE_MM / 4:
            continue
        others = [*np.delete(cost[i], j), *np.delete(cost[:, j], i)]
        is_sure = bool(fits[i, j]) and away[i, j] < 2 * _STRAY_MM and min(others, default=math.inf) > away[i, j] + 8.0
        found.append((int(i), int(j), is_sure))
    return found


def mirrored(cells: frozenset[Cell]) -> frozenset[Cell]:
    """The shape seen from its other side."""
    right = max(column for column, _ in cells)
    return frozenset((right - column, row) for column, row in cells)


def turned_shapes(cells: frozenset[Cell]) -> set[frozenset[Cell]]:
    """The shape in all four turns, each beginning at column 0 and row 0."""
    shapes = set()
    for _ in range(4):
        left, top = min(column for column, _ in cells), min(row for _, row in cells)
        cells = frozenset((column - left, row - top) for column, row in cells)
        shapes.add(cells)
        cells = frozenset((-row, column) for column, row in cells)
    return shapes


def _voted(seen: Sequence[FoundTile]) -> TileSight:
    """All readings of one tile put together, those of the most frequent shape."""
    often = Counter(_shape(tile.reading.cells) for tile in _whole(seen))
    most = max(often, key=lambda shape: (often[shape], -_least_doubt(seen, shape)))
    return _of_shape(seen, most)


def _of_shape(seen: Sequence[FoundTile], shape: frozenset[Cell]) -> TileSight:
    agreeing = sorted((tile for tile in seen if _shape(tile.reading.cells) == shape), key=lambda tile: tile.is_cut)
    return TileSight(best_of([tile.reading for tile in agreeing]), agreeing[0], tuple(seen))


def _whole(seen: Sequence[FoundTile]) -> Sequence[FoundTile]:
    """The sights that no photo's rim cuts off; all where it cuts every one."""
    return [tile for tile in seen if not tile.is_cut] or seen


def _shape(cells: frozenset[Cell]) -> frozenset[Cell]:
    """The shape in one of its four turns, always the same one."""
    return min(turned_shapes(cells), key=sorted)


def _least_doubt(seen: Sequence[FoundTile], shape: frozenset[Cell]) -> float:
    return min((tile.doubt for tile in seen if _shape(tile.reading.cells) == shape), default=1.0)


def _settled(front: TileSight, back: TileSight) -> tuple[TileSight, TileSight] | None:
    """Both sides with the shape that most photos of both show; None where no shape was seen on both."""
    fronts = Counter(_shape(tile.reading.cells) for tile in _whole(front.photos))
    backs = Counter(_shape(mirrored(tile.reading.cells)) for tile in _whole(back.photos))
    shapes = fronts.keys() & backs.keys()
    if not shapes:
        return None

    def worth(shape: frozenset[Cell]) -> tuple[int, float]:
        doubts = _least_doubt(front.photos, shape) + _least_doubt(back.photos, _shape(mirrored(shape)))
        return fronts[shape] + backs[shape], -doubts

    best = max(shapes, key=worth)
    return _of_shape(front.photos, best), _of_shape(back.photos, _shape(mirrored(best)))


def _is_alone(first: int, second: int, found: Sequence[tuple[int, int, bool]]) -> bool:
    """Whether all other pairs of the batch are sure, so that these two sides can only belong together."""
    return all(is_sure for i, j, is_sure in found if (i, j) != (first, second))


def _in_place_of(
    firsts: Sequence[FoundTile], others: Sequence[FoundTile], found: Sequence[tuple[int, int, bool]]
) -> list[FoundTile]:
    """The tiles of another photo with their places as the first photo counts them, by two matches or more."""
    here = np.array([firsts[first].center_mm for first, _, _ in found]) @ (1, 1j)
    there = np.array([others[second].center_mm for _, second, _ in found]) @ (1, 1j)
    turn = np.vdot(there - there.mean(), here - here.mean())
    turn = turn / max(abs(turn), 1e-9)
    moved = (np.array([tile.center_mm for tile in others]) @ (1, 1j) - there.mean()) * turn + here.mean()
    return [replace(tile, center_mm=(float(at.real), float(at.imag))) for tile, at in zip(others, moved, strict=True)]


def _is_apart(tile: FoundTile, known: Sequence[FoundTile]) -> bool:
    """Whether a tile lies beside all known ones: a part of one of them is no tile."""
    return all(math.dist(tile.center_mm, one.center_mm) > (_reach_mm(tile) + _reach_mm(one)) / 2 for one in known)


def _reach_mm(tile: FoundTile) -> float:
    """The root of a tile's area: its side if it were a square."""
    return CELL_MM * math.sqrt(len(tile.reading.cells))


def _shapes_fit(first: Sequence[FoundTile], second: Sequence[FoundTile], *, is_turned: bool) -> Bool[Numbers, "n m"]:
    wanted = [turned_shapes(mirrored(t.reading.cells) if is_turned else t.reading.cells) for t in first]
    shapes = [next(iter(turned_shapes(tile.reading.cells))) for tile in second]
    fits: Flags = np.array([[shape in some for shape in shapes] for some in wanted])
    return fits


def _laid_on(a: Float[Numbers, "n 2"], b: Float[Numbers, "m 2"], fits: Bool[Numbers, "n m"]) -> Float[Numbers, "n 2"]:
    """The first places turned and shifted so that as many as possible lie on places of the second with their shape."""
    ways = [(0.0, b.mean(axis=0) - a.mean(axis=0))]
    pairs = np.argwhere(fits)
    rng = np.random.default_rng(0)
    for k, m in rng.integers(0, max(len(pairs), 1), (_TRIES if len(pairs) > 1 else 0, 2)).tolist():
        (i, j), (p, q) = pairs[k], pairs[m]
        if i == p or j == q:
            continue
        from_a, from_b = a[p] - a[i], b[q] - b[j]
        if np.linalg.norm(from_a) < 60 or abs(np.linalg.norm(from_a) - np.linalg.norm(from_b)) > 2 * _STRAY_MM:
            continue
        turn = math.atan2(from_b[1], from_b[0]) - math.atan2(from_a[1], from_a[0])
        turn = (turn + math.pi) % (2 * math.pi) - math.pi
        middle = (a[i] + a[p]) / 2 @ _rotation(turn).T
        ways.append((turn, (b[j] + b[q]) / 2 - middle))
    best, best_score = ways[0], -math.inf
    for turn, shift in ways:
        away = np.linalg.norm((a @ _rotation(turn).T + shift)[:, None] - b[None], axis=2)
        near = np.exp(-0.5 * (away / _STRAY_MM) ** 2) * np.where(fits, 1.0, 0.15)
        score = float(near.max(axis=1).sum()) - 0.3 * abs(turn) / _UPRIGHT_RAD
        if score > best_score:
            best, best_score = (turn, shift), score
    laid: Numbers = a @ _rotation(best[0]).T + best[1]
    return laid


def _rotation(turn_rad: float) -> Float[Numbers, "2 2"]:
    c, s = math.cos(turn_rad), math.sin(turn_rad)
    return np.array([[c, -s], [s, c]])
