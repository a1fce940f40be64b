"""Maps of the board: the places where a figure would see, be unseen or be safe."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from assistant.errors import BadValue, UnknownName
from assistant.rules.capabilities import FindsReach
from assistant.rules.pairing import find_two_figures
from assistant.rules.ruleset import CellRules
from assistant.rules.ruling import Ruling, SightLine
from assistant.table.board import Board, Figure
from assistant.table.lattice import Cell
from assistant.translations.messages import said

SightCondition = Literal["sees", "sees_unseen", "no_cover", "safe"]

QUESTIONS: tuple[SightCondition, ...] = ("sees", "sees_unseen", "no_cover", "safe")
"""In order: it sees the target; it does, unseen by other enemies; it does, without cover; no enemy sees it."""


class Observer(NamedTuple):
    """A figure with a clear line to a place."""

    figure: str
    line: SightLine


@dataclass(frozen=True, slots=True)
class SightMap:
    """The answer to one question for every place on the board.

    Args:
        question: one of ``QUESTIONS``.
        figure: the figure in question.
        target: its target, or None for ``safe``.
        asked: the places where the figure could stand, each named by the smallest of its cells.
        holds: the places with the answer yes.
    """

    question: SightCondition
    figure: str
    target: str | None
    asked: tuple[Cell, ...]
    holds: frozenset[Cell]


def sight_map(
    rules: CellRules, board: Board, question: SightCondition, figure_id: str, target_id: str | None
) -> SightMap:
    """Return the places in which the answer to a question about one figure would be yes.

    Sight is mutual in most readings of the rules, so ``sees_unseen`` is about all enemies but the target.

    Raises:
        UnknownName: the board holds no such figure, or the question lacks a target other than the figure.
    """
    figure = board.figure(figure_id)
    holds = _test(rules, board, question, figure, target_id)
    places = {placed.cells[0]: placed for placed in iterate_placements(rules, board, figure)}
    yes = frozenset(cell for cell, placed in places.items() if holds(placed))
    return SightMap(question, figure_id, target_id if question != "safe" else None, tuple(sorted(places)), yes)


def find_seen_cells(rules: CellRules, board: Board, figure: Figure) -> frozenset[Cell]:
    """Return the free cells on which this figure would see another one of one cell."""
    return frozenset(
        cell
        for cell in board.cells
        if cell not in board.figure_at and rules.sees(board, figure, Figure("", "", "", (cell,)))
    )


def find_observers(rules: CellRules, board: Board, cell: Cell) -> tuple[Observer, ...]:
    """Return the figures that see a cell: the figure on it, or a one-cell figure on a free one; in the board's order.

    Raises:
        UnknownName: the board has no such cell.
    """
    _require_cell(board, cell)
    there = board.figure_at.get(cell) or Figure(_SOMEBODY, "", "", (cell,))
    asked = board if cell in board.figure_at else replace(board, figures=(*board.figures, there))
    seeing = (other for other in board.figures if other.id != there.id and rules.sees(board, other, there))
    return tuple(Observer(other.id, _free_line(rules.rule(asked, other.id, there.id))) for other in seeing)


def _require_cell(board: Board, cell: Cell) -> None:
    if cell not in board.cells:
        raise UnknownName(said("{cell} is not a cell of the board. Choose one that is drawn.", cell=str(list(cell))))


def _free_line(ruling: Ruling) -> SightLine:
    return next(line for line in ruling.lines if line.purpose == "sight" and line.blocked_by is None)


_SOMEBODY = "\0somebody"
"""The name of the imaginary figure. No figure of a document can have it."""


def count_ranges(rules: CellRules, board: Board, figure: Figure) -> dict[Cell, int]:
    """Return the range from a figure to each free cell, for a figure of one cell; no entry without a path."""
    asked = (cell for cell in board.cells if cell not in board.figure_at)
    found = ((cell, rules.verdict(board, figure, Figure("", "", "", (cell,))).range) for cell in asked)
    return {cell: int(far) for cell, far in found if far is not None}


class SpaceMeasure(NamedTuple):
    """The rules' measures between two spaces.

    Args:
        range: the range from a figure of one space to another, or None if there is none.
        line_of_sight: whether they would see each other.
        cover: whether the figure on the second space would be in cover, or None for rules without cover.
        cost: the points of the cheapest path past closed doors; None without a path, or in a game without path costs.
        line: the line of sight, or the line that stops last, or None if the rules draw none.
    """

    range: int | float | None
    line_of_sight: bool
    cover: bool | None
    cost: int | None
    line: SightLine | None


MOST_POINTS = 40
"""The greatest cost of a path: twice the longest move of any figure."""


def measure_spaces(rules: CellRules, board: Board, start: Cell, end: Cell) -> SpaceMeasure:
    """Return the range, sight and path from one space to another.

    The ruler goes from space to space: a figure on an end counts as a one-space figure.

    Raises:
        UnknownName: the board has no such cell.
        BadValue: both spaces are the same one.
    """
    for cell in (start, end):
        _require_cell(board, cell)
    if start == end:
        raise BadValue(said("The ruler needs two different spaces. Tap another one."), field="end")
    mover = Figure(_SOMEBODY, "", _side_at(board, start), (start,))
    target = Figure(_SOMEBODY + "2", "", "", (end,))
    others = tuple(figure for figure in board.figures if {start, end}.isdisjoint(figure.cells))
    ruling = rules.rule(replace(board, figures=(*others, mover, target)), mover.id, target.id)
    cost = None
    if isinstance(rules, FindsReach):
        reach = rules.reach(replace(board, figures=(*others, mover)), mover.id, MOST_POINTS)
        cost = min((one.cost for one in reach.ends if one.cells == (end,)), default=None)
    return SpaceMeasure(ruling.range, ruling.line_of_sight, ruling.cover, cost, _shown_line(ruling))


def _shown_line(ruling: Ruling) -> SightLine | None:
    sight = [line for line in ruling.lines if line.purpose == "sight"]
    return next((line for line in sight if line.blocked_by is None), sight[0] if sight else None)


def _side_at(board: Board, cell: Cell) -> str:
    """Return the side of the figure there: friends may walk past it."""
    there = board.figure_at.get(cell)
    return "" if there is None else there.side


def count_dangers(rules: CellRules, board: Board, figure: Figure) -> dict[Cell, int]:
    """Count the enemies that would see the figure, by the smallest cell of each place where it could stand."""
    enemies = [other for other in board.figures if other.side != figure.side]
    return {
        placed.cells[0]: sum(rules.sees(board, enemy, placed) for enemy in enemies)
        for placed in iterate_placements(rules, board, figure)
    }


def iterate_placements(rules: CellRules, board: Board, figure: Figure) -> Iterator[Figure]:
    """Yield the figure in every place of the board with room for its base, without turning it."""
    left, top = min(x for x, _ in figure.cells), min(y for _, y in figure.cells)
    shape = [(x - left, y - top) for x, y in figure.cells]
    taken = {cell for cell, other in board.figure_at.items() if other.id != figure.id}
    free = board.cells - taken
    for x, y in sorted(board.cells):
        cells = tuple((x + i, y + j) for i, j in shape)
        placed = replace(figure, cells=cells)
        if free.issuperset(cells) and rules.may_stand(board, placed):
            yield placed


def _test(
    rules: CellRules, board: Board, question: SightCondition, figure: Figure, target_id: str | None
) -> Callable[[Figure], bool]:
    enemies = [other for other in board.figures if other.side != figure.side]
    if question == "safe":
        return lambda placed: not any(rules.sees(board, enemy, placed) for enemy in enemies)
    if target_id is None:
        raise UnknownName(said("The question “{question}” needs a target. Name one.", question=question))
    _, target = find_two_figures(board, figure.id, target_id)
    others = [enemy for enemy in enemies if enemy.id != target_id]
    if question == "sees":
        return lambda placed: rules.sees(board, placed, target)
    if question == "no_cover":
        return lambda placed: rules.verdict(board, placed, target)[1:] in ((True, False), (True, None))
    return lambda placed: (
        rules.sees(board, placed, target) and not any(rules.sees(board, enemy, placed) for enemy in others)
    )
