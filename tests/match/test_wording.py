"""Every sentence of the match in three languages: nothing is missing, nothing is left over, every place is filled."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import pytest

import assistant
from assistant.errors import IllegalStep, InputError, UnknownName
from assistant.games.doom2004.match.state import ORDERS
from assistant.games.doom2004.match.turn_steps import ACTIONS
from assistant.games.roads.match.state import DOWN, FLEEING, PHASES, STILL, TestKind
from assistant.match.actor import JUDGE
from assistant.match.audience import Audience
from assistant.translations.messages import DICE_COLORS, Said, catalogue, dice_in_words, listed, said
from assistant.translations.names import spoken_id

HOME = Path(assistant.__file__).parent
SOURCES = (HOME / "match", HOME / "games")
COLORS = {words for color in DICE_COLORS for words in (color, f"1 {color}", f"{{count}} {color}")}
TERMS = {*ORDERS, *ACTIONS, *PHASES, *get_args(TestKind), *COLORS, "block", "hatred", DOWN, FLEEING, STILL}
"""Words of the rules that are said by their names."""


def places(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def spoken() -> Iterator[str]:
    """Every pattern that is written out in the sources."""
    for path in [path for folder in SOURCES for path in sorted(folder.rglob("*.py"))]:
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

    assert str(sentence) == "Mortar: 2 wounds, down"
    assert sentence.worded("ru") == "Мортира: ран 2, сбит с ног"
    assert sentence.worded("es") == "Mortero: 2 heridas, en el suelo"


def test_words_without_a_translation_are_spoken_in_english() -> None:
    assert Said("a word of the house").worded("ru") == "a word of the house"


def test_braces_in_a_name_are_nothing_special() -> None:
    assert said("{figure} acts", figure="{0.real}").worded("es") == "{0.real} actúa"


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
    assert again.history("ru")[-1]["title"] == "Альфа: урон 1"


@pytest.mark.parametrize(
    ("language", "worded"),
    [
        ("en", "2 black, 1 red, 3 {0.real}"),
        ("ru", "2 чёрных, 1 красный, 3 {0.real}"),
        ("es", "2 negros, 1 rojo, 3 {0.real}"),
    ],
)
def test_dice_are_counted_with_colours_that_agree(language: str, worded: str) -> None:
    assert dice_in_words({"red": 1, "black": 2, "{0.real}": 3}).worded(language) == worded


@pytest.mark.parametrize(
    ("name", "language", "called"),
    [
        ("imp-2", "en", "Imp 2"),
        ("imp~2", "ru", "Имп 2"),
        ("imp-2", "es", "Diablillo 2"),
        ("alpha", "ru", "Альфа"),
        ("red-marine", "es", "Marine rojo"),
        ("Бармалей", "ru", "Бармалей"),
        ("big_boss-3", "ru", "Big boss 3"),
        ("~", "ru", "~"),
    ],
)
def test_figures_are_called_by_names_and_not_by_ids(name: str, language: str, called: str) -> None:
    assert spoken_id(name, language) == called
    assert said("{figure} acts", figure=name).worded(language).split(" ")[0] == called.split(" ", maxsplit=1)[0]


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "there is no demon card “Imp” in this mission; choose one that is listed"),
        ("ru", "в этой миссии нет карты демонов «Имп»; выберите из списка"),
        ("xx", "⟦there is no demon card “Imp” in this mission; choose one that is listed⟧"),
    ],
)
def test_a_refusal_keeps_its_sentence_for_every_language(language: str, sentence: str) -> None:
    refused = UnknownName(
        said("there is no demon card “{kind}” in this mission; choose one that is listed", kind="imp")
    )

    assert refused.sentence is not None
    assert refused.sentence.worded(language) == sentence
    assert str(refused.in_document("match.jsonl")).startswith("match.jsonl: there is no demon card “Imp”")


def refused_now(match: Any, figure: str) -> Iterator[InputError]:
    """What a judge is told who tries every type of command with a figure alone; what is allowed is taken back."""
    types = {command.__struct_config__.tag for command in match.session.system.command_types} - {"undo", "redo"}
    for type_ in sorted(types):
        try:
            match.session.command({"type": type_, "figure": figure}, JUDGE)
            match.session.command({"type": "undo"}, JUDGE)
        except InputError as refused:
            yield refused


@pytest.mark.parametrize("mission", ["TUTORIAL", "KNEE_DEEP", "BRIDGE"])
def test_every_refusal_of_a_match_is_in_the_catalogue(build: ModuleType, players: ModuleType, mission: str) -> None:
    match, whims = build.begun(build.mission(getattr(build, mission))), players.random.Random(5)
    told: list[InputError] = []
    for _ in range(25):
        told += refused_now(match, whims.choice(list(match.game.pieces)))
        players.take_a_step(match, whims)

    steps = [refused for refused in told if isinstance(refused, IllegalStep)]
    assert len(steps) > 20
    assert [str(one) for one in steps if not (one.sentence and one.sentence.worded("xx").startswith("⟦"))] == []
