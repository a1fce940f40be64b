"""The cell size by the outlines of things on a table, from a phone above."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest

from calibration.pose import pinhole, view_at
from vision.teaching.box_outlines import LooseThing
from vision.teaching.box_plane import see_plane

CELL_MM = 25.4
PHOTO_WH = (1600, 1200)
CARD_MM, DOOR_MM = (63.5, 88.9), (25.4, 30.0)


def things_of(sizes_mm: Sequence[tuple[float, float]]) -> list[LooseThing]:
    """Return rectangles side by side, slightly rotated, under a tilted camera; outlines are off by half a pixel."""
    rng = np.random.default_rng(5)
    view = view_at(pinhole(PHOTO_WH, 0.76), np.array([0.12, -0.05, 0.0, -200.0, -60.0, 560.0]))
    found, x = [], 0.0
    for width, height in sizes_mm:
        turn = math.radians(rng.uniform(-14, 14))
        around = np.array([[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]]) * [width, height]
        line = np.concatenate([np.linspace(a, b, 200, endpoint=False) for a, b in pairwise(around)])
        turned = line @ np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
        outline = view.image_from_table(turned + np.array([x, 30.0 * len(found) % 70]))
        found.append(LooseThing(outline + rng.normal(0, 0.5, outline.shape), is_cut=False))
        x += math.hypot(width, height) + 6
    return found


@pytest.mark.parametrize(
    "sizes_mm",
    [
        [(76.2, 50.8), (127.0, 76.2), CARD_MM, DOOR_MM],
        [(76.2, 50.8), (50.8, 50.8), CARD_MM, CARD_MM],
        [(76.2, 50.8), (101.6, 76.2)],
    ],
    ids=["a card and a door", "two cards", "two tiles alone"],
)
def test_a_cell_is_neither_halved_nor_doubled(sizes_mm):
    things = things_of(sizes_mm)
    plane = see_plane(things, PHOTO_WH, CELL_MM)
    assert plane is not None
    seen = plane.view.table_from_image(things[0].outline_px[[0, 200, 400]])
    lengths_mm = np.linalg.norm(np.diff(seen, axis=0), axis=1)
    assert lengths_mm == pytest.approx(sizes_mm[0], rel=0.05)
