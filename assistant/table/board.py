"""The table as the rules see it: a board that is consistent by construction."""

from __future__ import annotations

import enum
import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from assistant.errors import BoardError, UnknownName
from assistant.table.lattice import LIMIT, Cell, Edge, Point, is_rectangle
from assistant.translations.messages import Said, known, message, said

EdgeKind = Literal["wall", "obstacle", "impassable"]

EDGE_STRENGTH: Mapping[EdgeKind, int] = {"obstacle": 0, "impassable": 1, "wall": 2}
"""Strength of edge kinds. Where two adjacent tiles print different kinds on a common edge, the stronger one counts."""

MAX_CELLS = 40_000
"""Cap on cells, far above any table (the largest known board has 1,400), and low enough to answer quickly."""

MAX_PIECES = 4_000
"""Cap on figures and on doors: a hundred times those of a crowded table."""

MAX_SIDE = 2_048
"""Cap on columns and on rows from the first cell to the last: some 50 metres."""


class BoardStatus(enum.Flag):
    """Every way in which a board can contradict itself. No flag means a valid board."""

    VALID = 0
    BAD_SCALE = enum.auto()
    NO_CELLS = enum.auto()
    TOO_MANY_CELLS = enum.auto()
    OUT_OF_LIMITS = enum.auto()
    TERRAIN_OFF_BOARD = enum.auto()
    DOOR_NOWHERE = enum.auto()
    DOOR_TWICE = enum.auto()
    FIGURE_OFF_BOARD = enum.auto()
    FIGURE_TWICE = enum.auto()
    FIGURES_OVERLAP = enum.auto()
    FIGURE_NO_RECTANGLE = enum.auto()
    TOO_MANY_PIECES = enum.auto()


class BoardProblem(NamedTuple):
    """One contradiction: its flag, its field, and a sentence."""

    flag: BoardStatus
    field: str
    text: Said


@dataclass(frozen=True, slots=True)
class Door:
    """A door token on one or more edges. An open one blocks nothing."""

    id: str
    edges: tuple[Edge, ...]
    open: bool = False


UNKNOWN_SIDE = "unknown"
"""The side of a figure of unknown kind. Rulings against either side are possible."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A miniature and the full rectangle of cells that its base covers, sorted."""

    id: str
    kind: str
    side: str
    cells: tuple[Cell, ...]

    @property
    def is_large(self) -> bool:
        return len(self.cells) > 1


