"""The rule sets of running matches: made once for each choice of options, so that what they worked out is kept."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Generic, TypeVar

from assistant.rules.ruleset import CellRules, FreeRules

RulesT = TypeVar("RulesT", bound=CellRules | FreeRules)

MOST_KEPT = 16
"""Matches under different options that are played at once."""


class KeptRules(Generic[RulesT]):
    """The rules of one game by the options of its matches.

    Args:
        rule_set: the class of the game's rules.
    """

    def __init__(self, rule_set: type[RulesT]) -> None:
        self._rule_set = rule_set
        self._names = frozenset(option.name for option in rule_set.option_table)
        self._made = lru_cache(MOST_KEPT)(self._make)

    def under(self, options: Mapping[str, str]) -> RulesT:
        """The rules under the house options of a match; options of the match alone are left out."""
        return self._made(tuple(sorted((k, v) for k, v in options.items() if k in self._names)))

    def _make(self, options: tuple[tuple[str, str], ...]) -> RulesT:
        return self._rule_set(dict(options))
