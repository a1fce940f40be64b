"""Rulings on cells for the page: in the reader's language, with the camera's doubts included."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from assistant.app.live.table_words import AS_ON_A_PLAN, words_of
from assistant.errors import UnknownName
from assistant.match.games import game_named, games, rule_set, system_of
from assistant.rules.flips import add_flips
from assistant.rules.reasons import Rule, word_ruling
from assistant.rules.ruleset import CellRules
from assistant.rules.ruling import Reason, Ruling
from assistant.rules.stability import judge_stability
from assistant.table.doubt import DoubtfulBoard
from assistant.translations.messages import said


def cell_games() -> Mapping[str, str]:
    """Return the games on cells, which the camera reads, with their boxes' titles. The first is the default."""
    return {game.id: game.title for game in games() if game.table == "cells"}


def free_games() -> Mapping[str, str]:
    """Return the games without a grid, with their boxes' titles. Their rulings happen in a match."""
    return {game.id: game.title for game in games() if game.table == "free"}


def cell_rules(name: str) -> CellRules:
    """Return the rules of a game on cells, by default the first.

    Raises:
        UnknownName: there is no such game on cells.
    """
    known = cell_games()
    wanted = name or next(iter(known))
    rules = rule_set(wanted) if wanted in known else None
    if not isinstance(rules, CellRules):
        raise UnknownName(
            said("there is no rule set “{name}”; there are: {known}", name=wanted, known=", ".join(known))
        )
    return rules


def list_rules(name: str) -> tuple[Rule, ...]:
    """Return every rule cited by a game's rulings and steps, except house options and doubts.

    They follow the course of a round, in the order of the game's steps. Then come sight and cover, then the match
    record.

    Raises:
        UnknownName: there is no such game.
    """
    game = game_named(name)
    found: dict[str, Rule] = {}
    if game.match:
        system = system_of(name)
        found |= {command.rule.id: command.rule for command in system.commands.values()}
        found |= system.attack_rules
    found |= game.rules().rules
    ordered = sorted(found, key=lambda rule: (rule.startswith(RECORDED), not rule.endswith(ROUND)))
    return tuple(found[rule] for rule in ordered if not rule.endswith(ASIDE) and found[rule].summary)


ROUND = ("/status-phase", "/turn-order")
"""Suffixes of rule ids about the course of a round."""

RECORDED = "match/"
"""Prefix of rule ids about every match's record."""


ASIDE = ("/doubt", "/option", "/what-if")
"""Suffixes of rule ids that are not about the game."""


class AttackOnCells(NamedTuple):
    """One attack to rule on: the rules, the table with the camera's doubts, and the two figures."""

    rules: CellRules
    table: DoubtfulBoard
    attacker: str
    defender: str

    def rule(self, language: str, ways: Mapping[str, str] = AS_ON_A_PLAN) -> Ruling:
        """Return the ruling with its stability, and with the changes that would flip it if the camera has doubts.

        Args:
            language: the reader's language.
            ways: the names of directions on the reader's picture.

        Raises:
            UnknownName: no such figure is on the board.
        """
        rules, table = self.rules, self.table
        plain = rules.rule(table.board, self.attacker, self.defender)
        ruling = judge_stability(rules.verdict, table, plain, only_hinders=rules.only_hinders)
        if ruling.stability < 1:
            ruling = add_flips(rules.verdict, table, ruling)
        return word_ruling(ruling, rules.rules, language, words_of(rules, table, language, ways))

    def changes(self, language: str, ways: Mapping[str, str] = AS_ON_A_PLAN) -> tuple[Reason, ...]:
        """Return the changes that flip the ruling: first the camera's doubts, then the smallest changes of the table.

        Arguments and errors as for ``rule``.
        """
        rules, table = self.rules, self.table
        ruling = rules.rule(table.board, self.attacker, self.defender)
        explained = rules.explained(table.board, add_flips(rules.verdict, table, ruling))
        worded = word_ruling(explained, rules.rules, language, words_of(rules, table, language, ways))
        return worded.reasons[len(ruling.reasons) :]
