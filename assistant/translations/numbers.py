"""Numbers in the notation of a language: “0.55” is «0,55» in Russian and Spanish."""

from __future__ import annotations

from functools import lru_cache

from babel import Locale, UnknownLocaleError
from babel.numbers import format_decimal, get_decimal_symbol

SIX_FIGURES = "0.######"

BEYOND = 1e15
"""Numbers from here on are written in short, because nobody reads their digits one by one."""


def format_number(value: float, language: str, decimals: int | None = None) -> str:
    """Format the number with the language's decimal mark, without thousands separators.

    Args:
        value: the number.
        language: a tag such as ``ru``; the made-up language uses English notation.
        decimals: number of decimals, including zeros; None means as many as needed, six at most.
    """
    if not abs(value) < BEYOND:  # also for NaN
        return f"{value:g}"
    return _format(value + 0.0, language, decimals)  # turns -0.0 into 0.0


@lru_cache(maxsize=4096)  # the centres of cells repeat
def _format(value: float, language: str, decimals: int | None) -> str:
    pattern = SIX_FIGURES if decimals is None else f"{0:.{decimals}f}"
    return format_decimal(value, format=pattern, locale=_locale(language))


@lru_cache(maxsize=32)
def has_decimal_comma(language: str) -> bool:
    """Return whether the decimal mark is a comma, so that commas cannot separate two numbers."""
    return get_decimal_symbol(_locale(language)) == ","


@lru_cache(maxsize=32)  # asked for every number in every sentence
def _locale(language: str) -> Locale:
    try:
        return Locale.parse(language)
    except UnknownLocaleError:
        return Locale.parse("en")
