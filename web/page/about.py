"""What the table is set up with, and what this API offers."""

from __future__ import annotations

from flask import Blueprint, current_app, jsonify
from flask.typing import ResponseReturnValue

from web.page.needs import front_page
from web.rulings.rulebook import cell_games
from web.serving.openapi import openapi_document
from web.serving.roles import Right
from web.serving.routes import API_ROOT, RouteFacts, route

blueprint = Blueprint("about", __name__, url_prefix=API_ROOT)


@route(blueprint, "GET", "/setup", RouteFacts(Right.WATCH, "The documents by which photos are read."))
def setup() -> ResponseReturnValue:
    """Names of the table, camera, tile set and roster in use, the rule sets and the addresses."""
    state = front_page()
    used = state.reader.setup
    return jsonify(
        {
            "name": used.name,
            "is_simulated": used.is_simulated,
            "sources": dict(used.sources),
            "tiles": len(used.tiles.sides),
            "figures": [{"id": f.id, "kind": f.kind, "side": f.side, "ring": f.ring} for f in used.roster.figures],
            "rulesets": dict(cell_games()),
            "addresses": list(state.addresses),
            "has_live": state.has_live,
            "version": state.version,
        }
    )


@route(blueprint, "GET", "/openapi.json", RouteFacts(Right.PUBLIC, "This API as an OpenAPI document."))
def openapi() -> ResponseReturnValue:
    """The OpenAPI document, made from the routes themselves."""
    return jsonify(openapi_document(current_app, front_page().version))
