"""Fit the matrix of forms: random sculpts seen from all sides, in any paint, light, blur and on any ground.

A sculpt's points are splatted into maps of material and light, far faster than a mesh is rendered. Each view is drawn
in paints of its own, so that colour tells nothing about the sculpt.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from jaxtyping import Bool, Float, Float32, Int, UInt8

from calibration.arrays import Flags, Floats, Integers, Levels, Singles
from vision.evidence.figure_views import ViewPoints
from vision.evidence.forms import HEIGHT, LEFT_RADII, STEP_RADII, TOP_RADII, WIDTH, features_of
from vision.simulation.arrays import Generator
from vision.training.sculpts import BASE_TOP, PAINTS, Sculpt, random_base, random_sculpt

_FINE = 2
"""Samples along a pixel's side."""

_STEP = STEP_RADII / _FINE
_ROWS, _COLUMNS = HEIGHT * _FINE, WIDTH * _FINE
_TILT_DEG = (8.0, 58.0)
_OFF_RADII, _OFF_SCALE, _LEAN = 0.17, 0.07, 0.04
"""Errors of a base's middle and size, and lean of a body: standard deviations."""

_NEIGHBOUR = 0.22
_NEIGHBOUR_PAINTS = 8
"""Share of views with another figure close by. Its materials count from that number on."""

_SHADOW_CELL, _SHADOW_BIAS = 0.09, 0.3
_DISPLAY_GAMMA = 2.2

_COMPONENTS, _KEPT, _SHRUNK = 300, 64, 0.2
"""Principal components of the features, numbers of a form, and share of an even scatter mixed into the sculpts' own."""


@dataclass(frozen=True, eq=False)
class _Maps:
    """What each sample sees: a material (0 for the ground), and its shares of room light, lamp light and shine."""

    material: Int[Integers, "rows columns"]
    light: Float[Floats, "rows columns 3"]


def form_samples(seed: int, views: int) -> Float32[Singles, "views features"]:
    """Return the trunk's features of one sculpt in random views."""
    rng, body, other = np.random.default_rng([seed, 7]), random_sculpt(seed), random_sculpt(seed + 10_000_000)
    return np.stack([features_of(random_view(rng, body, other)) for _ in range(views)])


def fit_forms(samples: Float32[Singles, "sculpts views features"], out: Path) -> None:
    """Fit the matrix to the views of many sculpts, and write it.

    Linear discriminant analysis within the largest principal components. A direction counts by the share of its
    scatter that is between sculpts.
    """
    sculpts, views, count = samples.shape
    rows = samples.reshape(-1, count).astype(np.float32)
    middle = rows.mean(axis=0)
    spread = rows.std(axis=0) + 1e-3 * rows.std()
    rows = (rows - middle) / spread
    components = _components(rows)
    seen = (rows @ components).reshape(sculpts, views, -1)
    within = seen - seen.mean(axis=1, keepdims=True)
    scatter = np.einsum("kvi,kvj->ij", within, within) / (sculpts * (views - 1))
    scatter = (1 - _SHRUNK) * scatter + _SHRUNK * np.eye(_COMPONENTS) * np.trace(scatter) / _COMPONENTS
    values, vectors = np.linalg.eigh(scatter)
    white = vectors / np.sqrt(values)
    between = np.cov((seen.mean(axis=1) @ white).T) - np.eye(_COMPONENTS) / views
    values, vectors = np.linalg.eigh(between)
    signal = np.maximum(values[::-1][:_KEPT], 0)
    matrix = components @ white @ (vectors[:, ::-1][:, :_KEPT] * np.sqrt(signal / (signal + 1))) / spread[:, None]
    np.savez(out, matrix=matrix.astype(np.float16), shift=(middle @ matrix).astype(np.float32))


