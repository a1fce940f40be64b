"""Numbers as people of a language write them: “0.55” is «0,55» in Russian and Spanish."""

from __future__ import annotations

from functools import lru_cache

from babel import Locale, UnknownLocaleError
from babel.numbers import format_decimal, get_decimal_symbol

SIX_FIGURES = "0.######"

BEYOND = 1e15
"""From here on no person reads the figures of a number one by one."""


def format_number(value: float, language: str, decimals: int | None = None) -> str:
    """The number with the decimal mark of a language, and without signs between thousands.

    Args:
        value: the number.
        language: such as ``ru``; one that nobody speaks (the made-up one of the tests) writes as English does.
        decimals: how many to write, zeros included; None writes those that there are, six at most.
    """
    if not abs(value) < BEYOND:  # what is no number, too
        return f"{value:g}"
    return _formatted(value + 0.0, language, decimals)  # which makes one zero of both


@lru_cache(maxsize=4096)  # the middles of cells come by again and again
def _formatted(value: float, language: str, decimals: int | None) -> str:
    pattern = SIX_FIGURES if decimals is None else f"{0:.{decimals}f}"
    return format_decimal(value, format=pattern, locale=_locale(language))


@lru_cache(maxsize=32)
def has_decimal_comma(language: str) -> bool:
    """Whether a comma parts a whole number from its decimals, so that it cannot part two numbers, too."""
    return get_decimal_symbol(_locale(language)) == ","


@lru_cache(maxsize=32)  # every number of every sentence asks
def _locale(language: str) -> Locale:
    try:
        return Locale.parse(language)
    except UnknownLocaleError:
        return Locale.parse("en")
