"""Random skirmishes of `roads` on random tables, for the search for dead ends."""

from __future__ import annotations

import math
from random import Random
from typing import Any

from loading import beside

from assistant.games.roads.rules import OPTIONS

BUILD = beside(__file__, "match_builders")
DEAD_ENDS = beside(__file__, "dead_ends")

GAME = "roads"

ARMS: dict[str, dict[str, Any]] = {
    "axe": {"strength": "4", "critical": "splits the shield"},
    "mace": {},
    "pistol": {"kind": "pistol", "range_steps": 8},
    "gun": {"kind": "bulky"},
    "bow": {"kind": "bulky", "silent": True},
    "bomb": {"kind": "thrown", "range_steps": 3},
}
ABILITIES = ("shield", "painless", "frenzy", "stupid", "fear", "terror", "immune")


def random_start(rng: Random) -> Any:
    """Return a crowded table of two or three warbands, on which most models touch or nearly touch another."""
    sides = ["knights", "diggers", "outcasts"][: rng.choice([2, 2, 3])]
    crowd = rng.choice([90, 200, 400])
    fighters: list[dict[str, Any]] = []
    for side in sides:
        for number in range(rng.randint(1, 4)):
            place = [300 + rng.randrange(crowd), 300 + rng.randrange(crowd)]
            if all(place != other["center_mm"] for other in fighters):
                fighters.append(_model(rng, f"{side}-{number}", side, place, sides))
    table = {**BUILD.field(BUILD.with_setup(BUILD.mission(BUILD.BRIDGE), sides=sides, fighters=fighters, arms=ARMS))}
    for figure in table["figures"]:
        figure["elevation_mm"] = rng.choice([0, 0, 0, 0, 60])
        figure["base_mm"] = rng.choice([25, 25, 40])
    table["terrain"] = [_terrain(rng, f"piece-{number}", crowd) for number in range(rng.choice([0, 0, 2, 5]))]
    options = {option.name: rng.choice(option.choices) for option in OPTIONS if rng.random() < 0.5}
    setup = {"skirmish": "Chance", "sides": sides, "fighters": fighters, "arms": ARMS}
    return DEAD_ENDS.Start(setup, options, table)


def _model(rng: Random, name: str, side: str, place: list[int], sides: list[str]) -> dict[str, Any]:
    values = {key: rng.randint(1, 6) for key in ("mobility", "toughness", "spirit", "combat")}
    lengths = {key: rng.choice([None, 4, 8]) for key in ("walk_steps", "run_steps", "charge_steps")}
    abilities = {key: rng.random() < 0.25 for key in ABILITIES}
    arms = list(ARMS)
    return {
        **values,
        **lengths,
        **abilities,
        "id": name,
        "side": side,
        "center_mm": place,
        "dice": rng.choice([1, 1, 2, 4]),
        "weapons": rng.sample(arms, rng.randint(1, 2)),
        "carries": rng.sample(arms, rng.randint(0, 2)),
        "melodies": ["march"] if rng.random() < 0.2 else [],
        "hates": [rng.choice(sides)] if rng.random() < 0.3 else [],
        "leap": rng.choice([0, 0, 4]),
        "climbs": rng.random() < 0.8,
        "on_foot": rng.random() < 0.8,
        "is_leader": rng.random() < 0.2,
        "adds": rng.choice([0, 0, 1]),
        "out_at": rng.choice([None, 1, 3]),
    }


def _terrain(rng: Random, name: str, crowd: int) -> dict[str, Any]:
    x, y = 280 + rng.randrange(crowd + 40), 280 + rng.randrange(crowd + 40)
    wide, high = rng.choice([(6, 120), (120, 6), (40, 40)])
    return {
        "id": name,
        "kind": rng.choice(["wall", "cover", "difficult", "gap"]),
        "outline_mm": [[x, y], [x + wide, y], [x + wide, y + high], [x, y + high]],
        "height_mm": rng.choice([0, 15, 60, 110]),
    }


def vary(game: Any, fields: dict[str, Any], rng: Random) -> dict[str, Any]:
    """Return the command with a random place, if it takes one."""
    name = fields.get("figure")
    place = game.pieces[name].center_mm if name in game.pieces else None
    if place is None or fields["type"] not in _PLACED or rng.random() < 0.3:
        return fields
    if fields["type"] == "move" and rng.random() < 0.5:  # as far as a walk or a shuffle goes
        steps, turn = (game.fighter(name).walk_steps or 0) * rng.choice([0.4999, 0.999]), rng.uniform(0, 2 * math.pi)
        return {**fields, "center_mm": [place[0] + 50 * steps * math.cos(turn), place[1] + 50 * steps * math.sin(turn)]}
    reach = rng.choice([30, 60, 200])
    return {**fields, "center_mm": [place[axis] + rng.uniform(-reach, reach) for axis in (0, 1)]}


_PLACED = frozenset({"move", "manoeuvre", "flee", "advance", "crawl", "draw_in", "react", "place"})


_ASIDE = frozenset({"wield", "melody", "fall", "modify", "leave", "hold_back"})
HABITS = DEAD_ENDS.Habits(_ASIDE, vary)
