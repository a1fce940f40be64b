"""Place models and cards on a simulated table without a grid.

Models stand in contact, slightly apart, on ruins or anywhere. Cards carry printed rings as wide and as coloured as
rims, which differ from bases only in being flat.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import cv2
import numpy as np
from jaxtyping import Float, Float32

from assistant.table.camera import PointMm, TableMarkers
from assistant.table.free_table import Terrain
from assistant.table.roster import RosterFigure
from calibration.arrays import Floats, Singles
from calibration.color import light_from_hex
from vision.simulation.arrays import Generator
from vision.simulation.free_scene import PlacedModel, PrintedCard, PrintedRing
from vision.simulation.meshes import Color

IN_CONTACT, NEARLY, ON_TOP = 0.3, 0.12, 0.08
"""Shares of models that touch an enemy, just miss one, and stand on a ruin."""

NEAR_MISS_MM = (1.5, 8.0)
"""Range of near misses. Below its start, players push bases together or apart."""

CLEAR_MM = 1.5


def place_models(
    rng: Generator,
    size: PointMm,
    figures: Sequence[RosterFigure],
    terrain: Sequence[Terrain],
    markers: TableMarkers,
) -> tuple[PlacedModel, ...]:
    """Place as many models as there is room for. No base overlaps another, a marker or the edge of a wall."""
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
        # No hair-wide gaps or overlaps: players who want contact push bases together.
        if apart < -0.001 or 0.0 < apart < NEAR_MISS_MM[0]:
            return False
    return _has_ground(trial, terrain, reach) and all(_clears(trial, piece, reach) for piece in terrain)


def _has_ground(trial: PlacedModel, terrain: Iterable[Terrain], reach: float) -> bool:
    """Return whether a raised base has ground under it, since the enemy of a model on a ruin could stand on air."""
    tops = (piece for piece in terrain if piece.kind == "wall" and float(piece.height_mm) == trial.elevation_mm)
    return trial.elevation_mm == 0 or any(inside_mm(trial.center_mm, piece) > reach + CLEAR_MM for piece in tops)


def _clears(trial: PlacedModel, piece: Terrain, reach: float) -> bool:
    """Return whether the base is wholly on a piece, or wholly beside it. Difficult ground takes any base."""
    if piece.kind in ("difficult", "gap"):
        return piece.kind == "difficult" or inside_mm(trial.center_mm, piece) < -reach - CLEAR_MM
    inside = inside_mm(trial.center_mm, piece)
    if trial.elevation_mm > 0 and trial.elevation_mm == float(piece.height_mm) and piece.kind == "wall":
        return inside > reach + CLEAR_MM or inside < -reach - CLEAR_MM
    return inside < -reach - CLEAR_MM


def reach_of(figure: RosterFigure) -> float:
    """Return the radius of a base, to the corners of a rectangular one."""
    return figure.base_mm / 2 if figure.base_shape == "round" else math.hypot(*figure.base_size_mm) / 2


def outline_of(piece: Terrain) -> Float32[Singles, "n 2"]:
    """Return the corners of an outline, (N, 2), millimetres."""
    return np.array([[float(x), float(y)] for x, y in piece.outline_mm], np.float32)


def inside_mm(point: PointMm, piece: Terrain) -> float:
    """Return the distance of a place from the outline, positive inside and negative outside."""
    return float(cv2.pointPolygonTest(outline_of(piece), (float(point[0]), float(point[1])), True))


SIZES_MM = ((63.0, 88.0), (44.0, 68.0), (70.0, 70.0))
MOST_CARDS = 4
AS_A_BASE = 0.75
"""Share of printed rings with the width and colour of a rim of the roster."""

CARD_CLEAR_MM, BORDER_MM = 3.0, 3.0
FINE = 4
"""Oversampling of a card's picture, for smooth lines."""


class DressedTable(NamedTuple):
    """A table before cards are placed."""

    size_mm: PointMm
    figures: Sequence[RosterFigure]
    placed: Sequence[PlacedModel]
    terrain: Sequence[Terrain]
    markers: TableMarkers


