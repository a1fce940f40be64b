"""Rectification: pictures of a plane at a chosen height from straight above, bent to follow loose tiles.

Tiles laid by hand have gaps of one to three millimetres and are turned by a degree or two. The adjacency of cells is
still a lattice. The tiles that meet at a lattice point determine its real place.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np
from jaxtyping import Float, Float32, Num

from calibration.arrays import BgrImage, FloatImage, Mask, Numbers, Singles
from calibration.pose import CameraView

_AROUND = 8
"""Points added beyond the outermost known ones, the range of the search for further tiles."""

_SPREADS = (1.5, 6.0)
"""Spread, in places, of the near and the far surroundings that fill a gap: light varies slowly over the table, shadows
apart, and offsets of tiles little more."""


@dataclass(frozen=True, eq=False)
class Bend:
    """Displacements of evenly spaced points on the table, interpolated in between.

    Args:
        first: the point of row 0 and column 0, in the caller's units.
        step: the distance between two points, in the same units.
        offsets_mm: displacements by row and column, in table millimetres.
    """

    first: tuple[float, float]
    step: float
    offsets_mm: Float32[Singles, "rows columns 2"] = field(repr=False)

    def at(self, points: Num[Numbers, "n 2"]) -> Float[Numbers, "n 2"]:
        """Return the displacements of points in table millimetres. Beyond the rim they equal the rim's."""
        rows, columns = self.offsets_mm.shape[:2]
        places = (np.asarray(points, dtype=float) - self.first) / self.step
        places = np.clip(places, 0, (columns - 1.001, rows - 1.001))
        column, row = places.astype(np.intp).T
        right, down = (places - np.floor(places)).T[:, :, None]
        upper = (1 - right) * self.offsets_mm[row, column] + right * self.offsets_mm[row, column + 1]
        lower = (1 - right) * self.offsets_mm[row + 1, column] + right * self.offsets_mm[row + 1, column + 1]
        return np.asarray((1 - down) * upper + down * lower, dtype=float)

    def seen_from(self, origin: tuple[float, float], units: float = 1.0, shift: float = 0.0) -> Bend:
        """Return the same in other units: point ``p`` becomes ``(p - origin) * units + shift``."""
        x, y = ((a - b) * units + shift for a, b in zip(self.first, origin, strict=True))
        return Bend((x, y), self.step * units, self.offsets_mm)


def bend_of(known: Iterable[tuple[tuple[int, int], Float[Numbers, " 2"]]]) -> Bend:
    """Return the bend of a lattice from the known shifts, in millimetres, of some of its points (column, row).

    Several shifts of one point are averaged. A point without a shift follows the known ones nearby.
    """
    shifts = list(known)
    points = np.array([point for point, _ in shifts])
    first = points.min(axis=0) - _AROUND
    columns, rows = points.max(axis=0) - first + _AROUND + 1
    total = np.zeros((rows, columns, 2), dtype=np.float32)
    count = np.zeros((rows, columns), dtype=np.float32)
    for (column, row), (_, offset_mm) in zip(points - first, shifts, strict=True):
        total[row, column] += offset_mm
        count[row, column] += 1
    is_known = (count > 0)[:, :, None]
    mean = np.asarray(total / np.maximum(count, 1)[:, :, None], dtype=np.float32)
    filled = fill_gaps(mean, is_known[:, :, 0].astype(np.float32))
    return Bend((float(first[0]), float(first[1])), 1.0, np.where(is_known, mean, filled).astype(np.float32))


def fill_gaps(
    total: Float32[Singles, "rows columns *channels"],
    weight: Float32[Singles, "rows columns"],
    least: float = 1e-9,
) -> Float32[Singles, "rows columns *channels"]:
    """Return the weighted mean of a field round each place. Far values count only where none is near.

    Args:
        total: values times their weights, 0 without a value.
        weight: the weights.
        least: smallest weight to divide by.
    """

    def blur(field: Float32[Singles, "..."]) -> Float32[Singles, "..."]:
        near, far = (cv2.GaussianBlur(field, (0, 0), s, borderType=cv2.BORDER_CONSTANT) for s in _SPREADS)
        return np.asarray(near + 1e-3 * far, dtype=np.float32)

    divisor = np.maximum(blur(weight), least)
    return np.asarray(blur(total) / (divisor if total.ndim == 2 else divisor[:, :, None]), dtype=np.float32)


_MAP_STEP_PX = 8
"""Spacing of the projected pixels, with interpolation between them. The error stays under 0.02 px for lenses of 60
degrees and more."""

UNBENDING = 4
"""Steps to find a place on a bent frame or lattice. Each leaves a tenth of the error."""

_AWAY_PX = -1e6
"""Coordinate of points without a place in a picture."""


