"""Routes of the mission editor: its page, forms, drafts, checks, and saving."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from assistant.app.matches.workshop import BoxContents, Workshop
from assistant.match.game import Piece
from assistant.match.games import system_of
from assistant.match.mission_form import describe_form
from assistant.match.missions import MISSION_FORMAT
from assistant.translations.catalogue import speak_id
from assistant.translations.messages import message, said
from web.match.archive import NoArchive
from web.parts import parts
from web.people.session import current_speech, framed
from web.serving.roles import Right
from web.serving.routes import Answer, get, page, post

MISSION_TEXTS: Mapping[str, str] = {
    "mission_box": message("The contents of the box, as far as known"),
    "mission_empty": message("An empty mission"),
    "mission_add": message("Add: {what}"),
    "mission_remove": message("Remove {what}"),
    "mission_entry": message("{what}: {number}"),
    "mission_more": message("More about {what}"),
    "mission_rest": message("the mission"),
    "mission_tap": message("Tap on the board: {what}"),
    "mission_no_place": message("no place yet"),
    "mission_name_of": message("Name"),
    "mission_none": message("none"),
    "mission_sound": message("The mission is sound and can be played."),
    "mission_checking": message("Checking…"),
    "mission_fault": message("Still to do: {what}"),
    "mission_kept": message("Saved as {name}. You can now begin a match with it."),
    "mission_off": message("Not on the board yet"),
    "mission_space": message("Space {cell}"),
    "mission_unreadable": message("This file is not a mission. Choose one that this program saved."),
    "mission_holds": message("What the box holds"),
    "mission_gaps": message("Unknown contents of the box"),
}


@page("/missions", "The mission editor.")
def missions_page() -> Answer:
    return framed("missions/missions", MISSION_TEXTS)


class MissionBeginning(Struct, forbid_unknown_fields=True):
    """The draft to start from: ``box``, or the name of a mission."""

    name: str


class DraftMission(Struct, forbid_unknown_fields=True):
    """An unfinished mission."""

    mission: dict[str, Any]


@get("/mission-games", Right.JUDGE, "The games for which missions can be made.")
def mission_games() -> Answer:
    speech = current_speech()
    found = [{"id": game.id, "title": speech.text(game.title), "table": game.table} for game in _workshop().games()]
    return {"games": found}


@get(
    "/mission-games/<ruleset>",
    Right.JUDGE,
    "The form of a game's missions, the drafts to begin with, and the contents of its box.",
)
def mission_form(ruleset: str) -> Answer:
    workshop, language = _workshop(), current_speech().language
    beginnings = [msgspec.to_builtins(one) for one in workshop.beginnings(ruleset)]
    form = describe_form(system_of(ruleset).setup_type, language)
    return {"form": form, "beginnings": beginnings, "box": _box(workshop.box(ruleset), language)}


@post(
    "/mission-games/<ruleset>/beginning",
    Right.JUDGE,
    MissionBeginning,
    "A draft to begin with; unknown details are left out.",
)
def beginning(wanted: MissionBeginning, ruleset: str) -> Answer:
    return {"mission": _workshop().begin(ruleset, wanted.name)}


@post(
    "/missions/check", Right.JUDGE, DraftMission, "Is a mission sound? Its first fault, and the figures that it places."
)
def check(wanted: DraftMission) -> Answer:
    speech = current_speech()
    fault, pieces = _workshop().find_fault(_plain(wanted.mission))
    problem = None if fault is None else {"field": fault.field, "message": fault.sentence.worded(speech.language)}
    return {"fault": problem, "figures": [_figure(piece, speech.language) for piece in pieces]}


@post("/missions/<name>/keep", Right.JUDGE, DraftMission, "Keep a sound mission for new matches.", status=201)
def keep(wanted: DraftMission, name: str) -> Answer:
    _workshop().keep(name, _plain(wanted.mission))
    return {"mission": f"own/{name}"}


def _plain(mission: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a mission, whether or not it came from a file."""
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
    desk = parts().matches
    if desk is None:
        raise NoArchive(said("Matches are not saved at this table. Start the program with a data folder."))
    return desk.workshop
