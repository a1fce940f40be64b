"""A figure cut out of a photo: points of it, where they are on its outline, and their colours in white light.

What stands up leans away from the camera. Points are counted from the middle of the underside of the base, across the
picture and up along the lean, in halves of the base's shorter side (its *radius*): so the same figure looks much the
same from near and far. Teaching (``vision.teaching``) and reading (``vision.evidence.looks``) cut in the same way.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from jaxtyping import Bool, Float, UInt8

from assistant.table.camera import PointMm
from assistant.table.roster import POINT_BYTES, LookView
from calibration.arrays import BgrImage, Flags, Levels, Numbers
from calibration.color import gamma_from_light, light_from_gamma
from calibration.pose import CameraView
from vision.evidence.bases import BASE_HEIGHT_MM

MOST_HEIGHT_MM = 60.0
"""Points are kept up to this height, whatever height a person says that the figure has."""

POINTS = 400
"""Points of one view that are kept: colours of a body are told by a hundred."""

_ACROSS, _UP_FROM, _UP_TO = 1.2, -1.3, 6.0
_STEP = 1 / 14
"""The grid that is cut, in radii; three quarters of a millimetre for a base of 22 mm."""

_ACROSS_UNIT, _UP_UNIT = 0.01, 0.03
_ACROSS_ZERO, _UP_ZERO = 128, 48
"""How places go into bytes."""

_BLUR_MM = 0.35
"""Near photos are smoothed to what a photo of a whole table shows."""

_LEAST_BLUR_PX = 0.5
"""A narrower blur changes nothing."""

_LEAST_COSINE = 0.05


@dataclass(frozen=True, eq=False)
class ViewPoints:
    """Points of a figure in one photo.

    Args:
        across: from the middle of the base across the picture, in radii, (N,).
        up: up along the lean, in radii, (N,).
        bgr: the colours in white light, display values, (N, 3).
        tilt_deg: how far from straight above the figure was seen.
    """

    across: Float[Numbers, " n"]
    up: Float[Numbers, " n"]
    bgr: UInt8[Levels, "n 3"]
    tilt_deg: float

    def chosen(self, mask: Bool[Flags, " n"]) -> ViewPoints:
        """The points of a mask (N,)."""
        return ViewPoints(self.across[mask], self.up[mask], self.bgr[mask], self.tilt_deg)


@dataclass(frozen=True)
class Foot:
    """Where a figure stands: the middle of its base, the height of the ground, and half the base's shorter side."""

    center_mm: PointMm
    ground_mm: float
    radius_mm: float


def cut_points(photo: BgrImage, view: CameraView, foot: Foot, light_bgr: Float[Numbers, " 3"]) -> ViewPoints:
    """All points of the photo in which a figure on that foot may be seen.

    Args:
        photo: the photo.
        view: where the camera was.
        foot: where the figure stands.
        light_bgr: what white (all the light thrown back) looks like there, linear, (3,).
    """
    radius_from_px, tilt_deg = _axes(view, foot)
    across, up = np.meshgrid(np.arange(-_ACROSS, _ACROSS, _STEP), np.arange(_UP_FROM, _UP_TO, _STEP))
    across, up = across.ravel(), up.ravel()
    inside = is_on_figure(across, up, tilt_deg, MOST_HEIGHT_MM / foot.radius_mm)
    across, up = across[inside], up[inside]
    middle = view.image_from_table([foot.center_mm], foot.ground_mm)[0]
    places_px = middle + np.column_stack([across, up]) @ radius_from_px
    shown = ((places_px >= 0) & (places_px <= np.array(photo.shape[1::-1]) - 1)).all(axis=1)
    across, up, places_px = across[shown], up[shown], places_px[shown]
    sigma_px = _BLUR_MM / foot.radius_mm * float(np.linalg.norm(radius_from_px[0]))
    seen = light_from_gamma(_sampled(photo, places_px, sigma_px))
    white = gamma_from_light(np.asarray(seen[None] / light_bgr, dtype=np.float32))[0]
    return ViewPoints(across, up, white, tilt_deg)


