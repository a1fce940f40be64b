"""One board as bits, built once and used under every set of options."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from assistant.rules.bitboard import BitLayout, Bits
from assistant.table.board import Board
from assistant.table.lattice import Edge


class EdgeSet(NamedTuple):
    """Edges as bits: those along y and those along x."""

    upright: Bits = 0
    level: Bits = 0

    def __or__(self, other: EdgeSet) -> EdgeSet:
        return EdgeSet(self.upright | other.upright, self.level | other.level)

    def without(self, other: EdgeSet) -> EdgeSet:
        return EdgeSet(self.upright & ~other.upright, self.level & ~other.level)


class Grid:
    """The cells, edges, doors and figures of one board as bits.

    Edges lie between two cells of the board. The rim is separate: it is a wall whatever is printed on it.

    Args:
        board: the board.
        like: another grid; if both boards share the same ground objects, their grids share bits.
    """

    def __init__(self, board: Board, like: Grid | None = None) -> None:
        self.board = board
        shared = like if like is not None and _is_same_ground(board, like.board) else None
        self._ground: _Ground = _Ground(board) if shared is None else shared._ground
        self.frame = self._ground.frame
        self.inside = self._ground.inside
        self.blocking = self._ground.blocking
        self.difficult = self._ground.difficult
        self.rim = self._ground.rim
        self.figures = {figure.id: self.frame.bits_of_few(figure.cells) for figure in board.figures}
        self.occupied = self.frame.bits(board.figure_at)

    def edges(self, kind: str, opened: frozenset[str] = frozenset()) -> EdgeSet:
        """Return the edges of one kind: wall, obstacle, impassable, door (closed) or cell (sides of blocking cells).

        ``opened`` doors count as open.
        """
        if kind == "door":
            doors = (door for door in self.board.doors if not door.open and door.id not in opened)
            return self.edge_set(edge for door in doors for edge in door.edges)
        return self._ground.printed.get(kind, EdgeSet())

    def edge_set(self, edges: Iterable[Edge]) -> EdgeSet:
        """Return the given edges that lie between two cells of the board."""
        return self._ground.edge_set(edges)


class _Ground:
    """The cells and printed edges of one board as bits."""

    def __init__(self, board: Board) -> None:
        self._cells = board.cells
        self.frame = BitLayout.around(board.cells)
        self.inside = self.frame.bits(board.cells)
        self.blocking = self.frame.bits(board.blocking)
        self.difficult = self.frame.bits(board.difficult)
        down = self.frame.stride
        self.rim = EdgeSet(self.inside ^ self.inside << 1, self.inside ^ self.inside << down)
        self.printed = self._printed(board)

    def edge_set(self, edges: Iterable[Edge]) -> EdgeSet:
        starts: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
        for edge in edges:
            if all(cell in self._cells for cell in edge.cells):
                starts[edge.is_horizontal].append(edge.start)
        return EdgeSet(*(self.frame.bits(places) if places else 0 for places in starts))

    def _printed(self, board: Board) -> dict[str, EdgeSet]:
        by_kind: dict[str, list[Edge]] = {}
        for edge, kind in board.edges.items():
            by_kind.setdefault(kind, []).append(edge)
        found = {kind: self.edge_set(edges) for kind, edges in by_kind.items()}
        down, inside, blocking = self.frame.stride, self.inside, self.blocking
        upright = (blocking | blocking << 1) & inside & inside << 1
        found["cell"] = EdgeSet(upright, (blocking | blocking << down) & inside & inside << down)
        return found


def _is_same_ground(a: Board, b: Board) -> bool:
    """Return whether the two boards differ only in their pieces."""
    parts = ((board.cells, board.edges, board.difficult, board.blocking) for board in (a, b))
    return all(one is other for one, other in zip(*parts, strict=True))
