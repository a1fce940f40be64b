"""The rules in short begin with how a round goes."""

from __future__ import annotations

import pytest

from web.rulings.rulebook import list_rules


@pytest.mark.parametrize(
    ("ruleset", "first"),
    [("doom2016", "doom2016/status-phase"), ("doom2004", "doom2004/turn-order"), ("roads", "roads/turn-order")],
)
def test_the_rules_in_short_begin_with_the_round_and_end_with_the_record(ruleset, first):
    rules = [rule.id for rule in list_rules(ruleset)]
    assert rules[0] == first
    recorded = [rule.startswith("match/") for rule in rules]
    assert recorded == sorted(recorded)
