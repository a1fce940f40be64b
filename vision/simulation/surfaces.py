"""Level pictures on the table, such as prints and light maps, with sampling at table points."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from jaxtyping import Float

from calibration.arrays import Floats
from vision.simulation.arrays import LightImage


@dataclass(frozen=True)
class Surface:
    """A level, linear picture on the table, its colour already multiplied by its opacity.

    ``image`` is (H, W, C) or (H, W). Its first texel's outer corner is at ``origin_mm``. ``outside`` is the value
    beyond it in every channel.
    """

    image: Float[Floats, "height width channels"]
    origin_mm: tuple[float, float]
    pixels_per_mm: float
    height_mm: float = 0.0
    outside: float = 0.0

    def sample(self, points_mm: Float[Floats, "height width 2"]) -> Float[Floats, "height width channels"]:
        """Return the picture at table points (H, W, 2), as (H, W, C)."""
        scale = self.pixels_per_mm
        shift = np.array(self.origin_mm, np.float32) * scale + 0.5
        places = points_mm * np.float32(scale) - shift.astype(np.float32)
        return remap(self.image, places, cv2.BORDER_CONSTANT, self.outside)

    def window(self, points_mm: Float[Floats, "height width 2"]) -> tuple[slice, slice]:
        """Return the smallest rows and columns of samples around everything that the picture covers."""
        height, width = self.image.shape[:2]
        low = np.array(self.origin_mm) - 2.0
        high = low + np.array([width, height]) / self.pixels_per_mm + 4.0
        # Every eighth sample is enough to find the window, which grows by one step each way.
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
    """The table itself: a picture that repeats in both directions, on a table top with edges."""

    image: LightImage
    pixels_per_mm: float
    turn_rad: float
    center_mm: tuple[float, float]
    size_mm: tuple[float, float]
    floor_bgr: tuple[float, float, float]

    def sample(self, points_mm: Float[Floats, "height width 2"]) -> LightImage:
        """Return the colour (H, W, 3) at table points (H, W, 2), the floor beyond the edge."""
        cos, sin = np.cos(self.turn_rad), np.sin(self.turn_rad)
        turn = np.array([[cos, sin], [-sin, cos]], np.float32)
        local = (points_mm - np.array(self.center_mm, np.float32)) @ turn.T
        height, width = self.image.shape[:2]
        places = local * np.float32(self.pixels_per_mm)
        places = np.stack([np.mod(places[..., 0], width), np.mod(places[..., 1], height)], -1)
        color = remap(self.image, places, cv2.BORDER_WRAP)
        beyond = (np.abs(local) > np.array(self.size_mm, np.float32) / 2).any(-1)
        if beyond.any():
            color[beyond] = self.floor_bgr
        return np.asarray(color, np.float32)


def remap(
    image: Float[Floats, "_rows _columns *channels"],
    places: Float[Floats, "height width 2"],
    border: int,
    outside: float = 0.0,
) -> Float[Floats, "height width *channels"]:
    """Return the picture at places (H, W, 2), x before y, in its own pixels, with linear interpolation."""
    value = (outside,) * 4
    # The type stubs lack the map that combines x and y, which needs no second map.
    sampled = cv2.remap(image, places, None, cv2.INTER_LINEAR, borderMode=border, borderValue=value)  # type: ignore[call-overload]
    return np.asarray(sampled, np.float32)


def blank_surface(
    low_mm: tuple[float, float], high_mm: tuple[float, float], pixels_per_mm: float, height_mm: float
) -> Surface:
    """Return a clear picture over a rectangle of the table, ready for drawing."""
    width, height = (max(4, int(np.ceil((b - a) * pixels_per_mm))) for a, b in zip(low_mm, high_mm, strict=True))
    return Surface(np.zeros((height, width, 4), np.float32), low_mm, pixels_per_mm, height_mm)


def lay(surface: Surface, picture: Float[Floats, "height width 4"], corners_mm: Float[Floats, "4 2"]) -> None:
    """Draw a picture (H, W, 4), colour multiplied by opacity, over a surface.

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


def _warp_smoothly(
    picture: Float[Floats, "height width 4"], matrix: Float[Floats, "3 3"], size_wh: tuple[int, int]
) -> Float[Floats, "_height _width 4"]:
    """Warp at twice the size, so that outlines get soft edges."""
    doubled = np.diag([2.0, 2.0, 1.0])
    doubled[:2, 2] = 0.5
    drawn = cv2.warpPerspective(
        picture, doubled @ matrix, (size_wh[0] * 2, size_wh[1] * 2), flags=cv2.INTER_LINEAR, borderValue=(0, 0, 0, 0)
    )
    return np.asarray(cv2.resize(drawn, size_wh, interpolation=cv2.INTER_AREA), np.float32)
