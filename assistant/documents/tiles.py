"""``sightline.tileset/1`` and ``sightline.roster/1``: the tiles, figures and doors of the box."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType, structs

from assistant.documents.board import PrintedEdgeWire, cells_document, edges_document, printed_edges
from assistant.documents.looks import LookWire, look_document, picture_bytes
from assistant.documents.reading import Wire, decode, refuse_repeated
from assistant.errors import BadValue, MissingField
from assistant.table.fields import CellPair, HexColor, Name, NotNegative, Positive
from assistant.table.roster import BaseShape, DoorSpec, FigureLook, Roster, RosterFigure
from assistant.table.tiles import TileSet, TileSide
from assistant.translations.messages import message, said

_Side = Annotated[int, Meta(ge=1, le=20)]


@dataclass(frozen=True)
class SharedAbout:
    """The maker and the version of a shared tile set."""

    made_by: str
    version: int


class _SharedAboutWire(Wire):
    made_by: Annotated[str, Meta(max_length=200)] = ""
    version: Annotated[int, Meta(ge=1)] = 1

    @cached_property
    def made(self) -> SharedAbout:
        return SharedAbout(self.made_by, self.version)


class _TileWire(Wire):
    id: Name
    image: Name
    cells: frozenset[CellPair]
    edges: tuple[PrintedEdgeWire, ...]
    difficult: frozenset[CellPair] = frozenset()

    @cached_property
    def made(self) -> TileSide:
        if not self.cells:
            raise BadValue(said("a tile needs at least one cell"), field="cells")
        if stray := sorted(self.difficult - self.cells):
            raise BadValue(said("{cell} is not one of the tile's cells", cell=str(list(stray[0]))), field="difficult")
        return TileSide(self.id, self.image, self.cells, printed_edges(self.edges), self.difficult)


class _TileSetWire(Wire):
    cell_mm: Positive
    pixels_per_cell: Annotated[int, Meta(ge=4, le=1024)]
    tiles: tuple[_TileWire, ...]
    name: str = ""
    thickness_mm: NotNegative = 2.0
    in_white_light: bool = True

    @cached_property
    def made(self) -> TileSet:
        if not self.tiles:
            raise BadValue(said("a tile set needs at least one tile"), field="tiles")
        refuse_repeated([tile.id for tile in self.tiles], message("tile"), "tiles")
        sides = tuple(tile.made for tile in self.tiles)
        return TileSet(self.name, self.cell_mm, self.pixels_per_cell, self.thickness_mm, sides, self.in_white_light)


class _RosterFigureWire(Wire):
    id: Name
    kind: Name
    side: Name
    size: tuple[_Side, _Side]
    base_mm: Positive
    height_mm: Positive
    ring: HexColor | None = None
    base_shape: BaseShape = "round"
    mark: HexColor | None = None
    base_size_mm: tuple[Positive, Positive] | UnsetType = UNSET
    look: LookWire | str | None = None

    @cached_property
    def made(self) -> RosterFigure:
        if self.base_shape == "rectangle" and self.base_size_mm is UNSET:
            raise MissingField(said("a rectangular base needs both sides"), field="base_size_mm")
        differing = {
            "ring": self.ring and self.ring.lower(),
            "mark": self.mark and self.mark.lower(),
            "base_size_mm": (self.base_mm, self.base_mm) if self.base_size_mm is UNSET else self.base_size_mm,
            "look": self._look(),
        }
        return RosterFigure(**{**structs.asdict(self), **differing})

    def _look(self) -> FigureLook | None:
        if isinstance(self.look, str):
            return FigureLook(picture_png=picture_bytes(self.look, "look"))
        return None if self.look is None else self.look.made


class _RosterWire(Wire):
    figures: tuple[_RosterFigureWire, ...]
    doors: DoorSpec

    @cached_property
    def made(self) -> Roster:
        refuse_repeated([figure.id for figure in self.figures], message("figure"), "figures")
        return Roster(tuple(figure.made for figure in self.figures), self.doors)


def tile_set_from_json(data: bytes, document: str = "tileset") -> TileSet:
    """Read the tiles of a ``sightline.tileset/1`` document.

    Raises:
        DocumentError: the document breaks its format, or a tile is repeated or has no cell.
    """
    return decode(data, "sightline.tileset/1", _TileSetWire, document).made


def roster_from_json(data: bytes, document: str = "roster") -> Roster:
    """Read the figures and doors of a ``sightline.roster/1`` document.

    Raises:
        DocumentError: the document breaks its format or names one figure twice.
    """
    return decode(data, "sightline.roster/1", _RosterWire, document).made


def roster_document(roster: Roster) -> dict[str, Any]:
    """Return the ``sightline.roster/1`` document of a box of figures."""
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
    return {"format": "sightline.roster/1", "figures": figures, "doors": asdict(roster.doors)}


def tile_set_document(tile_set: TileSet) -> dict[str, Any]:
    """Return the ``sightline.tileset/1`` document of a tile set."""
    return {
        "format": "sightline.tileset/1",
        "name": tile_set.name,
        "cell_mm": tile_set.cell_mm,
        "pixels_per_cell": tile_set.pixels_per_cell,
        "thickness_mm": tile_set.thickness_mm,
        **({} if tile_set.in_white_light else {"in_white_light": False}),
        "tiles": [
            {
                "id": side.id,
                "image": side.image,
                "cells": [list(cell) for cell in sorted(side.cells, key=lambda c: (c[1], c[0]))],
                "difficult": cells_document(side.difficult),
                "edges": edges_document(side.edges),
            }
            for side in tile_set.sides
        ],
    }


def shared_about_from_json(data: bytes, name: str) -> SharedAbout:
    """Read a ``sightline.shared/1`` document.

    Raises:
        DocumentError: it breaks the format.
    """
    return decode(data, "sightline.shared/1", _SharedAboutWire, name).made


def shared_about_document(about: SharedAbout) -> dict[str, Any]:
    """Return the ``sightline.shared/1`` document: the maker and the version of a shared set."""
    return {"format": "sightline.shared/1", "made_by": about.made_by, "version": about.version}
