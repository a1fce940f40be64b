"""The rule sets that the page asks, under the house's options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

from assistant.errors import UnknownName
from assistant.rules.reasons import in_language
from assistant.rules.rulesets import RuleSet, rule_set
from assistant.rules.ruling import Reason, Ruling
from assistant.rules.whatif import Looking, Question, danger_counts, range_counts, seen_cells, sight_map
from assistant.table.board import Board
from assistant.table.lattice import Cell
from web.spoken import TableWords

BOARD_RULESETS: Mapping[str, str] = {
    "doom2016": "DOOM: The Board Game (2016)",
    "doom2004": "DOOM: The Boardgame (2004)",
}
"""The rule sets that are asked with a board, under the titles of their boxes; the one to begin with first."""


class BoardRules(RuleSet[Board], Looking, Protocol):
    """A rule set for boards, with the what-if questions that only boards have."""

    def explained(self, board: Board, ruling: Ruling) -> Ruling:
        """The ruling with the smallest changes that would flip it."""
        ...


@dataclass(frozen=True)
class RuleBook:
    """Rule sets by name; ``options`` holds the house's choices for each."""

    options: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def rule_set(self, name: str) -> BoardRules:
        """The rule set of that name; the first one for an empty name.

        Raises:
            UnknownName: the page asks no such rule set.
        """
        wanted = name or next(iter(BOARD_RULESETS))
        if wanted not in BOARD_RULESETS:
            raise UnknownName(f"there is no rule set “{wanted}”; choose one of: {', '.join(BOARD_RULESETS)}")
        return cast(BoardRules, cast(Any, rule_set(wanted, self.options.get(wanted))))

    def rule(self, name: str, board: Board, attacker: str, defender: str, language: str) -> Ruling:
        """The ruling on one attack, its reasons in the reader's language and with the names that people use.

        Raises:
            UnknownName: no such rule set, or no such figure on the board.
        """
        rules = self.rule_set(name)
        return in_language(rules.rule(board, attacker, defender), rules.rules, language, TableWords(board))

    def changes(self, name: str, board: Board, attacker: str, defender: str, language: str) -> tuple[Reason, ...]:
        """The smallest changes of the table that would flip the ruling, in words.

        Raises:
            UnknownName: no such rule set, or no such figure on the board.
        """
        rules = self.rule_set(name)
        ruling = rules.rule(board, attacker, defender)
        explained = in_language(rules.explained(board, ruling), rules.rules, language, TableWords(board))
        return explained.reasons[len(ruling.reasons) :]

    def places(self, name: str, board: Board, question: Question, figure: str, target: str | None) -> frozenset[Cell]:
        """Where the figure would have to stand for the answer to be yes.

        Raises:
            UnknownName: no such rule set or figure, or a target is needed and none is named.
        """
        return sight_map(self.rule_set(name), board, question, figure, target).holds

    def seen(self, name: str, board: Board, figure: str) -> frozenset[Cell]:
        """The free cells that a figure sees.

        Raises:
            UnknownName: no such rule set, or no such figure on the board.
        """
        return seen_cells(self.rule_set(name), board, board.figure(figure))

    def ranges(self, name: str, board: Board, figure: str) -> dict[Cell, int]:
        """The range from a figure to every free cell.

        Raises:
            UnknownName: no such rule set, or no such figure on the board.
        """
        return range_counts(self.rule_set(name), board, board.figure(figure))

    def danger(self, name: str, board: Board, figure: str) -> dict[Cell, int]:
        """How many enemies would see the figure on each cell where it could stand.

        Raises:
            UnknownName: no such rule set, or no such figure on the board.
        """
        return danger_counts(self.rule_set(name), board, board.figure(figure))

    def source(self, ruleset: str, rule_id: str) -> str:
        """Where a rule stands in the sources; empty for one that is not from them."""
        rule = self.rule_set(ruleset).rules.get(rule_id)
        return "" if rule is None else rule.source
