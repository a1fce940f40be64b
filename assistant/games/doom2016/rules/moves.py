"""Moves of figures in DOOM (2016): small ones in eight directions, large ones in four and by quarter turns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from assistant.rules.grid import Grid
from assistant.rules.moves import Footprint, MoveBarriers, Stride
from assistant.rules.paths import EIGHT_DIRECTIONS, FOUR_DIRECTIONS, Diagonal
from assistant.table.board import Figure
from assistant.table.lattice import Cell

TURNING_SIZES = (2, 6)
"""Sizes in cells of the bases that turn. A base of four cells is square."""


@dataclass(frozen=True)
class MoveRules2016:
    """The house options of movement.

    Args:
        diagonal: when a diagonal step is free, as in `StepGraph.over`.
        impassable_blocks: whether impassable lines stop small figures.
        costs_add_up: whether difficult ground and an enemy in one cell cost a point each; otherwise one point together.
        large_pass_large: whether a large figure may pass through another large one.
    """

    diagonal: Diagonal = "two_l"
    impassable_blocks: bool = True
    costs_add_up: bool = True
    large_pass_large: bool = True


def make_small_barriers(grid: Grid, rules: MoveRules2016, opened: frozenset[str]) -> MoveBarriers:
    """Return the barriers to the steps of a small figure, with certain doors opened."""
    kinds = {"wall", "door", "obstacle", "cell"} | ({"impassable"} if rules.impassable_blocks else set())
    return MoveBarriers(grid, frozenset(kinds), opened, rules.diagonal)


class SmallGround:
    """The board as ground for a figure of one cell."""

    def __init__(self, grid: Grid, mover: Figure, rules: MoveRules2016, opened: frozenset[str]) -> None:
        self._terrain = make_small_barriers(grid, rules, opened)
        self._board = grid.board
        self._mover = mover
        self._rules = rules

    def strides(self, placement: Footprint) -> Iterator[Stride]:
        ((x, y),) = placement
        for dx, dy in EIGHT_DIRECTIONS:
            if self._terrain.steps.may_step((x, y), dx, dy):
                cell = (x + dx, y + dy)
                yield Stride(1 + self._extra(cell), (cell,))

    def may_end(self, placement: Footprint) -> bool:
        return self._board.figure_at.get(placement[0], self._mover) is self._mover

    def enemy_cost(self, cell: Cell) -> int:
        """Return the extra points for entering a cell because of an enemy there."""
        there = self._board.figure_at.get(cell)
        if there is None or there.side == self._mover.side:
            return 0
        return 1 if self._rules.costs_add_up or cell not in self._board.difficult else 0

    def _extra(self, cell: Cell) -> int:
        return (cell in self._board.difficult) + self.enemy_cost(cell)


class LargeGround:
    """The board as ground for a figure of several cells: only walls, doors and other large figures matter."""

    def __init__(self, grid: Grid, mover: Figure, rules: MoveRules2016, opened: frozenset[str]) -> None:
        self._terrain = MoveBarriers(grid, frozenset({"wall", "door"}), opened, rules.diagonal)
        self._rules = rules
        others = [figure for figure in grid.board.figures if figure.is_large and figure.id != mover.id]
        self._large = frozenset(cell for figure in others for cell in figure.cells)
        self._enemies = frozenset(cell for figure in others if figure.side != mover.side for cell in figure.cells)

    def strides(self, placement: Footprint) -> Iterator[Stride]:
        for dx, dy in FOUR_DIRECTIONS:
            if not self._terrain.may_shift(placement, dx, dy):
                continue
            moved = tuple((x + dx, y + dy) for x, y in placement)
            entered = set(moved).difference(placement)
            if self._rules.large_pass_large or entered.isdisjoint(self._large):
                yield Stride(1 + (not entered.isdisjoint(self._enemies)), moved)
        for turned in list_quarter_turns(placement):
            if self._terrain.is_whole(turned) and self._large.isdisjoint(turned):
                yield Stride(1, turned)

    def may_end(self, placement: Footprint) -> bool:
        return self._large.isdisjoint(placement)  # small figures make room


def list_quarter_turns(placement: Footprint) -> Iterator[Footprint]:
    """Yield the placements after a turn by 90 degrees that keep at least half of the covered cells."""
    columns = sorted({x for x, _ in placement})
    rows = sorted({y for _, y in placement})
    width, height = len(columns), len(rows)
    if len(placement) not in TURNING_SIZES or width == height:
        return
    before = set(placement)
    for left in range(columns[0] - height + 1, columns[-1] + 1):
        for top in range(rows[0] - width + 1, rows[-1] + 1):
            turned = tuple((left + i, top + j) for i in range(height) for j in range(width))
            if 2 * len(before.intersection(turned)) >= len(before):
                yield turned