@dataclass(frozen=True)
class Board:
    """A board that is consistent by construction.

    An edge between a cell and no cell counts as a wall whether ``edges`` lists it or not.

    Raises:
        BoardError: the parts contradict each other; the error has all flags, and its sentence names the first.
    """

    cells: frozenset[Cell]
    edges: Mapping[Edge, EdgeKind] = field(default_factory=dict)
    doors: tuple[Door, ...] = ()
    figures: tuple[Figure, ...] = ()
    difficult: frozenset[Cell] = frozenset()
    blocking: frozenset[Cell] = frozenset()
    cell_mm: float = 25.4

    def __post_init__(self) -> None:
        found = list(find_problems(self))
        if found:
            flags = BoardStatus.VALID
            for problem in found:
                flags |= problem.flag
            raise BoardError(found[0].text, flags=flags, field=found[0].field)

    @cached_property
    def figure_by_id(self) -> Mapping[str, Figure]:
        return {figure.id: figure for figure in self.figures}

    @cached_property
    def figure_at(self) -> Mapping[Cell, Figure]:
        return {cell: figure for figure in self.figures for cell in figure.cells}

    @cached_property
    def closed_door_at(self) -> Mapping[Edge, Door]:
        return {edge: door for door in self.doors if not door.open for edge in door.edges}

    @property
    def has_strangers_alone(self) -> bool:
        """Return whether several figures stand here, but none of a kind in the roster."""
        return len(self.figures) > 1 and all(figure.side == UNKNOWN_SIDE for figure in self.figures)

    def with_more(self, figures: Collection[Figure], doors: Collection[Door]) -> Board | None:
        """Return the board with further figures and doors, or None if it would contradict itself.

        Only the new pieces are checked, because a ruling's stability takes thousands of boards.
        """
        names, cells = set(self.figure_by_id), set(self.figure_at)
        for figure in figures:
            own = frozenset(figure.cells)
            fits = own <= self.cells and len(own) == len(figure.cells) and is_rectangle(own)
            if not fits or figure.id in names or not cells.isdisjoint(own):
                return None
            names.add(figure.id)
            cells |= own
        door_names, edges = set(self._door_names), set(self._door_edges)
        for door in doors:
            stands = all(not self.cells.isdisjoint(edge.cells) for edge in door.edges)
            is_new = door.id not in door_names and edges.isdisjoint(door.edges)
            if not (door.edges and stands and is_new and len(set(door.edges)) == len(door.edges)):
                return None
            door_names.add(door.id)
            edges.update(door.edges)
        if max(len(names), len(door_names)) > MAX_PIECES:
            return None
        return self.with_fitting(figures, doors)

    def with_fitting(self, figures: Collection[Figure], doors: Collection[Door]) -> Board:
        """Return the board with further pieces that are known to fit, without any check."""
        more = object.__new__(Board)
        more.__dict__.update(
            cells=self.cells,
            edges=self.edges,
            doors=(*self.doors, *doors),
            figures=(*self.figures, *figures),
            difficult=self.difficult,
            blocking=self.blocking,
            cell_mm=self.cell_mm,
        )
        return more

    @cached_property
    def _door_names(self) -> frozenset[str]:
        return frozenset(door.id for door in self.doors)

    @cached_property
    def _door_edges(self) -> frozenset[Edge]:
        return frozenset(edge for door in self.doors for edge in door.edges)

    def figure(self, figure_id: str) -> Figure:
        """Return the figure of that name.

        Raises:
            UnknownName: the board holds no such figure.
        """
        if figure_id not in self.figure_by_id:
            text = said(
                "There is no figure “{figure_id}” on the board. It holds: {known}.",
                figure_id=figure_id,
                known=known(self.figure_by_id),
            )
            raise UnknownName(text)
        return self.figure_by_id[figure_id]


_MANY_DOORS = message("{count} doors are more than a table holds. The limit is {most}.")
_MANY_FIGURES = message("{count} figures are more than a table holds. The limit is {most}.")


def find_problems(board: Board) -> Iterator[BoardProblem]:
    """Yield every contradiction of a board, gravest first. After one of scale or size, the others would be noise."""
    if grave := next(_problems_of_scale(board), None):
        yield grave
        return
    yield from _problems_of_terrain(board)
    yield from _problems_of_doors(board)
    yield from _problems_of_figures(board)


def _problems_of_scale(board: Board) -> Iterator[BoardProblem]:
    if not (math.isfinite(board.cell_mm) and board.cell_mm > 0):
        yield BoardProblem(
            BoardStatus.BAD_SCALE, "cell_mm", said("the size of a cell must be a positive number of millimetres")
        )
    if not board.cells:
        yield BoardProblem(BoardStatus.NO_CELLS, "cells", said("a board needs at least one cell"))
    if len(board.cells) > MAX_CELLS:
        text = said(
            "{count} cells are more than a table holds. The limit is {most}.",
            count=f"{len(board.cells):,}",
            most=f"{MAX_CELLS:,}",
        )
        yield BoardProblem(BoardStatus.TOO_MANY_CELLS, "cells", text)
    for name, pieces, pattern in (("doors", board.doors, _MANY_DOORS), ("figures", board.figures, _MANY_FIGURES)):
        if len(pieces) > MAX_PIECES:
            text = said(pattern, count=f"{len(pieces):,}", most=f"{MAX_PIECES:,}")
            yield BoardProblem(BoardStatus.TOO_MANY_PIECES, name, text)
    far = _find_far_point(board.cells)
    if far is not None:
        text = said(
            "Cell {cell} is too far out. Coordinates must stay within ±{limit}.", cell=str(list(far)), limit=LIMIT
        )
        yield BoardProblem(BoardStatus.OUT_OF_LIMITS, "cells", text)
    columns, rows = _measure_spread(board.cells)
    if max(columns, rows) > MAX_SIDE:
        text = said(
            "The cells span {columns} columns and {rows} rows, far more than a table.",
            columns=f"{columns:,}",
            rows=f"{rows:,}",
        )
        yield BoardProblem(BoardStatus.OUT_OF_LIMITS, "cells", text)


