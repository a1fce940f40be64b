"""The lines of a ruling as the picture shows them, each in words, and which of them a sentence is about."""

from __future__ import annotations

from typing import Any

from assistant.app.live.shots import Shot
from assistant.app.live.table_words import TableWords
from assistant.rules.ruling import Blocker, Reason, Ruling, SightLine
from assistant.translations.messages import message
from assistant.translations.speech import Speech
from web.rulings.line_stop import find_stop
from web.scene.drawing import ShotDrawing

BLOCKER_WORDS = {
    "wall": message("a wall"),
    "obstacle": message("an obstacle line"),
    "impassable": message("an impassable line"),
    "difficult": message("difficult ground"),
    "door": message("a closed door"),
    "figure": message("a figure"),
    "cell": message("blocking ground"),
    "terrain": message("terrain"),
    "range": message("the range"),
}


class LineWords:
    """The lines of one ruling on one shot, for one reader."""

    def __init__(self, shot: Shot, drawing: ShotDrawing, speech: Speech) -> None:
        self._board = shot.board
        self._drawing = drawing
        self._speech = speech
        self._words = TableWords(shot.table, language=speech.language)

    def document(self, line: SightLine) -> dict[str, Any]:
        """A line with the place where it stops and what stops it."""
        stop = find_stop(line, self._board)
        return {
            "purpose": line.purpose,
            "from": self._drawing.place_px(line.start),
            "to": self._drawing.place_px(line.end),
            "from_name": self._words.corner(list(line.start)),
            "to_name": self._words.corner(list(line.end)),
            "stop": None if stop is None else self._drawing.place_px(stop),
            "blocked_by": None if line.blocked_by is None else self._blocker(line.blocked_by),
        }

    def _blocker(self, blocker: Blocker) -> dict[str, Any]:
        return {
            "kind": blocker.kind,
            "text": self._speech.text(BLOCKER_WORDS[blocker.kind]),
            "id": blocker.id,
            "line": None if blocker.edge is None else self._drawing.edge_px(blocker.edge),
            "outline": None if blocker.cell is None else self._drawing.cell_px(blocker.cell),
        }


def lines_of(reason: Reason, ruling: Ruling) -> list[int]:
    """Which lines of the ruling a reason speaks of, by their places: by both ends, or all from an origin."""
    origin, target = (_place(reason.arguments.get(name)) for name in ("origin", "target"))
    purpose = "cover" if reason.rule.endswith("/cover") else "sight"
    return [
        index
        for index, line in enumerate(ruling.lines)
        if line.purpose == purpose and line.start == origin and target in (None, line.end)
    ]


def _place(value: object) -> tuple[Any, ...] | None:
    return tuple(value) if isinstance(value, list) else None
