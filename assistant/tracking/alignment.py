"""Keeps one lattice for the whole evening by renaming a new reading's cells to their earlier names.

A reading numbers its cells from the board's top left corner. A tile found or lost, or a knocked board, changes the
numbers of the same cells. The tiles in both readings give the renaming (`find_renaming`). A resumed match has no
earlier reading. There the printed lines of both boards give it (`relocalize`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from assistant.table.board import Board, EdgeKind
from assistant.table.camera import PointMm
from assistant.table.lattice import Cell, Edge, Point
from assistant.table.observation import LatticePose, Observation, SeenTile
from assistant.tracking.values import Cells

_NEAR_CELLS = 0.35
"""Largest distance in cells of a tile from a whole cell at which it still votes."""


@dataclass(frozen=True, slots=True)
class Renaming:
    """Maps one lattice's cells to another's: a rotation by quarter turns (x becomes y), then a shift."""

    quarters: int = 0
    shift: tuple[int, int] = (0, 0)

    def point(self, point: Point) -> Point:
        x, y = _turn_point(point, self.quarters)
        return round(x) + self.shift[0], round(y) + self.shift[1]

    def cell(self, cell: Cell) -> Cell:
        """Rename a cell, which is named by its first corner after the rotation."""
        (ax, ay), (bx, by) = self.point(cell), self.point((cell[0] + 1, cell[1] + 1))
        return min(ax, bx), min(ay, by)

    def cells(self, cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
        """Rename a figure's cells, and sort them."""
        return tuple(sorted(self.cell(cell) for cell in cells))

    def edge(self, edge: Edge) -> Edge:
        return Edge.between(self.point(edge.start), self.point(edge.end))

    def board(self, board: Board) -> Board:
        if self == SAME:
            return board
        return Board(
            cells=frozenset(map(self.cell, board.cells)),
            edges={self.edge(edge): kind for edge, kind in board.edges.items()},
            doors=tuple(replace(door, edges=tuple(sorted(map(self.edge, door.edges)))) for door in board.doors),
            figures=tuple(replace(figure, cells=self.cells(figure.cells)) for figure in board.figures),
            difficult=frozenset(map(self.cell, board.difficult)),
            blocking=frozenset(map(self.cell, board.blocking)),
            cell_mm=board.cell_mm,
        )


SAME = Renaming()


def find_renaming(before: Observation, now: Observation) -> Renaming | None:
    """Find the renaming of ``now``'s cells to ``before``'s, by a vote of common tiles, or None if they share none."""
    known = {tile.id: tile for tile in before.tiles}
    votes = Counter(
        vote
        for tile in now.tiles
        if tile.id in known and (vote := _vote(known[tile.id], before.grid, tile, now.grid)) is not None
    )
    return votes.most_common(1)[0][0] if votes else None


def _vote(before: SeenTile, old_grid: LatticePose, now: SeenTile, new_grid: LatticePose) -> Renaming | None:
    """Return the renaming that one tile votes for, or None if it lies off the lattice."""
    turn_deg = (before.rotation_deg - old_grid.angle_deg) - (now.rotation_deg - new_grid.angle_deg)
    quarters = round(turn_deg / 90) % 4
    x, y = _turn_point(lattice_from_table(now.center_mm, new_grid), quarters)
    there = lattice_from_table(before.center_mm, old_grid)
    dx, dy = there[0] - x, there[1] - y
    if max(abs(dx - round(dx)), abs(dy - round(dy))) > _NEAR_CELLS:
        return None
    return Renaming(quarters, (round(dx), round(dy)))


def lattice_from_table(point_mm: PointMm, grid: LatticePose) -> tuple[float, float]:
    """Convert a table point to lattice coordinates."""
    c, s = math.cos(math.radians(grid.angle_deg)), math.sin(math.radians(grid.angle_deg))
    x, y = point_mm[0] - grid.origin_mm[0], point_mm[1] - grid.origin_mm[1]
    return (c * x + s * y) / grid.cell_mm, (c * y - s * x) / grid.cell_mm


def _turn_point(point: tuple[float, float], quarters: int) -> tuple[float, float]:
    x, y = point
    for _ in range(quarters % 4):
        x, y = -y, x
    return x, y


LIKE_BOARD_SHARE = 0.6
"""Share of the smaller board's lines that must match, since a tile may be missed for a while."""

LIKE_TABLE_SHARE = 0.5
"""Share of the match's figures that must be in their places."""

MOST_PAIRS = 4_000_000
"""Largest number of line pairs to compare. A camera sees some hundred lines."""

_Points = npt.NDArray[np.int64]


def relocalize(match: Board, seen: Observation) -> Mapping[str, Cells]:
    """Return the cells of the match's figures on the board in view, after a restart.

    A match keeps the cell names of its first reading. The printed lines of both boards give the new names. The result
    is empty for another board, and for a table on which most figures stand elsewhere.
    """
    change = find_board_renaming(seen.board, match)
    if change is None:
        return {}
    places = {figure.id: change.cells(figure.cells) for figure in match.figures}
    kinds = {figure.id: figure.kind for figure in match.figures}
    shown = {tuple(sorted(figure.cells)): figure.kind for figure in seen.figures}
    found = sum(cells in shown and shown[cells] in (None, kinds[name]) for name, cells in places.items())
    return places if found and found >= LIKE_TABLE_SHARE * len(places) else {}


def find_board_renaming(before: Board, now: Board) -> Renaming | None:
    """Find the renaming of ``now``'s cells to ``before``'s by printed lines, or None if the boards differ."""
    if before.cells == now.cells and before.edges == now.edges:
        return SAME
    if len(before.edges) * len(now.edges) > MOST_PAIRS:
        return None
    votes, change = max((_find_best_shift(before, now, quarters) for quarters in range(4)), key=lambda vote: vote[0])
    least = LIKE_BOARD_SHARE * min(len(before.edges), len(now.edges))
    return change if votes and votes >= least else None


def _find_best_shift(before: Board, now: Board, quarters: int) -> tuple[int, Renaming]:
    """Return the shift that matches most lines of the turned ``now`` to lines of their kind, and their number."""
    there = _group_lines(before, Renaming())
    shifts = [
        (there[look][:, None] - starts[None]).reshape(-1, 2)
        for look, starts in _group_lines(now, Renaming(quarters)).items()
        if look in there
    ]
    if not shifts:
        return 0, SAME
    found, counts = np.unique(np.concatenate(shifts), axis=0, return_counts=True)
    x, y = found[int(counts.argmax())].tolist()
    return int(counts.max()), Renaming(quarters, (x, y))


def _group_lines(board: Board, change: Renaming) -> dict[tuple[EdgeKind, bool], _Points]:
    """Return the start points of the renamed lines, by kind and direction, (N, 2)."""
    starts: dict[tuple[EdgeKind, bool], list[Point]] = {}
    for edge, kind in board.edges.items():
        renamed = change.edge(edge)
        starts.setdefault((kind, renamed.is_horizontal), []).append(renamed.start)
    return {look: np.array(points, dtype=np.int64) for look, points in starts.items()}
