"""Missions made by people: their forms, what one may begin with, checking, keeping."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue
from msgspec import Struct

from assistant.app.matches.workshop import BoxContents, Workshop
from assistant.match.game import Piece
from assistant.match.games import system_of
from assistant.match.mission_form import describe_form
from assistant.match.missions import MISSION_FORMAT
from assistant.translations.messages import said
from assistant.translations.names import speak_id
from web.match.archive import NoArchive
from web.match.needs import match_page
from web.people.session import current_speech
from web.serving.roles import Right
from web.serving.routes import API_ROOT, RouteFacts, body_as, route

blueprint = Blueprint("missions", __name__, url_prefix=API_ROOT)


class MissionBeginning(Struct, forbid_unknown_fields=True):
    """What a mission begins with: ``box``, or the name of a mission."""

    name: str


class DraftMission(Struct, forbid_unknown_fields=True):
    """A mission as far as it is made."""

    mission: dict[str, Any]


@route(blueprint, "GET", "/mission-games", RouteFacts(Right.JUDGE, "The games that missions can be made for."))
def mission_games() -> ResponseReturnValue:
    """Their ids, titles and tables."""
    speech = current_speech()
    found = [{"id": game.id, "title": speech.text(game.title), "table": game.table} for game in _workshop().games()]
    return jsonify({"games": found})


@route(
    blueprint,
    "GET",
    "/mission-games/<ruleset>",
    RouteFacts(Right.JUDGE, "The form of a game's missions, and what one may begin with."),
)
def mission_form(ruleset: str) -> ResponseReturnValue:
    """The form, the beginnings, and what the sources tell of the box and what they do not."""
    workshop, language = _workshop(), current_speech().language
    beginnings = [msgspec.to_builtins(one) for one in workshop.beginnings(ruleset)]
    form = describe_form(system_of(ruleset).setup_type, language)
    return jsonify({"form": form, "beginnings": beginnings, "box": _box(workshop.box(ruleset), language)})


@route(
    blueprint,
    "POST",
    "/mission-games/<ruleset>/beginning",
    RouteFacts(Right.JUDGE, "A mission to begin with, without what the sources do not tell.", MissionBeginning),
)
def beginning(ruleset: str) -> ResponseReturnValue:
    """The fields of the mission."""
    return jsonify({"mission": _workshop().begin(ruleset, body_as(MissionBeginning).name)})


@route(blueprint, "POST", "/missions/check", RouteFacts(Right.JUDGE, "Is a mission sound?", DraftMission))
def check() -> ResponseReturnValue:
    """The first thing that the reader of missions has against it, at its field, and the figures that it puts up."""
    speech = current_speech()
    fault, pieces = _workshop().find_fault(_plain(body_as(DraftMission).mission))
    told = None if fault is None else {"field": fault.field, "message": fault.sentence.worded(speech.language)}
    return jsonify({"fault": told, "figures": [_figure(piece, speech.language) for piece in pieces]})


@route(
    blueprint,
    "POST",
    "/missions/<name>/keep",
    RouteFacts(Right.JUDGE, "Keep a mission that is sound, to begin matches with.", DraftMission, status=201),
)
def keep(name: str) -> ResponseReturnValue:
    """Under what name it stands among the missions of a new match."""
    _workshop().keep(name, _plain(body_as(DraftMission).mission))
    return jsonify({"mission": f"own/{name}"}), 201


def _plain(mission: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a mission, whether they were read from a file of it or not."""
    return {name: value for name, value in mission.items() if (name, value) != ("format", MISSION_FORMAT)}


def _figure(piece: Piece, language: str) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(piece)
    return {**plain, "name": speak_id(piece.id, language)}


def _box(box: BoxContents, language: str) -> dict[str, Any]:
    def listed(groups: Mapping[str, Sequence[str]]) -> list[dict[str, Any]]:
        return [
            {"name": speak_id(name, language), "entries": [speak_id(one, language) for one in entries]}
            for name, entries in groups.items()
        ]

    holds = [{"name": speak_id(name, language), "count": count} for name, count in box.holds.items()]
    return {
        "source": speak_id(box.source, language),
        "holds": holds,
        "names": listed(box.names),
        "gaps": listed(box.gaps),
    }


def _workshop() -> Workshop:
    desk = match_page().matches
    if desk is None:
        raise NoArchive(said("Matches are not kept at this table. Start the program with a data folder."))
    return desk.workshop
