"""Random sculpts for the fit of forms, from fighters to chessmen.

They share no code and no seed with the builds of ``vision.simulation.figures``, so that the simulated boxes of the
benches stay sculpts that no fit has seen.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from calibration.arrays import Floats, Integers
from vision.simulation.arrays import Generator
from vision.simulation.meshes import Color, Mesh, box, capsule, cone, disc, ellipsoid, merge_meshes, plate

_PLASTIC: Color = (0.5, 0.5, 0.5)
"""A part's colour is drawn with each picture."""

PAINTS = 5
"""Paints of a sculpt's parts, counted from 1."""

BASE_TOP, BASE_RIM = 6, 7
_BASE_HEIGHT = 0.27
_POINTS, _BASE_POINTS = 24_000, 7_000

_TALL = (1.3, 4.2)
"""Heights of sculpts, in radii of the base."""

_POSES = ((2, 6, -1, 2, -6, 0), (-1, 4, 0, 3, 3, 8), (-2, 2, 2, 7, -3, 3), (0, 2, -3, 1, -8, -5))
"""Ranges of a hand from its shoulder, ahead, aside and up: held ahead, raised, aside, hanging."""

Place = Float[Floats, " 3"]


class Sculpt(NamedTuple):
    """Points of a surface in radii of the base, their normals, and their materials."""

    points: Float[Floats, "n 3"]
    normals: Float[Floats, "n 3"]
    materials: Int[Integers, " n"]


def random_sculpt(seed: int) -> Sculpt:
    """Return the body of that seed, standing on a base of radius 1."""
    rng = np.random.default_rng([seed, 99])
    mesh = merge_meshes(_FAMILIES[int(rng.choice(len(_FAMILIES), p=_SHARES))](rng))
    low, high = float(mesh.vertices[:, 2].min()), mesh.height_mm
    scale = rng.uniform(*_TALL) / (high - low)
    reach = float(np.percentile(np.hypot(mesh.vertices[:, 0], mesh.vertices[:, 1]), 90)) * scale
    spread = float(np.clip(rng.uniform(0.7, 1.05) / reach, 0.55, 1.3))
    stretched = np.diag([scale * spread, scale * spread, scale])
    return _sampled(rng, mesh.transformed(stretched, (0.0, 0.0, _BASE_HEIGHT - low * scale)))


def random_base(rng: Generator) -> Sculpt:
    """Return a round base with a rim."""
    turn, out = rng.uniform(0, 2 * np.pi, _BASE_POINTS), np.sqrt(rng.random(_BASE_POINTS))
    is_side = rng.random(_BASE_POINTS) < 0.25
    around = np.column_stack([np.cos(turn), np.sin(turn)])
    height = np.where(is_side, rng.uniform(0, _BASE_HEIGHT, _BASE_POINTS), _BASE_HEIGHT)
    points = np.column_stack([around * np.where(is_side, 1.0, out)[:, None], height])
    normals = np.column_stack([around * is_side[:, None], ~is_side])
    return Sculpt(points, normals, np.where(is_side | (out > 0.87), BASE_RIM, BASE_TOP))


def _sampled(rng: Generator, mesh: Mesh) -> Sculpt:
    """Return points spread evenly over a mesh, each part in one of the paints."""
    corners = mesh.vertices[mesh.triangles].astype(float)
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    chosen = rng.choice(len(corners), _POINTS, p=area / area.sum())
    place = rng.random((_POINTS, 2))
    place = np.where(place.sum(axis=1, keepdims=True) > 1, 1 - place, place)
    weights = np.column_stack([1 - place.sum(axis=1), place])[:, :, None]
    normals = (mesh.normals[mesh.triangles[chosen]] * weights).sum(axis=1)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
    part = np.searchsorted(mesh.part_starts, mesh.triangles[chosen, 0], side="right") - 1
    paints = rng.integers(1, PAINTS + 1, len(mesh.part_starts))
    return Sculpt((corners[chosen] * weights).sum(axis=1), normals, paints[part])


