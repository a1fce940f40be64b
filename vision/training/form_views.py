"""Random views of sculpts, as cuts of photos hold them: from all sides, crowded, in any light, blur and on any ground.

A sculpt's points are splatted into maps of material and light, far faster than a mesh is rendered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from jaxtyping import Bool, Float, Int, UInt8

from calibration.arrays import Flags, Floats, Integers, Levels
from calibration.color import light_from_srgb
from vision.evidence.figure_views import MOST_HEIGHT_MM, ViewPoints, is_on_figure
from vision.evidence.forms import HEIGHT, LEFT_RADII, STEP_RADII, TOP_RADII, WIDTH, shown_picture
from vision.simulation.arrays import Generator, LightImage
from vision.simulation.table_tops import CLOTHS, TABLE_TOPS
from vision.simulation.tile_art import CELL_MM, random_tiles
from vision.training.sculpts import BASE_TOP, Sculpt, random_base, random_sculpt

_HOLE = 0.3
"""Least depth in radii by which a sample lies behind its neighbours where no point of the nearer surface hit it."""

_TILT_DEG = (8.0, 58.0)
_OFF_RADII, _OFF_SCALE, _LEAN = 0.17, 0.07, 0.04
"""Errors of a base's middle and size, and lean of a body: standard deviations."""

_NEIGHBOURS = (0.5, 0.25, 0.15, 0.1)
"""Shares of views with no other figure close by, with one, two and three."""

_MATERIALS = 8
"""Materials of one figure and its base. Those of its neighbours count on from there."""

_PLASTIC, _DARK_BASE, _TEXTURE = 0.25, 0.75, 0.75
"""Shares of figures in one plastic, of bases in dark grey, and of grounds with a print or a cloth."""

_RADII_MM, _RADIUS_MM = (8.0, 15.0), 11.0
"""Halves of bases, which limit the height of a cut in radii, and of a usual one, which gives the size of prints."""

_TILE_SETS, _EACH_TOP, _BOARDS = 16, 3, 25
"""Numbers of random tile sets, of table tops of each kind, and of chequered boards among the grounds."""

_SHADOW_CELL, _SHADOW_BIAS = 0.09, 0.3
_DISPLAY_GAMMA = 2.2


@dataclass(frozen=True, eq=False)
class _Maps:
    """What each sample sees: a material (0 for the ground), and its shares of room light, lamp light and shine."""

    material: Int[Integers, "rows columns"]
    light: Float[Floats, "rows columns 3"]


@dataclass(frozen=True, eq=False)
class _Ground:
    """A picture of a ground, linear, and its pixels in a radius of a base."""

    picture: LightImage
    radius_px: float


def form_samples(seed: int, views: int) -> UInt8[Levels, "2 views 96 48 3"]:
    """Return pictures of one sculpt in random views, in other paints with each view, and in paints of its own."""
    rng, body = np.random.default_rng([seed, 8]), random_sculpt(seed)
    others = [random_sculpt(seed + 10_000_000 * number) for number in (1, 2)]
    own = _paints(rng, _PLASTIC)
    paints = [*(_paints(rng, 1 - _PLASTIC) for _ in range(views)), *[own] * views]
    pictures = [shown_picture(random_view(rng, body, others, each)).astype(np.uint8) for each in paints]
    return np.stack(pictures).reshape(2, views, HEIGHT, WIDTH, 3)


def random_view(
    rng: Generator, body: Sculpt, others: Sequence[Sculpt], paints: Float[Floats, "materials 3"] | None = None
) -> ViewPoints:
    """Return a body on its base from a random side, as a cut of a photo holds it, by default in random paints."""
    tilt = float(np.radians(rng.uniform(*_TILT_DEG)))
    maps = _maps(rng, _crowd(rng, body, others), tilt)
    picture = _picture(rng, maps, _paints(rng, 1 - _PLASTIC) if paints is None else paints, tilt)
    across, up = np.meshgrid(
        LEFT_RADII + (np.arange(WIDTH) + 0.5) * STEP_RADII, TOP_RADII - (np.arange(HEIGHT) + 0.5) * STEP_RADII
    )
    points = ViewPoints(across.ravel(), up.ravel(), picture.reshape(-1, 3), float(np.degrees(tilt)))
    height = MOST_HEIGHT_MM / rng.uniform(*_RADII_MM)
    return points.chosen(is_on_figure(points.across, points.up, points.tilt_deg, height))


