"""Propose places of bases, by edges along a base's outline and by the colour of a painted rim.

The table is rectified at the height of the bases. All places are rated at once: each direction of an edge has a picture
of its own (from the structure tensor, whatever the colours beside the edge). The sum over the points of an outline is
then a sum of shifted pictures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

import cv2
import numpy as np
from jaxtyping import Float, Float32, Int

from assistant.table.free_table import FreeTable
from calibration.arrays import BgrImage, FloatImage, Integers, Numbers, Singles
from calibration.color import LAB_WEIGHTS, bgr_from_hex, hue_plane, lab_from_bgr, light_from_gamma
from calibration.pose import CameraView
from vision.evidence.bases import BASE_HEIGHT_MM, RIM_MM
from vision.free.bases import BaseKind, turned
from vision.free.rims import OUTSIDE_MM
from vision.photo.paper_light import DARKEST_LIGHT, PAPER_ALBEDO, PaperLight
from vision.photo.rectify import PlaneFrame, rectify

PX_PER_MM = 1.5

DIRECTIONS = 16
"""Number of edge directions over half a turn."""

USUAL_EDGE, LEAST_EDGE = 3.0, 2.0
"""Edge strength that counts half: a multiple of the table's usual strength, but at least this many Lab units over a
pixel."""

TURN_STEP_DEG = 7.5
OUTLINE_POINTS = 36
PEAKS = 100
"""Places of each kind and turn."""

TOP_NOISE = 25.0
"""Squared variation of a top, in Lab units with half the brightness."""

MARGIN_MM = 15.0
"""Margin round a wall's top, over which a base may protrude."""

FULL_SHARE = 0.3
"""Share of a rim's colour in a pixel that counts fully. Half of the pixel is beside the rim, and half of the rest is in
shade."""

GREYEST = 0.3
"""Saturation of a grey rim, which brightness identifies."""

AROUND_MM = 14.0
"""Width of the surroundings for the contrast of a rim."""

LEAST_TINT, MOST_ASKEW = 0.2, 0.4
OWN_SHARE = 0.35
"""Three limits of a rim in its own colour, mixed by light: least share of the box's saturation, largest deviation from
its hue as a share of that saturation, and least share of the rim, since a body hides up to half of it. They accept 276
of 277 painted bases that were otherwise likely on five ray-traced and nine simulated tables (73002 to 73018, 57003 to
57026), and 15 of 69 prints and rims of other kinds."""

GREY_TINT = 0.5
"""Largest saturation of a grey rim, which mixes with its surroundings."""


@dataclass(frozen=True)
class BasePlace:
    """A candidate place of a base."""

    kind: BaseKind
    center_mm: tuple[float, float]
    turn_rad: float
    elevation_mm: float
    score: float


@dataclass(frozen=True, eq=False)
class Plane:
    """A level of the table, rectified: its edges by direction, and its colours.

    Args:
        frame: the place of its pixels.
        edges: edge strength near each pixel, by the direction of the normal.
        hue: the colours in the hue plane, as if all light were that on white paper.
        brightness: their brightness, likewise.
        around_hue: the mean hue round each pixel.
        around_brightness: the mean brightness round each pixel.
        lab: the picture in Lab, with half the brightness.
        elevation_mm: the height of the ground.
    """

    frame: PlaneFrame
    edges: Float32[Singles, "16 height width"]
    hue: Float32[Singles, "height width 2"]
    brightness: FloatImage
    around_hue: Float32[Singles, "height width 2"]
    around_brightness: FloatImage
    lab: Float32[Singles, "height width 3"]
    elevation_mm: float
    _rims: dict[str, FloatImage] = field(default_factory=dict)

    def rim(self, ring: str) -> FloatImage:
        """Return the share of a rim's colour that each pixel has and its surroundings lack, 0 to 1."""
        if ring not in self._rims:
            self._rims[ring] = _rim_likelihood(self, ring)
        return self._rims[ring]


class Shape(Protocol):
    """An outline of a base or a piece of terrain: points round its middle, and their outward normals."""

    @property
    def outline_mm(self) -> Float[Numbers, "n 2"]: ...

    @property
    def normals(self) -> Float[Numbers, "n 2"]: ...


class Level(NamedTuple):
    """A part of the table at one height: left, top, right and bottom in millimetres, and the height."""

    box_mm: tuple[float, float, float, float]
    elevation_mm: float


