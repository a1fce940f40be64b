"""Which cells something stands on, whatever it looks like: judged by a small network that compares photo and print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assistant.table.lattice import Cell
from vision.network import chances
from vision.odds import log_odds_of
from vision.patches import PatchSource, base_patches

_LOG_ODDS_LIMIT = 5.0
"""No patch alone is believed further than 150 to 1."""


_BEYOND_DOUBT = 0.01
"""Below this chance nobody looks for a ring: four cells in five are settled by that."""


@dataclass(frozen=True, eq=False)
class Occupancy:
    """For each cell the chances that it is empty, carries a base of one cell, or lies under a larger base."""

    chance_of: dict[Cell, tuple[float, float, float]]

    @property
    def possible(self) -> frozenset[Cell]:
        """The cells that are not empty beyond doubt."""
        return frozenset(cell for cell, chance in self.chance_of.items() if chance[0] < 1 - _BEYOND_DOUBT)

    def log_odds(self, cells: Sequence[Cell]) -> float:
        """Mean log odds that any base covers these cells, between -5 and 5."""
        return sum(_log_odds(1 - self.chance_of[cell][0]) for cell in cells) / len(cells)

    def log_odds_of_one(self, cells: Sequence[Cell]) -> float:
        """Mean log odds that one base stands on just these cells, between -5 and 5."""
        which = 1 if len(cells) == 1 else 2
        return sum(_log_odds(self.chance_of[cell][which]) for cell in cells) / len(cells)

    def least_log_odds(self, cells: Sequence[Cell]) -> float:
        """The least log odds that any base covers one of these cells, between -5 and 5."""
        return min(_log_odds(1 - self.chance_of[cell][0]) for cell in cells)

    def log_odds_around(self, cells: Sequence[Cell]) -> float:
        """Mean log odds that a larger base covers the cells next to these, between -5 and 5.

        A part of a larger base looks like a smaller one; what goes on beside it tells.
        """
        beside = {(c + dc, r + dr) for c, r in cells for dc, dr in ((1, 0), (-1, 0), (0, 1), (0, -1))} - {*cells}
        odds = [_log_odds(self.chance_of[cell][2]) for cell in beside if cell in self.chance_of]
        return sum(odds) / len(odds) if odds else -_LOG_ODDS_LIMIT


def find_occupancy(source: PatchSource) -> Occupancy:
    """What the network says of every cell of the board."""
    cells = sorted(source.board.cells)
    rows = chances("bases", base_patches(source, cells))
    return Occupancy({c: (float(r[0]), float(r[1]), float(r[2])) for c, r in zip(cells, rows, strict=True)})


def _log_odds(chance: float) -> float:
    return min(max(log_odds_of(chance), -_LOG_ODDS_LIMIT), _LOG_ODDS_LIMIT)
