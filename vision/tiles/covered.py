"""Heavily covered tiles, whose print is too little evidence cell by cell.

Cells beside the board may look like unknown print (``vision.tiles.unknown``): tiles of the set may lie there under a
crowd. There are few ways to lay the box's remaining tiles on exactly those cells. Each way is compared with the photo
pixel by pixel (``vision.tiles.pixels``). The best is accepted if it clearly leads every other. Otherwise the tiles stay
unknown.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from jaxtyping import Float32

from assistant.table.lattice import Cell, grow, neighbors
from calibration.arrays import Singles
from vision.tiles.board_view import BoardView
from vision.tiles.pixels import PixelView, pixel_view
from vision.tiles.placements import TilePlacement, cells_of, piece_at
from vision.tiles.prints import TilePrints

_MOST_CELLS = 40
"""Largest searched outline. A larger one is more likely a cloth or another game, and takes long."""

_LEAST_A_CELL = -4.0
"""Least log odds per cell of a tile to try in combinations."""

_LEAST_ON_ALL = -0.5
"""Least log odds per cell of a whole way. It is below 0, since in a dark and noisy photo even open print looks slightly
different."""

_HOLE_SIDES = 3
"""Neighbouring sides with print from which a cell is possible print, too."""

_MOST_LEFT_OVER = 1
"""Most cells that look printed and stay uncovered, such as under a body that leans out over the table."""

_LEFT_OVER, _HIDDEN = 4.0, 1.0
"""Penalty for each of them, and for each cell of a tile that does not look printed. A figure occludes such a cell.
Without a figure, its pixels decide."""

_SCRAP_CELLS = 8
"""Largest group that is only a fragment of a tile. The tile may extend two cells beyond it, otherwise one."""

_MOST_STEPS = 5_000
"""Most steps of one search. If they do not suffice, too many ways are likely."""

_CLEAR_LEAD = 10.0
"""Least lead of the best way in log odds. It is large, since errors of neighbouring pixels correlate. On 134 simulated
outlines no wrong way came before the right one. With the right tile out of the box, a wrong one led by that much in
two."""

_LAY_THERE = 12.0
"""Log odds for a tile at its earlier place, as much as two of its cells under a crowd add. If the bare table is visible
instead, each cell costs five."""

_OPEN_PERCENT, _CLEAR_SHARE = 80, 0.55
"""Percentile of a tile's clearest cells, and their least share relative to known tiles. With the right tile out of the
box, the two false tiles on 134 simulated outlines had a quarter and half."""

_PROVED, _LEFT_AS_ONLY = 4.8, 1.4
"""Stated log odds for a tile found this way, with clear cells and without. All 248 tiles found on simulated outlines,
whole and ragged, were right."""


def covered_tiles(
    board: BoardView,
    placements: Sequence[TilePlacement],
    unknown: Sequence[frozenset[Cell]],
    prints: TilePrints,
    earlier: Collection[TilePlacement] = (),
) -> list[TilePlacement]:
    """Identify unknown tiles. None shares a cell with another or with the board.

    Args:
        board: the board of the known tiles.
        placements: the known tiles.
        unknown: groups of cells beside the board that look like print.
        prints: the tile set.
        earlier: placements of this table's tiles in earlier photos, on this board's lattice. They may still hold.
    """
    regions = join_regions(unknown, [cells_of(placement, prints) - board.cells for placement in earlier])
    if not regions:
        return []
    spans = [grow(region, 2 if len(region) <= _SCRAP_CELLS else 1) - board.cells for region in regions]
    view = pixel_view(board, board.cells.union(*spans), placements, prints)
    clear = _clearness(np.concatenate([view.log_odds(placement) for placement in placements]))
    used = {piece_at(placement, prints) for placement in placements}
    taken: set[Cell] = set()
    found: list[TilePlacement] = []
    for region, around in zip(regions, spans, strict=True):
        fits = []
        for fit in _fits(view, around - taken, used):
            is_known = any(one.key == fit.placement.key for one in earlier)
            fits.append(fit._replace(log_odds=fit.log_odds + _LAY_THERE) if is_known else fit)
        # A cell with print on three sides may be print, too, with something on it.
        printed = region | board.cells
        holes = (c for c in grow(region) - printed if sum(b in printed for b in neighbors(c)) >= _HOLE_SIDES)
        for fit in _clear_way(region - taken, frozenset(holes), fits):
            used.add(fit.piece)
            taken |= fit.cells
            is_clear = fit.clearness >= _CLEAR_SHARE * clear
            found.append(replace(fit.placement, log_odds=_PROVED if is_clear else _LEFT_AS_ONLY))
    return found


class _Fit(NamedTuple):
    """A placement, its piece, its cells, the log odds of all its pixels, and those of a clear cell."""

    placement: TilePlacement
    piece: str
    cells: frozenset[Cell]
    log_odds: float
    clearness: float


class _Tiling(NamedTuple):
    """Tiles side by side on an outline, and their log odds."""

    fits: tuple[_Fit, ...]
    log_odds: float


def join_regions(unknown: Iterable[frozenset[Cell]], earlier: Iterable[frozenset[Cell]]) -> list[frozenset[Cell]]:
    """Return the groups of cells to search, the largest first. Join groups that share a cell."""
    whole: list[frozenset[Cell]] = []
    for group in (*(group for group in unknown if len(group) <= _MOST_CELLS), *earlier):
        apart = [other for other in whole if not other & group]
        whole = [*apart, group.union(*(other for other in whole if other & group))] if group else whole
    return sorted((group for group in whole if len(group) <= _MOST_CELLS), key=lambda group: (-len(group), min(group)))


def _clearness(log_odds: Float32[Singles, " n"]) -> float:
    """Return the log odds of an open cell: a high percentile over all cells of some tiles."""
    return float(np.percentile(log_odds, _OPEN_PERCENT)) if len(log_odds) else 0.0


def _fits(view: PixelView, cells: frozenset[Cell], used: Collection[str]) -> Iterator[_Fit]:
    """Yield every placement wholly on the cells, of a piece left in the box, unless the photo rules it out."""
    for placement, own in _placements(cells, view.prints):
        piece = piece_at(placement, view.prints)
        if piece in used:
            continue
        of_cells = view.log_odds(placement)
        # Cells outside the photo are no evidence either way.
        if 2 * len(of_cells) >= len(own) and of_cells.sum() >= _LEAST_A_CELL * len(own):
            yield _Fit(placement, piece, own, float(of_cells.sum()), _clearness(of_cells))


def _placements(cells: frozenset[Cell], prints: TilePrints) -> Iterator[tuple[TilePlacement, frozenset[Cell]]]:
    """Yield every placement that lies wholly on the cells, with its own cells."""
    for index, tile_print in enumerate(prints.prints):
        if len(tile_print.side.cells) > len(cells):
            continue
        for quarters in range(4):
            bare = TilePlacement(index, quarters, (0, 0), 0.0, None)
            own = cells_of(bare, prints)
            anchor = min(own)
            for column, row in sorted(cells):
                moved = replace(bare, corner=(column - anchor[0], row - anchor[1]))
                there = cells_of(moved, prints)
                if there <= cells:
                    yield moved, there


def _clear_way(region: frozenset[Cell], holes: frozenset[Cell], fits: Iterable[_Fit]) -> tuple[_Fit, ...]:
    """Return the tiles of the outline if their way is likely enough and clearly leads. Otherwise return none."""
    search = _Search(region, holes, fits)
    search.lay(region, search.laid, _Tiling((), 0.0))
    if not search.best or search.best[0].log_odds < search.least or search.steps > _MOST_STEPS:
        return ()
    is_clear = len(search.best) == 1 or search.best[0].log_odds - search.best[1].log_odds >= _CLEAR_LEAD
    return search.best[0].fits if is_clear else ()


class _Search:
    """Branch-and-bound search for the best ways to lay tiles on an outline, with a few cells left over.

    Invariant: ``best`` holds the two best complete ways, the better one first. A branch ends when its log odds plus
    an upper bound for the remaining cells cannot reach ``_floor``. The bound gives each cell the best share of any
    tile.

    Args:
        region: the cells of the outline.
        holes: cells beside them that may also be print.
        fits: candidate tiles on it or across its rim.
    """

    def __init__(self, region: frozenset[Cell], holes: frozenset[Cell], fits: Iterable[_Fit]) -> None:
        shares: dict[Cell, float] = dict.fromkeys(region, -_LEFT_OVER)
        self.least = _LEAST_ON_ALL * len(region)
        self.best: list[_Tiling] = []
        self.laid: list[_Fit] = []
        self.steps = 0
        for fit in fits:
            inside = fit.cells & region
            if inside:
                net = fit._replace(log_odds=fit.log_odds - _HIDDEN * len(fit.cells - region - holes))
                self.laid.append(net)
                shares.update((cell, max(shares[cell], net.log_odds / len(inside))) for cell in inside)
        self.laid.sort(key=lambda fit: -fit.log_odds)
        self._shares = shares

    def lay(self, left: frozenset[Cell], fits: Sequence[_Fit], way: _Tiling, left_over: int = 0) -> None:
        """Try every way to cover the cells in ``left`` that may still rank among the best two.

        Branch on the smallest cell: one of the fits covers it, or it is left over. So no way is tried twice.
        """
        self.steps += 1
        if self.steps > _MOST_STEPS or way.log_odds + sum(self._shares[cell] for cell in left) <= self._floor():
            return
        if not left:
            self.best = sorted([*self.best, way], key=lambda way: -way.log_odds)[:2]
            return
        cell = min(left)
        for fit in fits:
            if cell in fit.cells and self.steps <= _MOST_STEPS:
                others = [other for other in fits if other.piece != fit.piece and not other.cells & fit.cells]
                self.lay(left - fit.cells, others, _Tiling((*way.fits, fit), way.log_odds + fit.log_odds), left_over)
        if left_over < _MOST_LEFT_OVER:
            free = way._replace(log_odds=way.log_odds - _LEFT_OVER)
            self.lay(left - {cell}, [fit for fit in fits if cell not in fit.cells], free, left_over + 1)

    def _floor(self) -> float:
        """Return the log odds below which a way neither wins nor prevents another from winning."""
        floor = self.least - _CLEAR_LEAD
        if self.best:
            floor = max(floor, self.best[0].log_odds - _CLEAR_LEAD)
        return max(floor, self.best[1].log_odds) if len(self.best) > 1 else floor
