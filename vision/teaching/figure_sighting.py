"""One figure in one photo: how large its base is, which colour its ring has, and how it looks; and in several."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from jaxtyping import Float

from assistant.errors import NoFigureShown
from assistant.table.camera import PointMm, TableMarkers
from assistant.table.roster import BaseShape, LookView, RosterFigure
from calibration.arrays import BgrImage, Mask, Numbers
from calibration.color import bgr_from_hex, gamma_from_light, lab_from_bgr, light_from_gamma
from calibration.pose import CameraView
from vision.figure_views import Foot, cut_points, view_of
from vision.paper_light import PaperLight, paper_light
from vision.teaching.base_outlines import RIM_MM, BaseOutline, edges_on
from vision.teaching.rectangular_bases import rectangles
from vision.teaching.round_bases import circles
from vision.teaching.sighting import CELL_MM
from vision.teaching.things import PX_PER_MM, GroundView, see_ground

BASE_HEIGHT_MM = 3.0
"""A base is this high."""

LOOK_PX = 128
"""Pixels of a side of the picture that is kept."""

PAPER_ALBEDO = 0.85
"""Share of the light that printer paper throws back."""

_CLEAR_SHARE = 0.4
"""Of a base's outline at least this share has to be an edge towards its middle; bodies and shadows hide the rest."""

_SAME_CIRCLE = 0.85
"""A ring has two edges: the outer one is taken if it is nearly as clear as the inner one."""

_CHROMA_OF_RING = 16.0
"""A rim (CIELAB chroma) below this is taken for the base's own grey."""

_SAME_BASE_MM, _SAME_BASE_SHARE = 2.5, 0.08
"""By so much, or such a share of its length, the base of one figure is measured differently in two photos of it at
most: a body hides up to two sides of a large one, and its shadow is taken for the third."""

_BEYOND_SPACES, _OVER_SPACES = 0.5, 0.04
"""What is said for a rectangle that reaches beyond the spaces it would take, by more than that share of one, counts so
much: the checks of a tablecloth have a spot of 27 x 15 mm as often as not."""

_KNOWN_RING = 22.0
"""Difference (CIELAB a, b) within which a rim has a colour that the roster holds already."""


@dataclass(frozen=True, eq=False)
class NewFigureSighting:
    """A figure as one photo shows it.

    Args:
        center_mm: the middle of its base on the table.
        base_shape: round or rectangular.
        base_size_mm: length and width of its base, the longer first; the diameter twice for a round one.
        ring: the colour of its rim as ``#rrggbb``; None where it has none that stands out.
        confidence: how much of the base's outline was seen, 0 to 1.
        look: a square picture of it, ``LOOK_PX`` a side, blue-green-red.
        sides: how it looks from the side of each photo that was read.
    """

    center_mm: PointMm
    base_shape: BaseShape
    base_size_mm: tuple[float, float]
    ring: str | None
    confidence: float
    look: BgrImage
    sides: tuple[LookView, ...] = ()

    @property
    def base_mm(self) -> float:
        """The shorter side of the base, or its diameter."""
        return self.base_size_mm[1]

    def size_cells(self, cell_mm: float) -> tuple[int, int]:
        """Columns and rows of the lattice that the base takes, the longer side along the columns."""
        columns, rows = (max(1, round(side_mm / cell_mm)) for side_mm in self.base_size_mm)
        return columns, rows


