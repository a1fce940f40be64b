"""What lies flat: marker sheets, cards, rule sheets, tokens, damage markers; and what tables are covered with.

Flat things are pictures (H, W, 4), linear, colour multiplied by opacity, ready for ``surfaces.lay``.
Table tops are pictures (H, W, 3), linear, that repeat in both directions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import cv2
import numpy as np
from jaxtyping import Float, UInt8

from calibration.arrays import Floats, Levels
from calibration.color import light_from_srgb
from vision.simulation.arrays import FloatMap, Generator, LightImage
from vision.simulation.decals import DECALS, Spot

MARKER_FAMILY = "DICT_APRILTAG_36h11"
TABLE_SIDE_PX = 1024
PAPER, INK = 0.82, 0.018
"""Share of light that white paper and printer's black give back."""


def marker_sheet(
    marker_id: int, side_mm: float, margin_mm: float, pixels_per_mm: float
) -> tuple[Float[Floats, "height width 4"], float]:
    """A printed marker with its white margin, and the paper's side in millimetres (a whole number of texels)."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    # Eight by eight squares, the outer ring black: drawn one pixel a square and enlarged without blur.
    modules = _modules(np.asarray(cv2.aruco.generateImageMarker(dictionary, marker_id, 8, borderBits=1), np.uint8))
    step = max(4, int(np.ceil(side_mm * pixels_per_mm / len(modules))))
    black = np.kron(modules, np.ones((step, step), np.float32))
    margin = round(margin_mm / side_mm * len(black))
    gray = np.pad(black, margin, constant_values=PAPER)
    sheet_picture = _opaque(np.repeat(gray[..., None], 3, 2) * np.array([0.97, 1.0, 1.0], np.float32))
    return sheet_picture, side_mm * len(gray) / len(black)


def _modules(drawn: UInt8[Levels, "cells cells"]) -> Float[Floats, "cells cells"]:
    """The squares of a drawn marker as light shares."""
    return np.where(drawn > 127, PAPER, INK).astype(np.float32)


def card(rng: Generator) -> Float[Floats, "height width 4"]:
    """A playing card, 63 x 88 mm: a picture with text, or its back."""
    picture = np.empty((352, 252, 3), np.float32)
    picture[:] = rng.uniform(0.3, 0.9, 3)
    cv2.rectangle(picture, (10, 10), (241, 341), tuple(rng.uniform(0.05, 0.9, 3).tolist()), -1)
    names = list(DECALS)
    if rng.random() < 0.5:
        for _ in range(3):
            spot = Spot((126, float(rng.uniform(60, 150))), float(rng.uniform(70, 190)), float(rng.uniform(0, 360)))
            DECALS[str(rng.choice(names))](rng, picture, spot)
        cv2.rectangle(picture, (18, 210), (233, 332), (0.88, 0.9, 0.9), -1)
        _text_lines(rng, picture, (26, 222, 226, 326), 11)
    else:
        DECALS["rune"](rng, picture, Spot((126, 176), 210.0, 0.0))
        DECALS["rune"](rng, picture, Spot((126, 176), 110.0, 20.0))
    return _opaque(light_from_srgb(picture))


def sheet(rng: Generator) -> Float[Floats, "height width 4"]:
    """A printed sheet, A5: headline, text, perhaps a table."""
    picture = np.full((840, 592, 3), 0.93, np.float32)
    picture *= rng.uniform(0.93, 1.0, 3).astype(np.float32)
    head = tuple(rng.uniform(0.05, 0.6, 3).tolist())
    cv2.rectangle(picture, (40, 40), (552, 90), head, -1)
    _text_lines(rng, picture, (40, 120, 552, 560), 15)
    for row in range(6):
        cv2.rectangle(picture, (40, 590 + 34 * row), (552, 624 + 34 * row), (0.3, 0.3, 0.3), 1)
    return _opaque(light_from_srgb(picture))


def token(rng: Generator) -> Float[Floats, "height width 4"]:
    """A round cardboard token for the table beside the board."""
    picture, mask = _disc(96)
    picture[:] = rng.uniform(0.1, 0.95, 3)
    cv2.circle(picture, (48, 48), 40, tuple(rng.uniform(0.05, 0.9, 3).tolist()), 4)
    DECALS[str(rng.choice(["rune", "letters", "hatch"]))](rng, picture, Spot((48, 48), 56.0, 0.0))
    return _cut(light_from_srgb(np.clip(picture, 0, 1)), mask)


def damage_marker(rng: Generator) -> Float[Floats, "height width 4"]:
    """A round 12 mm marker that lies on a cell: a drop, a star or a cross on a bright ground."""
    picture, mask = _disc(96)
    picture[:] = rng.choice([[0.10, 0.12, 0.75], [0.1, 0.55, 0.9], [0.85, 0.88, 0.9], [0.08, 0.08, 0.1]])
    ink = (0.95, 0.95, 0.95) if picture[0, 0].mean() < 0.5 else (0.1, 0.08, 0.6)
    arms = int(rng.integers(3, 9))
    for k in range(arms):
        turn = 2 * np.pi * k / arms
        tip = (int(48 + 34 * np.cos(turn)), int(48 + 34 * np.sin(turn)))
        cv2.line(picture, (48, 48), tip, ink, int(rng.integers(4, 12)))
    cv2.circle(picture, (48, 48), 43, ink, 3)
    return _cut(light_from_srgb(picture), mask)


def filled(outline_px: Float[Floats, "n 2"], size_wh: tuple[int, int]) -> FloatMap:
    """A polygon (N, 2) as opacity (H, W), its edges softened over a texel."""
    mask = np.zeros((size_wh[1], size_wh[0]), np.uint8)
    shift = 4
    cv2.fillPoly(mask, [np.round(outline_px * (1 << shift)).astype(np.int32)], 255, cv2.LINE_AA, shift)
    return mask.astype(np.float32) / 255


def _text_lines(rng: Generator, picture: LightImage, area: tuple[int, int, int, int], pitch: int) -> None:
    left, top, right, bottom = area
    for y in range(top, bottom, pitch):
        x = left
        end = right if rng.random() < 0.8 else left + (right - left) // 2
        while x < end - 6:
            width = int(rng.integers(8, 44))
            cv2.rectangle(picture, (x, y), (min(x + width, end), y + pitch // 2), (0.22, 0.22, 0.22), -1)
            x += width + 6


def _disc(side: int) -> tuple[LightImage, FloatMap]:
    mask = np.zeros((side, side), np.uint8)
    cv2.circle(mask, (side // 2, side // 2), side // 2 - 1, 255, -1, cv2.LINE_AA)
    return np.empty((side, side, 3), np.float32), mask.astype(np.float32) / 255


def _cut(picture: LightImage, mask: FloatMap) -> Float[Floats, "height width 4"]:
    return np.dstack([picture * mask[..., None], mask]).astype(np.float32)


def _opaque(picture: LightImage) -> Float[Floats, "height width 4"]:
    return np.dstack([picture, np.ones(picture.shape[:2], np.float32)]).astype(np.float32)


def wood(rng: Generator) -> LightImage:
    """Boards with grain."""
    shape = (TABLE_SIDE_PX, TABLE_SIDE_PX)
    fibers = cv2.GaussianBlur(_seamless(rng, 3), (0, 0), sigmaX=9, sigmaY=0.6, borderType=cv2.BORDER_REFLECT)
    bend = cv2.GaussianBlur(_seamless(rng, 70), (0, 0), sigmaX=70, sigmaY=6, borderType=cv2.BORDER_REFLECT)
    rows = np.arange(shape[0], dtype=np.float32)[:, None]
    # Yearly rings cut lengthwise: stripes that widen, narrow and wander.
    rings = np.sin(2 * np.pi * (rows * (int(rng.integers(10, 26)) / shape[0]) + float(rng.uniform(1, 5)) * bend))
    gray = 1 + 0.30 * fibers + float(rng.uniform(0.06, 0.16)) * rings + 0.25 * bend
    if rng.random() < 0.6:
        for top in range(0, shape[0], 256):
            gray[top : top + 256] *= rng.uniform(0.85, 1.12)
            gray[top : top + 3] *= 0.45
            seam = int(rng.integers(40, shape[1] - 40))
            gray[top : top + 256, seam : seam + 3] *= 0.45
    tone = np.array([0.10, 0.20, 0.36]) * rng.uniform(0.25, 1.4) * rng.uniform(0.85, 1.15, 3)
    return _reflecting(gray, tone)


def felt(rng: Generator) -> LightImage:
    """A fuzzy cloth of one colour."""
    gray = 1 + 0.22 * _seamless(rng, 3) + 0.10 * _seamless(rng, 120)
    return _reflecting(gray, _cloth_color(rng))


def neoprene(rng: Generator) -> LightImage:
    """A printed play mat: clouds, dark, sometimes with stars or a landscape of two colours."""
    first, second = (_muted(rng, low, high) for low, high in ((0.01, 0.14), (0.02, 0.28)))
    blend = np.clip(0.5 + _seamless(rng, float(rng.choice([60, 150, 300]))), 0, 1)[..., None]
    picture = first * (1 - blend) + second * blend + 0.012 * _seamless(rng, 3)[..., None]
    if rng.random() < 0.4:
        spots = rng.integers(0, TABLE_SIDE_PX, (300, 2))
        picture[spots[:, 0], spots[:, 1]] += 0.5
        picture = cv2.GaussianBlur(picture, (0, 0), 0.9)
    return np.asarray(np.clip(picture, 0.004, 0.9), np.float32)


def checks(rng: Generator) -> LightImage:
    """A woven cloth with squares or stripes of two colours."""
    y, x = np.mgrid[:TABLE_SIDE_PX, :TABLE_SIDE_PX]
    step = TABLE_SIDE_PX // int(rng.choice([8, 16, 24, 32]) * 2)
    across, down = (x // step) % 2, (y // step) % 2
    share = (across + down) / 2 if rng.random() < 0.7 else across.astype(float)
    weave = 1 + 0.18 * _seamless(rng, 2) + 0.05 * np.sin(x * np.pi / 2) * np.cos(y * np.pi / 2)
    pale, dark = np.array([0.5, 0.55, 0.58]) * rng.uniform(0.6, 1.2), _cloth_color(rng)
    picture = (pale * (1 - share[..., None]) + dark * share[..., None]) * weave[..., None]
    return np.asarray(np.clip(picture, 0.004, 0.9), np.float32)


def linen(rng: Generator) -> LightImage:
    """A plain pale or grey cloth or laminate."""
    gray = 1 + 0.12 * _seamless(rng, 2) + 0.06 * _seamless(rng, 200)
    return _reflecting(gray, np.full(3, rng.uniform(0.08, 0.6)) * rng.uniform(0.9, 1.1, 3))


def damask(rng: Generator) -> LightImage:
    """A patterned cloth: ornaments that repeat."""
    side = TABLE_SIDE_PX // int(rng.choice([4, 8]))
    picture = np.empty((side, side, 3), np.float32)
    picture[:] = _muted(rng, 0.15, 0.8)
    for name in ("rune", "rune", "hatch", "rug"):
        x, y = (rng.uniform(0.3, 0.7, 2) * side).tolist()
        DECALS[name](rng, picture, Spot((x, y), side * float(rng.uniform(0.2, 0.6)), 0.0))
    repeated = np.tile(picture, (TABLE_SIDE_PX // side, TABLE_SIDE_PX // side, 1))
    return light_from_srgb(np.clip(repeated * (1 + 0.05 * _seamless(rng, 2)[..., None]), 0, 1).astype(np.float32))


def _muted(rng: Generator, low: float, high: float) -> Float[Floats, " 3"]:
    """A colour that somebody would buy a table cloth in: most have little saturation."""
    raw = rng.uniform(low, high, 3)
    return np.asarray(raw.mean() + (raw - raw.mean()) * rng.beta(1.2, 2.0))


def _cloth_color(rng: Generator) -> Float[Floats, " 3"]:
    """Green, blue, red, grey or brown, as cloth on tables is."""
    base = np.array(
        [[0.03, 0.14, 0.03], [0.16, 0.07, 0.03], [0.03, 0.03, 0.18], [0.07, 0.07, 0.07], [0.04, 0.07, 0.12]]
    )
    color: Floats = base[int(rng.integers(len(base)))] * rng.uniform(0.5, 1.6) * rng.uniform(0.8, 1.2, 3)
    return color


def _seamless(rng: Generator, scale_px: float) -> FloatMap:
    """Noise whose left and right, top and bottom fit together."""
    cells = max(4, int(TABLE_SIDE_PX / scale_px))
    grid = rng.standard_normal((cells, cells)).astype(np.float32)
    ringed = np.pad(grid, 2, mode="wrap")
    step = TABLE_SIDE_PX / cells
    large = cv2.resize(ringed, None, fx=step, fy=step, interpolation=cv2.INTER_CUBIC)
    start = int(2 * step)
    return np.asarray(large[start : start + TABLE_SIDE_PX, start : start + TABLE_SIDE_PX] * 0.5, np.float32)


def _reflecting(gray: FloatMap, tone: Float[Floats, " 3"]) -> LightImage:
    return np.clip(gray[..., None] * tone, 0.003, 0.92).astype(np.float32)


TABLE_TOPS: Mapping[str, Callable[[Generator], Floats]] = {
    "wood": wood,
    "felt": felt,
    "neoprene": neoprene,
    "cloth": checks,
    "plain": linen,
    "patterned": damask,
}
"""Every table top by its name."""

TABLE_GLOSS: Mapping[str, float] = {"wood": 0.35, "plain": 0.12, "neoprene": 0.05}
"""How strongly a lamp is mirrored; cloth does not."""
