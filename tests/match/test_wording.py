"""A match's texts in three languages: prompts, history and refusals."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from assistant.errors import IllegalStep, InputError
from assistant.match.actor import JUDGE
from assistant.match.audience import Audience


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


def refused_now(match: Any, figure: str) -> Iterator[InputError]:
    """Yield the refusals of a judge's tries of every command type with a figure alone; undo allowed ones."""
    types = set(match.session.system.commands) - {"undo", "redo"}
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
