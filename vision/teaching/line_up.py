"""Line-ups: find, measure and cut out separate miniatures on a bare table, in one photo without markers.

1. Things: everything that differs from every local table colour by a multiple of the table's own spread.
2. The plane: the tilt of the camera at which most things stand on circles. Its scale is a guess, unless something of
   known size in the photo or markers give it.
3. Bases: each thing from above. ``figure_sighting`` finds the outline with the strongest edge. The thing must end there
   on the camera's side, since everything above the table leans away from the camera.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple

import cv2
import numpy as np
from jaxtyping import Float, Int, UInt8

from assistant.errors import PhotoError
from assistant.table.camera import PointMm, TableMarkers
from assistant.translations.messages import said
from calibration.arrays import BgrImage, FloatImage, Levels, Mask, Numbers
from calibration.color import LAB_BLACK, LAB_WEIGHTS, lab_from_bgr
from calibration.pose import CameraView, pinhole, view_at
from vision.evidence.bases import BASE_HEIGHT_MM
from vision.photo.paper_light import PaperLight
from vision.photo.rectify import PlaneFrame, rectify
from vision.photo.search_area import paper_corners_mm
from vision.teaching.base_outlines import BY_CHANCE, BaseOutline, circles, edges_on
from vision.teaching.box_outlines import LEAST_SHARE, MOST_SHARE
from vision.teaching.box_plane import PHONE_FOCAL
from vision.teaching.equal_figures import colors_of
from vision.teaching.figure_sighting import (
    LOOK_PX,
    AskedBase,
    LitPhoto,
    NewFigureSighting,
    likely_outlines,
    sighting_of,
)
from vision.teaching.novelty import Novelty
from vision.teaching.sighting import CELL_MM
from vision.teaching.table_light import fall_on_table, with_fall
from vision.teaching.things import ASKED, PX_PER_MM, TABLE_SHARE, GroundView

_WORK_PX = 1600
"""Longer side of the picture for finding things."""

_SHRINK = 4
_USUAL_AROUND = 101
"""Window for measuring a table's variation, in pixels of the reduced picture."""

_AROUND_PX, _SAMPLES, _AT_ONCE = 200, 24, 16
"""Surroundings of a pixel in the halved picture: their side, samples along it, and pixels compared with the same
samples."""

_WHOLE_STEP_PX, _WHOLE_SHARE, _MOST = 24, 0.05, 0.8
"""Spacing of the samples of the whole picture, the share of it with a background colour, and the share of
a thing's sampled pixels in such colours from which it is no thing, since a figure has more colours."""

_SHADOWS = (0.6, 0.7, 0.8, 0.9, 1.0)
"""Darkening of a table by shadows, to a fifth of the light at least."""

_LEAST_USUAL = 1.8
_STANDS_OUT = 2.2
"""Difference of a wide thing from the surroundings, relative to the table's usual one."""

_PATTERN_PX = 7
"""Width of lines that may be mixed colours of a cloth's checks, and of gaps within one thing. Differences on such lines
must be larger."""

_FINE_STANDS_OUT = 4.0
"""The same difference for narrow things, too, such as painted rims and weapons."""

_THIN_PX = 5
"""Width of lines that are the table's seams."""

_TILTS_DEG = (12.0, 24.0, 36.0, 48.0, 60.0)
_SIDES_DEG = (-30.0, 0.0, 30.0)
_STEPS_DEG = (6.0, 4.0, 3.0, 2.0)
"""Candidate tilts of the camera, directions of its lean from straight up in the picture, and steps round the best."""

_JUDGED = 14
"""Number of things for judging the tilt."""

_NEAR_MM = 4.0
"""Reach of a base from its visible thing, and margin of ground examined beside it. Beyond it lies the table's own
pattern."""

_MOST_MM = 1000.0
"""Longest stretch of the table that a thing may cover. Behind a longer one lies the view's horizon."""

_BEFORE_BASE = 4.0
"""Weight of a thing's part before its base. Nothing rising from a base appears there."""

_ENDS_MM = (-1.5, 2.5)
"""Distances from a base's outline where the thing still is, and no longer is. The base's side is visible below it."""

