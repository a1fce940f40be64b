"""The spot where a blocked line meets its blocker, for the picture.

This is for drawing only. The rules have decided in integers whether the line is blocked.
"""

from __future__ import annotations

from collections.abc import Iterable

from assistant.rules.ruling import Blocker, SightLine
from assistant.table.board import Board
from assistant.table.lattice import Cell, Edge

PlacePoint = tuple[float, float]


def find_stop(line: SightLine, board: Board) -> PlacePoint | None:
    """Return the lattice place where the line meets its blocker, or None for a clear or merely touching line."""
    if line.blocked_by is None:
        return None
    shares = sorted(_shares(line, _outline(line.blocked_by, board)))
    if not shares:
        return None
    share = shares[0]
    return (
        line.start[0] + (line.end[0] - line.start[0]) * share,
        line.start[1] + (line.end[1] - line.start[1]) * share,
    )


def _outline(blocker: Blocker, board: Board) -> list[tuple[PlacePoint, PlacePoint]]:
    if blocker.edge is not None:
        return [_ends(blocker.edge)]
    if blocker.cell is not None:
        return list(_box([blocker.cell]))
    if blocker.kind == "door":
        return [_ends(edge) for door in board.doors if door.id == blocker.id for edge in door.edges]
    if blocker.kind == "figure" and blocker.id is not None and blocker.id in board.figure_by_id:
        return list(_box(board.figure_by_id[blocker.id].cells))
    return []


def _ends(edge: Edge) -> tuple[PlacePoint, PlacePoint]:
    return edge.start, edge.end


def _box(cells: Iterable[Cell]) -> list[tuple[PlacePoint, PlacePoint]]:
    columns, rows = zip(*cells, strict=True)
    left, right, top, bottom = min(columns), max(columns) + 1, min(rows), max(rows) + 1
    ring = [(left, top), (right, top), (right, bottom), (left, bottom)]
    return list(zip(ring, [*ring[1:], ring[0]], strict=True))


def _shares(line: SightLine, outline: Iterable[tuple[PlacePoint, PlacePoint]]) -> list[float]:
    """Return the positions along the line (0 to 1) where it meets each segment."""
    (x0, y0), (x1, y1) = line.start, line.end
    found = []
    for (ax, ay), (bx, by) in outline:
        turn = (x1 - x0) * (by - ay) - (y1 - y0) * (bx - ax)
        if turn == 0:
            continue
        share = ((ax - x0) * (by - ay) - (ay - y0) * (bx - ax)) / turn
        along = ((ax - x0) * (y1 - y0) - (ay - y0) * (x1 - x0)) / turn
        if 0 <= share <= 1 and 0 <= along <= 1:
            found.append(share)
    return found
