"""Print decals on a tile's floor: letters, stripes, pipes, crates, pools, runes, cracks.

Each decal draws into a picture (H, W, 3) of display values 0 to 1, round a centre in pixels, with a size
in pixels and a turn in degrees.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import cv2
import numpy as np

from calibration.arrays import Floats
from vision.simulation.arrays import FloatMap, Generator, LightImage
from vision.simulation.floors import noise
from vision.simulation.meshes import Color

ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ0123456789"
FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX)


class Spot(NamedTuple):
    """Place, size and turn of a decal."""

    center_px: tuple[float, float]
    size_px: float
    turn_deg: float


def _stamp(picture: LightImage, spot: Spot, patch: LightImage, mask: FloatMap) -> None:
    """Draw a turned patch (N, N, 3) over the picture through its mask (N, N)."""
    side = patch.shape[0]
    matrix = cv2.getRotationMatrix2D(((side - 1) / 2, (side - 1) / 2), spot.turn_deg, spot.size_px / side)
    matrix[:, 2] += np.array(spot.center_px) - (side - 1) / 2
    size = picture.shape[1::-1]
    opacity = cv2.warpAffine(mask, matrix, size, flags=cv2.INTER_AREA)[..., None]
    picture *= 1 - opacity
    picture += opacity * cv2.warpAffine(patch, matrix, size, flags=cv2.INTER_AREA)


def _blank(side: int = 128) -> tuple[LightImage, FloatMap]:
    return np.zeros((side, side, 3), np.float32), np.zeros((side, side), np.float32)


def _color(rng: Generator, low: float = 0.1, high: float = 0.95) -> Color:
    raw = rng.uniform(low, high, 3)
    # Printed art is rarely as gaudy as random numbers.
    b, g, r = (raw.mean() + (raw - raw.mean()) * rng.uniform(0.15, 0.85)).tolist()
    return b, g, r


def letters(rng: Generator, picture: LightImage, spot: Spot) -> None:
    """Draw a few worn letters or digits."""
    patch, mask = _blank()
    text = "".join(rng.choice(list(ALPHABET), int(rng.integers(1, 5))))
    scale, thick = 4.6 / (len(text) + 0.6), int(rng.integers(4, 9))
    font = int(rng.choice(FONTS))
    (width, height), _ = cv2.getTextSize(text, font, scale, thick)
    drawn = np.zeros(mask.shape, np.uint8)
    cv2.putText(drawn, text, (64 - width // 2, 64 + height // 2), font, scale, 255, thick, cv2.LINE_AA)
    mask[:] = drawn.astype(np.float32) / 255
    mask *= np.clip(0.85 + 0.7 * noise(rng, mask.shape, 14), 0, 0.95)
    patch[:] = _color(rng, 0.6, 0.95) if rng.random() < 0.7 else _color(rng, 0.02, 0.2)
    _stamp(picture, spot, patch, mask)


def stripes(rng: Generator, picture: LightImage, spot: Spot) -> None:
    """Draw a band of slanted stripes in two colours."""
    patch, mask = _blank()
    x, y = np.meshgrid(np.arange(128), np.arange(128))
    wide = int(rng.integers(9, 20))
    first, second = _color(rng, 0.0, 0.15), _color(rng, 0.3, 0.95)
    patch[:] = np.where((((x + y) // wide) % 2 == 0)[..., None], first, second)
    band = int(rng.integers(14, 36))
    mask[64 - band : 64 + band] = 0.95
    _stamp(picture, spot, patch, mask)


def pipe(rng: Generator, picture: LightImage, spot: Spot) -> None:
    """Draw a bent pipe or cable with a highlight and a shadow."""
    points = np.cumsum(rng.normal(0, 0.45, (5, 2)) + (0.35, 0), axis=0) * spot.size_px * 0.5
    turn = np.radians(spot.turn_deg)
    matrix = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    path = (points - points.mean(0)) @ matrix + spot.center_px
    smooth = np.stack([np.interp(np.linspace(0, 4, 40), np.arange(5), path[:, k]) for k in (0, 1)], 1)
    smooth = cv2.GaussianBlur(smooth.astype(np.float32), (1, 9), 2)
    line = np.round(smooth).astype(np.int32).reshape(-1, 1, 2)
    color, thick = np.array(_color(rng)), int(rng.integers(3, 9))
    cv2.polylines(picture, [line + 2], False, (0.05, 0.05, 0.05), thick, cv2.LINE_AA)
    for width, shade in ((thick, 0.7), (max(1, thick // 2), 1.0), (1, 1.4)):
        cv2.polylines(picture, [line], False, tuple(np.minimum(color * shade, 1).tolist()), width, cv2.LINE_AA)


def grille(rng: Generator, picture: LightImage, spot: Spot) -> None:
    """Draw a framed opening with bars."""
    patch, mask = _blank()
    low = int(rng.integers(8, 40))
    mask[low : 128 - low, 8:120] = 1
    patch[:] = 0.06
    frame = _color(rng, 0.3, 0.7)
    for x in range(8, 120, int(rng.integers(10, 22))):
        cv2.line(patch, (x, 0), (x, 128), frame, 4)
    cv2.rectangle(patch, (8, low), (119, 127 - low), frame, 6)
    _stamp(picture, spot, patch, mask)


def crate(rng: Generator, picture: LightImage, spot: Spot) -> None:
    """Draw a box or chest from above."""
    patch, mask = _blank()
    color = np.array(_color(rng, 0.15, 0.75))
    mask[6:122, 6:122] = 1
    patch[:] = color * (1 + 0.12 * noise(rng, (128, 128), 20)[..., None])
    dark = tuple((color * 0.35).tolist())
    cv2.rectangle(patch, (6, 6), (121, 121), dark, 7)
    for k in range(int(rng.integers(1, 4))):
        x = 6 + 116 * (k + 1) // 4
        cv2.line(patch, (x, 6), (x, 121), dark, 3)
    cv2.rectangle(patch, (44, 44), (84, 84), tuple((color * 1.25).clip(0, 1).tolist()), -1)
    cv2.rectangle(patch, (44, 44), (84, 84), dark, 3)
    _stamp(picture, spot, patch, mask)


def pool(rng: Generator, picture: LightImage, spot: Spot) -> None:
    """Draw a pit or a pool of something, with a rim."""
    patch, mask = _blank()
    y, x = np.mgrid[:128, :128].astype(np.float32) - 63.5
    radius = 50 + 14 * noise(rng, (128, 128), 50, 2)
    distance = np.maximum(np.abs(x), np.abs(y)) * 0.6 + np.hypot(x, y) * 0.4
    mask[:] = np.clip((radius - distance) / 3, 0, 1)
    color = np.array(_color(rng))
    depth = np.clip(distance / 60, 0, 1)[..., None]
    patch[:] = color * (1.1 - 0.8 * depth if rng.random() < 0.5 else 0.15 + 0.9 * depth)
    patch += 0.08 * noise(rng, (128, 128), 18)[..., None]
    _stamp(picture, spot, patch, mask)


def rune(rng: Generator, picture: LightImage, spot: Spot) -> None:
    """Draw a ring with strokes inside."""
    patch, mask = _blank()
    cv2.circle(mask, (64, 64), 56, 0.9, int(rng.integers(2, 7)), cv2.LINE_AA)
    if rng.random() < 0.6:
        cv2.circle(mask, (64, 64), 42, 0.9, 2, cv2.LINE_AA)
    spokes = int(rng.integers(2, 9))
    ends = np.stack([np.cos(np.arange(spokes) * 2.399), np.sin(np.arange(spokes) * 2.399)], 1) * 42 + 64
    for a, b in zip(ends, np.roll(ends, -1, axis=0), strict=True):
        cv2.line(mask, (int(a[0]), int(a[1])), (int(b[0]), int(b[1])), 0.9, 3, cv2.LINE_AA)
    patch[:] = _color(rng)
    _stamp(picture, spot, patch, mask)


def stain(rng: Generator, picture: LightImage, spot: Spot) -> None:
    """Draw a blot with soft edges."""
    patch, mask = _blank()
    y, x = np.mgrid[:128, :128].astype(np.float32) - 63.5
    mask[:] = np.clip((46 + 22 * noise(rng, (128, 128), 40) - np.hypot(x, y)) / 18, 0, 1) * rng.uniform(0.4, 0.85)
    patch[:] = _color(rng, 0.02, 0.3)
    _stamp(picture, spot, patch, mask)


def crack(rng: Generator, picture: LightImage, spot: Spot) -> None:
    """Draw a branching crack."""
    for _ in range(int(rng.integers(1, 4))):
        point, heading = np.array(spot.center_px), rng.uniform(0, 2 * np.pi)
        for step in range(8):
            following = point + spot.size_px / 9 * np.array([np.cos(heading), np.sin(heading)])
            ends = np.round([point, following]).astype(int).tolist()
            cv2.line(picture, tuple(ends[0]), tuple(ends[1]), (0.07, 0.07, 0.08), max(1, 4 - step // 2), cv2.LINE_AA)
            heading += rng.normal(0, 0.6)
            point = following


def rug(rng: Generator, picture: LightImage, spot: Spot) -> None:
    """Draw a carpet or painted field with borders."""
    patch, mask = _blank()
    low = int(rng.integers(6, 36))
    mask[low : 128 - low, 6:122] = 0.92
    patch[:] = _color(rng, 0.1, 0.6)
    for inset, color in ((4, _color(rng)), (12, _color(rng))):
        cv2.rectangle(patch, (6 + inset, low + inset), (121 - inset, 127 - low - inset), color, 4)
    for k in range(3):
        cv2.circle(patch, (34 + 30 * k, 64), 9, _color(rng), -1, cv2.LINE_AA)
    _stamp(picture, spot, patch, mask)


def hatch(rng: Generator, picture: LightImage, spot: Spot) -> None:
    """Draw a round lid with segments."""
    patch, mask = _blank()
    cv2.circle(mask, (64, 64), 58, 1.0, -1, cv2.LINE_AA)
    color = np.array(_color(rng, 0.2, 0.7))
    patch[:] = color
    turn = int(rng.integers(3, 8))
    for k in range(turn):
        start = 360 / turn * k
        cv2.ellipse(patch, (64, 64), (50, 50), 0, start, start + 180 / turn, tuple((color * 0.7).tolist()), -1)
    cv2.circle(patch, (64, 64), 56, tuple((color * 0.4).tolist()), 5, cv2.LINE_AA)
    cv2.circle(patch, (64, 64), 14, tuple((color * 1.3).clip(0, 1).tolist()), -1, cv2.LINE_AA)
    _stamp(picture, spot, patch, mask)


Decal = Callable[[Generator, Floats, Spot], None]

DECALS: Mapping[str, Decal] = {
    "letters": letters,
    "stripes": stripes,
    "pipe": pipe,
    "grille": grille,
    "crate": crate,
    "pool": pool,
    "rune": rune,
    "stain": stain,
    "crack": crack,
    "rug": rug,
    "hatch": hatch,
}
"""Every decal by its name."""