def plane_of(photo: BgrImage, view: CameraView, paper: PaperLight, level: Level) -> Plane:
    """Prepare a level of the table at the height of the bases on it."""
    left, top, right, bottom = level.box_mm
    size_wh = (round((right - left) * PX_PER_MM), round((bottom - top) * PX_PER_MM))
    frame, elevation_mm = PlaneFrame((left, top), 0.0, PX_PER_MM, size_wh), level.elevation_mm
    image = rectify(paper.white_balanced(photo), view, frame, elevation_mm + BASE_HEIGHT_MM / 2).image
    soft = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.7), dtype=np.uint8)
    rows, columns = np.mgrid[0 : size_wh[1] : 16, 0 : size_wh[0] : 16]
    places = frame.table_from_frame(np.column_stack([columns.ravel(), rows.ravel()]))
    coarse = paper.brightness_at(places).reshape(rows.shape).astype(np.float32) / PAPER_ALBEDO
    white = np.asarray(cv2.resize(coarse, size_wh, interpolation=cv2.INTER_LINEAR))
    light = light_from_gamma(np.asarray(image, dtype=np.uint8)) / white[..., None]
    hue, brightness = np.asarray(hue_plane(light), np.float32), np.asarray(light.mean(axis=2), np.float32)
    wide = (round(AROUND_MM * PX_PER_MM),) * 2
    return Plane(
        frame,
        _edges_by_direction(lab_from_bgr(soft)),
        hue,
        brightness,
        np.asarray(cv2.blur(hue, wide), np.float32),
        np.asarray(cv2.blur(brightness, wide), np.float32),
        lab_from_bgr(np.asarray(image, dtype=np.uint8)) * LAB_WEIGHTS,
        elevation_mm,
    )


def _edges_by_direction(lab: Float32[Singles, "height width 3"]) -> Float32[Singles, "16 height width"]:
    dx = cv2.Sobel(lab, cv2.CV_32F, 1, 0, ksize=3) / 8
    dy = cv2.Sobel(lab, cv2.CV_32F, 0, 1, ksize=3) / 8
    xx, xy, yy = (np.asarray((a * b).sum(axis=2)) for a, b in ((dx, dx), (dx, dy), (dy, dy)))
    total = xx + yy
    usual = max(LEAST_EDGE, USUAL_EDGE * float(np.median(np.sqrt(total[::4, ::4]))))
    edges = np.empty((DIRECTIONS, *lab.shape[:2]), dtype=np.float32)
    for index, angle in enumerate(np.arange(DIRECTIONS) * np.pi / DIRECTIONS):
        c, s = float(np.cos(angle)), float(np.sin(angle))
        along = np.maximum(c * c * xx + 2 * c * s * xy + s * s * yy, 0)
        # Squared twice, so that an edge aslant to the outline hardly counts.
        share = along / np.maximum(total, 1e-3)
        strength = np.sqrt(along) * share
        edges[index] = cv2.dilate((strength / (strength + usual)) ** 2, np.ones((3, 3), np.uint8))
    return edges


def find_places(plane: Plane, kinds: Sequence[BaseKind]) -> list[BasePlace]:
    """Return candidate places of bases on a plane, the best of each kind first."""
    found: list[BasePlace] = []
    scores: dict[tuple[bool, tuple[float, float]], list[tuple[float, FloatImage]]] = {}
    for kind in kinds:
        key = (kind.is_round, kind.size_mm)
        if key not in scores:
            scores[key] = [(turn, score_outline(plane, kind, turn)) for turn in _turns(kind)]
        for turn, edges in scores[key]:
            found += [
                BasePlace(kind, (x, y), turn, plane.elevation_mm, value)
                for x, y, value in _peaks(plane, _score(plane, kind, turn, edges))
            ]
    return _drop_near(found)


def _score(plane: Plane, kind: BaseKind, turn_rad: float, edges: FloatImage) -> FloatImage:
    """Return the rating of each place for a base."""
    if kind.ring is not None:
        rim = _rim_score(plane, kind, turn_rad, plane.rim(kind.ring))
        return np.asarray(0.5 * edges + 0.5 * rim, np.float32)
    return np.asarray(edges * _top_score(plane, kind), np.float32) if kind.is_round else edges


