"""The match's table from above, for choosing figures: plain shapes in the table's own units."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from assistant.app.live.place_names import shorten_names, speak_name
from assistant.match.game import GameState
from assistant.match.ground import table_of
from assistant.table.board import Board, Figure
from assistant.table.cell_names import CellNames
from assistant.table.free_table import FreeTable, Terrain
from assistant.table.lattice import Cell
from assistant.table.roster import kind_of
from assistant.translations.catalogue import speak_id
from assistant.translations.speech import Speech, speech

Shape = dict[str, Any]

FIGURE_SHARE = 0.84
"""Share of its cell that a figure fills, so that lines round the cell stay visible."""

RIM = 0.32
"""Distance of the letters and numbers from the board, in cells."""

TOKENS = ("items", "portals", "teleporters")
"""The lists of a view with tokens on spaces. A token without a kind takes its list's kind."""


def list_tokens(view: Mapping[str, Any], speech: Speech) -> list[Shape]:
    """Return tokens on spaces in the reader's view, and empty goals: kind, name and spaces."""
    tokens = [
        {
            "kind": token.get("kind", part[:-1]),
            "name": speak_id(token["id"], speech.language),
            "cells": [list(token["cell"])],
        }
        for part in TOKENS
        for token in view.get(part, ())
    ]
    places: dict[str, Shape] = {}
    for goal in view["goals"]:
        name = speech.text("Goal: {side}", side=speak_id(goal["side"], speech.language))
        for cells in goal["places"]:
            places.setdefault(str(cells), {"kind": "goal", "name": name, "cells": cells})
    marked = [token["cells"] for token in tokens]
    return tokens + [place for place in places.values() if place["cells"] not in marked]


def ground_document(game: GameState, language: str) -> Shape | None:
    """Return cells, lines, doors and figures, or None before the match has a table.

    ``box`` is left, top, width and height in cells or millimetres. ``unit`` is the size of a cell, or of a step.
    ``sides`` are in the order of their colours, whatever the order of the figures.
    """
    if not game.ground:
        return None
    table = table_of(game)
    drawn = _board(table, language) if isinstance(table, Board) else _free_table(table, language)
    return drawn | {"sides": list(dict.fromkeys(piece.side for piece in game.pieces.values()))}


def _board(board: Board, language: str) -> Shape:
    edges = [{"kind": kind, "from": list(edge.start), "to": list(edge.end)} for edge, kind in board.edges.items()]
    doors = [
        {"kind": "open-door" if door.open else "door", "from": list(edge.start), "to": list(edge.end)}
        for door in board.doors
        for edge in door.edges
    ]
    areas = [
        {"kind": kind, "outline": _square(cell)}
        for kind, cells in (("cell", board.cells), ("difficult", board.difficult), ("blocking", board.blocking))
        for cell in sorted(cells)
    ]
    short = shorten_names(board.figures, language)
    figures = [_figure(figure, short[figure.id], language) for figure in board.figures]
    return {
        "box": _box(board.cells),
        "unit": 1,
        "areas": areas,
        "lines": [*edges, *doors],
        "figures": figures,
        "rim": _rim(board),
    }


def _free_table(table: FreeTable, language: str) -> Shape:
    width, height = (float(size) for size in table.size_mm)
    short = shorten_names(table.figures, language)
    areas = [
        {
            "kind": piece.kind,
            "outline": [[float(x), float(y)] for x, y in piece.outline_mm],
            "name": _word_terrain(piece, table, speech(language)),
        }
        for piece in table.terrain
    ]
    figures = [
        {
            "id": figure.id,
            "name": speak_id(figure.id, language),
            "short": short[figure.id],
            "side": figure.side,
            "center": [float(figure.center_mm[0]), float(figure.center_mm[1])],
            "size": [float(figure.base_mm)] * 2,
        }
        for figure in table.figures
    ]
    table_area = {"kind": "table", "outline": [[0, 0], [width, 0], [width, height], [0, height]]}
    return {
        "box": [0, 0, width, height],
        "unit": float(table.step_mm),
        "areas": [table_area, *areas],
        "lines": [],
        "figures": figures,
        "rim": [],
    }


def _word_terrain(piece: Terrain, table: FreeTable, words: Speech) -> str:
    """Return the type of a piece of terrain and, if raised, its height, since its colour shows neither."""
    name = speak_id(kind_of(piece.id), words.language)
    if piece.height_mm <= 0:
        return name
    return words.text("{name}, {steps} steps high", name=name, steps=round(float(piece.height_mm / table.step_mm), 1))


def _figure(figure: Figure, short: str, language: str) -> Shape:
    xs, ys = zip(*((column + 0.5, row + 0.5) for column, row in figure.cells), strict=True)
    return {
        "id": figure.id,
        "name": speak_name(figure, language),
        "short": short,
        "side": figure.side,
        "center": [(min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2],
        "size": [max(xs) - min(xs) + FIGURE_SHARE, max(ys) - min(ys) + FIGURE_SHARE],
    }


def _rim(board: Board) -> list[Shape]:
    """Return letters over the columns and numbers beside the rows. Sentences name spaces by them."""
    names, (left, top, _, _) = CellNames.of(board), _box(board.cells)
    columns = {cell[0]: {"text": names.column(cell), "at": [cell[0] + 0.5, top - RIM]} for cell in board.cells}
    rows = {cell[1]: {"text": str(names.row(cell)), "at": [left - RIM, cell[1] + 0.5]} for cell in board.cells}
    return [columns[column] for column in sorted(columns)] + [rows[row] for row in sorted(rows)]


def _square(cell: Cell) -> list[list[int]]:
    x, y = cell
    return [[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]]


def _box(cells: Iterable[Cell]) -> list[int]:
    columns, rows = zip(*cells, strict=True)
    left, top = min(columns), min(rows)
    return [left, top, max(columns) + 1 - left, max(rows) + 1 - top]
