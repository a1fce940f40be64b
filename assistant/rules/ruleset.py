"""The questions that every game's rules answer: one class hierarchy, by the kind of table.

A game derives from `CellRules` or `FreeRules`. Questions that only some games answer are in `capabilities`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import ClassVar, Generic, TypeVar

from assistant.rules.explain import Ask, explain_ruling
from assistant.rules.moves import lies_across
from assistant.rules.options import Option, choose_options
from assistant.rules.pairing import iterate_pairs
from assistant.rules.reasons import Rule, what_if_rule
from assistant.rules.ruling import Ruling, Verdict
from assistant.table.board import Board, Figure
from assistant.table.free_table import FreeFigure, FreeTable

TableT = TypeVar("TableT", Board, FreeTable)


class RuleSet(ABC, Generic[TableT]):
    """One game's rules under one house's options.

    ``name`` is the game's id, the prefix of the ids of its ``rules``.

    Args:
        options: choices that differ from the defaults, by name.

    Raises:
        UnknownName: there is no such option or choice.
    """

    name: ClassVar[str]
    option_table: ClassVar[tuple[Option, ...]] = ()
    rules: ClassVar[Mapping[str, Rule]]

    def __init__(self, options: Mapping[str, str] | None = None) -> None:
        self._options = choose_options(self.name, self.option_table, options or {})

    @property
    def options(self) -> Mapping[str, str]:
        return self._options

    @abstractmethod
    def rule(self, table: TableT, attacker_id: str, defender_id: str, /) -> Ruling:
        """Return the ruling for one pair.

        Raises:
            UnknownName: the table holds no such figure, or both are the same one.
        """

    @abstractmethod
    def explained(self, table: TableT, ruling: Ruling, /) -> Ruling:
        """Return a ruling of this rule set on this table, with the smallest changes that flip it."""

    def pairs(self, table: TableT) -> Iterator[Ruling]:
        """Rule on every ordered pair of figures on different sides, sorted by their names."""
        return (self.rule(table, attacker.id, defender.id) for attacker, defender in iterate_pairs(table))


class CellAnswers(ABC):
    """Rulings on a board, by a rule set or about one named corner or space (`capabilities`)."""

    @abstractmethod
    def rule(self, board: Board, attacker_id: str, defender_id: str, /) -> Ruling:
        """Return the ruling for one pair.

        Raises:
            UnknownName: the board holds no such figure or named place, or both figures are the same one.
        """

    @abstractmethod
    def asking(self, board: Board, ruling: Ruling, /) -> Ask:
        """Return a ruling's question, to ask it again on other boards and with figures in other places."""

    @abstractmethod
    def explained(self, board: Board, ruling: Ruling, /) -> Ruling:
        """Return the ruling with the smallest changes of the board that flip it."""


class CellRules(RuleSet[Board], CellAnswers):
    """The rules of a game on cells. Figures in questions may stand elsewhere than on the board."""

    doors_close: ClassVar[bool] = False
    """Whether this game can close an open door again."""

    @abstractmethod
    def rule(self, board: Board, attacker_id: str, defender_id: str, /) -> Ruling: ...

    @abstractmethod
    def verdict(self, board: Board, attacker: Figure, defender: Figure) -> Verdict: ...

    def sees(self, board: Board, attacker: Figure, defender: Figure) -> bool:
        return self.verdict(board, attacker, defender).line_of_sight

    def may_stand(self, board: Board, figure: Figure) -> bool:
        """Return whether the ground lets a figure stand in its place, other figures aside."""
        return board.blocking.isdisjoint(figure.cells) and not lies_across(board, figure.cells, frozenset({"wall"}))

    @property
    def only_hinders(self) -> bool:
        """Whether a further figure or door never makes an answer better: closer, in sight, without cover.

        Then `stability` needs far fewer tables. Some of them are boards with overlapping bodies of several
        possibilities: they bound the hindrance of any of these.
        """
        return False

    def asking(self, board: Board, ruling: Ruling, /) -> Ask:
        return self.verdict

    def explained(self, board: Board, ruling: Ruling, /) -> Ruling:
        return self.explained_by(self.asking(board, ruling), board, ruling)

    def explained_by(self, ask: Ask, board: Board, ruling: Ruling) -> Ruling:
        """Return ``explained`` for a ruling about a named corner or space; ``ask`` asks about that place."""
        return explain_ruling(ask, what_if_rule(self.name), board, ruling, doors_close=self.doors_close)


class FreeRules(RuleSet[FreeTable]):
    """The rules of a game on a table without a grid; places are in millimetres.

    Figures besides the ruling's pair can only hinder: they may remove sight or give cover, never the reverse.
    """

    @abstractmethod
    def verdict(self, table: FreeTable, attacker: FreeFigure, defender: FreeFigure) -> Verdict: ...


AnyRules = CellRules | FreeRules
"""The rules of any game, under the options of one house."""