def lay_cards(rng: Generator, table: DressedTable) -> tuple[PrintedCard, ...]:
    """Place one to ``MOST_CARDS`` cards on free places, fewer if room runs out."""
    cards: list[PrintedCard] = []
    for _ in range(int(rng.integers(1, MOST_CARDS + 1))):
        size = SIZES_MM[int(rng.integers(len(SIZES_MM)))]
        rings = _rings(rng, table.figures, min(size) / 2 - BORDER_MM)
        for _ in range(40):
            x, y = rng.uniform((40, 40), (table.size_mm[0] - 40, table.size_mm[1] - 40)).tolist()
            if is_free((x, y), math.hypot(*size) / 2, table, cards):
                turn = float(rng.uniform(0, 360))
                cards.append(PrintedCard((x, y), turn, size, _ink(rng), _ink(rng), rings))
                break
    return tuple(cards)


def card_picture(card: PrintedCard, texels_per_mm: float) -> Float[Floats, "height width 4"]:
    """Return the card from above, linear, opaque."""
    scale = texels_per_mm * FINE
    width, height = (round(side * scale) for side in card.size_mm)
    picture = np.empty((height, width, 3), np.float32)
    picture[:] = card.paper
    border, line = round(BORDER_MM * scale), round(0.8 * scale)
    cv2.rectangle(picture, (border, border), (width - border, height - border), card.frame, line)
    for ring in card.rings:
        middle = ((width - 1) / 2, (height - 1) / 2)
        radii = (ring.radius_mm * scale, max(0.0, ring.radius_mm - ring.width_mm) * scale)
        off = np.hypot(*np.meshgrid(np.arange(width) - middle[0], np.arange(height) - middle[1]))
        picture[(off <= radii[0]) & (off > radii[1])] = ring.color
    small = cv2.resize(picture, (width // FINE, height // FINE), interpolation=cv2.INTER_AREA)
    return np.dstack([small, np.ones(small.shape[:2], np.float32)]).astype(np.float32)


def _rings(rng: Generator, figures: Sequence[RosterFigure], room_mm: float) -> tuple[PrintedRing, ...]:
    """Draw one to four rings round one middle, widest first. Most copy rims of the roster's round bases."""
    rims = [figure for figure in figures if figure.ring and figure.base_shape == "round"]
    rings = []
    for _ in range(int(rng.integers(1, 5))):
        color, radius = _ink(rng), float(rng.uniform(6, room_mm))
        if rims and rng.random() < AS_A_BASE:
            figure = rims[int(rng.integers(len(rims)))]
            color = light_from_hex(figure.ring or "")
            radius = figure.base_mm / 2 + float(rng.normal(0, 0.25))
        fill = radius if rng.random() < 0.15 else float(rng.uniform(1.0, 2.4))
        if radius <= room_mm:
            rings.append(PrintedRing(radius, fill, color))
    return tuple(sorted(rings, key=lambda ring: -ring.radius_mm))


def _ink(rng: Generator) -> Color:
    b, g, r = rng.uniform(0.03, 0.8, 3).tolist()
    return b, g, r


def is_free(place: PointMm, reach_mm: float, table: DressedTable, cards: Sequence[PrintedCard]) -> bool:
    """Return whether a circle round a place touches no figure, card, marker or terrain."""
    rooms = [(model.center_mm, reach_of(model.figure)) for model in table.placed]
    rooms += [(card.center_mm, math.hypot(*card.size_mm) / 2) for card in cards]
    for marker in table.markers.markers:
        x, y = np.mean(marker.corners_mm, axis=0).tolist()
        rooms.append(((x, y), 52.0))
    if any(math.dist(place, other) < reach_mm + room + CARD_CLEAR_MM for other, room in rooms):
        return False
    return all(inside_mm(place, piece) < -reach_mm - CARD_CLEAR_MM for piece in table.terrain)
