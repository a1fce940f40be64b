"""The sentences of every rule and option: the same arguments in each language, all translated."""

from __future__ import annotations

import re
from string import Formatter

import pytest

from assistant.match.games import games, rule_set
from assistant.rules.options import Option
from assistant.rules.reasons import Rule
from assistant.translations.catalogue import translate

GAMES = [game.id for game in games()]
EVERY_RULE = [rule for name in GAMES for rule in rule_set(name).rules.values()]
EVERY_OPTION = [option for name in GAMES for option in rule_set(name).option_table]


def arguments(template: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(template) if field is not None}


def phrases(rule: Rule) -> list[str]:
    return [rule.summary, *rule.phrases.values()]


@pytest.mark.parametrize("rule", EVERY_RULE, ids=lambda rule: rule.id)
def test_each_phrase_takes_the_same_arguments_in_every_language(rule: Rule) -> None:
    for phrase in phrases(rule):
        assert arguments(translate(phrase, "ru")) == arguments(phrase)
        assert arguments(translate(phrase, "es")) == arguments(phrase)


@pytest.mark.parametrize("rule", EVERY_RULE, ids=lambda rule: rule.id)
def test_only_russian_is_written_in_cyrillic_and_summaries_are_sentences(rule: Rule) -> None:
    for phrase in phrases(rule):
        assert not re.search("[а-яё]", phrase + translate(phrase, "es"), re.IGNORECASE)
    assert re.search("[а-яё]", translate(rule.summary, "ru"), re.IGNORECASE)
    assert all(translate(rule.summary, tag).endswith((".", "?", "!")) for tag in ("en", "ru", "es"))


def test_rule_ids_name_their_game_and_stand_once() -> None:
    for name in GAMES:
        assert all(rule_id.startswith(f"{name}/") for rule_id in rule_set(name).rules)


@pytest.mark.parametrize("option", EVERY_OPTION, ids=lambda option: option.name)
def test_every_option_and_choice_has_a_name_of_its_own(option: Option) -> None:
    assert len(set(option.choice_titles)) == len(option.choices) == len(option.choice_titles)
    for tag in ("en", "ru", "es"):
        titles = {translate(option.choice_title(choice), tag) for choice in option.choices}
        assert len(titles) == len(option.choices)
        assert translate(option.question, tag)[-1] in "?."
    assert option.choice_title("what the house made up") == "what the house made up"
