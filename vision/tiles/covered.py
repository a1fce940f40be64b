"""Tiles that figures cover so far that their print, cell by cell, proves too little.

Where cells beside the board look like print that nobody knows (``vision.tiles.unknown``), tiles of the set may lie
under a crowd. There are few ways to lay the tiles that are left in the box on just those cells; each is held against
the photo pixel by pixel (``vision.tiles.pixels``). The best is taken if the photo speaks for it and against every other
one; else the tiles stay unknown.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from jaxtyping import Float32

from assistant.table.lattice import Cell, grow
from calibration.arrays import Singles
from vision.tiles.board_view import BoardView
from vision.tiles.pixels import PixelView, pixel_view
from vision.tiles.placements import TilePlacement, cells_of, piece_at
from vision.tiles.prints import TilePrints

_MOST_CELLS = 40
"""What is larger is rather a cloth or another game than tiles under a crowd; to try every tile on it takes long."""

_LEAST_A_CELL = -4.0
"""Log odds a cell from which on a tile is tried together with others."""

_LEAST_ON_ALL = -0.5
"""Log odds a cell that the photo has to say for all of them at least: in a dark and noisy one even print that lies open
looks a little different."""

_HOLE_SIDES = 3
"""A cell with print on so many sides may be print, too."""

_MOST_LEFT_OVER = 1
"""So many cells of what looks like print may be left over: a body that leans out over the table."""

_LEFT_OVER, _HIDDEN = 4.0, 1.0
"""Log odds against each of them, and against each cell of a tile that does not look like print: who stands on it hides
it, and if nobody does, its pixels speak for themselves."""

_SCRAP_CELLS = 8
"""What looks like print is only a scrap of a tile if it is no larger: the tile may reach two cells beyond, else one."""

_MOST_STEPS = 5_000
"""So many steps are taken to lay the tiles of one outline; where that is not enough, too many ways are likely."""

_CLEAR_LEAD = 10.0
"""Log odds by which the best way has to be likelier than every other, since neighbouring pixels err together. On 134
simulated outlines no wrong way came before the right one; with the right tile out of the box another led so in two."""

_LAY_THERE = 12.0
"""Log odds for a tile that lay just so before: two of its cells that show nothing of it, since a crowd has come. Where
the bare table is seen instead, each cell takes five of them away."""

_OPEN_PERCENT, _CLEAR_SHARE = 80, 0.55
"""The clearest cells of a tile ought to look as much like its print as those of the known tiles do. With the right tile
out of the box, the two of 134 simulated outlines for which another was taken had a quarter and half of that."""

_PROVED, _LEFT_AS_ONLY = 4.8, 1.4
"""Log odds of a tile that was found so, in the measure of the others: with clear cells, and without. Of 248 tiles found
on simulated outlines, whole and ragged, all were right."""


def covered_tiles(
    board: BoardView,
    placements: Sequence[TilePlacement],
    unknown: Sequence[frozenset[Cell]],
    prints: TilePrints,
    lain: Collection[TilePlacement] = (),
) -> list[TilePlacement]:
    """The tiles that lie where unknown ones were seen; none of them shares a cell with another or with the board.

    Args:
        board: the board that the known tiles make.
        placements: the known tiles.
        unknown: groups of cells beside the board that look like print.
        prints: the tile set.
        lain: how tiles of this table lay before; where they did, they may lie still.
    """
    regions = doubtful_regions(unknown, [cells_of(placement, prints) - board.cells for placement in lain])
    if not regions:
        return []
    spans = [grow(region, 2 if len(region) <= _SCRAP_CELLS else 1) - board.cells for region in regions]
    view = pixel_view(board, board.cells.union(*spans), placements, prints)
    clear = _clearness(np.concatenate([view.log_odds(placement) for placement in placements]))
    used = {piece_at(placement, prints) for placement in placements}
    taken: set[Cell] = set()
    found: list[TilePlacement] = []
    for region, around in zip(regions, spans, strict=True):
        fits = [_with_memory(fit, lain) for fit in _fits(view, around - taken, used)]
        for fit in _clear_way(region - taken, _holes(region, board.cells), fits):
            used.add(fit.piece)
            taken |= fit.cells
            is_clear = fit.clearness >= _CLEAR_SHARE * clear
            found.append(replace(fit.placement, log_odds=_PROVED if is_clear else _LEFT_AS_ONLY))
    return found


class _Fit(NamedTuple):
    """A placement, its piece, its cells, how much all its pixels speak for it, and how much those of a clear cell."""

    placement: TilePlacement
    piece: str
    cells: frozenset[Cell]
    log_odds: float
    clearness: float


class _Tiling(NamedTuple):
    """Tiles that lie side by side on an outline, and the log odds of all that."""

    fits: tuple[_Fit, ...]
    log_odds: float


_NOTHING = _Tiling((), 0.0)


def doubtful_regions(unknown: Iterable[frozenset[Cell]], lain: Iterable[frozenset[Cell]]) -> list[frozenset[Cell]]:
    """The groups of cells on which tiles are looked for, the largest first; those that share a cell are one."""
    whole: list[frozenset[Cell]] = []
    for group in (*(group for group in unknown if len(group) <= _MOST_CELLS), *lain):
        apart = [other for other in whole if not other & group]
        whole = [*apart, group.union(*(other for other in whole if other & group))] if group else whole
    return sorted((group for group in whole if len(group) <= _MOST_CELLS), key=lambda group: (-len(group), min(group)))


def _clearness(log_odds: Float32[Singles, " n"]) -> float:
    """What the pixels of a cell that lies open say, of all cells of a tile or of tiles."""
    return float(np.percentile(log_odds, _OPEN_PERCENT)) if len(log_odds) else 0.0


def _holes(region: frozenset[Cell], known: frozenset[Cell]) -> frozenset[Cell]:
    """The cells that print lies round on three sides: something may stand there."""
    with_print = region | known
    return frozenset(
        (column, row)
        for column, row in grow(region) - with_print
        if sum((column + x, row + y) in with_print for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))) >= _HOLE_SIDES
    )


def _fits(view: PixelView, cells: frozenset[Cell], used: Collection[str]) -> Iterator[_Fit]:
    """Every placement that lies wholly on the cells, of a piece still in the box, and is not out of the question."""
    for placement, own in _placements(cells, view.prints):
        piece = piece_at(placement, view.prints)
        if piece in used:
            continue
        of_cells = view.log_odds(placement)
        # What lies outside the photo speaks neither for a tile nor against it.
        if 2 * len(of_cells) >= len(own) and of_cells.sum() >= _LEAST_A_CELL * len(own):
            yield _Fit(placement, piece, own, float(of_cells.sum()), _clearness(of_cells))


def _with_memory(fit: _Fit, lain: Collection[TilePlacement]) -> _Fit:
    """The same, likelier if that tile lay just so before."""
    place = fit.placement.print_index, fit.placement.quarters, fit.placement.corner
    is_known = any((one.print_index, one.quarters, one.corner) == place for one in lain)
    return fit._replace(log_odds=fit.log_odds + _LAY_THERE) if is_known else fit


def _placements(cells: frozenset[Cell], prints: TilePrints) -> Iterator[tuple[TilePlacement, frozenset[Cell]]]:
    """Every placement that lies wholly on the cells, with its own."""
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
    """The tiles that make the outline, if the photo speaks for them and against any others; else none."""
    search = _Search(region, holes, fits)
    search.lay(region, search.laid, _NOTHING)
    if not search.best or search.best[0].log_odds < search.least or search.steps > _MOST_STEPS:
        return ()
    is_clear = len(search.best) == 1 or search.best[0].log_odds - search.best[1].log_odds >= _CLEAR_LEAD
    return search.best[0].fits if is_clear else ()


class _Search:
    """Looks for the best ways to lay tiles on an outline, each cell under one of them but for a few left over.

    Args:
        region: the cells of the outline.
        holes: cells beside them that may be print as well.
        fits: the tiles that may lie on it or over its rim.
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
        """Tries everything on the cells that are left that may be the best, or come so near to it that it counts.

        Args:
            left: the cells of the outline that nothing lies on yet.
            fits: the tiles that may be laid on them.
            way: what has been laid.
            left_over: how many cells are left free.
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
        """Log odds under which a way is neither taken nor keeps another from being taken."""
        floor = self.least - _CLEAR_LEAD
        if self.best:
            floor = max(floor, self.best[0].log_odds - _CLEAR_LEAD)
        return max(floor, self.best[1].log_odds) if len(self.best) > 1 else floor
