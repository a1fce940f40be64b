"""Whole matches: the list, saving one to a file, taking one from a file."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import msgspec
from flask import Blueprint, Response, jsonify, request
from flask.typing import ResponseReturnValue

from assistant.app.matches.archive import KeptMatches
from assistant.errors import CannotDo
from assistant.translations.messages import said
from web.match.needs import match_page
from web.serving.roles import Right
from web.serving.routes import API_ROOT, RouteFacts, route

blueprint = Blueprint("archive", __name__, url_prefix=API_ROOT)


class NoArchive(CannotDo):
    """Matches are not kept at this table."""

    http_status = 404


@route(
    blueprint,
    "GET",
    "/matches",
    RouteFacts(Right.JUDGE, "Every match that is kept at this table, the newest first."),
)
def matches() -> ResponseReturnValue:
    """Their names, titles, rule sets, beginnings and how many events each has."""
    return jsonify({"matches": [msgspec.to_builtins(label) for label in _archive().labels()]})


@route(
    blueprint,
    "GET",
    "/matches/<match_id>",
    RouteFacts(Right.JUDGE, "A whole match with its secrets, as sightline.match/1.", gives="application/x-ndjson"),
)
def export_match(match_id: str) -> ResponseReturnValue:
    """The document, as a file to be saved."""
    response = Response(_archive().exported(match_id), mimetype="application/x-ndjson")
    name = quote(f"{match_id}.jsonl", safe="")
    response.headers["Content-Disposition"] = f"attachment; filename*=UTF-8''{name}"
    return response


@route(
    blueprint,
    "POST",
    "/matches/<match_id>/import",
    RouteFacts(
        Right.OWN, "Keep a match from a file, checked from its first line to its last.", takes="*/*", status=201
    ),
)
def import_match(match_id: str) -> ResponseReturnValue:
    """What was taken in; the running match is not touched."""
    label: Any = _archive().imported(request.get_data(cache=False), match_id)
    return jsonify(msgspec.to_builtins(label)), 201


def _archive() -> KeptMatches:
    archive = match_page().archive
    if archive is None:
        raise NoArchive(said("Matches are not kept at this table. Start the program with a data folder."))
    return archive
