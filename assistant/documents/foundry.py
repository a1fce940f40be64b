"""Foundry VTT scenes (JSON export): walls, doors and tokens, in and out.

Walls are told by what they stop (``move``, ``sight``), doors by ``door`` and ``ds``; whatever a scene has no field for
stands in ``flags.sightline``, which is what flags are for, so that a board comes back as it was. Read are scenes of
versions 9 to 14 with square grids; pixels include the padding round the scene.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from assistant.documents.exchange import (
    MAX_LINES,
    Brought,
    GridLines,
    check_map_size,
    checked_points,
    doors_on,
    edges_of_line,
    floor_within,
    rim_of,
    runs_of,
    too_many,
)
from assistant.documents.reading import CellPair, field_problem, no_json
from assistant.errors import BadValue, InputError
from assistant.table.board import Board, EdgeKind, Figure
from assistant.table.lattice import Cell, Edge, Point
from assistant.translations.messages import Said, counted, said

GRID_PX = 100
OWN = "sightline"
SQUARE = 1
STOPS, PASSES = 20, 0

SENSES: Mapping[EdgeKind, Mapping[str, int]] = {
    "wall": {"move": STOPS, "sight": STOPS, "light": STOPS, "sound": STOPS},
    "obstacle": {"move": PASSES, "sight": STOPS, "light": STOPS, "sound": PASSES},
    "impassable": {"move": STOPS, "sight": PASSES, "light": PASSES, "sound": PASSES},
}


class _Own(Struct, frozen=True):
    """What our own scenes say besides."""

    cells: list[CellPair]
    origin: CellPair
    cell_mm: float
    difficult: list[CellPair] = []
    blocking: list[CellPair] = []
    edges: list[tuple[CellPair, CellPair, EdgeKind]] = []


class _SceneFlags(Struct, frozen=True):
    sightline: _Own | None = None


class _OwnDoor(Struct, frozen=True):
    door: str | None = None
    rim: bool = False


class _WallFlags(Struct, frozen=True):
    sightline: _OwnDoor | None = None


class _Wall(Struct):
    c: tuple[float, float, float, float]
    move: int = STOPS
    sight: int = STOPS
    door: int = 0
    ds: int = 0
    flags: _WallFlags = _WallFlags()


class _OwnFigure(Struct, frozen=True):
    id: str
    kind: str
    side: str


class _TokenFlags(Struct, frozen=True):
    sightline: _OwnFigure | None = None


class _Token(Struct):
    x: float
    y: float
    width: float = 1
    height: float = 1
    name: str = ""
    flags: _TokenFlags = _TokenFlags()


class _Grid(Struct, frozen=True):
    size: float = GRID_PX
    type: int = SQUARE


class _Scene(Struct):
    width: float
    height: float
    walls: list[_Wall]
    grid: _Grid | float = _Grid()
    gridType: int = SQUARE
    padding: float = 0.0
    tokens: list[_Token] = []
    lights: list[msgspec.Raw] = []
    drawings: list[msgspec.Raw] = []
    flags: _SceneFlags = _SceneFlags()


def foundry_bytes(board: Board, name: str) -> tuple[bytes, tuple[Said, ...]]:
    """The scene of a board, and what it cannot say: nothing."""
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
        "walls": walls,
        "tokens": [_token(figure, origin) for figure in board.figures],
        "flags": {OWN: own},
    }
    return msgspec.json.encode(scene), ()


def board_from_foundry(data: bytes, cell_mm: float, document: str) -> Brought:
    """The board of a scene, and what of the scene a board cannot say.

    Args:
        data: the file.
        cell_mm: how large a cell is, for scenes of other programs.
        document: its name.

    Raises:
        DocumentError: it is no such scene, or one that no table can have.
        BoardError: its parts contradict each other.
    """
    scene = _decoded(data, document)
    px = scene.grid.size if isinstance(scene.grid, _Grid) else scene.grid
    if not (math.isfinite(px) and px >= 1):
        raise BadValue(said("the grid of the scene has no size"), document=document, field="grid.size")
    size = check_map_size(scene.width / px, scene.height / px, px, document)
    own = scene.flags.sightline
    origin = own.origin if own else (0, 0)
    frame = _Frame(px, _padding(scene, px, document), origin)
    lines, doors = _read_walls(scene.walls, frame, document)
    barriers = {edge for edges, _ in doors.values() for edge in edges}
    walls = {edge for edge, kind in lines.edges.items() if kind == "wall"}
    cells = frozenset(own.cells) if own else floor_within(origin, size, barriers | walls)
    edges = {edge: kind for edge, kind in lines.edges.items() if all(cell in cells for cell in edge.cells)}
    edges |= {Edge.between(a, b): kind for a, b, kind in (own.edges if own else ()) if _is_edge(a, b)}
    found_doors, lost_doors = doors_on(doors, cells)
    try:
        board = Board(
            cells=cells,
            edges=edges,
            doors=found_doors,
            figures=_figures(scene.tokens, frame, document),
            difficult=frozenset(own.difficult if own else ()),
            blocking=frozenset(own.blocking if own else ()),
            cell_mm=own.cell_mm if own else cell_mm,
        )
    except InputError as problem:
        raise problem.in_document(document) from None
    return Brought(board, tuple([*lines.lost, *_not_taken(scene, lost_doors)]))


class _Frame(Struct, frozen=True):
    """Where pixels of a scene lie on the lattice."""

    px: float
    padding: tuple[float, float]
    origin: Cell

    def cells(self, x: float, y: float) -> tuple[float, float]:
        return ((x - self.padding[0]) / self.px + self.origin[0], (y - self.padding[1]) / self.px + self.origin[1])


def _decoded(data: bytes, document: str) -> _Scene:
    try:
        scene = msgspec.json.decode(data, type=_Scene)
    except msgspec.ValidationError as problem:
        raise field_problem(str(problem), document) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise no_json(problem, document) from None
    kind = scene.grid.type if isinstance(scene.grid, _Grid) else scene.gridType
    if kind != SQUARE:
        raise BadValue(said("the scene has no square grid"), document=document, field="grid.type")
    for name in ("walls", "tokens"):
        if len(getattr(scene, name)) > MAX_LINES:
            raise too_many(name, document)
    return scene


def _padding(scene: _Scene, px: float, document: str) -> tuple[float, float]:
    """What lies round the scene, in whole cells, as Foundry rounds it."""
    if not (math.isfinite(scene.padding) and 0 <= scene.padding <= 1):
        raise BadValue(said("the padding of a scene is from 0 to 1"), document=document, field="padding")
    return (math.ceil(scene.width * scene.padding / px) * px, math.ceil(scene.height * scene.padding / px) * px)


def _read_walls(
    walls: Iterable[_Wall], frame: _Frame, document: str
) -> tuple[GridLines, dict[str, tuple[list[Edge], bool]]]:
    lines = GridLines()
    doors: dict[str, tuple[list[Edge], bool]] = {}
    for number, wall in enumerate(walls, 1):
        checked_points(wall.c, document, f"walls[{number - 1}].c")
        a, b = frame.cells(*wall.c[:2]), frame.cells(*wall.c[2:])
        own = wall.flags.sightline
        kind = _kind(wall)
        if wall.door:
            name = own.door if own and own.door else f"door-{number}"
            edges, _ = doors.setdefault(name, ([], wall.ds == 1))
            edges.extend(edges_of_line(a, b))
        elif kind is not None and not (own and own.rim):
            lines.add(a, b, kind)
    return lines, doors


def _kind(wall: _Wall) -> EdgeKind | None:
    """What stops whoever; None for a wall that stops nobody and nothing."""
    if wall.move and wall.sight:
        return "wall"
    if wall.sight:
        return "obstacle"
    return "impassable" if wall.move else None


def _figures(tokens: Iterable[_Token], frame: _Frame, document: str) -> tuple[Figure, ...]:
    found: list[Figure] = []
    for number, token in enumerate(tokens, 1):
        checked_points((token.x, token.y, token.width, token.height), document, f"tokens[{number - 1}]")
        left, top = (round(part) for part in frame.cells(token.x, token.y))
        wide, high = (min(max(1, round(part)), 20) for part in (token.width, token.height))
        own = token.flags.sightline or _OwnFigure(f"{token.name or 'token'}-{number}", token.name or "token", "?")
        cells = tuple(sorted((left + x, top + y) for x in range(wide) for y in range(high)))
        found.append(Figure(own.id, own.kind, own.side, cells))
    return tuple(found)


def _not_taken(scene: _Scene, lost_doors: int) -> Iterable[Said]:
    if scene.lights:
        yield counted("{n} light was left out", "{n} lights were left out", len(scene.lights))
    if scene.drawings:
        yield counted("{n} drawing was left out", "{n} drawings were left out", len(scene.drawings))
    if lost_doors:
        yield counted(
            "{n} door stands on no edge and was left out", "{n} doors stand on no edge and were left out", lost_doors
        )


def _wall(run: tuple[Point, Point], origin: Cell, kind: EdgeKind, own: Mapping[str, Any]) -> dict[str, Any]:
    pixels = [(point[axis] - origin[axis]) * GRID_PX for point in run for axis in (0, 1)]
    return {"c": pixels, **SENSES[kind], "dir": 0, "door": 0, "ds": 0, "flags": {OWN: own} if own else {}}


def _token(figure: Figure, origin: Cell) -> dict[str, Any]:
    columns = [column for column, _ in figure.cells]
    rows = [row for _, row in figure.cells]
    return {
        "name": figure.kind,
        "x": (min(columns) - origin[0]) * GRID_PX,
        "y": (min(rows) - origin[1]) * GRID_PX,
        "width": max(columns) - min(columns) + 1,
        "height": max(rows) - min(rows) + 1,
        "flags": {OWN: {"id": figure.id, "kind": figure.kind, "side": figure.side}},
    }


def _is_edge(a: Point, b: Point) -> bool:
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1
