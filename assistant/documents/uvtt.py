"""Reads and writes Universal VTT maps (``.uvtt``, ``.dd2vtt``) with lines of sight and doors.

Coordinates are in cells. Walls are ``line_of_sight``, obstacles ``objects_line_of_sight``, doors ``portals``. The
fields are those of Dungeondraft (format 0.3). The written picture is a plain floor plan. Pictures are never read.
"""

from __future__ import annotations

import base64
import math
import struct
import zlib
from collections.abc import Iterable, Sequence
from itertools import pairwise
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
    rim_walls,
    runs_of,
    too_many,
)
from assistant.documents.reading import decode_fields
from assistant.errors import InputError
from assistant.table.board import Board
from assistant.table.lattice import Cell, Edge, Point
from assistant.translations.messages import Said, counted, said

UVTT_FORMAT = 0.3
SOFTWARE = "Sightline"
PIXELS = 32
FLOOR, NOTHING = 0xD8, 0x20
"""Gray levels of the plan."""


class _XY(Struct, frozen=True):
    x: float
    y: float


class _Resolution(Struct):
    map_size: _XY
    pixels_per_grid: float
    map_origin: _XY = _XY(0, 0)


class _Portal(Struct):
    bounds: list[_XY]
    closed: bool = True
    freestanding: bool = False


class _Environment(Struct):
    baked_lighting: Any = False
    ambient_light: Any = "ffffffff"


class _Map(Struct):
    resolution: _Resolution
    line_of_sight: list[list[_XY]] = []
    objects_line_of_sight: list[list[_XY]] = []
    portals: list[_Portal] = []
    lights: list[msgspec.Raw] = []
    environment: _Environment | None = None
    software: Any = ""
    image: msgspec.Raw = msgspec.Raw(b"null")


def uvtt_bytes(board: Board) -> tuple[bytes, tuple[Said, ...]]:
    """Return the map of a board, and the losses. A margin of one cell shows the outside."""
    columns = [column for column, _ in board.cells]
    rows = [row for _, row in board.cells]
    corner = (min(columns) - 1, min(rows) - 1)
    size = (max(columns) - corner[0] + 2, max(rows) - corner[1] + 2)
    at_doors = {edge for door in board.doors for edge in door.edges}
    walls = rim_of(board.cells) | {edge for edge, kind in board.edges.items() if kind == "wall"}
    obstacles = {edge for edge, kind in board.edges.items() if kind == "obstacle"} - walls
    document = {
        "format": UVTT_FORMAT,
        "software": SOFTWARE,
        "resolution": {"map_origin": _point(corner), "map_size": _point(size), "pixels_per_grid": PIXELS},
        "line_of_sight": [[_point(a), _point(b)] for a, b in runs_of(walls - at_doors)],
        "objects_line_of_sight": [[_point(a), _point(b)] for a, b in runs_of(obstacles - at_doors)],
        "portals": [_portal(run, is_open=door.open) for door in board.doors for run in runs_of(door.edges)],
        "environment": {"baked_lighting": False, "ambient_light": "ffffffff"},
        "lights": [],
        "image": base64.b64encode(_plan(board.cells, corner, size)).decode(),
    }
    return msgspec.json.encode(document), tuple(_unsaid(board, corner, size, walls | at_doors))


def board_from_uvtt(data: bytes, cell_mm: float, document: str) -> Brought:
    """Read the board of a map, and report the losses. The format lacks ``cell_mm``, the size of a cell.

    Raises:
        DocumentError: it is not such a map, or does not fit a table.
        BoardError: its parts contradict each other.
    """
    found = _decode(data, document)
    place = found.resolution
    size = check_map_size(place.map_size.x, place.map_size.y, place.pixels_per_grid, document)
    checked_points((place.map_origin.x, place.map_origin.y), document, "resolution.map_origin")
    lines = GridLines(document)
    for name, polylines in (
        ("line_of_sight", found.line_of_sight),
        ("objects_line_of_sight", found.objects_line_of_sight),
    ):
        _add(lines, polylines, document, name)
    for number, portal in enumerate(found.portals, 1):
        _add_portal(lines, portal, f"door-{number}")
    lines.settle()
    portals = lines.doors
    corner = (round(place.map_origin.x), round(place.map_origin.y))
    barriers = {edge for edges, _ in portals.values() for edge in edges}
    cells = floor_within(corner, size, barriers | {e for e, kind in lines.edges.items() if kind == "wall"})
    doors, lost_doors = doors_on(portals, cells)
    edges = lines.between(cells)
    try:
        board = Board(cells=cells, edges=edges, doors=doors, cell_mm=cell_mm)
    except InputError as problem:
        raise problem.in_document(document) from None
    return Brought(board, tuple([*lines.lost, *_not_taken(found, lost_doors)]), lines.lines_to_check)


