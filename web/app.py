"""Application factory: one Flask application for a page's parts."""

from __future__ import annotations

from flask import Flask

from web.free import page as free_page
from web.free import routes as free
from web.judge import routes as judge
from web.judge import tournament
from web.lens import routes as lens
from web.live import routes as live
from web.live import stream
from web.match import archive, laying
from web.match import routes as match
from web.missions import routes as missions
from web.page import routes as page
from web.parts import Parts
from web.people import routes as people
from web.people import seats
from web.people.door import PARTS
from web.problems import routes as problems
from web.problems.errors import new_application
from web.rulings import routes as rulings
from web.serving import sending
from web.serving.routes import add_routes
from web.setup import light
from web.setup import page as setup_page
from web.setup import routes as setup
from web.stream import routes as stream_page
from web.table import routes as table
from web.teach import box_routes as box
from web.teach import line_ups
from web.teach import page as teach_page
from web.teach import routes as teach
from web.tour import routes as tour
from web.whatif import routes as whatif

PAGES = (page, sending, stream_page, setup_page, teach_page, free_page)
TABLE = (people, seats, problems, live, stream, rulings, table, whatif, match, laying, archive, judge, tournament)
FEATURES = (*PAGES, *TABLE, free, lens, setup, light, teach, line_ups, box, missions, tour)


def create_app(parts: Parts) -> Flask:
    """Return the page of these parts, ready to serve. This starts nothing."""
    app = new_application()
    app.extensions[PARTS] = parts
    add_routes(app, *(feature.__name__ for feature in FEATURES))
    return app