def _at(*xyz: float) -> Place:
    return np.array(xyz, float)


def _limb(rng: Generator, start: Place, end: Place, wide: float) -> list[Mesh]:
    bend = (start + end) / 2 + rng.normal(0, 1.2, 3)
    upper, lower = (wide, wide * 0.85), (wide * 0.85, wide * 0.65)
    return [capsule(start, bend, upper, _PLASTIC, rings=5), capsule(bend, end, lower, _PLASTIC, rings=5)]


def _ball(center: Place, *radii: float) -> Mesh:
    a, b, c = radii if len(radii) == 3 else radii * 3
    return ellipsoid(center, (a, b, c), _PLASTIC, rings=5)


def _round(x: float, y: float, z: float, radius: float, height: float) -> Mesh:
    return disc((x, y, z), radius, height, top=_PLASTIC, side=_PLASTIC, sides=16)


def _rod(start: Place, end: Place, wide: float = 0.5) -> Mesh:
    return capsule(start, end, wide, _PLASTIC, rings=5)


def _held(rng: Generator, hand: Place) -> list[Mesh]:
    """Return a blade, a mace, a spear, a gun, a shield, an axe, an orb, or nothing."""
    along = rng.normal(0, 1, 3)
    along[2] = abs(along[2]) + 0.3
    along /= np.linalg.norm(along)
    level = along * (1, 1, 0.2)
    level /= np.linalg.norm(level)
    tip = hand + along * rng.uniform(6, 13)
    top = _at(hand[0], hand[1], hand[2] + rng.uniform(3, 12))
    turn = np.linspace(0, 2 * np.pi, int(rng.integers(5, 12)), endpoint=False)
    across = np.cross(along, rng.normal(0, 1, 3))
    across /= np.linalg.norm(across)
    shield = np.outer(np.cos(turn), across) * rng.uniform(2.5, 4.5) + np.outer(np.sin(turn), along) * rng.uniform(3, 5)
    blade = np.stack([tip - along * 2, tip + across * rng.uniform(2, 4.5) - along, tip + across * 3 + along, tip])
    choices: list[list[Mesh]] = [
        [capsule(hand - along * 2, tip, (0.6, 0.3), _PLASTIC, rings=5)],
        [_rod(hand - along * 5, tip), _ball(tip, *rng.uniform(0.6, 2.7, 3).tolist())],
        [_rod(top * (1, 1, 0) + (0, 0, 0.4), top), cone(top, top + (0, 0, rng.uniform(1.5, 4)), 1.2, _PLASTIC)],
        [_rod(hand - level * 3, hand + level * rng.uniform(6, 11), rng.uniform(0.6, 1.5)), _crate(hand, 3.5, 1.6, 2.4)],
        [plate(hand + shield, 0.9, _PLASTIC)],
        [_rod(hand - along * 3, tip), plate(blade, 0.8, _PLASTIC)],
        [_ball(hand + along * 1.5, rng.uniform(1, 2.5))],
        [],
    ]
    return choices[int(rng.integers(len(choices)))]


def _crate(center: Place, *size: float) -> Mesh:
    return box(center, (size[0], size[1], size[2]), _PLASTIC)


