"""The rule sets that the page asks, under the house's options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from assistant.errors import UnknownName
from assistant.rules.reasons import in_language
from assistant.rules.rulesets import RuleSet, rule_set
from assistant.rules.ruling import Ruling
from assistant.table.board import Board

BOARD_RULESETS: Mapping[str, str] = {
    "doom2016": "DOOM: The Board Game (2016)",
    "doom2004": "DOOM: The Boardgame (2004)",
}
"""The rule sets that are asked with a board, under the titles of their boxes; the one to begin with first."""


@dataclass(frozen=True)
class RuleBook:
    """Rule sets by name; ``options`` holds the house's choices for each."""

    options: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def rule_set(self, name: str) -> RuleSet[Any]:
        """The rule set of that name; the first one for an empty name.

        Raises:
            UnknownName: the page asks no such rule set.
        """
        wanted = name or next(iter(BOARD_RULESETS))
        if wanted not in BOARD_RULESETS:
            raise UnknownName(f"there is no rule set “{wanted}”; choose one of: {', '.join(BOARD_RULESETS)}")
        return rule_set(wanted, self.options.get(wanted))

    def rule(self, name: str, board: Board, attacker: str, defender: str, language: str) -> Ruling:
        """The ruling on one attack, its reasons in the reader's language.

        Raises:
            UnknownName: no such rule set, or no such figure on the board.
        """
        rules = self.rule_set(name)
        return in_language(rules.rule(board, attacker, defender), rules.rules, language)

    def source(self, ruleset: str, rule_id: str) -> str:
        """Where a rule stands in the sources; empty for one that is not from them."""
        rule = self.rule_set(ruleset).rules.get(rule_id)
        return "" if rule is None else rule.source
