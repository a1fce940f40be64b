"""Lines of sight of a drawn map's board through the map's own walls."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import drawn_maps as drawn

import assistant
from assistant.documents.exchange import Brought
from assistant.documents.foundry import board_from_foundry
from assistant.documents.uvtt import board_from_uvtt
from assistant.table.board import Figure


def board_of(made: drawn.DrawnMap, form: str) -> Brought:
    """Return the board of a map in the form of another program."""
    if form == "uvtt":
        return board_from_uvtt(json.dumps(drawn.as_uvtt(made)).encode(), 25.4, "map")
    return board_from_foundry(json.dumps(drawn.as_foundry(made)).encode(), 25.4, "map")


def seen_through(made: drawn.DrawnMap, form: str, seed: int) -> tuple[int, int]:
    """Pairs that the map's own walls block, and how many of these the board sees."""
    rules, board = assistant.cell_game("doom2016"), board_of(made, form).board
    walls = drawn.sight_walls(made, is_foundry=form == "foundry")
    cells = random.Random(seed).sample(sorted(board.cells), min(16, len(board.cells)))
    figures = tuple(Figure(f"f{n}", "?", f"side-{n % 2}", (cell,)) for n, cell in enumerate(cells))
    board, blocked, seen = replace(board, figures=figures), 0, 0
    for one in figures[::2]:
        for other in figures[1::2]:
            if drawn.is_blocked(one.cells[0], other.cells[0], walls):
                blocked += 1
                seen += bool(rules.rule(board, one.id, other.id).line_of_sight)
    return blocked, seen
