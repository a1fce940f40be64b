"""Compares a report's reading with the table as a person corrected it, with a grid or without."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TypeVar

from assistant.app.care.reports import read_again, read_free_again
from assistant.documents.report import AnyReport, FreeReport, PhotoRefusal, ReadingReport
from assistant.errors import SightlineError
from assistant.rules.free_distance import is_in_contact
from assistant.table.board import Board, Figure
from assistant.table.free_sighting import FreeSighting, FreeSpot
from assistant.table.free_table import FreeFigure, FreeTable
from assistant.table.lattice import Cell, Edge
from assistant.table.observation import (
    LatticePose,
    Observation,
    in_frames_of,
    lattice_from_table,
    table_from_lattice,
)
from assistant.table.roster import Roster, kind_of

_Seen = TypeVar("_Seen")


@dataclass(frozen=True)
class ReportScore:
    """Mistakes in a report's picture when it was sent, and now.

    Args:
        before: mistakes of the reading when it was sent, a line each; None if the picture was refused.
        now: mistakes of today's reading; None if the picture cannot be read.
        refusal: why it cannot be read.
        is_told: whether a person described the real table; otherwise the reading at that time stands in for it.
        is_live: whether a camera watched. The reading at that time then knew earlier pictures, too.
    """

    before: tuple[str, ...] | None
    now: tuple[str, ...] | None
    refusal: SightlineError | None = None
    is_told: bool = True
    is_live: bool = False

    @property
    def is_worse(self) -> bool:
        """Whether it cannot be read any more, or a corrected report has more mistakes now than when it was sent.

        One picture of a watched table never counts as worse than the watching, and no reading as worse than a refusal.
        """
        if self.is_live or self.before is None:
            return False
        return self.now is None or (self.is_told and len(self.now) > len(self.before))


def score_report(report: AnyReport) -> ReportScore:
    """Score a report then and now. Without a correction, the earlier reading counts as right.

    Without either, no mistake of today's reading is known.
    """
    if isinstance(report, FreeReport):
        free, roster = report.best_table, report.roster
        score = _score(
            report.observed,
            lambda: read_free_again(report),
            lambda seen: () if free is None else list_free_mistakes(free, roster, seen),
        )
    else:
        score = _score(report.observed, lambda: read_again(report), lambda seen: _mistakes_on_board(report, seen))
    return replace(score, is_told=report.right is not None, is_live=report.head.source == "live")


def _mistakes_on_board(report: ReadingReport, read: Observation) -> Iterable[str]:
    """Return the mistakes of a reading of a report's picture."""
    then = report.observed
    if not isinstance(then, PhotoRefusal):
        right, grids = report.right or then.board, [one.grid for one in in_frames_of(read, then)]
    elif report.right is not None:
        right, grids = report.right, [*_grids_over(report.right, read)]
    else:
        return ()
    return min(([*list_mistakes(right, grid, read)] for grid in grids), key=len)


def _grids_over(right: Board, read: Observation) -> Iterator[LatticePose]:
    """Yield, for each quarter turn, the pose of a board's own lattice with which its cells cover most of a reading's.

    The board of a picture that was refused has no pose of its own.
    """
    for turn, (c, s) in enumerate(((1, 0), (0, 1), (-1, 0), (0, -1))):
        middles = [(c * (x + 0.5) - s * (y + 0.5), s * (x + 0.5) + c * (y + 0.5)) for x, y in right.cells]
        shifts = Counter(
            (math.floor(column - x), math.floor(row - y))  # both middles end in a half
            for column, row in ((column + 0.5, row + 0.5) for column, row in read.board.cells)
            for x, y in middles
        )
        most = max(shifts.values())
        shift = min(one for one, count in shifts.items() if count == most)
        angle_deg = (read.grid.angle_deg + 90 * turn) % 360
        yield replace(read.grid, origin_mm=table_from_lattice(read.grid, shift), angle_deg=angle_deg)


def _score(
    then: _Seen | PhotoRefusal, read: Callable[[], _Seen], mistakes: Callable[[_Seen], Iterable[str]]
) -> ReportScore:
    before = None if isinstance(then, PhotoRefusal) else tuple(mistakes(then))
    try:
        now = read()
    except SightlineError as problem:
        return ReportScore(before, None, problem)
    return ReportScore(before, tuple(mistakes(now)))


