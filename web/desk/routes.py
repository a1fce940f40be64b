"""The desk's pages, the hall, and the desk's application."""

from __future__ import annotations

from flask import Flask, Response, current_app, request

from web.desk import call_routes, round_routes
from web.desk.answers import HallAnswer, ProblemsAnswer
from web.desk.keys import keys_csv
from web.desk.penalties import LEVELS
from web.desk.state import DeskState, desk_state
from web.desk.texts import DESK_TEXTS
from web.desk.view import problems_view
from web.parts import VERSION
from web.people import routes as people
from web.people.door import PARTS
from web.people.session import current_speech, framed
from web.people.streaming import stream_response
from web.problems.errors import new_application
from web.serving import sending
from web.serving.openapi import openapi_document
from web.serving.roles import Right
from web.serving.routes import Answer, add_routes, get, page

EVENT_RIGHTS = {
    "hello": Right.WATCH,
    "beat": Right.WATCH,
    "resync": Right.WATCH,
    "hall": Right.JUDGE,
    "call": Right.JUDGE,
    "parts": Right.JUDGE,
    "problems": Right.JUDGE,
    "rounds": Right.JUDGE,
}
"""The right for each kind of event. No device gets an event of another kind."""


@page("/", "The desk.")
def desk() -> Answer:
    return framed("desk/desk", DESK_TEXTS, levels=tuple(LEVELS.items()))


@page("/public", "The page of the public view.")
def public_page() -> Answer:
    return framed("desk/public", DESK_TEXTS)


@get(
    "/hall",
    Right.JUDGE,
    "Every table, the open calls and the rounds; after ?since=STAMP only the tables and pairings that have changed.",
    gives=HallAnswer,
)
def hall() -> Answer:
    document = desk_state().ready.document(current_speech().language, request.args.get("since", ""))
    return Response(document, mimetype="application/json")


@get("/events", Right.WATCH, "The event stream; an event says what to fetch again.", gives="text/event-stream")
def events() -> Answer:
    page = desk_state()
    return stream_response(page.hub, {"boot": page.hub.boot}, EVENT_RIGHTS)


@get("/hall/problems", Right.JUDGE, "The problems of the desk, a sentence each.", gives=ProblemsAnswer)
def problems() -> Answer:
    """Answer from memory, so that it works while the store is unavailable."""
    return {"problems": problems_view(desk_state().problems, current_speech())}


@get(
    "/hall/keys.csv",
    Right.JUDGE,
    "The keys by which tables sign, as this tournament's authority signed them.",
    gives="text/csv",
)
def keys() -> Answer:
    store = desk_state().hall.store
    response = Response(keys_csv([*store.sealed().values(), *store.sealed_before()]), mimetype="text/csv")
    response.headers["Content-Disposition"] = 'attachment; filename="keys.csv"'
    return response


@get("/openapi.json", Right.PUBLIC, "This API as an OpenAPI document.")
def openapi() -> Answer:
    return openapi_document(current_app, VERSION)


def create_desk_app(state: DeskState) -> Flask:
    """Return the page of this desk, ready to serve. This starts nothing."""
    app = new_application()
    app.extensions[PARTS] = state
    add_routes(app, sending.__name__, people.__name__, __name__, call_routes.__name__, round_routes.__name__)
    return app
