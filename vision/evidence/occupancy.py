"""Which cells something stands on, whatever it looks like: judged by a small network that compares photo and print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from assistant.table.lattice import Cell
from vision.evidence.patches import PatchSource, base_patches
from vision.evidence.print_seen import print_seen
from vision.learned import chances, log_odds_of

_LOG_ODDS_LIMIT = 5.0
"""No patch alone is believed further than 150 to 1."""


_BEYOND_DOUBT = 0.01
"""Below this chance nobody looks for a ring: four cells in five are settled by that."""

_PROVEN = 0.5
"""Print that is seen less than that (``evidence.print_seen``) proves no cell empty, whatever the network says."""


@dataclass(frozen=True, eq=False)
class Occupancy:
    """What is known of each cell.

    Args:
        chance_of: the chances that it is empty, carries a base of one cell, or lies under a larger base.
        print_of: how much of the print is seen where a base would hide it, and round that, see ``evidence.print_seen``;
            a cell that is left out shows all of it.
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
        """The most of the print that one of the cells shows, of which a base would hide all, and the mean around."""
        seen = [self.print_of.get(cell, (1.0, 1.0)) for cell in cells]
        return max(inside for inside, _ in seen), sum(around for _, around in seen) / len(seen)

    def log_odds(self, cells: Sequence[Cell]) -> float:
        """Mean log odds that any base covers these cells, between -5 and 5."""
        return sum(self._taken_odds[cell] for cell in cells) / len(cells)

    def log_odds_of_one(self, cells: Sequence[Cell]) -> float:
        """Mean log odds that one base stands on just these cells, between -5 and 5."""
        odds = self._small_odds if len(cells) == 1 else self._large_odds
        return sum(odds[cell] for cell in cells) / len(cells)

    def least_log_odds(self, cells: Sequence[Cell]) -> float:
        """The least log odds that any base covers one of these cells, between -5 and 5."""
        return min(self._taken_odds[cell] for cell in cells)

    def log_odds_around(self, cells: Sequence[Cell], explained: frozenset[Cell] = frozenset()) -> float:
        """Mean log odds that a larger base covers the cells next to these, between -5 and 5.

        A part of a larger base looks like a smaller one; what goes on beside it tells. Cells whose base is known are
        left out: that one ends there.
        """
        beside = {(c + dc, r + dr) for c, r in cells for dc, dr in ((1, 0), (-1, 0), (0, 1), (0, -1))} - {*cells}
        beside -= explained
        odds = [self._large_odds[cell] for cell in beside if cell in self._large_odds]
        return sum(odds) / len(odds) if odds else -_LOG_ODDS_LIMIT

    # Every place that a base may take asks for the same cells again.

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
    """What the network and the print say of every cell of the board."""
    cells = sorted(source.board.cells)
    patches = base_patches(source, cells)
    rows = chances("bases", patches)
    return Occupancy(
        {c: (float(r[0]), float(r[1]), float(r[2])) for c, r in zip(cells, rows, strict=True)},
        {c: (float(inside), float(around)) for c, (inside, around) in zip(cells, print_seen(patches), strict=True)},
    )


def _log_odds(chance: float) -> float:
    return min(max(log_odds_of(chance), -_LOG_ODDS_LIMIT), _LOG_ODDS_LIMIT)
