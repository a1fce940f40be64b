"""The page of the set-up: one document for all its steps."""

from __future__ import annotations

from flask import Blueprint
from flask.typing import ResponseReturnValue

from web.people.frame import framed
from web.people.session import current_speech
from web.serving.roles import Right
from web.serving.routes import RouteFacts, route
from web.setup.needs import setup_page
from web.setup.words import setup_texts

blueprint = Blueprint("setup_page", __name__)


@route(blueprint, "GET", "/setup", RouteFacts(Right.PUBLIC, "The set-up, step by step.", gives="text/html"))
def setup() -> ResponseReturnValue:
    """The frame of the set-up; what it shows comes from ``/api/v1/wizard``, for the owner alone."""
    return framed("setup/setup", setup_texts(current_speech()), has_light=setup_page().light is not None)
