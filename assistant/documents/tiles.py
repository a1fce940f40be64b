"""``sightline.tileset/1`` and ``sightline.roster/1``: what may lie and stand on the table."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from assistant.documents.board import PrintedEdgeWire, printed_edges
from assistant.documents.looks import LookWire, look_document, look_of
from assistant.documents.reading import CellPair, HexColor, Name, NotNegative, PositiveFloat, decode, refuse_repeated
from assistant.errors import BadValue, MissingField
from assistant.table.roster import DoorSpec, Roster, RosterFigure
from assistant.table.tiles import TileSet, TileSide
from assistant.translations.messages import message, said

_Side = Annotated[int, Meta(ge=1, le=20)]


class _TileWire(Struct):
    id: Name
    image: Name
    cells: list[CellPair]
    edges: list[PrintedEdgeWire]
    difficult: list[CellPair] = []


class _TileSetWire(Struct):
    cell_mm: PositiveFloat
    pixels_per_cell: Annotated[int, Meta(ge=4, le=1024)]
    tiles: list[_TileWire]
    name: str = ""
    thickness_mm: NotNegative = 2.0


class _RosterFigureWire(Struct):
    id: Name
    kind: Name
    side: Name
    size: tuple[_Side, _Side]
    base_mm: PositiveFloat
    height_mm: PositiveFloat
    ring: HexColor | None = None
    base_shape: Literal["round", "rectangle"] = "round"
    mark: HexColor | None = None
    base_size_mm: tuple[PositiveFloat, PositiveFloat] | UnsetType = UNSET
    look: LookWire | str | None = None


class _DoorsWire(Struct):
    count: Annotated[int, Meta(ge=0, le=10_000)]
    width_cells: Annotated[int, Meta(ge=1, le=10)]
    height_mm: PositiveFloat
    thickness_mm: PositiveFloat


class _RosterWire(Struct):
    figures: list[_RosterFigureWire]
    doors: _DoorsWire


def tile_set_from_json(data: bytes, document: str = "tileset") -> TileSet:
    """The tiles of a ``sightline.tileset/1`` document.

    Raises:
        DocumentError: the document breaks its format, a tile is there twice or has no cell.
    """
    wire = decode(data, "sightline.tileset/1", _TileSetWire, document)
    if not wire.tiles:
        raise BadValue(said("a tile set needs at least one tile"), document=document, field="tiles")
    refuse_repeated([tile.id for tile in wire.tiles], message("tile"), "tiles", document)
    sides = tuple(_tile_side(tile, f"tiles[{i}]", document) for i, tile in enumerate(wire.tiles))
    return TileSet(wire.name, wire.cell_mm, wire.pixels_per_cell, wire.thickness_mm, sides)


def _tile_side(tile: _TileWire, where: str, document: str) -> TileSide:
    if not tile.cells:
        raise BadValue(said("a tile needs at least one cell"), document=document, field=f"{where}.cells")
    cells = frozenset(tile.cells)
    stray = sorted(frozenset(tile.difficult) - cells)
    if stray:
        text = said("{cell} is not one of the tile's cells", cell=str(list(stray[0])))
        raise BadValue(text, document=document, field=f"{where}.difficult")
    edges = printed_edges(tile.edges, f"{where}.edges", document)
    return TileSide(tile.id, tile.image, cells, edges, frozenset(tile.difficult))


def roster_from_json(data: bytes, document: str = "roster") -> Roster:
    """The figures and doors of a ``sightline.roster/1`` document.

    Raises:
        DocumentError: the document breaks its format or names one figure twice.
    """
    wire = decode(data, "sightline.roster/1", _RosterWire, document)
    refuse_repeated([figure.id for figure in wire.figures], message("figure"), "figures", document)
    figures = tuple(_roster_figure(figure, f"figures[{i}]", document) for i, figure in enumerate(wire.figures))
    doors = wire.doors
    return Roster(figures, DoorSpec(doors.count, doors.width_cells, doors.height_mm, doors.thickness_mm))


def _roster_figure(wire: _RosterFigureWire, where: str, document: str) -> RosterFigure:
    if wire.base_shape == "rectangle" and wire.base_size_mm is UNSET:
        raise MissingField(
            said("a rectangular base needs both sides"), document=document, field=f"{where}.base_size_mm"
        )
    return RosterFigure(
        id=wire.id,
        kind=wire.kind,
        side=wire.side,
        size=wire.size,
        base_mm=wire.base_mm,
        height_mm=wire.height_mm,
        ring=wire.ring.lower() if wire.ring else None,
        base_shape=wire.base_shape,
        base_size_mm=(wire.base_mm, wire.base_mm) if wire.base_size_mm is UNSET else wire.base_size_mm,
        look=look_of(wire.look, f"{where}.look", document),
        mark=wire.mark.lower() if wire.mark else None,
    )


def roster_document(roster: Roster) -> dict[str, Any]:
    """The ``sightline.roster/1`` document of a box of figures."""
    figures = []
    for figure in roster.figures:
        entry: dict[str, Any] = {
            "id": figure.id,
            "kind": figure.kind,
            "side": figure.side,
            "size": list(figure.size),
            "base_mm": figure.base_mm,
            "height_mm": figure.height_mm,
            "base_shape": figure.base_shape,
        }
        if figure.ring is not None:
            entry["ring"] = figure.ring
        if figure.base_shape == "rectangle":
            entry["base_size_mm"] = list(figure.base_size_mm)
        if figure.mark is not None:
            entry["mark"] = figure.mark
        if figure.look is not None:
            entry["look"] = look_document(figure.look)
        figures.append(entry)
    doors = roster.doors
    return {
        "format": "sightline.roster/1",
        "figures": figures,
        "doors": {
            "count": doors.count,
            "width_cells": doors.width_cells,
            "height_mm": doors.height_mm,
            "thickness_mm": doors.thickness_mm,
        },
    }


def tile_set_document(tile_set: TileSet) -> dict[str, Any]:
    """The ``sightline.tileset/1`` document of a tile set."""
    return {
        "format": "sightline.tileset/1",
        "name": tile_set.name,
        "cell_mm": tile_set.cell_mm,
        "pixels_per_cell": tile_set.pixels_per_cell,
        "thickness_mm": tile_set.thickness_mm,
        "tiles": [
            {
                "id": side.id,
                "image": side.image,
                "cells": [list(cell) for cell in sorted(side.cells, key=lambda c: (c[1], c[0]))],
                "difficult": [list(cell) for cell in sorted(side.difficult)],
                "edges": [
                    {"from": list(edge.start), "to": list(edge.end), "kind": side.edges[edge]}
                    for edge in sorted(side.edges)
                ],
            }
            for side in tile_set.sides
        ],
    }
