"""The table through a phone's own camera: the page, and its overlay on the phone's picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assistant.app.live.shots import Shot
from assistant.errors import CannotDo, UnknownName
from assistant.table.board import Figure
from assistant.table.camera import TableMarkers
from assistant.translations.messages import message, said
from calibration.markers import cells_of
from web.parts import parts
from web.people.session import current_speech, framed, meet_device
from web.rulings.card import card_document, rule_on
from web.rulings.rulebook import cell_rules
from web.scene.drawing import ShotDrawing
from web.scene.plan import PlanView
from web.serving.roles import Right, is_only_watching
from web.serving.routes import Answer, get, page

LENS_TEXTS: Mapping[str, str] = {
    "lens_seek": message("Hold the phone so that a printed marker is in the picture."),
    "lens_refused": message(
        "The browser gives this page no camera. Allow it in the browser's settings, then tap “Begin”."
    ),
    "lens_insecure": message(
        "Browsers give the camera only to a secure page. Ask the host to start the program with --tls."
    ),
    "lens_tap": message("Tap a figure to see who it is and how far it can move."),
}


class NothingToShow(CannotDo):
    """No table has been read yet, or its markers are unknown."""

    http_status = 409


@page("/lens", "The table through the phone's own camera.")
def lens() -> Answer:
    return framed("lens/lens", LENS_TEXTS, only_watches=is_only_watching(meet_device().role))


@get("/lens/scene", Right.WATCH, "The table in millimetres, its markers and the last ruling, for a phone held over it.")
def lens_scene() -> Answer:
    """Places are plan pixels. ``mm_from_plan`` maps them onto the table."""
    shot = parts().shelf.latest()
    if shot is None:
        raise NothingToShow(
            said("No table was read yet. Read a photo or begin with the table's camera, then look again.")
        )
    if shot.markers is None:
        raise NothingToShow(said("The phone finds the table by its printed markers, and this table has none."))
    drawing = ShotDrawing(shot, as_plan=True, language=current_speech().language)
    plan = PlanView.of(shot.board, shot.read.observation.grid)
    return {
        "shot": shot.id,
        "markers": _prints(shot.markers),
        "mm_from_plan": plan.table_from_image(),
        "top_mm": shot.setup.tiles.thickness_mm,
        "door_mm": shot.setup.roster.doors.height_mm,
        "heights_mm": {figure.id: _height_mm(shot, figure) for figure in shot.board.figures},
        "scene": drawing.document(),
        "card": _last_card(shot),
    }


def _prints(table: TableMarkers) -> list[dict[str, Any]]:
    """Return each marker's inner cells, row by row, 1 for white, and its corners on the table."""
    prints = []
    for marker in table.markers:
        cells, side = cells_of(table.marker_family, marker.id)
        rows = [cells[side * row + 1 : side * (row + 1) - 1] for row in range(1, side - 1)]
        prints.append({"bits": "".join(str(bit) for row in rows for bit in row), "corners_mm": marker.corners_mm})
    return prints


def _height_mm(shot: Shot, figure: Figure) -> float:
    box = shot.setup.roster.figures
    known = next((one for one in box if one.id == figure.id), None) or next(
        (o for o in box if o.kind == figure.kind), None
    )
    return 0.0 if known is None else known.height_mm


def _last_card(shot: Shot) -> dict[str, Any] | None:
    """Return the table's last question with a current answer, or None if one of its figures has gone."""
    asked = next(reversed(parts().asked_in_match()), None)
    if asked is None:
        return None
    try:
        answer = rule_on(
            shot, cell_rules(asked.ruleset), asked.attacker, asked.defender, current_speech(), as_plan=True
        )
    except UnknownName:
        return None
    return card_document(answer)
