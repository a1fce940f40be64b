"""Choose the printed names of a whole box among the candidates of all its photos.

Art holds digits, too. A box prints its names alike: in one size and colour, at one distance from the line below, once
on a side, each name once. So candidates count only where most sides of the box have one of the same look.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from vision.teaching.printed_names import PrintedText

SidePhotos = Sequence[Sequence[PrintedText]]
"""The candidates of each photo of a tile side."""

_SAME_HEIGHT, _SAME_LINE, _SAME_COLUMN = 0.16, 0.09, 0.12
"""Largest difference of two names of a box in height, as a share of it, and in their places, in cells."""

_AWAY = 0.5
"""Weight of a candidate elsewhere in its row than most others: names at the side of a tile have no common column."""

_LEAST_SIDES, _LEAST_SHARE, _LEAST_DISTINCT = 3, 0.5, 0.7
"""Least number of sides with a name, least share of the fronts or the backs, and least share of different names."""

_SURE = 0.6
"""Least sum of the chances of a name in all photos, and its least share of such a sum of all names."""

_PADDED = 0.15
"""Share of names with a leading zero from which all have as many digits."""

_OTHER = {"A": "B", "B": "A"}


class TileNames(NamedTuple):
    """The proposed names of a tile's front and back, None without one, and whether what was read is doubtful."""

    front: str | None
    back: str | None
    is_doubtful: bool


def propose_names(tiles: Sequence[tuple[SidePhotos, SidePhotos]], most: int | None = None) -> list[TileNames]:
    """Return the names of a box's tiles by the candidates on their fronts and backs.

    A box without printed names gets none, and none of its names is doubtful.

    Args:
        tiles: the candidates on fronts and backs.
        most: the number of tiles in the box, if known. Its tiles are numbered from 1 to it.
    """
    look = _common_look(tiles)
    if look is None:
        return [TileNames(None, None, False) for _ in tiles]
    faces = [[_voted(side, look) for side in face] for face in zip(*tiles, strict=True)]
    # A face without names has only art.
    front, back = ([vote if _are_names(face) else None for vote in face] for face in faces)
    votes = _in_format(list(zip(front, back, strict=True)), most)
    is_same = _are_sides_alike(votes)
    proposed = [_of_tile(front, back, is_same=is_same) for front, back in votes]
    often = Counter(name for one in proposed for name in (one.front, one.back) if name is not None)
    return [
        TileNames(None, None, True) if any(often[name] > 1 for name in (one.front, one.back) if name) else one
        for one in proposed
    ]


@dataclass(frozen=True)
class _Look:
    """The common look of a box's names: height and place of their lines in cells, and whether they are dark."""

    height: float
    column: float
    line: float
    is_dark: bool

    def fit(self, text: PrintedText) -> float:
        """Return how well a candidate has this look, 0 to 1."""
        taller = abs(text.height_cells - self.height) / (_SAME_HEIGHT * self.height)
        lower = abs(_apart(text.place[1], self.line)) / _SAME_LINE
        if text.is_dark != self.is_dark or taller > 1 or lower > 1:
            return 0.0
        # Longer names of one column begin, end or are centred at the same place.
        half = text.height_cells * _WIDTH * len(text.text) / 2
        beside = min(abs(_apart(text.place[0] + off, self.column)) for off in (-half, 0.0, half))
        return (1 - 0.5 * max(taller, lower)) * (1.0 if beside < _SAME_COLUMN else _AWAY)


_WIDTH = 0.6
"""Usual width of a character relative to its height."""


def _apart(first: float, second: float) -> float:
    """Return the distance of two places in a cell. Its ends are one place."""
    return (first - second + 0.5) % 1 - 0.5


def _common_look(tiles: Sequence[tuple[SidePhotos, SidePhotos]]) -> _Look | None:
    """Return the look that most sides have a name of, or None if the box has no printed names."""
    sides = [[text for photo in side for text in photo] for tile in tiles for side in tile]

    def worth(prototype: PrintedText) -> float:
        look = _look_of(prototype)
        return sum(max((look.fit(text) * text.chance for text in side), default=0.0) for side in sides)

    rejected: list[_Look] = []
    for one in sorted((text for side in sides for text in side if text.chance >= _SURE), key=worth, reverse=True):
        if any(look.fit(one) > 0 for look in rejected):
            continue
        look = _look_of(one)
        if any(_are_names([_voted(side, look) for side in face]) for face in zip(*tiles, strict=True)):
            return look
        # A pattern that tiles share, without different names.
        rejected.append(look)
    return None


