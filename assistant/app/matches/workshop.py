"""Makes missions: offers starting points, checks them and saves them."""

from __future__ import annotations

import time
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from assistant.app.matches.archive import KeptMatches, list_shipped_missions, load_shipped_mission, require_name
from assistant.errors import InputError, UnknownName
from assistant.match.actor import CAMERA
from assistant.match.game import Piece
from assistant.match.games import Game, game_named, games
from assistant.match.ground import BOARD, FREE_TABLE
from assistant.match.missions import Mission, mission_from_fields, new_header
from assistant.match.moments import split_options
from assistant.match.session import Session
from assistant.translations.messages import Said, said

BARE_BOARD: Mapping[str, Any] = {
    "format": BOARD,
    "cell_mm": 25.4,
    "cells": [[column, row] for row in range(8) for column in range(12)],
    "edges": [],
    "doors": [],
    "figures": [],
}
BARE_TABLE: Mapping[str, Any] = {
    "format": FREE_TABLE,
    "step_mm": 50,
    "size_mm": [1200, 900],
    "terrain": [],
    "figures": [],
}


@dataclass(frozen=True)
class Beginning:
    """A starting point for an own mission.

    Args:
        name: its id in requests.
        title: its title; empty for the game's box and for an empty mission.
        is_box: whether it is the game's box as the sources describe it.
    """

    name: str
    title: str
    is_box: bool = False


@dataclass(frozen=True)
class MissionFault:
    """A fault of a mission: the path of the field, or empty, and the reader's sentence."""

    field: str
    sentence: Said


@dataclass(frozen=True)
class BoxContents:
    """The sources' facts about a game's box: words by their ids, names as printed there.

    Args:
        source: the source.
        holds: the number of each thing.
        names: names of weapons, event sets, tiles and the like, by kind.
        gaps: facts that no source gives, by subject.
    """

    source: str
    holds: Mapping[str, int] = field(default_factory=dict)
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)
    gaps: Mapping[str, Sequence[str]] = field(default_factory=dict)


class Workshop:
    """Makes missions.

    Args:
        kept: the stored matches and missions.
    """

    def __init__(self, kept: KeptMatches) -> None:
        self._kept = kept

    def games(self) -> tuple[Game, ...]:
        """Return the games whose matches can be stored."""
        return tuple(game for game in games() if game.match)

    def beginnings(self, ruleset: str) -> tuple[Beginning, ...]:
        """Return the starting points for a game's missions: its box, shipped missions, own missions.

        Raises:
            UnknownName: there is no such game.
        """
        game = game_named(ruleset)
        box = Beginning("box", "", is_box=bool(game.files("boxes", ".toml")))
        shipped = ((name, load_shipped_mission(name)) for name in list_shipped_missions())
        own = ((f"own/{name}", self._kept.own_missions.load(name)) for name in self._kept.own_missions.names())
        found = (Beginning(name, one.title) for name, one in (*shipped, *own) if one.ruleset == ruleset)
        return (box, *found)

    def begin(self, ruleset: str, name: str) -> dict[str, Any]:
        """Return the fields of a new mission, with a table to play on. Fields unknown to the sources are missing.

        Raises:
            UnknownName: there is no such game or mission.
        """
        game = game_named(ruleset)
        fields = _read_box(game) if name == "box" else dict(msgspec.to_builtins(self.load(name)))
        fields.pop("box", None)
        if fields.get("table") is None:
            fields["table"] = dict(BARE_BOARD if game.table == "cells" else BARE_TABLE)
        return fields

    def load(self, name: str) -> Mission:
        """Load a mission by name: a shipped one, or an own one as ``own/NAME``.

        Raises:
            UnknownName: there is none.
        """
        place, _, own = name.partition("/")
        return self._kept.own_missions.load(own) if place == "own" else load_shipped_mission(name)

    def find_fault(self, fields: Mapping[str, Any]) -> tuple[MissionFault | None, tuple[Piece, ...]]:
        """Return the first fault that the mission reader finds, and the figures of the resulting match."""
        try:
            mission = mission_from_fields(fields)
            _, of_game = split_options(mission.options)
            game_named(mission.ruleset).rules(of_game)
        except InputError as problem:
            return _fault("", problem), ()
        try:
            header = new_header(mission, match_id="tried", seed="tried", created_t=0, options={})
            session = Session(header, journal=None, clock_ms=lambda: time.time_ns() // 1_000_000)
        except InputError as problem:
            return _fault("setup", problem), ()
        try:
            if mission.table is not None:
                session.command({"type": "see", "document": mission.table}, CAMERA)
        except InputError as problem:
            return _fault("table", problem), tuple(session.timeline.game.pieces.values())
        named = bool(mission.title.strip())
        fault = None if named else MissionFault("title", said("give the mission a name"))
        return fault, tuple(session.timeline.game.pieces.values())

    def keep(self, name: str, fields: Mapping[str, Any]) -> None:
        """Save a valid mission under a name.

        Raises:
            BadName: the name is not allowed.
            InputError: the mission is not valid.
            StoreError: it cannot be written.
        """
        require_name(name)
        fault, _ = self.find_fault(fields)
        if fault is not None:
            raise UnknownName(fault.sentence, document=said("mission"), field=fault.field)
        self._kept.own_missions.keep(name, mission_from_fields(fields))

    def box(self, ruleset: str) -> BoxContents:
        """Return the sources' facts about a game's box, which are empty for a game without sources.

        Raises:
            UnknownName: there is no such game.
        """
        contents = _read_box(game_named(ruleset)).get("box", {})
        return BoxContents(**{**contents, "source": contents.get("source", "")})


def _read_box(game: Game) -> dict[str, Any]:
    """Return the mission of a game's box with all known numbers, and the facts about the box itself."""
    boxes = game.files("boxes", ".toml")
    if not boxes:
        return {"ruleset": game.id, "title": "", "setup": {}}
    return tomllib.loads(next(iter(boxes.values())).read_text())


def _fault(part: str, problem: InputError) -> MissionFault:
    return MissionFault(".".join(filter(None, (part, problem.field))), problem.sentence)
