"""Moves of figures in DOOM (2004): steps in eight directions, the demon's snake step, bases of four spaces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from assistant.rules.grid import Grid
from assistant.rules.moves import Footprint, MoveBarriers, Stride
from assistant.rules.paths import EIGHT_DIRECTIONS, FOUR_DIRECTIONS, Diagonal
from assistant.table.board import Figure

STOPPING = frozenset({"wall", "door", "obstacle", "impassable", "cell"})
"""The kinds of barriers that stop a step."""


class Spaces:
    """The board as ground for one figure's move; every space of its base makes the same step.

    Args:
        grid: the board.
        mover: the figure.
        opened: the closed doors that count as open.
        diagonal: when a diagonal step is free, as in `StepGraph.over`.
        either_half_leads: whether either half of a two-space figure may lead its snake step; otherwise only the half
          that the board names first.
    """

    def __init__(
        self, grid: Grid, mover: Figure, opened: frozenset[str], diagonal: str, either_half_leads: bool
    ) -> None:
        board = grid.board
        self._terrain = MoveBarriers(grid, STOPPING, opened, cast(Diagonal, diagonal))
        self._either_half_leads = either_half_leads
        others = [figure for figure in board.figures if figure.id != mover.id]
        enemies = (cell for figure in others if figure.side != mover.side for cell in figure.cells)
        self._closed = board.blocking.union(enemies)
        self._occupied = board.blocking.union(cell for figure in others for cell in figure.cells)

    def strides(self, placement: Footprint) -> Iterator[Stride]:
        """Yield steps of one point each: past friends, but through no enemy and no blocking obstacle."""
        if len(placement) == 2:
            yield from self._snake_steps(placement)
        for dx, dy in EIGHT_DIRECTIONS:
            if len(placement) == 2 and 0 in (dx, dy):
                continue
            moved = tuple((x + dx, y + dy) for x, y in placement)
            if self._closed.isdisjoint(moved) and self._terrain.may_shift(placement, dx, dy):
                yield Stride(1, moved)

    def may_end(self, placement: Footprint) -> bool:
        return self._occupied.isdisjoint(placement)

    def _snake_steps(self, placement: Footprint) -> Iterator[Stride]:
        """Yield snake steps: one half of a demon steps forward or sideways, the other half takes its place."""
        head, tail = placement
        leads = [(head, tail), (tail, head)] if self._either_half_leads else [(head, tail)]
        for leader, other in leads:
            for dx, dy in FOUR_DIRECTIONS:
                ahead = (leader[0] + dx, leader[1] + dy)
                if ahead != other and ahead not in self._closed and self._terrain.steps.may_step(leader, dx, dy):
                    moved = (ahead, leader)
                    yield Stride(1, tuple(sorted(moved)) if self._either_half_leads else moved)