def list_mistakes(right: Board, grid: LatticePose, read: Observation) -> Iterator[str]:
    """Yield every difference between a read board and the right one, a line each, for developers.

    Args:
        right: the right board.
        grid: the pose of its lattice.
        read: the reading, possibly in another lattice.
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
        elif found.kind != kind and found.side != "unknown":  # a kind left open is not wrong
            yield f"{found.kind} {sorted(cells)} is {kind}"
    yield from (f"false {figure.kind} {sorted(cells)}" for cells, figure in left.items())


def _standing(board: Board) -> Iterator[Edge]:
    """Yield the edges of standing doors. An open door is off the table."""
    return (edge for door in board.doors if not door.open for edge in door.edges)


@dataclass(frozen=True)
class _Frame:
    """Converts cells from one lattice to another on the same table."""

    ours: LatticePose
    theirs: LatticePose

    def cell(self, cell: Cell) -> Cell:
        column, row = self._point((cell[0] + 0.5, cell[1] + 0.5))
        return math.floor(column), math.floor(row)

    def edge(self, edge: Edge) -> Edge:
        """Return the nearest edge. The two lattices need not fit: a wrong reading may lie askew."""
        (x0, y0), (x1, y1) = self._point(edge.start), self._point(edge.end)
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        if abs(x1 - x0) > abs(y1 - y0):
            start = math.floor(x), round(y)
            return Edge(start, (start[0] + 1, start[1]))
        start = round(x), math.floor(y)
        return Edge(start, (start[0], start[1] + 1))

    def _point(self, point: tuple[float, float]) -> tuple[float, float]:
        return lattice_from_table(self.theirs, table_from_lattice(self.ours, point))

    def figure(self, figure: Figure) -> tuple[str, frozenset[Cell]]:
        return figure.kind, frozenset(map(self.cell, figure.cells))


MOVED_MM = 2.0
"""Tolerance of a base's centre in mm. A person with a ruler measures no better."""

TURNED_DEG = 15.0
"""Tolerance of a facing in degrees. A person judges it no better."""


def list_free_mistakes(right: FreeTable, roster: Roster, read: FreeSighting) -> Iterator[str]:
    """Yield every difference between a read table and the right one, a line each, for developers.

    Two figures match if the centre of one lies within the other's base, the nearest first.

    Args:
        right: the right table.
        roster: the models of the box; a figure is named by its model's id, or as its kind with a number.
        read: the reading.
    """
    found = _match_figures(right, read.table)
    taken = {figure.id for figure in found.values()}
    for figure in right.figures:
        if figure.id not in found:
            yield f"missed {figure.id} {_at(figure)}"
            continue
        seen = found[figure.id]
        yield from _mistakes(figure, seen, read.spots.get(seen.id, FreeSpot(0.0)), roster)
    yield from (f"false {figure.id} {_at(figure)}" for figure in read.table.figures if figure.id not in taken)
    for a, b in combinations([figure for figure in right.figures if figure.id in found], 2):
        touch = is_in_contact(found[a.id], found[b.id])
        if touch != is_in_contact(a, b):
            yield f"{a.id} and {b.id} {'do not touch' if touch else 'touch'}"


def _mistakes(right: FreeFigure, seen: FreeFigure, spot: FreeSpot, roster: Roster) -> Iterator[str]:
    """Yield the mistakes about one matched figure."""
    kind, read_kind = _kind(right, roster), _kind(seen, roster)
    if None not in (kind, read_kind) and kind != read_kind and kind not in spot.kinds:
        yield f"{read_kind} {_at(seen)} is {kind}"
    off_mm = _apart_mm(right, seen)
    if off_mm > MOVED_MM:
        yield f"moved {right.id} {_at(right)}, read {off_mm:.1f} mm off"
    if right.elevation_mm != seen.elevation_mm:
        yield f"{right.id} stands {float(right.elevation_mm):g} mm high, read at {float(seen.elevation_mm):g} mm"
    turned_deg = abs((float(right.facing_deg - seen.facing_deg) + 180) % 360 - 180)
    if spot.facing_error_deg is not None and turned_deg > TURNED_DEG:
        yield f"{right.id} looks {turned_deg:.0f} degrees off"


def _match_figures(right: FreeTable, read: FreeTable) -> dict[str, FreeFigure]:
    """Match each figure of the right table to a read figure, by name."""
    near = sorted(
        ((_apart_mm(a, b), a.id, b) for a in right.figures for b in read.figures if _is_same_place(a, b)),
        key=lambda pair: pair[:2],
    )
    found: dict[str, FreeFigure] = {}
    taken: set[str] = set()
    for _, name, figure in near:
        if name not in found and figure.id not in taken:
            found[name] = figure
            taken.add(figure.id)
    return found


def _is_same_place(a: FreeFigure, b: FreeFigure) -> bool:
    return _apart_mm(a, b) < float(min(a.base_mm, b.base_mm)) / 2


def _apart_mm(a: FreeFigure, b: FreeFigure) -> float:
    return math.dist(_place(a), _place(b))


def _place(figure: FreeFigure) -> tuple[float, float]:
    return float(figure.center_mm[0]), float(figure.center_mm[1])


def _at(figure: FreeFigure) -> str:
    return "({:.0f}, {:.0f})".format(*_place(figure))


def _kind(figure: FreeFigure, roster: Roster) -> str | None:
    """Return the kind of model from its name, or None for a name that a person made up."""
    kinds = {model.id: model.kind for model in roster.figures}
    kind = kinds.get(figure.id, kind_of(figure.id))
    return kind if kind in kinds.values() else None
