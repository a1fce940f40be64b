"""Set-up check of a mission's table: missing, extra and wrong things on the seen table.

The two boards may count their cells from different corners. So the program first turns and shifts the seen board onto
the mission's, for the largest agreement of spaces and printed lines.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from msgspec import Struct

from assistant.match.game import INVADER, Cells, GameState, Piece
from assistant.match.ground import FREE_TABLE, board_of, free_table_of, read_board
from assistant.match.steps import See
from assistant.table.board import Board, EdgeKind
from assistant.table.free_table import FreeTable
from assistant.table.lattice import Cell, Edge, Point, grow
from assistant.table.roster import UNNAMED, kind_of

PROBES = 60
"""Number of seen spaces that vote for shifts: enough to outvote any stray tile."""

TRIED_SHIFTS = 6
"""Number of shifts per turn to compare in full, those with the most votes."""

LEAST_LIKENESS = 2 / 3
"""Least share of common spaces and printed lines by which two boards are the same table.

No two shipped missions share more than 0.64, except two small ones, one of which lies within the other (0.78). A
mission's own table without its largest tile still scores 0.69.
"""

FREE_STEPS = 1.0
"""Tolerance of a figure's place on a table without spaces, in steps: a limit for placing by eye."""

FaultKind = Literal["missing", "extra", "wrong"]
FaultWhat = Literal["tile", "lines", "door", "figure", "turned"]


class LayingFault(Struct, frozen=True, kw_only=True):
    """One difference from the mission, in the mission's cells.

    Args:
        kind: missing, surplus, or present but wrong.
        what: its subject; ``lines`` are printed on a tile that may lie on its other side.
        cells: its spaces. For a tile: the missing ones. For a door: those beside it.
        edges: the edges of a door.
        figure: the figure.
        seen_at: the cells where that figure stands instead.
        steps: its distance from its place, on a table without spaces.
        turns: the quarters of a turn by which the whole table is rotated.
    """

    kind: FaultKind
    what: FaultWhat
    cells: Cells = ()
    edges: tuple[Edge, ...] = ()
    figure: str | None = None
    seen_at: Cells = ()
    steps: float | None = None
    turns: int = 0


class Placement(NamedTuple):
    """The transform from one board to another: quarter turns about the origin, then a shift."""

    turns: int = 0
    right: int = 0
    down: int = 0

    def point(self, point: Point) -> Point:
        x, y = point
        for _ in range(self.turns):
            x, y = -y, x
        return x + self.right, y + self.down

    def edge(self, edge: Edge) -> Edge:
        return Edge.between(self.point(edge.start), self.point(edge.end))

    def cell(self, cell: Cell) -> Cell:
        (x, y), (other_x, other_y) = self.point(cell), self.point((cell[0] + 1, cell[1] + 1))
        return min(x, other_x), min(y, other_y)

    def back(self) -> Placement:
        """Return the inverse transform."""
        turned = Placement((4 - self.turns) % 4)
        x, y = turned.point((self.right, self.down))
        return Placement(turned.turns, -x, -y)


class LaidTable(NamedTuple):
    """The set-up check's result: the faults, and the transform from the seen board to the mission's."""

    faults: tuple[LayingFault, ...]
    placement: Placement = Placement()


def wanted_table(start: GameState, table: Mapping[str, Any] | None) -> GameState:
    """Return the match on its mission's table. Without such a table only the figures have places."""
    return start if table is None else See(document=dict(table)).apply(start)


def compare_laying(wanted: GameState, seen: Board | FreeTable) -> LaidTable:
    """Return the differences from the mission, largest things first, or none for a correct table."""
    if isinstance(seen, FreeTable):
        return LaidTable(tuple(_compare_points(wanted, seen)))
    if not wanted.ground:
        return LaidTable(tuple(_compare_figures(wanted, {one.id: one.cells for one in seen.figures})))
    board = board_of(wanted)
    place = _find_placement(board, seen)
    there = frozenset(place.cell(cell) for cell in seen.cells)
    figures = {one.id: tuple(sorted(map(place.cell, one.cells))) for one in seen.figures}
    faults = (
        *_compare_cells(board.cells, there),
        *_compare_lines(board, {place.edge(edge): kind for edge, kind in seen.edges.items()}, there),
        *([LayingFault(kind="wrong", what="turned", turns=place.turns)] if place.turns else []),
        *_compare_doors(board, [tuple(sorted(map(place.edge, door.edges))) for door in seen.doors]),
        *_compare_figures(wanted, figures),
    )
    return LaidTable(faults, place)


def is_same_table(ground: str, seen: Board | FreeTable, *, may_have_grown: bool = False) -> bool:
    """Return whether the seen table is the known one, in the part that is set up.

    Args:
        ground: the known table in its stored form.
        seen: the table that the camera sees.
        may_have_grown: whether new tiles may lie beside the known ones, which then have not moved.
    """
    if FREE_TABLE in ground or isinstance(seen, FreeTable):
        return FREE_TABLE in ground and isinstance(seen, FreeTable)
    return _is_same_board(ground, seen.cells, frozenset(seen.edges.items()), may_have_grown)


@lru_cache(maxsize=32)
def _is_same_board(
    ground: str, cells: frozenset[Cell], lines: frozenset[tuple[Edge, EdgeKind]], may_have_grown: bool
) -> bool:
    """Compare a board by its cells and lines, cached because the same two boards come again and again."""
    known = read_board(ground)
    seen = Board(cells, dict(lines))
    if _likeness(known, seen, _find_placement(known, seen)) >= LEAST_LIKENESS:
        return True
    left = {edge: kind for edge, kind in seen.edges.items() if known.cells.issuperset(edge.cells)}
    there = known.cells & cells
    return may_have_grown and bool(there) and _likeness(known, Board(there, left), Placement()) >= LEAST_LIKENESS


