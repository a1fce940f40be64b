"""The tiles of a box from all its photos: photos of one side vote, and fronts match backs by place.

Tiles stay roughly in place between photos, and when turned over. So the tiles' places register two photos, and shapes
must agree. A tile turned over has the mirrored shape. Overlapping sights are one tile, and a photo may show only a part
of it. The evidence of all photos, front and back, decides its cells one by one.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import cv2
import numpy as np
from jaxtyping import Bool, Float
from scipy.optimize import linear_sum_assignment

from assistant.table.lattice import Cell
from calibration.arrays import Flags, Numbers
from vision.teaching.box_tiles import BoxPhoto, FoundTile, is_one_lattice
from vision.teaching.sighting import CELL_MM
from vision.teaching.tile_cells import largest_part
from vision.teaching.tile_reading import TileReading, best_of

_FAR_MM = 75.0
"""Largest shift of a tile that still counts as the same. A shape mismatch costs as much."""

_MOST = 4.0
"""Cap on one photo's log odds for a cell or against it: one in fifty misses a true one or shows a false one."""

_COMMON = 0.5
"""Least overlap of two sights of one tile, and least common share of both sides' cells."""

_TRIES = 3000
_BY_TURN = 0.25
"""Cost of a radian between two pictures when registering them, in tiles."""


@dataclass(frozen=True, eq=False)
class TileSight:
    """One tile side from all its photos.

    Args:
        reading: its print.
        seen: its place in a photo that agrees with it.
        photos: each photo's own reading of it. ``seen`` is the first of them.
    """

    reading: TileReading
    seen: FoundTile
    photos: tuple[FoundTile, ...]


@dataclass(frozen=True, eq=False)
class TwoSides:
    """A tile with the sights of both its sides. The pair is doubtful if shapes or places do not agree well."""

    front: TileSight | None
    back: TileSight | None
    is_sure: bool


class BatchSides(NamedTuple):
    """The tile sides of one batch, and their pairs. None is a part of another side."""

    fronts: tuple[TileSight | None, ...]
    backs: tuple[TileSight | None, ...]
    pairs: tuple[TwoSides, ...]


def read_batch(fronts: Sequence[BoxPhoto], backs: Sequence[BoxPhoto]) -> BatchSides:
    """Combine all photos of one batch: both sides of a tile have one shape, mirrored.

    A side keeps its place in the order when photos are added. Anything but a separate tile is in no pair: a part of
    another tile, or a thing that only one photo shows.
    """
    both = _grouped(fronts), _grouped(backs)
    sights = [[_voted(group) for group in side.groups] for side in both]
    agreed = set()
    for first, second, _ in _matched(*sights):
        settled = _settled(both[0].groups[first], both[1].groups[second])
        if settled is not None:
            sights[0][first], sights[1][second] = settled
            if all(_is_seen_so(one) for one in settled):
                agreed.add((first, second))
    found = _matched(*sights)
    pairs, paired = [], set()
    for first, second, is_near in found:
        is_sure = (first, second) in agreed and (is_near or _is_alone(first, second, found))
        pairs.append((first, TwoSides(sights[0][first], sights[1][second], is_sure)))
        paired |= {(0, first), (1, second)}
    for back, (side, photos, others) in enumerate(((both[0], fronts, backs), (both[1], backs, fronts))):
        for index, one in enumerate(sights[back]):
            is_left = one is not None and (back, index) not in paired
            if is_left and not (others and _is_stray(side, index, photos)):
                at = index if not back else len(sights[0]) + index
                pairs.append((at, TwoSides(None, one, False) if back else TwoSides(one, None, False)))
    pairs.sort(key=lambda one: one[0])
    return BatchSides(tuple(sights[0]), tuple(sights[1]), tuple(pair for _, pair in pairs))


class _Grouped(NamedTuple):
    """The sights of each tile in the photos of one side, by the tiles of the first photo, then of further ones.

    Args:
        groups: the sights of each tile, empty if a later photo shows that it is a part of another.
        ways: the registration of each photo on the first, None for a photo of other tiles.
    """

    groups: list[list[_Sight]]
    ways: list[_Way | None]