def sight_figure(
    photo: BgrImage,
    view: CameraView,
    markers: TableMarkers,
    *,
    ground_mm: float = 0.0,
    base_shape: BaseShape | None = None,
    cell_mm: float = CELL_MM,
) -> NewFigureSighting:
    """The figure that stands between the markers.

    Args:
        photo: the photo.
        view: where the camera was.
        markers: the printed markers.
        ground_mm: height of what it stands on above the table.
        base_shape: the shape of its base, if a person says so; the clearer one without.
        cell_mm: side of a space, into whole ones of which rectangular bases mostly fit.

    Raises:
        NoFigureShown: nothing there has a base.
    """
    light = paper_light(photo, view, markers)
    ground = see_ground(photo, view, markers, light, ground_mm + BASE_HEIGHT_MM)
    outline = _best_outline(ground, base_shape, cell_mm)
    if outline is None:
        raise NoFigureShown()
    x, y = ground.frame.table_from_frame(np.array([outline.center_px]))[0].tolist()
    ring = _ring_color(ground, outline, light)
    longer, shorter = sorted(outline.size_mm, reverse=True)
    look = _look(photo, view, (x, y), longer, ground_mm)
    white = light.brightness_at(np.array([[x, y]]))[0] * light.tint / PAPER_ALBEDO
    side = view_of(cut_points(photo, view, Foot((x, y), ground_mm, shorter / 2), white))
    return NewFigureSighting((x, y), outline.shape, (longer, shorter), ring, outline.share, look, (side,))


def from_sides(seen: Sequence[NewFigureSighting]) -> NewFigureSighting:
    """One figure from sightings of it in several photos: the base on which most of them agree, and all its sides.

    Photos in which something else was taken for its base say nothing of it and are left out.
    """
    agreeing = [[other for other in seen if _same_base(one, other)] for one in seen]
    agreed = max(agreeing, key=lambda some: sum(one.confidence for one in some))
    clearest = max(agreed, key=lambda one: one.confidence)
    longer, shorter = np.median([one.base_size_mm for one in agreed], axis=0).tolist()
    return replace(
        clearest,
        base_size_mm=(longer, shorter),
        ring=_agreed_ring([one.ring for one in agreed]),
        sides=tuple(side for one in agreed for side in one.sides),
    )


def _same_base(one: NewFigureSighting, other: NewFigureSighting) -> bool:
    off_mm = np.abs(np.subtract(one.base_size_mm, other.base_size_mm)).max()
    within_mm = max(_SAME_BASE_MM, _SAME_BASE_SHARE * max(one.base_size_mm))
    return one.base_shape == other.base_shape and bool(off_mm <= within_mm)


def _agreed_ring(rings: Sequence[str | None]) -> str | None:
    """The ring in the middle of those that were seen; None where most photos show none."""
    colors = [ring for ring in rings if ring is not None]
    if 2 * len(colors) < len(rings) or not colors:
        return None
    lab = _lab_of_colors(colors)
    return colors[int(np.linalg.norm(lab - np.median(lab, axis=0), axis=1).argmin())]


def known_ring(ring: str, figures: Sequence[RosterFigure]) -> str | None:
    """The ring of the roster that this colour stands for, or None where it is a new one."""
    known = sorted({figure.ring for figure in figures if figure.ring})
    if not known:
        return None
    seen = _lab_of_colors([ring])[0, 1:]
    off = np.linalg.norm(_lab_of_colors(known)[:, 1:] - seen, axis=1)
    return known[int(off.argmin())] if off.min() <= _KNOWN_RING else None


def _best_outline(ground: GroundView, base_shape: BaseShape | None, cell_mm: float) -> BaseOutline | None:
    """The base: the outline with most to be said for it, coloured rims before grey ones."""
    edges = edges_on(ground)
    found = [
        *([] if base_shape == "rectangle" else _best_circle(ground, circles(edges, ground))),
        *([] if base_shape == "round" else _best_rectangle(rectangles(edges, ground))),
    ]
    clear = [outline for outline in found if outline.share >= _CLEAR_SHARE]

    def said_for(outline: BaseOutline) -> float:
        # A table's pattern has straight edges and round spots, but seldom a rim of its own colour.
        said = outline.evidence * (1 + 2 * _stands_out(ground, outline))
        return said if _fits_spaces(outline, cell_mm) else _BEYOND_SPACES * said

    return max(clear, key=said_for, default=None)


def _fits_spaces(outline: BaseOutline, cell_mm: float) -> bool:
    """Whether a base fits into whole spaces; round ones come in all sizes."""
    sides = (side_mm / cell_mm for side_mm in outline.size_mm)
    return outline.shape == "round" or all(side <= max(1, round(side)) + _OVER_SPACES for side in sides)


