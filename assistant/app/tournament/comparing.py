"""Two moments of a call side by side: what was moved between them by what was read, and where the pictures differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from assistant.app.tournament.call_report import GetPart
from assistant.app.tournament.rule_again import read_table
from assistant.documents.moment import FrozenPicture
from assistant.table.board import Board
from assistant.translations.messages import message
from assistant.translations.names import speak_id
from assistant.translations.speech import Speech
from vision.picture_difference import DifferenceBox, find_differences


@dataclass(frozen=True)
class MomentDifference:
    """What is different on the later of two pictures: sentences, and boxes in shares of the picture."""

    sentences: tuple[str, ...]
    boxes: tuple[DifferenceBox, ...]


def compare_moments(first: FrozenPicture, second: FrozenPicture, part: GetPart, speech: Speech) -> MomentDifference:
    """What is different on the second picture.

    Raises:
        InputError: what was frozen cannot be read.
    """
    boards = [_board(one, part) for one in (first, second)]
    boxes = find_differences(part(first.picture), part(second.picture))
    return MomentDifference(tuple(_iterate_changes(boards[0], boards[1], speech)), boxes)


def _board(picture: FrozenPicture, part: GetPart) -> Board:
    name = picture.believed or picture.observation
    return read_table(part(name), name).board


def _iterate_changes(before: Board, after: Board, speech: Speech) -> Iterator[str]:
    stood = {figure.id: tuple(sorted(figure.cells)) for figure in before.figures}
    stands = {figure.id: tuple(sorted(figure.cells)) for figure in after.figures}
    for name in sorted({*stood, *stands}):
        figure = speak_id(name, speech.language)
        if name not in stands:
            yield speech.text("{figure} is not on the board any more.", figure=figure)
        elif name not in stood:
            yield speech.text("{figure} is new on the board.", figure=figure)
        elif stood[name] != stands[name]:
            columns, rows = (stands[name][0][axis] - stood[name][0][axis] for axis in (0, 1))
            yield speech.text(
                "{figure} stands elsewhere: {columns} columns and {rows} rows away.",
                figure=figure,
                columns=f"{columns:+d}",
                rows=f"{rows:+d}",
            )
    was_open = {door.id: door.open for door in before.doors}
    for door in after.doors:
        if was_open.get(door.id, door.open) != door.open:
            text = message("The door {door} is open now.") if door.open else message("The door {door} is closed now.")
            yield speech.text(text, door=speak_id(door.id, speech.language))
