"""``sightline.observation/1``, the reading of one photo, and ``sightline.error/1`` for a photo that cannot be read."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from assistant.documents.board import (
    BOARD_FORMAT,
    BoardWire,
    DoorWire,
    FigureWire,
    PrintedEdgeWire,
    board_document,
    cells_document,
    edges_document,
    pieces_document,
    printed_edges,
)
from assistant.documents.reading import Wire, check_format, decode, point_document
from assistant.table.doubt import Doubt, GroundDoubt, GroundVariant, Variant
from assistant.table.fields import CellPair, Name
from assistant.table.observation import (
    CameraSighting,
    FallenFigure,
    LatticePose,
    Observation,
    SeenDoor,
    SeenFigure,
    SeenFrom,
    SeenTile,
)

OBSERVATION_FORMAT = "sightline.observation/1"


class _VariantWire(Wire):
    chance: float
    figures: tuple[FigureWire, ...]
    doors: tuple[DoorWire, ...]

    @cached_property
    def made(self) -> Variant:
        figures = tuple(figure.made for figure in self.figures)
        return Variant(self.chance, figures, tuple(door.made for door in self.doors))


class _DoubtWire(Wire):
    about: tuple[Name, ...]
    variants: tuple[_VariantWire, ...]

    @cached_property
    def made(self) -> Doubt:
        return Doubt(self.about, tuple(variant.made for variant in self.variants))


class _GroundVariantWire(Wire):
    chance: float
    cells: frozenset[CellPair]
    edges: tuple[PrintedEdgeWire, ...] = ()
    difficult: frozenset[CellPair] = frozenset()
    tile: str | None = None

    @cached_property
    def made(self) -> GroundVariant:
        return GroundVariant(self.chance, self.cells, printed_edges(self.edges), self.difficult, self.tile)


class _GroundDoubtWire(Wire):
    cells: frozenset[CellPair]
    variants: tuple[_GroundVariantWire, ...]
    tile: str | None = None

    @cached_property
    def made(self) -> GroundDoubt:
        return GroundDoubt(self.cells, tuple(variant.made for variant in self.variants), self.tile)


class _ObservationWire(Wire):
    camera: CameraSighting
    grid: LatticePose
    tiles: tuple[SeenTile, ...]
    doors: tuple[SeenDoor, ...]
    figures: tuple[SeenFigure, ...]
    board: BoardWire
    doubts: tuple[_DoubtWire, ...] = ()
    unknown_tiles: tuple[tuple[CellPair, ...], ...] = ()
    ground_doubts: tuple[_GroundDoubtWire, ...] = ()
    views: tuple[SeenFrom, ...] = ()
    worlds: tuple[_DoubtWire, ...] = ()
    covered: tuple[CellPair, ...] = ()
    fallen: tuple[FallenFigure, ...] = ()

    @cached_property
    def made(self) -> Observation:
        return Observation(
            camera=self.camera,
            grid=self.grid,
            tiles=self.tiles,
            doors=self.doors,
            figures=self.figures,
            board=self.board.made,
            doubts=tuple(doubt.made for doubt in self.doubts),
            unknown_tiles=self.unknown_tiles,
            ground_doubts=tuple(doubt.made for doubt in self.ground_doubts),
            views=self.views,
            worlds=tuple(doubt.made for doubt in self.worlds),
            covered=self.covered,
            fallen=self.fallen,
        )


def observation_from_json(data: bytes, document: str = "observation") -> Observation:
    """Read a saved ``sightline.observation/1`` document.

    Raises:
        DocumentError: the document breaks its format, or a doubt is about another board; the field at fault is named.
        BoardError: the parts of its board contradict each other.
    """
    wire = decode(data, OBSERVATION_FORMAT, _ObservationWire, document)
    named = {} if wire.board.format is None else {"format": wire.board.format}
    check_format(named, BOARD_FORMAT, document, "board.format")
    return wire.made


def observation_document(observation: Observation) -> dict[str, Any]:
    """Return the ``sightline.observation/1`` document of a reading."""
    grid = observation.grid
    document = {
        "format": OBSERVATION_FORMAT,
        "camera": _camera_document(observation.camera),
        "grid": {
            "origin_mm": point_document(grid.origin_mm),
            # Below 90 by contract. A lattice turned by 90 would name its cells differently, so the angle must not wrap
            # to 0.
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
    worlds = {"worlds": [_doubt_document(doubt) for doubt in observation.worlds]}
    views = {"views": [_view_document(view) for view in observation.views]}
    covered = {"covered": [list(cell) for cell in observation.covered]} if observation.covered else {}
    fallen = {"fallen": [_fallen_document(lying) for lying in observation.fallen]} if observation.fallen else {}
    return document | (worlds if observation.worlds else {}) | (views if observation.views else {}) | covered | fallen


def _fallen_document(lying: FallenFigure) -> dict[str, Any]:
    return {"cells": [list(cell) for cell in lying.cells], "confidence": round(lying.confidence, 4)}


def error_document(problem: Exception) -> dict[str, Any]:
    """Return the ``sightline.error/1`` document of an unreadable photo in a batch."""
    return {"format": "sightline.error/1", "error": str(problem)}


def _camera_document(camera: CameraSighting) -> dict[str, Any]:
    document: dict[str, Any] = {
        "reprojection_px": round(camera.reprojection_px, 4),
        "markers_seen": list(camera.markers_seen),
    }
    if camera.tiles_seen:
        document["tiles_seen"] = list(camera.tiles_seen)
    if camera.focal_uncertainty:
        document["focal_uncertainty"] = round(camera.focal_uncertainty, 4)
    if camera.light is not None:
        document["light"] = {"by": camera.light.by, "uncertainty": round(camera.light.uncertainty, 3)}
    if camera.marker_scale != 1:
        document["marker_scale"] = round(camera.marker_scale, 4)
    return document


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
    # Chances are not rounded, because they have to add up to 1.
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
