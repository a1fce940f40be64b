"""Compares the reading of a report's picture with the table as a person corrected it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from assistant.app.care.free_score import list_free_mistakes
from assistant.app.care.reports import read_again, read_free_again
from assistant.documents.report import AnyReport, FreeReport
from assistant.errors import SightlineError
from assistant.table.board import Board, Figure
from assistant.table.lattice import Cell, Edge, edge_between
from assistant.table.observation import LatticePose, Observation, lattice_from_table, table_from_lattice

_Seen = TypeVar("_Seen")


@dataclass(frozen=True)
class ReportScore:
    """The mistakes in a report's picture then and now.

    Args:
        before: the mistakes that the reading had when it was sent, a line each.
        now: those that it has now; None where it cannot be read any more.
        refusal: why it cannot.
        is_told: whether somebody said how the table really is; else what was read then stands for it.
    """

    before: tuple[str, ...]
    now: tuple[str, ...] | None
    refusal: SightlineError | None = None
    is_told: bool = True

    @property
    def is_worse(self) -> bool:
        """Whether it has more mistakes now than when it was sent, as far as anybody said what is right."""
        return self.now is None or (self.is_told and len(self.now) > len(self.before))


def score_report(report: AnyReport) -> ReportScore:
    """The mistakes of then and now; without a correction, what was read then counts as right."""
    if isinstance(report, FreeReport):
        free, roster = report.right or report.observed.table, report.roster
        score = _scored(
            report.observed, lambda: read_free_again(report), lambda seen: list_free_mistakes(free, roster, seen)
        )
    else:
        right, grid = report.right or report.observed.board, report.observed.grid
        score = _scored(report.observed, lambda: read_again(report), lambda seen: list_mistakes(right, grid, seen))
    return replace(score, is_told=report.right is not None)


def _scored(then: _Seen, read: Callable[[], _Seen], mistakes: Callable[[_Seen], Iterable[str]]) -> ReportScore:
    before = tuple(mistakes(then))
    try:
        now = read()
    except SightlineError as problem:
        return ReportScore(before, None, problem)
    return ReportScore(before, tuple(mistakes(now)))


def list_mistakes(right: Board, grid: LatticePose, read: Observation) -> Iterator[str]:
    """Every difference between a board that was read and the right one, a line each, for developers.

    Args:
        right: the right board.
        grid: where its lattice lies.
        read: what was read, perhaps in another lattice.
    """
    frame = _Frame(grid, read.grid)
    cells = frozenset(map(frame.cell, right.cells))
    for name, odd in (("missed cell", cells - read.board.cells), ("false cell", read.board.cells - cells)):
        yield from (f"{name} {cell}" for cell in sorted(odd))
    doors, seen = frozenset(map(frame.edge, _standing(right))), frozenset(_standing(read.board))
    for name, others in (("missed door", doors - seen), ("false door", seen - doors)):
        yield from (f"{name} {edge.start}-{edge.end}" for edge in sorted(others))
    yield from _figure_mistakes([frame.figure(figure) for figure in right.figures], read.board)


def _figure_mistakes(right: list[tuple[str, frozenset[Cell]]], read: Board) -> Iterator[str]:
    left = {frozenset(figure.cells): figure for figure in read.figures}
    for kind, cells in sorted(right, key=lambda one: not any(one[1] == place for place in left)):
        place = cells if cells in left else next((place for place in left if place & cells), None)
        found = None if place is None else left.pop(place)
        if found is None:
            yield f"missed {kind} {sorted(cells)}"
        elif place != cells:
            yield f"moved {kind} {sorted(cells)}, read at {sorted(found.cells)}"
        elif found.kind != kind and found.side != "unknown":  # a kind that was left open is not wrong
            yield f"{found.kind} {sorted(cells)} is {kind}"
    yield from (f"false {figure.kind} {sorted(cells)}" for cells, figure in left.items())


def _standing(board: Board) -> Iterator[Edge]:
    """The edges of standing doors; an open door is off the table."""
    return (edge for door in board.doors if not door.open for edge in door.edges)


@dataclass(frozen=True)
class _Frame:
    """Converts places of one lattice to another one on the same table."""

    ours: LatticePose
    theirs: LatticePose

    def cell(self, cell: Cell) -> Cell:
        column, row = lattice_from_table(self.theirs, table_from_lattice(self.ours, (cell[0] + 0.5, cell[1] + 0.5)))
        return math.floor(column), math.floor(row)

    def edge(self, edge: Edge) -> Edge:
        a, b = edge.cells
        return edge_between(self.cell(a), self.cell(b))

    def figure(self, figure: Figure) -> tuple[str, frozenset[Cell]]:
        return figure.kind, frozenset(map(self.cell, figure.cells))
