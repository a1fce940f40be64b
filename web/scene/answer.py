"""The scene as the routes' answer."""

from __future__ import annotations

from collections import Counter
from typing import Any

from flask import Response, jsonify

from assistant.app.live.place_names import speak_name
from assistant.app.live.shots import Shot
from assistant.table.board import Board
from assistant.table.cell_names import CellNames
from assistant.table.observation import SettledDoubt
from assistant.translations.speech import Speech
from web.people.session import current_speech
from web.scene.drawing import ShotDrawing


def scene_answer(shot: Shot, *, as_plan: bool = False, completes_report: bool = False) -> Response:
    """Return the scene of a shot, summarised in one sentence.

    ``completes_report`` is whether the shot's correction has completed a report of a wrong reading.
    """
    speech = current_speech()
    scene = ShotDrawing(shot, as_plan=as_plan, language=speech.language).document()
    seen = (
        speech.count("{n} figure", "{n} figures", _count_figures(scene["figures"])),
        speech.count("{n} door", "{n} doors", len(scene["doors"])),
        speech.count("{n} tile", "{n} tiles", len(scene["tiles"])),
    )
    scene["open_count"] = sum(doubt.is_open for doubt in shot.table.doubts)
    scene["completes_report"] = completes_report
    scene["settled"] = _settled_words(shot, speech)
    summary = [speech.text("On the board: {things}.", things=", ".join(seen))]
    if shot.board.has_strangers_alone:
        advice = speech.text(
            "No figure on the table was recognised. Check the chosen box in the set-up, and that the photo shows "
            "colours."
        )
        summary.append(advice)
    scene["summary"] = " ".join(summary)
    return jsonify(scene)


def _count_figures(figures: list[dict[str, Any]]) -> int:
    """Return the number of figures on the table. A held figure and a new one of its kind may be the same."""
    away = Counter(figure["kind"] for figure in figures if not figure["is_seen"])
    unnamed = Counter(figure["kind"] for figure in figures if "~" in figure["id"])
    return len(figures) - sum((away & unnamed).values())


def _settled_words(shot: Shot, speech: Speech) -> list[str]:
    """Return a sentence for each doubt settled by the last of several photos, or that it settled none."""
    views = shot.read.observation.views
    if not views:
        return []
    board = shot.read.observation.board
    settled = [_settled(one, board, speech) for one in views[-1].settled]
    return settled or [speech.text("The picture from the other side settled no doubt.")]


def _settled(one: SettledDoubt, board: Board, speech: Speech) -> str:
    names = CellNames.of(board)
    cells = [names.short(cell) for cell in one.cells]
    if one.is_door and one.stands:
        return speech.text("Settled: a door stands between {cell} and {other}.", cell=cells[0], other=cells[1])
    if one.is_door:
        return speech.text("Settled: no door stands between {cell} and {other}.", cell=cells[0], other=cells[1])
    if not one.stands:
        return speech.text("Settled: nobody stands on {cells}.", cells=", ".join(cells))
    figures = [board.figure(name) for name in one.stands]
    places = [names.short(cell) for figure in figures for cell in figure.cells]
    who = ", ".join(speak_name(figure, speech.language) for figure in figures)
    return speech.text("Settled: {who} on {cells}.", who=who, cells=", ".join(places))
