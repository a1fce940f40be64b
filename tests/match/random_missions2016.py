"""Missions of chance of DOOM 2016 on random boards, for the search for dead ends."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from loading import beside

from assistant.documents import board_document
from assistant.match.game import INVADER, MARINES
from assistant.table.board import Figure

GAME = "doom2016"

BOARDS = beside(str(Path(__file__).parents[1] / "rules" / "x"), "boards")
BUILD = beside(__file__, "match_builders")
DEAD_ENDS = beside(__file__, "dead_ends")

SMALL, LARGE = ["possessed", "imp"], ["pinky", "cacodemon"]


def random_start(rng: Random) -> Any:
    """A crowded board of any form with marines, demons of one to six cells, portals, teleporters, doors and tokens."""
    setup = BUILD.mission(BUILD.TUTORIAL).setup
    board = BOARDS.random_board(rng, rng.choice([3, 5, 8]))
    marines = [{**one, "cells": []} for one in setup["marines"][: rng.randint(1, 3)]]
    demons = [{**each, "cells": {}} for each in setup["demons"]]
    figures: list[Figure] = []
    for base in board.figures:
        cells = [list(cell) for cell in base.cells]
        waiting = [marine for marine in marines if not marine["cells"]]
        if len(cells) == 1 and waiting and rng.random() < 0.5:
            waiting[0]["cells"] = cells
            figures.append(Figure(waiting[0]["id"], "marine", MARINES, base.cells))
            continue
        kind = rng.choice(SMALL if len(cells) == 1 else LARGE)
        demon = next(each for each in demons if each["kind"] == kind)
        name = next(name for name in demon["figures"] if name not in demon["cells"])
        demon["cells"][name] = cells
        figures.append(Figure(name, kind, INVADER, base.cells))
    taken = {cell for figure in figures for cell in figure.cells}
    free = sorted(board.cells - board.blocking - taken)
    rng.shuffle(free)
    for marine in marines:
        if not marine["cells"] and free:
            place = free.pop()
            marine["cells"] = [list(place)]
            figures.append(Figure(marine["id"], "marine", MARINES, (place,)))
    if not any(marine["cells"] for marine in marines):
        return random_start(rng)
    places = sorted(board.cells)
    made = {
        **setup,
        "marines": [marine for marine in marines if marine["cells"]],
        "demons": demons,
        "goals": {**setup["goals"], "frags": {str(n): 30 for n in (1, 2, 3, 4)}},
        "portals": [
            {"id": f"p{n}", "color": rng.choice(["blue", "yellow", "red"]), "cell": list(rng.choice(places))}
            for n in range(rng.randint(0, 2))
        ],
        "teleporters": [
            {"id": f"t{n}", "cell": list(rng.choice(places)), "active": rng.random() < 0.6}
            for n in range(rng.randint(0, 3))
        ],
        "items": [
            {"id": f"i{n}", "kind": "health", "cell": list(rng.choice(places))} for n in range(rng.randint(0, 3))
        ],
    }
    return DEAD_ENDS.Start(made, {}, board_document(BOARDS.with_figures(board, figures)))
