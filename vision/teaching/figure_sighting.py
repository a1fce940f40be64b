"""One figure in one photo: how large its base is, which colour its ring has, and how it looks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from assistant.errors import NoFigureShown
from assistant.table.camera import PointMm, TableMarkers
from assistant.table.roster import RosterFigure
from calibration.pose import CameraView
from vision.images import BgrImage, Mask, Numbers
from vision.light import from_linear, to_linear
from vision.paper_light import PaperLight, paper_light
from vision.ring_colors import bgr_of
from vision.teaching.things import PX_PER_MM, Ground, see_ground

BASE_HEIGHT_MM = 3.0
RIM_MM = 1.5
"""A base is this high, and this much of its top shows the ring's colour."""

LOOK_PX = 128
"""Pixels of a side of the picture that is kept."""

PAPER_ALBEDO = 0.85
"""Share of the light that printer paper throws back."""

_RADII_MM = np.arange(8.0, 31.0, 0.5)
_CLEAR_SHARE = 0.28
"""Of a base's outline at least this share has to be an edge towards its middle; bodies and shadows hide the rest."""

_SAME_CIRCLE = 0.85
"""A ring has two edges: the outer one is taken if it is nearly as clear as the inner one."""

_CHROMA_OF_RING = 16.0
"""A rim (CIELAB chroma) below this is taken for the base's own grey."""

_KNOWN_RING = 22.0
"""Difference (CIELAB a, b) within which a rim has a colour that the roster holds already."""

_STRONG = 8.0


@dataclass(frozen=True, eq=False)
class FigureSighting:
    """A figure as one photo shows it.

    Args:
        center_mm: the middle of its base on the table.
        base_mm: the diameter of its base.
        ring: the colour of its rim as ``#rrggbb``; None where it has none that stands out.
        confidence: how much of the base's outline was seen, 0 to 1.
        look: a square picture of it, ``LOOK_PX`` a side, blue-green-red.
    """

    center_mm: PointMm
    base_mm: float
    ring: str | None
    confidence: float
    look: BgrImage


@dataclass(frozen=True)
class _Circle:
    center_px: tuple[float, float]
    radius_mm: float
    share: float


def sight_figure(photo: BgrImage, view: CameraView, markers: TableMarkers, *, ground_mm: float = 0.0) -> FigureSighting:
    """The figure that stands between the markers.

    Args:
        photo: the photo.
        view: where the camera was.
        markers: the printed markers.
        ground_mm: height of what it stands on above the table.

    Raises:
        NoFigureShown: nothing there has a round base.
    """
    light = paper_light(photo, view, markers)
    ground = see_ground(photo, view, markers, light, ground_mm + BASE_HEIGHT_MM)
    circle = _best_circle(ground)
    if circle is None:
        raise NoFigureShown(
            "no figure with a round base could be made out between the markers; stand one figure alone on the bare "
            "table, away from its edge, and take the photo from higher up"
        )
    x, y = ground.frame.table_from_frame(np.array([circle.center_px]))[0].tolist()
    ring = _ring_color(ground, circle, light)
    look = _look(photo, view, (x, y), 2 * circle.radius_mm, ground_mm)
    return FigureSighting((x, y), 2 * circle.radius_mm, ring, min(1.0, circle.share * 1.4), look)


def known_ring(ring: str, figures: Sequence[RosterFigure]) -> str | None:
    """The ring of the roster that this colour stands for, or None where it is a new one."""
    known = sorted({figure.ring for figure in figures if figure.ring})
    if not known:
        return None
    seen = _lab_of_colors([ring])[0, 1:]
    off = np.linalg.norm(_lab_of_colors(known)[:, 1:] - seen, axis=1)
    return known[int(off.argmin())] if off.min() <= _KNOWN_RING else None


def _best_circle(ground: Ground) -> _Circle | None:
    """The base: the circle with most of its outline, coloured rims before grey ones."""
    places, directions = _edges(ground)
    found = [circle for radius in _RADII_MM for circle in _circles(places, directions, float(radius), ground)]
    clear = [circle for circle in found if circle.share >= _CLEAR_SHARE]
    if not clear:
        return None
    best = max(clear, key=lambda circle: circle.share * (1 + _stands_out(ground, circle)))
    return max((c for c in clear if _near(c, best) and c.share >= _SAME_CIRCLE * best.share), key=lambda c: c.radius_mm)


def _near(circle: _Circle, other: _Circle) -> bool:
    off_mm = math.dist(circle.center_px, other.center_px) / PX_PER_MM
    return off_mm < 1.5 and 0 <= circle.radius_mm - other.radius_mm <= RIM_MM + 0.75


def _edges(ground: Ground) -> tuple[Numbers, Numbers]:
    """Pixels on edges (N, 2) and the unit vectors of their gradients, (N, 2)."""
    soft = cv2.GaussianBlur(ground.image.astype(np.float32), (0, 0), 1.0)
    x, y = (cv2.Sobel(soft, cv2.CV_32F, *order, scale=1 / 8) for order in ((1, 0), (0, 1)))
    strongest = (x * x + y * y).argmax(axis=2)[:, :, None]
    x, y = (np.take_along_axis(part, strongest, 2)[:, :, 0] for part in (x, y))
    strength = np.hypot(x, y)
    rows, columns = np.nonzero((strength > _STRONG) & _inner(ground.is_known))
    gradient = np.column_stack([x[rows, columns], y[rows, columns]]) / strength[rows, columns][:, None]
    return np.column_stack([columns, rows]).astype(np.float64), gradient