_SILHOUETTE_TURN_DEG, _SILHOUETTE_LONG, _SILHOUETTE_OFF_MM, _SILHOUETTE_WIDE = 20.0, 1.12, 5.0, 0.3
"""Limits of a rectangle that is a body's sides over a round base: turn off the camera's direction, ratio of length to
width, distance of a circle from its end on the camera's side, and relative difference of their widths."""

_CLEAR_OF_SILHOUETTE = 0.35
"""Least evidence for such a circle relative to the rectangle."""

_RECTANGLE_FACTOR = 0.7
"""Weight of a rectangle relative to a circle at unknown scale."""

_CLEAR_BASE = 0.5
"""Confidence of a second base that stops a lesson about one figure."""

_BODY_WIDTH = 1.2
"""Width of a body relative to its base. What reaches beyond it beside the base is another thing, or a wing."""

_BESIDE = 0.25
"""Area beside a figure, relative to its base, from which something else seems to touch it. A simulated figure with
wings, alone, has 0.18. Of twelve pairs that touched at any angle nine are refused, of twelve with a die beside them
eight."""

_MOST_BASES = 8.0
"""Area of a thing, relative to its base, from which it holds a part of the table's pattern and tells nothing."""

_SIDE_SEEN = 0.07
"""Height of a base's visible side, relative to its width. It makes circles look rounder than they are."""

_ROUGH_RADII_MM = np.arange(8.0, 21.0, 1.0)
"""Radii for judging the tilt, at the scale of usual bases."""

_USUAL_LIGHT = PaperLight(np.ones(3), np.array([math.log(0.73), 0.0, 0.0]), 0)
"""Light without white paper: linear .55 to .9 on the paper of 14 photos, ten rendered and four real."""

ThingKind = Literal["figure", "cut off", "flat"]
"""The kind of a thing: a figure, something cut off by the picture's edge, or something without a base."""


class NothingStands(PhotoError):
    """Nothing stands out from the table in a photo of a line-up."""

    sentence = said(
        "No figures can be made out. Stand them apart on a bare table or on a plain sheet, and take the photo from "
        "the side, so that all of them are in it."
    )


class _Thing(NamedTuple):
    """One thing in the photo: its mask in a part of the working picture, and that part's origin (x, y).

    ``unshaded`` excludes possible table in shadow.
    """

    mask: Mask
    unshaded: Mask
    corner_px: tuple[int, int]
    touches_edge: bool

    @property
    def size_px(self) -> tuple[int, int]:
        return self.mask.shape[1], self.mask.shape[0]

    @property
    def middle_px(self) -> tuple[float, float]:
        return self.corner_px[0] + self.size_px[0] / 2, self.corner_px[1] + self.size_px[1] / 2


def _find_things(image: BgrImage) -> list[_Thing]:
    """Return the things in a picture of the working size."""
    size_wh = (image.shape[1], image.shape[0])
    unlike = _unlike_table(image)
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (_PATTERN_PX, _PATTERN_PX))
    wide = np.asarray(cv2.morphologyEx(unlike, cv2.MORPH_OPEN, disc), np.float32)
    is_wide = wide > _STANDS_OUT * np.maximum(_usual(wide), _LEAST_USUAL)
    is_fine = unlike > _FINE_STANDS_OUT * np.maximum(_usual(unlike), _LEAST_USUAL)
    stands_out = (is_wide | is_fine).astype(np.uint8)
    in_light = _unlike_table(image, stands_out > 0, _SHADOWS) > _STANDS_OUT * np.maximum(_usual(unlike), _LEAST_USUAL)
    closed = cv2.morphologyEx(stands_out, cv2.MORPH_CLOSE, np.ones((_PATTERN_PX, _PATTERN_PX), np.uint8))
    mask = np.ascontiguousarray(cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((_THIN_PX, _THIN_PX), np.uint8)))
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(mask, outlines, -1, 1, cv2.FILLED)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    found = []
    for i in range(1, count):
        left, top, width, height, area = stats[i].tolist()
        if not LEAST_SHARE <= area / mask.size <= MOST_SHARE:
            continue
        there = np.s_[top : top + height, left : left + width]
        part = labels[there] == i
        at_edge = left <= 1 or top <= 1 or left + width >= size_wh[0] - 1 or top + height >= size_wh[1] - 1
        if not _is_surroundings(image, image[there][part]):
            found.append(_Thing(part, part & in_light[there], (left, top), at_edge))
    return found