def _grouped(photos: Sequence[BoxPhoto]) -> _Grouped:
    """Register the photos on the first one. Overlapping sights are one tile."""
    groups = [[_Sight(0, tile)] for tile in photos[0].tiles] if photos else []
    ways: list[_Way | None] = [_Way(1, 0, 0)]
    for number, photo in enumerate(photos[1:], 1):
        firsts = [group[0].tile for group in groups if group]
        where = [index for index, group in enumerate(groups) if group]
        found = match_places(firsts, photo.tiles, is_turned=False)
        if len(found) < min(2, max(len(firsts), len(photo.tiles))):
            ways.append(None)
            continue
        way = _way_between(firsts, photo.tiles, found)
        ways.append(way)
        by_place = {second: where[first] for first, second, _ in found}
        for index, tile in enumerate(photo.tiles):
            sight = _Sight(number, way.moved(tile))
            covers = [_cover(sight.tile, group) for group in groups]
            likely = int(np.argmax(covers)) if covers else 0
            if covers and covers[likely] >= _COMMON:
                parts = [at for at, share in enumerate(covers) if share >= _COMMON and at != likely]
                whole = [likely, *(at for at in parts if _are_on_lattice(groups[at], sight.tile))]
                groups[min(whole)] = [one for at in sorted(whole) for one in groups[at]] + [sight]
                for at in whole:
                    if at != min(whole):
                        groups[at] = []
            elif index in by_place and groups[by_place[index]]:
                groups[by_place[index]].append(sight)
            else:
                groups.append([sight])
    return _Grouped(groups, ways)


class _Way(NamedTuple):
    """The registration of a photo's plane on the first one's: a turn about a point, and that point's image."""

    turn: complex
    about: complex
    to: complex

    def places(self, there: Float[Numbers, "n 2"]) -> Float[Numbers, "n 2"]:
        here = (there @ (1, 1j) - self.about) * self.turn + self.to
        return np.column_stack([here.real, here.imag])

    def moved(self, tile: FoundTile) -> FoundTile:
        x, y = self.places(np.array([tile.center_mm]))[0].tolist()
        return replace(tile, center_mm=(x, y), turn_deg=tile.turn_deg + math.degrees(np.angle(self.turn)))


class _Sight(NamedTuple):
    """A tile in the photo of that number, at its place on the first photo's plane."""

    photo: int
    tile: FoundTile


def _way_between(
    firsts: Sequence[FoundTile], others: Sequence[FoundTile], found: Sequence[tuple[int, int, bool]]
) -> _Way:
    """Return the registration of another photo's plane by the tiles that agree best."""
    sure = [one for one in found if one[2]]
    used = sure if len(sure) >= min(2, len(found)) else found
    here = np.array([firsts[first].center_mm for first, _, _ in used]) @ (1, 1j)
    there = np.array([others[second].center_mm for _, second, _ in used]) @ (1, 1j)
    turn = np.vdot(there - there.mean(), here - here.mean())
    return _Way(turn / abs(turn) if abs(turn) > 1e-9 else 1, there.mean(), here.mean())


def _cover(tile: FoundTile, group: Sequence[_Sight]) -> float:
    """Return the overlap of a tile with the known part of another, as a share of the smaller."""
    shares = [0.0]
    for _, known in group:
        for one, other in ((tile, known), (known, tile)):
            at = np.floor(other.lattice_from_plane(one.places_mm())).astype(int).tolist()
            shares.append(sum((c, r) in other.reading.cells for c, r in at) / len(at))
    return max(shares)


def _are_on_lattice(group: Sequence[_Sight], tile: FoundTile) -> bool:
    """Return whether the cells of all sights coincide with cells of a tile's lattice."""
    return all(
        is_one_lattice(tile.lattice_from_plane(one.places_mm()), one.turn_deg - tile.turn_deg) for _, one in group
    )


