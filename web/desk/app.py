"""The application of a desk: its own pages, and joining as at a table."""

from __future__ import annotations

from flask import Flask

from web.desk.needs import desk_page
from web.desk.routes import blueprint, pages
from web.desk.state import DeskState
from web.people.needs import people_page
from web.people.routes import blueprint as people
from web.problems.application import new_application
from web.serving.sending import blueprint as files


def create_desk_app(state: DeskState) -> Flask:
    """The page of this desk, ready to be served; it starts nothing."""
    app = new_application()
    desk_page.give(app, state)
    people_page.give(app, state)
    for part in (pages, files, people, blueprint):
        app.register_blueprint(part)
    return app
