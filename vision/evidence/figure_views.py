"""A figure cut out of a photo: its points, their places on its outline, and their colours in white light.

Upright things lean away from the camera. Points are measured from the middle of the underside of the base, across the
picture and up along the lean, in halves of the base's shorter side (its *radius*). So a figure looks much the same from
near and far. Teaching (``vision.teaching``) and reading (``vision.evidence.looks``) cut in the same way.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from jaxtyping import Bool, Float, UInt8

from assistant.table.camera import PointMm
from assistant.table.roster import POINT_BYTES, VIEW_POINTS, LookView
from calibration.arrays import BgrImage, Flags, Levels, Numbers
from calibration.color import gamma_from_light, light_from_gamma
from calibration.pose import CameraView
from vision.evidence.bases import BASE_HEIGHT_MM

MOST_HEIGHT_MM = 60.0
"""Greatest height of kept points, whatever height a person gives the figure."""

_ACROSS, _UP_FROM, _UP_TO = 1.2, -1.3, 6.0
_STEP = 1 / 20
"""Step of the sampling grid in radii, half a millimetre for a base of 22 mm."""

_ACROSS_UNIT, _UP_UNIT = 0.01, 0.03
_ACROSS_ZERO, _UP_ZERO = 128, 48
"""Zero offsets of places stored as bytes."""

_BLUR_MM = 0.35
"""Blur that makes a close-up resemble a photo of a whole table."""

_LEAST_BLUR_PX = 0.5
"""Least effective blur."""

_LEAST_COSINE = 0.05

_BODY = 0.8
"""Half the width of a usual body, in radii of its base."""

_HEAD = 0.5
"""Height of a head from straight above, in radii of the base."""


@dataclass(frozen=True, eq=False)
class ViewPoints:
    """Points of a figure in one photo.

    Args:
        across: from the middle of the base across the picture, in radii.
        up: up along the lean, in radii.
        bgr: the colours in white light, display values.
        tilt_deg: the camera's tilt from straight above.
    """

    across: Float[Numbers, " n"]
    up: Float[Numbers, " n"]
    bgr: UInt8[Levels, "n 3"]
    tilt_deg: float

    def chosen(self, mask: Bool[Flags, " n"]) -> ViewPoints:
        return ViewPoints(self.across[mask], self.up[mask], self.bgr[mask], self.tilt_deg)


@dataclass(frozen=True)
class Foot:
    """A figure's stand: the middle of its base, the height of the ground, and its radius."""

    center_mm: PointMm
    ground_mm: float
    radius_mm: float


def cut_points(photo: BgrImage, view: CameraView, foot: Foot, light_bgr: Float[Numbers, " 3"]) -> ViewPoints:
    """Return all points of the photo that may belong to a figure on that foot.

    ``light_bgr`` is full white there, linear.
    """
    radius_from_px, tilt_deg = _axes(view, foot)
    across, up = np.meshgrid(np.arange(-_ACROSS, _ACROSS, _STEP), np.arange(_UP_FROM, _UP_TO, _STEP))
    across, up = across.ravel(), up.ravel()
    inside = is_on_figure(across, up, tilt_deg, MOST_HEIGHT_MM / foot.radius_mm)
    across, up = across[inside], up[inside]
    at_px = places_px(view, foot, across, up)
    shown = ((at_px >= 0) & (at_px <= np.array(photo.shape[1::-1]) - 1)).all(axis=1)
    across, up = across[shown], up[shown]
    sigma_px = _BLUR_MM / foot.radius_mm * float(np.linalg.norm(radius_from_px[0]))
    seen = light_from_gamma(_sample(photo, at_px[shown], sigma_px))
    white = gamma_from_light(np.asarray(seen[None] / light_bgr, dtype=np.float32))[0]
    return ViewPoints(across, up, white, tilt_deg)


def places_px(
    view: CameraView, foot: Foot, across: Float[Numbers, " n"], up: Float[Numbers, " n"]
) -> Float[Numbers, "n 2"]:
    """Return the pixels of a figure's points."""
    middle = view.image_from_table([foot.center_mm], foot.ground_mm)[0]
    places: Numbers = middle + np.column_stack([across, up]) @ _axes(view, foot)[0]
    return places


