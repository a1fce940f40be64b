"""What people call a cell and a figure: “column D row 5”, “imp 2”."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from assistant.table.board import Board, Figure
from assistant.table.free_table import FreeFigure
from assistant.table.lattice import Cell
from assistant.translations.names import speak_id


def column_letters(index: int) -> str:
    """The letters of a column: A, B … Z, AA, AB … for 0, 1 and so on; left of A they are −A, −B for -1, -2."""
    if index < 0:
        return f"−{column_letters(-index - 1)}"
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


def speak_name(figure: Figure | FreeFigure, language: str = "en") -> str:
    """The figure's name in words."""
    return speak_id(figure.id, language)


def shorten_names(figures: Iterable[Figure | FreeFigure], language: str = "en") -> dict[str, str]:
    """A label of each figure for the picture, by its id: ``AL`` for alpha, ``I2`` for imp-2.

    Where two words begin alike, as ranger and runner, both take more letters until they are told apart: all figures
    of a kind begin with the same letters.
    """
    words = {figure.id: speak_name(figure, language).split() for figure in figures}
    return {name: _label(own, words.values()) for name, own in words.items()}


def _label(own: Sequence[str], words: Collection[Sequence[str]]) -> str:
    number = _number(own)
    others = {other[0] for other in words if bool(_number(other)) == bool(number) and other[0] != own[0]}
    for letters in range(1, MOST_LETTERS + 1):
        label = _shorten(own, letters)
        if all(_shorten((other, *number), letters) != label for other in others):
            return label
    return _shorten(own, 1)


def _shorten(words: Sequence[str], letters: int) -> str:
    """The first letters, one more where no number follows: two at least."""
    number = _number(words)
    return words[0][: letters if number else letters + 1].upper() + "".join(number)


def _number(words: Sequence[str]) -> tuple[str, ...]:
    """The number that a name ends with; empty for a name without."""
    return tuple(words[-1:]) if len(words) > 1 and words[-1].isdigit() else ()
