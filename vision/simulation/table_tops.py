"""Table tops: wood, felt, cloth, lace and mats, as linear pictures (H, W, 3) that repeat in both directions."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import cv2
import numpy as np
from jaxtyping import Float

from calibration.arrays import Floats
from calibration.color import light_from_srgb
from vision.simulation.arrays import FloatMap, Generator, LightImage
from vision.simulation.decals import DECALS, Spot
from vision.simulation.floors import FLOORS, Sheet, noise

TABLE_SIDE_PX = 1024


def wood(rng: Generator) -> LightImage:
    """Return boards with grain."""
    shape = (TABLE_SIDE_PX, TABLE_SIDE_PX)
    fibers = cv2.GaussianBlur(_seamless(rng, 3), (0, 0), sigmaX=9, sigmaY=0.6, borderType=cv2.BORDER_REFLECT)
    bend = cv2.GaussianBlur(_seamless(rng, 70), (0, 0), sigmaX=70, sigmaY=6, borderType=cv2.BORDER_REFLECT)
    rows = np.arange(shape[0], dtype=np.float32)[:, None]
    # Annual rings cut lengthwise: stripes that widen, narrow and wander.
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
    """Return a fuzzy cloth of one colour."""
    gray = 1 + 0.22 * _seamless(rng, 3) + 0.10 * _seamless(rng, 120)
    return _reflecting(gray, _cloth_color(rng))


def neoprene(rng: Generator) -> LightImage:
    """Return a printed play mat: clouds, dark, sometimes with stars or a landscape of two colours."""
    first, second = (_muted(rng, low, high) for low, high in ((0.01, 0.14), (0.02, 0.28)))
    blend = np.clip(0.5 + _seamless(rng, float(rng.choice([60, 150, 300]))), 0, 1)[..., None]
    picture = first * (1 - blend) + second * blend + 0.012 * _seamless(rng, 3)[..., None]
    if rng.random() < 0.4:
        spots = rng.integers(0, TABLE_SIDE_PX, (300, 2))
        picture[spots[:, 0], spots[:, 1]] += 0.5
        picture = cv2.GaussianBlur(picture, (0, 0), 0.9)
    return np.asarray(np.clip(picture, 0.004, 0.9), np.float32)


def checks(rng: Generator) -> LightImage:
    """Return a woven cloth with squares or stripes of two colours."""
    y, x = np.mgrid[:TABLE_SIDE_PX, :TABLE_SIDE_PX]
    step = TABLE_SIDE_PX // int(rng.choice([8, 16, 24, 32]) * 2)
    across, down = (x // step) % 2, (y // step) % 2
    share = (across + down) / 2 if rng.random() < 0.7 else across.astype(float)
    weave = 1 + 0.18 * _seamless(rng, 2) + 0.05 * np.sin(x * np.pi / 2) * np.cos(y * np.pi / 2)
    pale, dark = np.array([0.5, 0.55, 0.58]) * rng.uniform(0.6, 1.2), _cloth_color(rng)
    picture = (pale * (1 - share[..., None]) + dark * share[..., None]) * weave[..., None]
    return np.asarray(np.clip(picture, 0.004, 0.9), np.float32)


def linen(rng: Generator) -> LightImage:
    """Return a plain pale or grey cloth or laminate."""
    gray = 1 + 0.12 * _seamless(rng, 2) + 0.06 * _seamless(rng, 200)
    return _reflecting(gray, np.full(3, rng.uniform(0.08, 0.6)) * rng.uniform(0.9, 1.1, 3))


def damask(rng: Generator) -> LightImage:
    """Return a patterned cloth with repeating ornaments."""
    side = TABLE_SIDE_PX // int(rng.choice([4, 8]))
    picture = np.empty((side, side, 3), np.float32)
    picture[:] = _muted(rng, 0.15, 0.8)
    for name in ("rune", "rune", "hatch", "rug"):
        x, y = (rng.uniform(0.3, 0.7, 2) * side).tolist()
        DECALS[name](rng, picture, Spot((x, y), side * float(rng.uniform(0.2, 0.6)), 0.0))
    repeated = np.tile(picture, (TABLE_SIDE_PX // side, TABLE_SIDE_PX // side, 1))
    return light_from_srgb(np.clip(repeated * (1 + 0.05 * _seamless(rng, 2)[..., None]), 0, 1).astype(np.float32))


def _muted(rng: Generator, low: float, high: float) -> Float[Floats, " 3"]:
    """Draw a table cloth colour, usually with little saturation."""
    raw = rng.uniform(low, high, 3)
    return np.asarray(raw.mean() + (raw - raw.mean()) * rng.beta(1.2, 2.0))


def _cloth_color(rng: Generator) -> Float[Floats, " 3"]:
    """Draw a green, blue, red, grey or brown cloth."""
    base = np.array(
        [[0.03, 0.14, 0.03], [0.16, 0.07, 0.03], [0.03, 0.03, 0.18], [0.07, 0.07, 0.07], [0.04, 0.07, 0.12]]
    )
    color: Floats = base[int(rng.integers(len(base)))] * rng.uniform(0.5, 1.6) * rng.uniform(0.8, 1.2, 3)
    return color


def _seamless(rng: Generator, scale_px: float) -> FloatMap:
    """Return noise whose opposite edges match."""
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
"""Strength of a lamp's reflection. Cloth has none."""