def _head(rng: Generator, place: Place, size: float = 1.0) -> list[Mesh]:
    """Return a head with up to two of horns, hat, visor, crest, hair, snout and ears."""
    size *= rng.uniform(0.75, 1.35)
    parts = [_ball(place, *(size * rng.uniform(1.8, 2.9, 3)).tolist())]
    for _ in range(int(rng.integers(0, 3))):
        up, lean, wide = rng.uniform(2.5, 6), rng.uniform(-2, 1), rng.uniform(1, 4.5)
        crest = np.array([[1, 0, 2], [-2.6, 0, 2], [-2.2, 0, up], [0.6, 0, 0.8 * up]])
        horns = [
            cone(place + (0, s * 1.2 * size, 1.2 * size), place + (lean, s * wide, up), 0.8 * size, _PLASTIC)
            for s in (-1, 1)
        ]
        hat = [
            _round(place[0], place[1], place[2] + rng.uniform(0.5, 1.6), rng.uniform(2.4, 4.4), 0.7),
            cone(place + (0, 0, 1.2), place + (lean, 0, up + 2), rng.uniform(1.4, 2.4), _PLASTIC),
        ]
        extras: list[list[Mesh]] = [
            horns,
            hat,
            [_crate(place + (0.3, 0, 0.2), 4 * size, 3.6 * size, rng.uniform(1, 2.4))],
            [plate(place + crest, 1.0, _PLASTIC)],
            [capsule(place + (-1, 0, 0.6), place + (lean - 2, 0, -up), (1.5, 0.7), _PLASTIC, rings=5)],
            [capsule(place + (0.8, 0, -0.6), place + (wide + 1, 0, lean), (1.5, 0.9), _PLASTIC, rings=5)],
            [_ball(place + (0, s * 2, 1), 0.6, 0.5 * wide + 0.5, 1.4) for s in (-1, 1)],
            [],
        ]
        parts += extras[int(rng.integers(len(extras)))]
    return parts


def _wings(rng: Generator, root: Place) -> list[Mesh]:
    sweep, lift, span = rng.uniform(-8, 2), rng.uniform(0, 10), rng.uniform(6, 12)
    parts = []
    for side in (-1, 1):
        near = root + (0, side * 1.5, 0)
        elbow = near + (sweep * 0.4, side * span * 0.55, lift)
        tip = near + (sweep, side * span, lift * rng.uniform(-0.4, 0.7))
        heel = near + (-2, side * span * 0.5, -5)
        parts += [plate(np.stack(corners), 0.7, _PLASTIC) for corners in ((near, elbow, heel), (elbow, tip, heel))]
    return parts


def _fighter(rng: Generator) -> list[Mesh]:
    wide, hips, high = rng.uniform(0.7, 1.5), rng.uniform(6, 14), rng.uniform(5, 10)
    lean, hip = rng.normal(0, 1.6, 2), _at(*rng.normal(0, 0.8, 2), hips)
    chest = hip + _at(*lean, high)
    parts = [
        _ball(hip, 2.5, 2.9 * wide, 2.4),
        capsule(hip, chest, (2.4 * wide**0.5, rng.uniform(2.6, 3.8)), _PLASTIC, rings=5),
        _ball(chest, rng.uniform(2.3, 3.6), rng.uniform(3, 4.8) * wide, rng.uniform(2.6, 4)),
        *_legs(rng, hip),
        *(_arms(rng, chest, wide) if rng.random() < 0.7 else _arms_at_one_weapon(rng, chest, wide)),
        *_head(rng, chest + _at(*(lean * 0.4), rng.uniform(4, 6))),
    ]
    if rng.random() < 0.4:
        cape = np.array([[-2.5, -3.4 * wide, 1], [-2.5, 3.4 * wide, 1], [-5, 4.5, -high - 3], [-5, -4.5, -high - 3]])
        parts.append(plate(chest + cape, 0.9, _PLASTIC))
    if rng.random() < 0.3:
        parts.append(_crate(chest + (-3.2, 0, 0), 2.8, rng.uniform(3, 7), rng.uniform(4, 8)))
    return parts + (_wings(rng, chest + (-2, 0, 1)) if rng.random() < 0.15 else [])


def _legs(rng: Generator, hip: Place) -> list[Mesh]:
    """Return two legs in some stance, or a robe."""
    if rng.random() < 0.25:
        foot, steps = rng.uniform(3.5, 7.5), np.arange(0, hip[2] + 1, 1.2)
        return [_round(0, 0, float(z), foot - (foot - 2.8) * float(z) / (hip[2] + 1), 1.2) for z in steps]
    stance, parts = rng.uniform(1.6, 4.5), list[Mesh]()
    for side in (-1, 1):
        foot_mm = _at(rng.uniform(-4, 4), side * stance, 0.8)
        parts += _limb(rng, hip + (0, side * 1.7, 0), foot_mm, rng.uniform(1.4, 2.3))
        parts.append(_crate(foot_mm + (0.8, 0, 0), 4.2, 2.4, 1.7))
    return parts


