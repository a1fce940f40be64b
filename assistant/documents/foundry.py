"""Foundry VTT scenes (JSON export): walls, doors and tokens, in and out.

Walls are told by what they stop (``move``, ``sight``), doors by ``door`` and ``ds``; whatever a scene has no field for
stands in ``flags.sightline``, which is what flags are for, so that a board comes back as it was. Read are scenes of
versions 9 to 14 with square grids; pixels include the padding round the scene.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
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
    floor_within,
    left_out,
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
EXACT = 0.01
"""How far a token may be off whole cells, in cells, and still stand on them."""
OWN = "sightline"
SQUARE = 1
STOPS, PASSES = 20, 0
LIMITED = frozenset({10, 30, 40})
"""Senses that stop what is behind a second wall, near or far."""
SECRET, LOCKED = 2, 2

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
    light: int = PASSES
    sound: int = PASSES
    dir: int = 0
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


class _Picture(Struct, frozen=True):
    src: Any = None


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
    notes: list[msgspec.Raw] = []
    sounds: list[msgspec.Raw] = []
    tiles: list[msgspec.Raw] = []
    regions: list[msgspec.Raw] = []
    img: Any = None
    background: _Picture | None = None
    flags: _SceneFlags = _SceneFlags()


def foundry_bytes(board: Board, name: str) -> tuple[bytes, tuple[Said, ...]]:
    """The scene of a board, and what of it only Sightline reads there: whatever stands in our own flags."""
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
    return msgspec.json.encode(scene), tuple(_for_us_alone(board, at_doors))


def _for_us_alone(board: Board, at_doors: Collection[Edge]) -> Iterable[Said]:
    """What other programs do not see in the scene of a board, though it comes back."""
    rim = rim_of(board.cells)
    if n := sum(edge in at_doors or (edge in rim and kind != "wall") for edge, kind in board.edges.items()):
        yield counted(
            "{n} edge under a door or on the rim keeps its kind for Sightline alone",
            "{n} edges under doors or on the rim keep their kinds for Sightline alone",
            n,
        )
    if n := len(board.difficult):
        yield counted(
            "{n} difficult cell is kept for Sightline alone", "{n} difficult cells are kept for Sightline alone", n
        )
    if n := len(board.blocking):
        yield counted(
            "{n} blocking cell is kept for Sightline alone", "{n} blocking cells are kept for Sightline alone", n
        )
    if board.figures:
        yield said("the sides of figures are kept for Sightline alone")
    yield said("the size of a cell in millimetres is kept for Sightline alone")


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
    edges = lines.between(cells)
    edges |= {Edge.between(a, b): kind for a, b, kind in (own.edges if own else ()) if _is_edge(a, b)}
    found_doors, lost_doors = doors_on(doors, cells)
    figures, rounded = _figures(scene.tokens, frame, document)
    try:
        board = Board(
            cells=cells,
            edges=edges,
            doors=found_doors,
            figures=figures,
            difficult=frozenset(own.difficult if own else ()),
            blocking=frozenset(own.blocking if own else ()),
            cell_mm=own.cell_mm if own else cell_mm,
        )
    except InputError as problem:
        raise problem.in_document(document) from None
    return Brought(board, (*lines.lost, *_simpler(scene.walls, rounded), *_not_taken(scene, lost_doors)))


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
    lines = GridLines(document)
    doors: dict[str, tuple[list[Edge], bool]] = {}
    for number, wall in enumerate(walls, 1):
        checked_points(wall.c, document, f"walls[{number - 1}].c")
        a, b = frame.cells(*wall.c[:2]), frame.cells(*wall.c[2:])
        own = wall.flags.sightline
        kind = _kind(wall)
        if wall.door:
            name = own.door if own and own.door else f"door-{number}"
            edges, _ = doors.setdefault(name, ([], wall.ds == 1))
            edges.extend(lines.walk(a, b))
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


def _figures(tokens: Iterable[_Token], frame: _Frame, document: str) -> tuple[tuple[Figure, ...], int]:
    """The figures, and how many of them did not stand on whole cells."""
    rounded = 0
    found: list[Figure] = []
    for number, token in enumerate(tokens, 1):
        checked_points((token.x, token.y, token.width, token.height), document, f"tokens[{number - 1}]")
        place = (*frame.cells(token.x, token.y), token.width, token.height)
        left, top = (round(part) for part in place[:2])
        wide, high = (min(max(1, round(part)), 20) for part in place[2:])
        rounded += any(abs(is_at - taken) > EXACT for is_at, taken in zip(place, (left, top, wide, high), strict=True))
        own = token.flags.sightline or _OwnFigure(f"{token.name or 'token'}-{number}", token.name or "token", "?")
        cells = tuple(sorted((left + x, top + y) for x in range(wide) for y in range(high)))
        found.append(Figure(own.id, own.kind, own.side, cells))
    return tuple(found), rounded


def _simpler(walls: Iterable[_Wall], rounded: int) -> Iterable[Said]:
    """What of the scene is taken as something simpler that a board has."""
    walls = list(walls)
    if n := sum(wall.door == SECRET or (wall.door > 0 and wall.ds == LOCKED) for wall in walls):
        yield counted(
            "{n} secret or locked door becomes an ordinary one", "{n} secret or locked doors become ordinary ones", n
        )
    if n := sum(wall.dir != 0 for wall in walls):
        yield counted("{n} one-way wall becomes one for both sides", "{n} one-way walls become ones for both sides", n)
    if n := sum(not LIMITED.isdisjoint((wall.sight, wall.light, wall.sound)) for wall in walls):
        yield counted(
            "{n} wall stops only in part; that was left out", "{n} walls stop only in part; that was left out", n
        )
    if n := sum(not wall.door and _kind(wall) is None and bool(wall.light or wall.sound) for wall in walls):
        yield counted(
            "{n} wall that stops only light or sound was left out",
            "{n} walls that stop only light or sound were left out",
            n,
        )
    if rounded:
        yield counted("{n} token was moved to whole cells", "{n} tokens were moved to whole cells", rounded)


def _not_taken(scene: _Scene, lost_doors: int) -> Iterable[Said]:
    is_picture = bool(scene.img or (scene.background and scene.background.src))
    yield from left_out(len(scene.lights), lost_doors, picture=is_picture)
    if n := len(scene.drawings):
        yield counted("{n} drawing was left out", "{n} drawings were left out", n)
    if n := sum(map(len, (scene.notes, scene.sounds, scene.tiles, scene.regions))):
        yield counted(
            "{n} note, sound, tile or region was left out", "{n} notes, sounds, tiles or regions were left out", n
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