def _is_surroundings(image: BgrImage, pixels: UInt8[Levels, "n 3"]) -> bool:
    """Return whether most pixels have background colours, as a corner of the floor or a check at a cloth's border."""
    every = lab_from_bgr(image[::_WHOLE_STEP_PX, ::_WHOLE_STEP_PX].reshape(1, -1, 3))[0] * LAB_WEIGHTS
    some = lab_from_bgr(pixels[:: max(1, len(pixels) // ASKED)][None])[0] * LAB_WEIGHTS
    off = np.linalg.norm(some[:, None] - every, axis=2)
    nearest = np.quantile(off, _WHOLE_SHARE, axis=1)
    return float((nearest < _STANDS_OUT * _LEAST_USUAL).mean()) >= _MOST


def _usual(unlike: FloatImage) -> FloatImage:
    """Return the table's local variation."""
    size_wh = (unlike.shape[1], unlike.shape[0])
    small_wh = (size_wh[0] // _SHRINK, size_wh[1] // _SHRINK)
    coarse = cv2.resize(unlike, small_wh, interpolation=cv2.INTER_AREA)
    level = cv2.medianBlur(np.clip(coarse * 4, 0, 255).astype(np.uint8), _USUAL_AROUND).astype(np.float32) / 4
    return np.asarray(cv2.resize(cv2.GaussianBlur(level, (0, 0), 10), size_wh, interpolation=cv2.INTER_LINEAR))


def _unlike_table(image: BgrImage, mask: Mask | None = None, shades: Sequence[float] = (1.0,)) -> FloatImage:
    """Return each pixel's difference from the nearest tenth of local colours: from the table, whatever its pattern.

    Args:
        image: the picture.
        mask: roughly the requested pixels, 0 elsewhere. None requests all.
        shades: possible darkening of the table's colours, as CIELAB's cube root of light.
    """
    fine = np.asarray(
        lab_from_bgr(np.asarray(cv2.GaussianBlur(image, (0, 0), 1.2), np.uint8)) * LAB_WEIGHTS, np.float32
    )
    half = cv2.resize(fine, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    height, width = half.shape[:2]
    asked = np.ones((height, width), bool) if mask is None else _halved(mask, (width, height))
    black = (LAB_BLACK * LAB_WEIGHTS).astype(np.float32)
    rng = np.random.default_rng(0)
    rank = round(TABLE_SHARE * _SAMPLES**2)
    unlike = np.zeros((height, width), np.float32)
    for top in range(0, height, _AT_ONCE):
        for left in range(0, width, _AT_ONCE):
            part = np.s_[top : top + _AT_ONCE, left : left + _AT_ONCE]
            if not asked[part].any():
                continue
            # Take one sample from each part of the surroundings, which end at the picture's edge.
            rows, columns = _spread_samples(rng, top, height), _spread_samples(rng, left, width).T
            table, pixels = half[rows, columns].reshape(-1, 3), half[part][asked[part]]
            least = np.full(len(pixels), np.inf, np.float32)
            for shade in shades:
                samples = (table - black) * np.float32(shade) + black
                off2 = (pixels**2).sum(axis=1)[:, None] + (samples**2).sum(axis=1) - 2 * pixels @ samples.T
                off2.partition(rank, axis=1)
                least = np.minimum(least, off2[:, rank])
            unlike[part][asked[part]] = np.sqrt(np.maximum(least, 0))
    whole = cv2.resize(unlike, (fine.shape[1], fine.shape[0]), interpolation=cv2.INTER_LINEAR)
    return np.minimum(whole, np.float32(100.0))


def _halved(mask: Mask, size_wh: tuple[int, int]) -> Mask:
    return np.asarray(cv2.resize(mask.astype(np.uint8), size_wh, interpolation=cv2.INTER_AREA) > 0)


def _spread_samples(rng: np.random.Generator, first: int, length: int) -> Int[Numbers, "n n"]:
    """Return places along one side of the surroundings of the pixels from ``first`` onwards, one in each part."""
    side = min(_AROUND_PX, length)
    begin = min(max(first + _AT_ONCE // 2 - side // 2, 0), length - side)
    parts = np.arange(_SAMPLES)[:, None] + rng.random((_SAMPLES, _SAMPLES))
    return np.asarray(begin + parts * side / _SAMPLES).astype(int)


def _tilted_camera(
    lens_wh: tuple[int, int], lean_deg: tuple[float, float], factor: float, distance_mm: float
) -> CameraView:
    """Return a camera over the plane that leans, in degrees, to the right and up, where things are farther away."""
    right, up = np.radians(lean_deg) * factor
    return view_at(pinhole(lens_wh, PHONE_FOCAL), np.array([-up, -right, 0.0, 0.0, 0.0, distance_mm]))


@dataclass(frozen=True, eq=False)
class _Patch:
    """A thing from above: the ground round it, and its mask there.

    ``unshaded`` is the part of the thing that is not shaded table. ``side_mm`` is the visible height of a base's side
    below its top.
    """

    ground: GroundView
    novelty: Novelty
    unshaded: Novelty
    camera_px: Float[Numbers, " 2"]
    side_mm: float

    def before_base(self, outline: BaseOutline) -> float:
        """Return the thing's part before a base, on the camera's side, relative to the base's area."""
        rows, columns = self._unshaded_px
        outside = outline.inward_mm(self.ground.frame.size_wh)[rows, columns] < -1.0 - self.side_mm
        ahead_mm, _ = self._off_base_mm(outline)
        ahead = ahead_mm > 0.3 * min(outline.size_mm) / 2
        return float((outside & ahead).sum()) / PX_PER_MM**2 / outline.area_mm2

    def beside_base(self, outline: BaseOutline) -> float:
        """Return the thing's part beside a figure on a base, relative to the base's area, or 0 if it is no one thing.

        A body leans away from the camera and stays in the strip behind its base.
        """
        _, aside_mm = self._off_base_mm(outline)
        if len(aside_mm) / PX_PER_MM**2 > _MOST_BASES * outline.area_mm2:
            return 0.0
        half_mm = outline.size_mm[0] / 2 if outline.shape == "round" else math.hypot(*outline.size_mm) / 2
        is_beside = np.abs(aside_mm) > _BODY_WIDTH * half_mm
        return float(is_beside.sum()) / PX_PER_MM**2 / outline.area_mm2

    @cached_property
    def _unshaded_px(self) -> tuple[Int[Numbers, " n"], Int[Numbers, " n"]]:
        """The rows and columns of the thing without its shadow."""
        rows, columns = np.nonzero(self.unshaded.share >= 0.5)
        return rows, columns

    def _off_base_mm(self, outline: BaseOutline) -> tuple[Float[Numbers, " n"], Float[Numbers, " n"]]:
        """Return how far the thing's pixels lie from a base's middle, towards the camera and across that direction."""
        towards = self.camera_px - outline.center_px
        towards = towards / max(float(np.linalg.norm(towards)), 1e-6)
        rows, columns = self._unshaded_px
        off_mm = (np.column_stack([columns, rows]) - outline.center_px) / PX_PER_MM
        return off_mm @ towards, off_mm @ [-towards[1], towards[0]]

    def ends_at(self, outline: BaseOutline) -> float:
        """Return the share of an outline's side towards the camera where the thing ends, 0 to 1."""
        places_px, outwards = outline.rim()
        towards = self.camera_px - outline.center_px
        faces = np.maximum(outwards @ towards / max(float(np.linalg.norm(towards)), 1e-6), 0.0)
        inner_mm, outer_mm = _ENDS_MM[0], _ENDS_MM[1] + self.side_mm * faces[:, None]
        inside = self.novelty.holds(places_px + inner_mm * PX_PER_MM * outwards)
        outside = self.unshaded.holds(places_px + outer_mm * PX_PER_MM * outwards)
        return float((faces * (inside & ~outside)).sum()) / max(float(faces.sum()), 1e-6)


def without_silhouettes(
    evidence: Mapping[BaseOutline, float], camera_px: Float[Numbers, " 2"]
) -> dict[BaseOutline, float]:
    """Return the outlines and their evidence, without rectangles formed by a round base and the body above it.

    A body leans away from the camera, so its sides and the near half of its base form a rectangle.
    """
    round_ones = [one for one in evidence if one.shape == "round"]

    def is_silhouette(outline: BaseOutline) -> bool:
        clear = (base for base in round_ones if evidence[base] >= _CLEAR_OF_SILHOUETTE * evidence[outline])
        return any(_is_silhouette(outline, base, camera_px) for base in clear)

    return {outline: clear for outline, clear in evidence.items() if not is_silhouette(outline)}


def _is_silhouette(outline: BaseOutline, base: BaseOutline, camera_px: Float[Numbers, " 2"]) -> bool:
    if outline.shape == "round":
        return False
    longer, shorter = max(outline.size_mm), min(outline.size_mm)
    turn = math.radians(outline.turn_deg + (0.0 if outline.size_mm[0] >= outline.size_mm[1] else 90.0))
    along = np.array([math.cos(turn), math.sin(turn)])
    towards = camera_px - outline.center_px
    towards = towards / max(float(np.linalg.norm(towards)), 1e-6)
    along = along if float(along @ towards) > 0 else -along
    off_mm = (np.array(base.center_px) - outline.center_px) / PX_PER_MM
    ahead_mm = float(off_mm @ along) - (longer - base.size_mm[0]) / 2
    return (
        longer > _SILHOUETTE_LONG * shorter
        and float(along @ towards) > math.cos(math.radians(_SILHOUETTE_TURN_DEG))
        and abs(base.size_mm[0] / shorter - 1) < _SILHOUETTE_WIDE
        and math.hypot(ahead_mm, float(off_mm @ [-along[1], along[0]])) < _SILHOUETTE_OFF_MM
    )


def _patch(photo: BgrImage, view: CameraView, thing: _Thing, light: PaperLight, scale: float = 1.0) -> _Patch | None:
    """Return the thing from above, or None if it reaches the view's horizon.

    ``scale`` is the photo's size relative to the working picture.
    """
    height, width = thing.mask.shape
    left, top = thing.corner_px
    box = np.array([[left, top], [left + width, top], [left + width, top + height], [left, top + height]], dtype=float)
    corners = view.table_from_image((box + 0.5) * scale - 0.5, BASE_HEIGHT_MM)
    low, high = corners.min(axis=0) - _NEAR_MM, corners.max(axis=0) + _NEAR_MM
    if not float((high - low).max()) < _MOST_MM:  # NaN above the horizon
        return None
    size_wh = (max(8, math.ceil((high[0] - low[0]) * PX_PER_MM)), max(8, math.ceil((high[1] - low[1]) * PX_PER_MM)))
    frame = PlaneFrame((float(low[0]), float(low[1])), 0.0, PX_PER_MM, size_wh)
    seen = rectify(photo, view, frame, BASE_HEIGHT_MM)
    map_x, map_y = frame.maps(view, BASE_HEIGHT_MM)
    own_x, own_y = (np.asarray((m + 0.5) / scale - 0.5 - at, np.float32) for m, at in ((map_x, left), (map_y, top)))
    share, unshaded = (
        np.asarray(cv2.remap(mask.astype(np.float32), own_x, own_y, cv2.INTER_LINEAR, borderValue=0))
        for mask in (thing.mask, thing.unshaded)
    )
    image = light.white_balanced(seen.image)
    ground = GroundView(frame, image, np.asarray(share >= 0.5), seen.inside_mask)
    camera_px = frame.frame_from_table(view.camera_center_mm[None, :2])[0]
    middle_mm = (low + high) / 2
    x, y, camera_mm = view.camera_center_mm.tolist()
    side_mm = BASE_HEIGHT_MM * math.dist((x, y), middle_mm.tolist()) / max(camera_mm, 1.0)
    return _Patch(ground, Novelty(share), Novelty(unshaded), camera_px, min(side_mm, 2 * BASE_HEIGHT_MM))


def _circle_evidence(patch: _Patch) -> float:
    """Return the evidence that the thing stands on a circle, 0 to 1."""
    edges = edges_on(patch.ground).where(patch.novelty.near(_NEAR_MM))
    best = 0.0
    for of_contrast in circles(edges, patch.ground.frame.size_wh, _ROUGH_RADII_MM):
        for circle in of_contrast:
            if circle.share - BY_CHANCE > best:
                evidence = (circle.share - BY_CHANCE) * patch.novelty.of(circle)
                best = max(best, evidence * math.exp(-_BEFORE_BASE * patch.before_base(circle)))
    return best


def _guess_view(image: BgrImage, things: Sequence[_Thing]) -> CameraView:
    """Guess the view by the things' circles, at the scale of usual bases, which are as wide as a space."""
    size_wh = (image.shape[1], image.shape[0])
    widths = sorted(thing.size_px[0] for thing in things)
    usual_px = widths[len(widths) // 2]
    judged = sorted(things, key=lambda thing: abs(math.log(thing.size_px[0] / usual_px)))[:_JUDGED]
    distance_mm = PHONE_FOCAL * max(size_wh) * CELL_MM / usual_px
    light = _USUAL_LIGHT

    def evidence(lean_deg: tuple[float, float]) -> float:
        view = _tilted_camera(size_wh, lean_deg, 1.0, distance_mm)
        patches = (_patch(image, view, thing, light) for thing in judged)
        return sum(_circle_evidence(patch) for patch in patches if patch is not None)

    leans = [(0.0, 0.0)]
    leans += [_lean(tilt, side) for tilt in _TILTS_DEG for side in _SIDES_DEG]
    tried = {lean: evidence(lean) for lean in leans}
    for step in _STEPS_DEG:
        right, up = max(tried, key=lambda one: tried[one])
        for lean in ((right + step, up), (right - step, up), (right, up + step), (right, up - step)):
            if lean not in tried:
                tried[lean] = evidence(lean)
    right, up = max(tried, key=lambda one: tried[one])
    seen_deg = math.hypot(right, up)
    return _tilted_camera(size_wh, (right, up), _true_tilt_deg(seen_deg) / max(seen_deg, 1e-6), distance_mm)


def _lean(tilt_deg: float, side_deg: float) -> tuple[float, float]:
    side = math.radians(side_deg)
    return tilt_deg * math.sin(side), tilt_deg * math.cos(side)


def _true_tilt_deg(seen_deg: float) -> float:
    """Return the camera's true tilt from the tilt at which bases, sides included, look round."""
    seen = math.radians(seen_deg)
    shift = math.atan(_SIDE_SEEN)
    return math.degrees(shift + math.acos(min(1.0, math.cos(seen) * math.cos(shift))))


@dataclass(frozen=True, eq=False)
class LinedUp:
    """One thing of a line-up.

    Args:
        kind: what it is.
        box_px: left, top, width and height of the thing in the photo.
        bases: the possible bases of a figure, the likeliest first. Empty for anything else.
        look: its cut-out.
        colors: its colours, for comparison with others (``equal_figures``).
        beside: its area beside a figure on the likeliest base, relative to that base.
    """

    kind: ThingKind
    box_px: tuple[int, int, int, int]
    bases: tuple[NewFigureSighting, ...]
    look: BgrImage
    colors: Float[Numbers, " bins"]
    beside: float = 0.0


@dataclass(frozen=True, eq=False)
class LineUp:
    """The things in one photo, row by row from the top left, and the view behind their sizes.

    ``is_scaled``: whether something of known size gave the scale.
    """

    view: CameraView
    things: tuple[LinedUp, ...]
    is_scaled: bool


def see_line_up(
    photo: BgrImage,
    view: CameraView | None = None,
    light: PaperLight | None = None,
    tell: Callable[[int, int], None] = lambda _done, _of: None,
    markers: TableMarkers | None = None,
    tiles_mm: Sequence[Float[Numbers, "4 2"]] = (),
) -> LineUp:
    """Find and measure everything standing on the bare table.

    Args:
        photo: the photo.
        view: the camera over the table, if markers or a tile gave it. None estimates the tilt by the bases.
        light: the light on the table. None assumes that of usual photos.
        tell: receives the number of measured things and of all.
        markers: the markers on the table, which are not part of the line-up.
        tiles_mm: the corners of tiles beside the figures, which are not part of it either.

    Raises:
        NothingStands: nothing stands out from the table.
    """
    scale = max(photo.shape[:2]) / _WORK_PX
    image = photo if scale <= 1 else cv2.resize(photo, None, fx=1 / scale, fy=1 / scale, interpolation=cv2.INTER_AREA)
    scale = max(photo.shape[:2]) / max(image.shape[:2])
    things = _find_things(np.asarray(image, np.uint8))
    if view is not None:
        papers_px = [
            view.image_from_table(paper_corners_mm(marker.corners_mm)).astype(np.float32)
            for marker in (markers.markers if markers is not None else ())
        ]
        tiles_px = [view.image_from_table(one).astype(np.float32) for one in tiles_mm]
        flat = [one / np.float32(scale) for one in (*papers_px, *tiles_px)]
        things = [one for one in things if all(cv2.pointPolygonTest(p, one.middle_px, False) < 0 for p in flat)]
    whole = [thing for thing in things if not thing.touches_edge]
    if not whole:
        raise NothingStands()
    white = light or _USUAL_LIGHT
    if view is not None and len(tiles_mm):
        white = _spread_light(white, photo, view, [_outline_px(thing, scale) for thing in things], tiles_mm)
    known = view
    if known is None:
        known = _enlarge_view(_guess_view(np.asarray(image, np.uint8), whole), (photo.shape[1], photo.shape[0]))
    shot = LitPhoto(photo, known, white)
    seen = []
    for number, thing in enumerate(things):
        tell(number, len(things))
        seen.append(_lined_up(shot, thing, np.asarray(image, np.uint8), is_scaled=view is not None))
    return LineUp(known, tuple(_in_rows(seen)), view is not None)


def _spread_light(
    light: PaperLight,
    photo: BgrImage,
    view: CameraView,
    outlines_px: Sequence[Float[Numbers, "_points 2"]],
    tiles_mm: Sequence[Float[Numbers, "4 2"]],
) -> PaperLight:
    """Return the light of tiles at one place, with its fall-off towards the things."""
    tiles_px = [view.image_from_table(corners) for corners in tiles_mm]
    fall = fall_on_table(photo, [*outlines_px, *tiles_px])
    if fall is None:
        return light
    x, y = np.mean(tiles_mm, axis=(0, 1)).tolist()
    middles_mm = view.table_from_image(np.array([outline.mean(axis=0) for outline in outlines_px]))
    # Points seen above the horizon have no place on the table.
    return with_fall(light, fall, view, (x, y), middles_mm[np.isfinite(middles_mm).all(axis=1)])


def _outline_px(thing: _Thing, scale: float) -> Float[Numbers, "n 2"]:
    """Return the outline of a thing in the photo. ``scale`` is the photo's size relative to the working picture."""
    contours, _ = cv2.findContours(thing.mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    return np.asarray((max(contours, key=cv2.contourArea).reshape(-1, 2) + thing.corner_px) * scale)


@dataclass(frozen=True)
class Company:
    """The number of things with a clear base between the markers, and whether something touches the middle one."""

    count: int
    touches: bool


def company(photo: BgrImage, view: CameraView, light: PaperLight, markers: TableMarkers) -> Company:
    """Look for more than one figure between the markers."""
    try:
        seen = see_line_up(photo, view, light, markers=markers)
    except NothingStands:
        return Company(0, touches=False)
    middles = np.array([np.mean(marker.corners_mm, axis=0) for marker in markers.markers], dtype=np.float32)
    hull = cv2.convexHull(middles)
    papers = [paper_corners_mm(marker.corners_mm).astype(np.float32) for marker in markers.markers]
    # A paper may be one thing with the pattern beside it, and its middle elsewhere.
    standing = [one for one in seen.things if one.bases and not _is_on(papers, one.bases[0].center_mm)]
    inside = [one for one in standing if cv2.pointPolygonTest(hull, one.bases[0].center_mm, False) > 0]
    # The instructions put the figure in the middle. Parts of a pattern elsewhere may have any form.
    middle_mm = middles.mean(axis=0).tolist()
    inside.sort(key=lambda one: math.dist(one.bases[0].center_mm, middle_mm))
    return Company(
        sum(1 for one in inside if one.bases[0].confidence >= _CLEAR_BASE),
        touches=any(one.beside >= _BESIDE for one in inside[:1]),
    )


def _is_on(papers: Sequence[Float[Numbers, "4 2"]], place_mm: PointMm) -> bool:
    return any(cv2.pointPolygonTest(paper, place_mm, False) >= 0 for paper in papers)


def _enlarge_view(view: CameraView, size_wh: tuple[int, int]) -> CameraView:
    """Return the same view for a larger picture."""
    return replace(view, lens=view.lens.scaled_to(*size_wh))


def _lined_up(shot: LitPhoto, thing: _Thing, image: BgrImage, *, is_scaled: bool) -> LinedUp:
    scale = max(shot.image.shape[:2]) / max(image.shape[:2])
    x, y = thing.corner_px
    colors = colors_of(np.ascontiguousarray(image[y : y + thing.size_px[1], x : x + thing.size_px[0]]), thing.mask)
    left, top, width, height = (round(v * scale) for v in (*thing.corner_px, *thing.size_px))
    box = (left, top, width, height)
    if thing.touches_edge:
        return LinedUp("cut off", box, (), _cut_out(shot.image, box), colors)
    patch = _patch(shot.image, shot.view, thing, shot.light, scale)
    if patch is None:
        return LinedUp("flat", box, (), _cut_out(shot.image, box), colors)
    asked = AskedBase() if is_scaled else AskedBase(cell_mm=math.inf)
    outlines = likely_outlines(patch.ground, patch.novelty, asked, _NEAR_MM, patch.ends_at)
    apart = {one: evidence * math.exp(-_BEFORE_BASE * patch.before_base(one)) for one, evidence in outlines}
    likely = list(without_silhouettes(apart, patch.camera_px).items())
    likely.sort(key=lambda one: -one[1])
    if not likely:
        return LinedUp("flat", box, (), _cut_out(shot.image, box), colors)
    if not is_scaled:
        # Most bases are round. At unknown scale no spaces distinguish rectangles from a body's edges.
        likely = [(one, ev * (_RECTANGLE_FACTOR if one.shape == "rectangle" else 1.0)) for one, ev in likely]
        likely.sort(key=lambda one: -one[1])
    best = likely[0][1]
    bases = (
        replace(sighting_of(shot, patch.ground, outline, patch.novelty), lead=evidence / best)
        for outline, evidence in likely
    )
    return LinedUp("figure", box, tuple(bases), _cut_out(shot.image, box), colors, patch.beside_base(likely[0][0]))


def _cut_out(photo: BgrImage, box_px: tuple[int, int, int, int]) -> BgrImage:
    """Return the thing with a border of a sixth, squared."""
    left, top, width, height = box_px
    side = round(1.35 * max(width, height))
    x, y = left + width / 2 - side / 2, top + height / 2 - side / 2
    matrix = np.array([[side / LOOK_PX, 0.0, x], [0.0, side / LOOK_PX, y]])
    flags = cv2.INTER_AREA | cv2.WARP_INVERSE_MAP
    shrunk = cv2.warpAffine(photo, matrix, (LOOK_PX, LOOK_PX), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(shrunk, dtype=np.uint8)


def _in_rows(things: Sequence[LinedUp]) -> list[LinedUp]:
    """Return the things in reading order: from the top, and from the left within a row."""
    usual_px = float(np.median([thing.box_px[3] for thing in things]))
    return sorted(things, key=lambda one: (round((one.box_px[1] + one.box_px[3]) / (1.5 * usual_px)), one.box_px[0]))