def match_places(
    first: Sequence[FoundTile], second: Sequence[FoundTile], *, is_turned: bool
) -> list[tuple[int, int, bool]]:
    """Match the tiles of two photos. Return also whether shape and place agree well.

    A tile that is turned over shifts by about a cell.
    """
    if not first or not second:
        return []
    fits = _shapes_fit(first, second, is_turned=is_turned)
    a = np.array([tile.center_mm for tile in first])
    b = np.array([tile.center_mm for tile in second])
    moved = _laid_on(a, b, fits)
    away = np.linalg.norm(moved[:, None] - b[None], axis=2)
    cost = away + _FAR_MM * ~fits
    found = []
    for i, j in zip(*linear_sum_assignment(np.minimum(cost, _FAR_MM + _FAR_MM)), strict=True):
        if cost[i, j] > _FAR_MM + _FAR_MM / 4:
            continue
        others = [*np.delete(cost[i], j), *np.delete(cost[:, j], i)]
        is_sure = bool(fits[i, j]) and away[i, j] < 2 * CELL_MM and min(others, default=math.inf) > away[i, j] + 8.0
        found.append((int(i), int(j), is_sure))
    return found


def mirrored(cells: frozenset[Cell]) -> frozenset[Cell]:
    """Return the shape from its other side."""
    right = max(column for column, _ in cells)
    return frozenset((right - column, row) for column, row in cells)


def turned_shapes(cells: frozenset[Cell]) -> set[frozenset[Cell]]:
    """Return the shape in all four turns, each starting at column 0 and row 0."""
    shapes = set()
    for _ in range(4):
        left, top = min(column for column, _ in cells), min(row for _, row in cells)
        cells = frozenset((column - left, row - top) for column, row in cells)
        shapes.add(cells)
        cells = frozenset((-row, column) for column, row in cells)
    return shapes


class _Votes(NamedTuple):
    """The summed log odds of cells by all photos of one side.

    Args:
        cells: log odds by cell, on the first sight's lattice.
        elsewhere: the log odds of a cell that no photo examined.
        places: for each sight the turn and shift of its cells onto that lattice.
    """

    cells: dict[Cell, float]
    elsewhere: float
    places: tuple[_Placed, ...]

    @property
    def shape(self) -> frozenset[Cell]:
        return largest_part(self.cells)


class _Placed(NamedTuple):
    """Quarter turns clockwise, then a shift in columns and rows."""

    turns: int
    shift: Cell

    def of(self, cell: Cell) -> Cell:
        for _ in range(self.turns % 4):
            cell = (-cell[1], cell[0])
        return cell[0] + self.shift[0], cell[1] + self.shift[1]

    def back(self, cells: frozenset[Cell]) -> frozenset[Cell]:
        """Return the cells that are mapped there."""
        return frozenset(_Placed(-self.turns, (0, 0)).of((c - self.shift[0], r - self.shift[1])) for c, r in cells)


def _voted(group: Sequence[_Sight]) -> TileSight | None:
    """Combine all photos of one side. Their votes decide its cells."""
    return _of_cells(group, _votes_of(group)) if group else None


def _votes_of(group: Sequence[_Sight]) -> _Votes:
    """Sum the votes of one side's photos."""
    group = _first_the_best(group)
    first = group[0].tile
    places = [_placed_on(first, one.tile) for one in group]
    by_photo: dict[int, dict[Cell, float]] = {}
    missing: dict[int, float] = {}
    for one, placed in zip(group, places, strict=True):
        votes = by_photo.setdefault(one.photo, {})
        for cell, odds in _odds_of(one.tile).items():
            at = placed.of(cell)
            votes[at] = max(votes.get(at, -math.inf), min(max(odds, -_MOST), _MOST))
        # A part cut off by the photo's rim may continue.
        missing[one.photo] = max(missing.get(one.photo, -_MOST), 0.0 if one.tile.is_cut else -_MOST)
    cells = {cell for votes in by_photo.values() for cell in votes}
    summed = {cell: sum(votes.get(cell, missing[photo]) for photo, votes in by_photo.items()) for cell in cells}
    return _Votes(summed, sum(missing.values()), tuple(places))


def _first_the_best(group: Sequence[_Sight]) -> list[_Sight]:
    """Return the sights with the most frequent shape first, uncut ones before others, then the surer ones."""
    often = Counter(_shape(tile.reading.cells) for _, tile in group if not tile.is_cut)
    return sorted(group, key=lambda one: (one.tile.is_cut, -often[_shape(one.tile.reading.cells)], one.tile.doubt))


