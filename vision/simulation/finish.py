"""Finish of a table: make of its doors, faults of its prints, gloss and interreflection."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from jaxtyping import Float, UInt8

from calibration.arrays import BgrImage, Floats, Levels
from vision.simulation.arrays import Generator, LightImage
from vision.simulation.decals import DECALS, Spot
from vision.simulation.floors import FLOORS, Sheet, noise
from vision.simulation.meshes import Color, clip_color

DOOR_MM = (25.4, 30.0, 2.0)
"""Width, height and thickness."""

CREAM: Color = (0.36, 0.45, 0.50)
DARK: Color = (0.02, 0.02, 0.02)


@dataclass(frozen=True, eq=False)
class DoorLook:
    """A door.

    Args:
        face: the print of both faces, (H, W, 3), 8-bit blue-green-red.
        core: colour of the cut edge, linear.
        foot: colour of the feet, linear.
        foot_mm: width, depth and height of a foot.
        foot_inset_mm: distance from the door's side to the middle of a foot.
    """

    face: BgrImage
    core: Color = CREAM
    foot: Color = DARK
    foot_mm: tuple[float, float, float] = (3.4, 7.6, 3.8)
    foot_inset_mm: float = 4.0


def random_door(rng: Generator, width_px: int) -> DoorLook:
    """Draw a door of any make.

    Leaves use the given random stream, everything else a spawned one. So a new make of door changes no other part of a
    seed's scene.
    """
    size = (round(width_px * DOOR_MM[1] / DOOR_MM[0]), width_px)
    leaves = _leaves(rng, size)
    rng = rng.spawn(1)[0]
    style = str(rng.choice(["leaves", *_FACES], p=[_LEAVES_SHARE, *(share for _, share in _FACES.values())]))
    picture = np.clip(leaves if style == "leaves" else _FACES[style][0](rng, size), 0, 1)
    sizes = rng.uniform((2.2, 5.0, 2.0), (5.0, 10.0, 5.0)).tolist()
    return DoorLook(
        (picture * 255).round().astype(np.uint8),
        _core(rng, picture),
        _foot(rng),
        (sizes[0], sizes[1], sizes[2]),
        float(rng.uniform(2.5, 6.0)),
    )


def _core(rng: Generator, picture: LightImage) -> Color:
    """Draw grey or cream cardboard, or the colour of the print."""
    kind = rng.random()
    if kind < 0.55:
        color = float(rng.uniform(0.02, 0.6)) * (1 + rng.uniform(-0.12, 0.12, 3))
    elif kind < 0.8:
        color = np.array(CREAM) * rng.uniform(0.6, 1.3)
    else:
        color = picture.mean(axis=(0, 1)) ** 2.2 * rng.uniform(0.6, 1.1)
    return clip_color(color, 0.003, 0.9)


def _foot(rng: Generator) -> Color:
    kind = rng.random()
    if kind < 0.6:
        return clip_color(rng.uniform(0.005, 0.05) * np.ones(3), 0.003, 0.9)
    return clip_color(rng.uniform(0.1, 0.6) * np.ones(3) if kind < 0.85 else rng.uniform(0.02, 0.6, 3), 0.003, 0.9)


def _leaves(rng: Generator, size: tuple[int, int]) -> LightImage:
    """Return one to four leaves or bars in a dark frame, with a sign."""
    height, width = size
    color = np.clip(rng.uniform(0.15, 0.9, 3), 0.05, 1)
    picture = np.ascontiguousarray(color * (1 + 0.1 * noise(rng, size, 40)[..., None]), dtype=np.float32)
    dark, thick = tuple((color * 0.3).tolist()), max(2, width // 40)
    leaves = int(rng.choice([1, 2, 2, 3, 4]))
    for k in range(1, leaves):
        cv2.line(picture, (width * k // leaves, 0), (width * k // leaves, height), dark, thick)
    for k in range(int(rng.integers(0, 5))):
        y = int(height * (k + 1) / 5)
        cv2.line(picture, (0, y), (width, y), dark, thick)
    cv2.rectangle(picture, (0, 0), (width - 1, height - 1), tuple(rng.uniform(0, 0.4, 3).tolist()), thick * 4)
    _sign(rng, picture, 0.5)
    return picture


def _panels(rng: Generator, size: tuple[int, int]) -> LightImage:
    """Return dull sheet metal: thin gaps, rivets, a band of stripes, a small sign."""
    height, width = size
    color = rng.uniform(0.2, 0.75) * (1 + rng.uniform(-0.35, 0.35, 3) * rng.uniform(0, 1))
    picture = _plain(rng, size, color)
    dark = tuple(np.clip(color * rng.uniform(0.3, 0.75), 0, 1).tolist())
    thick = max(1, round(width * rng.uniform(0.008, 0.03)))
    for k in range(1, int(rng.choice([1, 2, 2, 3]))):
        cv2.line(picture, (width * k // 2, 0), (width * k // 2, height), dark, thick)
    if rng.random() < 0.6:
        cv2.rectangle(picture, (0, 0), (width - 1, height - 1), dark, thick * int(rng.integers(1, 5)))
    if rng.random() < 0.4:
        inset = round(width * 0.08)
        for x, y in ((inset, inset), (width - inset, inset), (inset, height - inset), (width - inset, height - inset)):
            cv2.circle(picture, (x, y), max(1, width // 40), dark, -1)
    if rng.random() < 0.5:
        _stripes(rng, picture)
    if rng.random() < 0.7:
        _sign(rng, picture, float(rng.uniform(0.15, 0.45)))
    return picture


def _stripes(rng: Generator, picture: LightImage) -> None:
    """Draw a slanted warning band across the top, the middle or the foot."""
    height, width = picture.shape[:2]
    band = round(height * rng.uniform(0.05, 0.16))
    top = int(rng.choice([0, (height - band) // 2, height - band]))
    light = rng.uniform(0.3, 1.0, 3)
    y, x = np.mgrid[0:band, 0:width]
    is_dark = ((x + y) // max(2, round(width * rng.uniform(0.04, 0.1)))) % 2 == 0
    picture[top : top + band] = np.where(is_dark[:, :, None], 0.08, light)


def _floor_like(rng: Generator, size: tuple[int, int]) -> LightImage:
    """Print a floor on the door, so that only its upright position distinguishes it."""
    sheet = Sheet(1, 2, size[1])
    tint = tuple(np.clip(rng.uniform(0.6, 1.15, 3), 0.05, 1.3).tolist())
    floor = FLOORS[str(rng.choice(list(FLOORS)))](rng, sheet, tint)
    return np.ascontiguousarray(floor[: size[0]] * rng.uniform(0.6, 1.0), dtype=np.float32)


def _painted(rng: Generator, size: tuple[int, int]) -> LightImage:
    """Return one colour with a little dirt."""
    return _plain(rng, size, rng.uniform(0.08, 0.95, 3))


def _bars(rng: Generator, size: tuple[int, int]) -> LightImage:
    """Return planks or bars, upright or level."""
    height, width = size
    first, second = rng.uniform(0.1, 0.9, 3), rng.uniform(0.05, 0.8, 3)
    count, share = int(rng.integers(3, 9)), rng.uniform(0.5, 0.92)
    along = np.linspace(0, count, width if rng.random() < 0.5 else height, endpoint=False) % 1 < share
    mask = along[None, :] if len(along) == width and width != height else along[:, None]
    picture = np.where(np.broadcast_to(mask, (height, width))[:, :, None], first, second)
    return np.asarray(picture * (1 + 0.1 * noise(rng, size, 40)[..., None]), dtype=np.float32)


def _plain(rng: Generator, size: tuple[int, int], color: Float[Floats, " 3"]) -> LightImage:
    roughness = float(rng.uniform(0.02, 0.15))
    picture = np.asarray(color) * (1 + roughness * noise(rng, size, 40)[..., None])
    return np.ascontiguousarray(picture, dtype=np.float32)


def _sign(rng: Generator, picture: LightImage, share: float) -> None:
    height, width = picture.shape[:2]
    DECALS[str(rng.choice(list(DECALS)))](rng, picture, Spot((width / 2, height * 0.45), width * share, 0.0))


_LEAVES_SHARE = 0.2
_FACES: Mapping[str, tuple[Callable[[Generator, tuple[int, int]], Floats], float]] = {
    "panels": (_panels, 0.4),
    "floor": (_floor_like, 0.15),
    "painted": (_painted, 0.1),
    "bars": (_bars, 0.15),
}


@dataclass(frozen=True)
class Misprint:
    """Errors of a print against its picture, in display values from 0 to 1.

    Args:
        gamma: exponent of every value.
        gain_bgr: factor of each colour.
        grey: share of grey mixed in.
        lift: value of black.
        blur_cells: blur of a point, in cells.
    """

    gamma: float
    gain_bgr: tuple[float, float, float]
    grey: float
    lift: float
    blur_cells: float

    def of(self, picture: UInt8[Levels, "height width 3"], pixels_per_cell: int) -> UInt8[Levels, "height width 3"]:
        """Print a picture with these errors."""
        values: Floats = (picture.astype(np.float32) / 255) ** np.float32(self.gamma) * np.array(self.gain_bgr)
        values = values + self.grey * (values.mean(axis=2, keepdims=True) - values)
        if self.blur_cells > 0:
            values = np.asarray(cv2.GaussianBlur(values, (0, 0), self.blur_cells * pixels_per_cell), np.float32)
        return np.asarray(np.clip((self.lift + values * (1 - self.lift)) * 255, 0, 255), np.uint8)


@dataclass(frozen=True)
class Finish:
    """The surfaces of a table.

    Args:
        misprint: errors of the tiles' prints, None for perfect ones.
        gloss: strength and sharpness (an exponent) of the lamp's reflection on the tiles' tops.
        veil: share of the room's light that they reflect in every colour.
        bounce: share of shadowed light reflected back by surrounding things.
        side_bgr: colour of the tiles' cut sides, linear.
        doors: looks of the standing doors in turn, empty for the set's own door.
    """

    misprint: Misprint | None = None
    gloss: tuple[float, float] = (0.10, 30.0)
    veil: float = 0.0
    bounce: float = 0.0
    side_bgr: Color = CREAM
    doors: tuple[DoorLook, ...] = ()


AS_NEW = Finish()
"""Prints as their pictures, a faint shine, cream cardboard."""