@dataclass(frozen=True)
class PlaneFrame:
    """The mapping from the pixels of a rectified picture to the table.

    The centre of pixel ``(u, v)`` lies at ``origin_mm + R(angle_deg) * (u + 0.5, v + 0.5) / px_per_mm``. A bent frame
    shifts it from there, so that loose tiles look evenly laid.
    """

    origin_mm: tuple[float, float]
    angle_deg: float
    px_per_mm: float
    size_wh: tuple[int, int]
    bend: Bend | None = None

    @cached_property
    def turn(self) -> Float[Numbers, "2 2"]:
        """The rotation from the frame's axes to the table's."""
        c, s = math.cos(math.radians(self.angle_deg)), math.sin(math.radians(self.angle_deg))
        return np.array([[c, -s], [s, c]])

    def table_from_frame(self, points_px: Num[Numbers, "n 2"]) -> Float[Numbers, "n 2"]:
        """Return table millimetres of pixels."""
        points = np.asarray(points_px, dtype=float)
        return np.asarray(self.origin_mm) + (points + 0.5) / self.px_per_mm @ self.turn.T + self._shift_mm(points)

    def frame_from_table(self, points_mm: Num[Numbers, "n 2"]) -> Float[Numbers, "n 2"]:
        """Return pixels of table millimetres."""
        places_mm = np.asarray(points_mm) - np.asarray(self.origin_mm)
        points: Numbers = places_mm @ self.turn * self.px_per_mm - 0.5
        for _ in range(UNBENDING if self.bend is not None else 0):
            points = (places_mm - self._shift_mm(points)) @ self.turn * self.px_per_mm - 0.5
        return points

    @classmethod
    def between(cls, low_mm: Num[Numbers, " 2"], high_mm: Num[Numbers, " 2"], px_per_mm: float) -> PlaneFrame:
        """Return the frame along the table's axes between two corners."""
        width, height = (max(1, int(side)) for side in np.ceil((high_mm - low_mm) * px_per_mm))
        return cls((float(low_mm[0]), float(low_mm[1])), 0.0, px_per_mm, (width, height))

    def cut(self, left: int, top: int, size_wh: tuple[int, int]) -> PlaneFrame:
        """Return a part of the frame that begins at that pixel."""
        x, y = np.asarray(self.origin_mm) + np.array([left, top]) / self.px_per_mm @ self.turn.T
        bend = self.bend and self.bend.seen_from((left, top))
        return PlaneFrame((float(x), float(y)), self.angle_deg, self.px_per_mm, size_wh, bend)

    def maps(self, view: CameraView, height_mm: float) -> tuple[FloatImage, FloatImage]:
        """Return the column and row in the photo of each pixel of the frame, for a plane at that height."""
        return self.maps_into(lambda points_mm: view.image_from_table(points_mm, height_mm))

    def maps_into(
        self, image_from_table: Callable[[Float[Numbers, "n 2"]], Float[Numbers, "n 2"]]
    ) -> tuple[FloatImage, FloatImage]:
        """Return the column and row in another picture of each pixel of the frame.

        ``image_from_table`` gives the pixels of that picture that show places on the table.
        """
        width, height = self.size_wh
        columns, rows = (np.arange(0, side + _MAP_STEP_PX, _MAP_STEP_PX) for side in self.size_wh)
        u, v = np.meshgrid(columns, rows)
        points_mm = self.table_from_frame(np.column_stack([u.ravel(), v.ravel()]))
        pixels = np.nan_to_num(image_from_table(points_mm), nan=_AWAY_PX).astype(np.float32)
        coarse_x, coarse_y = pixels[:, 0].reshape(u.shape), pixels[:, 1].reshape(u.shape)
        fine_x = np.broadcast_to(np.arange(width, dtype=np.float32) / _MAP_STEP_PX, (height, width))
        fine_y = np.broadcast_to(np.arange(height, dtype=np.float32)[:, None] / _MAP_STEP_PX, (height, width))
        map_x: Numbers = cv2.remap(coarse_x, fine_x, fine_y, cv2.INTER_LINEAR)
        map_y: Numbers = cv2.remap(coarse_y, fine_x, fine_y, cv2.INTER_LINEAR)
        return map_x, map_y

    def _shift_mm(self, points_px: Float[Numbers, "n 2"]) -> Float[Numbers, "n 2"]:
        return np.zeros_like(points_px) if self.bend is None else self.bend.at(points_px)


@dataclass(frozen=True)
class Rectified:
    """A rectified picture. ``image`` is black outside the photo."""

    frame: PlaneFrame
    image: BgrImage
    inside_mask: Mask


def seen_bounds_mm(view: CameraView) -> tuple[Float[Numbers, " 2"], Float[Numbers, " 2"]]:
    """Return the least and the greatest coordinates of the table's plane in the photo, as far as its middle shows."""
    edge = np.linspace(0, 1, 17)
    rim = np.concatenate([np.column_stack([edge, np.full(17, v)]) for v in (0.0, 0.5, 1.0)])
    pixels = np.concatenate([rim, rim[:, ::-1]]) * (view.lens.width_px - 1, view.lens.height_px - 1)
    places = view.table_from_image(pixels)
    places = places[np.isfinite(places).all(axis=1)]
    return places.min(axis=0), places.max(axis=0)


def rectify(photo: BgrImage, view: CameraView, frame: PlaneFrame, height_mm: float) -> Rectified:
    """Warp the photo onto the plane at that height above the table."""
    map_x, map_y = frame.maps(view, height_mm)
    rows, columns = photo.shape[:2]
    inside = (map_x >= 0) & (map_y >= 0) & (map_x <= columns - 1) & (map_y <= rows - 1)
    image = cv2.remap(photo, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0)
    return Rectified(frame, np.asarray(image, dtype=np.uint8), inside)
