"""What people call a cell and a figure: “column D row 5”, “imp 2”."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from assistant.table.board import Board, Figure
from assistant.table.lattice import Cell
from assistant.table.names import spoken_id


def column_letters(index: int) -> str:
    """The letters of a column: A, B … Z, AA, AB … for 0, 1 and so on."""
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


MOST_LETTERS = 4
"""Letters of a label: more would cover the figures beside it."""


@dataclass(frozen=True)
class CellNames:
    """Columns by letters and rows by numbers, counted from the board's top left."""

    first_column: int
    first_row: int

    @classmethod
    def of(cls, board: Board) -> CellNames:
        """The names that fit this board."""
        return cls(min(column for column, _ in board.cells), min(row for _, row in board.cells))

    def column(self, cell: Cell) -> str:
        """The letters of the cell's column."""
        return column_letters(cell[0] - self.first_column)

    def row(self, cell: Cell) -> int:
        """The number of the cell's row, from 1."""
        return cell[1] - self.first_row + 1

    def short(self, cell: Cell) -> str:
        """Like ``D5``."""
        return f"{self.column(cell)}{self.row(cell)}"


def spoken_name(figure: Figure, language: str = "en") -> str:
    """The figure's name in words."""
    return spoken_id(figure.id, language)


def short_names(figures: Iterable[Figure], language: str = "en") -> dict[str, str]:
    """A label of each figure for the picture, by its id: ``AL`` for alpha, ``I2`` for imp-2.

    Where two would have the same, as ranger-1 and runner-1, they take more letters until each is told apart.
    """
    words = {figure.id: spoken_name(figure, language).split() for figure in figures}
    return {name: _label(name, words) for name in words}


def _label(name: str, words: Mapping[str, list[str]]) -> str:
    for letters in range(1, MOST_LETTERS + 1):
        label = _shortened(words[name], letters)
        if all(_shortened(other, letters) != label for one, other in words.items() if one != name):
            return label
    return _shortened(words[name], 1)


def _shortened(words: Sequence[str], letters: int) -> str:
    """The first letters, one more where no number follows: two at least."""
    number = words[-1] if len(words) > 1 and words[-1].isdigit() else ""
    return words[0][: letters if number else letters + 1].upper() + number
