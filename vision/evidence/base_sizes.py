"""Sizes of small bases as the photo shows them, where the roster states others.

A roster written by hand often gives every base the same size, and rims are then searched for where none is. The ring
network reads a rim at its true size only, so the size that shows most rims is the right one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from assistant.table.lattice import Cell
from assistant.table.roster import Roster, RosterFigure
from vision.evidence.bases import share_with_rings
from vision.evidence.figures import FigureSighting, cells_under
from vision.evidence.occupancy import Occupancy
from vision.evidence.rings import find_rings
from vision.learned import log_odds_of
from vision.tiles.board_view import BoardView

_SURE = 0.9
"""Least chance of a base of one cell, by the hidden print."""

_FEWEST = 3
"""Fewest such cells that can show a common size."""

_SCALES = (0.55, 0.64, 0.73, 0.82, 0.91, 1.1, 1.25, 1.4, 1.57)
"""Tried sizes, relative to the stated ones. Neighbours differ by 2 mm on a base of 22 mm; the rim network allows 1 mm
either way."""

_MOST_OF_A_CELL = 1.05

_LEAST_ODDS, _MOST_ODDS = -3.0, 5.0
"""Range of one cell's log odds, so that no single cell decides."""

_FITTING = 2.5
"""Mean log odds from which the stated sizes count as right. On nine tables wrong sizes had -3.0 to 1.2, the best ones
3.4 to 5.0."""

_LEAST_GAIN = 2.0
"""Least mean gain in log odds of another size over the stated one."""


def with_shown_sizes(board: BoardView, roster: Roster, occupancy: Occupancy, found: Iterable[FigureSighting]) -> Roster:
    """Return the roster with the sizes of small round bases that the rims show, or unchanged if the stated ones fit.

    It measures only if a quarter of the cells that surely hold a small base show none of the roster's rims clearly.

    Args:
        board: the board.
        roster: the figures with the stated sizes.
        occupancy: the evidence for every cell.
        found: the figures judged by the stated sizes.
    """
    sure = [cell for cell, chance in occupancy.by_trunk.chance_of.items() if chance[1] >= _SURE]
    clear = cells_under((one for one in found if one.model is not None), least_log_odds=log_odds_of(_SURE))
    is_clear = 4 * len(clear.intersection(sure)) >= 3 * len(sure)
    if len(sure) < _FEWEST or is_clear or not share_with_rings(roster):
        return roster
    stated = _mean_odds(board, roster, sure)
    if stated >= _FITTING:
        return roster
    others = [scaled for scale in _SCALES if (scaled := _scaled(roster, scale, board.lattice.cell_mm)) is not None]
    odds = [_mean_odds(board, scaled, sure) for scaled in others]
    return others[odds.index(max(odds))] if max(odds, default=stated) >= stated + _LEAST_GAIN else roster


def _scaled(roster: Roster, scale: float, cell_mm: float) -> Roster | None:
    """Return the roster with all small round bases scaled, or None if one would not fit its cell."""
    figures = tuple(_resized(figure, scale) for figure in roster.figures)
    widest = max((figure.base_mm for figure in figures if figure.size == (1, 1)), default=0.0)
    return replace(roster, figures=figures) if widest <= _MOST_OF_A_CELL * cell_mm else None


def _resized(figure: RosterFigure, scale: float) -> RosterFigure:
    if figure.size != (1, 1) or figure.base_shape != "round":
        return figure
    base_mm = figure.base_mm * scale
    return replace(figure, base_mm=base_mm, base_size_mm=(base_mm, base_mm))


def _mean_odds(board: BoardView, roster: Roster, cells: Sequence[Cell]) -> float:
    """Return the mean log odds of the likeliest rim on each of the cells."""
    best = dict.fromkeys(cells, _LEAST_ODDS)
    for ring in find_rings(board, roster, frozenset(cells)):
        if len(ring.stand.cells) == 1:
            cell = ring.stand.cells[0]
            best[cell] = max(best[cell], min(ring.log_odds + math.log(ring.share), _MOST_ODDS))
    return sum(best.values()) / len(best)
