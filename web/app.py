"""The application factory: one Flask application around one page state."""

from __future__ import annotations

from flask import Flask

from web.attack.routes import blueprint as attack
from web.live.routes import blueprint as live
from web.live.stream import blueprint as stream
from web.match.archive import blueprint as archive
from web.match.routes import blueprint as match
from web.page.about import blueprint as about
from web.page.installing import blueprint as installing
from web.page.routes import blueprint as page
from web.people import session
from web.people.routes import blueprint as people
from web.problems import errors
from web.problems.routes import blueprint as problems
from web.serving import security
from web.serving.routes import MAX_UPLOAD_BYTES
from web.setup.page import blueprint as setup_page
from web.setup.routes import blueprint as setup
from web.state import STATE_KEY, PageState
from web.table.routes import blueprint as table
from web.teach.page import blueprint as teach_page
from web.teach.routes import blueprint as teach
from web.whatif.routes import blueprint as whatif
from web.whatif.watchers import blueprint as watchers

PAGES = (page, installing, setup_page, teach_page)
API = (about, people, problems, live, stream, table, whatif, watchers, match, archive, attack, setup, teach)


def create_app(state: PageState) -> Flask:
    """The page of this state, ready to be served; it starts nothing."""
    app = Flask(__name__, static_folder=None, template_folder=".")  # a template lies in the folder of its feature
    app.config["MAX_CONTENT_LENGTH"] = MAX_UPLOAD_BYTES
    app.extensions[STATE_KEY] = state
    app.json.sort_keys = False  # type: ignore[attr-defined]  # the provider is Flask's default one, which has it
    session.guard(app)
    security.add_headers(app)
    errors.register(app, session.current_speech)
    for blueprint in (*PAGES, *API):
        app.register_blueprint(blueprint)
    return app
