"""The page on which missions are made."""

from __future__ import annotations

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from web.missions.words import mission_texts
from web.people.session import current_speech, meet_device
from web.serving.files import modules_of
from web.serving.roles import Right
from web.serving.routes import RouteFacts, route
from web.shell.texts import client_texts

blueprint = Blueprint("missions_page", __name__)


@route(blueprint, "GET", "/missions", RouteFacts(Right.PUBLIC, "Making missions.", gives="text/html"))
def missions_page() -> ResponseReturnValue:
    """The frame of the page; what it shows comes from ``/api/v1/mission-games``, for judges and the owner alone."""
    speech = current_speech()
    return render_template(
        "missions/missions.html",
        _=speech.text,
        language=speech.language,
        modules=modules_of("missions/missions.js"),
        role=meet_device().role,
        texts={**client_texts(speech), **mission_texts(speech)},
    )
