"""Helpers for all rule sets: the pairs to rule on, and the options that an answer rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar, overload

from assistant.errors import UnknownName
from assistant.rules.grid import Grid
from assistant.rules.options import Option
from assistant.rules.ruling import Verdict
from assistant.table.board import Board, Figure
from assistant.table.free_table import FreeFigure, FreeTable
from assistant.translations.messages import said

TableT = TypeVar("TableT")


class TableCache(Generic[TableT]):
    """The tables of the last board, under the house's options and under others.

    Boards are frozen, so the same object has the same answers. ``make`` computes one board under one set of options.
    """

    def __init__(self, options: Mapping[str, str], make: Callable[[Grid, Mapping[str, str]], TableT]) -> None:
        self._options = options
        self._make = make
        self._last: _Kept[TableT] | None = None

    def of(self, board: Board) -> TableT:
        return self._kept(board).table

    def grid(self, board: Board) -> Grid:
        return self._kept(board).grid

    def otherwise(self, board: Board, option: str, choice: str) -> TableT:
        kept = self._kept(board)
        found = kept.others.get((option, choice))
        if found is None:
            found = kept.others[option, choice] = self._make(kept.grid, {**self._options, option: choice})
        return found

    def _kept(self, board: Board) -> _Kept[TableT]:
        # One read and one write of the whole value: at worst, two threads compute it twice.
        last = self._last
        if last is None or last.grid.board is not board:
            grid = Grid(board, None if last is None else last.grid)
            last = self._last = _Kept(grid, self._make(grid, self._options), {})
        return last


@dataclass(frozen=True, slots=True)
class _Kept(Generic[TableT]):
    grid: Grid
    table: TableT
    others: dict[tuple[str, str], TableT]


@overload
def find_two_figures(table: Board, attacker_id: str, defender_id: str) -> tuple[Figure, Figure]: ...
@overload
def find_two_figures(table: FreeTable, attacker_id: str, defender_id: str) -> tuple[FreeFigure, FreeFigure]: ...
def find_two_figures(table: Board | FreeTable, attacker_id: str, defender_id: str) -> tuple[object, object]:
    """Return the two figures of a question.

    Raises:
        UnknownName: the table holds no such figure, or both are the same one.
    """
    found = table.figure(attacker_id), table.figure(defender_id)
    if attacker_id == defender_id:
        raise UnknownName(said("“{attacker_id}” cannot attack itself. Name two figures.", attacker_id=attacker_id))
    return found


def iterate_pairs(table: Board | FreeTable) -> Iterator[tuple[Any, Any]]:
    """Return every ordered pair of figures on different sides, sorted by their names."""
    figures: list[Any] = sorted(table.figures, key=lambda figure: figure.id)
    return ((a, b) for a in figures for b in figures if a.side != b.side)


class Resting(NamedTuple):
    """An option that decides an answer.

    Args:
        option: its name.
        choice: the choice of the house.
        other: the first choice that changes the answer.
        outcome: the resulting answer, as a term for ``reasons.py``.
    """

    option: str
    choice: str
    other: str
    outcome: Mapping[str, object]

    @property
    def arguments(self) -> dict[str, object]:
        return self._asdict()


def find_resting(
    table: tuple[Option, ...],
    choices: Mapping[str, str],
    answer: Verdict,
    answer_with: Callable[[str, str], Verdict],
) -> Iterator[Resting]:
    """Yield the options of rulings whose other choices, each taken alone, would change an answer.

    Args:
        table: the options that may matter.
        choices: the house's choice of each.
        answer: the answer under these choices.
        answer_with: the answer with one option set otherwise.
    """
    for option in table:
        if not option.in_rulings:
            continue
        held = choices[option.name]
        for other in option.choices:
            then = answer if other == held else answer_with(option.name, other)
            if then != answer:
                yield Resting(option.name, held, other, outcome_of(answer, then))
                break


def outcome_of(now: Verdict, then: Verdict) -> Mapping[str, object]:
    """Return the most important difference between two answers, as a term for ``reasons.py``."""
    if now.line_of_sight != then.line_of_sight:
        return {"term": "sight-yes" if then.line_of_sight else "sight-no"}
    if now.cover != then.cover:
        return {"term": "cover-yes" if then.cover else "cover-no"}
    if then.range is None:
        return {"term": "range-none"}
    return {"term": "range", "value": round(then.range, 3)}
