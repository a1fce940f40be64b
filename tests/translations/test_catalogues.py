"""The catalogues are complete, without extras, agree in their placeholders and have every plural form."""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.plurals import get_plural

from assistant.translations import catalogue as catalogues
from assistant.translations.catalogue import language_tags
from assistant.translations.collecting import (
    HERE,
    is_untranslated,
    messages_of_sources,
    names_in,
    read_catalogue,
    update_catalogues,
)

TAGS = [tag for tag in language_tags() if tag != "en"]

MISSIONS = sorted((HERE.parent / "games").glob("*/missions/*.toml"))


@pytest.fixture(scope="module")
def sources() -> Catalog:
    return messages_of_sources()


def catalogue(tag: str) -> Catalog:
    return read_catalogue(HERE / f"{tag}.po")


def keys(messages: Catalog) -> set[tuple[str, object]]:
    return {(message.context or "", message.id) for message in messages if message.id}


def forms(message: Message) -> tuple[str, ...]:
    return message.string if isinstance(message.string, tuple) else (message.string,)


@pytest.mark.parametrize("tag", TAGS)
def test_a_catalogue_holds_every_message_of_the_sources_and_nothing_else(sources: Catalog, tag: str) -> None:
    names = {(message.context or "", message.id) for message in names_in(catalogue(tag))}

    assert keys(catalogue(tag)) - names == keys(sources)


def test_every_catalogue_has_words_for_the_same_names() -> None:
    assert len({frozenset(message.id for message in names_in(catalogue(tag))) for tag in TAGS}) == 1


@pytest.mark.parametrize("tag", TAGS)
def test_no_message_is_without_words_or_doubtful(tag: str) -> None:
    assert [message.id for message in catalogue(tag) if is_untranslated(message)] == []


@pytest.mark.parametrize("tag", TAGS)
def test_a_translation_has_the_places_of_its_message(tag: str) -> None:
    def places(text: str) -> set[str]:
        return set(re.findall(r"\{(\w+)\}", text))

    for message in catalogue(tag):
        if message.id:
            source = message.id[-1] if isinstance(message.id, tuple) else message.id
            assert all(places(text) == places(source) for text in forms(message)), message.id


@pytest.mark.parametrize("tag", TAGS)
def test_plural_forms_are_those_of_the_language(tag: str) -> None:
    told = catalogue(tag)
    assert told.num_plurals == get_plural(tag).num_plurals
    assert {len(forms(message)) for message in told if isinstance(message.id, tuple)} == {told.num_plurals}


@pytest.mark.parametrize("tag", TAGS)
def test_russian_alone_is_written_in_cyrillic(tag: str) -> None:
    written = {text for message in catalogue(tag) if message.id for text in forms(message)}
    # A heading is cited as it stands in its document, whatever the reader's language.
    uncited = {text for text in written if tag == "ru" or not re.match(r"(\w+ 00\d|reglamento), «", text)}
    cyrillic = {text for text in uncited if re.search("[а-яё]", text, re.IGNORECASE)}
    wordless = {text for text in written if not re.search(r"[^\W\d_]{2}", re.sub(r"\{\w+\}", "", text))}
    assert len(written) > 1500
    assert cyrillic == (written - wordless if tag == "ru" else set())


def test_bringing_catalogues_up_to_date_changes_nothing_when_they_are(tmp_path: Path) -> None:
    for tag in TAGS:
        shutil.copy(HERE / f"{tag}.po", tmp_path)
    assert update_catalogues(tmp_path) == {tmp_path / f"{tag}.po": [] for tag in TAGS}
    for tag in TAGS:
        assert (tmp_path / f"{tag}.po").read_bytes() == (HERE / f"{tag}.po").read_bytes(), "run: make catalogue"


def test_untranslated_messages_are_listed_and_unused_ones_go(tmp_path: Path) -> None:
    text = (HERE / "es.po").read_text(encoding="utf-8").replace('msgstr "Deshecho después"', 'msgstr ""')
    (tmp_path / "es.po").write_text(f'{text}\nmsgid "an old saying"\nmsgstr "un dicho viejo"\n', encoding="utf-8")

    assert update_catalogues(tmp_path) == {tmp_path / "es.po": ["Undone since"]}
    assert "an old saying" not in (tmp_path / "es.po").read_text(encoding="utf-8")
    assert 'msgctxt "name"' in (tmp_path / "es.po").read_text(encoding="utf-8")


def test_english_reads_no_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogues, "catalogue_of", None)
    assert catalogues.translate("Undo", "en", "history") == "Undo"
    assert catalogues.translate_count("{n} space", "{n} spaces", 2, "en") == "{n} spaces"


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("mission", MISSIONS, ids=lambda path: path.stem)
def test_what_a_shipped_mission_puts_on_the_table_has_a_name(mission: Path, tag: str) -> None:
    setup = tomllib.loads(mission.read_text(encoding="utf-8"))["setup"]
    ids = {one for entry in entries(setup) for one in called(entry)} | set(setup.get("sides", ()))
    known = {str(message.id) for message in names_in(catalogue(tag))}
    assert ids
    assert {re.sub(r"[~_-]+", " ", one).rstrip(" 0123456789").lower() for one in ids} <= known


def entries(setup: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Figures, portals, teleporters, items: everything in the lists of a mission."""
    for value in setup.values():
        if isinstance(value, list):
            yield from (entry for entry in value if isinstance(entry, dict))


def called(entry: dict[str, Any]) -> Iterator[str]:
    """Yield the ids of an entry that are shown to people."""
    yield from (entry[field] for field in ("id", "side", "portal") if field in entry)
    yield from entry.get("weapons", ())
