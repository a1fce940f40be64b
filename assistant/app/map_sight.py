"""Checks whether a map's board sees through the map's own walls: a plain calculation independent of the rules."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from assistant.match.games import games
from assistant.rules.ruleset import CellRules
from assistant.table.board import Board, Figure
from assistant.table.lattice import Cell

XY = tuple[float, float]
Line = tuple[XY, XY]

MOST_CELLS = 32
"""Largest number of compared spaces: some 500 pairs, about a second."""

MOST_SEEN = 0.01
"""Largest share of wall-blocked pairs that boards may see, over many maps."""

MOST_SEEN_ON_ONE = 0.03
"""The same limit for a single map: of some hundred pairs, two or three by chance."""

WITHIN = 0.08
"""Inset of a cell's corners from which lines are drawn, as a share of the cell."""

SPOTS = (*((u, v) for u in (WITHIN, 1 - WITHIN) for v in (WITHIN, 1 - WITHIN)), (0.5, 0.5))


class MapSight(NamedTuple):
    """The number of space pairs that a map's walls block, and how many of those the board sees."""

    blocked: int
    seen: int

    @property
    def is_faithful(self) -> bool:
        return self.seen <= MOST_SEEN_ON_ONE * self.blocked


def compare_sight(board: Board, lines: Sequence[Line]) -> MapSight:
    """Compare a fixed sample of a board's spaces by the lines of sight of every game on cells.

    Args:
        board: the board of a map.
        lines: the lines that block sight on that map, in cells.
    """
    rules = [found for game in games() if isinstance(found := game.rules({}), CellRules)]
    cells = random.Random(len(board.cells)).sample(sorted(board.cells), min(MOST_CELLS, len(board.cells)))
    figures = tuple(Figure(f"f{n}", "?", f"side-{n % 2}", (cell,)) for n, cell in enumerate(cells))
    standing = replace(board, figures=figures)
    blocked = seen = 0
    for one in figures[::2]:
        for other in figures[1::2]:
            if not is_blocked(one.cells[0], other.cells[0], lines):
                continue
            blocked += 1
            seen += any(found.rule(standing, one.id, other.id).line_of_sight for found in rules)
    return MapSight(blocked, seen)


def is_blocked(first: Cell, second: Cell, lines: Sequence[Line]) -> bool:
    """Return whether every line between the corners and centres of two cells crosses one of the lines."""
    low = (min(first[0], second[0]), min(first[1], second[1]))
    high = (max(first[0], second[0]) + 1, max(first[1], second[1]) + 1)
    near = [line for line in lines if _may_meet(line, low, high)]
    return all(
        any(_meet((first[0] + u, first[1] + v), (second[0] + s, second[1] + t), line) for line in near)
        for u, v in SPOTS
        for s, t in SPOTS
    )


def _may_meet(line: Line, low: Cell, high: Cell) -> bool:
    (ax, ay), (bx, by) = line
    return max(ax, bx) >= low[0] and min(ax, bx) <= high[0] and max(ay, by) >= low[1] and min(ay, by) <= high[1]


def _meet(p: XY, q: XY, line: Line) -> bool:
    """Return whether two segments cross within both."""
    a, b = line
    return _side(p, q, a) * _side(p, q, b) < 0 and _side(a, b, p) * _side(a, b, q) < 0


def _side(a: XY, b: XY, point: XY) -> float:
    return (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])
