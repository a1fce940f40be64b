"""Cards that lie on a simulated table without a grid: printed rings as wide and as coloured as those of bases.

A card's ring differs from a painted rim in one thing alone: it lies flat, and a base is a low cylinder.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from jaxtyping import Float

from assistant.table.camera import PointMm, TableMarkers
from assistant.table.free_table import Terrain
from assistant.table.roster import RosterFigure
from calibration.arrays import Floats
from calibration.color import light_from_hex
from vision.simulation.arrays import Generator
from vision.simulation.free_placing import inside_mm, reach_of
from vision.simulation.free_scene import PlacedModel, PrintedCard, PrintedRing
from vision.simulation.meshes import Color

SIZES_MM = ((63.0, 88.0), (44.0, 68.0), (70.0, 70.0))
MOST_CARDS = 4
AS_A_BASE = 0.75
"""How many printed rings are as wide and as coloured as a rim of the roster."""

CLEAR_MM, BORDER_MM = 3.0, 3.0
FINE = 4
"""A card is drawn so many times finer than it is laid, so that its lines come out smooth."""


class DressedTable(NamedTuple):
    """What lies on a table already."""

    size_mm: PointMm
    figures: Sequence[RosterFigure]
    placed: Sequence[PlacedModel]
    terrain: Sequence[Terrain]
    markers: TableMarkers


def lay_cards(rng: Generator, table: DressedTable) -> tuple[PrintedCard, ...]:
    """Cards where nothing else lies, up to ``MOST_CARDS`` as far as there is room."""
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
    """The card from above, linear, opaque."""
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
    """One to four rings round one middle, the widest first; most look like rims of round bases of the roster."""
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
    """Whether nothing lies or stands within so far of a place, and it is beside all terrain."""
    rooms = [(model.center_mm, reach_of(model.figure)) for model in table.placed]
    rooms += [(card.center_mm, math.hypot(*card.size_mm) / 2) for card in cards]
    for marker in table.markers.markers:
        x, y = np.mean(marker.corners_mm, axis=0).tolist()
        rooms.append(((x, y), 52.0))
    if any(math.dist(place, other) < reach_mm + room + CLEAR_MM for other, room in rooms):
        return False
    return all(inside_mm(place, piece) < -reach_mm - CLEAR_MM for piece in table.terrain)
