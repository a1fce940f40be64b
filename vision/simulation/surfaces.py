"""Level pictures on the table: what is printed or lit at a place, sampled where pixels look."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.simulation.arrays import Floats


@dataclass(frozen=True)
class Surface:
    """A picture that lies level on the table, linear, its colour already multiplied by its opacity.

    ``image`` is (H, W, C) or (H, W); its first texel's outer corner is at ``origin_mm``. ``outside`` is
    what lies beyond it in every channel.
    """

    image: Floats
    origin_mm: tuple[float, float]
    pixels_per_mm: float
    height_mm: float = 0.0
    outside: float = 0.0

    def sample(self, points_mm: Floats) -> Floats:
        """The picture at table points (H, W, 2), as (H, W, C)."""
        scale = self.pixels_per_mm
        shift = np.array(self.origin_mm, np.float32) * scale + 0.5
        places = points_mm * np.float32(scale) - shift.astype(np.float32)
        return remapped(self.image, places, cv2.BORDER_CONSTANT, self.outside)

    def window(self, points_mm: Floats) -> tuple[slice, slice]:
        """The smallest rows and columns of samples that hold everything the picture covers."""
        height, width = self.image.shape[:2]
        low = np.array(self.origin_mm) - 2.0
        high = low + np.array([width, height]) / self.pixels_per_mm + 4.0
        # Every eighth sample is enough to find the window; it grows by one step each way.
        step = 8
        coarse = points_mm[::step, ::step]
        reach = np.abs(np.diff(coarse, axis=1)).max(initial=0.0) + np.abs(np.diff(coarse, axis=0)).max(initial=0.0)
        inside = ((coarse > low - reach) & (coarse < high + reach)).all(-1)
        rows, columns = np.flatnonzero(inside.any(1)), np.flatnonzero(inside.any(0))
        if not len(rows):
            return slice(0, 0), slice(0, 0)
        first_row, first_column = (max(0, (int(found[0]) - 1) * step) for found in (rows, columns))
        last_row, last_column = ((int(found[-1]) + 2) * step for found in (rows, columns))
        return slice(first_row, min(last_row, len(points_mm))), slice(
            first_column, min(last_column, points_mm.shape[1])
        )


@dataclass(frozen=True)
class TableTop:
    """The table itself: a picture that repeats in both directions, on a table top that ends somewhere."""

    image: Floats
    pixels_per_mm: float
    turn_rad: float
    center_mm: tuple[float, float]
    size_mm: tuple[float, float]
    floor_bgr: tuple[float, float, float]

    def sample(self, points_mm: Floats) -> Floats:
        """The colour (H, W, 3) at table points (H, W, 2); beyond the edge the floor."""
        cos, sin = np.cos(self.turn_rad), np.sin(self.turn_rad)
        turn = np.array([[cos, sin], [-sin, cos]], np.float32)
        local = (points_mm - np.array(self.center_mm, np.float32)) @ turn.T
        height, width = self.image.shape[:2]
        places = local * np.float32(self.pixels_per_mm)
        places = np.stack([np.mod(places[..., 0], width), np.mod(places[..., 1], height)], -1)
        color = remapped(self.image, places, cv2.BORDER_WRAP)
        beyond = (np.abs(local) > np.array(self.size_mm, np.float32) / 2).any(-1)
        if beyond.any():
            color[beyond] = self.floor_bgr
        return np.asarray(color, np.float32)


def remapped(image: Floats, places: Floats, border: int, outside: float = 0.0) -> Floats:
    """The picture at places (H, W, 2), x before y, in its own pixels; straight between them."""
    value = (outside,) * 4
    # The type stubs know nothing of a map that holds x and y together, which needs no second one.
    sampled = cv2.remap(image, places, None, cv2.INTER_LINEAR, borderMode=border, borderValue=value)  # type: ignore[call-overload]
    return np.asarray(sampled, np.float32)


def linear_from_srgb(image: NDArray[np.generic]) -> Floats:
    """Light from display values: 8-bit or 0 to 1."""
    scaled = np.asarray(image, np.float32)
    if image.dtype == np.uint8:
        scaled = scaled / np.float32(255)
    return np.where(scaled <= 0.04045, scaled / 12.92, ((scaled + 0.055) / 1.055) ** 2.4).astype(np.float32)


def srgb_from_linear(image: Floats) -> Floats:
    """Display values 0 to 1 from light, clipped."""
    light = np.clip(image, 0, 1).astype(np.float32)
    return np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055).astype(np.float32)


def linear_color(hex_color: str) -> tuple[float, float, float]:
    """Linear blue, green and red of ``#rrggbb``."""
    red, green, blue = (int(hex_color[i : i + 2], 16) for i in (1, 3, 5))
    b, g, r = linear_from_srgb(np.array([blue, green, red], np.uint8)).tolist()
    return b, g, r


def blank_surface(
    low_mm: tuple[float, float], high_mm: tuple[float, float], pixels_per_mm: float, height_mm: float
) -> Surface:
    """A clear picture over a rectangle of the table, ready to be laid over."""
    width, height = (max(4, int(np.ceil((b - a) * pixels_per_mm))) for a, b in zip(low_mm, high_mm, strict=True))
    return Surface(np.zeros((height, width, 4), np.float32), low_mm, pixels_per_mm, height_mm)


def lay(surface: Surface, picture: Floats, corners_mm: Floats) -> None:
    """Draws a picture (H, W, 4), colour multiplied by opacity, over a surface.

    ``corners_mm`` (4, 2) are the table places of the picture's outer corners: top-left, top-right,
    bottom-right, bottom-left.
    """
    height, width = picture.shape[:2]
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    target = (np.asarray(corners_mm) - surface.origin_mm) * surface.pixels_per_mm - 0.5
    low = np.maximum(np.floor(target.min(0)).astype(int) - 2, 0)
    high = np.minimum(np.ceil(target.max(0)).astype(int) + 3, surface.image.shape[1::-1])
    if (high <= low).any():
        return
    drawing_from_picture = np.asarray(cv2.getPerspectiveTransform(source, (target - low).astype(np.float32)), float)
    drawn = _warp_smoothly(picture, drawing_from_picture, (int(high[0] - low[0]), int(high[1] - low[1])))
    area = surface.image[low[1] : high[1], low[0] : high[0]]
    area *= 1 - drawn[..., 3:]
    area += drawn


def _warp_smoothly(picture: Floats, matrix: Floats, size_wh: tuple[int, int]) -> Floats:
    """A warp through twice the size, so that outlines come out with soft edges."""
    doubled = np.diag([2.0, 2.0, 1.0])
    doubled[:2, 2] = 0.5
    drawn = cv2.warpPerspective(
        picture, doubled @ matrix, (size_wh[0] * 2, size_wh[1] * 2), flags=cv2.INTER_LINEAR, borderValue=(0, 0, 0, 0)
    )
    return np.asarray(cv2.resize(drawn, size_wh, interpolation=cv2.INTER_AREA), np.float32)
