"""Possible ends of a move: the least cost of every placement, including doors opened on the way."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from assistant.errors import CannotDo
from assistant.rules.barriers import Barriers
from assistant.rules.grid import Grid
from assistant.rules.paths import Diagonal, StepGraph
from assistant.rules.ruling import End
from assistant.table.board import Board, Door
from assistant.table.lattice import Cell, edge_between, list_inner_edges
from assistant.translations.messages import said

Footprint = tuple[Cell, ...]
"""The cells under a figure. Their order matters only to figures with a head."""

MAX_DOOR_SETS = 1 << 10
"""Cap on the sets of opened doors. A table with eight doors has 256."""


class Stride(NamedTuple):
    """One step or turn: its cost in points and the placement after it."""

    cost: int
    placement: Footprint


class MoveGround(Protocol):
    """The board as ground for one figure's move, with certain doors opened; each game has its own."""

    def strides(self, placement: Footprint) -> Iterator[Stride]:
        """Yield every single step or turn from a placement."""
        ...

    def may_end(self, placement: Footprint) -> bool: ...


@dataclass(frozen=True)
class DoorRules:
    """Opening doors on the way: the points for one, and the cells from which each closed door can be opened."""

    cost: int
    reach: tuple[tuple[str, frozenset[Cell]], ...] = ()


def find_ends(
    start: Footprint, points: int, ground: Callable[[frozenset[str]], MoveGround], doors: DoorRules
) -> tuple[End, ...]:
    """Return the least cost of each placement in which a move may end, its own included, by cost, then by cells.

    Dijkstra over pairs of a placement and the doors opened so far. A state is dropped if the same placement was
    reached as cheaply with a superset of its open doors: that state can continue in every way that this one can.

    Args:
        start: the placement of the figure.
        points: the greatest cost of the move.
        ground: the board with the named doors opened.
        doors: the doors that the figure may open on the way.

    Raises:
        CannotDo: there are too many doors to try every set of them.
    """
    nothing: frozenset[str] = frozenset()
    grounds = {nothing: ground(nothing)}
    best: dict[Footprint, int] = {}
    settled: dict[Footprint, list[frozenset[str]]] = {}
    queue: list[tuple[int, int, Footprint, frozenset[str]]] = [(0, 0, start, nothing)]
    known: dict[tuple[Footprint, frozenset[str]], int] = {(start, nothing): 0}
    while queue:
        cost, _, placement, opened = heapq.heappop(queue)
        if any(opened <= other for other in settled.setdefault(placement, [])):
            continue
        settled[placement].append(opened)
        best.setdefault(placement, cost)
        if opened not in grounds:
            if len(grounds) == MAX_DOOR_SETS:
                raise CannotDo(said("There are too many closed doors in reach. Open some on the board."))
            grounds[opened] = ground(opened)
        for price, state in _step_onward(placement, opened, grounds[opened], doors):
            total = cost + price
            if total <= points and total < known.get(state, points + 1):
                known[state] = total
                # At equal cost the state with more doors open comes first: it makes the others redundant.
                heapq.heappush(queue, (total, -len(state[1]), *state))
    return _order_ends(start, best, grounds[nothing])


def _order_ends(start: Footprint, best: dict[Footprint, int], ground: MoveGround) -> tuple[End, ...]:
    """Return the placements in which the move may end; staying is always allowed."""
    found = {tuple(sorted(start)): 0}
    for placement, cost in best.items():
        if ground.may_end(placement):
            cells = tuple(sorted(placement))
            found[cells] = min(cost, found.get(cells, cost))
    return tuple(sorted((End(cost, cells) for cells, cost in found.items()), key=lambda end: (end.cost, end.cells)))


def _step_onward(
    placement: Footprint, opened: frozenset[str], ground: MoveGround, doors: DoorRules
) -> Iterator[tuple[int, tuple[Footprint, frozenset[str]]]]:
    for stride in ground.strides(placement):
        yield stride.cost, (stride.placement, opened)
    for door, cells in doors.reach:
        if door not in opened and not cells.isdisjoint(placement):
            yield doors.cost, (placement, opened | {door})


class MoveBarriers:
    """The obstacles of a moving base: barriers of the given kinds, with some doors opened."""

    def __init__(self, grid: Grid, kinds: frozenset[str], opened: frozenset[str], diagonal: Diagonal) -> None:
        self.frame = grid.frame
        self.barriers = Barriers.of(grid, kinds, opened=opened)
        self.steps = StepGraph.over(self.barriers, grid.inside, diagonal)
        self._floor = grid.board.cells

    def may_shift(self, placement: Footprint, dx: int, dy: int) -> bool:
        """Return whether every cell under a base may step that way without a barrier under the base afterwards."""
        if not all(self.steps.may_step(cell, dx, dy) for cell in placement):
            return False
        return self.is_whole(tuple((x + dx, y + dy) for x, y in placement))

    def is_whole(self, placement: Footprint) -> bool:
        """Return whether all cells are on the board and no barrier runs between two of them."""
        cells = set(placement)
        if not self._floor.issuperset(cells):
            return False
        for x, y in placement:
            for other in ((x + 1, y), (x, y + 1)):
                if other in cells and self.barriers.has(edge_between((x, y), other)):
                    return False
        return True


def lies_across(board: Board, cells: Footprint, kinds: frozenset[str]) -> bool:
    """Return whether a closed door, or a printed line of these kinds, runs between two cells of a base."""
    inside = list_inner_edges(frozenset(cells))
    return any(edge in board.closed_door_at or board.edges.get(edge) in kinds for edge in inside)


def open_doors(board: Board, opened: frozenset[str]) -> Board:
    """Return the board with these doors open."""
    if not opened:
        return board
    doors = tuple(Door(d.id, d.edges, d.open or d.id in opened) for d in board.doors)
    return Board(board.cells, board.edges, doors, board.figures, board.difficult, board.blocking, board.cell_mm)


def find_door_reach(board: Board, *, corners_too: bool) -> tuple[tuple[str, frozenset[Cell]], ...]:
    """Return the cells from which each closed door can be opened: those along it, or also those that touch its ends."""
    found = []
    for door in board.doors:
        if door.open:
            continue
        cells = {cell for edge in door.edges for cell in edge.cells}
        if corners_too:
            ends = {point for edge in door.edges for point in edge}
            cells |= {(x - i, y - j) for x, y in ends for i in (0, 1) for j in (0, 1)}
        found.append((door.id, frozenset(cells & board.cells)))
    return tuple(found)