def _arms(rng: Generator, chest: Place, wide: float) -> list[Mesh]:
    parts: list[Mesh] = []
    for side in (-1, 1):
        shoulder = chest + (0, side * 4.1 * wide, 1.4)
        x0, x1, y0, y1, z0, z1 = _POSES[int(rng.integers(len(_POSES)))]
        hand = shoulder + (rng.uniform(x0, x1), side * rng.uniform(y0, y1), rng.uniform(z0, z1))
        parts += _limb(rng, shoulder, hand, rng.uniform(1.0, 1.9))
        parts += [_ball(shoulder, rng.uniform(1.6, 3))] if rng.random() < 0.6 else []
        parts += _held(rng, hand) if rng.random() < 0.7 else []
    return parts


def _arms_at_one_weapon(rng: Generator, chest: Place, wide: float) -> list[Mesh]:
    """Return both hands on one staff, gun, or great axe."""
    middle = chest + (rng.uniform(2.5, 6), rng.uniform(-2, 2), rng.uniform(-5, 5))
    along = rng.normal(0, 1, 3) * (0.7, 1, 1)
    along /= np.linalg.norm(along)
    hands = sorted((middle - along * 2, middle + along * 2), key=lambda hand: float(hand[1]))
    tips = (middle - along * rng.uniform(3, 8), middle + along * rng.uniform(5, 12))
    parts = [_rod(*tips, rng.uniform(0.45, 1.3)), _ball(tips[1], *rng.uniform(0.4, 2.6, 3).tolist())]
    for side, hand in zip((-1, 1), hands, strict=True):
        shoulder = chest + (0, side * 4.1 * wide, 1.4)
        parts += [_ball(shoulder, rng.uniform(1.4, 3.2)), *_limb(rng, shoulder, hand, rng.uniform(1.0, 1.9))]
    return parts


def _beast(rng: Generator) -> list[Mesh]:
    pairs, back, long, wide = int(rng.integers(2, 5)), rng.uniform(3.5, 13), rng.uniform(7, 18), rng.uniform(2.4, 5.5)
    rear, front = _at(-long / 2, 0, back + rng.uniform(-2, 2)), _at(long / 2, 0, back + rng.uniform(-2, 4))
    parts = [capsule(rear, front, (wide * rng.uniform(0.6, 1.3), wide), _PLASTIC)]
    for at in np.linspace(-0.42, 0.42, pairs).tolist():
        for side in (-1, 1):
            hip = rear * (0.5 - at) + front * (0.5 + at) + (0, side * wide * 0.7, 0)
            foot = _at(at * long + rng.uniform(-2, 2), side * (wide + rng.uniform(0.5, 4)), 0.6)
            parts += _limb(rng, hip, foot, rng.uniform(0.7, 2.2))
    parts += _head(rng, front + (wide * 0.8, 0, rng.uniform(-1, 5)), rng.uniform(0.9, 1.6))
    middle = (rear + front) / 2
    if rng.random() < 0.6:
        tail = rear + (-rng.uniform(3, 9), rng.uniform(-4, 4), rng.uniform(-4, 9))
        parts.append(capsule(rear, tail, (1.6, 0.5), _PLASTIC, rings=5))
    if rng.random() < 0.2:
        parts += _wings(rng, middle + (0, 0, wide * 0.5))
    if rng.random() < 0.25:
        chest = middle + (0, 0, wide + rng.uniform(4, 7))
        parts += [_rod(middle, chest, 2.2), *_head(rng, chest + (0, 0, 4), 0.85), *_arms(rng, chest, 0.7)]
    return parts


