from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

import web
from assistant.match.games import games
from assistant.translations.catalogue import languages
from assistant.translations.speech import Speech, choose_language, speech

WEB = Path(web.__file__).parent
KEYWORDS = {"_": None, "text": None, "message": None, "told": None, "count": (1, 2)}
PRINTED = {"say": None}
METHODS = [("**.py", "python"), ("**.html", "jinja2")]


@pytest.fixture(scope="module")
def said() -> Catalog:
    """Every message in the sources of the page, and of what is printed, and the words of the games' options."""
    catalog = Catalog()
    for folder, keywords in ((WEB, KEYWORDS), (WEB.parent / "calibration", PRINTED)):
        for *_, text, _comments, _context in extract_from_dir(folder, METHODS, keywords=keywords):
            catalog.add(text)
    for game in games():
        for option in game.rule_set.option_table:
            for title in filter(None, (option.title, *option.choice_titles.values())):
                catalog.add(title)
    return catalog


def catalogue(language: str) -> Catalog:
    return read_po(BytesIO((WEB / "translations" / language / "messages.po").read_bytes()), locale=language)


@pytest.mark.parametrize("language", [tag for tag in languages() if tag != "en"])
def test_a_catalogue_is_complete_and_holds_nothing_else(said, language):
    translated = catalogue(language)

    ids = {message.id for message in said if message.id}
    assert {message.id for message in translated if message.id} == ids
    for message in translated:
        if not message.id:
            continue
        texts = message.string if isinstance(message.string, tuple) else (message.string,)
        assert all(texts), message.id
        assert not message.fuzzy, message.id


@pytest.mark.parametrize("language", [tag for tag in languages() if tag != "en"])
def test_a_translation_has_the_places_of_its_message(language):
    def places(text: str) -> set[str]:
        return set(re.findall(r"\{(\w+)\}", text))

    for message in catalogue(language):
        if not message.id:
            continue
        source = message.id[-1] if isinstance(message.id, tuple) else message.id
        for text in message.string if isinstance(message.string, tuple) else (message.string,):
            assert places(text) == places(source), text


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


def test_a_value_with_braces_stays_as_it_is():
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
