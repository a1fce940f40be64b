"""The effect of a reader's language on messages, numbers and shares, and its choice."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import web
from assistant.translations.speech import Speech, choose_language, speech

WEB = Path(web.__file__).parent


@pytest.mark.parametrize(
    ("language", "n", "text"),
    [("en", 1, "1 space"), ("en", 3, "3 spaces"), ("ru", 1, "1 клетка"), ("ru", 3, "3 клетки"), ("ru", 5, "5 клеток"),
     ("ru", 11, "11 клеток"), ("ru", 21, "21 клетка"), ("es", 1, "1 casilla"), ("es", 2, "2 casillas")],
)  # fmt: skip
def test_plurals_are_right(language, n, text):
    assert Speech(language).count("{n} space", "{n} spaces", n) == text


@pytest.mark.parametrize(
    ("wanted", "chosen", "language"),
    [
        (["ru-RU", "en"], None, "ru"),
        (["es_AR"], None, "es"),
        (["de"], None, "en"),
        ([], None, "en"),
        (["ru"], "es", "es"),
        (["ru"], "de", "ru"),
    ],
)
def test_the_language_is_chosen_before_it_is_guessed(wanted, chosen, language):
    assert choose_language(wanted, chosen) == language


def test_less_than_all_is_never_a_hundred_per_cent():
    assert speech("en").percent(0.999) == "99 %"
    assert speech("en").percent(1.0) == "100 %"


def test_a_value_with_braces_stays_unchanged():
    assert "{x}" in speech("en").text("{attacker} cannot see {defender}.", attacker="{x}", defender="b")


def test_numbers_in_sentences_have_the_languages_decimal_mark():
    assert speech("en").text("{mm} of 3", mm=0.55) == "0.55 of 3"
    assert speech("ru").text("{mm} of 3", mm=0.55) == "0,55 of 3"
    assert speech("es").count("{n} at {mm}", "{n} at {mm}", 2, mm=1.5) == "2 at 1,5"
    assert speech("ru").number(0.5, 2) == "0,50"


def test_no_source_writes_a_number_past_the_language():
    """Decimals that are written out by a format or a script stay English in every language."""
    written = re.compile(r"\.toFixed\(|:\.[0-9]f\}")
    files = list(WEB.rglob("*.*"))
    assert [path.name for path in files if path.suffix in {".js", ".py"} and written.search(path.read_text())] == []
