"""Shared builders of the match tests: sample missions as sessions, small boards, scripts of commands."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

import assistant
from assistant.documents import board_document, header_line, match_lines
from assistant.errors import IllegalStep
from assistant.match.actor import JUDGE, TABLE, Actor, player
from assistant.match.audience import JUDGE_VIEW
from assistant.match.game import INVADER
from assistant.match.missions import Mission, mission_from_toml, new_header
from assistant.match.session import Receipt, Session
from assistant.table.board import Board, Door
from assistant.table.lattice import Edge, edge_between

GAMES = Path(assistant.__file__).parent / "games"
TUTORIAL, KNEE_DEEP, BRIDGE = "doom2016_tutorial_sample", "doom2004_knee_deep_sample", "roads_bridge_sample"


class Lines:
    """A journal in memory; it fails once on request."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self.failure: Exception | None = None

    def append(self, seq: int, line: bytes) -> None:
        if self.failure is not None:
            problem, self.failure = self.failure, None
            raise problem
        assert seq == len(self.lines) + 1
        self.lines.append(line)


class Played:
    """A running match with its journal, for scripts that read like the game."""

    def __init__(self, session: Session, journal: Lines) -> None:
        self.session = session
        self.journal = journal

    @property
    def game(self) -> Any:
        return self.session.timeline.game

    def do(self, type_: str, by: Actor | None = None, **fields: Any) -> Receipt:
        """Give a command from the shared tablet or, if not allowed, from the invader's own device."""
        command = {"type": type_, **fields}
        actor = by or (player(INVADER) if self._is_secret(type_) else TABLE)
        try:
            return self.session.command(command, actor)
        except IllegalStep as problem:
            if actor.role != "table" or problem.rule is None or problem.rule.id != "match/moments":
                raise
        self.let_be()
        return self.session.command(command, actor)

    def let_be(self) -> None:
        """Pass the tablet round, and let everybody pass."""
        for moment in self.session.moments():
            self.session.command({"type": "pass", "of": moment.side, "asked": [moment.id]}, TABLE)

    def _is_secret(self, type_: str) -> bool:
        types = self.session.system.commands.values()
        return any(getattr(t, "is_secret", False) for t in types if t.__struct_config__.tag == type_)

    def script(self, steps: Iterable[tuple[str, Mapping[str, Any]]]) -> None:
        for type_, fields in steps:
            self.do(type_, **fields)

    def document(self) -> bytes:
        return match_lines([header_line(self.session.header.document()), *self.journal.lines])


EVERY_RULE = "roads_every_rule"
"""The bridge with models that together have every ability and weapon; not a shipped mission."""

_ABILITIES: Mapping[str, dict[str, Any]] = {
    "mortar": {"weapons": ["shotgun", "sword"], "carries": ["knife"], "leap": 4},
    "squire": {"frenzy": True, "charge_steps": 6, "hates": ["diggers"]},
    "crossbow": {"weapons": ["crossbow"], "carries": ["knife"]},
    "old-man": {"terror": True, "weapons": ["pistol", "knife"]},
    "digger-1": {"weapons": ["grenade", "spade"], "leap": 3},
    "digger-2": {"frenzy": True, "stupid": True, "charge_steps": 5},
}


def every_rule() -> Mission:
    base = mission(BRIDGE)
    arms = {
        "shotgun": {"kind": "bulky", "range_steps": 8},
        "crossbow": {"kind": "bulky", "silent": True},
        "pistol": {"kind": "pistol", "range_steps": 4},
        "grenade": {"kind": "thrown", "range_steps": 3},
    }
    fighters = [{**fighter, **_ABILITIES.get(fighter["id"], {})} for fighter in base.setup["fighters"]]
    return with_setup(base, fighters=fighters, arms=arms)


@cache
def mission(name: str) -> Mission:
    if name == EVERY_RULE:
        return every_rule()
    return mission_from_toml(next(GAMES.glob(f"*/missions/{name}.toml")).read_bytes(), name)


def with_setup(base: Mission, **changes: Any) -> Mission:
    return msgspec.structs.replace(base, setup={**base.setup, **changes})


def counting_clock(step_ms: int = 1000) -> Callable[[], int]:
    ticks = itertools.count(1_700_000_000_000, step_ms)
    return lambda: next(ticks)


def begun(
    base: Mission,
    *,
    seed: str = "seed",
    options: Mapping[str, str] | None = None,
    clock: Callable[[], int] | None = None,
) -> Played:
    journal = Lines()
    header = new_header(base, match_id="m", seed=seed, created_t=0, options=options or {})
    return Played(Session(header, journal=journal, clock_ms=clock or counting_clock()), journal)


def corridor(
    width: int, height: int, doors: Mapping[str, tuple[tuple[int, int], tuple[int, int]]] | None = None
) -> dict[str, Any]:
    """Return a bare board of the given size, with a wall across every column with a door, except at the door."""
    found = []
    edges: dict[Edge, Any] = {}
    for name, (a, b) in (doors or {}).items():
        door_edge = edge_between(a, b)
        for row in range(height):
            edge = edge_between((a[0], row), (b[0], row))
            if edge != door_edge:
                edges[edge] = "wall"
        found.append(Door(name, (door_edge,)))
    cells = frozenset((x, y) for x in range(width) for y in range(height))
    return board_document(Board(cells, edges, tuple(found)))


def field(base: Mission) -> dict[str, Any]:
    """Return a bare free table with the models of a skirmish where it begins, on bases of 25 mm."""
    figures = [
        {
            "id": fighter["id"],
            "side": fighter["side"],
            "center_mm": fighter["center_mm"],
            "base_mm": 25,
            "height_mm": 30,
            "elevation_mm": 0,
            "facing_deg": 0,
            "stats": {name: fighter[name] for name in ("mobility", "toughness", "spirit", "combat")},
            "marks": [mark for mark, key in (("leader", "is_leader"), ("fear", "fear")) if fighter.get(key)],
        }
        for fighter in base.setup["fighters"]
    ]
    return {
        "format": "sightline.free-table/1",
        "step_mm": 50,
        "size_mm": [1200, 900],
        "terrain": [],
        "figures": figures,
    }


TABLES: Mapping[str, Callable[[Mission], dict[str, Any]]] = {
    TUTORIAL: lambda base: corridor(13, 3, {"d1": ((6, 1), (7, 1))}),
    KNEE_DEEP: lambda base: corridor(12, 4, {"red-door": ((8, 1), (9, 1))}),
    BRIDGE: field,
    EVERY_RULE: field,
}


def on_table(name: str, **kinds: Any) -> Played:
    """Return a match of a sample mission that has seen its table."""
    base = mission(name)
    played = begun(base, **kinds)
    played.do("see", document=TABLES[name](base))
    return played


__all__ = [
    "BRIDGE",
    "EVERY_RULE",
    "GAMES",
    "JUDGE",
    "JUDGE_VIEW",
    "KNEE_DEEP",
    "TABLE",
    "TABLES",
    "TUTORIAL",
    "Lines",
    "Played",
    "begun",
    "corridor",
    "counting_clock",
    "field",
    "mission",
    "on_table",
    "with_setup",
]