def is_on_figure(
    across: Float[Numbers, " n"], up: Float[Numbers, " n"], tilt_deg: float, height_radii: float
) -> Bool[Flags, " n"]:
    """Return which points may belong to a figure of that height: on its base, or leaning out over it."""
    beyond = outline_shares(up, tilt_deg, height_radii)
    on_base = base_shares(across, up, tilt_deg) < 1
    return np.asarray(on_base | ((np.abs(across) < _BODY) & (up > 0) & (beyond < 1)))


def outline_shares(up: Float[Numbers, " n"], tilt_deg: float, height_radii: float) -> Float[Numbers, " n"]:
    """Return the height of points along a figure's outline: 0 at the middle of its base, 1 at its head, down to -1."""
    sine, cosine = np.sin(np.radians(tilt_deg)), np.cos(np.radians(tilt_deg))
    head = max(_HEAD * cosine + height_radii * sine, cosine)
    return np.asarray(np.where(up < 0, up / cosine, up / head))


def base_shares(across: Float[Numbers, " n"], up: Float[Numbers, " n"], tilt_deg: float) -> Float[Numbers, " n"]:
    """Return the distance of points on a base from its middle, in radii."""
    return np.asarray(np.hypot(across, up / max(np.cos(np.radians(tilt_deg)), _LEAST_COSINE)))


def view_of(points: ViewPoints) -> LookView:
    """Return the stored form of the points: ``VIEW_POINTS`` of them at most, by a fixed random choice."""
    chosen = np.sort(np.random.default_rng(0).permutation(len(points.across))[:VIEW_POINTS])
    across = np.clip(np.round(points.across[chosen] / _ACROSS_UNIT) + _ACROSS_ZERO, 0, 255)
    up = np.clip(np.round(points.up[chosen] / _UP_UNIT) + _UP_ZERO, 0, 255)
    table = np.column_stack([across, up, points.bgr[chosen]]).astype(np.uint8)
    return LookView(round(min(max(points.tilt_deg, 0.0), 90.0), 1), table.tobytes())


def points_of(view: LookView) -> ViewPoints:
    """Return the points stored in a view."""
    table = np.frombuffer(view.points, dtype=np.uint8).reshape(-1, POINT_BYTES)
    across = (table[:, 0].astype(np.float64) - _ACROSS_ZERO) * _ACROSS_UNIT
    up = (table[:, 1].astype(np.float64) - _UP_ZERO) * _UP_UNIT
    return ViewPoints(across, up, np.ascontiguousarray(table[:, 2:]), view.tilt_deg)


def _axes(view: CameraView, foot: Foot) -> tuple[Float[Numbers, "2 2"], float]:
    """Return the pixels per radius across and up, as rows, and the tilt in degrees."""
    center, height_mm = np.array(foot.center_mm), foot.ground_mm + BASE_HEIGHT_MM / 2
    towards = center - view.camera_center_mm[:2]
    level_mm, high_mm = float(np.linalg.norm(towards)), float(view.camera_center_mm[2]) - height_mm
    away = towards / level_mm if level_mm > 1 else np.array([0.0, -1.0])
    side = np.array([-away[1], away[0]]) * foot.radius_mm
    near, far = view.image_from_table(np.array([center - side, center + side]), height_mm)
    across = (far - near) / 2
    behind, before = view.image_from_table(
        np.array([center + away * foot.radius_mm, center - away * foot.radius_mm]), height_mm
    )
    lean = (behind - before) / float(np.linalg.norm(behind - before))
    up = lean * float(np.linalg.norm(across))
    return np.stack([across, up]), float(np.degrees(np.arctan2(level_mm, high_mm)))


def _sample(photo: BgrImage, at_px: Float[Numbers, "n 2"], sigma_px: float) -> UInt8[Levels, "n 3"]:
    """Return the photo's colours at places, smoothed."""
    if len(at_px) == 0:
        return np.zeros((0, 3), dtype=np.uint8)
    low = np.floor(at_px.min(axis=0)).astype(int) - 2
    high = np.ceil(at_px.max(axis=0)).astype(int) + 3
    low = np.maximum(low, 0)
    part = photo[low[1] : high[1], low[0] : high[0]]
    if sigma_px > _LEAST_BLUR_PX:
        part = np.asarray(cv2.GaussianBlur(part, (0, 0), sigma_px), dtype=np.uint8)
    columns, rows = (np.ascontiguousarray((at_px - low)[None, :, axis], dtype=np.float32) for axis in (0, 1))
    return np.asarray(cv2.remap(part, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[0], np.uint8)