def _decode(data: bytes, document: str) -> _Map:
    found = decode_fields(data, _Map, document)
    for name in ("line_of_sight", "objects_line_of_sight", "portals"):
        if len(getattr(found, name)) > MAX_LINES:
            raise too_many(name, document)
    return found


def _add(lines: GridLines, polylines: Iterable[Sequence[_XY]], document: str, name: str) -> None:
    count = 0
    for line in polylines:
        count += len(line)
        if count > MAX_LINES:
            raise too_many(name, document)
        for a, b in pairwise(line):
            checked_points((a.x, a.y, b.x, b.y), document, name)
            lines.add((a.x, a.y), (b.x, b.y), "wall" if name == "line_of_sight" else "obstacle")


def _add_portal(lines: GridLines, portal: _Portal, name: str) -> None:
    if len(portal.bounds) != 2:
        lines.doors[name] = ([], not portal.closed)
        return
    a, b = portal.bounds
    checked_points((a.x, a.y, b.x, b.y), lines.document, "portals")
    lines.add_door((a.x, a.y), (b.x, b.y), name, is_open=not portal.closed)


def _not_taken(found: _Map, lost_doors: int) -> Iterable[Said]:
    is_picture = found.software != SOFTWARE and bytes(found.image) not in {b"null", b'""'}
    yield from left_out(len(found.lights), lost_doors, picture=is_picture)
    if found.environment not in (None, _Environment()):
        yield said("the light of the surroundings was left out")
    if n := sum(portal.freestanding for portal in found.portals):
        yield counted(
            "{n} freestanding door is read as one in a wall", "{n} freestanding doors are read as ones in a wall", n
        )


def _unsaid(board: Board, corner: Cell, size: tuple[int, int], barriers: Iterable[Edge]) -> Iterable[Said]:
    kinds = list(board.edges.values())
    if "impassable" in kinds:
        n = kinds.count("impassable")
        yield counted("the format cannot hold {n} impassable edge", "the format cannot hold {n} impassable edges", n)
    at_doors = {edge for door in board.doors for edge in door.edges}
    if n := sum(edge in at_doors and kind != "impassable" for edge, kind in board.edges.items()):
        yield counted("{n} edge under a door loses its kind", "{n} edges under doors lose their kinds", n)
    rim = rim_of(board.cells) - at_doors
    yield from rim_walls(sum(kind == "obstacle" and edge in rim for edge, kind in board.edges.items()))
    if board.difficult:
        n = len(board.difficult)
        yield counted("the format cannot hold {n} difficult cell", "the format cannot hold {n} difficult cells", n)
    if board.blocking:
        n = len(board.blocking)
        yield counted("the format cannot hold {n} blocking cell", "the format cannot hold {n} blocking cells", n)
    if board.figures:
        n = len(board.figures)
        yield counted("the format cannot hold {n} figure", "the format cannot hold {n} figures", n)
    if board.doors:
        yield said("doors lose their names, and one round a corner becomes several")
    yield said("the format cannot hold the size of a cell in millimetres")
    courts = floor_within(corner, size, barriers) - board.cells
    if courts:
        n = len(courts)
        yield counted(
            "{n} enclosed cell without a floor gets one",
            "{n} enclosed cells without a floor get one",
            n,
        )


def _portal(run: tuple[Point, Point], *, is_open: bool) -> dict[str, Any]:
    (ax, ay), (bx, by) = run
    return {
        "position": {"x": (ax + bx) / 2, "y": (ay + by) / 2},
        "bounds": [_point(run[0]), _point(run[1])],
        "rotation": math.atan2(by - ay, bx - ax),
        "closed": not is_open,
        "freestanding": False,
    }


def _point(point: tuple[int, int]) -> dict[str, int]:
    return {"x": point[0], "y": point[1]}


def _plan(cells: frozenset[Cell], corner: Cell, size: tuple[int, int]) -> bytes:
    """Return a floor plan as a gray PNG, encoded by hand because this room has no imaging library."""
    width, height = size[0] * PIXELS, size[1] * PIXELS
    lines = []
    for row in range(size[1]):
        grays = (FLOOR if (corner[0] + column, corner[1] + row) in cells else NOTHING for column in range(size[0]))
        lines.append((b"\0" + b"".join(bytes([gray]) * PIXELS for gray in grays)) * PIXELS)
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(b"".join(lines), 9)), (b"IEND", b""))
    packed = (struct.pack(">I", len(d)) + name + d + struct.pack(">I", zlib.crc32(name + d)) for name, d in parts)
    return b"\x89PNG\r\n\x1a\n" + b"".join(packed)
