"""The page on which tiles, figures and doors are taught."""

from __future__ import annotations

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from web.people.session import current_speech, meet_device
from web.serving.files import modules_of
from web.serving.roles import Right
from web.serving.routes import RouteFacts, route
from web.shell.texts import client_texts
from web.teach.needs import teach_page
from web.teach.words import teach_texts

blueprint = Blueprint("teach_page", __name__)


@route(
    blueprint, "GET", "/setup/teach", RouteFacts(Right.PUBLIC, "Teaching tiles, figures and doors.", gives="text/html")
)
def teach() -> ResponseReturnValue:
    """The frame of the page; what it shows comes from ``/api/v1/teach``, for the owner alone."""
    speech = current_speech()
    return render_template(
        "teach/teach.html",
        _=speech.text,
        language=speech.language,
        modules=modules_of("teach/teach.js"),
        role=meet_device().role,
        has_desk=teach_page().can_be_set_up,
        texts={**client_texts(speech), **teach_texts(speech)},
    )
