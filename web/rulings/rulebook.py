"""The rule sets that the page asks, under the house's options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from assistant.app.live.table_words import AS_ON_A_PLAN, words_of
from assistant.errors import UnknownName
from assistant.match.games import games, rule_set
from assistant.rules.capabilities import FindsReach
from assistant.rules.claims import About, Claim, settle_claims
from assistant.rules.flips import add_flips
from assistant.rules.reasons import word_ruling
from assistant.rules.ruleset import CellRules
from assistant.rules.ruling import Reach, Reason, Ruling
from assistant.rules.stability import judge_stability
from assistant.rules.whatif import (
    Observer,
    SightCondition,
    count_dangers,
    count_ranges,
    find_observers,
    find_seen_cells,
    sight_map,
)
from assistant.table.board import Board
from assistant.table.doubt import DoubtfulBoard
from assistant.table.lattice import Cell
from assistant.translations.catalogue import translate
from assistant.translations.messages import said


def cell_games() -> Mapping[str, str]:
    """The games that are played on cells, which the camera reads, by the titles of their boxes; the first is offered.

    A free table is ruled on from its file alone: no camera reads one.
    """
    return {game.id: game.title for game in games() if game.table == "cells"}


def free_games() -> Mapping[str, str]:
    """The games that are played on a free table, by the titles of their boxes; their rulings are given in a match."""
    return {game.id: game.title for game in games() if game.table == "free"}


class RulingRequest(NamedTuple):
    """A question about one attack.

    Args:
        ruleset: the rule set; the first one if empty.
        table: the table, with what the camera left open about it.
        attacker: who attacks.
        defender: who is attacked.
    """

    ruleset: str
    table: DoubtfulBoard
    attacker: str
    defender: str


@dataclass(frozen=True)
class RuleBook:
    """Rule sets by name; ``options`` holds the house's choices for each."""

    options: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def rule_set(self, name: str) -> CellRules:
        """The rule set of that name; the first one for an empty name.

        Raises:
            UnknownName: the page asks no such rule set.
        """
        known = cell_games()
        wanted = name or next(iter(known))
        rules = rule_set(wanted, self.options.get(wanted)) if wanted in known else None
        if not isinstance(rules, CellRules):
            raise UnknownName(
                said("there is no rule set “{name}”; there are: {known}", name=wanted, known=", ".join(known))
            )
        return rules

    def rule(self, asked: RulingRequest, language: str, ways: Mapping[str, str] = AS_ON_A_PLAN) -> Ruling:
        """The ruling on one attack, its reasons in the reader's language and with the names that people use.

        How sure it is stands in it and, where the camera left something open that would make the answer another one,
        what that is.

        Args:
            asked: who attacks whom.
            language: the reader's language.
            ways: what directions are called on the picture that the reader looks at.

        Raises:
            UnknownName: no such rule set, or no such figure on the board.
        """
        rules = self.rule_set(asked.ruleset)
        plain = rules.rule(asked.table.board, asked.attacker, asked.defender)
        ruling = judge_stability(rules.verdict, asked.table, plain, only_hinders=rules.only_hinders)
        if ruling.stability < 1:
            ruling = add_flips(rules.verdict, asked.table, ruling)
        return word_ruling(ruling, rules.rules, language, words_of(rules, asked.table, language, ways))

    def changes(
        self, asked: RulingRequest, language: str, ways: Mapping[str, str] = AS_ON_A_PLAN
    ) -> tuple[Reason, ...]:
        """What would flip the ruling, in words: what the camera left open, then the smallest changes of the table.

        Arguments and errors as for ``rule``.
        """
        rules, board = self.rule_set(asked.ruleset), asked.table.board
        ruling = rules.rule(board, asked.attacker, asked.defender)
        told = rules.explained(board, add_flips(rules.verdict, asked.table, ruling))
        explained = word_ruling(told, rules.rules, language, words_of(rules, asked.table, language, ways))
        return explained.reasons[len(ruling.reasons) :]

    def claims(self, asked: RulingRequest, about: About) -> tuple[Claim, Claim]:
        """Two claims about one attack, each with whether it holds and what the house would have to play.

        Raises:
            UnknownName: no such rule set, or no such figure on the board.
        """
        return settle_claims(self.rule_set(asked.ruleset), asked.table.board, asked.attacker, asked.defender, about)

    def places(
        self, name: str, board: Board, question: SightCondition, figure: str, target: str | None
    ) -> frozenset[Cell]:
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
        return find_seen_cells(self.rule_set(name), board, board.figure(figure))

    def watchers(self, name: str, board: Board, cell: Cell) -> tuple[Observer, ...]:
        """The figures that see a cell, each with a free line.

        Raises:
            UnknownName: no such rule set, or no such cell on the board.
        """
        return find_observers(self.rule_set(name), board, cell)

    def ranges(self, name: str, board: Board, figure: str) -> dict[Cell, int]:
        """The range from a figure to every free cell.

        Raises:
            UnknownName: no such rule set, or no such figure on the board.
        """
        return count_ranges(self.rule_set(name), board, board.figure(figure))

    def reach(self, name: str, board: Board, figure: str, points: int) -> Reach:
        """Where a figure may end a move of so many points.

        Raises:
            UnknownName: no such rule set or figure, or the rules count no moves.
        """
        rules = self.rule_set(name)
        if not isinstance(rules, FindsReach):
            raise UnknownName(
                said("“{name}” counts no moves on the table; measure on the table instead", name=rules.name)
            )
        return rules.reach(board, figure, points)

    def danger(self, name: str, board: Board, figure: str) -> dict[Cell, int]:
        """How many enemies would see the figure on each cell where it could stand.

        Raises:
            UnknownName: no such rule set, or no such figure on the board.
        """
        return count_dangers(self.rule_set(name), board, board.figure(figure))

    def source(self, ruleset: str, rule_id: str, language: str) -> str:
        """Where a rule stands in the sources, in the reader's language; empty for one that is not from them."""
        rule = self.rule_set(ruleset).rules.get(rule_id)
        if rule is None:
            return ""
        return translate(rule.source, language)