def lace(rng: Generator) -> LightImage:
    """Return white lace over a dark cloth: flowers of holes on a net."""
    step = TABLE_SIDE_PX // int(rng.choice([8, 12, 16]))
    motif = np.zeros((step, step), np.float32)
    middle = step / 2
    for petal in range(int(rng.integers(4, 9))):
        turn = petal * 2.399
        place = (int(middle + 0.28 * step * np.cos(turn)), int(middle + 0.28 * step * np.sin(turn)))
        cv2.circle(motif, place, max(2, step // 9), 1.0, max(1, step // 24), cv2.LINE_AA)
    cv2.circle(motif, (int(middle), int(middle)), step // 7, 1.0, -1, cv2.LINE_AA)
    for at in range(0, step, max(3, step // 12)):
        cv2.line(motif, (at, 0), (0, at), 0.6, 1)
        cv2.line(motif, (step - 1 - at, step - 1), (step - 1, step - 1 - at), 0.6, 1)
    times = -(-TABLE_SIDE_PX // step)
    share = np.tile(motif, (times, times))[:TABLE_SIDE_PX, :TABLE_SIDE_PX, None]
    ground, thread = _any_color(rng) * 0.6, rng.uniform(0.6, 0.95) * rng.uniform(0.9, 1.0, 3)
    return _cloth(rng, ground + share * (thread - ground))


def printed_mat(rng: Generator) -> LightImage:
    """Return a mat printed with a floor of tiles, often with a grid."""
    sheet = Sheet(16, 16, TABLE_SIDE_PX // 16)
    tint = tuple(rng.uniform(0.4, 1.2, 3).tolist())
    picture = np.asarray(FLOORS[str(rng.choice(list(FLOORS)))](rng, sheet, tint), np.float32)
    picture = np.clip(picture, 0, 1) * np.float32(rng.uniform(0.5, 1.0))
    if rng.random() < 0.5:
        pitch, shade = int(rng.choice([40, 51, 64])), rng.uniform(0.1, 0.9, 3)
        picture[::pitch], picture[:, ::pitch] = shade, shade
    return light_from_srgb(np.clip(picture, 0, 1).astype(np.float32))


def spotted_checks(rng: Generator) -> LightImage:
    """Return gingham in two loud colours with spots of a third."""
    y, x = np.mgrid[:TABLE_SIDE_PX, :TABLE_SIDE_PX]
    step = TABLE_SIDE_PX // int(rng.choice([16, 24, 32, 48]))
    share = (((x // step) % 2 + (y // step) % 2) / 2)[..., None]
    first, second, spots = (_any_color(rng) for _ in range(3))
    picture = np.ascontiguousarray(first + share * (second - first), np.float32)
    if rng.random() < 0.6:
        pitch = int(rng.integers(40, 128))
        for row in range(0, TABLE_SIDE_PX, pitch):
            for column in range(0, TABLE_SIDE_PX, pitch):
                place = np.array([column, row]) + rng.uniform(0, pitch, 2)
                radius = int(pitch * rng.uniform(0.08, 0.3))
                cv2.circle(picture, (int(place[0]), int(place[1])), radius, spots.tolist(), -1, cv2.LINE_AA)
    return _cloth(rng, picture)


def _any_color(rng: Generator) -> Float[Floats, " 3"]:
    return np.asarray(rng.uniform(0.08, 0.95, 3))


def _cloth(rng: Generator, display: Float[Floats, "height width 3"]) -> LightImage:
    """Weave display colours: add a little noise, make them linear."""
    weave = 1 + 0.06 * noise(rng, (TABLE_SIDE_PX, TABLE_SIDE_PX), 2, 1)[..., None]
    return light_from_srgb(np.clip(display * weave, 0.02, 0.97).astype(np.float32))


CLOTHS: Mapping[str, Callable[[Generator], Floats]] = {
    "lace": lace,
    "printed mat": printed_mat,
    "spotted checks": spotted_checks,
}
"""Every cloth by its name."""
