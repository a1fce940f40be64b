"""One figure in one or several photos: the size of its base, the colour of its ring, and its look."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from jaxtyping import Float

from assistant.errors import NoFigureShown
from assistant.table.camera import PointMm, TableMarkers
from assistant.table.roster import BaseShape, LookView
from calibration.arrays import BgrImage, Mask, Numbers
from calibration.pose import CameraView
from vision.evidence.bases import BASE_HEIGHT_MM, RIM_MM
from vision.evidence.figure_views import Foot, cut_points, view_of
from vision.photo.paper_light import PAPER_ALBEDO, PaperLight, paper_light
from vision.teaching.base_outlines import BaseOutline, circles, edges_on, peaks, spaces_of
from vision.teaching.novelty import LEAST, Novelty, novelty_on
from vision.teaching.rectangular_bases import rectangles
from vision.teaching.rim_color import agreed_ring, are_unlike_rings, lab_of_color, ring_color
from vision.teaching.sighting import CELL_MM
from vision.teaching.things import PX_PER_MM, GroundView, see_ground

LOOK_PX = 128
"""Side of the stored picture in pixels."""

_CLEAR_SHARE = 0.4
"""Least share of a base's outline on edges towards its middle. Bodies and shadows hide the rest."""

_LEAST_SHARE = 0.2
"""The least such share if the end of the thing confirms the rest, and the least share of that end. A base is sometimes
in a body's shadow."""

_SAME_CIRCLE = 0.85
"""Strength, relative to a ring's inner edge, from which its outer edge is chosen."""

_OUTER_EDGE = 0.55
"""The same for an edge stronger than slightly smaller and larger ones, since a ring may be nearly in the table's
colour."""

_SAME_BASE_MM, _SAME_BASE_SHARE = 2.5, 0.08
"""Largest difference of one base in two photos, or its share of the length: in size and, if nobody touched it, in
place. A body hides up to two sides of a large base, and its shadow looks like the third."""

_SAME_SIDE_DEG = (0.5, 10.0)
"""Angles between two cameras, seen from the figure, between which both show the same side: a camera that has not moved,
and a step at arm's length."""

_BEYOND_SPACES, _OVER_SPACES = 0.5, 0.04
"""Penalty factor for a rectangle that exceeds its spaces by more than that share."""

_REACH_MM = 45.0
"""Reach of a base from anything new: half the longest base, and the lean of a body."""


@dataclass(frozen=True, eq=False)
class NewFigureSighting:
    """A figure in one photo.

    Args:
        center_mm: the middle of its base on the table.
        base_shape: round or rectangular.
        base_size_mm: length and width of its base, the longer first, the diameter twice for a round one.
        ring: the colour of its rim as ``#rrggbb``, or None without a distinct one.
        confidence: visible share of the base's outline times the novelty of its inside, 0 to 1.
        look: a square picture of it, ``LOOK_PX`` a side, blue-green-red.
        sides: its look from the side of each photo read.
        lead: evidence for this base relative to the likeliest one in its photo, 0 to 1.
        to_camera: unit vector from its place to the camera, or None if unknown.
    """

    center_mm: PointMm
    base_shape: BaseShape
    base_size_mm: tuple[float, float]
    ring: str | None
    confidence: float
    look: BgrImage
    sides: tuple[LookView, ...] = ()
    lead: float = 1.0
    to_camera: tuple[float, float, float] | None = None

    @property
    def base_mm(self) -> float:
        """The shorter side of the base, or its diameter."""
        return self.base_size_mm[1]

    def size_cells(self, cell_mm: float) -> tuple[int, int]:
        """Return columns and rows of the lattice under the base, the longer side along the columns."""
        return spaces_of(self.base_size_mm, cell_mm)


@dataclass(frozen=True)
class AskedBase:
    """A person's statement about a base. None leaves shape or spaces open.

    ``spaces`` is the number along its longer and its shorter side, ``cell_mm`` the side of a space.
    """

    shape: BaseShape | None = None
    spaces: tuple[int, int] | None = None
    cell_mm: float = CELL_MM

    def holds_for(self, outline: BaseOutline) -> bool:
        """Return whether the outline agrees with the statement."""
        return self.shape in (None, outline.shape) and self.spaces in (None, spaces_of(outline.size_mm, self.cell_mm))


