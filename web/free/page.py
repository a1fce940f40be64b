"""The page of a table without a grid."""

from __future__ import annotations

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from web.free.needs import free_page
from web.free.words import free_texts
from web.match.needs import match_page
from web.people.session import current_speech, meet_device
from web.serving.files import modules_of
from web.serving.roles import Right
from web.serving.routes import RouteFacts, route
from web.shell.texts import client_texts

blueprint = Blueprint("free_page", __name__)


@route(blueprint, "GET", "/free", RouteFacts(Right.PUBLIC, "The table without a grid.", gives="text/html"))
def free_table() -> ResponseReturnValue:
    """The frame of the page; what it shows comes from ``/api/v1/free``."""
    speech, match = current_speech(), match_page().match
    return render_template(
        "free/free.html",
        _=speech.text,
        language=speech.language,
        modules=modules_of("free/free.js"),
        role=meet_device().role,
        has_desk=free_page().free is not None,
        has_match=match is not None and not match.timeline.game.has_grid,
        texts={**client_texts(speech), **free_texts(speech)},
    )
