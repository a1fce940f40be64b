"""The catalogues: one ``.po`` file a language, read as it is, so that nothing is compiled and nothing can be stale.

Packages that bring sentences of their own (a game) or a further language register the package that holds their
``.po`` files under the entry point group ``sightline.translations``; ours is one of them. Words that stand in several
catalogues of a language are those of the first one; a missing message is told in English, never in another language.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from importlib.metadata import entry_points
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING

# Babel's catalogues are imported where one is read: who speaks English waits for none.
if TYPE_CHECKING:
    from babel.messages.catalog import Catalog
    from babel.support import NullTranslations, Translations

ENGLISH = "en"
"""The language of the sources; it needs no catalogue."""

PSEUDO = "xx"
"""A made-up language in which every message is marked: what is unmarked escaped translation."""

OURS = "assistant.translations"

GROUP = "sightline.translations"
"""The entry point group of packages with ``.po`` files; the value of an entry point is the package's name."""


@cache
def languages() -> Mapping[str, str]:
    """Every language that there is a catalogue of, by its own name; English first, then by tag."""
    tags = sorted({tag for tag, _ in _files()})
    return {tag: _own_name(tag) for tag in (ENGLISH, *tags)}


def translate(text: str, language: str, context: str = "") -> str:
    """The message in that language, in English where its catalogue lacks it; ``{places}`` are left as they are.

    Args:
        text: the message in English.
        language: the language's tag.
        context: tells messages apart that are the same in English alone.
    """
    if language == ENGLISH:
        return text
    if language == PSEUDO:
        return _marked(text)
    catalogue = catalogue_of(language)
    return str(catalogue.upgettext(context, text) if context else catalogue.ugettext(text))


def translate_count(one: str, many: str, n: int, language: str) -> str:
    """The message in the form that the language uses for ``n`` things."""
    if language in (ENGLISH, PSEUDO):
        text = one if n == 1 else many
        return text if language == ENGLISH else _marked(text)
    return str(catalogue_of(language).ungettext(one, many, n))


@cache
def catalogue_of(language: str) -> NullTranslations:
    """All messages of a language from all packages; an empty catalogue, which speaks English, where there are none."""
    from babel.support import NullTranslations  # noqa: PLC0415

    found: Translations | None = None
    for tag, file in _files():
        if tag == language:
            read = _read(file, tag)
            if found is None:
                found = read
            else:
                read.add(found)
                found = read
    return NullTranslations() if found is None else found


def forget() -> None:
    """Reads every catalogue anew when it is next asked; for packages that came while the program runs."""
    languages.cache_clear()
    catalogue_of.cache_clear()


def _files() -> Iterator[tuple[str, Traversable]]:
    """Every catalogue with its language: other packages' first, so that later ones, ours, win where both have words."""
    for package in (*_foreign_packages(), OURS):
        for file in sorted(resources.files(package).iterdir(), key=lambda entry: entry.name):
            if file.name.endswith(".po"):
                yield file.name.removesuffix(".po"), file


def _foreign_packages() -> list[str]:
    return sorted({entry.value for entry in entry_points(group=GROUP)} - {OURS})


def _read(file: Traversable, language: str) -> Translations:
    from babel.messages.mofile import write_mo  # noqa: PLC0415
    from babel.messages.pofile import read_po  # noqa: PLC0415
    from babel.support import Translations  # noqa: PLC0415

    with file.open("rb") as lines:
        catalogue: Catalog = read_po(lines, locale=language, abort_invalid=True)
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return Translations(compiled)


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
