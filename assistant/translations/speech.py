"""One reader's language: messages, counted messages, numbers and percentages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from babel import Locale, negotiate_locale

from assistant.translations.catalogue import ENGLISH, PSEUDO, languages, translate, translate_count
from assistant.translations.numbers import format_number


class Speech:
    """Words messages, counted messages and numbers in one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.locale = Locale.parse(ENGLISH if language == PSEUDO else language)

    def text(self, text: str, **values: object) -> str:
        """Return the message in this language with its ``{named}`` places filled."""
        translated = translate(text, self.language)
        return translated.format(**self._spoken(values)) if values else translated

    def count(self, one: str, many: str, n: int, **values: object) -> str:
        """Return the message in this language's plural form for ``n`` things. ``{n}`` is the number."""
        translated = translate_count(one, many, n, self.language)
        return translated.format(n=n, **self._spoken(values))

    def number(self, value: float, decimals: int | None = None) -> str:
        """Return the number in this language's notation. None writes as many decimals as needed."""
        return format_number(value, self.language, decimals)

    def _spoken(self, values: Mapping[str, object]) -> dict[str, object]:
        return {name: self.number(value) if isinstance(value, float) else value for name, value in values.items()}

    def percent(self, share: float) -> str:
        """Return a share of 1 as a whole percentage. Only a full share gives 100."""
        return f"{min(99, round(share * 100)) if share < 1 else 100} %"


@lru_cache(maxsize=16)
def speech(language: str) -> Speech:
    """Return the speech of a language, or English without a catalogue."""
    return Speech(language if language in languages() or language == PSEUDO else ENGLISH)


def choose_language(wanted: Iterable[str], chosen: str | None) -> str:
    """Return the person's choice, else the browser's first language with a catalogue, else English."""
    if chosen in languages() or chosen == PSEUDO:
        return str(chosen)
    return negotiate_locale([tag.replace("-", "_").split("_")[0] for tag in wanted], list(languages())) or ENGLISH
