"""Sentences as data: written in English in the program, and read by each person in their own language.

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
"""Places of sentences that hold ids of figures, sides or things, which are replaced by names."""


class Said(Struct, frozen=True):
    """A sentence, or a word of one. ``values`` are numbers, ids and nested sentences.

    Args:
        pattern: the sentence in English, with ``{places}``.
        values: the values of the places.
        plural: its English form for numbers other than one, if it counts something; the number is ``{n}``.
        context: distinguishes sentences that coincide only in English.
    """

    pattern: str
    values: Mapping[str, str | int | float | Said] = {}
    plural: str = ""
    context: str = ""

    def __str__(self) -> str:
        return self.worded(ENGLISH)

    def worded(self, language: str) -> str:
        """Return the sentence in that language, else in English. ``xx`` marks it."""
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
    """Build the sentence of an English pattern, which must be written out in the call to be collected.

    A refusal may be prepared in advance, so a value may be None.
    """
    return Said(pattern, {name: value for name, value in values.items() if value is not None})


def counted(one: str, many: str, n: int, **values: str | int | float | Said) -> Said:
    """Build a sentence about ``n`` things, for each language's plural forms. ``{n}`` is the number.

    ``one`` is the English sentence about one thing, ``many`` about any other number.
    """
    return Said(one, {"n": n, **values}, plural=many)


def said_in(context: str, pattern: str, **values: str | int | float | Said) -> Said:
    """Build a sentence that coincides with another only in English. The context distinguishes them."""
    return Said(pattern, values, context=context)


def message(text: str) -> str:
    """Return the text unchanged, marking it as a message that is translated where it is shown."""
    return text


def verbatim(words: str) -> Said:
    """Wrap a person's own words, which are not translated."""
    return Said("{words}", {"words": words})


def listed(parts: Iterable[Said]) -> Said:
    """Join sentences with commas."""
    values = {f"part{place}": part for place, part in enumerate(parts)}
    return Said(", ".join(f"{{{name}}}" for name in values), values)


def either(parts: Sequence[Said]) -> Said:
    """Join alternatives with commas, and with “or” before the last."""
    if len(parts) == 1:
        return parts[0]
    return said("{first} or {last}", first=listed(parts[:-1]), last=parts[-1])


def spaced(*parts: Said) -> Said:
    """Join sentences with spaces."""
    values = {f"part{place}": part for place, part in enumerate(parts)}
    return Said(" ".join(f"{{{name}}}" for name in values), values)


MOST_LISTED = 12
"""Largest number of names in a sentence that anybody reads."""


def known(names: Iterable[str]) -> Said:
    """List the first twelve known names, for the refusal of an unknown one."""
    listed_names = ", ".join(sorted(names)[:MOST_LISTED])
    return verbatim(listed_names) if listed_names else said_in("list", "none")


def named(ids: Iterable[str]) -> Said:
    """Join the names of figures or things with commas."""
    return listed(Said("{figure}", {"figure": one}) for one in ids)


_COLORS: Mapping[str, Said] = {
    "red": said("red"),
    "black": said("black"),
    "yellow": said("yellow"),
    "green": said("green"),
    "blue": said("blue"),
}
"""Names of dice colours in every language. A mission may have others."""

_DICE: Mapping[str, Said] = {
    "red": counted("{n} red", "{n} red", 0),
    "black": counted("{n} black", "{n} black", 0),
    "yellow": counted("{n} yellow", "{n} yellow", 0),
    "green": counted("{n} green", "{n} green", 0),
    "blue": counted("{n} blue", "{n} blue", 0),
}
"""Dice of a colour, because in other languages the colour agrees with their number."""


def color_in_words(color: str) -> Said:
    """Return the name of a die's colour."""
    return _COLORS.get(color, Said(color))


def dice_in_words(dice: Mapping[str, int]) -> Said:
    """Return the number of dice of each colour, sorted by colour name."""
    return listed(_dice(color, count) for color, count in sorted(dice.items()))


def _dice(color: str, count: int) -> Said:
    if color in _DICE:
        return with_fields(_DICE[color], values={"n": count})
    return Said("{n} {color}", {"n": count, "color": verbatim(color)})


def in_words(values: Mapping[str, object], language: str) -> dict[str, object]:
    """Replace ids in a reason's values by names. Choices of a house option stay unchanged."""
    named_places = NAMES - {"other"} if "option" in values else NAMES
    return {place: _name(value, language) if place in named_places else value for place, value in values.items()}


def _name(value: object, language: str) -> object:
    if isinstance(value, list):
        return [_name(one, language) for one in value]
    return speak_id(value, language) if isinstance(value, str) else value


def _spoken(place: str, value: str | float | Said, language: str) -> str:
    if isinstance(value, Said):
        return value.worded(language)
    if isinstance(value, str) and place in NAMES:
        return speak_id(value, language)
    return format_number(value, language) if isinstance(value, float) else str(value)
