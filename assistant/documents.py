"""Strict readers and writers of the documents that outside programs rely on.

A reader refuses a document whose ``format`` it does not know, names the field at fault and never
guesses: no number from a string, no integer from a fraction. Sizes are limited before anything is
parsed, so that a wrong file is refused quickly.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from assistant.errors import BadValue, DocumentError, InputError, MissingField, UnknownFormat
from assistant.rules.ruling import Blocker, Place, Reach, Ruling
from assistant.table.board import Board, Door, EdgeKind, Figure
from assistant.table.camera import CameraLens, PointMm, TableMarker, TableMarkers
from assistant.table.lattice import LIMIT, Cell, Edge
from assistant.table.observation import Observation
from assistant.table.roster import DoorSpec, Roster, RosterFigure
from assistant.table.tiles import TileSet, TileSide

MAX_DOCUMENT_BYTES = 32 << 20
"""A board of 40,000 cells is under 1 MB; anything beyond this is not one of our documents."""

MAX_NAME = 200

_Integer = Annotated[int, Meta(gt=-LIMIT, lt=LIMIT)]
_CellPair = tuple[_Integer, _Integer]
_Name = Annotated[str, Meta(min_length=1, max_length=MAX_NAME)]
_Color = Annotated[str, Meta(pattern="^#[0-9a-fA-F]{6}$")]
_Positive = Annotated[float, Meta(gt=0)]
_NotNegative = Annotated[float, Meta(ge=0)]
_Count = Annotated[int, Meta(ge=0, le=10_000)]
_PointPair = tuple[float, float]
_Row = tuple[float, float, float]


class _EdgeWire(Struct, rename={"start": "from", "end": "to"}):
    start: _CellPair
    end: _CellPair


class _PrintedEdgeWire(_EdgeWire):
    kind: EdgeKind


class _DoorWire(Struct):
    id: _Name
    edges: list[_EdgeWire]
    open: bool


class _FigureWire(Struct):
    id: _Name
    kind: _Name
    side: _Name
    cells: list[_CellPair]


class _BoardWire(Struct):
    cell_mm: float
    cells: list[_CellPair]
    edges: list[_PrintedEdgeWire]
    doors: list[_DoorWire]
    figures: list[_FigureWire]
    difficult: list[_CellPair] = []
    blocking: list[_CellPair] = []


class _MarkerWire(Struct):
    id: Annotated[int, Meta(ge=0)]
    corners_mm: tuple[_PointPair, _PointPair, _PointPair, _PointPair]


class _TableWire(Struct):
    marker_family: str
    markers: list[_MarkerWire]
    cell_mm: _Positive | UnsetType = UNSET


class _CameraWire(Struct):
    width: Annotated[int, Meta(gt=0, le=100_000)]
    height: Annotated[int, Meta(gt=0, le=100_000)]
    matrix: tuple[_Row, _Row, _Row]
    distortion: tuple[float, float, float, float, float]


class _TileWire(Struct):
    id: _Name
    image: _Name
    cells: list[_CellPair]
    edges: list[_PrintedEdgeWire]
    difficult: list[_CellPair] = []


class _TileSetWire(Struct):
    cell_mm: _Positive
    pixels_per_cell: Annotated[int, Meta(ge=4, le=1024)]
    tiles: list[_TileWire]
    name: str = ""
    thickness_mm: _NotNegative = 2.0


class _RosterFigureWire(Struct):
    id: _Name
    kind: _Name
    side: _Name
    size: tuple[Annotated[int, Meta(ge=1, le=20)], Annotated[int, Meta(ge=1, le=20)]]
    base_mm: _Positive
    height_mm: _Positive
    ring: _Color | None = None
    base_shape: Literal["round", "rectangle"] = "round"
    base_size_mm: tuple[_Positive, _Positive] | UnsetType = UNSET


class _DoorsWire(Struct):
    count: _Count
    width_cells: Annotated[int, Meta(ge=1, le=10)]
    height_mm: _Positive
    thickness_mm: _Positive


class _RosterWire(Struct):
    figures: list[_RosterFigureWire]
    doors: _DoorsWire


_Wire = TypeVar("_Wire", bound=Struct)


def read_bytes(path: Path) -> bytes:
    """The bytes of a document, as they stand in the file.

    Raises:
        DocumentError: the file is not there, cannot be read, or is far too large for a document.
    """
    try:
        size_bytes = path.stat().st_size
        if size_bytes > MAX_DOCUMENT_BYTES:
            text = f"the file has {size_bytes >> 20} MB, which is no document of ours; check that it is the right file"
            raise DocumentError(text, document=str(path))
        return path.read_bytes()
    except OSError as problem:
        text = f"cannot be read ({problem.strerror or problem}); check the name of the file"
        raise DocumentError(text, document=str(path)) from None


def board_from_json(data: bytes, document: str = "board") -> Board:
    """The board of a ``sightline.board/1`` document.

    Raises:
        DocumentError: the document breaks its format; the field at fault is named.
        BoardError: its parts contradict each other.
    """
    wire = _decode(data, "sightline.board/1", _BoardWire, document)
    doors = tuple(
        Door(
            id=door.id,
            edges=tuple(_edge(edge, f"doors[{i}].edges[{j}]", document) for j, edge in enumerate(door.edges)),
            open=door.open,
        )
        for i, door in enumerate(wire.doors)
    )
    figures = tuple(_figure(figure, f"figures[{i}]", document) for i, figure in enumerate(wire.figures))
    edges = _printed_edges(wire.edges, "edges", document)
    try:
        return Board(
            cells=frozenset(wire.cells),
            edges=edges,
            doors=doors,
            figures=figures,
            difficult=frozenset(wire.difficult),
            blocking=frozenset(wire.blocking),
            cell_mm=wire.cell_mm,
        )
    except InputError as problem:
        raise problem.in_document(document) from None


def table_from_json(data: bytes, document: str = "table") -> TableMarkers:
    """The markers of a ``sightline.table/1`` document.

    Raises:
        DocumentError: the document breaks its format, names fewer than four markers or one id twice.
    """
    wire = _decode(data, "sightline.table/1", _TableWire, document)
    if len(wire.markers) < 4:
        text = f"a table needs four or more markers, this one has {len(wire.markers)}"
        raise BadValue(text, document=document, field="markers")
    seen: set[int] = set()
    for i, marker in enumerate(wire.markers):
        if marker.id in seen:
            raise BadValue(f"marker {marker.id} is there twice", document=document, field=f"markers[{i}].id")
        if abs(_area_mm2(marker.corners_mm)) < 1.0:
            raise BadValue("the corners enclose no area", document=document, field=f"markers[{i}].corners_mm")
        seen.add(marker.id)
    return TableMarkers(
        marker_family=wire.marker_family,
        markers=tuple(TableMarker(id=m.id, corners_mm=m.corners_mm) for m in wire.markers),
        cell_mm=None if wire.cell_mm is UNSET else wire.cell_mm,
    )


def camera_from_json(data: bytes, document: str = "camera") -> CameraLens:
    """The lens of a ``sightline.camera/1`` document.

    Raises:
        DocumentError: the document breaks its format.
    """
    wire = _decode(data, "sightline.camera/1", _CameraWire, document)
    if wire.matrix[0][0] <= 0 or wire.matrix[1][1] <= 0 or list(wire.matrix[2]) != [0, 0, 1]:
        text = "must be [[fx,0,cx],[0,fy,cy],[0,0,1]] with focal lengths above 0"
        raise BadValue(text, document=document, field="matrix")
    return CameraLens(wire.width, wire.height, wire.matrix, wire.distortion)


def tile_set_from_json(data: bytes, document: str = "tileset") -> TileSet:
    """The tiles of a ``sightline.tileset/1`` document.

    Raises:
        DocumentError: the document breaks its format, a tile is there twice or has no cell.
    """
    wire = _decode(data, "sightline.tileset/1", _TileSetWire, document)
    seen: set[str] = set()
    sides: list[TileSide] = []
    for i, tile in enumerate(wire.tiles):
        where = f"tiles[{i}]"
        if tile.id in seen:
            raise BadValue(f"tile “{tile.id}” is there twice", document=document, field=f"{where}.id")
        if not tile.cells:
            raise BadValue("a tile needs at least one cell", document=document, field=f"{where}.cells")
        cells = frozenset(tile.cells)
        stray = sorted(frozenset(tile.difficult) - cells)
        if stray:
            text = f"{list(stray[0])} is not one of the tile's cells"
            raise BadValue(text, document=document, field=f"{where}.difficult")
        edges = _printed_edges(tile.edges, f"{where}.edges", document)
        sides.append(TileSide(tile.id, tile.image, cells, edges, frozenset(tile.difficult)))
        seen.add(tile.id)
    if not sides:
        raise BadValue("a tile set needs at least one tile", document=document, field="tiles")
    return TileSet(wire.name, wire.cell_mm, wire.pixels_per_cell, wire.thickness_mm, tuple(sides))


def roster_from_json(data: bytes, document: str = "roster") -> Roster:
    """The figures and doors of a ``sightline.roster/1`` document.

    Raises:
        DocumentError: the document breaks its format or names one figure twice.
    """
    wire = _decode(data, "sightline.roster/1", _RosterWire, document)
    seen: set[str] = set()
    for i, figure in enumerate(wire.figures):
        if figure.id in seen:
            raise BadValue(f"figure “{figure.id}” is there twice", document=document, field=f"figures[{i}].id")
        if figure.base_shape == "rectangle" and figure.base_size_mm is UNSET:
            raise MissingField(
                "a rectangular base needs both sides", document=document, field=f"figures[{i}].base_size_mm"
            )
        seen.add(figure.id)
    figures = tuple(
        RosterFigure(
            id=f.id,
            kind=f.kind,
            side=f.side,
            size=f.size,
            base_mm=f.base_mm,
            height_mm=f.height_mm,
            ring=f.ring.lower() if f.ring else None,
            base_shape=f.base_shape,
            base_size_mm=(f.base_mm, f.base_mm) if f.base_size_mm is UNSET else f.base_size_mm,
        )
        for f in wire.figures
    )
    doors = wire.doors
    return Roster(figures, DoorSpec(doors.count, doors.width_cells, doors.height_mm, doors.thickness_mm))


def board_document(board: Board) -> dict[str, Any]:
    """The ``sightline.board/1`` document of a board; lists are sorted, so equal boards give equal documents."""
    return {
        "format": "sightline.board/1",
        "cell_mm": board.cell_mm,
        "cells": _cells(board.cells),
        "difficult": _cells(board.difficult),
        "blocking": _cells(board.blocking),
        "edges": [{**_edge_document(edge), "kind": board.edges[edge]} for edge in sorted(board.edges)],
        "doors": [
            {"id": door.id, "edges": [_edge_document(edge) for edge in door.edges], "open": door.open}
            for door in board.doors
        ],
        "figures": [
            {"id": f.id, "kind": f.kind, "side": f.side, "cells": [list(c) for c in f.cells]} for f in board.figures
        ],
    }


def observation_document(observation: Observation) -> dict[str, Any]:
    """The ``sightline.observation/1`` document of a photo that was read."""
    camera, grid = observation.camera, observation.grid
    return {
        "format": "sightline.observation/1",
        "camera": {
            "reprojection_px": round(camera.reprojection_px, 4),
            "markers_seen": list(camera.markers_seen),
        },
        "grid": {
            "origin_mm": _point_mm(grid.origin_mm),
            "angle_deg": round(grid.angle_deg, 5),
            "cell_mm": round(grid.cell_mm, 5),
        },
        "tiles": [
            {
                "id": tile.id,
                "center_mm": _point_mm(tile.center_mm),
                "rotation_deg": round(tile.rotation_deg, 3) % 360,
                "confidence": round(tile.confidence, 4),
            }
            for tile in observation.tiles
        ],
        "doors": [
            {
                "from_mm": _point_mm(door.from_mm),
                "to_mm": _point_mm(door.to_mm),
                "confidence": round(door.confidence, 4),
            }
            for door in observation.doors
        ],
        "figures": [
            {
                "id": figure.id,
                "kind": figure.kind,
                "ring": figure.ring,
                "center_mm": _point_mm(figure.center_mm),
                "cells": [list(cell) for cell in figure.cells],
                "confidence": round(figure.confidence, 4),
            }
            for figure in observation.figures
        ],
        "board": board_document(observation.board),
    }


def ruling_document(ruling: Ruling) -> dict[str, Any]:
    """The ``sightline.ruling/1`` document of a ruling."""
    document: dict[str, Any] = {
        "format": "sightline.ruling/1",
        "ruleset": ruling.ruleset,
        "attacker": ruling.attacker,
        "defender": ruling.defender,
        "range": ruling.range,
        "line_of_sight": ruling.line_of_sight,
        "cover": ruling.cover,
        "origin": None if ruling.origin is None else _place(ruling.origin),
        "lines": [
            {
                "from": _place(line.start),
                "to": _place(line.end),
                "purpose": line.purpose,
                "blocked_by": None if line.blocked_by is None else _blocker(line.blocked_by),
            }
            for line in ruling.lines
        ],
        "reasons": [
            {"rule": reason.rule, "text": reason.text, "arguments": dict(reason.arguments)} for reason in ruling.reasons
        ],
        "options": dict(ruling.options),
        "stability": ruling.stability,
    }
    if ruling.distance_mm is not None:
        document["distance_mm"] = ruling.distance_mm
    return document


def reach_document(reach: Reach) -> dict[str, Any]:
    """The ``sightline.reach/1`` document of a reach."""
    return {
        "format": "sightline.reach/1",
        "ruleset": reach.ruleset,
        "figure": reach.figure,
        "points": reach.points,
        "ends": [{"cells": [list(cell) for cell in end.cells], "cost": end.cost} for end in reach.ends],
    }


def error_document(problem: Exception) -> dict[str, Any]:
    """The ``sightline.error/1`` document that stands in a batch where a photo could not be read."""
    return {"format": "sightline.error/1", "error": str(problem)}


def to_json(document: dict[str, Any]) -> str:
    """The document as one line of JSON."""
    return msgspec.json.encode(document).decode()


def _decode(data: bytes, expected: str, wire_type: type[_Wire], document: str) -> _Wire:
    try:
        raw = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise BadValue(f"not valid JSON ({problem})", document=document) from None
    if not isinstance(raw, dict):
        raise BadValue(f"must be an object of format {expected}", document=document)
    check_format(raw, expected, document)
    try:
        wire = msgspec.convert(raw, wire_type, strict=True)
    except msgspec.ValidationError as problem:
        raise _field_problem(str(problem), document) from None
    return wire


def check_format(raw: dict[str, Any], expected: str, document: str) -> None:
    """Makes sure that a decoded document names the expected format.

    Raises:
        MissingField: it names none.
        UnknownFormat: it names another one.
    """
    if "format" not in raw:
        raise MissingField(f"the document does not say “{expected}”", document=document, field="format")
    if raw["format"] != expected:
        text = f"expected “{expected}”, found {str(raw['format'])[:60]!r}"
        raise UnknownFormat(text, document=document, field="format")


def _field_problem(message: str, document: str) -> DocumentError:
    """Their message, turned into our error: ``Expected `int`, got `float` - at `$.cells[0][0]` ``."""
    text, _, place = message.partition(" - at ")
    field = place.strip("`").removeprefix("$").lstrip(".")
    text = text.replace("`", "").rstrip(".")
    missing = re.fullmatch(r"Object missing required field (\S+)", text)
    if missing:
        path = f"{field}.{missing[1]}" if field else missing[1]
        return MissingField("this field is missing", document=document, field=path)
    return BadValue(text[:1].lower() + text[1:], document=document, field=field or None)


def _edge(wire: _EdgeWire, where: str, document: str) -> Edge:
    try:
        return Edge.between(wire.start, wire.end)
    except ValueError as problem:
        raise BadValue(str(problem), document=document, field=where) from None


def _printed_edges(wires: Iterable[_PrintedEdgeWire], where: str, document: str) -> dict[Edge, EdgeKind]:
    edges: dict[Edge, EdgeKind] = {}
    for i, wire in enumerate(wires):
        edge = _edge(wire, f"{where}[{i}]", document)
        if edges.setdefault(edge, wire.kind) != wire.kind:
            text = f"the same edge is {edges[edge]} in one place and {wire.kind} here"
            raise BadValue(text, document=document, field=f"{where}[{i}].kind")
    return edges


def _figure(wire: _FigureWire, where: str, document: str) -> Figure:
    if not wire.cells:
        raise BadValue("a figure on the board needs at least one cell", document=document, field=f"{where}.cells")
    return Figure(wire.id, wire.kind, wire.side, tuple(sorted(set(wire.cells))))


def _area_mm2(corners_mm: tuple[PointMm, ...]) -> float:
    total = 0.0
    for (x0, y0), (x1, y1) in zip(corners_mm, [*corners_mm[1:], corners_mm[0]], strict=True):
        total += x0 * y1 - x1 * y0
    return total / 2


def _cells(cells: Iterable[Cell]) -> list[list[int]]:
    return [list(cell) for cell in sorted(cells)]


def _edge_document(edge: Edge) -> dict[str, Any]:
    return {"from": list(edge.start), "to": list(edge.end)}


def _point_mm(point: PointMm) -> list[float]:
    return [round(point[0], 3), round(point[1], 3)]


def _place(place: Place) -> list[float]:
    return [int(v) if float(v).is_integer() else float(v) for v in place if math.isfinite(v)]


def _blocker(blocker: Blocker) -> dict[str, Any]:
    document: dict[str, Any] = {"kind": blocker.kind}
    if blocker.edge is not None:
        document.update(_edge_document(blocker.edge))
    if blocker.id is not None:
        document["id"] = blocker.id
    if blocker.cell is not None:
        document["cell"] = list(blocker.cell)
    return document