def _measure_spread(cells: frozenset[Cell]) -> tuple[int, int]:
    if not cells:
        return (0, 0)
    columns, rows = {c for c, _ in cells}, {r for _, r in cells}
    return (max(columns) - min(columns) + 1, max(rows) - min(rows) + 1)


def _find_far_point(points: Collection[Point]) -> Point | None:
    """Return a point beyond the limits. All are compared at once, because boards are made by the thousand."""
    numbers = [number for point in points for number in point]
    if not numbers or (min(numbers) > -LIMIT and max(numbers) < LIMIT):
        return None
    return next(point for point in points if not all(-LIMIT < number < LIMIT for number in point))


def _problems_of_terrain(board: Board) -> Iterator[BoardProblem]:
    for name, cells in (("difficult", board.difficult), ("blocking", board.blocking)):
        stray = sorted(cells - board.cells)
        if stray:
            yield BoardProblem(
                BoardStatus.TERRAIN_OFF_BOARD,
                name,
                said("{cell} is not one of the board's cells", cell=str(list(stray[0]))),
            )
    ends = [point for edge in board.edges for point in edge]
    far = _find_far_point(ends)
    if far is not None:
        index = ends.index(far) // 2
        text = said(
            "{edge} is too far out. Coordinates must stay within ±{limit}.",
            edge=str(list(ends[2 * index])),
            limit=LIMIT,
        )
        yield BoardProblem(BoardStatus.OUT_OF_LIMITS, f"edges[{index}]", text)


def _problems_of_doors(board: Board) -> Iterator[BoardProblem]:
    names: set[str] = set()
    taken: dict[Edge, str] = {}
    for index, door in enumerate(board.doors):
        where = f"doors[{index}]"
        if door.id in names:
            yield BoardProblem(BoardStatus.DOOR_TWICE, where, said("there are two doors named “{id}”", id=door.id))
        names.add(door.id)
        if not door.edges:
            yield BoardProblem(BoardStatus.DOOR_NOWHERE, where, said("door “{id}” stands on no edge", id=door.id))
        for edge in door.edges:
            if not any(cell in board.cells for cell in edge.cells):
                text = said("door “{id}” stands on an edge that no cell touches", id=door.id)
                yield BoardProblem(BoardStatus.DOOR_NOWHERE, where, text)
            if edge in taken:
                text = said("doors “{other_id}” and “{id}” stand on the same edge", other_id=taken[edge], id=door.id)
                yield BoardProblem(BoardStatus.DOOR_TWICE, where, text)
            taken[edge] = door.id


def _problems_of_figures(board: Board) -> Iterator[BoardProblem]:
    names: set[str] = set()
    taken: dict[Cell, str] = {}
    for index, figure in enumerate(board.figures):
        where = f"figures[{index}]"
        if figure.id in names:
            yield BoardProblem(
                BoardStatus.FIGURE_TWICE, where, said("there are two figures named “{id}”", id=figure.id)
            )
        names.add(figure.id)
        if not is_rectangle(frozenset(figure.cells)):
            text = said("These spaces make no base of “{id}”. Choose spaces that form a rectangle.", id=figure.id)
            yield BoardProblem(BoardStatus.FIGURE_NO_RECTANGLE, f"{where}.cells", text)
        for cell in figure.cells:
            if cell not in board.cells:
                text = said(
                    "This place is beside the board: “{id}” stands on {cell}. Choose a space of the board.",
                    id=figure.id,
                    cell=str(list(cell)),
                )
                yield BoardProblem(BoardStatus.FIGURE_OFF_BOARD, f"{where}.cells", text)
            if cell in taken:
                text = said(
                    "Another figure stands there: “{other_id}” and “{id}” both stand on {cell}. Choose a free space.",
                    other_id=taken[cell],
                    id=figure.id,
                    cell=str(list(cell)),
                )
                yield BoardProblem(BoardStatus.FIGURES_OVERLAP, f"{where}.cells", text)
            taken[cell] = figure.id
