"""The page of a table without a grid."""

from __future__ import annotations

from flask import Blueprint
from flask.typing import ResponseReturnValue

from web.free.needs import free_page
from web.free.words import free_texts
from web.match.needs import match_page
from web.people.frame import framed
from web.people.session import current_speech
from web.serving.roles import Right
from web.serving.routes import RouteFacts, route

blueprint = Blueprint("free_page", __name__)


@route(blueprint, "GET", "/free", RouteFacts(Right.PUBLIC, "The table without a grid.", gives="text/html"))
def free_table() -> ResponseReturnValue:
    """The frame of the page; what it shows comes from ``/api/v1/free``."""
    match = match_page().match
    return framed(
        "free/free",
        free_texts(current_speech()),
        has_desk=free_page().free is not None,
        has_match=match is not None and not match.timeline.game.has_grid,
    )
