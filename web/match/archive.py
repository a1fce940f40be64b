"""Whole matches: the list, saving one to a file, taking one from a file."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import quote

import msgspec
from flask import Blueprint, Response, jsonify, request
from flask.typing import ResponseReturnValue
from msgspec import Struct

from assistant.app.matches.archive import KeptMatches
from assistant.app.matches.desk import MatchDesk
from assistant.errors import CannotDo
from assistant.rules.options import Option
from assistant.translations.messages import said
from assistant.translations.speech import Speech
from web.match.needs import match_page
from web.match.other_table import is_other_than
from web.people.session import current_speech
from web.serving.roles import Right
from web.serving.routes import API_ROOT, RouteFacts, body_as, route

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


class NewMatch(Struct, forbid_unknown_fields=True):
    """A match to be begun: its name, its mission, and what the house sets differently."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
    mission: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    options: Annotated[dict[str, str], msgspec.Meta(max_length=200)] = {}
    on_sample_table: bool = False


class NewName(Struct, forbid_unknown_fields=True):
    """What a match or its copy is to be called."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]


@route(
    blueprint,
    "GET",
    "/missions",
    RouteFacts(Right.JUDGE, "Every mission that a match can be begun with, with the options of the house."),
)
def missions() -> ResponseReturnValue:
    """The missions by games; each option with its choices and what the mission sets it to."""
    speech, match = current_speech(), match_page().match
    played = None if match is None else match.header.ruleset
    offers = [
        {
            "name": offer.name,
            "title": offer.title,
            "game": speech.text(offer.game),
            "is_of_game_played": offer.ruleset == played,
            "has_table": offer.table is not None,
            "is_other_table": is_other_than(offer.table, match_page()),
            "options": [_option(option, chosen, speech) for option, chosen in offer.options],
        }
        for offer in _desk().missions()
    ]
    return jsonify({"missions": offers})


@route(
    blueprint,
    "POST",
    "/matches",
    RouteFacts(Right.JUDGE, "Begin a match and show it to everybody.", NewMatch, status=201),
)
def begin_match() -> ResponseReturnValue:
    """The name of the match that is played now."""
    wanted = body_as(NewMatch)
    _desk().begin(wanted.name, wanted.mission, wanted.options, on_sample_table=wanted.on_sample_table)
    return jsonify({"id": wanted.name}), 201


@route(
    blueprint,
    "POST",
    "/matches/<match_id>/play",
    RouteFacts(Right.JUDGE, "Go on with a match that is kept, and show it to everybody."),
)
def play_match(match_id: str) -> ResponseReturnValue:
    """The name of the match that is played now."""
    _desk().play(match_id)
    return jsonify({"id": match_id})


@route(
    blueprint,
    "POST",
    "/matches/<match_id>/copy",
    RouteFacts(Right.JUDGE, "Keep a copy of a match under another name.", NewName, status=201),
)
def copy_match(match_id: str) -> ResponseReturnValue:
    """What is kept of the copy; the running match is not touched."""
    label: Any = _desk().copy(match_id, body_as(NewName).name)
    return jsonify(msgspec.to_builtins(label)), 201


@route(
    blueprint,
    "POST",
    "/matches/<match_id>/name",
    RouteFacts(Right.JUDGE, "Keep a match under another name; the one that is played goes on under it.", NewName),
)
def rename_match(match_id: str) -> ResponseReturnValue:
    """The new name."""
    wanted = body_as(NewName).name
    _desk().rename(match_id, wanted, match_page().match)
    return jsonify({"id": wanted})


def _option(option: Option, chosen: str, speech: Speech) -> dict[str, Any]:
    choices = [{"value": choice, "text": speech.text(option.choice_title(choice))} for choice in option.choices]
    return {"name": option.name, "title": speech.text(option.title), "value": chosen, "choices": choices}


def _desk() -> MatchDesk:
    desk = match_page().matches
    if desk is None:
        raise NoArchive(said("Matches are not kept at this table. Start the program with a data folder."))
    return desk


def _archive() -> KeptMatches:
    archive = match_page().archive
    if archive is None:
        raise NoArchive(said("Matches are not kept at this table. Start the program with a data folder."))
    return archive
