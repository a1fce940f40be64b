"""The cells that form a tile on a lattice."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.table.lattice import Cell, connected_groups


def largest_part(cell_odds: Mapping[Cell, float]) -> frozenset[Cell]:
    """Return the likeliest group of joined cells that probably form a tile."""
    best: frozenset[Cell] = frozenset()
    best_odds = 0.0
    for part in connected_groups(cell for cell, odds in cell_odds.items() if odds > 0):
        odds = sum(cell_odds[cell] for cell in part)
        if odds > best_odds:
            best, best_odds = part, odds
    return best
