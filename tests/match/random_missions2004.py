"""Random missions of DOOM 2004 on random boards, for the search for dead ends."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from loading import beside

from assistant.documents import board_document
from assistant.match.game import MARINES
from assistant.table.board import Board, Door, Figure

RULES = str(Path(__file__).parents[1] / "rules" / "x")
BOARDS = beside(RULES, "boards")
BUILD = beside(__file__, "match_builders")
DEAD_ENDS = beside(__file__, "dead_ends")

GAME = "doom2004"

KINDS = {1: ["zombie", "imp", "trite"], 2: ["demon"], 4: ["mancubus"]}

EVENTS = {
    "trap": {"name": "Trap", "when": "token_taken", "effects": [{"effect": "activate", "count": 2}]},
    "rush": {"name": "Rush", "effects": [{"effect": "activate", "count": 3}]},
    "early": {"name": "Early", "when": "turn_start", "effects": [{"effect": "activate", "count": 1}]},
    "before": {"name": "Before", "when": "marine_turn", "effects": [{"effect": "activate", "count": 1}]},
    "dark": {"name": "Dark", "when": "marine_attack", "effects": [{"effect": "heal", "wounds": 1}]},
    "dodge": {"name": "Dodge", "effects": [{"effect": "dodge"}]},
}


def random_start(rng: Random) -> Any:
    """Return a crowded random board with marines, invaders, doors, obstacles, tokens, teleporters, hidden areas."""
    setup = BUILD.mission(BUILD.KNEE_DEEP).setup
    board = BOARDS.random_board(rng, rng.choice([3, 5, 7]))
    small = [figure for figure in board.figures if len(figure.cells) in KINDS]
    free = sorted(board.cells - board.blocking - {cell for figure in small for cell in figure.cells})
    rng.shuffle(free)
    colors = ("red", "green", "blue")[: rng.randint(1, 3)]
    marines: list[dict[str, Any]] = [{"id": f"{color}-marine", "color": color} for color in colors]
    invaders = [{**each, "cells": {}} for each in setup["invaders"]]
    box = {each["kind"]: each for each in invaders}
    figures = DEAD_ENDS.cast(rng, small, marines, box, KINDS, lambda each, name: each["figures"][name] in colors)
    for marine in marines:  # an unplaced figure takes a free place, if any
        if "cells" not in marine and free:
            place = free.pop()
            marine["cells"] = [list(place)]
            figures.append(Figure(marine["id"], "marine", MARINES, (place,)))
    places = sorted(board.cells)
    weapons = {**setup["weapons"], "saw": {"dice": {"green": 1, "blue": 1}, "blow_through": True, "always": True}}
    groups: list[dict[str, int]] = [{"demon": 1}, {"trite": 3}, {"mancubus": 1, "imp": 1}, {"zombie": 2}]
    spawns = {f"spawn-{n}": {"name": "Spawn", "spawns": rng.sample(groups, 2), "scatter": [1, 0]} for n in range(6)}
    events = {
        f"{name}-{n}": {**card, "scatter": rng.choice([[1, 1], [0, -2]])}
        for n in (1, 2)
        for name, card in EVENTS.items()
    }
    made = {
        **setup,
        "marines": marines,
        "invaders": invaders,
        "weapons": weapons,
        "cards": {**spawns, **events} if rng.random() < 0.8 else events,
        "goals": {"frags": 40},
        "locks": {},
        "teleporters": [{"id": f"t{n}", "cell": list(rng.choice(places))} for n in range(rng.randint(0, 3))],
        "items": [
            {"id": f"i{n}", "kind": "ammo", "what": "rockets", "count": 3, "cell": list(rng.choice(places))}
            for n in range(rng.randint(1, 6))
        ],
        "damaging": [list(cell) for cell in rng.sample(places, len(places) // 4)],
        "areas": [
            {"id": f"area-{door.id}", "door": door.id, "invaders": [_area_invader(rng, places)], "items": []}
            for door in board.doors
            if not door.open and rng.random() < 0.7
        ],
    }
    doors = tuple(Door(door.id, door.edges, door.open) for door in board.doors)
    table = Board(board.cells, board.edges, doors, tuple(figures), board.difficult, board.blocking)
    options = {
        "friendly_fire": rng.choice(["refused", "allowed"]),
        "own_space": rng.choice(["refused", "blasts"]),
        "order_at_once": rng.choice(["allowed", "later"]),
    }
    return DEAD_ENDS.Start(made, options, board_document(table))


def _area_invader(rng: Random, places: list[tuple[int, int]]) -> dict[str, Any]:
    return {"kind": rng.choice(["zombie", "imp"]), "cells": [list(rng.choice(places))]}
