"""The application factory: one Flask application around one page state."""

from __future__ import annotations

from flask import Flask

from web import errors, security, session
from web.api import blueprint as api
from web.installing import blueprint as installing
from web.pages import blueprint as pages
from web.routes import MAX_UPLOAD_BYTES
from web.session import current_speech
from web.setup_pages import blueprint as setup_pages
from web.state import STATE_KEY, PageState
from web.teach_page import blueprint as teach_page


def create_app(state: PageState) -> Flask:
    """The page of this state, ready to be served; it starts nothing."""
    app = Flask(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = MAX_UPLOAD_BYTES
    app.extensions[STATE_KEY] = state
    app.json.sort_keys = False  # type: ignore[attr-defined]  # the provider is Flask's default one, which has it
    session.guard(app)
    security.add_headers(app)
    errors.register(app, current_speech)
    app.register_blueprint(pages)
    app.register_blueprint(installing)
    app.register_blueprint(setup_pages)
    app.register_blueprint(teach_page)
    app.register_blueprint(api)
    return app
