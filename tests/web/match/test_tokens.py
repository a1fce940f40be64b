"""Tokens on the table, with their names, and the places of goals: for the photo and the drawing."""

from __future__ import annotations

from assistant.translations.speech import speech
from web.match.ground import list_tokens

GOALS = [
    {"side": "marines", "text": "…", "places": [[[4, 1]], [[8, 1], [9, 1]]]},
    {"side": "invader", "text": "…", "places": []},
]
VIEW = {
    "items": [{"id": "red-key", "kind": "key", "cell": [4, 1]}, {"id": "health-1", "kind": "health", "cell": [2, 1]}],
    "portals": [{"id": "portal-1", "cell": [9, 1], "color": None}],
    "goals": GOALS,
}


def test_every_token_has_its_kind_and_its_whole_name_so_that_none_is_taken_for_a_figure() -> None:
    tokens = list_tokens(VIEW, speech("en"))
    assert [(token["kind"], token["name"], token["cells"]) for token in tokens[:3]] == [
        ("key", "Red key", [[4, 1]]),
        ("health", "Health 1", [[2, 1]]),
        ("portal", "Portal 1", [[9, 1]]),
    ]


def test_the_place_of_a_goal_is_marked_once_and_not_where_a_token_marks_it() -> None:
    (exit_,) = list_tokens(VIEW, speech("en"))[3:]
    assert exit_ == {"kind": "goal", "name": "Goal: Marines", "cells": [[8, 1], [9, 1]]}
    twice = {**VIEW, "goals": [*GOALS, *GOALS]}
    assert list_tokens(twice, speech("en")) == list_tokens(VIEW, speech("en"))


def test_tokens_are_named_in_the_language_of_the_reader() -> None:
    names = {language: [token["name"] for token in list_tokens(VIEW, speech(language))] for language in ("ru", "es")}
    assert names["ru"][0] == "Красный ключ"
    assert names["es"][3] == "Objetivo: Marines"
