"""The page on which missions are made."""

from __future__ import annotations

from flask import Blueprint
from flask.typing import ResponseReturnValue

from web.missions.words import mission_texts
from web.people.frame import framed
from web.people.session import current_speech
from web.serving.roles import Right
from web.serving.routes import RouteFacts, route

blueprint = Blueprint("missions_page", __name__)


@route(blueprint, "GET", "/missions", RouteFacts(Right.PUBLIC, "Making missions.", gives="text/html"))
def missions_page() -> ResponseReturnValue:
    """The frame of the page; what it shows comes from ``/api/v1/mission-games``, for judges and the owner alone."""
    return framed("missions/missions", mission_texts(current_speech()))
