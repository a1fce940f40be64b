"""Routes for saved matches: list, export, import, begin, continue, copy and rename."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import quote

import msgspec
from flask import Response, request
from msgspec import Struct

from assistant.app.matches.archive import KeptMatches
from assistant.app.matches.match_menu import MatchMenu
from assistant.errors import CannotDo
from assistant.match.moments import OPTIONS as MATCH_OPTIONS
from assistant.match.session import PlayedOn
from assistant.rules.options import Option
from assistant.translations.catalogue import speak_id
from assistant.translations.messages import message, said
from assistant.translations.speech import Speech
from web.match.other_table import is_other_than
from web.match.routes import running_match
from web.parts import parts
from web.people.seats import take_seat
from web.people.session import current_speech, note_security
from web.serving.roles import Right
from web.serving.routes import Answer, get, post


class NoArchive(CannotDo):
    """This table keeps no matches."""

    http_status = 404


@get("/matches", Right.JUDGE, "Every match kept at this table, the newest first.")
def matches() -> Answer:
    shown = parts().match.session
    is_over = shown is None or shown.timeline.game.winner is not None
    running, labels = "" if is_over else _archive().name_of(shown), _archive().labels()
    return {"matches": [{**msgspec.to_builtins(label), "is_running": label.id == running} for label in labels]}


@get(
    "/matches/<match_id>",
    Right.JUDGE,
    "A whole match whose dice are opened, with its secrets, as sightline.match/1.",
    gives="application/x-ndjson",
)
def export_match(match_id: str) -> Answer:
    response = Response(_archive().opened(match_id), mimetype="application/x-ndjson")
    note_security("the match %s was taken away with its dice", match_id)
    name = quote(f"{match_id}.jsonl", safe="")
    response.headers["Content-Disposition"] = f"attachment; filename*=UTF-8''{name}"
    return response


@post(
    "/matches/<match_id>/import",
    Right.OWN,
    "*/*",
    "Keep a match from a file, checked from its first line to its last.",
    status=201,
)
def import_match(match_id: str) -> Answer:
    label: Any = _archive().imported(request.get_data(cache=False), match_id)
    if not _archive().is_over(match_id):
        label = _archive().with_own_dice(match_id)  # the owner of the file knows its seed
    return msgspec.to_builtins(label)


@post(
    "/matches/<match_id>/opening",
    Right.JUDGE,
    None,
    "Open the dice of a match that is over. It closes the match for good: nothing in it is taken back any more.",
)
def open_dice(match_id: str) -> Answer:
    _archive().open_dice(match_id)
    note_security("the dice of the match %s were opened", match_id)
    return {"id": match_id}


class NewMatch(Struct, forbid_unknown_fields=True):
    """A new match: its name, mission, and house options."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
    mission: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    options: Annotated[dict[str, str], msgspec.Meta(max_length=200)] = {}
    on_sample_table: bool = False
    without_table: bool = False
    plays: Annotated[str, msgspec.Meta(max_length=200)] | None = None
    """The side of the device that begins it. Empty shares the device, None changes nothing."""


class PlayedOnWhat(Struct, forbid_unknown_fields=True):
    """Whether the shown match is played on a table."""

    played_on: PlayedOn


class NewName(Struct, forbid_unknown_fields=True):
    """The new name of a match or of its copy."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]


@get("/missions", Right.JUDGE, "The missions for a new match, each with its house options.")
def missions() -> Answer:
    speech, match = current_speech(), parts().match.session
    played = None if match is None else match.header
    offers = [
        {
            "name": offer.name,
            "title": speak_id(offer.title, speech.language),
            "game": speech.text(offer.game),
            "about": offer.about.worded(speech.language),
            "is_of_game_played": played is not None and offer.ruleset == played.ruleset,
            "is_played": played is not None and (offer.ruleset, offer.title) == (played.ruleset, played.title),
            "has_table": offer.table is not None,
            "is_other_table": is_other_than(offer.table, parts()),
            "sides": [{"id": side, "name": speak_id(side, speech.language)} for side in offer.sides],
            "goals": [
                {"side": speak_id(goal.side, speech.language), "text": goal.text.worded(speech.language)}
                for goal in offer.goals
            ],
            "options": [_option(option, chosen, speech) for option, chosen in offer.options],
        }
        for offer in _desk().missions()
    ]
    return {"missions": offers}


@post("/matches", Right.JUDGE, NewMatch, "Begin a match and show it to everybody.", status=201)
def begin_match(wanted: NewMatch) -> Answer:
    session = _desk().begin(
        wanted.name,
        wanted.mission,
        wanted.options,
        on_sample_table=wanted.on_sample_table,
        without_table=wanted.without_table,
    )
    if wanted.plays is not None:
        take_seat(session, wanted.plays)
    return {"id": wanted.name}


@post("/matches/<match_id>/play", Right.JUDGE, None, "Go on with a kept match and show it to everybody.")
def play_match(match_id: str) -> Answer:
    _desk().play(match_id)
    return {"id": match_id}


@post("/match/played-on", Right.JUDGE, PlayedOnWhat, "Put a camera over the match, or play on the drawn board.")
def play_on(wanted: PlayedOnWhat) -> Answer:
    _desk().play_on(running_match(), wanted.played_on)
    return {"played_on": wanted.played_on}


@post(
    "/matches/<match_id>/copy",
    Right.JUDGE,
    NewName,
    "Keep a copy of a match whose dice are opened; it goes on with other dice.",
    status=201,
)
def copy_match(wanted: NewName, match_id: str) -> Answer:
    label: Any = _desk().copy(match_id, wanted.name)
    return msgspec.to_builtins(label)


@post(
    "/matches/<match_id>/name",
    Right.JUDGE,
    NewName,
    "Keep a match under another name; the running one goes on under it.",
)
def rename_match(wanted: NewName, match_id: str) -> Answer:
    _desk().rename(match_id, wanted.name, parts().match.session)
    return {"id": wanted.name}


def _option(option: Option, chosen: str, speech: Speech) -> dict[str, Any]:
    choices = [{"value": choice, "text": speech.text(option.choice_title(choice))} for choice in option.choices]
    title = speech.text(option.title)
    return {
        "name": option.name,
        "title": title,
        "value": chosen,
        "choices": choices,
        "suggested": option.suggested,
        "topic": speech.text(_TOPICS[_topic_of(option)]),
    }


_TOPICS = {
    "questions": message("Questions and time"),
    "sight": message("Sight, cover and distance"),
    "play": message("Moves, fights and dice"),
}
"""The groups of the house rules, in the order of the page."""


def _topic_of(option: Option) -> str:
    if option in MATCH_OPTIONS:
        return "questions"
    return "sight" if option.in_rulings else "play"


def _desk() -> MatchMenu:
    desk = parts().matches
    if desk is None:
        raise NoArchive(said("Matches are not saved at this table. Start the program with a data folder."))
    return desk


def _archive() -> KeptMatches:
    archive = parts().archive
    if archive is None:
        raise NoArchive(said("Matches are not saved at this table. Start the program with a data folder."))
    return archive
