"""Sentences as data: the program says them in English, and each reader gets them in their own language.

A sentence is its English pattern, the id in the catalogues, with the values of its ``{places}``. English replaces a
missing translation. ``make catalogue`` finds patterns written out in a call of ``said``, ``counted``, ``said_in`` or
``message``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace as with_fields

from assistant.translations.catalogue import ENGLISH, speak_id, translate, translate_count
from assistant.translations.numbers import format_number

NAMES = frozenset({
    "ability", "attacker", "ammo", "by", "card", "defender", "demon", "done", "door", "enemies", "enemy", "fighter",
    "figure", "first", "hidden", "item", "key", "kind", "other", "portal", "second", "shooter", "side", "taken",
    "target", "teleporter", "weapon", "who", "winner",
})  # fmt: skip
"""Places of sentences with ids of figures, sides or things; readers see their names instead."""


class Said(Struct, frozen=True):
    """A sentence, or a word of one; ``values`` are numbers, ids, and sentences of their own.

    Args:
        pattern: the sentence in English, with ``{places}``.
        values: what stands in the places.
        plural: its English form for numbers other than one, if it counts something; the number is ``{n}``.
        context: distinguishes sentences that are the same only in English.
    """

    pattern: str
    values: Mapping[str, str | int | float | Said] = {}
    plural: str = ""
    context: str = ""

    def __str__(self) -> str:
        return self.worded(ENGLISH)

    def worded(self, language: str) -> str:
        """Return the sentence in that language, else in English; marked in ``xx``."""
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
    """Return the sentence of that English pattern; write the pattern out in the call, so that tests find it.

    A refusal may be prepared before it is needed, so a value may be None.
    """
    return Said(pattern, {name: value for name, value in values.items() if value is not None})


def counted(one: str, many: str, n: int, **values: str | int | float | Said) -> Said:
    """Return the sentence about ``n`` things, in each language's plural form; ``{n}`` is the number.

    ``one`` is the English sentence about one thing, ``many`` about any other number.
    """
    return Said(one, {"n": n, **values}, plural=many)


def said_in(context: str, pattern: str, **values: str | int | float | Said) -> Said:
    """Return a sentence that equals another one only in English; the context distinguishes them."""
    return Said(pattern, values, context=context)


def message(text: str) -> str:
    """Return the unchanged text; marks a message whose translation happens where it is shown."""
    return text


def verbatim(words: str) -> Said:
    """Return a person's own words, without translation."""
    return Said("{words}", {"words": words})


def listed(parts: Iterable[Said]) -> Said:
    """Sentences one after the other, with commas between."""
    values = {f"part{place}": part for place, part in enumerate(parts)}
    return Said(", ".join(f"{{{name}}}" for name in values), values)


def either(parts: Sequence[Said]) -> Said:
    """Alternatives: commas between all but the last two."""
    if len(parts) == 1:
        return parts[0]
    return said("{first} or {last}", first=listed(parts[:-1]), last=parts[-1])


def spaced(*parts: Said) -> Said:
    """Sentences one after the other."""
    values = {f"part{place}": part for place, part in enumerate(parts)}
    return Said(" ".join(f"{{{name}}}" for name in values), values)


MOST_LISTED = 12
"""Nobody reads a sentence with more names."""


def known(names: Iterable[str]) -> Said:
    """Return the first twelve known names, for the refusal of another one."""
    listed_names = ", ".join(sorted(names)[:MOST_LISTED])
    return verbatim(listed_names) if listed_names else said_in("list", "none")


def named(ids: Iterable[str]) -> Said:
    """Return the names of figures or things one after the other, with commas between."""
    return listed(Said("{figure}", {"figure": one}) for one in ids)


_COLORS: Mapping[str, Said] = {
    "red": said("red"),
    "black": said("black"),
    "yellow": said("yellow"),
    "green": said("green"),
    "blue": said("blue"),
}
"""Colours of dice with words in every language; a mission may have others."""

_DICE: Mapping[str, Said] = {
    "red": counted("{n} red", "{n} red", 0),
    "black": counted("{n} black", "{n} black", 0),
    "yellow": counted("{n} yellow", "{n} yellow", 0),
    "green": counted("{n} green", "{n} green", 0),
    "blue": counted("{n} blue", "{n} blue", 0),
}
"""Dice of a colour; in other languages the colour agrees with their number."""


def color_in_words(color: str) -> Said:
    """Return the name of a die's colour."""
    return _COLORS.get(color, Said(color))


def dice_in_words(dice: Mapping[str, int]) -> Said:
    """Return the number of dice of each colour, in the order of the colours' names."""
    return listed(_dice(color, count) for color, count in sorted(dice.items()))


def _dice(color: str, count: int) -> Said:
    if color in _DICE:
        return with_fields(_DICE[color], values={"n": count})
    return Said("{n} {color}", {"n": count, "color": verbatim(color)})


def in_words(values: Mapping[str, object], language: str) -> dict[str, object]:
    """The values of a reason of the rules, with names instead of ids; choices of a house option stay as they are."""
    named_places = NAMES - {"other"} if "option" in values else NAMES
    return {place: _named(value, language) if place in named_places else value for place, value in values.items()}


def _named(value: object, language: str) -> object:
    if isinstance(value, list):
        return [_named(one, language) for one in value]
    return speak_id(value, language) if isinstance(value, str) else value


def _spoken(place: str, value: str | float | Said, language: str) -> str:
    if isinstance(value, Said):
        return value.worded(language)
    if isinstance(value, str) and place in NAMES:
        return speak_id(value, language)
    return format_number(value, language) if isinstance(value, float) else str(value)