def _serpent(rng: Generator) -> list[Mesh]:
    place, along, wide = _at(rng.uniform(-4, 4), rng.uniform(-4, 4), 1.5), rng.normal(0, 1, 3), rng.uniform(1.6, 3.6)
    parts: list[Mesh] = []
    for number in range(int(rng.integers(6, 12))):
        along = along + rng.normal(0, 0.7, 3) + (-place[0] * 0.12, -place[1] * 0.12, 0.35 * (number > 3))
        along /= np.linalg.norm(along)
        end = np.maximum(place + along * rng.uniform(2.5, 4), (-np.inf, -np.inf, 1.0))
        parts.append(_rod(place, end, wide))
        place, wide = end, wide * rng.uniform(0.88, 1.05)
    return parts + _head(rng, place + along * 2, 1.1)


def _heap(rng: Generator) -> list[Mesh]:
    parts = [ellipsoid((0, 0, rng.uniform(2, 6)), (*rng.uniform(4, 9, 2).tolist(), rng.uniform(3, 7)), _PLASTIC)]
    for _ in range(int(rng.integers(3, 10))):
        turn, out, size = rng.uniform(0, 2 * np.pi), rng.uniform(1, 6.5), rng.uniform(1.2, 4.4)
        spot = _at(out * np.cos(turn), out * np.sin(turn), rng.uniform(2, 15))
        parts.append(_ball(spot, *(size * rng.uniform(0.7, 1.3, 3)).tolist()))
    for _ in range(int(rng.integers(0, 6))):
        turn, reach = rng.uniform(0, 2 * np.pi), rng.uniform(1, 5)
        root = _at(4 * np.cos(turn), 4 * np.sin(turn), rng.uniform(4, 11))
        tip = root + (reach * np.cos(turn), reach * np.sin(turn), rng.uniform(-3, 9))
        parts += _limb(rng, root, tip, rng.uniform(0.8, 1.7))
    return parts


def _turned(rng: Generator) -> list[Mesh]:
    """Return a piece from a lathe with a random profile and a head."""
    foot = wide = rng.uniform(4.5, 7.5)
    high, end = 0.0, rng.uniform(16, 34) * rng.uniform(0.55, 0.85)
    parts: list[Mesh] = []
    while high < end:
        step, other = rng.uniform(0.6, 5.5), float(np.clip(wide * np.exp(rng.normal(-0.12, 0.3)), 1.4, foot))
        for share in (0.0, 0.25, 0.5, 0.75):
            parts.append(_round(0, 0, high + share * step, wide + (other - wide) * share, step / 4 + 0.02))
        high, wide = high + step, other
        if rng.random() < 0.3:
            parts.append(_round(0, 0, high, min(wide * rng.uniform(1.2, 1.8), foot), rng.uniform(0.5, 1.4)))
    return parts + _topper(rng, high, max(wide, 2.0) * rng.uniform(1, 1.7))


def _chessman(rng: Generator) -> list[Mesh]:
    """Return a piece with a stepped foot, a hollow stem, collars and a head, perhaps a horse's."""
    foot, neck, high = rng.uniform(5, 7.5), rng.uniform(1.8, 3.4), rng.uniform(0.8, 2)
    parts = [_round(0, 0, 0, foot, high)]
    for _ in range(int(rng.integers(1, 4))):
        foot *= rng.uniform(0.8, 0.97)
        step = rng.uniform(0.5, 2)
        parts.append(_round(0, 0, high, foot, step))
        high += step
    if rng.random() < 0.2:
        return parts + _horse(rng, high, foot)
    stem, hollow = rng.uniform(4, 20), rng.uniform(0.25, 1.2)
    for share in np.arange(0, 1, 0.07).tolist():
        parts.append(_round(0, 0, high + share * stem, foot + (neck - foot) * share**hollow, 0.075 * stem))
    high += stem
    for _ in range(int(rng.integers(1, 4))):
        parts.append(_round(0, 0, high, neck * rng.uniform(1.2, 2.2), rng.uniform(0.4, 1.2)))
        high += rng.uniform(0.4, 1.6)
    cup, wide = rng.uniform(2, 6) * (rng.random() < 0.6), neck * rng.uniform(1.1, 2)
    for share in np.arange(0, 1, 0.15).tolist() if cup else ():
        parts.append(_round(0, 0, high + share * cup, neck + (wide - neck) * share, 0.16 * cup))
    return parts + _topper(rng, high + cup, (wide if cup else neck) * rng.uniform(0.8, 1.6))


