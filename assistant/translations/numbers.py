"""Numbers in the notation of a language: “0.55” is «0,55» in Russian and Spanish."""

from __future__ import annotations

from functools import lru_cache

from babel import Locale, UnknownLocaleError
from babel.numbers import format_decimal, get_decimal_symbol

SIX_FIGURES = "0.######"

BEYOND = 1e15
"""Nobody reads the figures of a larger number one by one."""


def format_number(value: float, language: str, decimals: int | None = None) -> str:
    """Return the number with the language's decimal mark, and without separators between thousands.

    Args:
        value: the number.
        language: such as ``ru``; the made-up one writes as English does.
        decimals: how many to write, zeros included; None writes as many as needed, six at most.
    """
    if not abs(value) < BEYOND:  # also for NaN
        return f"{value:g}"
    return _formatted(value + 0.0, language, decimals)  # turns -0.0 into 0.0


@lru_cache(maxsize=4096)  # the middles of cells repeat
def _formatted(value: float, language: str, decimals: int | None) -> str:
    pattern = SIX_FIGURES if decimals is None else f"{0:.{decimals}f}"
    return format_decimal(value, format=pattern, locale=_locale(language))


@lru_cache(maxsize=32)
def has_decimal_comma(language: str) -> bool:
    """Return whether the decimal mark is a comma, so that commas cannot separate two numbers."""
    return get_decimal_symbol(_locale(language)) == ","


@lru_cache(maxsize=32)  # every number of every sentence asks
def _locale(language: str) -> Locale:
    try:
        return Locale.parse(language)
    except UnknownLocaleError:
        return Locale.parse("en")
