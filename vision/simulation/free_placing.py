"""Where models stand on a simulated skirmish: in contact, a little apart, on top of ruins, anywhere."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from jaxtyping import Float32

from assistant.table.camera import PointMm, TableMarkers
from assistant.table.free_table import Terrain
from assistant.table.roster import RosterFigure
from calibration.arrays import Singles
from vision.simulation.arrays import Generator
from vision.simulation.free_scene import PlacedModel

IN_CONTACT, NEARLY, ON_TOP = 0.3, 0.12, 0.08
"""How many models touch an enemy, how many just do not, and how many stand on a ruin."""

NEAR_MISS_MM = (1.5, 8.0)
"""Bases that do not touch are at least so far apart: nearer than that, players push them together or apart."""

CLEAR_MM = 1.5


def place_models(
    rng: Generator,
    size: PointMm,
    figures: Sequence[RosterFigure],
    terrain: Sequence[Terrain],
    markers: TableMarkers,
) -> tuple[PlacedModel, ...]:
    """The models that there is room for; no base lies on another, on a marker or half on a wall."""
    placed: list[PlacedModel] = []
    for figure in (figures[int(i)] for i in rng.permutation(len(figures))):
        for _ in range(40):
            trial = _somewhere(rng, size, figure, placed, terrain)
            if trial is not None and _has_room(trial, size, placed, terrain, markers):
                placed.append(trial)
                break
    return tuple(sorted(placed, key=lambda p: p.figure.id))


def _somewhere(
    rng: Generator, size: PointMm, figure: RosterFigure, placed: Sequence[PlacedModel], terrain: Sequence[Terrain]
) -> PlacedModel | None:
    chance, seed, turn = rng.random(), int(rng.integers(2**31)), float(rng.uniform(0, 360))
    if chance < IN_CONTACT + NEARLY:
        enemies = [p for p in placed if p.figure.side != figure.side and p.figure.base_shape == "round"]
        if not enemies or figure.base_shape != "round":
            return None
        other = enemies[int(rng.integers(len(enemies)))]
        gap = -0.0005 if chance < IN_CONTACT else float(rng.uniform(*NEAR_MISS_MM))
        apart, angle = (figure.base_mm + other.figure.base_mm) / 2 + gap, float(rng.uniform(0, 2 * math.pi))
        x, y = other.center_mm[0] + apart * math.cos(angle), other.center_mm[1] + apart * math.sin(angle)
        return PlacedModel(figure, (x, y), turn, other.elevation_mm, seed)
    if chance < IN_CONTACT + NEARLY + ON_TOP:
        tops = [piece for piece in terrain if piece.kind == "wall"]
        if not tops:
            return None
        piece = tops[int(rng.integers(len(tops)))]
        corners = outline_of(piece)
        x, y = (corners.mean(axis=0) + rng.normal(0, 12, 2)).tolist()
        return PlacedModel(figure, (x, y), turn, float(piece.height_mm), seed)
    x, y = rng.uniform((45, 45), (size[0] - 45, size[1] - 45)).tolist()
    return PlacedModel(figure, (x, y), turn, 0.0, seed)


def _has_room(
    trial: PlacedModel,
    size: PointMm,
    placed: Iterable[PlacedModel],
    terrain: Sequence[Terrain],
    markers: TableMarkers,
) -> bool:
    x, y = trial.center_mm
    reach = reach_of(trial.figure)
    if not (30 + reach < x < size[0] - 30 - reach and 30 + reach < y < size[1] - 30 - reach):
        return False
    for marker in markers.markers:
        if math.dist(np.mean(marker.corners_mm, axis=0), trial.center_mm) < reach + 52:
            return False
    for other in placed:
        apart = math.dist(other.center_mm, trial.center_mm) - reach - reach_of(other.figure)
        # Players who mean to touch do; a hair more or less is never meant.
        if apart < -0.001 or 0.0 < apart < NEAR_MISS_MM[0]:
            return False
    return _has_ground(trial, terrain, reach) and all(_clears(trial, piece, reach) for piece in terrain)


def _has_ground(trial: PlacedModel, terrain: Iterable[Terrain], reach: float) -> bool:
    """Whether something is under a base that is above the table: an enemy of one on a ruin may touch air alone."""
    tops = (piece for piece in terrain if piece.kind == "wall" and float(piece.height_mm) == trial.elevation_mm)
    return trial.elevation_mm == 0 or any(inside_mm(trial.center_mm, piece) > reach + CLEAR_MM for piece in tops)


def _clears(trial: PlacedModel, piece: Terrain, reach: float) -> bool:
    """Whether the base stands wholly on a piece, or wholly beside it; flat ground is stood on anyhow."""
    if piece.kind in ("difficult", "gap"):
        return piece.kind == "difficult" or inside_mm(trial.center_mm, piece) < -reach - CLEAR_MM
    inside = inside_mm(trial.center_mm, piece)
    if trial.elevation_mm > 0 and trial.elevation_mm == float(piece.height_mm) and piece.kind == "wall":
        return inside > reach + CLEAR_MM or inside < -reach - CLEAR_MM
    return inside < -reach - CLEAR_MM


def reach_of(figure: RosterFigure) -> float:
    """How far a base reaches from its middle."""
    return figure.base_mm / 2 if figure.base_shape == "round" else math.hypot(*figure.base_size_mm) / 2


def outline_of(piece: Terrain) -> Float32[Singles, "n 2"]:
    """The corners of an outline, (N, 2), millimetres."""
    return np.array([[float(x), float(y)] for x, y in piece.outline_mm], np.float32)


def inside_mm(point: PointMm, piece: Terrain) -> float:
    """How far inside of the outline a place is; outside of it negative."""
    return float(cv2.pointPolygonTest(outline_of(piece), (float(point[0]), float(point[1])), True))