ANY_BASE = AskedBase()


@dataclass(frozen=True, eq=False)
class LitPhoto:
    """A photo with its camera, its light, and the height of the ground under figures."""

    image: BgrImage
    view: CameraView
    light: PaperLight
    ground_mm: float = 0.0


def sight_bases(
    photo: BgrImage, view: CameraView, markers: TableMarkers, *, ground_mm: float = 0.0, asked: AskedBase = ANY_BASE
) -> list[NewFigureSighting]:
    """Find the figure between the markers, with each possible base, the likeliest first.

    ``ground_mm`` is the height of its ground above the table, ``asked`` a person's statement of its base.

    Raises:
        NoFigureShown: nothing there has a base, or none agrees with the statement.
    """
    light = paper_light(photo, view, markers)
    ground, novelty = _cut_to_news(see_ground(photo, view, markers, light, ground_mm + BASE_HEIGHT_MM), markers)
    likely = likely_outlines(ground, novelty, asked)
    shot = LitPhoto(photo, view, light, ground_mm)
    found = [
        replace(sighting_of(shot, ground, outline, novelty), lead=evidence / likely[0][1])
        for outline, evidence in likely
    ]
    if not found:
        raise NoFigureShown()
    return found


def sighting_of(shot: LitPhoto, ground: GroundView, outline: BaseOutline, novelty: Novelty) -> NewFigureSighting:
    """Return the figure on a base found on a photo's ground."""
    camera_px = ground.frame.frame_from_table(shot.view.camera_center_mm[None, :2])[0]
    x, y = ground.frame.table_from_frame(np.array([outline.center_px]))[0].tolist()
    longer, shorter = sorted(outline.size_mm, reverse=True)
    white = shot.light.brightness_at(np.array([[x, y]]))[0] * shot.light.tint / PAPER_ALBEDO
    foot = Foot((x, y), shot.ground_mm, shorter / 2)
    return NewFigureSighting(
        center_mm=(x, y),
        base_shape=outline.shape,
        base_size_mm=(longer, shorter),
        ring=ring_color(ground, outline, shot.light, camera_px),
        confidence=outline.share * novelty.of(outline),
        look=_look(shot.image, shot.view, (x, y), longer, shot.ground_mm),
        sides=(view_of(cut_points(shot.image, shot.view, foot, white)),),
        to_camera=_to_camera(shot.view, (x, y), shot.ground_mm),
    )


def _to_camera(view: CameraView, center_mm: PointMm, ground_mm: float) -> tuple[float, float, float]:
    off_mm = view.camera_center_mm - (*center_mm, ground_mm)
    x, y, z = (off_mm / np.linalg.norm(off_mm)).tolist()
    return x, y, z


def from_sides(seen: Sequence[Sequence[NewFigureSighting]], *, needs_one_ring: bool = False) -> NewFigureSighting:
    """Combine sightings of one figure in several photos: the base most of them agree on, and all its sides.

    Args:
        seen: for each photo the possible bases, the likeliest first. A photo without the agreed base mistook something
            else for it and is ignored.
        needs_one_ring: whether a photo with a clearly different ring is ignored, too, as a photo of another figure.
    """
    every = [one for bases in seen for one in bases]
    # For each base, find its likeliest equal in every photo that has one.
    equals = ([next((base for base in bases if _is_same_base(one, base)), None) for bases in seen] for one in every)
    agreeing = [[base for base in bases if base is not None] for bases in equals]
    agreed = max(agreeing, key=lambda some: sum(one.lead for one in some))
    if needs_one_ring:
        agreed = _with_one_ring(agreed)
    clearest = max(agreed, key=lambda one: one.confidence)
    longer, shorter = np.median([one.base_size_mm for one in agreed], axis=0).tolist()
    return replace(
        clearest,
        base_size_mm=(longer, shorter),
        ring=agreed_ring([one.ring for one in agreed]),
        sides=_different_sides(agreed),
        lead=1.0,
    )


def _different_sides(agreed: Sequence[NewFigureSighting]) -> tuple[LookView, ...]:
    """Return the looks without those that an earlier photo shows from almost the same place."""
    kept: list[NewFigureSighting] = []
    for one in agreed:
        if not any(_is_same_side(one, other) for other in kept):
            kept.append(one)
    return tuple(dict.fromkeys(side for one in kept for side in one.sides))


