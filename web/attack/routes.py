"""The attack assistant: what is known before the roll, the odds, and what may be done next."""

from __future__ import annotations

import msgspec
from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue

from assistant.match.audience import audience_of
from assistant.match.guide import Wish
from web.match.belonging import actor_of
from web.match.routes import running_match
from web.people.session import current_device, current_role, current_speech
from web.serving.roles import Right
from web.serving.routes import API_ROOT, RouteFacts, body_as, route

blueprint = Blueprint("attack", __name__, url_prefix=API_ROOT)


@route(
    blueprint,
    "POST",
    "/match/attack",
    RouteFacts(
        Right.ASK,
        "The attack assistant: facts, odds and dice of an attack in mind, or every step of the open one.",
        Wish,
    ),
)
def attack() -> ResponseReturnValue:
    """The guide as this device may know it; what it offers are commands for `/match/commands`."""
    session, wish = running_match(), body_as(Wish)
    audience = audience_of(actor_of(current_role(), current_device()), current_speech().language)
    return jsonify({"seq": session.seq, "guide": session.guide(msgspec.to_builtins(wish), audience)})