def _odds_of(tile: FoundTile) -> dict[Cell, float]:
    sure = {
        cell: math.log(max(chance, 1e-9) / max(1 - chance, 1e-9))
        for cell, chance in tile.reading.cell_confidence.items()
    }
    return {**tile.odds, **sure}


def _placed_on(first: FoundTile, tile: FoundTile) -> _Placed:
    """Return the place of a sight's cells on another one's lattice."""
    turns = round((tile.turn_deg - first.turn_deg) / 90)
    cells = sorted(tile.reading.cells)
    # A quarter turn moves the top left corner of a cell to another corner. The shift compensates for that.
    turned = np.array([_Placed(turns, (0, 0)).of(cell) for cell in cells]) + 0.5
    off = np.median(first.lattice_from_plane(tile.places_mm()) - turned, axis=0)
    return _Placed(turns, (round(float(off[0])), round(float(off[1]))))


def _of_cells(group: Sequence[_Sight], votes: _Votes) -> TileSight:
    """Read a side on the cells that its photos voted for."""
    group = _first_the_best(group)
    cells = votes.shape or group[0].tile.reading.cells
    wanted = _shape(cells)
    seen = [(one.tile, one.tile) for one in group if _shape(one.tile.reading.cells) == wanted]
    if not seen:
        moved = [(one.tile, one.tile.with_cells(at.back(cells))) for one, at in zip(group, votes.places, strict=True)]
        seen = [(source, tile) for source, tile in moved if tile is not None] or [(group[0].tile, group[0].tile)]
    sources = [source for source, _ in seen]
    others = [one.tile for one in group if all(one.tile is not source for source in sources)]
    return TileSight(best_of([tile.reading for _, tile in seen]), seen[0][1], (*sources, *others))


def _settled(fronts: Sequence[_Sight], backs: Sequence[_Sight]) -> tuple[TileSight, TileSight] | None:
    """Return both sides on the cells voted for by all photos of both, or None if they have little in common."""
    front, back = _votes_of(fronts), _votes_of(backs)
    turned = {(-column - 1, row): odds for (column, row), odds in back.cells.items()}
    over = back._replace(cells=turned)
    placed = max(_ways_to_lie(front.shape, over.shape), key=lambda way: _agreed(front, over, way)[1], default=None)
    if placed is None:
        return None
    cells, _ = _agreed(front, over, placed)
    if not cells:
        return None
    there = frozenset((-column - 1, row) for column, row in placed.back(cells))
    on_front = front._replace(cells=dict.fromkeys(cells, 1.0))
    on_back = back._replace(cells=dict.fromkeys(there, 1.0))
    sights = _of_cells(fronts, on_front), _of_cells(backs, on_back)
    is_alike = _shape(mirrored(sights[0].reading.cells)) == _shape(sights[1].reading.cells)
    return sights if is_alike else None


def _ways_to_lie(shape: frozenset[Cell], other: frozenset[Cell]) -> list[_Placed]:
    """Return the placements of another shape with large overlap on a shape."""
    ways = []
    for turns in range(4):
        cells = [_Placed(turns, (0, 0)).of(cell) for cell in other]
        shifts = Counter((c - a, r - b) for c, r in shape for a, b in cells)
        for shift, common in shifts.items():
            if common >= _COMMON * (len(shape) + len(other) - common):
                ways.append(_Placed(turns, shift))
    return ways


def _agreed(front: _Votes, over: _Votes, way: _Placed) -> tuple[frozenset[Cell], float]:
    """Return the joint cells of both sides under a placement of the other one, and their log odds.

    If one side shows too many cells, its shape fits the other's in several ways. The votes decide among them.
    """
    moved = {way.of(cell): odds for cell, odds in over.cells.items()}
    both = {
        cell: front.cells.get(cell, front.elsewhere) + moved.get(cell, over.elsewhere)
        for cell in front.cells.keys() | moved.keys()
    }
    cells = largest_part(both)
    return cells, sum(both[cell] for cell in cells)


