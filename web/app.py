"""The application factory: one Flask application around one page state."""

from __future__ import annotations

from flask import Flask

from web.free import page as free_page_routes
from web.free import routes as free
from web.free.needs import free_page
from web.judge import routes as judge
from web.judge.needs import judge_page
from web.live import routes as live
from web.live import stream
from web.live.needs import live_page
from web.match import archive, laying
from web.match import routes as match
from web.match.needs import match_page
from web.missions import routes as missions
from web.page import routes as page
from web.page.needs import front_page
from web.people import routes as people
from web.people.needs import people_page
from web.problems import routes as problems
from web.problems.errors import new_application
from web.problems.problem_list import problem_list
from web.rulings import routes as rulings
from web.rulings.needs import rulings_page
from web.serving import sending
from web.serving.routes import add_routes
from web.setup import light
from web.setup import page as setup_page_routes
from web.setup import routes as setup
from web.setup.needs import setup_page
from web.state import PageState
from web.table import routes as table
from web.table.needs import table_page
from web.teach import page as teach_page_routes
from web.teach import routes as teach
from web.teach.needs import teach_page
from web.tour import routes as tour
from web.tour.needs import tour_page
from web.whatif import routes as whatif
from web.whatif.needs import whatif_page

PAGES = (page, sending, setup_page_routes, teach_page_routes, free_page_routes)
TABLE = (people, problems, live, stream, rulings, table, whatif, match, laying, archive, judge)
FEATURES = (*PAGES, *TABLE, free, setup, light, teach, missions, tour)


def create_app(state: PageState) -> Flask:
    """The page of this state, ready to be served; it starts nothing."""
    app = new_application()
    give_parts(app, state)
    add_routes(app, *(feature.__name__ for feature in FEATURES))
    return app


def give_parts(app: Flask, state: PageState) -> None:
    """Gives every feature of an application what it needs of a page, and no more, in place of what it had before."""
    problem_list.give(app, state.problem_list)
    people_page.give(app, state)
    live_page.give(app, state)
    rulings_page.give(app, state)
    whatif_page.give(app, state)
    table_page.give(app, state)
    match_page.give(app, state)
    judge_page.give(app, state)
    free_page.give(app, state)
    setup_page.give(app, state)
    teach_page.give(app, state)
    tour_page.give(app, state)
    front_page.give(app, state)