def _top_score(plane: Plane, kind: BaseKind) -> FloatImage:
    """Return for each place the contrast of a round base with the ground beside it over the contrast within itself."""
    angle = np.arange(OUTLINE_POINTS) * (2 * np.pi / OUTLINE_POINTS)
    circle = np.column_stack([np.cos(angle), np.sin(angle)]) * PX_PER_MM
    radius = kind.size_mm[0] / 2
    within, beside = (radius - RIM_MM) * circle, (radius + OUTSIDE_MM) * circle
    channels = [np.ascontiguousarray(plane.lab[..., channel]) for channel in range(3)]
    tops = [_summed([channel] * OUTLINE_POINTS, within) for channel in channels]
    square = _summed([np.asarray((plane.lab**2).sum(axis=2))] * OUTLINE_POINTS, within)
    spread = np.maximum(square - sum(top * top for top in tops), 0)
    apart = sum((top - _summed([c] * OUTLINE_POINTS, beside)) ** 2 for top, c in zip(tops, channels, strict=True))
    return np.asarray(apart / (apart + spread + TOP_NOISE), dtype=np.float32)


def _turns(kind: BaseKind) -> list[float]:
    if kind.is_round:
        return [0.0]
    end_deg = 90 if kind.size_mm[0] == kind.size_mm[1] else 180
    return [float(turn) for turn in np.radians(np.arange(0, end_deg, TURN_STEP_DEG))]


def score_outline(plane: Plane, shape: Shape, turn_rad: float) -> FloatImage:
    """Return for each place the mean edge along the outline of a base or piece of terrain there."""
    points, normals = turned(shape.outline_mm, turn_rad), turned(shape.normals, turn_rad)
    chosen = np.linspace(0, len(points), OUTLINE_POINTS, endpoint=False).astype(int)
    angles = np.arctan2(normals[chosen, 1], normals[chosen, 0]) * DIRECTIONS / np.pi
    pictures = [plane.edges[round(float(angle)) % DIRECTIONS] for angle in angles]
    return _summed(pictures, points[chosen] * PX_PER_MM)


def _rim_score(plane: Plane, kind: BaseKind, turn_rad: float, rim: FloatImage) -> FloatImage:
    """Return for each place the share of a base's rim in its colour."""
    points = turned(kind.inset_mm(RIM_MM / 2), turn_rad)
    chosen = np.linspace(0, len(points), OUTLINE_POINTS, endpoint=False).astype(int)
    return _summed([rim] * OUTLINE_POINTS, points[chosen] * PX_PER_MM)


def _summed(pictures: Sequence[FloatImage], offsets_px: Float[Numbers, "n 2"]) -> FloatImage:
    """Return the mean of pictures, each shifted by its own offset."""
    height, width = pictures[0].shape
    margin = int(np.abs(offsets_px).max()) + 2
    total = np.zeros((height, width), dtype=np.float32)
    padded: dict[int, FloatImage] = {}
    for picture, (x, y) in zip(pictures, np.round(offsets_px).astype(int).tolist(), strict=True):
        if id(picture) not in padded:
            padded[id(picture)] = np.pad(picture, margin)
        total += padded[id(picture)][margin + y : margin + y + height, margin + x : margin + x + width]
    return np.asarray(total / len(pictures), dtype=np.float32)


def _rim_likelihood(plane: Plane, ring: str) -> FloatImage:
    """Return each pixel's step towards a rim's colour from its surroundings.

    A rim is hardly wider than a pixel and mixes with its surroundings. Light mixes linearly, so the step towards the
    rim's colour in linear light is its share. Grey rims step in brightness alone.
    """
    hue, brightness = _hue_and_brightness(ring)
    length = float(np.hypot(*hue))
    if is_grey(ring):
        darkest = np.minimum(plane.around_brightness, 0.5 * brightness)
        lighter = (plane.brightness - plane.around_brightness) / (brightness - darkest)
        return _widen(np.clip(lighter / FULL_SHARE, 0, 1))
    step = plane.hue - plane.around_hue
    along = step @ (hue / length)
    across = np.abs(step @ (np.array([-hue[1], hue[0]]) / length))
    return _widen(np.clip((along - across) / (FULL_SHARE * length), 0, 1))


def is_grey(ring: str) -> bool:
    """Return whether a rim is grey, so that only brightness identifies it."""
    hue, brightness = _hue_and_brightness(ring)
    return float(np.hypot(*hue)) < GREYEST * brightness