def _components(rows: Float32[Singles, "n features"]) -> Float32[Singles, "features components"]:
    """Return principal components by two rounds of a random subspace (Halko, Martinsson and Tropp, 2011)."""
    chance = np.random.default_rng(0).standard_normal((rows.shape[1], _COMPONENTS + 20)).astype(np.float32)
    for _ in range(2):
        chance = np.linalg.qr(rows.T @ (rows @ chance))[0]
    turned = np.linalg.svd(rows @ chance, full_matrices=False)[2]
    return np.asarray((chance @ turned.T)[:, :_COMPONENTS], np.float32)


def random_view(rng: Generator, body: Sculpt, other: Sculpt) -> ViewPoints:
    """Return a body on its base from a random side, as a cut of a photo would hold it."""
    tilt = np.radians(rng.uniform(*_TILT_DEG))
    picture = _picture(rng, _maps(rng, _crowd(rng, body, other), float(tilt)))
    across, up = np.meshgrid(
        LEFT_RADII + (np.arange(WIDTH) + 0.5) * STEP_RADII, TOP_RADII - (np.arange(HEIGHT) + 0.5) * STEP_RADII
    )
    points = ViewPoints(across.ravel(), up.ravel(), picture.reshape(-1, 3), float(np.degrees(tilt)))
    is_narrow = rng.random() < 0.5
    on_base = np.hypot(points.across, points.up / np.cos(tilt)) < 1
    return points.chosen(on_base | ((points.up > 0) & (~np.bool_(is_narrow) | (np.abs(points.across) < 0.8))))


def _crowd(rng: Generator, body: Sculpt, other: Sculpt) -> Sculpt:
    """Return a turned body on its base, in some views beside another one."""
    turn, base = rng.uniform(0, 2 * np.pi), random_base(rng)
    around = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    points = body.points @ around.T
    points = points + np.outer(points[:, 2], [*rng.normal(0, _LEAN, 2), 0])
    parts = [Sculpt(points, body.normals @ around.T, body.materials), base]
    if rng.random() < _NEIGHBOUR:
        side, away = rng.uniform(0, 2 * np.pi), rng.uniform(2.0, 3.0)
        beside = np.array([away * np.cos(side), away * np.sin(side), 0])
        parts += [Sculpt(s.points + beside, s.normals, s.materials + _NEIGHBOUR_PAINTS) for s in (other, base)]
    points, normals, materials = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    return Sculpt(points, normals, materials)


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
    column = np.floor((flat[:, 0] - LEFT_RADII) / _STEP).astype(int)
    row = np.floor((TOP_RADII - flat[:, 1]) / _STEP).astype(int)
    inside = (column >= 0) & (column < _COLUMNS) & (row >= 0) & (row < _ROWS)
    shown = np.flatnonzero(inside & (normals @ eye > -0.05))
    shown = shown[np.argsort(depth[shown])]  # of several points in a sample the last written, the nearest, stays
    values: Floats = np.zeros((_ROWS, _COLUMNS, 4))
    values[row[shown], column[shown]] = np.column_stack([crowd.materials, room, lit, shine])[shown]
    values = _without_pinholes(values)
    bare = values[:, :, 0] == 0
    values[bare, 1], values[bare, 2] = 0.9, _ground_light(points, lamp, tilt)[bare]
    return _Maps(values[:, :, 0].astype(int), np.clip(values[:, :, 1:], 0, 1))


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


def _without_pinholes(values: Float[Floats, "rows columns 4"]) -> Float[Floats, "rows columns 4"]:
    """Return the maps with samples filled that no point hit between others."""
    for _ in range(2):
        beside = np.stack([np.roll(values, step, axis) for axis in (0, 1) for step in (1, -1)])
        hit = beside[..., 0] > 0
        fill = (values[:, :, 0] == 0) & (hit.sum(axis=0) >= 3)
        some = np.take_along_axis(beside, hit.argmax(axis=0)[None, :, :, None], axis=0)[0]
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
    across = LEFT_RADII + (np.arange(_COLUMNS) + 0.5) * _STEP
    away = (TOP_RADII - (np.arange(_ROWS) + 0.5) * _STEP) / np.cos(tilt)
    columns, rows = (np.clip(np.floor(x / _SHADOW_CELL).astype(int) + half, 0, 2 * half - 1) for x in (across, away))
    light: Floats = (1 - dark[rows[:, None], columns[None]]) * lamp[2]
    return light


