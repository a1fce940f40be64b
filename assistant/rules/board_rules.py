"""What both DOOM games are asked alike: a rule set on boards, with one table worked out for each board."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from assistant.rules.grid import Grid
from assistant.rules.pairing import Tables, ordered_pairs
from assistant.rules.reasons import Rule
from assistant.rules.rulesets import Option, Verdict, chosen
from assistant.rules.ruling import Ruling
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


TableT = TypeVar("TableT", bound=SightTable)


class BoardRules(ABC, Generic[TableT]):
    """The rules of a game on boards under one set of house options; the games name themselves and their tables.

    Args:
        options: choices that differ from the defaults, by name.

    Raises:
        UnknownName: there is no such option or choice.
    """

    name: ClassVar[str]
    option_table: ClassVar[tuple[Option, ...]]
    rules: ClassVar[Mapping[str, Rule]]

    def __init__(self, options: Mapping[str, str] | None = None) -> None:
        self._options = chosen(self.name, self.option_table, options or {})
        self._tables: Tables[TableT] = Tables(self._options, self._table)

    @property
    def options(self) -> Mapping[str, str]:
        """Every option with the choice that holds."""
        return self._options

    def pairs(self, board: Board) -> Iterator[Ruling]:
        """A ruling for every ordered pair of figures on different sides, by the two names."""
        for attacker, defender in ordered_pairs(board):
            yield self._ruling(board, attacker, defender, None)

    def verdict(self, board: Board, attacker: Figure, defender: Figure) -> Verdict:
        """The bare answer for two figures, wherever they stand on the board."""
        return self._tables.of(board).verdict(attacker, defender)

    def verdicts(self, board: Board) -> Iterator[tuple[str, str, Verdict]]:
        """The bare answers for the same pairs as ``pairs``, fast enough for every camera frame."""
        table = self._tables.of(board)
        for attacker, defender in ordered_pairs(board):
            yield attacker.id, defender.id, table.verdict(attacker, defender)

    def sees(self, board: Board, attacker: Figure, defender: Figure) -> bool:
        """Whether one figure would see another, wherever they stand on the board."""
        return self._tables.of(board).sees(attacker, defender)

    def adjacent(self, board: Board, a: Figure, b: Figure) -> bool:
        """Whether two figures stand side by side or corner to corner, not parted by a wall or a closed door."""
        return self._tables.of(board).are_adjacent(a.cells, b.cells)

    @staticmethod
    @abstractmethod
    def _table(grid: Grid, options: Mapping[str, str]) -> TableT:
        """One board worked out under one set of options."""

    @abstractmethod
    def _ruling(self, board: Board, attacker: Figure, defender: Figure, named: Any) -> Ruling:
        """The ruling for one pair, with the place that somebody named, if any."""
