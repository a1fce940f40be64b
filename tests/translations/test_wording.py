"""Sentences as data, worded for each reader; English replaces a missing translation."""

from __future__ import annotations

import pytest

from assistant.errors import UnknownName
from assistant.translations.catalogue import speak_id
from assistant.translations.messages import (
    Said,
    color_in_words,
    counted,
    dice_in_words,
    in_words,
    listed,
    said,
    said_in,
)


def test_a_sentence_carries_its_parts_in_the_same_language() -> None:
    sentence = said(
        "{figure}: {what}", figure="mortar", what=listed([counted("{n} wound", "{n} wounds", 2), said("down")])
    )

    assert str(sentence) == "Mortar: 2 wounds, down"
    assert sentence.worded("ru") == "Мортира: 2 раны, сбита с ног"
    assert sentence.worded("es") == "Mortero: 2 heridas, en el suelo"


def test_words_without_a_translation_are_spoken_in_english() -> None:
    assert Said("a word of the house").worded("ru") == "a word of the house"


def test_braces_in_a_name_are_nothing_special() -> None:
    assert said("{figure} acts", figure="{0.real}").worded("es") == "{0.real} actúa"


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
    assert speak_id(name, language) == called
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


def test_english_and_no_other_language_replaces_a_missing_translation() -> None:
    assert said("Undo").worded("de") == "Undo"
    assert counted("{n} space", "{n} spaces", 1).worded("de") == "1 space"
    assert counted("{n} space", "{n} spaces", 3).worded("de") == "3 spaces"
    assert said_in("history", "Undo").worded("de") == "Undo"
    assert said("a sentence that nobody wrote").worded("es") == "a sentence that nobody wrote"
    assert said("").worded("ru") == ""


def test_a_context_parts_what_is_one_word_in_english_alone() -> None:
    assert (said("down").worded("ru"), said_in("direction", "down").worded("ru")) == ("сбита с ног", "ниже")
    assert (said("ready").worded("es"), said_in("action", "ready").worded("es")) == ("preparada", "prepararse")


@pytest.mark.parametrize(
    ("n", "language", "worded"),
    [
        (1, "en", "Mortar: 1 wound"),
        (2, "en", "Mortar: 2 wounds"),
        (1, "ru", "Мортира: 1 рана"),
        (3, "ru", "Мортира: 3 раны"),
        (11, "ru", "Мортира: 11 ран"),
        (1, "es", "Mortero: 1 herida"),
        (0, "es", "Mortero: 0 heridas"),
        (2, "xx", "⟦Mortar: 2 wounds⟧"),
    ],
)
def test_what_is_counted_agrees_with_its_number(n: int, language: str, worded: str) -> None:
    told = counted("{figure}: {n} wound", "{figure}: {n} wounds", n, figure="mortar").worded(language)
    assert told.replace("mortar", "Mortar") == worded


def test_a_colour_that_nobody_translates_keeps_its_name() -> None:
    assert (color_in_words("red").worded("es"), color_in_words("{0.real}").worded("es")) == ("rojo", "{0.real}")


def test_reasons_name_figures_as_people_call_them() -> None:
    told = in_words({"fighter": "mortar", "enemies": ["imp-2", "brute"], "die": 4, "option": "up"}, "ru")
    assert told == {"fighter": "Мортира", "enemies": ["Имп 2", "Громила"], "die": 4, "option": "up"}
