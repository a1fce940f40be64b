"""No text of a match at any moment is left in English for a reader of another language, apart from names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from assistant.errors import InputError
from assistant.match.actor import JUDGE
from assistant.match.audience import audience_of
from assistant.match.views import list_prompts
from assistant.translations.catalogue import speak_word
from assistant.translations.collecting import HERE, read_catalogue

MISSIONS = ("doom2016_tutorial_sample", "doom2004_knee_deep_sample", "roads_every_rule")
SAID = frozenset({"text", "title", "words", "skip_text", "refusal", "sentence", "headline", "says", "certain"})
"""Fields of a match's output that people read."""
MOMENTS = 25


@cache
def in_english(language: str) -> re.Pattern[str]:
    """Return every sentence of the program that has other words in that language."""
    found = []
    for message in read_catalogue(HERE / f"{language}.po"):
        told = message.string if isinstance(message.string, tuple) else (message.string,)
        for english in message.id if isinstance(message.id, tuple) else (message.id,):
            is_sentence = re.search(r"[A-Za-z]{3}", re.sub(r"{\w+}", "", english))
            if is_sentence and english not in told:
                found.append(".+?".join(re.escape(part) for part in re.split(r"{\w+}", english)))
    return re.compile("|".join(found))


def texts(told: Any, is_said: bool = False) -> Iterator[str]:
    """Yield all words of a document that people read."""
    if isinstance(told, dict):
        for name, value in told.items():
            yield from texts(value, name in SAID)
    elif isinstance(told, list | tuple):
        for value in told:
            yield from texts(value, is_said)
    elif isinstance(told, str) and is_said and told:
        yield told


def everything_said(match: Any, language: str) -> set[str]:
    """Return all texts of the present view, history and questions."""
    session = match.session
    told: list[Any] = [session.view(audience_of(JUDGE, language)), {"text": session.actions(JUDGE, language)}]
    for prompt in list_prompts(session.system, match.game):
        way = session.way({"type": prompt.type, **prompt.fields}, JUDGE, language)
        told.append(way)
        if way["ask"] is not None and way["ask"]["picks"] and way["refusal"] is None:
            pick = way["ask"]["picks"][-1]
            chosen = {"type": way["type"], **way["fields"], way["ask"]["field"]: pick["value"], **pick["fills"]}
            told.append(session.way(chosen, JUDGE, language))
    names = [piece.id for piece in match.game.standing()]
    try:
        told.append(session.guide({"attacker": names[0], "defender": names[-1]}, audience_of(JUDGE, language)))
    except InputError as problem:
        told.append({"text": problem.sentence.worded(language)})
    told.append({"text": [entry["title"] for entry in session.history(language)]})
    return set(texts(told))


@pytest.mark.parametrize("language", ["ru", "es"])
@pytest.mark.parametrize("name", MISSIONS)
def test_every_sentence_of_a_match_is_in_the_readers_language(build, players, name, language):
    match, whims, heard = build.on_table(name), players.random.Random(11), set()
    names = {card["name"] for card in build.mission(name).setup.get("cards", {}).values()}
    for _ in range(MOMENTS):
        if match.game.winner is not None:
            break
        said = everything_said(match, language) - heard
        heard |= said
        left = {text for text in said if in_english(language).fullmatch(text) and text not in names}
        assert left == set()
        players.take_a_step(match, whims)
    assert len(heard) > 40
    assert in_english(language).fullmatch("Nobody acts yet"), "what is left in English would be found"
    assert speak_word("imp", language), "every language has names"
