"""Random missions of DOOM 2016 on random boards, for the search for dead ends."""

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

GAME = "doom2016"

KINDS = {1: ["possessed", "imp"], 2: ["pinky"], 4: ["baron"], 6: ["cyberdemon"]}
COLORS = ("blue", "yellow", "red")

CARDS: dict[str, Any] = {
    "rocket": {
        "name": "Rocket",
        "kind": "main",
        "movement": 3,
        "attack": {"range": 6, "dice": {"red": 2}, "effects": [{"effect": "area_damage", "damage": 1}]},
    },
    "run": {"name": "Run", "movement": 4, "shields": 1},
    "freeze": {"name": "Freeze", "attack": {"range": 4, "dice": {"black": 1}, "effects": [{"effect": "stun"}]}},
    "armour": {"name": "Armour", "kind": "reaction", "shields": 2, "when": "defending"},
    "dodge": {"name": "Roll", "kind": "reaction", "dodge": True, "when": "any", "effects": [{"effect": "draw"}]},
    "hop": {"name": "Hop", "kind": "reaction", "when": "any", "effects": [{"effect": "movement", "points": 2}]},
    "back": {
        "name": "Back",
        "kind": "reaction",
        "when": "defending",
        "effects": [{"effect": "attack", "attack": {"range": 4, "dice": {"red": 1}}}],
    },
    "fury": {
        "name": "Fury",
        "when": "attacking",
        "special": True,
        "effects": [{"effect": "dice", "dice": {"black": 1}}],
    },
    "skin": {"name": "Skin", "when": "defending", "shields": 1, "effects": [{"effect": "damage", "amount": -1}]},
    "rush": {"name": "Rush", "when": "activation", "effects": [{"effect": "movement", "points": 2}]},
    "savage": {"name": "Savage", "effects": [{"effect": "movement", "points": 2}], "when": "activation"},
}
ABILITIES = [
    {"name": "Steady", "when": "attacking", "exhausts": True, "effects": [{"effect": "reroll", "count": 1}]},
    {"name": "Aim", "when": "attacking", "effects": [{"effect": "ignore_cover"}]},
    {"name": "Slip", "when": "defending", "effects": [{"effect": "movement", "points": 1}]},
    {"name": "Dash", "action": "main", "effects": [{"effect": "movement", "points": 3}]},
]
HOUSE = {
    "displaced_nowhere": ("fragged", "no_end"),
    "teleporters_taken": ("passes", "beside"),
    "same_events": ("attack", "activation"),
    "stunned_reaction": ("allowed", "refused"),
    "teleport_cost": ("step", "free"),
    "initiative_types": ("at_status", "at_once"),
    "glory_cost": ("normal", "no_extra"),
    "cover_along_wall": ("gives", "none"),
    "ability_points": ("round", "activation"),
    "points_outside": ("at_once", "kept", "refused"),
}


def random_start(rng: Random) -> Any:
    """Return a crowded board of any form with marines, demons of every base, portals, teleporters, doors and tokens."""
    board = BOARDS.random_board(rng, rng.choice([3, 5, 7]))
    bases = [figure for figure in board.figures if len(figure.cells) in KINDS]
    places = sorted(board.cells)
    marines = [_marine(f"marine-{n}") for n in range(1, rng.randint(1, 4) + 1)]
    demons = [_demon(rng, kind, size) for size, kinds in KINDS.items() for kind in kinds]
    figures = DEAD_ENDS.cast(rng, bases, marines, {setup["kind"]: setup for setup in demons}, KINDS)
    free = sorted(board.cells - board.blocking - {cell for figure in figures for cell in figure.cells})
    rng.shuffle(free)
    for marine in marines:
        if "cells" not in marine and free:
            marine["cells"] = [list(free.pop())]
            figures.append(Figure(marine["id"], "marine", MARINES, (tuple(marine["cells"][0]),)))
    portals = [
        {"id": f"p{n}", "color": rng.choice(COLORS), "cell": list(rng.choice(places))} for n in range(rng.randint(0, 4))
    ]
    setup = {
        "mission": "chance",
        "marines": marines,
        "demons": demons,
        "goals": {"frags": {str(len(marines)): 30}, "tutorial": rng.random() < 0.3},
        "cards": CARDS,
        "events": ["fury", "skin", "rush"] * 6,
        "glory": ["savage"] * 3,
        "invasion": [
            {"portal": color, "demons": {kind: rng.randint(1, 3)}, "argent": rng.randint(0, 2)}
            for color in COLORS
            for kind in rng.sample([kind for kinds in KINDS.values() for kind in kinds], 2)
        ],
        "portals": portals,
        "teleporters": [
            {"id": f"t{n}", "cell": list(rng.choice(places)), "active": rng.random() < 0.6}
            for n in range(rng.randint(0, 3))
        ],
        "items": [
            {"id": f"i{n}", "kind": rng.choice(["health", "objective"]), "cell": list(rng.choice(places))}
            for n in range(rng.randint(0, 4))
        ],
        "dice": {"red": [1, 1, 2, 2, 3, 3], "black": [0, 0, 1, 1, 2, 2]},
        "triggers": _triggers(rng, board, portals),
        "threat_cost": rng.choice([0, 1, 2]),
    }
    doors = tuple(Door(door.id, door.edges, door.open) for door in board.doors)
    table = Board(board.cells, board.edges, doors, tuple(figures), board.difficult, board.blocking)
    options = {name: rng.choice(choices) for name, choices in HOUSE.items()}
    return DEAD_ENDS.Start(setup, options, board_document(table))


def _marine(name: str) -> dict[str, Any]:
    deck = ["rocket", "run", "run", "freeze", "armour", "dodge", "rocket", "hop", "freeze", "back"]
    return {"id": name, "deck": deck, "abilities": ABILITIES, "health": 4}


def _demon(rng: Random, kind: str, size: int) -> dict[str, Any]:
    attack = {"range": rng.choice([1, 4]), "dice": {"red": 1, "black": 1}}
    rage = {"name": "Rage", "when": "attacking", "argent": 1, "effects": [{"effect": "damage", "amount": 1}]}
    return {
        "kind": kind,
        "health": 2 + size,
        "stagger": 2,
        "speed": rng.choice([3, 5, 7]),
        "attack": attack,
        "figures": [f"{kind}-{n}" for n in range(1, 4)],
        "cells": {},
        "abilities": [rage],
    }


def _triggers(rng: Random, board: Board, portals: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Sentences of threat cards: portals that summon at doors, in areas and in the status phase, and threat."""
    found: list[dict[str, Any]] = [
        {
            "name": "Flow",
            "card": "threat",
            "on": "status",
            "once": False,
            "outcomes": [{"outcome": "threat", "count": 2}],
        }
    ]
    places = sorted(board.cells)
    for number, portal in enumerate(portals):
        outcome = [{"outcome": "summon", "portals": [portal["id"]]}]
        when = rng.choice(["door_opened", "area_entered", "status"])
        area = {"area": [list(cell) for cell in rng.sample(places, len(places) // 2)]} if when == "area_entered" else {}
        found.append({"name": f"Card {number}", "card": "threat", "on": when, "outcomes": outcome, **area})
    return found
