"""The page of the set-up: one document for all its steps."""

from __future__ import annotations

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from web.people.session import current_speech, meet_device
from web.serving.files import modules_of
from web.serving.roles import Right
from web.serving.routes import RouteFacts, route
from web.setup.needs import setup_page
from web.setup.words import setup_texts
from web.shell.texts import client_texts

blueprint = Blueprint("setup_page", __name__)

MODULES = modules_of("setup/setup.js")
"""Modules that the page will ask for, named so that the browser fetches them all at once."""


@route(blueprint, "GET", "/setup", RouteFacts(Right.PUBLIC, "The set-up, step by step.", gives="text/html"))
def setup() -> ResponseReturnValue:
    """The frame of the set-up; what it shows comes from ``/api/v1/wizard``, for the owner alone."""
    speech = current_speech()
    return render_template(
        "setup/setup.html",
        _=speech.text,
        language=speech.language,
        has_light=setup_page().light is not None,
        modules=MODULES,
        role=meet_device().role,
        texts={**client_texts(speech), **setup_texts(speech)},
    )