def _is_same_side(one: NewFigureSighting, other: NewFigureSighting) -> bool:
    """Return whether the figure stood still and the camera moved a little.

    Under a camera that has not moved at all, people turn the figure, often on the spot.
    """
    if one.to_camera is None or other.to_camera is None or math.dist(one.center_mm, other.center_mm) >= _SAME_BASE_MM:
        return False
    still, step = _SAME_SIDE_DEG
    return still < math.degrees(math.acos(min(float(np.dot(one.to_camera, other.to_camera)), 1.0))) < step


def _with_one_ring(agreed: Sequence[NewFigureSighting]) -> list[NewFigureSighting]:
    """Return the sightings that do not clearly differ from the usual ring, of two rings the clearer one."""
    fitting = [
        [other for other in agreed if not (one.ring and other.ring and are_unlike_rings(one.ring, other.ring))]
        for one in agreed
    ]
    best = max(range(len(agreed)), key=lambda i: (sum(one.lead for one in fitting[i]), agreed[i].confidence))
    return fitting[best]


def _is_same_base(one: NewFigureSighting, other: NewFigureSighting) -> bool:
    off_mm = np.abs(np.subtract(one.base_size_mm, other.base_size_mm)).max()
    within_mm = max(_SAME_BASE_MM, _SAME_BASE_SHARE * max(one.base_size_mm))
    return one.base_shape == other.base_shape and bool(off_mm <= within_mm)


def _cut_to_news(ground: GroundView, markers: TableMarkers) -> tuple[GroundView, Novelty]:
    """Return the part of the ground with anything new between the markers.

    The instructions put the figure in the middle.
    """
    papers_mm = np.array([np.mean(marker.corners_mm, axis=0) for marker in markers.markers])
    papers_px = ground.frame.frame_from_table(papers_mm)
    middle_px = papers_px.mean(axis=0)
    novelty = novelty_on(ground, middle_px, float(np.linalg.norm(papers_px - middle_px, axis=1).mean()))
    left, top, width, height = cv2.boundingRect(novelty.near(_REACH_MM).astype(np.uint8))
    if width == 0:
        return ground, novelty
    return ground.cut(left, top, (width, height)), novelty.cut(left, top, (width, height))


def likely_outlines(
    ground: GroundView,
    novelty: Novelty,
    asked: AskedBase,
    reach_mm: float = _REACH_MM,
    ends_at: Callable[[BaseOutline], float] | None = None,
) -> list[tuple[BaseOutline, float]]:
    """Return the possible bases and the evidence for each, the likeliest first.

    Args:
        ground: the table from above.
        novelty: the novelty map.
        asked: a person's statement about the base.
        reach_mm: range of the base search from anything new.
        ends_at: the share of an outline's side towards the camera where the thing ends, or None if unknown.
    """
    edges = edges_on(ground).where(novelty.near(reach_mm))
    by_contrast = [] if asked.shape == "rectangle" else circles(edges, ground.frame.size_wh)
    by_contrast = [list(filter(asked.holds_for, circles)) for circles in by_contrast]

    def suits(outline: BaseOutline) -> float:
        return 1.0 if ends_at is None else max(_LEAST_SHARE, ends_at(outline)) ** 2

    def whole(outline: BaseOutline) -> BaseOutline:
        # The end of a thing is as good as an edge, and visible even if a dark body or shadow hides the edge.
        if ends_at is None or outline.share < _LEAST_SHARE:
            return outline
        return replace(outline, share=max(outline.share, (outline.share + ends_at(outline)) / 2))

    found = [
        *_best_circle(ground, novelty, by_contrast, whole, suits),
        *([] if asked.shape == "round" else rectangles(edges, novelty, asked.holds_for, suits)),
    ]

    def evidence_for(outline: BaseOutline) -> float:
        # A table's pattern has straight edges and round spots, but seldom a rim of its own colour.
        evidence = whole(outline).evidence * (1 + 2 * _stands_out(ground, outline)) * novelty.of(outline)
        evidence *= suits(outline)
        return evidence if _fits_spaces(outline, asked.cell_mm) else _BEYOND_SPACES * evidence

    clear = [(outline, evidence_for(outline)) for outline in found if whole(outline).share >= _CLEAR_SHARE]
    # Checks of a printed board under a piece are 75 x 75 mm.
    if any(novelty.of(outline) > LEAST for outline, _ in clear):
        clear = [(outline, evidence) for outline, evidence in clear if novelty.of(outline) > LEAST]
    return sorted(((outline, evidence) for outline, evidence in clear if evidence > 0), key=lambda one: -one[1])


