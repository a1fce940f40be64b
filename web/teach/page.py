"""The page on which tiles, figures and doors are taught."""

from __future__ import annotations

from flask import Blueprint
from flask.typing import ResponseReturnValue

from web.people.frame import framed
from web.people.session import current_speech
from web.serving.roles import Right
from web.serving.routes import RouteFacts, route
from web.teach.needs import teach_page
from web.teach.words import teach_texts

blueprint = Blueprint("teach_page", __name__)


@route(
    blueprint, "GET", "/setup/teach", RouteFacts(Right.PUBLIC, "Teaching tiles, figures and doors.", gives="text/html")
)
def teach() -> ResponseReturnValue:
    """The frame of the page; what it shows comes from ``/api/v1/teach``, for the owner alone."""
    return framed("teach/teach", teach_texts(current_speech()), has_desk=teach_page().can_be_set_up)
