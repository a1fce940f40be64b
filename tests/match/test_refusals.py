"""Every refusal of the two DOOM games names its rule and the rule's source."""

from __future__ import annotations

from types import ModuleType

import pytest

from assistant.errors import IllegalStep
from assistant.match.game import tag_of
from assistant.match.games import system_of


@pytest.mark.parametrize("ruleset", ["doom2016", "doom2004"])
def test_every_command_of_the_game_has_a_rule_with_its_seed_and_section(ruleset: str) -> None:
    system = system_of(ruleset)
    for rule in (system.rule_of(tag_of(step)) for step in system.steps):
        assert rule.id.startswith(f"{ruleset}/")
        assert rule.source.startswith("Rules, “")
        assert "“" in rule.source


def test_a_refused_command_carries_its_rule(build: ModuleType) -> None:
    match = build.on_table(build.TUTORIAL)
    with pytest.raises(IllegalStep) as refused:
        match.do("reveal")
    rule = refused.value.rule
    assert rule is not None
    assert (rule.id, rule.source) == ("doom2016/activation-phase", "Rules, “Activation phase”")
    other = build.on_table(build.KNEE_DEEP)
    with pytest.raises(IllegalStep) as refused:
        other.do("draw")
    assert refused.value.rule is not None
    assert refused.value.rule.id == "doom2004/invader-cards"
    assert str(refused.value) == "draw cards at the beginning of the invader's turn"


def test_an_offer_that_the_rules_refuse_names_the_rule(build: ModuleType, client: ModuleType) -> None:
    match = build.on_table(build.KNEE_DEEP)
    match.do("begin")
    match.do("action", action="unload")
    way = client.offer(client.looked(match, {"attacker": "red-marine", "defender": "green-marine"}), "attack")
    assert way["refusal"] is not None
    assert way["rule"] == "doom2004/attack"