def _horse(rng: Generator, high: float, foot: float) -> list[Mesh]:
    chest, poll = _at(rng.uniform(-1, 1.5), 0, high + 2), _at(rng.uniform(-2, 1), 0, high + rng.uniform(8, 15))
    nose, wide = poll + (rng.uniform(4, 7), 0, rng.uniform(-5, -1)), rng.uniform(0.5, 0.75) * foot
    parts = [
        capsule(chest, poll, (wide, wide * 0.7), _PLASTIC),
        capsule(poll, nose, (wide * 0.7, wide * rng.uniform(0.3, 0.5)), _PLASTIC),
        *(cone(poll + (0, s, wide * 0.5), poll + (0.3, s * 1.4, wide * 0.7 + 2.5), 0.8, _PLASTIC) for s in (-1, 1)),
    ]
    mane = np.stack([poll + (0, 0, wide), poll + (-wide - 1, 0, 0), chest + (-wide - 0.8, 0, 1), chest])
    return parts + ([plate(mane, 1.0, _PLASTIC)] if rng.random() < 0.7 else [])


def _bust(rng: Generator) -> list[Mesh]:
    high, wide = rng.uniform(1, 9), rng.uniform(4, 7.5)
    chest = _at(0, 0, high + rng.uniform(2, 4))
    parts = [
        _round(0, 0, 0, rng.uniform(2.5, 6), high),
        _ball(chest, rng.uniform(2.5, 4), wide, rng.uniform(2.5, 4.5)),
        *(_ball(chest + (0, s * wide * 0.8, rng.uniform(0, 1.5)), *rng.uniform(1.5, 3.5, 3).tolist()) for s in (-1, 1)),
        _rod(chest, chest + (0.5, 0, 5), rng.uniform(1.2, 2.2)),
    ]
    return parts + _head(rng, chest + (0.8, 0, rng.uniform(5.5, 8)), rng.uniform(1.2, 2))


def _standee(rng: Generator) -> list[Mesh]:
    """Return flat shapes in one plane: the outline of a figure cut from card."""
    high, parts = rng.uniform(18, 30), list[Mesh]()
    for _ in range(int(rng.integers(1, 6))):
        turn = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(5, 11))))
        out = rng.uniform(0.5, 1, len(turn))
        side, up = rng.uniform(2, 6), rng.uniform(3, 0.5 * high)
        middle = (rng.uniform(-3, 3), rng.uniform(up, high - up))
        corners = [turn * 0, middle[0] + side * out * np.cos(turn), middle[1] + up * out * np.sin(turn)]
        parts.append(plate(np.column_stack(corners), rng.uniform(0.3, 0.8), _PLASTIC))
    return [*parts, _crate(_at(0, 0, 0.5 * high), 0.4, rng.uniform(1.5, 9), high)]