def _likeness(known: Board, seen: Board, place: Placement) -> float:
    """Return the share of cells and lines that the two boards have in common, from 0 to 1."""
    first = {*known.cells, *known.edges.items()}
    other = {*map(place.cell, seen.cells), *((place.edge(edge), kind) for edge, kind in seen.edges.items())}
    return len(first & other) / len(first | other)


def _find_placement(wanted: Board, seen: Board) -> Placement:
    """Return the placement with the most agreement; among equals, the one with least turn and shift."""

    def likeness(place: Placement) -> tuple[int, int, int]:
        cells = sum(place.cell(cell) in wanted.cells for cell in seen.cells)
        lines = sum(wanted.edges.get(place.edge(edge)) == kind for edge, kind in seen.edges.items())
        return cells + lines, -place.turns, -abs(place.right) - abs(place.down)

    every = sorted(seen.cells)
    probes = every[:: max(1, len(every) // PROBES)]
    tried = [Placement()]
    for turns in range(4):
        turned = [Placement(turns).cell(cell) for cell in probes]
        votes = Counter((x - u, y - v) for x, y in wanted.cells for u, v in turned)
        tried += [Placement(turns, *shift) for shift, _ in votes.most_common(TRIED_SHIFTS)]
    return max(tried, key=likeness)


def _compare_cells(wanted: frozenset[Cell], seen: frozenset[Cell]) -> Iterator[LayingFault]:
    for part in _connected(wanted - seen):
        yield LayingFault(kind="missing", what="tile", cells=part)
    for part in _connected(seen - wanted):
        yield LayingFault(kind="extra", what="tile", cells=part)


def _compare_lines(board: Board, lines: Mapping[Edge, str], there: frozenset[Cell]) -> Iterator[LayingFault]:
    """Yield spaces in the right place with other printed lines. A mission without lines skips this check."""
    if not board.edges:
        return
    both = board.cells & there
    other = {edge for edge in {*board.edges, *lines} if board.edges.get(edge) != lines.get(edge)}
    beside = frozenset(cell for edge in other if both.issuperset(edge.cells) for cell in edge.cells)
    for part in _connected(beside):
        yield LayingFault(kind="wrong", what="lines", cells=part)


def _compare_doors(board: Board, seen: Iterable[tuple[Edge, ...]]) -> Iterator[LayingFault]:
    wanted, there = {tuple(sorted(door.edges)) for door in board.doors}, set(seen)
    for kind, places in (("missing", wanted - there), ("extra", there - wanted)):
        for edges in sorted(places):
            cells = tuple(sorted({cell for edge in edges for cell in edge.cells}))
            yield LayingFault(kind="missing" if kind == "missing" else "extra", what="door", cells=cells, edges=edges)


def _compare_figures(wanted: GameState, seen: Mapping[str, Cells]) -> Iterator[LayingFault]:
    """Yield figures in wrong places; figures of one kind may stand in for each other."""
    left, due = dict(seen), []
    for piece in wanted.standing():
        right = next((n for n, cells in left.items() if cells == piece.cells and _may_be(wanted, n, piece)), None)
        if right is None:
            due.append(piece)
        else:
            del left[right]
    for piece in due:
        names = sorted((n for n in left if _may_be(wanted, n, piece)), key=lambda name: name != piece.id)
        if not names:
            yield LayingFault(kind="missing", what="figure", figure=piece.id, cells=piece.cells)
            continue
        stands = left.pop(names[0])
        if piece.cells:
            yield LayingFault(kind="wrong", what="figure", figure=piece.id, cells=piece.cells, seen_at=stands)
    for name, cells in left.items():
        yield LayingFault(kind="extra", what="figure", figure=name, seen_at=cells)


def _may_be(wanted: GameState, name: str, piece: Piece) -> bool:
    """Return whether a seen figure may be this one of the mission.

    It may if it has the same name, if the camera knows only its kind, or if both are invaders of one kind.
    """
    if UNNAMED in name:
        return kind_of(name) == kind_of(piece.id)
    other = wanted.pieces.get(name)
    is_alike = other is not None and other.on_table and other.kind == piece.kind and other.side == piece.side == INVADER
    return name == piece.id or is_alike


def _compare_points(wanted: GameState, seen: FreeTable) -> Iterator[LayingFault]:
    places = {piece.id: piece.center_mm for piece in wanted.standing()}
    if wanted.ground:
        table = free_table_of(wanted)
        places |= {one.id: (float(one.center_mm[0]), float(one.center_mm[1])) for one in table.figures}
    there = {one.id: (float(one.center_mm[0]), float(one.center_mm[1])) for one in seen.figures}
    for name, place in places.items():
        if name not in there:
            yield LayingFault(kind="missing", what="figure", figure=name)
        elif place is not None:
            steps = math.dist(place, there[name]) / float(seen.step_mm)
            if steps > FREE_STEPS:
                yield LayingFault(kind="wrong", what="figure", figure=name, steps=round(steps, 1))
    for name in there:
        if name not in places:
            yield LayingFault(kind="extra", what="figure", figure=name)


def _connected(cells: frozenset[Cell]) -> list[Cells]:
    """Return the connected parts, across corners too, each sorted, from the top left on."""
    left, parts = set(cells), []
    while left:
        part = {min(left)}
        while (wider := grow(part) & left) > part:
            part = set(wider)
        left -= part
        parts.append(tuple(sorted(part)))
    return sorted(parts)
