"""What every application of ours has in common: limits, rights, headers, and one shape of errors."""

from __future__ import annotations

from flask import Flask

from web.people import session
from web.problems import errors
from web.serving import security
from web.serving.routes import MAX_UPLOAD_BYTES


def new_application() -> Flask:
    """An application without routes; its templates lie in the folders of their features."""
    app = Flask("web.app", static_folder=None, template_folder=".")
    app.config["MAX_CONTENT_LENGTH"] = MAX_UPLOAD_BYTES
    app.json.sort_keys = False  # type: ignore[attr-defined]  # the provider is Flask's default one, which has it
    session.guard(app)
    security.add_headers(app)
    errors.register(app, session.current_speech)
    return app
