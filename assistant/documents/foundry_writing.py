"""Writes a board as a Foundry scene of versions 9 to 14: walls by the senses they block, doors, tokens, one level.

``flags.sightline`` holds everything without a field in a scene, so a board is read back unchanged. Versions before 14
ignore levels.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import msgspec

from assistant.documents.exchange import rim_of, runs_of
from assistant.documents.foundry_scene import DEFAULT_LEVEL, GRID_PX, OWN, PASSES, SQUARE, STOPS
from assistant.table.board import Board, EdgeKind, Figure
from assistant.table.lattice import Cell, Edge, Point
from assistant.translations.messages import Said, counted, said

TOP = 4
"""Height of the level in the scene's units: Foundry's own default, four times the distance of a cell."""

SENSES: Mapping[EdgeKind, Mapping[str, int]] = {
    "wall": {"move": STOPS, "sight": STOPS, "light": STOPS, "sound": STOPS},
    "obstacle": {"move": PASSES, "sight": STOPS, "light": STOPS, "sound": PASSES},
    "impassable": {"move": STOPS, "sight": PASSES, "light": PASSES, "sound": PASSES},
}


def foundry_bytes(board: Board, name: str) -> tuple[bytes, tuple[Said, ...]]:
    """Return the scene of a board, and the parts that only Sightline reads, from our own flags."""
    columns = [column for column, _ in board.cells]
    rows = [row for _, row in board.cells]
    origin = (min(columns), min(rows))
    at_doors = {edge for door in board.doors for edge in door.edges}
    walls = [_wall(run, origin, "wall", {"rim": True}) for run in runs_of(rim_of(board.cells) - at_doors)]
    for kind in SENSES:
        inner = {edge for edge, found in board.edges.items() if found == kind} - rim_of(board.cells) - at_doors
        walls += [_wall(run, origin, kind, {}) for run in runs_of(inner)]
    for door in board.doors:
        for edge in door.edges:
            walls.append({**_wall(edge, origin, "wall", {"door": door.id}), "door": 1, "ds": int(door.open)})
    hidden = [[*edge, board.edges[edge]] for edge in sorted(board.edges) if edge in at_doors | rim_of(board.cells)]
    own = {
        "cells": sorted(board.cells),
        "origin": origin,
        "cell_mm": board.cell_mm,
        "difficult": sorted(board.difficult),
        "blocking": sorted(board.blocking),
        "edges": hidden,
    }
    scene = {
        "name": name,
        "width": (max(columns) - origin[0] + 1) * GRID_PX,
        "height": (max(rows) - origin[1] + 1) * GRID_PX,
        "padding": 0,
        "grid": {"type": SQUARE, "size": GRID_PX, "distance": 1, "units": "cells"},
        "levels": [{"_id": DEFAULT_LEVEL, "name": name, "elevation": {"bottom": 0, "top": TOP}}],
        "initialLevel": DEFAULT_LEVEL,
        "walls": walls,
        "tokens": [_token(figure, origin) for figure in board.figures],
        "flags": {OWN: own},
    }
    return msgspec.json.encode(scene), tuple(_for_us_alone(board, at_doors))


def _for_us_alone(board: Board, at_doors: Collection[Edge]) -> Iterable[Said]:
    """Return the parts of a board that only our own flags hold."""
    rim = rim_of(board.cells)
    if n := sum(edge in at_doors or (edge in rim and kind != "wall") for edge, kind in board.edges.items()):
        yield counted(
            "only Sightline will read the kind of {n} edge under a door or on the rim",
            "only Sightline will read the kinds of {n} edges under doors or on the rim",
            n,
        )
    if n := len(board.difficult):
        yield counted("only Sightline will read {n} difficult cell", "only Sightline will read {n} difficult cells", n)
    if n := len(board.blocking):
        yield counted("only Sightline will read {n} blocking cell", "only Sightline will read {n} blocking cells", n)
    if board.figures:
        yield said("only Sightline will read the sides of figures")
    yield said("only Sightline will read the size of a cell in millimetres")


def _wall(run: tuple[Point, Point], origin: Cell, kind: EdgeKind, own: Mapping[str, Any]) -> dict[str, Any]:
    pixels = [(point[axis] - origin[axis]) * GRID_PX for point in run for axis in (0, 1)]
    return {"c": pixels, **SENSES[kind], "dir": 0, "door": 0, "ds": 0, "levels": [], "flags": {OWN: own} if own else {}}


def _token(figure: Figure, origin: Cell) -> dict[str, Any]:
    columns = [column for column, _ in figure.cells]
    rows = [row for _, row in figure.cells]
    return {
        "name": figure.kind,
        "x": (min(columns) - origin[0]) * GRID_PX,
        "y": (min(rows) - origin[1]) * GRID_PX,
        "width": max(columns) - min(columns) + 1,
        "height": max(rows) - min(rows) + 1,
        "level": DEFAULT_LEVEL,
        "flags": {OWN: {"id": figure.id, "kind": figure.kind, "side": figure.side}},
    }
