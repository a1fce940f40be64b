"""Numbers in the languages of the page."""

from __future__ import annotations

import pytest

from assistant.translations.numbers import format_number


@pytest.mark.parametrize(
    ("language", "whole", "part", "fixed"),
    [("en", "1250", "-2.5", "0.50"), ("ru", "1250", "-2,5", "0,50"), ("es", "1250", "-2,5", "0,50")],
)
def test_the_decimal_mark_is_the_languages(language, whole, part, fixed):
    assert format_number(1250.0, language) == whole
    assert format_number(-2.5, language) == part
    assert format_number(0.5, language, 2) == fixed


def test_no_more_is_written_than_there_is():
    assert format_number(3.0, "ru") == "3"
    assert format_number(1 / 3, "ru") == "0,333333"
    assert format_number(1234.5678, "ru", 0) == "1235"


def test_a_language_that_nobody_speaks_writes_as_english_does():
    assert format_number(0.55, "xx") == "0.55"
