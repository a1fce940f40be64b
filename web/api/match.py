"""The match: whose turn it is, who is hurt, what may be done now, and what was done."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import jsonify
from flask.typing import ResponseReturnValue

from assistant.errors import CannotDo
from assistant.match.actor import JUDGE, TABLE, Actor, player
from assistant.match.game import INVADER
from assistant.match.session import Session
from assistant.match.views import audience_of
from assistant.table.tracker import TrackerView
from web.api.blueprint import blueprint
from web.roles import Right, Role
from web.routes import RouteFacts, body_fields, route
from web.session import current_role
from web.state import page_state


class NoMatch(CannotDo):
    """No match is being played at this table."""

    http_status = 404


def actor_of(role: Role) -> Actor:
    """For whom a device of that role acts; tablets of players are handed round and decide for every side."""
    return {Role.INVADER: player(INVADER), Role.JUDGE: JUDGE}.get(role, TABLE)


@route(blueprint, "GET", "/match", RouteFacts(Right.WATCH, "The match as this device may know it."))
def match() -> ResponseReturnValue:
    """The view of the device's audience; nothing hidden from it is in the answer."""
    return jsonify(_document(_session()))


@route(
    blueprint,
    "POST",
    "/match/commands",
    RouteFacts(Right.PLAY, "Do something in the match: an object with `type` and the fields of that type."),
)
def command() -> ResponseReturnValue:
    """The receipt of the step, and the match after it."""
    session = _session()
    receipt = session.command(body_fields(), actor_of(current_role()))
    return jsonify({"seq": receipt.seq, "title": receipt.title, **_document(session)})


def _session() -> Session:
    session = page_state().match
    if session is None:
        raise NoMatch("no match is being played at this table; start one first")
    return session


def _document(session: Session) -> dict[str, Any]:
    view = session.view(audience_of(actor_of(current_role())))
    return {"order": _order(session.tracker()), "view": view}


def _order(tracker: TrackerView) -> list[dict[str, Any]]:
    return [
        {**msgspec.to_builtins(entry), "is_active": place == tracker.active}
        for place, entry in enumerate(tracker.order)
    ]
