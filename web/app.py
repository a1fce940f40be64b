"""The application factory: one Flask application around one page state."""

from __future__ import annotations

from flask import Flask

from web.attack.routes import blueprint as attack
from web.free.needs import free_page
from web.free.page import blueprint as free_document
from web.free.routes import blueprint as free
from web.judge.needs import judge_page
from web.judge.routes import blueprint as judge
from web.live.needs import live_page
from web.live.routes import blueprint as live
from web.live.stream import blueprint as stream
from web.match.archive import blueprint as archive
from web.match.laying import blueprint as laying
from web.match.needs import match_page
from web.match.routes import blueprint as match
from web.missions.page import blueprint as missions_document
from web.missions.routes import blueprint as missions
from web.page.about import blueprint as about
from web.page.installing import blueprint as installing
from web.page.needs import front_page
from web.page.routes import blueprint as page
from web.people.needs import people_page
from web.people.routes import blueprint as people
from web.problems.application import new_application
from web.problems.problem_list import problem_list
from web.problems.routes import blueprint as problems
from web.rulings.needs import rulings_page
from web.rulings.routes import blueprint as rulings
from web.serving.sending import blueprint as files
from web.setup.light import blueprint as light
from web.setup.needs import setup_page
from web.setup.page import blueprint as setup_document
from web.setup.routes import blueprint as setup
from web.state import PageState
from web.table.needs import table_page
from web.table.routes import blueprint as table
from web.teach.needs import teach_page
from web.teach.page import blueprint as teach_document
from web.teach.routes import blueprint as teach
from web.tour.needs import tour_page
from web.tour.routes import blueprint as tour
from web.whatif.needs import whatif_page
from web.whatif.routes import blueprint as whatif
from web.whatif.watchers import blueprint as watchers

PAGES = (page, files, installing, setup_document, teach_document, missions_document, free_document)
TABLE = (about, people, problems, live, stream, rulings, table, whatif, watchers, match, laying, archive, attack, judge)
API = (*TABLE, free, setup, light, teach, missions, tour)


def create_app(state: PageState) -> Flask:
    """The page of this state, ready to be served; it starts nothing."""
    app = new_application()
    give_parts(app, state)
    for blueprint in (*PAGES, *API):
        app.register_blueprint(blueprint)
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