def _topper(rng: Generator, high: float, size: float) -> list[Mesh]:
    """Return a ball, a spire, a tower, a snout, a cross, a crown, a bud or a face."""
    top, tip = _at(0, 0, high + size * 0.8), rng.uniform(3, 9)
    around = [_at(np.cos(a), np.sin(a), 0) for a in np.arange(0, 6.28, 2 * np.pi / int(rng.integers(4, 8)))]
    neck = _at(0.5, 0, 2)
    snout = top + (size * rng.uniform(1.5, 2.4), 0, rng.uniform(-2, 2))
    choices: list[list[Mesh]] = [
        [_ball(top, size, size, size * rng.uniform(0.8, 1.4))],
        [cone((0, 0, high), (0, 0, high + tip), size, _PLASTIC, sides=14), _ball(_at(0, 0, high + tip), size * 0.35)],
        [_round(0, 0, high, size * 1.1, 4), *(_crate(a * size + (0, 0, high + 5), 1.6, 1.6, 2) for a in around)],
        [
            capsule(top - (0, 0, size), top + neck, (size, size * 0.8), _PLASTIC),
            capsule(top + neck, snout, (size * 0.9, 0.8), _PLASTIC),
        ],
        [_round(0, 0, high, size, 3), _crate(top + (0, 0, 3), 1.1, 1.1, 5), _crate(top + (0, 0, 3.6), 1.1, 3.6, 1.1)],
        [
            _round(0, 0, high - 1, size * 1.1, 2),
            *(cone(a * size * 0.8 + (0, 0, high), a * size * 1.3 + (0, 0, high + 3.3), 1.1, _PLASTIC) for a in around),
        ],
        [_ball(top, size, size, size * 1.5), cone(top + (0, 0, size), top + (0, 0, size * 2.4), 0.9, _PLASTIC)],
        _head(rng, top, 1.3),
    ]
    return choices[int(rng.integers(len(choices)))]


def _machine(rng: Generator) -> list[Mesh]:
    high, wide, parts = rng.uniform(0, 11), rng.uniform(3, 7), list[Mesh]()
    legs = int(rng.choice([2, 3, 4, 6])) if high > 3 else 0
    for index in range(legs):
        turn = 2 * np.pi * (index + 0.5) / legs
        out = _at(np.cos(turn), np.sin(turn), 0)
        foot = out * (wide + rng.uniform(0, 4)) + (0, 0, 0.6)
        parts += _limb(rng, out * wide * 0.7 + (0, 0, high + 1), foot, rng.uniform(0.8, 1.7))
    for _ in range(int(rng.integers(1, 5))):
        long, deep, tall = rng.uniform(3, 12), rng.uniform(3, 10), rng.uniform(2, 8)
        x, y = rng.uniform(-1.5, 1.5, 2).tolist()
        is_box = rng.random() < 0.6
        parts.append(
            _crate(_at(x, y, high + tall / 2), long, deep, tall) if is_box else _round(x, y, high, long / 2, tall)
        )
        high += tall
    for _ in range(int(rng.integers(1, 4))):
        parts += _held(rng, _at(*rng.uniform(-4, 4, 2), rng.uniform(high * 0.6, high)))
    return parts


def _tree(rng: Generator) -> list[Mesh]:
    parts, tips = list[Mesh](), [(_at(0, 0, 0), _at(0, 0, 1), rng.uniform(2, 4), rng.uniform(6, 14))]
    while tips and len(parts) < 22:
        place, along, wide, long = tips.pop(0)
        end = place + along * long
        parts.append(capsule(place, end, (wide, wide * 0.7), _PLASTIC, rings=5))
        if long > 2.5:
            for _ in range(int(rng.integers(1, 4))):
                other = along + rng.normal(0, 0.6, 3)
                tips.append((end, other / np.linalg.norm(other), wide * 0.65, long * rng.uniform(0.5, 0.8)))
        elif rng.random() < 0.5:
            parts.append(_ball(end, rng.uniform(1, 4)))
    return parts


def _mixture(rng: Generator) -> list[Mesh]:
    parts: list[Mesh] = []
    for family in rng.choice(len(_FAMILIES) - 1, 2, replace=False):
        some = _FAMILIES[int(family)](rng)
        kept = rng.permutation(len(some))[: max(3, int(len(some) * rng.uniform(0.3, 0.8)))]
        parts += [some[int(index)] for index in kept]
    return parts


_FAMILIES: tuple[Callable[[Generator], list[Mesh]], ...] = (
    _fighter, _beast, _serpent, _heap, _turned, _chessman, _machine, _tree, _bust, _standee, _mixture,
)  # fmt: skip
_SHARES = (0.36, 0.13, 0.04, 0.08, 0.08, 0.12, 0.07, 0.03, 0.03, 0.02, 0.04)