def _crowd(rng: Generator, body: Sculpt, others: Sequence[Sculpt]) -> Sculpt:
    """Return a turned body on its base, in some views beside others."""
    base = random_base(rng)
    parts = [_turned(rng, body), base]
    for number in range(1, 1 + int(rng.choice(len(_NEIGHBOURS), p=_NEIGHBOURS))):
        other = _turned(rng, others[int(rng.integers(len(others)))])
        side, away = rng.uniform(0, 2 * np.pi), rng.uniform(2.0, 3.2)
        beside = np.array([away * np.cos(side), away * np.sin(side), 0])
        parts += [Sculpt(s.points + beside, s.normals, s.materials + number * _MATERIALS) for s in (other, base)]
    points, normals, materials = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    return Sculpt(points, normals, materials)


def _turned(rng: Generator, body: Sculpt) -> Sculpt:
    turn = rng.uniform(0, 2 * np.pi)
    around = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    points = body.points @ around.T
    points = points + np.outer(points[:, 2], [*rng.normal(0, _LEAN, 2), 0])
    return Sculpt(points, body.normals @ around.T, body.materials)


def _maps(rng: Generator, crowd: Sculpt, tilt: float) -> _Maps:
    """Splat the points as a camera of that tilt sees them, under a random lamp."""
    eye = np.array([0, -np.sin(tilt), np.cos(tilt)])
    side, high = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(25, 85))
    lamp = np.array([np.cos(side) * np.cos(high), np.sin(side) * np.cos(high), np.sin(high)])
    points, normals = crowd.points, crowd.normals
    depth = points @ eye
    flat = np.column_stack([points[:, 0], points @ [0, np.cos(tilt), np.sin(tilt)] - 0.13 * np.sin(tilt)])
    flat = flat * (1 + rng.uniform(0, 0.035) * depth)[:, None] * np.exp(rng.normal(0, _OFF_SCALE))
    flat = flat + rng.normal(0, _OFF_RADII, 2)
    lit = np.maximum(normals @ lamp, 0) * _is_lit(points, lamp)
    half = (lamp + eye) / np.linalg.norm(lamp + eye)
    shine = np.maximum(normals @ half, 0) ** 22 * (lit > 0)
    room = (0.55 + 0.45 * np.clip(points[:, 2] / 1.8, 0, 1)) * (0.6 + 0.4 * normals[:, 2])
    column = np.floor((flat[:, 0] - LEFT_RADII) / STEP_RADII).astype(int)
    row = np.floor((TOP_RADII - flat[:, 1]) / STEP_RADII).astype(int)
    inside = (column >= 0) & (column < WIDTH) & (row >= 0) & (row < HEIGHT)
    shown = np.flatnonzero(inside & (normals @ eye > -0.05))
    shown = shown[np.argsort(depth[shown])]  # of several points in a sample the last written, the nearest, stays
    values: Floats = np.zeros((HEIGHT, WIDTH, 5))
    values[:, :, 4] = -np.inf
    values[row[shown], column[shown]] = np.column_stack([crowd.materials, room, lit, shine, depth])[shown]
    values = _without_holes(values)
    bare = values[:, :, 0] == 0
    values[bare, 1], values[bare, 2] = 0.9, _ground_light(points, lamp, tilt)[bare]
    return _Maps(values[:, :, 0].astype(int), np.clip(values[:, :, 1:4], 0, 1))


def _is_lit(points: Float[Floats, "n 3"], lamp: Float[Floats, " 3"]) -> Bool[Flags, " n"]:
    """Return whether each point sees the lamp, by a depth map from there."""
    first = np.cross(lamp, [0.3, 0.1, 1.0])
    first /= np.linalg.norm(first)
    cells = np.floor(points @ np.column_stack([first, np.cross(lamp, first)]) / _SHADOW_CELL).astype(int)
    cells -= cells.min(axis=0)
    place, depth = cells[:, 0] * (cells[:, 1].max() + 1) + cells[:, 1], points @ lamp
    nearest = np.full(place.max() + 1, -np.inf)
    np.maximum.at(nearest, place, depth)
    return np.asarray(depth > nearest[place] - _SHADOW_BIAS)


