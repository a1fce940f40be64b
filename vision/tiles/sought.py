"""Tiles of the box that are sought beside those that are known: by scraps of print, colour, outline and neighbours.

The first look (``tiles.placements``) asks each cell as a whole and forgives little. Beside a known board less is
enough: the lattice and the way in which the prints look in this photo are given, the box holds only a few tiles more,
and each place on which one may lie can be compared with every other. What is likely is placed; what is only possible is
told as a doubt (``vision.scene.ground_doubts``).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import nsmallest
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

from assistant.table.lattice import Cell
from calibration.arrays import Flags, Numbers
from vision.learned import log_odds_of
from vision.tiles.bare_table import other_than_table
from vision.tiles.board_view import BoardView
from vision.tiles.choice import best_choice
from vision.tiles.placements import TilePlacement, cells_of, confidence_of, piece_at, piece_of
from vision.tiles.print_patch_evidence import PrintColors, by_color, by_pattern, first_measure, print_colors
from vision.tiles.print_patches import PARTS, PrintedScraps, SeenScraps, printed_scraps, seen_scraps
from vision.tiles.prints import TilePrints
from vision.tiles.unknown import AROUND_CELLS

_SHIFTED, _JUDGED = 200, 60
"""So many places, the best by the first measure, are looked at at every shift, and so many of these judged closely."""

_FIRST_BY_PRINT, _FIRST_BY_SIDES = 0.1, 0.1
"""What looks like print, and touching the board, count so much in the first measure: a tile may be all but hidden."""

_BY_COLOR, _BY_SHIFT, _BY_LEFT_OVER = 0.1, 0.3, 1.2
"""Weights beside that of the pattern of what tells which print it is: log odds by colour, the square of the shift in
steps of 2 mm, and free cells beside the tile that look printed, which it ought to have covered."""

_BY_PRINT, _BY_NO_TABLE, _MOST_BY_NO_TABLE = 0.3, 0.45, 10.0
"""Weights of what tells that any tile lies there: log odds that a cell is printed, and that it is not the bare table.
Of the latter so much counts at most, since bodies and cards hide the table, too."""

_RATHER_TABLE, _NO_TABLE = -1.0, 0.9
"""Log odds of print up to which a cell tells how the bare table looks, and log odds from which on it is not bare."""

_MOST_PRINTED = 3.0
"""Log odds beyond which a cell is not said to be print, or none."""

_NOTHING, _STRANGE = 5.5, 1.7
"""Log odds for nothing lying on the cells of a placement, and for a tile of no set against one that shows nothing of
itself. With the weights above fitted to 72 ray-traced photos of 12 sets (901 to 912), each tile left out in turn, as it
was, half hidden, hidden, and with its piece out of the box (`vision/data/RECORD.md`)."""

_LOOSE_CELLS = 1600
"""On larger tables only small shifts are tried: 25 pictures of them would take more than a hundred megabytes."""

_ASIDE = (1, 0), (-1, 0), (0, 1), (0, -1)
_RIVALS = 3
_STEP_MM = 2.1
_RATHER, _AHEAD = 0.5, 2.5
"""A tile is placed that is likelier than all else together, and ahead by so many log odds of each that may lie on just
its cells: the few scraps that tell its turn err together. Of 426 tiles of 36 sets one wrong turn was ahead by 2.2; the
right ones that only this would refuse were ahead by 2.6 and more."""


class SoughtTiles(NamedTuple):
    """Tiles that were found, and those that may lie there, but are less likely to than not."""

    found: list[TilePlacement]
    possible: list[TilePlacement]


def sought_tiles(
    board: BoardView,
    placements: Sequence[TilePlacement],
    printed: Mapping[Cell, float],
    prints: TilePrints,
    bare: frozenset[Cell] = frozenset(),
) -> SoughtTiles:
    """The tiles of the box that lie beside the board; none that is found shares a cell with another or with the board.

    Args:
        board: the board that the known tiles make.
        placements: the known tiles.
        printed: the chance that a cell beside the board is print (``vision.tiles.unknown``).
        prints: the tile set.
        bare: cells on which surely no tile lies.
    """
    judged = _judged(board, placements, printed, prints, bare)
    likely = [placement for placement in judged if _is_clear(placement)]
    found = best_choice(likely, prints)
    taken = board.cells.union(*(cells_of(placement, prints) for placement in found))
    used = {piece_at(placement, prints) for placement in found}
    possible = [p for p in judged if not cells_of(p, prints) & taken and piece_at(p, prints) not in used]
    return SoughtTiles(found, possible)


class _Place(NamedTuple):
    """A placement with its cells, the log odds that any tile lies there, and those of this one besides."""

    placement: TilePlacement
    cells: frozenset[Cell]
    of_any: float
    of_this: float

    @property
    def log_odds(self) -> float:
        """Log odds of this tile lying there against nothing."""
        return self.of_any + self.of_this


class _Search(NamedTuple):
    """What is looked at: a part of the lattice round the board, and what is known of it.

    Args:
        seen: its scraps.
        free: which cells a tile may lie on: none is known there, and no marker lies open, (rows, columns).
        sides: how many sides each cell shares with the board, (rows, columns).
        printed: log odds that a cell is print, (rows, columns).
        no_table: log odds that a cell is not the bare table, (rows, columns).
        colors: how prints come out.
    """

    seen: SeenScraps
    free: Bool[Flags, "rows columns"]
    sides: Int[Numbers, "rows columns"]
    printed: Float[Numbers, "rows columns"]
    no_table: Float[Numbers, "rows columns"]
    colors: PrintColors

    def at(self, cells: Iterable[Cell]) -> tuple[Int[Numbers, " n"], Int[Numbers, " n"]]:
        """Rows and columns of those of the cells that are looked at, (N,) each."""
        rows, columns = self.free.shape
        places = [(row - self.seen.first[1], column - self.seen.first[0]) for column, row in cells]
        inside = [(row, column) for row, column in places if 0 <= row < rows and 0 <= column < columns]
        row, column = np.array(inside, dtype=int).reshape(-1, 2).T
        return row, column

    def left_over(self, cells: frozenset[Cell]) -> int:
        """How many free cells beside some cells look printed and not like the bare table."""
        around = {(c + right, r + down) for c, r in cells for right, down in _ASIDE}
        beside = self.at(around - cells)
        is_left = self.free[beside] & (self.printed[beside] > 0) & (self.no_table[beside] > _NO_TABLE)
        return int(is_left.sum())


def _judged(
    board: BoardView,
    placements: Sequence[TilePlacement],
    printed: Mapping[Cell, float],
    prints: TilePrints,
    bare: frozenset[Cell],
) -> list[TilePlacement]:
    """The likeliest placements beside the board with their log odds and rivals, whatever these are."""
    used = {piece_at(placement, prints) for placement in placements}
    left = [i for i, p in enumerate(prints.prints) if piece_of(p.side.id) not in used]
    if not left:
        return []
    search = _search(board, placements, printed, prints, bare)
    first = _first_look(search, left, prints)
    shifted = (_at_best_shift(search.seen, placement, prints) for placement in first)
    places = [_place(search, placement, prints) for placement in sorted(shifted, key=_by_strength)[:_JUDGED]]
    return [_with_rivals(place, places) for place in places]


def _search(
    board: BoardView,
    placements: Sequence[TilePlacement],
    printed: Mapping[Cell, float],
    prints: TilePrints,
    bare: frozenset[Cell],
) -> _Search:
    columns, rows = [c for c, _ in board.cells], [r for _, r in board.cells]
    first = (min(columns) - AROUND_CELLS, min(rows) - AROUND_CELLS)
    last = (max(columns) + 1 + AROUND_CELLS, max(rows) + 1 + AROUND_CELLS)
    shape = last[1] - first[1], last[0] - first[0]
    # A single tile does not tell the turn of the lattice well.
    loosely = board.lattice.bend is not None or len(placements) == 1
    seen = seen_scraps(board, first, last, loosely=loosely and math.prod(shape) <= _LOOSE_CELLS)
    free, sides, odds = np.ones(shape, dtype=bool), np.zeros(shape, dtype=int), np.zeros(shape)
    for column, row in board.cells:
        x, y = column - first[0], row - first[1]
        free[y, x] = False
        # The board keeps its distance from the rim of what is looked at.
        for right, down in _ASIDE:
            sides[y + down, x + right] += 1
    for column, row in bare:
        if first[0] <= column < last[0] and first[1] <= row < last[1]:
            free[row - first[1], column - first[0]] = False
    for (column, row), chance in printed.items():
        odds[row - first[1], column - first[0]] = np.clip(log_odds_of(chance), -_MOST_PRINTED, _MOST_PRINTED)
    known = [(printed_scraps(prints)[p.print_index][p.quarters], np.array([p.corner])) for p in placements]
    index = np.concatenate([seen.index_of(scraps, corner)[0] for scraps, corner in known])
    in_view = seen.in_view[index]
    own = np.concatenate([scraps.log_colors for scraps, _ in known])
    is_table = np.kron(free & (odds < _RATHER_TABLE), np.ones((PARTS, PARTS), dtype=bool)).ravel()
    colors = print_colors(own[in_view], seen.log_colors[index[in_view]])
    return _Search(seen, free, sides, odds, other_than_table(seen, is_table), colors)


def _first_look(search: _Search, left: Sequence[int], prints: TilePrints) -> list[TilePlacement]:
    """The best places of these prints beside the board, at each turn, by their first measure at the coarse shifts."""
    found = [
        (-strong, print_index, quarters, (column, row))
        for print_index in left
        for quarters, scraps in enumerate(printed_scraps(prints)[print_index])
        for column, row, strong in _first_measured(search, scraps)
    ]
    return [TilePlacement(i, quarters, corner, -weak, None) for weak, i, quarters, corner in nsmallest(_SHIFTED, found)]


def _first_measured(search: _Search, scraps: PrintedScraps) -> Iterator[tuple[int, int, float]]:
    """Column and row of every place of a turned print beside the board, and its first measure."""
    seen = search.seen
    corners, evidence = _places_of(search, scraps)
    if not len(corners):
        return
    index = seen.index_of(scraps, corners)
    used, inverse = np.unique(index, return_inverse=True)
    likeness = seen.vectors[seen.coarse][:, used] @ scraps.vectors.T
    said = first_measure(likeness, scraps.contrast) * seen.in_view[used][:, None]
    strength = said[:, inverse.reshape(index.shape), np.arange(len(scraps.rows))].sum(axis=2).max(axis=0)
    yield from zip(*corners.T.tolist(), (strength + evidence).tolist(), strict=True)


def _at_best_shift(seen: SeenScraps, placement: TilePlacement, prints: TilePrints) -> TilePlacement:
    """The placement at the shift where it looks most like its print, with its first measure there."""
    scraps = printed_scraps(prints)[placement.print_index][placement.quarters]
    index = seen.index_of(scraps, np.array([placement.corner]))[0]
    likeness = np.einsum("snv,nv->sn", seen.vectors[:, index], scraps.vectors)
    said = (first_measure(likeness, scraps.contrast) * seen.in_view[index]).sum(axis=1)
    more = float(said.max() - said[seen.coarse].max())
    return replace(placement, strength=placement.strength + more, shift=seen.shifts[int(said.argmax())])


def _places_of(search: _Search, scraps: PrintedScraps) -> tuple[Int[Numbers, "k 2"], Float[Numbers, " k"]]:
    """The corners of all placements on free cells that touch the board, (K, 2), and their evidence beside the look."""
    rows, columns = search.free.shape
    width, height = scraps.size_cells
    shape = rows - height + 1, columns - width + 1
    if min(shape) < 1:
        return np.zeros((0, 2), dtype=int), np.zeros(0)
    is_free, sides, odds = np.ones(shape, dtype=bool), np.zeros(shape), np.zeros(shape)
    for row, column in {(r // PARTS, c // PARTS) for r, c in zip(scraps.rows, scraps.columns, strict=True)}:
        part = slice(row, row + shape[0]), slice(column, column + shape[1])
        is_free &= search.free[part]
        sides += search.sides[part]
        odds += search.printed[part]
    row, column = np.nonzero(is_free & (sides > 0))
    first = search.seen.first
    evidence = _FIRST_BY_PRINT * odds[row, column] + _FIRST_BY_SIDES * sides[row, column]
    return np.column_stack([column + first[0], row + first[1]]), evidence


def _place(search: _Search, placement: TilePlacement, prints: TilePrints) -> _Place:
    """The placement, judged closely."""
    scraps = printed_scraps(prints)[placement.print_index][placement.quarters]
    seen, cells = search.seen, cells_of(placement, prints)
    index = seen.index_of(scraps, np.array([placement.corner]))[0]
    in_view = seen.in_view[index]
    vectors = seen.vectors[seen.shifts.index(placement.shift), index]
    likeness = np.einsum("nv,nv->n", vectors, scraps.vectors)
    off = seen.log_colors[index] - search.colors.seen(scraps.log_colors)
    steps = float(np.sum(np.square(placement.shift))) / _STEP_MM**2
    of_this = (
        by_pattern(likeness[in_view], scraps.contrast[in_view])
        + _BY_COLOR * by_color(off[in_view], search.colors.error)
        - _BY_SHIFT * steps
        - _BY_LEFT_OVER * search.left_over(cells)
    )
    at = search.at(cells)
    no_table = min(_BY_NO_TABLE * float(search.no_table[at].sum()), _MOST_BY_NO_TABLE)
    return _Place(placement, cells, no_table + _BY_PRINT * float(search.printed[at].sum()), of_this)


def _with_rivals(place: _Place, places: Iterable[_Place]) -> TilePlacement:
    """The placement with the log odds that it or one on just its cells lies there, and those others.

    It is weighed against all that share a cell with it, against a tile that nobody knows, and against nothing.
    """
    others = [one for one in places if one is not place and one.cells & place.cells]
    alike = sorted((one for one in others if one.cells == place.cells), key=lambda one: -one.log_odds)[:_RIVALS]
    ways = [place.log_odds, *(one.log_odds for one in others), _NOTHING, _STRANGE + place.of_any]
    on_just_these = np.logaddexp.reduce([place.log_odds, *(one.log_odds for one in alike)]) - np.logaddexp.reduce(ways)
    rivals = tuple(replace(one.placement, log_odds=one.log_odds - place.log_odds) for one in alike)
    return replace(place.placement, log_odds=log_odds_of(math.exp(on_just_these)), rivals=rivals)


def _is_clear(placement: TilePlacement) -> bool:
    ahead = all(rival.log_odds <= -_AHEAD for rival in placement.rivals)
    return ahead and confidence_of(placement) > _RATHER


def _by_strength(placement: TilePlacement) -> tuple[float, int, int, Cell]:
    return -placement.strength, placement.print_index, placement.quarters, placement.corner
