"""Tiles that figures cover so far that their print alone proves too little.

Where cells beside the board look like print that nobody knows (``vision.unknown_tiles``), tiles of the set may lie
under a crowd. Their outline then tells what their print does not: there are few tiles left in the box that fit just
those cells. The best of them is taken if some of its print is seen, too, and no other tile or turn comes near it. Where
the print contradicts, or the outline is another, the tile stays unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from assistant.table.lattice import Cell
from vision.board_view import BoardView
from vision.images import FloatImage
from vision.prints import TilePrints
from vision.rectify import rectify
from vision.tile_cells import SEEN_PX_PER_CELL, SeenCells, TurnedPrint, seen_cells, turned_prints
from vision.tile_evidence import cell_bins, factors, light_on_cells, tile_model
from vision.tiles import Placement, cells_of, lattice_frame, lies_within, piece_of, surroundings

_BY_OUTLINE = 3.0
"""Log odds by which fitting the outline makes a placement likelier: of hundreds of places it leaves a few."""

_LEAST_PRINT = 1.0
"""Log odds that those cells which show the print have to bring in."""

_MOST_CELLS = 40
"""What is larger is rather a cloth or another game than two tiles under a crowd; to try every tile on it takes long."""

_RAGGED_CELLS = 1
"""So many cells of what looks like print may be left over: a body that leans out over the table."""

_CLEAR_LEAD = 1.0
"""Log odds by which the best has to be likelier than every other that would lie on some of its cells."""


def covered_tiles(
    board: BoardView, placements: Sequence[Placement], unknown: Sequence[frozenset[Cell]], prints: TilePrints
) -> list[Placement]:
    """The tiles that lie where unknown ones were seen; none of them shares a cell with another or with the board.

    Args:
        board: the board that the known tiles make.
        placements: the known tiles.
        unknown: groups of cells beside the board that look like print.
        prints: the tile set.
    """
    regions = [region for region in unknown if len(region) <= _MOST_CELLS]
    if not regions:
        return []
    judge = _judge_of(board, placements, frozenset[Cell]().union(board.cells, *regions), prints)
    pieces = {judge.piece(placement) for placement in placements}
    found: list[Placement] = []
    for region in regions:
        fitting = [judged for placement in _fitting(region, prints) if (judged := judge.judged(placement)) is not None]
        clear = list(_clear_ones(fitting))
        covered = sum(len(cells_of(placement, prints)) for placement in clear)
        names = {judge.piece(placement) for placement in clear}
        # A tile that fits into a part of what is unknown proves nothing: something always does.
        if covered >= len(region) - _RAGGED_CELLS and len(names) == len(clear) and not names & pieces:
            pieces |= names
            found += clear
    return found


class _Fit(NamedTuple):
    """A placement that fits an outline, its cells, its log odds by its print alone, and those that speak for it."""

    placement: Placement
    cells: frozenset[Cell]
    log_odds: float
    for_it: float


@dataclass(frozen=True, eq=False)
class _Judge:
    """Compares placements with the photo in the light of the known tiles."""

    prints: TilePrints
    cells: SeenCells
    light: FloatImage | None
    known: Mapping[Placement, frozenset[Cell]]
    turned: Mapping[tuple[int, int], TurnedPrint]

    def piece(self, placement: Placement) -> str:
        return piece_of(self.prints.prints[placement.print_index].side.id)

    def judged(self, placement: Placement) -> _Fit | None:
        """How the print agrees; None if the photo does not show all of its place."""
        if not lies_within(placement, self.cells, self.prints):
            return None
        model = tile_model()
        bins = cell_bins(
            self.cells, self.turned[placement.print_index, placement.quarters], placement.corner, self.light
        )
        around = surroundings(placement, self.known, self.prints)
        for_it = float(np.maximum(model.cell_log_odds[bins], 0).sum())
        log_odds = float(model.weights @ factors(bins, around, model.cell_log_odds))
        return _Fit(placement, cells_of(placement, self.prints), log_odds, for_it)


def _judge_of(board: BoardView, placements: Sequence[Placement], span: frozenset[Cell], prints: TilePrints) -> _Judge:
    columns, rows = [c for c, _ in span], [r for _, r in span]
    first, last = (min(columns), min(rows)), (max(columns) + 1, max(rows) + 1)
    frame = lattice_frame(board.lattice, first, last, SEEN_PX_PER_CELL / board.lattice.cell_mm)
    seen = rectify(board.photo, board.view, frame, board.thickness_mm)
    cells = seen_cells(seen, first, last[0] - first[0], last[1] - first[1])
    turned = {(t.print_index, t.quarters): t for t in turned_prints(prints)}
    light = light_on_cells(cells, [(turned[p.print_index, p.quarters], p.corner) for p in placements])
    return _Judge(prints, cells, light, {p: cells_of(p, prints) for p in placements}, turned)


def _fitting(region: frozenset[Cell], prints: TilePrints) -> Iterator[Placement]:
    """Every placement of every print that lies wholly in the region."""
    for index, tile_print in enumerate(prints.prints):
        if len(tile_print.side.cells) > len(region):
            continue
        for quarters in range(4):
            bare = Placement(index, quarters, (0, 0), 0.0, None)
            own = cells_of(bare, prints)
            anchor = min(own)
            for column, row in sorted(region):
                moved = replace(bare, corner=(column - anchor[0], row - anchor[1]))
                if cells_of(moved, prints) <= region:
                    yield moved


def _clear_ones(fits: Sequence[_Fit]) -> Iterator[Placement]:
    """Those that are likelier by far than all others in their place, the likeliest first."""
    left = sorted(fits, key=lambda fit: -fit.log_odds)
    while left:
        best, others = left[0], left[1:]
        rivals = [fit for fit in others if fit.cells & best.cells]
        is_clear = not rivals or best.log_odds - rivals[0].log_odds >= _CLEAR_LEAD
        log_odds = best.log_odds + _BY_OUTLINE
        if log_odds <= 0:
            return
        if is_clear and best.for_it >= _LEAST_PRINT:
            yield replace(best.placement, log_odds=log_odds)
        left = [fit for fit in others if not fit.cells & best.cells]
