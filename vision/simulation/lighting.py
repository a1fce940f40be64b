"""Lamps of finite size over the table, and the soft shadows of lamp and room light."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import cv2
import numpy as np
from jaxtyping import Float

from calibration.arrays import Floats
from vision.simulation.arrays import FloatMap, Generator
from vision.simulation.meshes import Color
from vision.simulation.surfaces import Surface

DOME_TILTS_DEG = (25.0, 55.0)
"""Rings of the room's light from above, six directions each, enough for smoothed maps."""


@dataclass(frozen=True)
class Lighting:
    """One lamp (or window) and the light of the room around it.

    ``lamp_mm`` is its middle, ``across_mm`` two half axes of its face. ``lamp_bgr`` is its light on a level sheet at
    ``target_mm``, ``room_bgr`` the room's light on a level sheet anywhere.
    """

    name: str
    lamp_mm: tuple[float, float, float]
    across_mm: tuple[tuple[float, float, float], tuple[float, float, float]]
    lamp_bgr: tuple[float, float, float]
    room_bgr: tuple[float, float, float]
    target_mm: tuple[float, float]
    samples: int = 16

    @cached_property
    def sample_points_mm(self) -> Float[Floats, "n 3"]:
        """Points (N, 3) spread evenly over the lamp's face (a golden-angle spiral)."""
        index = np.arange(self.samples) + 0.5
        radius, angle = np.sqrt(index / self.samples), index * 2.399963
        u, v = (np.array(axis) for axis in self.across_mm)
        spread = np.outer(radius * np.cos(angle), u) + np.outer(radius * np.sin(angle), v)
        return np.asarray(np.array(self.lamp_mm) + spread)

    def falloff(
        self, points_mm: Float[Floats, "*shape 3"], normals: Float[Floats, "*shape 3"] | None = None
    ) -> Float[Floats, "*shape"]:
        """Return the share of ``lamp_bgr`` at points (..., 3) with the given normals, by default level ones."""
        target = np.array([*self.target_mm, 0.0])
        reach = np.array(self.lamp_mm) - target
        unit = reach[2] / np.linalg.norm(reach) ** 3
        points = np.asarray(points_mm, np.float32)
        total = np.zeros(points.shape[:-1], np.float32)
        sources = self.sample_points_mm[:: max(1, self.samples // 4)].astype(np.float32)
        for source in sources:
            ray = source - points
            squared = np.maximum(np.einsum("...k,...k", ray, ray), 1.0)
            facing = ray[..., 2] if normals is None else np.einsum("...k,...k", ray, np.asarray(normals, np.float32))
            total += np.maximum(facing, 0) / (squared * np.sqrt(squared))
        shares: Floats = total / np.float32(len(sources) * unit)
        return shares

    def highlight(
        self,
        points_mm: Float[Floats, "*shape 3"],
        eye_mm: Float[Floats, " 3"],
        exponent: float,
        normals: Float[Floats, "*shape 3"] | None = None,
    ) -> Float[Floats, "*shape"]:
        """Return the lamp's specular share towards the eye on a satin surface (Blinn's half vector)."""
        points = np.asarray(points_mm, np.float32)
        half = np.zeros_like(points)
        for place in (np.array(self.lamp_mm, np.float32), np.asarray(eye_mm, np.float32)):
            ray = place - points
            half += ray / np.sqrt(np.einsum("...k,...k", ray, ray))[..., None]
        length = np.sqrt(np.maximum(np.einsum("...k,...k", half, half), 1e-9))
        facing = half[..., 2] if normals is None else np.einsum("...k,...k", half, np.asarray(normals, np.float32))
        shine: Floats = np.maximum(facing / length, 0) ** np.float32(exponent)
        return shine


@dataclass(frozen=True)
class ShadowFrame:
    """The rectangle of the table covered by shadow maps."""

    low_mm: tuple[float, float]
    size_wh: tuple[int, int]
    pixels_per_mm: float


Hulls = Sequence[Floats]
"""The vertices (N, 3) of convex bodies."""


def shadow_map(bodies: Hulls, lighting: Lighting, frame: ShadowFrame, height_mm: float) -> Surface:
    """Map the shares of lamp (channel 0) and room (channel 1) light that reach a level plane."""
    above = _above(bodies, height_mm)
    lamp = _lamp_share(above, lighting, frame, height_mm)
    room = _room_share(above, frame, height_mm)
    return Surface(np.dstack([lamp, room]), frame.low_mm, frame.pixels_per_mm, height_mm, outside=1.0)


def _lamp_share(above: Hulls, lighting: Lighting, frame: ShadowFrame, height_mm: float) -> FloatMap:
    total = np.zeros(frame.size_wh[::-1], np.float32)
    for source in lighting.sample_points_mm:
        total += _mask(above, frame, height_mm, source=source)
    share = 1 - total / len(lighting.sample_points_mm)
    smooth = cv2.GaussianBlur(share, (0, 0), 0.35 * frame.pixels_per_mm)
    return np.asarray(smooth, np.float32)


def _room_share(above: Hulls, frame: ShadowFrame, height_mm: float) -> FloatMap:
    """Return ambient light: a coarse map from twelve directions, smoothed. Level surfaces see more of the zenith."""
    coarse = ShadowFrame(frame.low_mm, (frame.size_wh[0] // 2, frame.size_wh[1] // 2), frame.pixels_per_mm / 2)
    total = np.zeros(coarse.size_wh[::-1], np.float32)
    weight_sum = 0.0
    for tilt in np.radians(DOME_TILTS_DEG):
        weight = float(np.cos(tilt) * np.sin(tilt))
        for turn in np.arange(6) * np.pi / 3 + tilt:
            slope = np.tan(tilt) * np.array([np.cos(turn), np.sin(turn)])
            total += weight * _mask(above, coarse, height_mm, slope=slope)
            weight_sum += weight
    share = 1 - total / weight_sum
    smooth = cv2.GaussianBlur(share, (0, 0), 1.8 * coarse.pixels_per_mm)
    return np.asarray(cv2.resize(smooth, frame.size_wh, interpolation=cv2.INTER_LINEAR), np.float32)


def _above(bodies: Hulls, height_mm: float) -> Hulls:
    """Return the part of each body above the plane, with its foot on it, as every light source needs."""
    parts = []
    for body in bodies:
        above = body[body[:, 2] > height_mm + 0.05]
        if len(above):
            is_standing = body[:, 2].min() <= height_mm + 0.05  # its shadow starts at its foot
            foot = np.minimum(above, (np.inf, np.inf, height_mm))
            parts.append(np.concatenate([above, foot]) if is_standing else above)
    return parts


def _mask(
    above: Hulls,
    frame: ShadowFrame,
    height_mm: float,
    *,
    source: Float[Floats, " 3"] | None = None,
    slope: Float[Floats, " 2"] | None = None,
) -> FloatMap:
    """Return 1 where a body hides a point source (or a direction, given as sideways step per step up)."""
    mask = np.zeros(frame.size_wh[::-1], np.uint8)
    if above:
        places = _projected(np.concatenate(above), height_mm, source, slope)
        texels = (places - frame.low_mm) * frame.pixels_per_mm - 0.5
        fixed = np.clip(texels * 16, -1e6, 1e6).astype(np.int32)
        start = 0
        for part in above:
            cv2.fillConvexPoly(mask, cv2.convexHull(fixed[start : start + len(part)]), 1, shift=4)
            start += len(part)
    return mask.astype(np.float32)


def _projected(
    points: Float[Floats, "n 3"],
    height_mm: float,
    source: Float[Floats, " 3"] | None,
    slope: Float[Floats, " 2"] | None,
) -> Float[Floats, "n 2"]:
    rise = np.maximum(points[:, 2:].astype(float) - height_mm, 0)
    if source is None:
        return points[:, :2] + rise * slope
    drop = np.maximum(source[2] - points[:, 2:], 20.0)
    spread: Floats = points[:, :2] + (points[:, :2] - source[:2]) * rise / drop
    return spread


NEUTRAL: Color = (0.97, 1.0, 1.02)


class LampRange(NamedTuple):
    """Ranges of a kind of light: its lamp's direction and size, colours of lamp and room, the lamp's share."""

    elevation_deg: tuple[float, float]
    distance_mm: tuple[float, float]
    radius_mm: tuple[float, float]
    colors: tuple[Color, Color]
    lamp_share: tuple[float, float]
    samples: int = 16


LIGHTS: Mapping[str, LampRange] = {
    "soft": LampRange((60, 88), (1300, 2000), (300, 600), (NEUTRAL, NEUTRAL), (0.35, 0.6), 24),
    "window": LampRange((28, 48), (1200, 2200), (280, 520), ((1.12, 1.0, 0.92), NEUTRAL), (0.4, 0.65), 24),
    "lamp": LampRange((45, 78), (550, 950), (35, 90), (NEUTRAL, NEUTRAL), (0.6, 0.85)),
    "warm side": LampRange((28, 45), (600, 1000), (40, 90), ((0.52, 0.86, 1.25), (0.9, 0.95, 1.0)), (0.55, 0.8)),
    "hard side": LampRange((24, 42), (800, 1500), (6, 22), (NEUTRAL, NEUTRAL), (0.7, 0.9), 8),
    "dim": LampRange((40, 75), (1200, 2200), (60, 250), ((0.75, 0.95, 1.12), NEUTRAL), (0.4, 0.7)),
}
"""Every light by its name."""


def random_lighting(rng: Generator, name: str, target_mm: tuple[float, float]) -> Lighting:
    """Draw a light of that name round a place on the table."""
    kind = LIGHTS[name]
    elevation, turn = np.radians(rng.uniform(*kind.elevation_deg)), rng.uniform(0, 2 * np.pi)
    distance, radius, share = (rng.uniform(*span) for span in (kind.distance_mm, kind.radius_mm, kind.lamp_share))
    outward = np.array([np.cos(elevation) * np.cos(turn), np.cos(elevation) * np.sin(turn), np.sin(elevation)])
    across = np.array([-np.sin(turn), np.cos(turn), 0.0]) * radius
    up = np.cross(outward, across)
    tone = rng.uniform(0.93, 1.07, 3)
    lamp, room = (np.array(color) * part * tone for color, part in zip(kind.colors, (share, 1 - share), strict=True))
    place = outward * distance + (*target_mm, 0.0)
    return Lighting(
        name, tuple(place.tolist()), (tuple(across.tolist()), tuple(up.tolist())),
        tuple(lamp.tolist()), tuple(room.tolist()), target_mm, kind.samples,
    )  # fmt: skip
