"""Names of cells for people: columns by letters, rows by numbers, as “D5”."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from assistant.table.board import Board
from assistant.table.lattice import Cell


def column_letters(index: int) -> str:
    """Return a column's letters: A, B … Z, AA, AB … for 0, 1 and so on, and −A, −B to the left of A for -1, -2."""
    if index < 0:
        return f"−{column_letters(-index - 1)}"
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


@dataclass(frozen=True)
class CellNames:
    """Columns by letters and rows by numbers, counted from the board's top left."""

    first_column: int
    first_row: int

    @classmethod
    def of(cls, board: Board) -> CellNames:
        return cls(min(column for column, _ in board.cells), min(row for _, row in board.cells))

    def column(self, cell: Cell) -> str:
        return column_letters(cell[0] - self.first_column)

    def row(self, cell: Cell) -> int:
        return cell[1] - self.first_row + 1

    def short(self, cell: Cell) -> str:
        """Return a cell's name, as ``D5``."""
        return f"{self.column(cell)}{self.row(cell)}"

    def between(self, cells: Iterable[Cell]) -> str:
        """Return the first and the last of some cells, as ``C4–D4`` for those beside a door."""
        ordered = sorted(cells)
        return "–".join(dict.fromkeys(self.short(cell) for cell in (ordered[0], ordered[-1])))
