"""Words for the things that reasons name: “Imp 2” for ``imp~2``, “D5” for a cell, “D5/E6” for a corner or a door."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from assistant.app.live.free_names import SeenMove
from assistant.app.live.place_names import speak_name
from assistant.rules.options import Option
from assistant.rules.reasons import Say
from assistant.rules.ruleset import CellRules, FreeRules
from assistant.table.board import Board
from assistant.table.cell_names import CellNames
from assistant.table.doubt import DoubtfulBoard
from assistant.table.free_table import FreeTable
from assistant.table.lattice import Cell
from assistant.translations.catalogue import speak_id
from assistant.translations.speech import Speech, speech

CELL_ARGUMENTS = frozenset({"cell", "cells"})
"""Arguments of reasons that are cells. Every other place is a corner, at which a line begins or ends."""


AS_ON_A_PLAN: Mapping[str, str] = {}
"""Names of directions for the usual plan: columns run right, rows run towards the reader."""


def words_of(rules: CellRules, table: DoubtfulBoard, language: str, ways: Mapping[str, str] = AS_ON_A_PLAN) -> Say:
    """Return a function that words the things in reasons about a table under these rules.

    Args:
        rules: the rules, with the house options.
        table: the table, with the camera's doubts.
        language: the reader's language.
        ways: the names of directions on the reader's picture.
    """
    return TableWords(table, ways, language, {option.name: option for option in rules.option_table}).words


@dataclass(frozen=True)
class TableWords:
    """The words for one board.

    Args:
        table: the board, with the camera's doubts.
        ways: the names of directions on the reader's picture.
        language: the reader's language.
        options: the house options by their names.
    """

    table: DoubtfulBoard
    ways: Mapping[str, str] = field(default_factory=lambda: AS_ON_A_PLAN)
    language: str = "en"
    options: Mapping[str, Option] = field(default_factory=dict)
    _cells: CellNames = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_cells", CellNames.of(self.board))

    @cached_property
    def _names(self) -> Mapping[str, str]:
        perhaps = {name: speak_id(name, self.language) for doubt in self.table.doubts for name in doubt.names}
        doors = {door.id: self.edge(door.edges[0].start, door.edges[0].end) for door in self.board.doors}
        figures = {figure.id: speak_name(figure, self.language) for figure in self.board.figures}
        return perhaps | doors | figures

    @property
    def board(self) -> Board:
        return self.table.board

    def words(self, arguments: Mapping[str, object]) -> dict[str, object]:
        """Return a reason's arguments in words: figures, places and doors by their names, options by their titles."""
        worded = {name: self(name, value) for name, value in arguments.items()}
        return worded | _word_option(arguments, self.options, self.language)

    def __call__(self, argument: str, value: object) -> object:
        """Return an argument's value in words, or unchanged if there is no better word."""
        if isinstance(value, str):
            return self._names.get(value, value)
        if isinstance(value, Mapping):
            return self._blocker(value)
        if _is_place(value):
            return self.cell(value) if argument in CELL_ARGUMENTS else self.corner(value)
        if isinstance(value, list):
            return [self(argument, one) for one in value]
        return value

    def cell(self, cell: Any) -> str:
        """Return a cell's name, or its coordinates if it lies beside the board."""
        column, row = cell
        known = (column, row) in self.board.cells
        return self._cells.short((column, row)) if known else f"({column}, {row})"

    def corner(self, corner: Any) -> str:
        """Return a corner as the two cells that meet there diagonally, or as its only cell."""
        x, y = corner
        if not (isinstance(x, int) and isinstance(y, int)):
            return self.cell((int(x // 1), int(y // 1)))  # a cell's centre
        slants: tuple[tuple[Cell, Cell], ...] = (((x - 1, y - 1), (x, y)), ((x, y - 1), (x - 1, y)))
        return max((self._between(pair) for pair in slants), key=len) or f"({x}, {y})"

    def edge(self, start: Any, end: Any) -> str:
        """Return an edge as the cells on both sides, joined by a dash. A corner is joined by a slash."""
        (x, y), upright = min(start, end), start[0] == end[0]
        return self._between(((x - 1, y), (x, y)) if upright else ((x, y - 1), (x, y)), "–")

    def _between(self, cells: tuple[Cell, Cell], sign: str = "/") -> str:
        return sign.join(self._cells.short(cell) for cell in cells if cell in self.board.cells)

    def _blocker(self, blocker: Mapping[Any, Any]) -> dict[Any, Any]:
        worded = dict(blocker)
        if blocker.get("term") in self.ways:
            worded["term"] = self.ways[blocker["term"]]
        if "id" in blocker:
            worded["id"] = self._names.get(blocker["id"], blocker["id"])
        if "cell" in blocker:
            worded["cell"] = self.cell(blocker["cell"])
        if "from" in blocker:
            worded["edge"] = self.edge(blocker["from"], blocker["to"])
        return worded


def _word_option(arguments: Mapping[str, object], options: Mapping[str, Option], language: str) -> dict[str, str]:
    """Return the titles of a house option and its choices, replacing their ids, or nothing for other reasons."""
    option = options.get(str(arguments.get("option")))
    if option is None:
        return {}
    titles = {name: option.choice_title(str(arguments[name])) for name in ("choice", "other") if name in arguments}
    speaker = speech(language)
    return {
        name: speaker.text("“{words}”", words=speaker.text(title))
        for name, title in {"option": option.title, **titles}.items()
    }


def _is_place(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(v, int | float) for v in value)


def move_words(move: SeenMove, speech: Speech) -> str:
    """Describe a measured move in a sentence."""
    who = speak_id(move.figure, speech.language)
    steps, error = speech.number(move.steps, 2), speech.number(max(2 * move.error_mm, 0.1), 1)
    if move.touches:
        others = ", ".join(speak_id(name, speech.language) for name in move.touches)
        return speech.text(
            "{figure} moved {steps} steps (± {error} mm) into contact with {others}.",
            figure=who,
            steps=steps,
            error=error,
            others=others,
        )
    return speech.text("{figure} moved {steps} steps (± {error} mm).", figure=who, steps=steps, error=error)


def plane_words_of(rules: FreeRules, table: FreeTable, language: str) -> Say:
    """Return a function that words figures, terrain and house options of a table without a grid."""
    options = {option.name: option for option in rules.option_table}
    known = [*(figure.id for figure in table.figures), *(piece.id for piece in table.terrain)]
    names = {name: speak_id(name, language) for name in known}

    def named(value: object) -> object:
        if isinstance(value, list):
            return [named(one) for one in value]
        if isinstance(value, Mapping):
            return {key: named(one) for key, one in value.items()}
        return names.get(value, value) if isinstance(value, str) else value

    def words(arguments: Mapping[str, object]) -> dict[str, object]:
        return {name: named(value) for name, value in arguments.items()} | _word_option(arguments, options, language)

    return words
