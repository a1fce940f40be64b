"""Sentences as data: said in English where something happens, worded for each reader in the reader's language.

A sentence is its English pattern, which is its id in the catalogues, with the values of its ``{places}``; a pattern
that a catalogue lacks is told in English. ``make catalogue`` finds the patterns that are written out in a call of
``said``, ``counted``, ``said_in`` or ``message``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace as with_fields

from assistant.translations.catalogue import ENGLISH, translate, translate_count
from assistant.translations.names import speak_id
from assistant.translations.numbers import format_number

NAMES = frozenset({
    "ability", "attacker", "ammo", "by", "card", "defender", "demon", "done", "door", "enemies", "enemy", "fighter",
    "figure", "first", "hidden", "item", "key", "kind", "other", "portal", "second", "shooter", "side", "taken",
    "target", "teleporter", "weapon", "who", "winner",
})  # fmt: skip
"""Places of sentences that hold ids of figures, sides or things; they are said by the names that people call them."""


class Said(Struct, frozen=True):
    """A sentence, or a word of one; ``values`` are numbers, ids, and sentences of their own.

    Args:
        pattern: the sentence in English, with ``{places}``.
        values: what stands in the places.
        plural: its English form for other numbers than one, where it counts something; the number is ``{n}``.
        context: tells sentences apart that are the same in English alone.
    """

    pattern: str
    values: Mapping[str, str | int | float | Said] = {}
    plural: str = ""
    context: str = ""

    def __str__(self) -> str:
        return self.worded(ENGLISH)

    def worded(self, language: str) -> str:
        """The sentence in that language; in English where there are no words for it; in ``xx`` marked."""
        words = self._words(language)
        if not self.values:
            return words
        return words.format_map({name: _spoken(name, value, language) for name, value in self.values.items()})

    def _words(self, language: str) -> str:
        n = self.values.get("n")
        if self.plural and isinstance(n, int):
            return translate_count(self.pattern, self.plural, n, language)
        return translate(self.pattern, language, self.context)


SILENCE = Said("")


def said(pattern: str, **values: str | int | float | Said | None) -> Said:
    """The sentence of that English pattern; every pattern is written out where it is said, so that tests find it.

    What refuses a step is made before anybody knows whether it is needed: where nothing is wrong, a value may be None.
    """
    return Said(pattern, {name: value for name, value in values.items() if value is not None})


def counted(one: str, many: str, n: int, **values: str | int | float | Said) -> Said:
    """The sentence about ``n`` things in the form that each language uses for that number; ``{n}`` is the number.

    Args:
        one: the sentence in English about one thing.
        many: the same about any other number of things.
        n: how many there are.
        values: what stands in the other places.
    """
    return Said(one, {"n": n, **values}, plural=many)


def said_in(context: str, pattern: str, **values: str | int | float | Said) -> Said:
    """A sentence that is the same as another one in English and not in every language; the context tells them apart."""
    return Said(pattern, values, context=context)


def message(text: str) -> str:
    """The text as it is; marks a message that is translated where it is shown."""
    return text


def as_told(words: str) -> Said:
    """What a person typed, which nobody translates."""
    return Said("{words}", {"words": words})


def listed(parts: Iterable[Said]) -> Said:
    """Sentences one after the other, with commas between."""
    values = {f"part{place}": part for place, part in enumerate(parts)}
    return Said(", ".join(f"{{{name}}}" for name in values), values)


def spaced(*parts: Said) -> Said:
    """Sentences one after the other."""
    values = {f"part{place}": part for place, part in enumerate(parts)}
    return Said(" ".join(f"{{{name}}}" for name in values), values)


MOST_LISTED = 12
"""A sentence that lists more names is not read."""


def known(names: Iterable[str]) -> Said:
    """The names that there are, for a sentence that refuses another one; the first twelve of them."""
    listed_names = ", ".join(sorted(names)[:MOST_LISTED])
    return as_told(listed_names) if listed_names else said_in("list", "none")


def named(ids: Iterable[str]) -> Said:
    """The names of figures or things one after the other, with commas between."""
    return listed(Said("{figure}", {"figure": one}) for one in ids)


_COLORS: Mapping[str, Said] = {
    "red": said("red"),
    "black": said("black"),
    "yellow": said("yellow"),
    "green": said("green"),
    "blue": said("blue"),
}
"""The colours of dice that have words in every language; a mission may name others."""

_DICE: Mapping[str, Said] = {
    "red": counted("{n} red", "{n} red", 0),
    "black": counted("{n} black", "{n} black", 0),
    "yellow": counted("{n} yellow", "{n} yellow", 0),
    "green": counted("{n} green", "{n} green", 0),
    "blue": counted("{n} blue", "{n} blue", 0),
}
"""Some dice of a colour, which agrees with their number; they are alike in English alone."""


def color_in_words(color: str) -> Said:
    """What a die of that colour is called."""
    return _COLORS.get(color, Said(color))


def dice_in_words(dice: Mapping[str, int]) -> Said:
    """How many dice of each colour, in the order of the colours' names; the colours agree with their numbers."""
    return listed(_dice(color, count) for color, count in sorted(dice.items()))


def _dice(color: str, count: int) -> Said:
    if color in _DICE:
        return with_fields(_DICE[color], values={"n": count})
    return Said("{n} {color}", {"n": count, "color": as_told(color)})


def in_words(values: Mapping[str, object], language: str) -> dict[str, object]:
    """The values of a reason of the rules: ids by the names that people call them, everything else as it is."""
    return {place: _called(value, language) if place in NAMES else value for place, value in values.items()}


def _called(value: object, language: str) -> object:
    if isinstance(value, list):
        return [_called(one, language) for one in value]
    return speak_id(value, language) if isinstance(value, str) else value


def _spoken(place: str, value: str | float | Said, language: str) -> str:
    if isinstance(value, Said):
        return value.worded(language)
    if isinstance(value, str) and place in NAMES:
        return speak_id(value, language)
    return format_number(value, language) if isinstance(value, float) else str(value)