def _inner(mask: Mask) -> Mask:
    return np.asarray(cv2.erode(mask.astype(np.uint8), np.ones((9, 9), np.uint8)) > 0)


def _circles(places: Numbers, directions: Numbers, radius_mm: float, ground: Ground) -> list[_Circle]:
    """The best circle of a radius for either sign of contrast: edges vote for middles along their gradients."""
    width, height = ground.frame.size_wh
    radius_px = radius_mm * PX_PER_MM
    found = []
    for sign in (1.0, -1.0):
        middles = np.rint(places + sign * radius_px * directions).astype(int)
        inside = ((middles >= 0) & (middles < (width, height))).all(axis=1)
        index = middles[inside, 1] * width + middles[inside, 0]
        votes = np.bincount(index, minlength=width * height).reshape(height, width).astype(np.float32)
        gathered = cv2.boxFilter(votes, -1, (3, 3), normalize=False)
        row, column = np.unravel_index(int(gathered.argmax()), gathered.shape)
        # An edge is about two pixels wide, so that a whole outline gives twice its length of votes.
        share = float(gathered[row, column]) / (2 * 2 * math.pi * radius_px)
        found.append(_Circle((float(column), float(row)), radius_mm, min(1.0, share)))
    return found


def _stands_out(ground: Ground, circle: _Circle) -> float:
    """How coloured the rim is next to what lies outside of it, 0 to 1."""
    rim = _lab(_median(ground.image, _annulus(ground, circle, circle.radius_mm - RIM_MM, circle.radius_mm)))
    outside = _lab(_median(ground.image, _annulus(ground, circle, circle.radius_mm + 1, circle.radius_mm + 4)))
    return min(1.0, float(np.linalg.norm((rim - outside)[1:])) / 40)


def _ring_color(ground: Ground, circle: _Circle, light: PaperLight) -> str | None:
    """The colour of the rim in the light of white paper; None where it is as grey as the rest of the base."""
    mask = _annulus(ground, circle, circle.radius_mm - RIM_MM + 0.25, circle.radius_mm - 0.25)
    rim = _median(ground.image, mask)
    inside = _median(ground.image, _annulus(ground, circle, 0.4 * circle.radius_mm, circle.radius_mm - RIM_MM - 1))
    lab, lab_inside = _lab(rim), _lab(inside)
    if np.hypot(*lab[1:]) < _CHROMA_OF_RING or np.linalg.norm(lab[1:] - lab_inside[1:]) < _CHROMA_OF_RING / 2:
        return None
    place = ground.frame.table_from_frame(np.array([circle.center_px]))
    paper = float(light.brightness_at(place)[0]) * float(light.tint.min())
    linear = to_linear(np.round(rim).astype(np.uint8)[None, None]) / max(paper, 1e-3) * PAPER_ALBEDO
    blue, green, red = from_linear(np.asarray(linear, dtype=np.float32))[0, 0].tolist()
    return f"#{red:02x}{green:02x}{blue:02x}"


def _annulus(ground: Ground, circle: _Circle, inner_mm: float, outer_mm: float) -> Mask:
    height, width = ground.is_known.shape
    down, right = np.mgrid[:height, :width]
    distance = np.hypot(right - circle.center_px[0], down - circle.center_px[1]) / PX_PER_MM
    return np.asarray((distance >= inner_mm) & (distance <= outer_mm))


def _median(image: BgrImage, mask: Mask) -> Numbers:
    """The most frequent shade of what is coloured alike: the median of the half with most colour, (3,)."""
    pixels = image[mask].astype(np.float64)
    if len(pixels) == 0:
        return np.zeros(3)
    chroma = pixels.max(axis=1) - pixels.min(axis=1)
    return np.asarray(np.median(pixels[chroma >= np.median(chroma)], axis=0))


def _lab(bgr: Numbers) -> Numbers:
    lab: Numbers = cv2.cvtColor((bgr[None, None] / 255).astype(np.float32), cv2.COLOR_BGR2LAB)[0, 0]
    return lab


def _lab_of_colors(colors: Sequence[str]) -> Numbers:
    return np.array([_lab(np.array(bgr_of(color), dtype=np.float64)) for color in colors])


def _look(photo: BgrImage, view: CameraView, center_mm: PointMm, base_mm: float, ground_mm: float) -> BgrImage:
    """The part of the photo round the figure, a square twice its base wide, as the camera saw it."""
    heights = np.array([ground_mm, ground_mm + 1.5 * base_mm])
    foot, head = view.image_from_table(np.array([center_mm, center_mm]), heights)
    side = view.image_from_table(np.array([[center_mm[0] + base_mm, center_mm[1]]]), ground_mm)[0]
    half = max(float(np.linalg.norm(side - foot)), float(np.linalg.norm(head - foot)) / 2) * 1.1
    middle = (foot + head) / 2
    matrix = np.array([[2 * half / LOOK_PX, 0, middle[0] - half], [0, 2 * half / LOOK_PX, middle[1] - half]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(photo, matrix, (LOOK_PX, LOOK_PX), flags=flags), dtype=np.uint8)