def _is_seen_so(sight: TileSight) -> bool:
    """Return whether a photo shows a side with its decided cells."""
    wanted = _shape(sight.reading.cells)
    return any(_shape(tile.reading.cells) == wanted for tile in sight.photos)


def _is_stray(side: _Grouped, index: int, photos: Sequence[BoxPhoto]) -> bool:
    """Return whether only one photo shows a tile while another of the same side shows its place without it."""
    group = side.groups[index]
    number, tile = group[0]
    if tile.is_cut or any(one.photo != number for one in group):
        return False
    middle = tuple(tile.places_mm().mean(axis=0).tolist())
    for other, (way, photo) in enumerate(zip(side.ways, photos, strict=True)):
        if other != number and way is not None:
            rim = way.places(photo.rim_mm).astype(np.float32)
            if cv2.pointPolygonTest(rim, middle, False) > 0:
                return True
    return False


def _matched(fronts: Sequence[TileSight | None], backs: Sequence[TileSight | None]) -> list[tuple[int, int, bool]]:
    """Return fronts with their backs by place, and whether each pair is sure."""
    known = [[(index, one.seen) for index, one in enumerate(some) if one is not None] for some in (fronts, backs)]
    found = match_places(*([tile for _, tile in some] for some in known), is_turned=True)
    return [(known[0][first][0], known[1][second][0], is_sure) for first, second, is_sure in found]


def _shape(cells: frozenset[Cell]) -> frozenset[Cell]:
    """Return the shape in a canonical turn."""
    return min(turned_shapes(cells), key=sorted)


def _is_alone(first: int, second: int, found: Sequence[tuple[int, int, bool]]) -> bool:
    """Return whether all other pairs of the batch are sure, so that these two sides must belong together."""
    return all(is_sure for i, j, is_sure in found if (i, j) != (first, second))


def _shapes_fit(first: Sequence[FoundTile], second: Sequence[FoundTile], *, is_turned: bool) -> Bool[Numbers, "n m"]:
    wanted = [turned_shapes(mirrored(t.reading.cells) if is_turned else t.reading.cells) for t in first]
    shapes = [next(iter(turned_shapes(tile.reading.cells))) for tile in second]
    fits: Flags = np.array([[shape in some for shape in shapes] for some in wanted])
    return fits


def _laid_on(a: Float[Numbers, "n 2"], b: Float[Numbers, "m 2"], fits: Bool[Numbers, "n m"]) -> Float[Numbers, "n 2"]:
    """Return the first places, rotated and shifted so that most lie on places of the second with their shape."""
    ways = [(0.0, b.mean(axis=0) - a.mean(axis=0))]
    pairs = np.argwhere(fits)
    rng = np.random.default_rng(0)
    for k, m in rng.integers(0, max(len(pairs), 1), (_TRIES if len(pairs) > 1 else 0, 2)).tolist():
        (i, j), (p, q) = pairs[k], pairs[m]
        if i == p or j == q:
            continue
        from_a, from_b = a[p] - a[i], b[q] - b[j]
        if np.linalg.norm(from_a) < 60 or abs(np.linalg.norm(from_a) - np.linalg.norm(from_b)) > 2 * CELL_MM:
            continue
        turn = math.atan2(from_b[1], from_b[0]) - math.atan2(from_a[1], from_a[0])
        turn = (turn + math.pi) % (2 * math.pi) - math.pi
        middle = (a[i] + a[p]) / 2 @ _rotation(turn).T
        ways.append((turn, (b[j] + b[q]) / 2 - middle))
    best, best_score = ways[0], -math.inf
    for turn, shift in ways:
        away = np.linalg.norm((a @ _rotation(turn).T + shift)[:, None] - b[None], axis=2)
        near = np.exp(-0.5 * (away / CELL_MM) ** 2) * np.where(fits, 1.0, 0.15)
        score = float(near.max(axis=1).sum()) - _BY_TURN * abs(turn)
        if score > best_score:
            best, best_score = (turn, shift), score
    laid: Numbers = a @ _rotation(best[0]).T + best[1]
    return laid


def _rotation(turn_rad: float) -> Float[Numbers, "2 2"]:
    c, s = math.cos(turn_rad), math.sin(turn_rad)
    return np.array([[c, -s], [s, c]])
