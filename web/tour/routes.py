"""The demo: another game, and hands that begin to move the figures."""

from __future__ import annotations

from typing import Annotated

import msgspec
from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue
from msgspec import Struct

from assistant.errors import CannotDo
from assistant.translations.messages import said
from web.serving.roles import Right
from web.serving.routes import API_ROOT, RouteFacts, body_as, route
from web.tour.needs import tour_page
from web.tour.ports import DemoGuide

blueprint = Blueprint("tour", __name__, url_prefix=API_ROOT)


class NoDemo(CannotDo):
    """This is no demo, or one without a tour."""

    http_status = 404


class WantedGame(Struct, forbid_unknown_fields=True):
    """The game whose demo is to be shown."""

    game: Annotated[str, msgspec.Meta(max_length=200)]


@route(
    blueprint,
    "POST",
    "/demo/game",
    RouteFacts(Right.PLAY, "Show the demo of another game to everybody, on a table that is still.", WantedGame),
)
def game() -> ResponseReturnValue:
    """The games of the demo, and which of them is shown now."""
    demo = _demo()
    demo.choose(body_as(WantedGame).game)
    return jsonify({"games": [{"id": one.id, "title": one.title, "is_shown": one.is_shown} for one in demo.games]})


@route(blueprint, "POST", "/demo/moves", RouteFacts(Right.PLAY, "Let hands begin to move the figures of the demo."))
def moves() -> ResponseReturnValue:
    """Nothing; the camera shows it."""
    _demo().let_move()
    return jsonify({})


@route(blueprint, "POST", "/demo/attack", RouteFacts(Right.PLAY, "Let the demo's match be played to its next blow."))
def shown_attack() -> ResponseReturnValue:
    """Who was hurt, null where nobody was; the stream of events tells the dice and the blow."""
    return jsonify({"struck": _demo().attack()})


def _demo() -> DemoGuide:
    demo = tour_page().demo
    if demo is None:
        raise NoDemo(said("This is no demo with a tour. Start one with “sightline demo”."))
    return demo
