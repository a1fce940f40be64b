"""The page in the reader's language.

The catalogues are the ``.po`` files of ``translations``, read as they are: nothing is compiled, nothing can be stale.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from babel import Locale, negotiate_locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations

from assistant.table.numbers import spoken_number

LANGUAGES = {"en": "English", "ru": "Русский", "es": "Español"}
"""Every language of the page by its own name; English is what the sources are written in."""

PSEUDO = "xx"
"""A made-up language in which every message is marked: what is unmarked on the page escaped translation."""


def message(text: str) -> str:
    """The text as it is; marks a message that is translated where it is shown."""
    return text


class Speech:
    """Speaks one language: messages, counted messages and numbers."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._catalogue = _catalogue(language)
        self.locale = Locale.parse("en" if language == PSEUDO else language)

    def text(self, text: str, **values: object) -> str:
        """The message in this language with its ``{named}`` places filled in."""
        translated = f"⟦{text}⟧" if self.language == PSEUDO else self._catalogue.ugettext(text)
        return translated.format(**self._spoken(values)) if values else translated

    def count(self, one: str, many: str, n: int, **values: object) -> str:
        """The message in the form that this language uses for ``n`` things; ``{n}`` is the number."""
        if self.language == PSEUDO:
            translated = f"⟦{one if n == 1 else many}⟧"
        else:
            translated = self._catalogue.ungettext(one, many, n)
        return translated.format(n=n, **self._spoken(values))

    def number(self, value: float, decimals: int | None = None) -> str:
        """The number as people of this language write it; None writes the decimals that there are."""
        return spoken_number(value, self.language, decimals)

    def _spoken(self, values: Mapping[str, object]) -> dict[str, object]:
        return {name: self.number(value) if isinstance(value, float) else value for name, value in values.items()}

    def percent(self, share: float) -> str:
        """A share of 1 as whole per cent; never 100 for what is less."""
        return f"{min(99, round(share * 100)) if share < 1 else 100} %"


@dataclass(frozen=True)
class Told:
    """A sentence of an error, told to each reader in the reader's language; as ``str`` it is English."""

    text: str
    values: Mapping[str, object]

    def __str__(self) -> str:
        return self.worded("en")

    def worded(self, language: str) -> str:
        """The sentence in that language."""
        return speech(language).text(self.text, **self.values)


def told(text: str, **values: object) -> Told:
    """The message as the sentence of an error, whose ``{named}`` places are filled in when it is told."""
    return Told(text, values)


@lru_cache(maxsize=8)
def speech(language: str) -> Speech:
    """The one speaker of a language; English for a language that the page does not have."""
    return Speech(language if language in LANGUAGES or language == PSEUDO else "en")


def choose_language(wanted: Iterable[str], chosen: str | None) -> str:
    """The language that a person chose, else the first of the browser's that the page has, else English."""
    if chosen in LANGUAGES or chosen == PSEUDO:
        return str(chosen)
    return negotiate_locale([tag.replace("-", "_").split("_")[0] for tag in wanted], list(LANGUAGES)) or "en"


@lru_cache(maxsize=8)
def _catalogue(language: str) -> NullTranslations:
    if language in ("en", PSEUDO):
        return NullTranslations()
    source = resources.files("web") / "translations" / language / "messages.po"
    with source.open("rb") as lines:
        catalogue = read_po(lines, locale=language, abort_invalid=True)
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return Translations(compiled)