def _without_holes(values: Float[Floats, "rows columns 5"]) -> Float[Floats, "rows columns 5"]:
    """Return the maps with samples filled that no point of the surface around them hit. The last map is the depth."""
    for _ in range(2):
        beside = np.stack([np.roll(values, step, axis) for axis in (0, 1) for step in (1, -1)])
        nearer = beside[..., 4] > values[:, :, 4] + _HOLE
        fill = nearer.sum(axis=0) >= 3
        some = np.take_along_axis(beside, nearer.argmax(axis=0)[None, :, :, None], axis=0)[0]
        values = np.where(fill[:, :, None], some, values)
    return values


def _ground_light(
    points: Float[Floats, "n 3"], lamp: Float[Floats, " 3"], tilt: float
) -> Float[Floats, "rows columns"]:
    """Return the lamp's share on the ground behind each sample, with the figures' shadows."""
    half = 60
    fallen = np.floor((points[:, :2] - points[:, 2:] / lamp[2] * lamp[:2]) / _SHADOW_CELL).astype(int) + half
    dark = np.zeros((2 * half, 2 * half))
    near = ((fallen >= 0) & (fallen < 2 * half)).all(axis=1)
    dark[fallen[near, 1], fallen[near, 0]] = 1
    across = LEFT_RADII + (np.arange(WIDTH) + 0.5) * STEP_RADII
    away = (TOP_RADII - (np.arange(HEIGHT) + 0.5) * STEP_RADII) / np.cos(tilt)
    columns, rows = (np.clip(np.floor(x / _SHADOW_CELL).astype(int) + half, 0, 2 * half - 1) for x in (across, away))
    light: Floats = (1 - dark[rows[:, None], columns[None]]) * lamp[2]
    return light


def _picture(rng: Generator, maps: _Maps, own: Float[Floats, "materials 3"], tilt: float) -> UInt8[Levels, "96 48 3"]:
    """Paint the maps, light them, and take a picture of them, blurred and noisy."""
    paints = np.concatenate([own, *(_paints(rng, _PLASTIC) for _ in _NEIGHBOURS[1:])])
    body = paints[maps.material] * np.exp(rng.normal(0, 0.1 * rng.random(), (HEIGHT, WIDTH, 1)))
    ground = _texture(rng, tilt) if rng.random() < _TEXTURE else _blotches(rng)
    color = np.where((maps.material > 0)[:, :, None], body, ground)
    room, lamp, shine = (maps.light[:, :, k : k + 1] for k in range(3))
    strength = rng.uniform(0.15, 1.0)
    warm = np.exp(rng.normal(0, 0.06, (2, 3)))
    light = color * (room * rng.uniform(0.15, 0.75) * warm[0] + lamp * strength * warm[1])
    light = (light + shine * rng.uniform(0, 0.25) * strength) * np.exp(rng.normal(0, 0.15, 3) + rng.normal(0, 0.2))
    blurred = cv2.GaussianBlur(light, (0, 0), 0.3 + 1.3 * rng.random() ** 2)
    shown = np.clip(blurred, 0, 1) ** (1 / _DISPLAY_GAMMA) + rng.normal(0, 0.03 * rng.random() ** 2, blurred.shape)
    return np.asarray(np.round(np.clip(shown, 0, 1) * 255), np.uint8)


def _paints(rng: Generator, plastic: float) -> Float[Floats, "materials 3"]:
    """Return a plastic with shades of it for the body, or paints, and a base mostly as all others have it."""
    plain = np.exp(rng.normal(0, 0.3, 3) + rng.normal(-1.6, 0.8)) * np.exp(rng.normal(0, 0.08, (_MATERIALS, 1)))
    painted = np.exp(rng.normal(0, 0.55, (_MATERIALS, 3)) + rng.normal(-1.7, 0.7, (_MATERIALS, 1)))
    paints = plain if rng.random() < plastic else painted
    dark = np.exp(rng.normal(0, 0.04, 3) + rng.normal(-3.0, 0.25))
    own = np.exp(rng.normal(0, 0.25, 3) + rng.normal(-2.8, 0.7))
    paints[BASE_TOP : BASE_TOP + 2] = dark if rng.random() < _DARK_BASE else own
    return np.asarray(np.clip(paints, 0.004, 0.85))


