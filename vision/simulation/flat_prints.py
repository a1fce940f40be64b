"""Print flat things: marker sheets, cards, rule sheets, tokens, damage markers.

They are linear pictures (H, W, 4), colour multiplied by opacity, ready for ``surfaces.lay``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from jaxtyping import Float

from assistant.table.camera import TableMarkers
from calibration.arrays import Floats
from calibration.color import light_from_srgb
from vision.simulation.arrays import FloatMap, Generator, LightImage
from vision.simulation.decals import DECALS, Spot

MARKER_FAMILY = "DICT_APRILTAG_36h11"
PAPER, INK = 0.82, 0.018
"""Reflectance of white paper and of printer's black."""


def marker_sheets(
    markers: TableMarkers, margins_mm: Sequence[float], pixels_per_mm: float
) -> Iterator[tuple[Float[Floats, "height width 4"], Float[Floats, "4 2"]]]:
    """Yield the printed sheet of each marker, and the table places (4, 2) of its corners."""
    for marker, margin in zip(markers.markers, margins_mm, strict=True):
        side = math.dist(*marker.corners_mm[:2])
        picture, paper_mm = _marker_sheet(marker.id, side, margin, pixels_per_mm)
        corners = np.array(marker.corners_mm)
        yield picture, corners.mean(0) + (corners - corners.mean(0)) * paper_mm / side


def _marker_sheet(
    marker_id: int, side_mm: float, margin_mm: float, pixels_per_mm: float
) -> tuple[Float[Floats, "height width 4"], float]:
    """Return a printed marker with its white margin, and the paper's side in millimetres (a whole number of texels)."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    # Eight by eight squares with a black outer ring, drawn at one pixel a square and enlarged without blur.
    drawn = np.asarray(cv2.aruco.generateImageMarker(dictionary, marker_id, 8, borderBits=1), np.uint8)
    modules = np.where(drawn > 127, PAPER, INK).astype(np.float32)
    step = max(4, int(np.ceil(side_mm * pixels_per_mm / len(modules))))
    black = np.kron(modules, np.ones((step, step), np.float32))
    margin = round(margin_mm / side_mm * len(black))
    gray = np.pad(black, margin, constant_values=PAPER)
    sheet_picture = _opaque(np.repeat(gray[..., None], 3, 2) * np.array([0.97, 1.0, 1.0], np.float32))
    return sheet_picture, side_mm * len(gray) / len(black)


def card(rng: Generator) -> Float[Floats, "height width 4"]:
    """Return a playing card, 63 x 88 mm: a picture with text, or its back."""
    picture = np.empty((352, 252, 3), np.float32)
    picture[:] = rng.uniform(0.3, 0.9, 3)
    cv2.rectangle(picture, (10, 10), (241, 341), tuple(rng.uniform(0.05, 0.9, 3).tolist()), -1)
    names = list(DECALS)
    if rng.random() < 0.5:
        for _ in range(3):
            spot = Spot((126, float(rng.uniform(60, 150))), float(rng.uniform(70, 190)), float(rng.uniform(0, 360)))
            DECALS[str(rng.choice(names))](rng, picture, spot)
        cv2.rectangle(picture, (18, 210), (233, 332), (0.88, 0.9, 0.9), -1)
        _text_lines(rng, picture, (26, 222, 226, 326), 11)
    else:
        DECALS["rune"](rng, picture, Spot((126, 176), 210.0, 0.0))
        DECALS["rune"](rng, picture, Spot((126, 176), 110.0, 20.0))
    return _opaque(light_from_srgb(np.clip(picture, 0, 1)))


def sheet(rng: Generator) -> Float[Floats, "height width 4"]:
    """Return a printed sheet, A5: headline, text, perhaps a table."""
    picture = np.full((840, 592, 3), 0.93, np.float32)
    picture *= rng.uniform(0.93, 1.0, 3).astype(np.float32)
    head = tuple(rng.uniform(0.05, 0.6, 3).tolist())
    cv2.rectangle(picture, (40, 40), (552, 90), head, -1)
    _text_lines(rng, picture, (40, 120, 552, 560), 15)
    for row in range(6):
        cv2.rectangle(picture, (40, 590 + 34 * row), (552, 624 + 34 * row), (0.3, 0.3, 0.3), 1)
    return _opaque(light_from_srgb(picture))


def token(rng: Generator) -> Float[Floats, "height width 4"]:
    """Return a round cardboard token for the table beside the board."""
    picture, mask = _disc(96)
    picture[:] = rng.uniform(0.1, 0.95, 3)
    cv2.circle(picture, (48, 48), 40, tuple(rng.uniform(0.05, 0.9, 3).tolist()), 4)
    DECALS[str(rng.choice(["rune", "letters", "hatch"]))](rng, picture, Spot((48, 48), 56.0, 0.0))
    return _cut(light_from_srgb(np.clip(picture, 0, 1)), mask)


def damage_marker(rng: Generator) -> Float[Floats, "height width 4"]:
    """Return a round 12 mm marker for a cell: a drop, a star or a cross on a bright ground."""
    picture, mask = _disc(96)
    picture[:] = rng.choice([[0.10, 0.12, 0.75], [0.1, 0.55, 0.9], [0.85, 0.88, 0.9], [0.08, 0.08, 0.1]])
    ink = (0.95, 0.95, 0.95) if picture[0, 0].mean() < 0.5 else (0.1, 0.08, 0.6)
    arms = int(rng.integers(3, 9))
    for k in range(arms):
        turn = 2 * np.pi * k / arms
        tip = (int(48 + 34 * np.cos(turn)), int(48 + 34 * np.sin(turn)))
        cv2.line(picture, (48, 48), tip, ink, int(rng.integers(4, 12)))
    cv2.circle(picture, (48, 48), 43, ink, 3)
    return _cut(light_from_srgb(picture), mask)


def filled(outline_px: Float[Floats, "n 2"], size_wh: tuple[int, int]) -> FloatMap:
    """Return a polygon (N, 2) as opacity (H, W), its edges softened over a texel."""
    mask = np.zeros((size_wh[1], size_wh[0]), np.uint8)
    shift = 4
    cv2.fillPoly(mask, [np.round(outline_px * (1 << shift)).astype(np.int32)], 255, cv2.LINE_AA, shift)
    return mask.astype(np.float32) / 255


def _text_lines(rng: Generator, picture: LightImage, area: tuple[int, int, int, int], pitch: int) -> None:
    left, top, right, bottom = area
    for y in range(top, bottom, pitch):
        x = left
        end = right if rng.random() < 0.8 else left + (right - left) // 2
        while x < end - 6:
            width = int(rng.integers(8, 44))
            cv2.rectangle(picture, (x, y), (min(x + width, end), y + pitch // 2), (0.22, 0.22, 0.22), -1)
            x += width + 6


def _disc(side: int) -> tuple[LightImage, FloatMap]:
    mask = np.zeros((side, side), np.uint8)
    cv2.circle(mask, (side // 2, side // 2), side // 2 - 1, 255, -1, cv2.LINE_AA)
    return np.empty((side, side, 3), np.float32), mask.astype(np.float32) / 255


def _cut(picture: LightImage, mask: FloatMap) -> Float[Floats, "height width 4"]:
    return np.dstack([picture * mask[..., None], mask]).astype(np.float32)


def _opaque(picture: LightImage) -> Float[Floats, "height width 4"]:
    return np.dstack([picture, np.ones(picture.shape[:2], np.float32)]).astype(np.float32)
