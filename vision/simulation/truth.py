"""The exact truth of a scene as documents, for scoring readings of its photo."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np
from jaxtyping import Float32

from assistant.documents import board_document
from assistant.table.camera import CameraLens, TableMarkers
from assistant.table.lattice import Cell
from assistant.table.observation import lattice_from_table
from calibration.arrays import Singles
from vision.simulation.compose import markers_in_view
from vision.simulation.scene import PlacedFigure, Scene, tile_points, tile_rotation_deg
from vision.simulation.stage_setup import fallen_body

Document = dict[str, Any]

_ACROSS = 0.25
"""Share of a cell that a fallen figure covers to lie across it."""


def truth_document(scene: Scene) -> Document:
    """Return a ``sightline.observation/1`` without confidences, with the board and the things on it."""
    grid = scene.grid
    return {
        "format": "sightline.observation/1",
        "camera": {"reprojection_px": 0.0, "markers_seen": list(markers_in_view(scene.view, scene.markers))},
        "grid": {
            "origin_mm": _round(grid.origin_mm),
            "angle_deg": round(grid.angle_deg, 5),
            "cell_mm": grid.cell_mm,
        },
        "tiles": [_tile(scene, index) for index in range(len(scene.tiles))],
        "doors": [{"from_mm": _round(d.from_mm), "to_mm": _round(d.to_mm)} for d in scene.doors],
        "figures": [
            {
                "id": placed.figure.id,
                "kind": placed.figure.kind,
                "ring": placed.figure.ring,
                "center_mm": _round(placed.center_mm),
                "cells": [list(cell) for cell in sorted(placed.cells)],
            }
            for placed in scene.figures
        ],
        "board": board_document(scene.board),
        "fallen": [
            {
                "id": placed.figure.id,
                "kind": placed.figure.kind,
                "cells": [list(cell) for cell in sorted(placed.cells)],
                "across": [list(cell) for cell in _cells_across(scene, placed)],
            }
            for placed in scene.fallen
        ],
        "things": [
            {"kind": thing.kind, "center_mm": _round(thing.center_mm), "turn_deg": round(thing.turn_deg, 2)}
            for thing in scene.clutter
            if thing.on_board
        ],
    }


def _cells_across(scene: Scene, fallen: PlacedFigure) -> list[Cell]:
    """Return the cells of the board that a fallen figure lies across, seen from straight above."""
    below_mm = fallen_body(scene, fallen).mesh.vertices[:, :2]
    corners = [lattice_from_table(scene.grid, (x, y)) for x, y in below_mm.tolist()]
    outline = cv2.convexHull(np.array(corners, dtype=np.float32))
    first, last = np.floor(outline.min(axis=(0, 1))).astype(int), np.ceil(outline.max(axis=(0, 1))).astype(int)
    boxes = {(c, r): _box((c, r)) for c in range(first[0], last[0]) for r in range(first[1], last[1])}
    return sorted(
        cell
        for cell, box in boxes.items()
        if cell in scene.cells and cv2.intersectConvexConvex(outline, box)[0] >= _ACROSS
    )


def _box(cell: Cell) -> Float32[Singles, "4 2"]:
    steps = np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
    return np.asarray(np.array(cell) + steps, dtype=np.float32)


def meta_document(scene: Scene, visible_shares: Mapping[str, float]) -> Document:
    """Return a note on the photo besides its truth: light, pose, camera settings, and each body's visible share."""
    tilt, azimuth, roll, distance = scene.around
    figures = {p.figure.id: round(visible_shares.get(f"figure:{p.figure.id}", 0.0), 3) for p in scene.figures}
    look = scene.camera
    return {
        "name": scene.name,
        "bucket": scene.bucket,
        "seed": scene.seed,
        "light": scene.lighting.name,
        "tabletop": scene.table_top,
        "tiles": len(scene.tiles),
        "figures": len(scene.figures),
        "doors": len(scene.doors),
        "camera": {
            "tilt_deg": round(tilt, 2),
            "azimuth_deg": round(azimuth, 2),
            "roll_deg": round(roll, 2),
            "distance_mm": round(distance, 2),
            "height_mm": round(float(scene.view.center_mm[2]), 2),
        },
        "rvec": [round(v, 6) for v in scene.view.rotation_vector],
        "tvec": [round(v, 4) for v in scene.view.translation_mm],
        "tile_thickness_mm": scene.printed.tile_set.thickness_mm,
        "figures_visible": figures,
        "doors_visible": [round(visible_shares.get(f"door:{d.id}", 0.0), 3) for d in scene.doors],
        "markers_in_view": list(markers_in_view(scene.view, scene.markers)),
        "look": {
            "noise": round(look.noise, 3),
            "defocus": round(look.defocus_px, 3),
            "motion": None if look.motion is None else [round(v, 2) for v in look.motion],
            "quality": look.jpeg_quality,
        },
    }


def table_document(markers: TableMarkers) -> Document:
    """Return the ``sightline.table/1`` document of printed markers."""
    document: Document = {"format": "sightline.table/1", "marker_family": markers.marker_family}
    if markers.cell_mm is not None:
        document["cell_mm"] = markers.cell_mm
    document["markers"] = [{"id": m.id, "corners_mm": [list(c) for c in m.corners_mm]} for m in markers.markers]
    return document


def camera_document(lens: CameraLens) -> Document:
    """Return the ``sightline.camera/1`` document of a lens."""
    return {
        "format": "sightline.camera/1",
        "width": lens.width_px,
        "height": lens.height_px,
        "matrix": [list(row) for row in lens.matrix],
        "distortion": list(lens.distortion),
    }


def _tile(scene: Scene, index: int) -> Document:
    tile = scene.tiles[index]
    left, top, columns, rows = scene.printed.tile_set.side(tile.id).bounds
    middle = tile_points(scene, tile, np.array([[left + columns / 2, top + rows / 2]]))[0]
    return {
        "id": tile.id,
        "center_mm": _round((float(middle[0]), float(middle[1]))),
        "rotation_deg": round(tile_rotation_deg(scene, tile), 4),
    }


def _round(point: tuple[float, float]) -> list[float]:
    if not all(math.isfinite(v) for v in point):
        raise ValueError(f"a place on the table must be finite, not {point}")
    return [round(point[0], 4), round(point[1], 4)]