def _look_of(text: PrintedText) -> _Look:
    return _Look(text.height_cells, *text.place, text.is_dark)


def _are_names(votes: Sequence[_Vote | None]) -> bool:
    """Return whether the votes of all fronts, or of all backs, are names."""
    read = [vote.text for vote in votes if vote is not None]
    is_usual = len(read) >= max(_LEAST_SIDES, _LEAST_SHARE * len(votes))
    return is_usual and len(set(read)) >= _LEAST_DISTINCT * len(read)


class _Vote(NamedTuple):
    """A name by all photos of a side, and whether it is sure."""

    text: str
    is_sure: bool


def _voted(photos: SidePhotos, look: _Look) -> _Vote | None:
    """Return the name that most photos of a side show in that look, or None if none shows one."""
    votes: dict[str, float] = {}
    for photo in photos:
        fitting = [(look.fit(one) * one.chance, one) for one in photo]
        worth, best = max(fitting, key=lambda one: one[0], default=(0.0, None))
        if best is not None and worth > 0:
            votes[best.text] = votes.get(best.text, 0.0) + best.chance
    if not votes:
        return None
    text = max(votes, key=votes.__getitem__)
    return _Vote(text, votes[text] >= _SURE * max(1.0, sum(votes.values())))


def _in_format(
    votes: Sequence[tuple[_Vote | None, _Vote | None]], most: int | None
) -> Sequence[tuple[_Vote | None, _Vote | None]]:
    """Return the votes, with doubt where a name has another format than most of its box, or too high a number."""
    sure = [vote.text for tile in votes for vote in tile if vote is not None and vote.is_sure]
    if not sure:
        return votes
    has_letters = Counter(not text.isdigit() for text in sure).most_common(1)[0][0]
    lengths = Counter(len(_number_of(text)) for text in sure)
    is_padded = sum(text.startswith("0") and len(_number_of(text)) > 1 for text in sure) >= _PADDED * len(sure)
    usual = lengths.most_common(1)[0][0]

    def checked(vote: _Vote | None) -> _Vote | None:
        if vote is None:
            return None
        is_alike = (not vote.text.isdigit()) == has_letters
        is_whole = not is_padded or len(_number_of(vote.text)) == usual
        is_possible = most is None or 1 <= int(_number_of(vote.text)) <= most
        return _Vote(vote.text, vote.is_sure and is_alike and is_whole and is_possible)

    return [(checked(front), checked(back)) for front, back in votes]


def _number_of(text: str) -> str:
    return text.rstrip("ABCD")


def _are_sides_alike(votes: Sequence[tuple[_Vote | None, _Vote | None]]) -> bool:
    """Return whether both sides of a tile have one number in this box, also if only one side has any."""
    both = [
        _number_of(front.text) == _number_of(back.text)
        for front, back in votes
        if front is not None and back is not None and front.is_sure and back.is_sure
    ]
    return not both or sum(both) >= len(both) / 2


def _of_tile(front: _Vote | None, back: _Vote | None, *, is_same: bool) -> TileNames:
    """Return the names of a tile. Two sides that disagree leave both open."""
    unknown = TileNames(None, None, True)
    read = [one for one in (front, back) if one is not None]
    if not any(one.is_sure for one in read):
        return unknown
    if is_same and len({_number_of(one.text) for one in read}) > 1:
        return unknown
    first, second = (one.text if one is not None and one.is_sure else None for one in (front, back))
    if not is_same:
        return TileNames(first, second, first is None or second is None)
    known = first or second or ""
    if known.isdigit():
        return TileNames(f"{known}A", f"{known}B", False)
    other = _number_of(known) + _OTHER.get(known[-1], "")
    first, second = first or other, second or other
    if first == second or second.isdigit() or first.isdigit():
        return unknown
    return TileNames(first, second, False)
