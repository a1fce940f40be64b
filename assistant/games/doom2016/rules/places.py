"""Special moves and places in DOOM (2016): teleporters, telefrags, glory kills, displacing, summoning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import NamedTuple

from assistant.errors import UnknownName
from assistant.games.doom2016.rules.moves import MoveRules2016, SmallGround, make_small_barriers
from assistant.rules.capabilities import Marks
from assistant.rules.grid import Grid
from assistant.rules.moves import Footprint, MoveBarriers, Stride
from assistant.table.board import Board, Figure
from assistant.table.lattice import Cell
from assistant.translations.messages import said


@dataclass(frozen=True)
class PricedMarks(Marks):
    """Teleporters and staggered demons with their prices under the house options.

    Args:
        glory_extra: whether entering a staggered demon's cell costs the extra point of an enemy's cell.
        teleport_cost: points for a move from one teleporter to another.
    """

    glory_extra: bool = True
    teleport_cost: int = 1


def check_marks(board: Board, marine: Figure, marks: Marks) -> None:
    """Refuse a meaningless question about a marine's move.

    Raises:
        UnknownName: the marine is a large figure, a teleporter is off the board, or the board holds no such demon.
    """
    if marine.is_large:
        raise UnknownName(
            said("“{id}” covers several cells; only marines use teleporters and kill by entering a cell", id=marine.id)
        )
    for cell in sorted(marks.active | marks.inactive):
        if cell not in board.cells:
            raise UnknownName(said("there is no cell {cell} on the board for a teleporter", cell=str(list(cell))))
    for name in sorted(marks.staggered):
        if board.figure(name).side == marine.side:
            raise UnknownName(
                said(
                    "“{name}” is on the side of “{id}”; a marine kills only enemies by entering their cell",
                    name=name,
                    id=marine.id,
                )
            )


class MarineGround:
    """The board as ground for a marine, teleporters and staggered demons included."""

    def __init__(
        self, grid: Grid, mover: Figure, rules: MoveRules2016, opened: frozenset[str], marks: PricedMarks
    ) -> None:
        self._plain = SmallGround(grid, mover, rules, opened)
        self._board = grid.board
        self._mover = mover
        self._marks = marks

    def strides(self, placement: Footprint) -> Iterator[Stride]:
        for cost, moved in self._plain.strides(placement):
            yield Stride(cost - self._spared(moved[0]), moved)
        if placement[0] in self._marks.active | self._marks.inactive:
            for cell in sorted(self._marks.active - {placement[0]}):
                yield Stride(self._marks.teleport_cost, (cell,))

    def may_end(self, placement: Footprint) -> bool:
        return self._plain.may_end(placement) or self.killed(placement[0]) is not None

    def killed(self, cell: Cell) -> str | None:
        """Return the demon that dies when the marine enters a cell: telefragged on a teleporter, or staggered."""
        there = self._board.figure_at.get(cell)
        if there is None or there.side == self._mover.side:
            return None
        dies = cell in self._marks.active or there.id in self._marks.staggered
        return there.id if dies else None

    def _spared(self, cell: Cell) -> int:
        """Return the extra points of an enemy's cell that the demon's death saves."""
        if self.killed(cell) is None:
            return 0
        return self._plain.enemy_cost(cell) if cell in self._marks.active or not self._marks.glory_extra else 0


class Route(NamedTuple):
    """A path to a cell: its cost, and the entered cells, in order."""

    cost: int
    path: tuple[Cell, ...]


def find_route(ground: MarineGround, start: Cell, end: Cell, points: int) -> Route | None:
    """Return the cheapest path to a cell, with the fewest dead demons in a tie, or None without a path.

    Args:
        ground: the marine's ground.
        start: the marine's cell.
        end: the cell to reach.
        points: the highest cost.
    """
    # Dijkstra over the pair (cost, demons killed), compared in this order. Both only grow along a path, so a cell's
    # first visit is its best.
    best: dict[Cell, tuple[int, int]] = {start: (0, 0)}
    queue: list[tuple[int, int, Cell, tuple[Cell, ...]]] = [(0, 0, start, ())]
    while queue:
        cost, killed, here, path = heappop(queue)
        if here == end:
            return Route(cost, path)
        for stride in ground.strides((here,)):
            there = stride.placement[0]
            rank = (cost + stride.cost, killed + (ground.killed(there) is not None))
            if rank[0] <= points and rank < best.get(there, (points + 1, 0)):
                best[there] = rank
                heappush(queue, (*rank, there, (*path, there)))
    return None


def find_displacements(
    board: Board, rules: MoveRules2016, mover_id: str, cells: Footprint
) -> Mapping[str, tuple[Cell, ...]]:
    """Return the choices for each small figure under a large one's final base: the nearest empty cells.

    Its owner chooses. Steps count as for the small figure's own moves. With several figures, apply one choice and call
    this again.

    Args:
        board: the table, with the large figure in its old or its new place.
        rules: the options of movement.
        mover_id: the large figure.
        cells: the large figure's final cells.
    """
    terrain = make_small_barriers(Grid(board), rules, frozenset())
    under = {board.figure_at[cell] for cell in cells if cell in board.figure_at}
    before = set(board.figure(mover_id).cells)
    taken = set(board.figure_at).difference(before) | set(cells)
    free = terrain.frame.bits(board.cells - taken)
    found: dict[str, tuple[Cell, ...]] = {}
    for figure in sorted(under, key=lambda f: f.id):
        if figure.id != mover_id:
            found[figure.id] = _find_nearest(terrain, figure.cells[0], free)
    return found


def find_nearest_free(board: Board, rules: MoveRules2016, start: Cell) -> tuple[Cell, ...]:
    """Return the empty cells nearest to a cell, in steps of a small figure's move; none if it reaches no empty one."""
    terrain = make_small_barriers(Grid(board), rules, frozenset())
    return _find_nearest(terrain, start, terrain.frame.bits(board.cells - set(board.figure_at)))


def _find_nearest(terrain: MoveBarriers, start: Cell, free: int) -> tuple[Cell, ...]:
    for ring in terrain.steps.rings(terrain.frame.bit(start)):
        if ring & free:
            return tuple(sorted(terrain.frame.places(ring & free)))
    return ()


def find_summon_placements(board: Board, portal: Cell, wide: int = 1, high: int = 1) -> tuple[Footprint, ...]:
    """Return the placements of a base at a portal, in either rotation: on the portal or next to it, on empty cells.

    Walls and closed doors separate cells, and no base lies across one.
    """
    terrain = MoveBarriers(Grid(board), frozenset({"wall", "door"}), frozenset(), "two_l")
    near = terrain.frame.bit(portal) | terrain.steps.neighbours(terrain.frame.bit(portal))
    touching = set(terrain.frame.places(near))
    free = board.cells - frozenset(board.figure_at) - (board.blocking if wide * high == 1 else frozenset())
    found: set[Footprint] = set()
    for columns, rows in {(wide, high), (high, wide)}:
        for x, y in touching:
            for i, j in ((i, j) for i in range(columns) for j in range(rows)):
                base = tuple((x - i + k, y - j + m) for k in range(columns) for m in range(rows))
                if free.issuperset(base) and terrain.is_whole(base):
                    found.add(base)
    return tuple(sorted(found))