def _fits_spaces(outline: BaseOutline, cell_mm: float) -> bool:
    """Return whether a base fits whole spaces. Round ones come in all sizes."""
    sides = (side_mm / cell_mm for side_mm in outline.size_mm)
    return outline.shape == "round" or all(side <= max(1, round(side)) + _OVER_SPACES for side in sides)


def _best_circle(
    ground: GroundView,
    novelty: Novelty,
    by_contrast: Sequence[Sequence[BaseOutline]],
    whole: Callable[[BaseOutline], BaseOutline],
    suits: Callable[[BaseOutline], float],
) -> list[BaseOutline]:
    """Return the circle with most of its outline, at the outer edge of its ring, or none if nothing is clear."""
    clear = [circle for found in by_contrast for circle in found if whole(circle).share >= _CLEAR_SHARE]
    if not clear:
        return []

    def clearness(circle: BaseOutline) -> float:
        by_rim = 1 + _stands_out(ground, circle)
        return whole(circle).share * by_rim * novelty.of(circle) * suits(circle)

    best = max(clear, key=clearness)
    least = best.share * suits(best)
    shares = {circle: circle.share * suits(circle) for circle in clear if _near(circle, best)}
    rim = [circle for circle, share in shares.items() if share >= _SAME_CIRCLE * least]
    rim += [c for found in by_contrast for c in peaks(found) if shares.get(c, -1.0) >= _OUTER_EDGE * least]
    return [max(rim, key=lambda circle: circle.size_mm)]


def _near(circle: BaseOutline, other: BaseOutline) -> bool:
    off_mm = math.dist(circle.center_px, other.center_px) / PX_PER_MM
    return off_mm < 1.5 and 0 <= circle.size_mm[0] - other.size_mm[0] <= 2 * (RIM_MM + 0.75)


def _stands_out(ground: GroundView, outline: BaseOutline) -> float:
    """Return the rim's excess of colour over its outside, 0 to 1."""
    rim = lab_of_color(_median(ground.image, _between(ground, outline, 0.0, RIM_MM)))
    outside = lab_of_color(_median(ground.image, _between(ground, outline, -4.0, -1.0)))
    return min(1.0, float(np.linalg.norm((rim - outside)[1:])) / 40)


def _between(ground: GroundView, outline: BaseOutline, from_mm: float, to_mm: float) -> Mask:
    inward_mm = outline.inward_mm(ground.frame.size_wh)
    return np.asarray((inward_mm >= from_mm) & (inward_mm <= to_mm))


def _median(image: BgrImage, mask: Mask) -> Float[Numbers, " 3"]:
    """Return the usual shade: the median of the more colourful half."""
    pixels = image[mask].astype(np.float64)
    if len(pixels) == 0:
        return np.zeros(3)
    chroma = pixels.max(axis=1) - pixels.min(axis=1)
    return np.asarray(np.median(pixels[chroma >= np.median(chroma)], axis=0))


def _look(photo: BgrImage, view: CameraView, center_mm: PointMm, base_mm: float, ground_mm: float) -> BgrImage:
    """Return the square part of the photo round the figure, twice as wide as its base."""
    heights = np.array([ground_mm, ground_mm + 1.5 * base_mm])
    foot, head = view.image_from_table(np.array([center_mm, center_mm]), heights)
    side = view.image_from_table(np.array([[center_mm[0] + base_mm, center_mm[1]]]), ground_mm)[0]
    half = max(float(np.linalg.norm(side - foot)), float(np.linalg.norm(head - foot)) / 2) * 1.1
    middle = (foot + head) / 2
    matrix = np.array([[2 * half / LOOK_PX, 0, middle[0] - half], [0, 2 * half / LOOK_PX, middle[1] - half]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(photo, matrix, (LOOK_PX, LOOK_PX), flags=flags), dtype=np.uint8)
