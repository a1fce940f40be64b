"""The lights a table stands in: soft overhead, window, lamp, warm lamp at the side, hard lamp, dim room."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from vision.simulation.arrays import Generator
from vision.simulation.lighting import Lighting

Color = tuple[float, float, float]
DAYLIGHT: Color = (1.12, 1.0, 0.92)
NEUTRAL: Color = (0.97, 1.0, 1.02)
WARM: Color = (0.52, 0.86, 1.25)


def lighting(rng: Generator, name: str, target_mm: tuple[float, float]) -> Lighting:
    """A light of that name round a place on the table."""
    return LIGHTS[name](rng, name, target_mm)


def _lamp(  # noqa: PLR0913 - a lamp is these measures
    rng: Generator,
    name: str,
    target: tuple[float, float],
    *,
    elevation_deg: tuple[float, float],
    distance_mm: tuple[float, float],
    radius_mm: tuple[float, float],
    colors: tuple[Color, Color],
    lamp_share: tuple[float, float],
    samples: int = 16,
) -> Lighting:
    """A lamp in some direction; ``lamp_share`` of all light comes from it."""
    elevation, turn = np.radians(rng.uniform(*elevation_deg)), rng.uniform(0, 2 * np.pi)
    distance, radius, share = rng.uniform(*distance_mm), rng.uniform(*radius_mm), rng.uniform(*lamp_share)
    outward = np.array([np.cos(elevation) * np.cos(turn), np.cos(elevation) * np.sin(turn), np.sin(elevation)])
    across = np.array([-np.sin(turn), np.cos(turn), 0.0]) * radius
    up = np.cross(outward, across)
    tone = rng.uniform(0.93, 1.07, 3)
    lamp, room = (np.array(color) * part * tone for color, part in zip(colors, (share, 1 - share), strict=True))
    place = outward * distance + (*target, 0.0)
    return Lighting(
        name, tuple(place.tolist()), (tuple(across.tolist()), tuple(up.tolist())),
        tuple(lamp.tolist()), tuple(room.tolist()), target, samples,
    )  # fmt: skip


def _soft(rng: Generator, name: str, target: tuple[float, float]) -> Lighting:
    return _lamp(rng, name, target, elevation_deg=(60, 88), distance_mm=(1300, 2000), radius_mm=(300, 600),
                 colors=(NEUTRAL, NEUTRAL), lamp_share=(0.35, 0.6), samples=24)  # fmt: skip


def _window(rng: Generator, name: str, target: tuple[float, float]) -> Lighting:
    return _lamp(rng, name, target, elevation_deg=(28, 48), distance_mm=(1200, 2200), radius_mm=(280, 520),
                 colors=(DAYLIGHT, NEUTRAL), lamp_share=(0.4, 0.65), samples=24)  # fmt: skip


def _table_lamp(rng: Generator, name: str, target: tuple[float, float]) -> Lighting:
    return _lamp(rng, name, target, elevation_deg=(45, 78), distance_mm=(550, 950), radius_mm=(35, 90),
                 colors=(NEUTRAL, NEUTRAL), lamp_share=(0.6, 0.85))  # fmt: skip


def _warm_side(rng: Generator, name: str, target: tuple[float, float]) -> Lighting:
    return _lamp(rng, name, target, elevation_deg=(28, 45), distance_mm=(600, 1000), radius_mm=(40, 90),
                 colors=(WARM, (0.9, 0.95, 1.0)), lamp_share=(0.55, 0.8))  # fmt: skip


def _hard_side(rng: Generator, name: str, target: tuple[float, float]) -> Lighting:
    return _lamp(rng, name, target, elevation_deg=(24, 42), distance_mm=(800, 1500), radius_mm=(6, 22),
                 colors=(NEUTRAL, NEUTRAL), lamp_share=(0.7, 0.9), samples=8)  # fmt: skip


def _dim(rng: Generator, name: str, target: tuple[float, float]) -> Lighting:
    return _lamp(rng, name, target, elevation_deg=(40, 75), distance_mm=(1200, 2200), radius_mm=(60, 250),
                 colors=((0.75, 0.95, 1.12), NEUTRAL), lamp_share=(0.4, 0.7))  # fmt: skip


LIGHTS: Mapping[str, Callable[[Generator, str, tuple[float, float]], Lighting]] = {
    "soft": _soft,
    "window": _window,
    "lamp": _table_lamp,
    "warm side": _warm_side,
    "hard side": _hard_side,
    "dim": _dim,
}
"""Every light by its name."""