def _hue_and_brightness(ring: str) -> tuple[Float[Numbers, " 2"], float]:
    """Return a rim's colour in the hue plane, and its brightness, in linear light."""
    light = light_from_gamma(np.array([[bgr_from_hex(ring)]], dtype=np.uint8))
    return np.asarray(hue_plane(light)[0, 0]), max(float(light.mean()), DARKEST_LIGHT)


def _widen(share: Float[Numbers, "height width"]) -> FloatImage:
    """Return the largest share within a pixel: rims are thin, and the search is accurate to a pixel."""
    return np.asarray(cv2.dilate(share.astype(np.float32), np.ones((3, 3), np.uint8)), dtype=np.float32)


def _peaks(plane: Plane, score: FloatImage) -> list[tuple[float, float, float]]:
    """Return the highest local maxima of a score: x and y in table millimetres, and the score."""
    top = cv2.dilate(score, np.ones((5, 5), np.uint8))
    rows, columns = np.nonzero((score >= top) & (score > 0))
    values = score[rows, columns]
    best: Int[Integers, " n"] = np.argsort(-values)[:PEAKS]
    places = plane.frame.table_from_frame(np.column_stack([columns[best], rows[best]]))
    return [(float(x), float(y), float(v)) for (x, y), v in zip(places, values[best], strict=True)]


def _drop_near(places: Sequence[BasePlace], limit_mm: float = 4.0) -> list[BasePlace]:
    """Keep the best of the places of one kind that nearly coincide."""
    kept: list[BasePlace] = []
    taken: dict[tuple[int, int, int], list[tuple[float, float]]] = {}
    for place in sorted(places, key=lambda p: -p.score):
        x, y = place.center_mm
        column, row = int(x // limit_mm), int(y // limit_mm)
        cells = [(id(place.kind), column + i, row + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
        if all(abs(x - a) + abs(y - b) > limit_mm for cell in cells for a, b in taken.get(cell, ())):
            taken.setdefault((id(place.kind), column, row), []).append((x, y))
            kept.append(place)
    return kept


def rim_share(plane: Plane, place: BasePlace) -> float:
    """Return the share of a painted base's rim in its colour, 0 for a bare base."""
    kind = place.kind
    if kind.ring is None:
        return 0.0
    rim = plane.rim(kind.ring)
    return float(rim[_rim_pixels(plane, place)].mean())


def _rim_pixels(plane: Plane, place: BasePlace) -> tuple[Int[Integers, " n"], Int[Integers, " n"]]:
    points = turned(place.kind.inset_mm(RIM_MM / 2), place.turn_rad) + place.center_mm
    columns, rows = np.round(plane.frame.frame_from_table(points)).astype(int).T
    height, width = plane.brightness.shape
    return np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)


def is_in_its_color(plane: Plane, place: BasePlace) -> bool:
    """Return whether the rim of a painted base has its colour itself. True for a bare base.

    The step alone is not enough. A grey rim on red ground steps towards cyan, and so does any print closer to a colour
    than its ground.
    """
    kind = place.kind
    if kind.ring is None:
        return True
    rows, columns = _rim_pixels(plane, place)
    tint = plane.hue[rows, columns] / np.maximum(plane.brightness[rows, columns], DARKEST_LIGHT)[:, None]
    hue, brightness = _hue_and_brightness(kind.ring)
    wanted = hue / brightness
    length = float(np.hypot(*wanted))
    if is_grey(kind.ring):
        is_own = np.hypot(tint[:, 0], tint[:, 1]) < GREY_TINT
    else:
        along, askew = tint @ wanted / length, np.abs(tint @ np.array([-wanted[1], wanted[0]])) / length
        is_own = (along >= LEAST_TINT * length) & (askew <= MOST_ASKEW * along)
    return bool(is_own.mean() >= OWN_SHARE)


def levels_of(table: FreeTable) -> Iterator[Level]:
    """Yield the levels that can carry a base: the whole table, and the tops of its walls."""
    width, depth = (float(side) for side in table.size_mm)
    yield Level((0.0, 0.0, width, depth), 0.0)
    for piece in table.terrain:
        if piece.kind == "wall" and piece.height_mm > 0:
            corners = np.array([[float(x), float(y)] for x, y in piece.outline_mm])
            (left, top), (right, bottom) = corners.min(axis=0) - MARGIN_MM, corners.max(axis=0) + MARGIN_MM
            yield Level((float(left), float(top), float(right), float(bottom)), float(piece.height_mm))
