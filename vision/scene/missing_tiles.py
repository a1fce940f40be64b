"""Search for the box's missing tiles beside a known board, by print patches, colour, outline and neighbours.

The first search (``tiles.placements``) compares whole cells and tolerates little. Beside a known board less evidence is
enough: the lattice and the look of prints in this photo are known, few tiles are left in the box, and all places
compete. The steps:

1. ``_first_look``: every free place of every remaining print that touches the board, by a quick measure.
2. ``_at_best_shift``: the best of these at every shift of a few millimetres.
3. ``_place``: close judgement in two sums. ``of_any`` is the evidence that any tile lies on these cells (printed, not
   bare table), ``of_this`` that it is this print. They stay separate, since an unknown tile shares only the first, and
   of the second what the box's other tiles show in the same places, too (``of_style``).
4. ``_add_rivals``: the chance of a place among all that share a cell with it, an unknown tile, and nothing.

Likely tiles are placed. Merely possible ones become doubts (``vision.scene.ground_doubts``).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import nlargest, nsmallest
from itertools import product
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

from assistant.table.lattice import Cell, connected_groups, neighbors
from calibration.arrays import Flags, Numbers
from vision.learned import log_odds_of
from vision.scene.tile_choice import ASIDE_MM, MOST_RIVALS, best_choice
from vision.tiles.board_view import BoardView
from vision.tiles.placements import (
    AROUND_CELLS,
    TilePlacement,
    by_strength,
    cells_of,
    lying_chance,
    piece_at,
    piece_of,
    span_of,
)
from vision.tiles.print_patches import (
    PER_SIDE,
    PrintColors,
    PrintPatches,
    SeenPatches,
    by_color,
    by_pattern,
    first_measure,
    other_than_table,
    print_colors,
    print_patches,
    seen_patches,
    usual_likeness,
)
from vision.tiles.prints import TilePrints

_SHIFTED, _JUDGED = 200, 60
"""Number of places tried at every shift, and of places judged closely, the best by the quick measure."""

_FIRST = 0.1
"""Weight in the quick measure of cells that look printed, and of sides on the board, since a tile may be almost
hidden."""

_BY_COLOR, _BY_LEFT_OVER = 0.1, 1.2
"""Weights, relative to the pattern's, of the evidence for this print: log odds by colour, and free printed-looking
cells beside the tile, which it should have covered."""

_BY_PRINT, _BY_NO_TABLE = 0.3, 0.45
"""Weights of the evidence for any tile: log odds that a cell is printed, and that it is not the bare table."""

_RATHER_TABLE, _NO_TABLE = -1.0, 0.9
"""Log odds of print below which a cell is a sample of the bare table, and log odds above which it is not bare."""

_MOST_PRINTED = 3.0
"""Cap on the log odds of a cell for print or against it."""

_NOTHING = 5.5
"""Log odds of nothing on the cells of a placement. It and the weights above were fitted to 72 ray-traced photos of 12
sets (901 to 912), with each tile left out in turn: unchanged, half hidden, hidden, and with its piece out of the box
(`vision/data/RECORD.md`)."""

_LAY_THERE = 4.0
"""Log odds that a tile of the last picture still lies in its place, against a tile of no set there."""

_LOOSE_CELLS = 1600
"""Largest table on which large shifts are tried. 25 pictures of a larger one would take over a hundred megabytes."""

_RATHER = 0.5
"""Least chance that a tile lies on exactly these cells, for its likeliest print to be placed. Figures stand on it
whichever print it is. The other prints and turns become doubts."""


class MissingTiles(NamedTuple):
    """The tiles found, possible but unlikely ones, and groups of cells where something may hide a tile.

    ``known`` are the known tiles. Prints of other known tiles that fit almost as well are rivals, too.
    """

    found: list[TilePlacement]
    possible: list[TilePlacement]
    hidden: list[frozenset[Cell]]
    known: list[TilePlacement]


def find_missing_tiles(
    board: BoardView,
    placements: Sequence[TilePlacement],
    printed: Mapping[Cell, float],
    prints: TilePrints,
    bare: frozenset[Cell] = frozenset(),
    earlier: Collection[TilePlacement] = (),
) -> MissingTiles:
    """Return the box's tiles beside the board. No found tile shares a cell with another or with the board.

    Args:
        board: the board of the known tiles.
        placements: the known tiles.
        printed: the chance that a cell beside the board is print (``vision.tiles.unknown``).
        prints: the tile set.
        bare: cells that surely have no tile.
        earlier: placements of this table's tiles in earlier photos, on this board's lattice. They may still hold.
    """
    used = {piece_at(placement, prints) for placement in placements}
    left = [i for i, p in enumerate(prints.prints) if piece_of(p.side.id) not in used]
    search = _search(board, placements, printed, prints, bare)
    if not left:
        return MissingTiles([], [], [], _add_copies(search, placements, prints))
    # A tile whose print or turn was open may have been any of its rivals.
    still = {
        p.key: replace(p, candidate=None, rivals=())
        for p in (one for tile in earlier for one in (tile, *tile.rivals))
        if p.print_index in left and search.is_free(cells_of(p, prints))
    }
    shifted = (_at_best_shift(search.seen, placement, prints) for placement in _first_look(search, left, prints))
    best = [p for p in sorted(shifted, key=by_strength)[:_JUDGED] if p.key not in still]
    places = [_place(search, placement, prints) for placement in best]
    for placement in still.values():
        place = _place(search, _at_best_shift(search.seen, placement, prints), prints)
        places.append(place._replace(of_this=place.of_this + _LAY_THERE))
    judged = [_add_rivals(place, places) for place in places]
    likely = [p for p in judged if lying_chance(p) > _RATHER and all(rival.log_odds <= 0 for rival in p.rivals)]
    found = best_choice(likely, prints)
    taken = board.cells.union(*(cells_of(placement, prints) for placement in found))
    used = {piece_at(placement, prints) for placement in found}
    possible = [p for p in judged if not cells_of(p, prints) & taken and piece_at(p, prints) not in used]
    return MissingTiles(found, possible, _hidden(search, left, prints), _add_copies(search, placements, prints))


class _Place(NamedTuple):
    """A placement with its cells, and log odds: of any tile there, of this tile, and of another one of its style."""

    placement: TilePlacement
    cells: frozenset[Cell]
    of_any: float
    of_this: float
    of_style: float

    @property
    def log_odds(self) -> float:
        return self.of_any + self.of_this


class _Search(NamedTuple):
    """The searched part of the lattice round the board, and the evidence in it by row and column.

    Args:
        seen: its patches.
        free: cells without a known tile or an open marker.
        sides: number of each cell's sides shared with the board.
        printed: log odds that a cell is print.
        no_table: log odds that a cell is not the bare table.
        colors: the colours of prints in this photo.
    """

    seen: SeenPatches
    free: Bool[Flags, "rows columns"]
    sides: Int[Numbers, "rows columns"]
    printed: Float[Numbers, "rows columns"]
    no_table: Float[Numbers, "rows columns"]
    colors: PrintColors

    def at(self, cells: Iterable[Cell]) -> tuple[Int[Numbers, " n"], Int[Numbers, " n"]]:
        """Return rows and columns of the cells in the searched part."""
        rows, columns = self.free.shape
        places = [(row - self.seen.first[1], column - self.seen.first[0]) for column, row in cells]
        inside = [(row, column) for row, column in places if 0 <= row < rows and 0 <= column < columns]
        row, column = np.array(inside, dtype=int).reshape(-1, 2).T
        return row, column

    def is_free(self, cells: frozenset[Cell]) -> bool:
        """Return whether all cells lie in the searched part, without a known tile or an open marker."""
        at = self.at(cells)
        return len(at[0]) == len(cells) and bool(self.free[at].all())

    def left_over(self, cells: frozenset[Cell]) -> int:
        """Return the number of free cells beside some cells that look printed and unlike the bare table."""
        around = {beside for cell in cells for beside in neighbors(cell)}
        beside = self.at(around - cells)
        is_left = self.free[beside] & (self.printed[beside] > 0) & (self.no_table[beside] > _NO_TABLE)
        return int(is_left.sum())


def _search(
    board: BoardView,
    placements: Sequence[TilePlacement],
    printed: Mapping[Cell, float],
    prints: TilePrints,
    bare: frozenset[Cell],
) -> _Search:
    first, last = span_of(board.cells, AROUND_CELLS)
    shape = last[1] - first[1], last[0] - first[0]
    # A single tile is weak evidence for the turn of the lattice.
    loosely = board.lattice.bend is not None or len(placements) == 1
    seen = seen_patches(board, first, last, loosely=loosely and math.prod(shape) <= _LOOSE_CELLS)
    free, sides, odds = np.ones(shape, dtype=bool), np.zeros(shape, dtype=int), np.zeros(shape)
    for column, row in board.cells:
        x, y = column - first[0], row - first[1]
        free[y, x] = False
        # No bounds check is needed: the searched part has a margin round the board.
        for c, r in neighbors((column, row)):
            sides[r - first[1], c - first[0]] += 1
    for column, row in bare:
        if first[0] <= column < last[0] and first[1] <= row < last[1]:
            free[row - first[1], column - first[0]] = False
    for (column, row), chance in printed.items():
        odds[row - first[1], column - first[0]] = np.clip(log_odds_of(chance), -_MOST_PRINTED, _MOST_PRINTED)
    known = [(print_patches(prints)[p.print_index][p.quarters], np.array([p.corner])) for p in placements]
    index = np.concatenate([seen.index_of(patches, corner)[0] for patches, corner in known])
    in_view = seen.in_view[index]
    own = np.concatenate([patches.log_colors for patches, _ in known])
    is_table = np.kron(free & (odds < _RATHER_TABLE), np.ones((PER_SIDE, PER_SIDE), dtype=bool)).ravel()
    colors = print_colors(own[in_view], seen.log_colors[index[in_view]])
    return _Search(seen, free, sides, odds, other_than_table(seen, is_table), colors)


def _first_look(search: _Search, left: Sequence[int], prints: TilePrints) -> list[TilePlacement]:
    """Return the best places of these prints beside the board, at each turn, by the quick measure.

    It tries the coarse shifts only.
    """
    found = [
        (-strong, print_index, quarters, (column, row))
        for print_index in left
        for quarters, patches in enumerate(print_patches(prints)[print_index])
        for column, row, strong in _measure_quickly(search, patches)
    ]
    return [TilePlacement(i, quarters, corner, -weak, None) for weak, i, quarters, corner in nsmallest(_SHIFTED, found)]


def _measure_quickly(search: _Search, patches: PrintPatches) -> Iterator[tuple[int, int, float]]:
    """Yield column and row of every place of a turned print beside the board, and its quick measure."""
    seen = search.seen
    corners, evidence = _places_of(search, patches)
    if not len(corners):
        return
    index = seen.index_of(patches, corners)
    # Places overlap. Compare each patch once, then gather the results for all places.
    used, inverse = np.unique(index, return_inverse=True)
    likeness = seen.vectors[seen.coarse][:, used] @ patches.vectors.T
    evidence_of = first_measure(likeness, patches.contrast) * seen.in_view[used][:, None]
    strength = evidence_of[:, inverse.reshape(index.shape), np.arange(len(patches.rows))].sum(axis=2).max(axis=0)
    yield from zip(*corners.T.tolist(), (strength + evidence).tolist(), strict=True)


def _at_best_shift(seen: SeenPatches, placement: TilePlacement, prints: TilePrints) -> TilePlacement:
    """Return the placement at the shift where it is most like its print, with its quick measure there."""
    patches = print_patches(prints)[placement.print_index][placement.quarters]
    index = seen.index_of(patches, np.array([placement.corner]))[0]
    likeness = np.einsum("snv,nv->sn", seen.vectors[:, index], patches.vectors)
    measure = (first_measure(likeness, patches.contrast) * seen.in_view[index]).sum(axis=1)
    more = float(measure.max() - measure[seen.coarse].max())
    return replace(placement, strength=placement.strength + more, shift=seen.shifts[int(measure.argmax())])


def _places_of(search: _Search, patches: PrintPatches) -> tuple[Int[Numbers, "k 2"], Float[Numbers, " k"]]:
    """Return the corners of all placements on free cells that touch the board, with their evidence besides the look."""
    rows, columns = search.free.shape
    width, height = patches.size_cells
    shape = rows - height + 1, columns - width + 1
    if min(shape) < 1:
        return np.zeros((0, 2), dtype=int), np.zeros(0)
    is_free, sides, odds = np.ones(shape, dtype=bool), np.zeros(shape), np.zeros(shape)
    for row, column in {(r // PER_SIDE, c // PER_SIDE) for r, c in zip(patches.rows, patches.columns, strict=True)}:
        part = slice(row, row + shape[0]), slice(column, column + shape[1])
        is_free &= search.free[part]
        sides += search.sides[part]
        odds += search.printed[part]
    row, column = np.nonzero(is_free & (sides > 0))
    first = search.seen.first
    evidence = _FIRST * (odds[row, column] + sides[row, column])
    return np.column_stack([column + first[0], row + first[1]]), evidence


def _hidden(search: _Search, left: Sequence[int], prints: TilePrints) -> list[frozenset[Cell]]:
    """Return the groups of cells beside the board where one of these prints would show no bare table."""
    covered = search._replace(free=search.free & (search.no_table > _NO_TABLE))
    cells: set[Cell] = set()
    for patches in (turned for print_index in left for turned in print_patches(prints)[print_index]):
        own = np.column_stack([patches.columns, patches.rows]) // PER_SIDE
        for corner in _places_of(covered, patches)[0]:
            cells |= {(column, row) for column, row in (corner + own).tolist()}
    return sorted(connected_groups(cells), key=min)


def _place(search: _Search, placement: TilePlacement, prints: TilePrints) -> _Place:
    """Judge a placement closely."""
    cells, evidence = cells_of(placement, prints), _evidence_of(search, placement, prints)
    at = search.at(cells)
    of_any = _BY_NO_TABLE * float(search.no_table[at].sum()) + _BY_PRINT * float(search.printed[at].sum())
    left_over = _BY_LEFT_OVER * search.left_over(cells)
    return _Place(placement, cells, of_any, evidence.of_this - left_over, evidence.of_style)


class _Evidence(NamedTuple):
    """Log odds of a print, and of another one of its style, by what the photo shows of it."""

    of_this: float
    of_style: float


def _evidence_of(search: _Search, placement: TilePlacement, prints: TilePrints) -> _Evidence:
    patches = print_patches(prints)[placement.print_index][placement.quarters]
    usual = usual_likeness(prints)[placement.print_index][placement.quarters]
    seen = search.seen
    index = seen.index_of(patches, np.array([placement.corner]))[0]
    in_view = seen.in_view[index]
    vectors = seen.vectors[seen.shifts.index(placement.shift), index]
    likeness = np.einsum("nv,nv->n", vectors, patches.vectors)[in_view]
    contrast = patches.contrast[in_view]
    off = seen.log_colors[index] - search.colors.seen(patches.log_colors)
    pattern = by_pattern(likeness, contrast)
    of_this = (
        pattern
        + _BY_COLOR * by_color(off[in_view], search.colors.error)
        - 0.5 * (math.hypot(*placement.shift) / ASIDE_MM) ** 2
    )
    return _Evidence(of_this, pattern - by_pattern(likeness, contrast, usual.of(in_view)))


def _add_copies(search: _Search, placements: Sequence[TilePlacement], prints: TilePrints) -> list[TilePlacement]:
    """Return the known tiles, with other tiles' prints that fit almost as well in their places as rivals.

    A tile of no set often shares a part of its print with several tiles of one that looks alike. It fits a known tile
    as well as the one that it was taken for.
    """
    pieces = {piece_at(placement, prints) for placement in placements}
    known = [i for i, p in enumerate(prints.prints) if piece_of(p.side.id) in pieces]
    return [_add_copies_of(search, placement, known, prints) for placement in placements]


def _add_copies_of(
    search: _Search, placement: TilePlacement, known: Sequence[int], prints: TilePrints
) -> TilePlacement:
    cells, named = cells_of(placement, prints), {rival.key for rival in placement.rivals}
    own = _evidence_of(search, _at_best_shift(search.seen, placement, prints), prints).of_this
    alike = (
        replace(placement, print_index=index, quarters=quarters, candidate=None, rivals=())
        for index, quarters in product(known, range(4))
        if piece_of(prints.prints[index].side.id) != piece_at(placement, prints)
    )
    there = [_at_best_shift(search.seen, one, prints) for one in alike if cells_of(one, prints) == cells]
    copies = [
        replace(one, log_odds=_evidence_of(search, one, prints).of_this - own) for one in there if one.key not in named
    ]
    best = nlargest(MOST_RIVALS, (*placement.rivals, *copies), key=lambda rival: rival.log_odds)
    return replace(placement, rivals=tuple(best))


def _add_rivals(place: _Place, places: Iterable[_Place]) -> TilePlacement:
    """Return the placement with the summed log odds of all prints on exactly its cells, the others as rivals.

    It competes with all placements that share a cell with it, with an unknown tile, and with nothing.
    """
    others = [one for one in places if one is not place and one.cells & place.cells]
    alike = sorted((one for one in others if one.cells == place.cells), key=lambda one: -one.log_odds)[:MOST_RIVALS]
    ways = [place.log_odds, *(one.log_odds for one in others), _NOTHING, place.of_any + place.of_style]
    on_just_these = np.logaddexp.reduce([place.log_odds, *(one.log_odds for one in alike)]) - np.logaddexp.reduce(ways)
    rivals = tuple(replace(one.placement, log_odds=one.log_odds - place.log_odds) for one in alike)
    return replace(place.placement, log_odds=log_odds_of(math.exp(on_just_these)), rivals=rivals)
