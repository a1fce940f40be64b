"""Who sees a space: every figure of the board that would see somebody there, each with its line."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue
from msgspec import Struct

from assistant.app.live.place_names import speak_name
from assistant.app.live.shots import Shot
from assistant.rules.whatif import Observer
from assistant.table.cell_names import CellNames
from assistant.table.lattice import Cell
from assistant.translations.speech import Speech
from web.people.session import current_speech
from web.scene.correction import Coordinate
from web.scene.drawing import ShotDrawing
from web.serving.roles import Right
from web.serving.routes import API_ROOT, RouteFacts, body_as, route
from web.whatif.needs import whatif_page

blueprint = Blueprint("watchers", __name__, url_prefix=API_ROOT)


class SpaceQuestion(Struct, forbid_unknown_fields=True):
    """Which space, by which rules."""

    cell: tuple[Coordinate, Coordinate]
    ruleset: str = ""
    as_plan: bool = False


@route(
    blueprint,
    "POST",
    "/shots/<shot_id>/watchers",
    RouteFacts(Right.ASK, "Which figures see a space, or the figure that stands there?", body=SpaceQuestion),
)
def who_sees(shot_id: str) -> ResponseReturnValue:
    """The figures that see the space with a free line of each, and one sentence that names them."""
    page, speech = whatif_page(), current_speech()
    asked = body_as(SpaceQuestion)
    shot = page.shelf.get(shot_id)
    found = page.rules.watchers(asked.ruleset, shot.board, asked.cell)
    drawing = ShotDrawing(shot, as_plan=asked.as_plan)
    return jsonify(
        {
            "cell": list(asked.cell),
            "outline": drawing.cell_px(asked.cell),
            "sentence": _sentence(shot, asked.cell, found, speech),
            "watchers": [_watcher(watcher, shot, drawing, speech) for watcher in found],
        }
    )


def _watcher(watcher: Observer, shot: Shot, drawing: ShotDrawing, speech: Speech) -> dict[str, Any]:
    figure = shot.board.figure(watcher.figure)
    return {
        "id": figure.id,
        "name": speak_name(figure, speech.language),
        "from": drawing.place_px(watcher.line.start),
        "to": drawing.place_px(watcher.line.end),
    }


def _sentence(shot: Shot, cell: Cell, found: tuple[Observer, ...], speech: Speech) -> str:
    place = CellNames.of(shot.board).short(cell)
    there = shot.board.figure_at.get(cell)
    if there is not None:
        place = f"{place} ({speak_name(there, speech.language)})"
    if not found:
        return speech.text("{place}: seen by nobody.", place=place)
    names = ", ".join(speak_name(shot.board.figure(watcher.figure), speech.language) for watcher in found)
    return speech.count("{place}: seen by {names}.", "{place}: seen by {names}.", len(found), place=place, names=names)