def _texture(rng: Generator, tilt: float) -> Float[Floats, "rows columns 3"]:
    """Return a part of a print, a cloth or a chequered board, seen at a tilt."""
    grounds = _grounds()
    ground = grounds[int(rng.integers(len(grounds)))]
    turn = rng.uniform(0, 2 * np.pi) if rng.random() < 0.6 else np.pi / 2 * rng.integers(4)
    step_px = STEP_RADII * ground.radius_px
    around = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    picture_from_map = around @ np.diag([step_px, step_px / np.cos(tilt)])
    place_px = rng.uniform(0, 1, 2) * ground.picture.shape[1::-1]
    moved = np.column_stack([picture_from_map, place_px - picture_from_map @ [WIDTH / 2, 0.7 * HEIGHT]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpAffine(ground.picture, moved, (WIDTH, HEIGHT), flags=flags, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(np.clip(seen * np.exp(rng.normal(0, 0.15, 3) + rng.normal(0, 0.3)), 0.004, 0.9))


@cache
def _grounds() -> list[_Ground]:
    return [*_random_grounds(np.random.default_rng(77))]


def _random_grounds(rng: Generator) -> Iterator[_Ground]:
    """Yield pictures of tiles, table tops and chequered boards."""
    for _ in range(_TILE_SETS):
        printed = random_tiles(rng, "ground", count=4)
        for image in printed.images.values():
            colors, is_tile = light_from_srgb(image[:, :, :3]).astype(np.float32), image[:, :, 3] > 0
            colors[~is_tile] = colors[is_tile].mean(axis=0) * rng.uniform(0.3, 1.5)
            yield _Ground(colors, printed.tile_set.pixels_per_cell * _RADIUS_MM / CELL_MM)
    for top in (*TABLE_TOPS.values(), *CLOTHS.values()) * _EACH_TOP:
        yield _Ground(np.asarray(top(rng)[:, :, :3], np.float32), float(rng.uniform(20, 60)))
    squares = np.indices((8, 8)).sum(axis=0) % 2
    for _ in range(_BOARDS):
        two = np.exp(rng.normal(-1.5, 0.8, (2, 1)) + rng.normal(0, 0.25, (2, 3)))
        board = np.kron(two[squares], np.ones((32, 32, 1)))
        yield _Ground(np.clip(board, 0.004, 0.9).astype(np.float32), float(32 / rng.uniform(1.8, 3.2)))


def _blotches(rng: Generator) -> Float[Floats, "rows columns 3"]:
    """Return a random ground: blotches of four sizes, perhaps a printed line."""
    mottled = np.zeros((HEIGHT, WIDTH, 3))
    for number, wh in enumerate(((2, 3), (3, 6), (7, 14), (18, 36))):
        noise = rng.normal(0, 1, (*wh[::-1], 3)) * rng.uniform(0, 0.4) + rng.normal(0, 1, (*wh[::-1], 1))
        way = cv2.INTER_NEAREST if number % 2 else cv2.INTER_LINEAR
        mottled += 0.9 * rng.random() ** 2 * cv2.resize(noise, (WIDTH, HEIGHT), interpolation=way)
    if rng.random() < 0.35:
        x, y = np.meshgrid(np.linspace(-0.5, 0.5, WIDTH), np.linspace(-1, 1, HEIGHT))
        turn = rng.uniform(0, 2 * np.pi)
        line = np.abs(np.cos(turn) * x + np.sin(turn) * y - rng.normal(0, 0.6)) < 0.03
        mottled[line] = rng.normal(0, 1.5)
    tone = np.exp(rng.normal(0, 0.25, 3) + rng.normal(-1.5, 0.7))
    return np.asarray(np.clip(tone * np.exp(0.5 * mottled), 0.004, 0.9))