def is_on_figure(
    across: Float[Numbers, " n"], up: Float[Numbers, " n"], tilt_deg: float, height_radii: float
) -> Bool[Flags, " n"]:
    """Which points may show a figure of that height: its base, and what leans out over it, (N,)."""
    beyond = outline_shares(up, tilt_deg, height_radii)
    on_base = base_shares(across, up, tilt_deg) < 1
    return np.asarray(on_base | ((np.abs(across) < _BODY) & (up > 0) & (beyond < 1)))


_BODY = 0.8
"""Half the width of a usual body by the radius of its base."""

_HEAD = 0.5
"""How much of a head is seen from above, by the radius of the base."""


def outline_shares(up: Float[Numbers, " n"], tilt_deg: float, height_radii: float) -> Float[Numbers, " n"]:
    """How far up the outline of a figure points are, (N,): 0 at the middle of its base, 1 at its head, below to -1."""
    sine, cosine = np.sin(np.radians(tilt_deg)), np.cos(np.radians(tilt_deg))
    head = max(_HEAD * cosine + height_radii * sine, cosine)
    return np.asarray(np.where(up < 0, up / cosine, up / head))


def base_shares(across: Float[Numbers, " n"], up: Float[Numbers, " n"], tilt_deg: float) -> Float[Numbers, " n"]:
    """How far from the middle of its base points are that lie on it, by its radius, (N,)."""
    return np.asarray(np.hypot(across, up / max(np.cos(np.radians(tilt_deg)), _LEAST_COSINE)))


def view_of(points: ViewPoints) -> LookView:
    """The points as they are kept: ``POINTS`` of them, spread by chance but the same every time."""
    chosen = np.sort(np.random.default_rng(0).permutation(len(points.across))[:POINTS])
    across = np.clip(np.round(points.across[chosen] / _ACROSS_UNIT) + _ACROSS_ZERO, 0, 255)
    up = np.clip(np.round(points.up[chosen] / _UP_UNIT) + _UP_ZERO, 0, 255)
    table = np.column_stack([across, up, points.bgr[chosen]]).astype(np.uint8)
    return LookView(round(min(max(points.tilt_deg, 0.0), 90.0), 1), table.tobytes())


def points_of(view: LookView) -> ViewPoints:
    """The points that are kept in a view."""
    table = np.frombuffer(view.points, dtype=np.uint8).reshape(-1, POINT_BYTES)
    across = (table[:, 0].astype(np.float64) - _ACROSS_ZERO) * _ACROSS_UNIT
    up = (table[:, 1].astype(np.float64) - _UP_ZERO) * _UP_UNIT
    return ViewPoints(across, up, np.ascontiguousarray(table[:, 2:]), view.tilt_deg)


def _axes(view: CameraView, foot: Foot) -> tuple[Float[Numbers, "2 2"], float]:
    """By how many pixels a radius across and one up move in the picture, as rows (2, 2), and the tilt in degrees."""
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


def _sampled(photo: BgrImage, places_px: Float[Numbers, "n 2"], sigma_px: float) -> UInt8[Levels, "n 3"]:
    """The photo's colours at places, smoothed, (N, 3)."""
    if len(places_px) == 0:
        return np.zeros((0, 3), dtype=np.uint8)
    low = np.floor(places_px.min(axis=0)).astype(int) - 2
    high = np.ceil(places_px.max(axis=0)).astype(int) + 3
    low = np.maximum(low, 0)
    part = photo[low[1] : high[1], low[0] : high[0]]
    if sigma_px > _LEAST_BLUR_PX:
        part = np.asarray(cv2.GaussianBlur(part, (0, 0), sigma_px), dtype=np.uint8)
    columns, rows = (np.ascontiguousarray((places_px - low)[None, :, axis], dtype=np.float32) for axis in (0, 1))
    return np.asarray(cv2.remap(part, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[0], np.uint8)
