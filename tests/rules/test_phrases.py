"""The sentences of every rule: the same arguments in each language, nothing left in another one."""

from __future__ import annotations

import re
from string import Formatter

import pytest

from assistant.match.games import games
from assistant.rules.reasons import Phrase, Rule

EVERY_RULE = [rule for game in games() for rule in game.rule_set.rules.values()]


def arguments(template: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(template) if field is not None}


def phrases(rule: Rule) -> list[Phrase]:
    return [rule.summary, *rule.phrases.values()]


@pytest.mark.parametrize("rule", EVERY_RULE, ids=lambda rule: rule.id)
def test_each_phrase_takes_the_same_arguments_in_every_language(rule: Rule) -> None:
    for phrase in phrases(rule):
        assert arguments(phrase.ru) == arguments(phrase.en)
        assert arguments(phrase.es) == arguments(phrase.en)


@pytest.mark.parametrize("rule", EVERY_RULE, ids=lambda rule: rule.id)
def test_only_russian_is_written_in_cyrillic_and_summaries_are_sentences(rule: Rule) -> None:
    for phrase in phrases(rule):
        assert not re.search("[а-яё]", phrase.en + phrase.es, re.IGNORECASE)
    assert re.search("[а-яё]", rule.summary.ru, re.IGNORECASE)
    assert all(text.endswith((".", "?", "!")) for text in rule.summary)


def test_rule_ids_name_their_game_and_stand_once() -> None:
    for game in games():
        assert all(rule_id.startswith(f"{game.id}/") for rule_id in game.rule_set.rules)
