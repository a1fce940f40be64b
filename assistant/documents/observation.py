"""``sightline.observation/1``: what one photo showed."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from msgspec import Meta, Struct

from assistant.documents.board import (
    BOARD_FORMAT,
    BoardWire,
    DoorWire,
    FigureWire,
    PrintedEdgeWire,
    board_document,
    board_from_wire,
    cells_document,
    doors_from_wires,
    edges_document,
    figures_from_wires,
    pieces_document,
    printed_edges,
)
from assistant.documents.reading import (
    CellPair,
    HexColor,
    Name,
    NotNegative,
    PointPair,
    PositiveFloat,
    check_format,
    decode,
    point_document,
)
from assistant.errors import InputError
from assistant.table.board import Board
from assistant.table.doubt import Doubt, GroundDoubt, GroundVariant, Variant
from assistant.table.observation import (
    CameraSighting,
    LatticePose,
    Observation,
    SeenDoor,
    SeenFigure,
    SeenFrom,
    SeenTile,
    SettledDoubt,
)

OBSERVATION_FORMAT = "sightline.observation/1"

_Confidence = Annotated[float, Meta(ge=0, le=1)]


class _CameraWire(Struct):
    reprojection_px: NotNegative
    markers_seen: list[Annotated[int, Meta(ge=0)]]


class _GridWire(Struct):
    origin_mm: PointPair
    angle_deg: Annotated[float, Meta(ge=0, lt=90)]
    cell_mm: PositiveFloat


class _TileWire(Struct):
    id: Name
    center_mm: PointPair
    rotation_deg: Annotated[float, Meta(ge=0, lt=360)]
    confidence: _Confidence = 1.0


class _DoorWire(Struct):
    from_mm: PointPair
    to_mm: PointPair
    confidence: _Confidence = 1.0


class _FigureWire(Struct):
    id: Name | None
    kind: Name | None
    ring: HexColor | None
    center_mm: PointPair
    cells: list[CellPair]
    confidence: _Confidence = 1.0


class _VariantWire(Struct):
    chance: float
    figures: list[FigureWire]
    doors: list[DoorWire]


class _DoubtWire(Struct):
    about: list[Name]
    variants: list[_VariantWire]


class _SettledWire(Struct):
    cells: list[CellPair]
    is_door: bool
    stands: list[Name]


class _ViewWire(Struct):
    camera: _CameraWire
    settled: list[_SettledWire] = []


class _GroundVariantWire(Struct):
    chance: float
    cells: list[CellPair]
    edges: list[PrintedEdgeWire] = []
    difficult: list[CellPair] = []
    tile: str | None = None


class _GroundDoubtWire(Struct):
    cells: list[CellPair]
    variants: list[_GroundVariantWire]
    tile: str | None = None


class _ObservationWire(Struct):
    camera: _CameraWire
    grid: _GridWire
    tiles: list[_TileWire]
    doors: list[_DoorWire]
    figures: list[_FigureWire]
    board: BoardWire
    doubts: list[_DoubtWire] = []
    unknown_tiles: list[list[CellPair]] = []
    ground_doubts: list[_GroundDoubtWire] = []
    views: list[_ViewWire] = []


def observation_from_json(data: bytes, document: str = "observation") -> Observation:
    """The observation of a saved ``sightline.observation/1`` document.

    A known truth, as of a rendered picture, carries no confidences; they are read as 1. One without doubts has none.

    Raises:
        DocumentError: the document breaks its format, or a doubt is about another board; the field at fault is named.
        BoardError: the parts of its board contradict each other.
    """
    wire = decode(data, OBSERVATION_FORMAT, _ObservationWire, document)
    named = {} if wire.board.format is None else {"format": wire.board.format}
    check_format(named, BOARD_FORMAT, document, "board.format")
    board = board_from_wire(wire.board, document, "board.")
    doubts = tuple(_doubt(doubt, f"doubts[{i}]", document) for i, doubt in enumerate(wire.doubts))
    ground = tuple(_ground_doubt(doubt, f"ground_doubts[{i}]", document) for i, doubt in enumerate(wire.ground_doubts))
    try:
        return replace(_observation(wire, board, doubts), ground_doubts=ground)
    except InputError as problem:
        raise problem.in_document(document) from None


def _observation(wire: _ObservationWire, board: Board, doubts: tuple[Doubt, ...]) -> Observation:
    return Observation(
        camera=_camera(wire.camera),
        grid=LatticePose(wire.grid.origin_mm, wire.grid.angle_deg, wire.grid.cell_mm),
        tiles=tuple(SeenTile(t.id, t.center_mm, t.rotation_deg, t.confidence) for t in wire.tiles),
        doors=tuple(SeenDoor(d.from_mm, d.to_mm, d.confidence) for d in wire.doors),
        figures=tuple(
            SeenFigure(f.id, f.kind, f.ring, f.center_mm, tuple(f.cells), f.confidence) for f in wire.figures
        ),
        board=board,
        doubts=doubts,
        unknown_tiles=tuple(tuple(group) for group in wire.unknown_tiles),
        views=tuple(_view(view) for view in wire.views),
    )


def _view(wire: _ViewWire) -> SeenFrom:
    settled = (SettledDoubt(tuple(s.cells), s.is_door, tuple(s.stands)) for s in wire.settled)
    return SeenFrom(_camera(wire.camera), tuple(settled))


def _camera(wire: _CameraWire) -> CameraSighting:
    return CameraSighting(wire.reprojection_px, tuple(wire.markers_seen))


def _doubt(wire: _DoubtWire, where: str, document: str) -> Doubt:
    variants = tuple(_variant(each, f"{where}.variants[{i}].", document) for i, each in enumerate(wire.variants))
    try:
        return Doubt(tuple(wire.about), variants)
    except InputError as problem:
        raise problem.in_document(document, f"{where}.") from None


def _variant(wire: _VariantWire, within: str, document: str) -> Variant:
    figures = figures_from_wires(wire.figures, document, within)
    doors = doors_from_wires(wire.doors, document, within)
    try:
        return Variant(wire.chance, figures, doors)
    except InputError as problem:
        raise problem.in_document(document, within) from None


def _ground_doubt(wire: _GroundDoubtWire, where: str, document: str) -> GroundDoubt:
    variants = []
    for i, each in enumerate(wire.variants):
        within = f"{where}.variants[{i}]"
        edges = printed_edges(each.edges, f"{within}.edges", document)
        try:
            difficult = frozenset(each.difficult)
            variants.append(GroundVariant(each.chance, frozenset(each.cells), edges, difficult, each.tile))
        except InputError as problem:
            raise problem.in_document(document, f"{within}.") from None
    try:
        return GroundDoubt(frozenset(wire.cells), tuple(variants), wire.tile)
    except InputError as problem:
        raise problem.in_document(document, f"{where}.") from None


def observation_document(observation: Observation) -> dict[str, Any]:
    """The ``sightline.observation/1`` document of a photo that was read."""
    grid = observation.grid
    document = {
        "format": OBSERVATION_FORMAT,
        "camera": _camera_document(observation.camera),
        "grid": {
            "origin_mm": point_document(grid.origin_mm),
            # Below 90 by contract; a lattice turned by 90 would name its cells otherwise, so it may not wrap to 0.
            "angle_deg": min(round(grid.angle_deg, 5), 89.99999),
            "cell_mm": round(grid.cell_mm, 5),
        },
        "tiles": [_tile_document(tile) for tile in observation.tiles],
        "doors": [
            {
                "from_mm": point_document(door.from_mm),
                "to_mm": point_document(door.to_mm),
                "confidence": round(door.confidence, 4),
            }
            for door in observation.doors
        ],
        "figures": [_figure_document(figure) for figure in observation.figures],
        "board": board_document(observation.board),
        "doubts": [_doubt_document(doubt) for doubt in observation.doubts],
        "unknown_tiles": [[list(cell) for cell in group] for group in observation.unknown_tiles],
        "ground_doubts": [_ground_doubt_document(doubt) for doubt in observation.ground_doubts],
    }
    views = {"views": [_view_document(view) for view in observation.views]}
    return document | views if observation.views else document


def _camera_document(camera: CameraSighting) -> dict[str, Any]:
    return {"reprojection_px": round(camera.reprojection_px, 4), "markers_seen": list(camera.markers_seen)}


def _view_document(view: SeenFrom) -> dict[str, Any]:
    return {
        "camera": _camera_document(view.camera),
        "settled": [
            {"cells": [list(cell) for cell in one.cells], "is_door": one.is_door, "stands": list(one.stands)}
            for one in view.settled
        ],
    }


def _tile_document(tile: SeenTile) -> dict[str, Any]:
    return {
        "id": tile.id,
        "center_mm": point_document(tile.center_mm),
        "rotation_deg": round(tile.rotation_deg, 3) % 360,
        "confidence": round(tile.confidence, 4),
    }


def _figure_document(figure: SeenFigure) -> dict[str, Any]:
    return {
        "id": figure.id,
        "kind": figure.kind,
        "ring": figure.ring,
        "center_mm": point_document(figure.center_mm),
        "cells": [list(cell) for cell in figure.cells],
        "confidence": round(figure.confidence, 4),
    }


def _doubt_document(doubt: Doubt) -> dict[str, Any]:
    # Chances are not rounded: they have to add up to 1.
    return {
        "about": list(doubt.about),
        "variants": [{"chance": v.chance, **pieces_document(v.figures, v.doors)} for v in doubt.variants],
    }


def _ground_doubt_document(doubt: GroundDoubt) -> dict[str, Any]:
    variants = [
        {
            "chance": variant.chance,
            "cells": cells_document(variant.cells),
            "edges": edges_document(variant.edges),
            "difficult": cells_document(variant.difficult),
            "tile": variant.tile,
        }
        for variant in doubt.variants
    ]
    return {"cells": cells_document(doubt.cells), "variants": variants, "tile": doubt.tile}