def _picture(rng: Generator, maps: _Maps) -> UInt8[Levels, "64 32 3"]:
    """Paint the maps, light them, and take a picture of them, blurred and noisy."""
    paints = _paints(rng)
    body = paints[maps.material] * np.exp(rng.normal(0, 0.1 * rng.random(), (_ROWS, _COLUMNS, 1)))
    color = np.where((maps.material > 0)[:, :, None], body, _ground(rng))
    room, lamp, shine = (maps.light[:, :, k : k + 1] for k in range(3))
    strength = rng.uniform(0.15, 1.0)
    warm = np.exp(rng.normal(0, 0.06, (2, 3)))
    light = color * (room * rng.uniform(0.15, 0.75) * warm[0] + lamp * strength * warm[1])
    light = (light + shine * rng.uniform(0, 0.25) * strength) * np.exp(rng.normal(0, 0.15, 3) + rng.normal(0, 0.2))
    small = cv2.resize(light, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
    blurred = cv2.GaussianBlur(small, (0, 0), 0.15 + 1.35 * rng.random() ** 2)
    shown = np.clip(blurred, 0, 1) ** (1 / _DISPLAY_GAMMA) + rng.normal(0, 0.03 * rng.random() ** 2, blurred.shape)
    return np.asarray(np.round(np.clip(shown, 0, 1) * 255), np.uint8)


def _paints(rng: Generator) -> Float[Floats, "materials 3"]:
    """Draw a plastic with shades of it for the body, or paints, and others for base and neighbour."""
    plain = np.exp(rng.normal(0, 0.3, 3) + rng.normal(-1.6, 0.8)) * np.exp(rng.normal(0, 0.08, (16, 1)))
    painted = np.exp(rng.normal(0, 0.55, (16, 3)) + rng.normal(-1.7, 0.7, (16, 1)))
    paints = plain if rng.random() < 0.75 else painted
    paints[BASE_TOP : BASE_TOP + 2] = np.exp(rng.normal(0, 0.25, 3) + rng.normal(-2.8, 0.7))
    if rng.random() < 0.5:
        neighbour = np.exp(rng.normal(0, 0.3, 3) + rng.normal(-1.6, 0.8))
        paints[_NEIGHBOUR_PAINTS : _NEIGHBOUR_PAINTS + PAINTS + 1] = neighbour
    return np.asarray(np.clip(paints, 0.004, 0.85))


def _ground(rng: Generator) -> Float[Floats, "rows columns 3"]:
    """Return a random ground: blotches of four sizes, perhaps a printed line."""
    mottled = np.zeros((_ROWS, _COLUMNS, 3))
    for number, wh in enumerate(((2, 3), (3, 6), (7, 14), (18, 36))):
        noise = rng.normal(0, 1, (*wh[::-1], 3)) * rng.uniform(0, 0.4) + rng.normal(0, 1, (*wh[::-1], 1))
        way = cv2.INTER_NEAREST if number % 2 else cv2.INTER_LINEAR
        mottled += 0.9 * rng.random() ** 2 * cv2.resize(noise, (_COLUMNS, _ROWS), interpolation=way)
    if rng.random() < 0.35:
        x, y = np.meshgrid(np.linspace(-0.5, 0.5, _COLUMNS), np.linspace(-1, 1, _ROWS))
        turn = rng.uniform(0, 2 * np.pi)
        line = np.abs(np.cos(turn) * x + np.sin(turn) * y - rng.normal(0, 0.6)) < 0.03
        mottled[line] = rng.normal(0, 1.5)
    tone = np.exp(rng.normal(0, 0.25, 3) + rng.normal(-1.5, 0.7))
    return np.asarray(np.clip(tone * np.exp(0.5 * mottled), 0.004, 0.9))
