"""Rules on cells that work a board out once, for sight and range, and answer everything from that."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Generic, Protocol, TypeVar

from assistant.rules.grid import Grid
from assistant.rules.pairing import TableCache
from assistant.rules.ruleset import CellRules
from assistant.rules.ruling import Verdict
from assistant.table.board import Board, Figure
from assistant.table.lattice import Cell


class SightTable(Protocol):
    """A board worked out for sight and range under one set of options."""

    def verdict(self, attacker: Figure, defender: Figure) -> Verdict:
        """The bare answer for two figures."""
        ...

    def sees(self, attacker: Figure, defender: Figure) -> bool:
        """Whether one figure sees another."""
        ...

    def are_adjacent(self, a: tuple[Cell, ...], b: tuple[Cell, ...]) -> bool:
        """Whether two bases are next to each other."""
        ...


SightT = TypeVar("SightT", bound=SightTable)


class SightTableRules(CellRules, Generic[SightT]):
    """Rules on cells with one table worked out for each board; the games name their tables."""

    def __init__(self, options: Mapping[str, str] | None = None) -> None:
        super().__init__(options)
        self._tables: TableCache[SightT] = TableCache(self._options, self._table)

    def verdict(self, board: Board, attacker: Figure, defender: Figure) -> Verdict:
        """The bare answer for two figures, wherever they stand on the board."""
        return self._tables.of(board).verdict(attacker, defender)

    def sees(self, board: Board, attacker: Figure, defender: Figure) -> bool:
        """Whether one figure would see another, wherever they stand on the board."""
        return self._tables.of(board).sees(attacker, defender)

    def adjacent(self, board: Board, a: Figure, b: Figure) -> bool:
        """Whether two figures stand side by side or corner to corner, not parted by a wall or a closed door."""
        return self._tables.of(board).are_adjacent(a.cells, b.cells)

    @staticmethod
    @abstractmethod
    def _table(grid: Grid, options: Mapping[str, str]) -> SightT:
        """One board worked out under one set of options."""
