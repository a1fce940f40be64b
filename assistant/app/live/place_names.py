"""Names of figures, in full and abbreviated: “Imp 2”, “Im2”."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from assistant.table.board import Figure
from assistant.table.free_table import FreeFigure
from assistant.translations.catalogue import speak_id

MOST_LETTERS = 4
"""Largest number of letters in a label. More would cover neighbouring figures."""


def speak_name(figure: Figure | FreeFigure, language: str = "en") -> str:
    """Return the figure's name in words."""
    return speak_id(figure.id, language)


def speak_names(figures: Iterable[Figure | FreeFigure], language: str = "en") -> dict[str, str]:
    """Return the spoken names of all figures by id. Every name is unique.

    An unnamed figure (``crawler~1``) may stand beside a known one with its number. It gets a “?” instead.
    """
    names = {figure.id: speak_name(figure, language) for figure in figures}
    known = {name for one, name in names.items() if "~" not in one}
    return {
        one: f"{name.rpartition(' ')[0] or name} ?" if "~" in one and name in known else name
        for one, name in names.items()
    }


def shorten_names(figures: Iterable[Figure | FreeFigure], language: str = "en") -> dict[str, str]:
    """Return a short label for each figure by id: ``AL`` for alpha, ``Im2`` for imp-2.

    The small letter before the number keeps a label from reading as a space's name. Two letters distinguish all kinds
    of the shipped games, so a new figure changes no label.

    If two words share a beginning, as ranger and runner, both take more letters until they differ. All figures of a
    kind begin with the same letters.
    """
    words = {one: name.split() for one, name in speak_names(figures, language).items()}
    return {name: _label(own, words.values()) for name, own in words.items()}


def _label(own: Sequence[str], words: Collection[Sequence[str]]) -> str:
    number = _number(own)
    if len(own) > 1 and not number and (namesakes := _namesakes(own, words)):
        return _initials(own, namesakes)
    others = {other[0] for other in words if bool(_number(other)) == bool(number) and other[0] != own[0]}
    for letters in range(1, MOST_LETTERS + 1):
        label = _shorten(own, letters)
        if all(_shorten((other, *number), letters) != label for other in others):
            return label
    return _shorten(own, 1)


def _namesakes(own: Sequence[str], words: Collection[Sequence[str]]) -> list[Sequence[str]]:
    """Return other unnumbered names with the same first word, as the red and the green marine in Spanish."""
    return [other for other in words if len(other) > 1 and other[0] == own[0] and other != own and not _number(other)]


def _initials(own: Sequence[str], namesakes: Collection[Sequence[str]]) -> str:
    """Return the initial of the first word, and as many letters of the last word as distinguish it from namesakes."""
    letters = 1
    while letters < len(own[-1]) and any(other[-1][:letters] == own[-1][:letters] for other in namesakes):
        letters += 1
    return (own[0][:1] + own[-1][:letters]).upper()


def _shorten(words: Sequence[str], letters: int) -> str:
    """Return ``letters`` + 1 letters of the name, followed by its number if it has one."""
    begin, number = words[0][: letters + 1], _number(words)
    return "".join((begin.capitalize(), *number)) if number else begin.upper()


def _number(words: Sequence[str]) -> tuple[str, ...]:
    """Return the number at the end of a name, or the “?” in its place, or nothing if there is neither."""
    return tuple(words[-1:]) if len(words) > 1 and (words[-1].isdigit() or words[-1] == "?") else ()
