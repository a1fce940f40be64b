"""Compares the moments of a call: moves between two readings, and where the pictures differ."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from assistant.app.live.free_names import measured_moves
from assistant.app.live.table_words import move_words
from assistant.app.tournament.call_report import GetPart
from assistant.app.tournament.rule_again import FrozenTable, read_table
from assistant.documents.moment import FrozenPicture
from assistant.errors import UnknownName
from assistant.table.board import Board, Figure
from assistant.table.cell_names import CellNames
from assistant.table.doubt import DoubtfulBoard
from assistant.table.free_sighting import FreeSighting
from assistant.translations.catalogue import speak_id
from assistant.translations.messages import message
from assistant.translations.speech import Speech
from vision.photo.difference import DifferenceBox, find_differences


@dataclass(frozen=True)
class MomentDifference:
    """What differs in the later of two pictures: sentences, and boxes in fractions of the picture."""

    sentences: tuple[str, ...]
    boxes: tuple[DifferenceBox, ...]


def compare_moments(first: FrozenPicture, second: FrozenPicture, part: GetPart, speech: Speech) -> MomentDifference:
    """Compare the second picture with the first.

    Raises:
        InputError: a frozen part cannot be read.
    """
    before, after = (_table(one, part) for one in (first, second))
    boxes = find_differences(part(first.picture), part(second.picture), _around_both(first, second))
    return MomentDifference(tuple(_iterate_changes(before, after, speech)), boxes)


def _around_both(first: FrozenPicture, second: FrozenPicture) -> DifferenceBox:
    """Return the part of both pictures that shows the board."""
    sides = []
    for one in (first, second):
        left, top, wide, high = one.focus
        across, down = one.width_px, one.height_px
        sides.append((left / across, top / down, (left + wide) / across, (top + high) / down))
    (left, top), (right, bottom) = (
        [pick(side[axis] for side in sides) for axis in axes] for pick, axes in ((min, (0, 1)), (max, (2, 3)))
    )
    return DifferenceBox(left, top, right - left, bottom - top)


@dataclass(frozen=True)
class SeenStep:
    """A change between two pictures: a sentence, and the places in both pictures."""

    sentence: str
    before: int
    after: int


def steps_back(pictures: Sequence[FrozenPicture], part: GetPart, speech: Speech) -> list[SeenStep]:
    """Return every change between consecutive pictures, the newest first, with its places before and after.

    Pictures without their documents are skipped.

    Raises:
        InputError: a frozen part cannot be read.
    """
    found: list[SeenStep] = []
    last: tuple[int, FrozenTable] | None = None
    for place, picture in enumerate(pictures):
        try:
            table = _table(picture, part)
        except UnknownName:
            continue
        if last is not None:
            found += [SeenStep(text, last[0], place) for text in _iterate_changes(last[1], table, speech)]
        last = place, table
    return found[::-1]


def _table(picture: FrozenPicture, part: GetPart) -> FrozenTable:
    name = picture.believed or picture.observation
    return read_table(part(name), name)


def _iterate_changes(before: FrozenTable, after: FrozenTable, speech: Speech) -> Iterator[str]:
    if isinstance(before, FreeSighting) and isinstance(after, FreeSighting):
        yield from _come_and_gone(before.table.figure_by_id, after.table.figure_by_id, speech)
        yield from (move_words(move, speech) for move in measured_moves(before, after))
    elif isinstance(before, DoubtfulBoard) and isinstance(after, DoubtfulBoard):
        yield from _changes_of_cells(before.board, after.board, speech)


def _come_and_gone(stood: Collection[str], stands: Collection[str], speech: Speech) -> Iterator[str]:
    for name in sorted({*stood} ^ {*stands}):
        figure = speak_id(name, speech.language)
        if name in stood:
            yield speech.text("{figure} is not on the board any more.", figure=figure)
        else:
            yield speech.text("{figure} is new on the board.", figure=figure)


def _changes_of_cells(before: Board, after: Board, speech: Speech) -> Iterator[str]:
    stood = {figure.id: frozenset(figure.cells) for figure in before.figures}
    stands = {figure.id: frozenset(figure.cells) for figure in after.figures}
    yield from _come_and_gone(stood, stands, speech)
    for name in sorted({*stood} & {*stands}):
        if stood[name] != stands[name]:
            yield speech.text(
                "{figure} stood on {before} and stands on {after}.",
                figure=speak_id(name, speech.language),
                before=_places(before, before.figure(name)),
                after=_places(after, after.figure(name)),
            )
    was_open = {door.id: door.open for door in before.doors}
    for door in after.doors:
        if was_open.get(door.id, door.open) != door.open:
            text = message("The door {door} is open now.") if door.open else message("The door {door} is closed now.")
            yield speech.text(text, door=speak_id(door.id, speech.language))


def _places(board: Board, figure: Figure) -> str:
    """Return a figure's cell, or its first and last cells."""
    names, cells = CellNames.of(board), sorted(figure.cells)
    return "–".join(dict.fromkeys(names.short(cell) for cell in (cells[0], cells[-1])))
