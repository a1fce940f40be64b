"""Sentences of the match as data: said in English by the steps, worded for each reader in the reader's language.

A sentence is its English pattern with the values of its ``{places}``. What it is in the other languages stands in
the catalogues ``words*.py`` beside this file; a pattern that they lack is spoken in English.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from msgspec import Struct

from assistant.match.words import WORDS as COMMON
from assistant.match.words import Words
from assistant.match.words_attack import WORDS as ATTACK
from assistant.match.words_doom2004 import WORDS as DOOM2004
from assistant.match.words_doom2016 import WORDS as DOOM2016
from assistant.match.words_refusals import WORDS as REFUSALS
from assistant.match.words_refusals_doom2004 import WORDS as REFUSALS_2004
from assistant.match.words_refusals_doom2016 import WORDS as REFUSALS_2016
from assistant.match.words_refusals_roads import WORDS as REFUSALS_ROADS
from assistant.match.words_roads import WORDS as ROADS
from assistant.table.names import spoken_id
from assistant.table.numbers import spoken_number

NAMES = frozenset({
    "attacker", "ammo", "card", "defender", "demon", "done", "door", "figure", "first", "hidden", "item",
    "key", "kind", "other", "portal", "second", "shooter", "side", "taken", "target", "teleporter", "weapon",
    "who",
})  # fmt: skip
"""Places of patterns that hold the id of a figure, side or thing; it is said by the name that people call it."""

PSEUDO = "xx"
"""A made-up language in which every sentence is marked: what is unmarked escaped translation."""


class Said(Struct, frozen=True):
    """A sentence, or a word of one; ``values`` are numbers, ids, and sentences of their own."""

    pattern: str
    values: Mapping[str, str | int | float | Said] = {}

    def __str__(self) -> str:
        return self.worded("en")

    def worded(self, language: str) -> str:
        """The sentence in ``en``, ``ru`` or ``es``; in English where there are no words for it; in ``xx`` marked."""
        if not self.values:
            return _pattern(self.pattern, language)
        spoken = {name: _spoken(name, value, language) for name, value in self.values.items()}
        return _pattern(self.pattern, language).format_map(spoken)


SILENCE = Said("")


def said(pattern: str, **values: str | int | float | Said | None) -> Said:
    """The sentence of that English pattern; every pattern is written out where it is said, so that tests find it.

    What refuses a step is made before anybody knows whether it is needed: where nothing is wrong, a value may be None.
    """
    return Said(pattern, {name: value for name, value in values.items() if value is not None})


def as_told(words: str) -> Said:
    """What a person typed, which nobody translates."""
    return Said("{words}", {"words": words})


def listed(parts: Iterable[Said]) -> Said:
    """Sentences one after the other, with commas between."""
    values = {f"part{place}": part for place, part in enumerate(parts)}
    return Said(", ".join(f"{{{name}}}" for name in values), values)


def named(ids: Iterable[str]) -> Said:
    """The names of figures or things one after the other, with commas between."""
    return listed(Said("{figure}", {"figure": one}) for one in ids)


DICE_COLORS = ("red", "black", "yellow", "green", "blue")
"""The colours of dice that have words in every language; a mission may name others."""


def dice_in_words(dice: Mapping[str, int]) -> Said:
    """How many dice of each colour, in the order of the colours' names; the colours agree with their numbers."""
    return listed(_counted(color, count) for color, count in sorted(dice.items()))


def _counted(color: str, count: int) -> Said:
    if color not in DICE_COLORS:
        return said("{count} {color}", count=count, color=Said(color))
    return Said(f"1 {color}") if count == 1 else Said(f"{{count}} {color}", {"count": count})


def in_words(place: str, value: object, language: str) -> object:
    """The value of a reason of the rules: an id by the name that people call it, everything else as it is."""
    return spoken_id(value, language) if isinstance(value, str) and place in NAMES else value


def _spoken(place: str, value: str | float | Said, language: str) -> str:
    if isinstance(value, Said):
        return value.worded(language)
    if isinstance(value, str) and place in NAMES:
        return spoken_id(value, language)
    return spoken_number(value, language) if isinstance(value, float) else str(value)


def _pattern(pattern: str, language: str) -> str:
    words = None if language == "en" else catalogue().get(pattern)
    if words is not None and language == PSEUDO:
        return f"⟦{pattern}⟧"
    return pattern if words is None else words.in_language(language)


@cache
def catalogue() -> Mapping[str, Words]:
    """Every pattern that has words in the other languages."""
    said_to_do = {**COMMON, **ATTACK, **DOOM2016, **DOOM2004, **ROADS}
    return said_to_do | {**REFUSALS, **REFUSALS_2004, **REFUSALS_2016, **REFUSALS_ROADS}
