"""Occupied cells, whatever occupies them: networks compare photo and print (``evidence.hidden_print``)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from jaxtyping import Float32

from assistant.table.lattice import Cell
from assistant.table.roster import Roster
from calibration.arrays import Singles
from vision.evidence.bases import has_stand_ins, has_upright_ones
from vision.evidence.hidden_print import (
    PrintMaps,
    QuietDifference,
    cell_hints,
    cell_inputs,
    cell_logits,
    cell_views,
    lying_chances,
)
from vision.evidence.leaning import hidden_shares
from vision.evidence.patches import PatchSource, base_patches, print_seen
from vision.learned import chances, log_odds_of, probabilities
from vision.tiles.board_view import BoardView

_LOG_ODDS_LIMIT = 5.0
"""Cap on the log odds of one patch, 150 to 1."""

COVERED, _COVERED_AROUND, _LEANED_OVER = 0.4, 0.6, 0.3
"""Visible print of a cell with something lying across it, inside and around, and the share that bodies nearby may
explain. The middle of 56 cells round fallen figures shows .43 inside and .45 around, that of 27 cells with dice,
counters and the like .27 and .76, that of 209 empty ones .91 and .81."""

_LIES = 0.5
"""Chance from which a fallen figure counts as lying across a cell. On 60 simulated evenings with 62 fallen figures .3
would find 51 of them and 24 elsewhere, .5 finds 44 and 14, .7 39 and 8."""

BUSY = 0.9
"""Chance of an empty cell below which the network looks for a fallen figure: its other cells were not shown to it."""

_STEPS: tuple[Cell, ...] = ((1, 0), (-1, 0), (0, 1), (0, -1))

_BEYOND_DOUBT = 0.01
"""Chance of occupation by either network below which no ring is searched. It rules out four cells in five."""


@dataclass(frozen=True, eq=False)
class Occupancy:
    """The evidence for each cell.

    Args:
        chance_of: the chances of empty, a base of one cell, and a part of a larger base.
        print_of: the visible print where a base would occlude it, and round that (``print_seen``). A missing cell shows
            all of it.
        leaned_over: the share of its print, 0 to 1, occluded by a body on a nearby cell. 0 for a missing cell.
        lying: the chance that a fallen figure lies across a cell, by the trunk. 0 for a missing cell.
        quiet: the difference of photo and print at quiet places, by which the trunk judged. None in other evidence.
        hidden: the same by the pretrained trunk (``evidence.hidden_print``), which handles real photographs and figures
            without a ring better. None in that evidence itself.
    """

    chance_of: Mapping[Cell, tuple[float, float, float]]
    print_of: Mapping[Cell, tuple[float, float]] = field(default_factory=dict)
    leaned_over: Mapping[Cell, float] = field(default_factory=dict)
    lying: Mapping[Cell, float] = field(default_factory=dict)
    quiet: QuietDifference | None = None
    hidden: Occupancy | None = None

    @property
    def by_trunk(self) -> Occupancy:
        """The evidence by the trunk, or this one without it."""
        return self.hidden or self

    @property
    def possible(self) -> frozenset[Cell]:
        """The cells that are not certainly empty."""
        least = 1 - _BEYOND_DOUBT
        return frozenset(
            c for c, chance in self.chance_of.items() if min(chance[0], self.by_trunk.chance_of[c][0]) < least
        )

    def covered(self, figures: Iterable[Sequence[Cell]]) -> frozenset[Cell]:
        """Return the cells whose print something hides well beyond a base's place, though none of these figures does.

        A fallen figure does. So does a deep shadow. A die or a counter leaves the print around it visible.
        """
        explained = {cell for cells in figures for cell in cells}
        leans = self.by_trunk.leaned_over
        return frozenset(
            cell
            for cell, (inside, around) in self.print_of.items()
            if inside < COVERED and around < _COVERED_AROUND and leans.get(cell, 0.0) < _LEANED_OVER
            if cell not in explained
        )

    def lain_across(self, figures: Iterable[Sequence[Cell]]) -> Mapping[Cell, float]:
        """Return the cells that a fallen figure rather lies across than not, and the chance, without these figures."""
        explained = {cell for cells in figures for cell in cells}
        lying = self.by_trunk.lying
        return {cell: chance for cell, chance in lying.items() if chance >= _LIES and cell not in explained}

    def log_odds(self, cells: Sequence[Cell]) -> float:
        """Return mean log odds, between -5 and 5, that any base covers these cells."""
        return sum(self._taken_odds[cell] for cell in cells) / len(cells)

    def log_odds_of_one(self, cells: Sequence[Cell]) -> float:
        """Return mean log odds, between -5 and 5, that one base stands on exactly these cells."""
        odds = self._small_odds if len(cells) == 1 else self._large_odds
        return sum(odds[cell] for cell in cells) / len(cells)

    def log_odds_beside(self, cells: Sequence[Cell]) -> float:
        """Return mean log odds, between -5 and 5, that a larger base covers the cells along one side, the likeliest.

        A part of a base has such a side, a whole base has none.
        """
        sides: dict[Cell, list[float]] = {}
        for column, row in {*cells}:
            for step in _STEPS:
                beside = (column + step[0], row + step[1])
                if beside not in cells and beside in self._large_odds:
                    sides.setdefault(step, []).append(self._large_odds[beside])
        return max((sum(odds) / len(odds) for odds in sides.values()), default=-_LOG_ODDS_LIMIT)

    # Cached, since every place of a base asks for the same cells again.

    @cached_property
    def _taken_odds(self) -> Mapping[Cell, float]:
        return {cell: _log_odds(1 - chance[0]) for cell, chance in self.chance_of.items()}

    @cached_property
    def _small_odds(self) -> Mapping[Cell, float]:
        return {cell: _log_odds(chance[1]) for cell, chance in self.chance_of.items()}

    @cached_property
    def _large_odds(self) -> Mapping[Cell, float]:
        return {cell: _log_odds(chance[2]) for cell, chance in self.chance_of.items()}


def find_occupancy(source: PatchSource, maps: PrintMaps, roster: Roster) -> Occupancy:
    """Judge every cell of the board by the base network and by its hidden print."""
    cells = sorted(source.board.cells)
    patches = base_patches(source, cells)
    likely = chances("bases", patches)
    seen = print_seen(patches)
    prints = {c: (float(inside), float(around)) for c, (inside, around) in zip(cells, seen, strict=True)}
    views = cell_views(source.board, roster, cells)
    inputs = cell_inputs(maps, views, cell_hints(likely, seen))
    all_four = probabilities(cell_logits(inputs))
    hidden = _by_cell(cells, without_things(all_four, roster))
    busy = np.flatnonzero((all_four[:, 0] < BUSY) & has_upright_ones(roster))
    lying = dict(zip([cells[i] for i in busy], lying_chances(inputs[busy]).tolist(), strict=True))
    leaned_over = _leaned_over(source.board, roster, hidden)
    by_trunk = Occupancy(hidden, prints, leaned_over, lying, maps.quiet)
    return Occupancy(_by_cell(cells, likely), prints, hidden=by_trunk)


def without_things(all_four: Float32[Singles, "n 4"], roster: Roster) -> Float32[Singles, "n 3"]:
    """Return the chances of empty, a base of one cell and a part of a larger one, without the class of things.

    A cell under a thing is empty. In a box where coins or dice stand for figures, a thing is such a figure.
    """
    empty, one, part, thing = all_four.T
    chances_of = [empty, one + thing, part] if has_stand_ins(roster) else [empty + thing, one, part]
    return np.column_stack(chances_of).astype(np.float32)


def _by_cell(cells: Sequence[Cell], rows: Float32[Singles, "n 3"]) -> Mapping[Cell, tuple[float, float, float]]:
    return {c: (float(r[0]), float(r[1]), float(r[2])) for c, r in zip(cells, rows, strict=True)}


def _leaned_over(
    board: BoardView, roster: Roster, chances: Mapping[Cell, tuple[float, float, float]]
) -> Mapping[Cell, float]:
    """Return the share of each cell's print that a likely body on a nearby cell occludes.

    The body is as tall as a small figure may be.
    """
    small = [figure for figure in roster.figures if figure.size == (1, 1)]
    if not small:
        return {}
    cells = sorted(chances)
    radius_mm = float(np.median([figure.base_mm for figure in small])) / 2
    height_mm = max(figure.height_mm for figure in small)
    shares = hidden_shares(board, np.array(cells) + 0.5, radius_mm, height_mm, cells)
    np.fill_diagonal(shares, 0.0)
    taken = np.array([1 - chances[cell][0] for cell in cells])
    return dict(zip(cells, (shares * taken).max(axis=1).tolist(), strict=True))


def _log_odds(chance: float) -> float:
    return min(max(log_odds_of(chance), -_LOG_ODDS_LIMIT), _LOG_ODDS_LIMIT)
