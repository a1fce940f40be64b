"""Mission files: everything for a new match except a name and a seed."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from assistant.documents import check_format, convert
from assistant.documents.reading import no_json, plain_utf8
from assistant.errors import BadValue
from assistant.match.game import Name, Text
from assistant.match.games import system_of
from assistant.match.header import Asking, Header, require_playable
from assistant.match.moments import split_options
from assistant.translations.messages import said

MISSION_FORMAT = "sightline.mission/1"


class Mission(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A mission: its rule set, its house options, and the set-up in the form of the rule set."""

    ruleset: Name
    title: Text
    setup: dict[str, Any]
    options: Mapping[str, str] = {}
    table: dict[str, Any] | None = None
    """A sample board or free table, to try the mission without a camera."""


def mission_from_toml(data: bytes, document: str = "mission") -> Mission:
    """Return the mission of a TOML file.

    Raises:
        DocumentError: it is no TOML, or a field is missing or wrong.
    """
    try:
        raw = tomllib.loads(plain_utf8(data).decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise BadValue(said("not valid TOML ({reason})", reason=str(problem)), document=document) from None
    return mission_from_fields(raw, document)


def mission_from_json(data: bytes, document: str = "mission") -> Mission:
    """Return the mission of a ``sightline.mission/1`` document from the editor.

    Raises:
        DocumentError: it is no JSON object of that format, or a field is missing or wrong.
    """
    try:
        raw = msgspec.json.decode(plain_utf8(data), type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise no_json(problem, document) from None
    check_format(raw, MISSION_FORMAT, document)
    return mission_from_fields({name: value for name, value in raw.items() if name != "format"}, document)


def mission_from_fields(raw: Mapping[str, Any], document: str = "mission") -> Mission:
    """Return the mission with these fields.

    Raises:
        DocumentError: a field is missing or wrong.
    """
    mission: Mission = convert(raw, Mission, document)
    require_playable(mission.ruleset, document)
    system_of(mission.ruleset).require_mission(mission.setup, document)
    return mission


def mission_document(mission: Mission) -> dict[str, Any]:
    """Return the ``sightline.mission/1`` document of a mission."""
    document: dict[str, Any] = {"format": MISSION_FORMAT, **msgspec.to_builtins(mission)}
    return document


def new_header(mission: Mission, *, match_id: Name, seed: str, created_t: int, options: Mapping[str, str]) -> Header:
    """Return the header of a new match of that mission; ``options`` are the house's and override the mission's.

    Raises:
        BadValue: its set-up has an unknown field, or does not fit the box of the game.
        UnknownName: an option of every match (`moments.OPTIONS`) has no such choice.
    """
    system_of(mission.ruleset).require_mission(mission.setup, "mission")
    of_match, of_game = split_options({**mission.options, **options})
    return Header(
        id=match_id,
        ruleset=mission.ruleset,
        seed=seed,
        created_t=created_t,
        title=mission.title,
        options=of_game,
        asks=Asking(quick=of_match["moments"] == "quick", speak_up_s=int(of_match["speak_up"])),
        setup=mission.setup,
        table=mission.table,
    )
