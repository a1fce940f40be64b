"""Every sentence of the match in three languages: nothing is missing, nothing is left over, every place is filled."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import pytest

import assistant.match
from assistant.match.actor import JUDGE
from assistant.match.doom2004.state import ORDERS
from assistant.match.doom2004.turn_steps import ACTIONS
from assistant.match.roads.state import PHASES, TestKind
from assistant.match.views import Audience
from assistant.match.wording import Said, catalogue, listed, said

SOURCES = Path(assistant.match.__file__).parent
COLORS = {"red", "black", "yellow", "green", "blue"}
TERMS = {*ORDERS, *ACTIONS, *PHASES, *get_args(TestKind), *COLORS, "block", "hatred"}
"""Words of the rules that are said by their names."""


def places(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def spoken() -> Iterator[str]:
    """Every pattern that is written out in the sources."""
    for path in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "said":
                pattern = node.args[0]
                assert isinstance(pattern, ast.Constant), f"{path.name}: write the pattern out where it is said"
                yield pattern.value


def test_the_catalogues_hold_what_is_said_and_nothing_else() -> None:
    assert {*spoken(), *TERMS} == set(catalogue())


@pytest.mark.parametrize("language", ["ru", "es"])
def test_a_translation_has_the_places_of_its_pattern(language: str) -> None:
    for pattern, words in catalogue().items():
        assert words.in_language(language).strip(), pattern
        assert places(words.in_language(language)) == places(pattern), pattern


def test_a_sentence_carries_its_parts_in_the_same_language() -> None:
    sentence = said("{figure}: {what}", figure="mortar", what=listed([said("{count} wounds", count=2), said("down")]))

    assert str(sentence) == "mortar: 2 wounds, down"
    assert sentence.worded("ru") == "mortar: ран 2, сбит с ног"
    assert sentence.worded("es") == "mortar: 2 heridas, en el suelo"


def test_words_without_a_translation_are_spoken_in_english() -> None:
    assert Said("a word of the house").worded("ru") == "a word of the house"


def test_braces_in_a_name_are_nothing_special() -> None:
    assert said("{figure} acts", figure="{0.__class__}").worded("es") == "{0.__class__} actúa"


@pytest.mark.parametrize("mission", ["TUTORIAL", "KNEE_DEEP", "BRIDGE"])
def test_prompts_and_history_are_in_the_readers_language(build: ModuleType, players: ModuleType, mission: str) -> None:
    match = build.begun(build.mission(getattr(build, mission)))
    for whims in range(12):
        players.take_a_step(match, players.random.Random(whims))
    shown: dict[str, Any] = {
        language: match.session.view(Audience(language=language)) for language in ("en", "ru", "es")
    }

    for language in ("ru", "es"):
        for part, field in (("history", "title"), ("prompts", "text")):
            english = [entry[field] for entry in shown["en"][part]]
            worded = [entry[field] for entry in shown[language][part]]
            assert len(english) == len(worded)
            assert not set(english) & set(worded)


def test_the_language_survives_a_quick_start(build: ModuleType, players: ModuleType) -> None:
    match = build.begun(build.mission(build.TUTORIAL))
    match.do("status")
    match.do("damage", figure="alpha", amount=1, by=JUDGE)
    again = match.session.resumed(
        match.document().splitlines(), journal=None, clock_ms=lambda: 0, snapshot=match.session.snapshot()
    )

    assert again.history("ru") == match.session.history("ru")
    assert again.history("ru")[-1]["title"] == "alpha: урон 1"
