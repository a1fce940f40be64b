"""The catalogues: one ``.po`` file a language, read as it is, so that nothing is compiled and nothing can be stale.

A message's id is its English text, as is gettext's custom: sources stay readable, and what a catalogue lacks can be
told in English, never in another language. Words that are the same in English and not elsewhere have a context.

Packages that bring sentences of their own (a game) or a further language register the package that holds their
``.po`` files under the entry point group ``sightline.translations``; our own words come first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from importlib.metadata import entry_points
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from babel.support import NullTranslations

ENGLISH = "en"
"""The language of the sources; it needs no catalogue."""

PSEUDO = "xx"
"""A made-up language in which every message is marked: what is unmarked escaped translation."""

OURS = "assistant.translations"

GROUP = "sightline.translations"
"""The entry point group of packages with ``.po`` files; the value of an entry point is the package's name."""


@cache
def language_tags() -> tuple[str, ...]:
    """The tags of all languages that there is a catalogue of; English first, then by tag."""
    return (ENGLISH, *sorted({tag for tag, _ in _files()}))


@cache
def languages() -> Mapping[str, str]:
    """Every language that there is a catalogue of, by its tag: what its own people call it."""
    return {tag: _own_name(tag) for tag in language_tags()}


def is_spoken(language: str) -> bool:
    """Whether there are words in that language; the made-up one has words for everything."""
    return language in (ENGLISH, PSEUDO) or language in language_tags()


def translate(text: str, language: str, context: str = "") -> str:
    """The message in that language, in English where its catalogue lacks it; ``{places}`` are left as they are.

    Args:
        text: the message in English.
        language: the language's tag.
        context: tells messages apart that are the same in English alone.
    """
    if language == ENGLISH or not text:
        return text
    if language == PSEUDO:
        return _marked(text)
    catalogue = catalogue_of(language)
    return str(catalogue.upgettext(context, text) if context else catalogue.ugettext(text))


def translate_count(one: str, many: str, n: int, language: str) -> str:
    """The message in the form that the language uses for ``n`` things."""
    in_english = one if n == 1 else many
    if language == ENGLISH:
        return in_english
    if language == PSEUDO:
        return _marked(in_english)
    return str(catalogue_of(language).ungettext(one, many, n))


@cache
def catalogue_of(language: str) -> NullTranslations:
    """All messages of a language from all packages; an empty catalogue, which speaks English, where there are none."""
    from assistant.translations.reading import read_catalogues  # noqa: PLC0415 - it loads slowly, and not for English

    return read_catalogues([file for tag, file in _files() if tag == language], language)


def forget() -> None:
    """Reads every catalogue anew when it is next asked; for packages that came while the program runs."""
    language_tags.cache_clear()
    languages.cache_clear()
    catalogue_of.cache_clear()


def _files() -> Iterator[tuple[str, Traversable]]:
    """Every catalogue with its language; the later ones win where several have words, and ours are the last."""
    for package in (*_foreign_packages(), OURS):
        for file in sorted(resources.files(package).iterdir(), key=lambda entry: entry.name):
            if file.name.endswith(".po"):
                yield file.name.removesuffix(".po"), file


def _foreign_packages() -> list[str]:
    return sorted({entry.value for entry in entry_points(group=GROUP)} - {OURS})


def _marked(text: str) -> str:
    """The text as the made-up language has it; where only ``{places}`` stand in it there is nothing to translate."""
    return f"⟦{text}⟧" if re.search(r"[^\W\d_]", re.sub(r"\{\w*\}", "", text)) else text


def _own_name(tag: str) -> str:
    from babel import Locale, UnknownLocaleError  # noqa: PLC0415

    try:
        name = Locale.parse(tag, sep="-" if "-" in tag else "_").get_language_name()
    except (UnknownLocaleError, ValueError):
        return tag
    return name[:1].upper() + name[1:] if name else tag
