"""Which cells are occupied, whatever stands there: a small network compares photo and print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from assistant.table.lattice import Cell, neighbors
from vision.evidence.patches import PatchSource, base_patches, print_seen
from vision.learned import chances, log_odds_of

_LOG_ODDS_LIMIT = 5.0
"""Cap on the log odds of one patch, 150 to 1."""

_BEYOND_DOUBT = 0.01
"""Chance of occupation below which no ring is searched: that settles four cells in five."""

_PROVEN = 0.5
"""Visible print that a cell needs to be proven empty, whatever the network says."""


@dataclass(frozen=True, eq=False)
class Occupancy:
    """The evidence for each cell.

    Args:
        chance_of: the chances that it is empty, carries a base of one cell, or lies under a larger base.
        print_of: how much of the print is seen where a base would hide it, and round that (``print_seen``); a cell that
            is left out shows all of it.
    """

    chance_of: Mapping[Cell, tuple[float, float, float]]
    print_of: Mapping[Cell, tuple[float, float]] = field(default_factory=dict)

    @property
    def possible(self) -> frozenset[Cell]:
        """The cells that are not empty beyond doubt."""
        return frozenset(
            cell
            for cell, chance in self.chance_of.items()
            if chance[0] < 1 - _BEYOND_DOUBT or self.print_seen([cell])[0] < _PROVEN
        )

    def print_seen(self, cells: Sequence[Cell]) -> tuple[float, float]:
        """The most print that one of the cells shows where a base would hide it, and the mean around."""
        seen = [self.print_of.get(cell, (1.0, 1.0)) for cell in cells]
        return max(inside for inside, _ in seen), sum(around for _, around in seen) / len(seen)

    def log_odds(self, cells: Sequence[Cell]) -> float:
        """Mean log odds, between -5 and 5, that any base covers these cells."""
        return sum(self._taken_odds[cell] for cell in cells) / len(cells)

    def log_odds_of_one(self, cells: Sequence[Cell]) -> float:
        """Mean log odds, between -5 and 5, that one base stands on just these cells."""
        odds = self._small_odds if len(cells) == 1 else self._large_odds
        return sum(odds[cell] for cell in cells) / len(cells)

    def least_log_odds(self, cells: Sequence[Cell]) -> float:
        """Least log odds, between -5 and 5, that any base covers one of these cells."""
        return min(self._taken_odds[cell] for cell in cells)

    def log_odds_around(self, cells: Sequence[Cell], explained: frozenset[Cell] = frozenset()) -> float:
        """Mean log odds, between -5 and 5, that a larger base covers the cells next to these.

        A part of a larger base looks like a smaller one; the cells beside it show which. Cells under a known base are
        left out: that base ends there.
        """
        beside = {other for cell in cells for other in neighbors(cell)} - {*cells} - explained
        odds = [self._large_odds[cell] for cell in beside if cell in self._large_odds]
        return sum(odds) / len(odds) if odds else -_LOG_ODDS_LIMIT

    # Cached, since every place that a base may take asks for the same cells again.

    @cached_property
    def _taken_odds(self) -> Mapping[Cell, float]:
        return {cell: _log_odds(1 - chance[0]) for cell, chance in self.chance_of.items()}

    @cached_property
    def _small_odds(self) -> Mapping[Cell, float]:
        return {cell: _log_odds(chance[1]) for cell, chance in self.chance_of.items()}

    @cached_property
    def _large_odds(self) -> Mapping[Cell, float]:
        return {cell: _log_odds(chance[2]) for cell, chance in self.chance_of.items()}


def find_occupancy(source: PatchSource) -> Occupancy:
    """Judge every cell of the board by the network and by its print."""
    cells = sorted(source.board.cells)
    patches = base_patches(source, cells)
    rows = chances("bases", patches)
    return Occupancy(
        {c: (float(r[0]), float(r[1]), float(r[2])) for c, r in zip(cells, rows, strict=True)},
        {c: (float(inside), float(around)) for c, (inside, around) in zip(cells, print_seen(patches), strict=True)},
    )


def _log_odds(chance: float) -> float:
    return min(max(log_odds_of(chance), -_LOG_ODDS_LIMIT), _LOG_ODDS_LIMIT)