def _best_circle(ground: GroundView, found: Sequence[BaseOutline]) -> list[BaseOutline]:
    """The circle with most of its outline, at the outer edge of its ring; none where nothing is clear."""
    clear = [circle for circle in found if circle.share >= _CLEAR_SHARE]
    if not clear:
        return []
    best = max(clear, key=lambda circle: circle.share * (1 + _stands_out(ground, circle)))
    return [max((c for c in clear if _near(c, best) and c.share >= _SAME_CIRCLE * best.share), key=lambda c: c.size_mm)]


def _best_rectangle(found: Sequence[BaseOutline]) -> list[BaseOutline]:
    """The rectangle with most to be said for it; half hidden, it is less coloured than a piece of it."""
    clear = [rectangle for rectangle in found if rectangle.share >= _CLEAR_SHARE]
    return sorted(clear, key=lambda rectangle: -rectangle.evidence)[:1]


def _near(circle: BaseOutline, other: BaseOutline) -> bool:
    off_mm = math.dist(circle.center_px, other.center_px) / PX_PER_MM
    return off_mm < 1.5 and 0 <= circle.size_mm[0] - other.size_mm[0] <= 2 * (RIM_MM + 0.75)


def _stands_out(ground: GroundView, outline: BaseOutline) -> float:
    """How coloured the rim is next to what lies outside of it, 0 to 1."""
    rim = _lab(_median(ground.image, _between(ground, outline, 0.0, RIM_MM)))
    outside = _lab(_median(ground.image, _between(ground, outline, -4.0, -1.0)))
    return min(1.0, float(np.linalg.norm((rim - outside)[1:])) / 40)


def _ring_color(ground: GroundView, outline: BaseOutline, light: PaperLight) -> str | None:
    """The colour of the rim in the light of white paper; None where it is as grey as the rest of the base."""
    rim = _median(ground.image, _between(ground, outline, 0.25, RIM_MM - 0.25))
    inside = _median(ground.image, _between(ground, outline, RIM_MM + 1, 0.3 * min(outline.size_mm)))
    lab, lab_inside = _lab(rim), _lab(inside)
    if np.hypot(*lab[1:]) < _CHROMA_OF_RING or np.linalg.norm(lab[1:] - lab_inside[1:]) < _CHROMA_OF_RING / 2:
        return None
    place = ground.frame.table_from_frame(np.array([outline.center_px]))
    paper = float(light.brightness_at(place)[0]) * float(light.tint.min())
    linear = light_from_gamma(np.round(rim).astype(np.uint8)[None, None]) / max(paper, 1e-3) * PAPER_ALBEDO
    blue, green, red = gamma_from_light(np.asarray(linear, dtype=np.float32))[0, 0].tolist()
    return f"#{red:02x}{green:02x}{blue:02x}"


def _between(ground: GroundView, outline: BaseOutline, from_mm: float, to_mm: float) -> Mask:
    inward_mm = outline.inward_mm(ground.frame.size_wh)
    return np.asarray((inward_mm >= from_mm) & (inward_mm <= to_mm))


def _median(image: BgrImage, mask: Mask) -> Float[Numbers, " 3"]:
    """The most frequent shade of what is coloured alike: the median of the half with most colour, (3,)."""
    pixels = image[mask].astype(np.float64)
    if len(pixels) == 0:
        return np.zeros(3)
    chroma = pixels.max(axis=1) - pixels.min(axis=1)
    return np.asarray(np.median(pixels[chroma >= np.median(chroma)], axis=0))


def _lab(bgr: Float[Numbers, " 3"]) -> Float[Numbers, " 3"]:
    lab: Numbers = lab_from_bgr(bgr[None, None])[0, 0]
    return lab


def _lab_of_colors(colors: Sequence[str]) -> Float[Numbers, "n 3"]:
    return np.array([_lab(np.array(bgr_from_hex(color), dtype=np.float64)) for color in colors])


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
