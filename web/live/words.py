"""Sentences about a watched table: doubts about an answer, open questions, odd moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assistant.app.live.believed_table import BelievedTable
from assistant.app.live.live_picture import Holding, LivePicture
from assistant.app.live.shots import Shot
from assistant.table.board import Board
from assistant.table.cell_names import CellNames
from assistant.table.roster import RosterFigure
from assistant.tracking.values import Cells, IdentityQuestion, IllegalMove
from assistant.translations.catalogue import speak_id
from assistant.translations.messages import message
from assistant.translations.speech import Speech
from web.scene.drawing import ShotDrawing

DOUBTS: Mapping[Holding, str] = {
    "waiting": message("The camera has not seen the table yet."),
    "moving": message("Something is moving, or was seen only once. Ask again when the table is still."),
    "old": message("The camera does not see the table. This is its last picture."),
    "frozen": message("The table is on hold, whatever the camera sees."),
}
"""Reasons why an answer on the camera's newest picture is unsure."""


def list_live_doubts(shown: LivePicture, shot: Shot, speech: Speech) -> list[str]:
    """Return the doubts about an answer on this shot from the live table's state, none for photos."""
    if shot.source != "live" or shown.holding == "now":
        return []
    return [speech.text(DOUBTS[shown.holding])]


def live_document(
    shown: LivePicture, live: BelievedTable | None, speech: Speech, *, is_laid: bool = False
) -> dict[str, Any]:
    """Return the live table's state, its questions to people, odd moves, fallen figures, and a figure's possible names.

    It asks nothing while people set the table up (``is_laid``), since figures of a kind may still change places.
    """
    shot = shown.shelf.latest_live()
    questions = () if live is None or is_laid else live.questions
    board = None if shot is None else shot.board
    return {
        "holding": shown.holding,
        "is_frozen": live is not None and live.is_frozen,
        "questions": [_question(each, board, shown.looks, speech) for each in questions],
        "notes": [_note(each, speech) for each in (() if live is None else live.notes)],
        "fallen": [_fallen(*each, board, speech) for each in sorted(({} if live is None else live.fallen).items())],
        "roster": [_name_figure(figure, speech) for figure in (() if live is None else live.setup.roster.figures)],
    }


def _name_figure(figure: RosterFigure, speech: Speech) -> dict[str, str]:
    side = {"side": figure.side, "side_name": speak_id(figure.side, speech.language)}
    return {"id": figure.id, "name": speak_id(figure.id, speech.language), **side}


def _question(
    question: IdentityQuestion, board: Board | None, looks: Mapping[str, Shot], speech: Speech
) -> dict[str, Any]:
    figure = None if board is None else board.figure_by_id.get(question.figure)
    text = speech.text("Which one is this?")
    if board is not None and figure is not None:
        text = speech.text("Which one is this, on {cell}?", cell=CellNames.of(board).short(figure.cells[0]))
    return {
        "id": question.id,
        "figure": question.figure,
        "sentence": text,
        "cells": [] if figure is None else [list(cell) for cell in figure.cells],
        "candidates": [
            {"id": name, "name": speak_id(name, speech.language), "look": _look(looks.get(name), name)}
            for name in question.candidates
        ],
    }


def _look(shot: Shot | None, name: str) -> dict[str, Any] | None:
    """Return the picture with the part that shows a figure, or None for a figure that was never certain."""
    if shot is None:
        return None
    drawing = ShotDrawing(shot)
    return {**drawing.picture(), "box_px": drawing.figure_box_px(shot.board.figure(name))}


def _fallen(figure: str, cells: Cells, board: Board | None, speech: Speech) -> dict[str, Any]:
    name = speak_id(figure, speech.language)
    text = speech.text("{name} has fallen over. Stand it up.", name=name)
    if board is not None:
        cell = CellNames.of(board).short(cells[0])
        text = speech.text("{name} has fallen over on {cell}. Stand it up.", name=name, cell=cell)
    return {"figure": figure, "sentence": text, "cells": [list(cell) for cell in cells]}


def _note(note: IllegalMove, speech: Speech) -> dict[str, str]:
    name = speak_id(note.figure, speech.language)
    if note.kind == "too_far" and note.points is not None:
        n = note.points
        text = speech.count(
            "{name} moved further than {n} point allows?", "{name} moved further than {n} points allow?", n, name=name
        )
    else:
        text = speech.text("{name} went where no path leads?", name=name)
    return {"id": note.id, "figure": note.figure, "sentence": text}
