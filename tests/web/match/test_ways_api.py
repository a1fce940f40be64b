"""The questions of a command on the page: spaces named as along the board, and no internal format."""

from __future__ import annotations

import random
import re

import pytest

from assistant.errors import SightlineError
from assistant.match.actor import JUDGE
from assistant.match.ways import NOT_WHOLE
from assistant.translations.speech import speech
from web.problems.errors import word_error

FORMAT = re.compile(r"field|Command:|command:|[a-z]+_[a-z]+|expected|`|struct|JSON|null|\bint\b|\bstr\b", re.IGNORECASE)
"""Words of the format of commands, which a reader has no use for."""

VALUES = (
    None,
    True,
    -1,
    3,
    10**9,
    "imp-1",
    "nobody",
    "",
    [],
    ["imp-1"],
    [[0, 0]],
    [[0, "x"]],
    {},
    {"imp-1": [[1, 1]]},
    1.5,
)


@pytest.fixture
def session(state, build):
    made = build.sample_session()
    state.match.play(made)
    return made


@pytest.mark.parametrize(
    ("game", "mission"),
    [
        ("doom2016", "doom2016_sample_table"),
        ("doom2004", "doom2004_knee_deep_sample"),
        ("roads", "roads_first_skirmish"),
    ],
)
def test_no_word_of_the_programs_own_format_reaches_a_reader(build, game, mission):
    session, whims, told = build.new_session(game, mission), random.Random(11), set()
    commands = session.system.commands
    types, fields = list(commands), sorted({name for one in commands.values() for name in one.__struct_fields__})
    fields.remove("document")
    for count in range(2_000):
        body = {name: whims.choice(VALUES) for name in whims.sample(fields, whims.randint(0, 3))}
        body["type"] = whims.choice([*types, "dance"])
        try:
            if count % 20 == 0:
                told.add(session.way(body, JUDGE)["refusal"] or "")
            elif body["type"] not in ("undo", "redo", "declare"):
                session.command(body, JUDGE)
        except SightlineError as problem:
            told.add(word_error(problem, speech("en")))
    assert len(told) > 12
    assert [words for words in told if FORMAT.search(words)] == []


def test_a_command_without_its_fields_is_refused_in_words(session, post):
    answer = post("/match/commands", {"type": "attack"})
    assert answer.status_code == 400
    assert answer.get_json()["error"]["message"] == NOT_WHOLE.worded("en")
    assert answer.get_json()["error"]["field"] == "defender"


def test_spaces_are_called_as_along_the_board(session, post):
    post("/match/commands", {"type": "see", "document": BOARD})
    ask = post("/match/ways", {"type": "place", "figure": "medic-1"}).get_json()["way"]["ask"]
    assert ask["kind"] == "spaces"
    named = {pick["text"]: pick["cells"] for pick in ask["picks"]}
    assert named["A1"] == [[3, 2]]
    assert named["A4"] == [[3, 5]]


BOARD = {
    "format": "sightline.board/1",
    "cell_mm": 25.4,
    "cells": [[x, y] for x in range(3, 8) for y in range(2, 6)],
    "edges": [],
    "doors": [],
    "figures": [],
}
