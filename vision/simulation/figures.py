"""Sculpt miniatures from a seed: a base with a coloured rim, and a body of one of several builds.

Bodies stand on z = 0 of their own frame (the underside of the base), look along +x and are given in
millimetres. Each build is drawn for a height of about 30 mm and scaled to the roster's height.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from assistant.table.roster import RosterFigure
from calibration.arrays import Floats
from calibration.color import light_from_hex
from vision.simulation.arrays import Generator
from vision.simulation.meshes import (
    Color,
    Mesh,
    box,
    capsule,
    clip_color,
    cone,
    disc,
    ellipsoid,
    flat_part,
    merge_meshes,
    plate,
    slab,
)

BASE_HEIGHT_MM = 3.0
RIM_MM = 1.5
DARK: Color = (0.022, 0.021, 0.02)


class BodyLook(NamedTuple):
    """Build, plastic and paints of the figures of one kind, and the look of their bases.

    ``wash`` is the darkening of folds and brightening of raised places. ``ring`` is the rim's paint if it differs from
    the roster's colour. ``gloss`` is the strength of the lamp's reflection, ``clear`` the share of transmitted light.
    """

    build: str
    plastic: Color
    seed: int = 0
    paints: tuple[Color, ...] = ()
    wash: float = 0.0
    rim_mm: float = RIM_MM
    top: Color = DARK
    ring: Color | None = None
    gloss: float = 0.12
    clear: float = 0.0
    chipped: float = 0.0


@lru_cache(maxsize=64)
def figure_mesh(figure: RosterFigure, look: BodyLook, pose_seed: int) -> Mesh:
    """Put the figure on its base, its footprint's columns along x. ``pose_seed`` varies figures of one kind."""
    base = _chip_rim(base_mesh(figure, look), look, np.random.default_rng([pose_seed, 2]))
    kind_rng = np.random.default_rng([zlib.crc32(figure.kind.encode()), look.seed])
    pose_rng = np.random.default_rng(pose_seed)
    body = EVERY_BUILD[look.build](kind_rng, pose_rng, look.plastic)
    if look.paints:
        body = _painted(body, look, np.random.default_rng([look.seed, 1]))
    body_height = max(4.0, figure.height_mm - BASE_HEIGHT_MM)
    low = float(body.vertices[:, 2].min())
    scale = body_height / (body.height_mm - low)
    spread = _spread(body, figure, scale)
    stretched = np.diag([scale * spread, scale * spread, scale])
    return merge_meshes([base, body.transformed(stretched, (0, 0, BASE_HEIGHT_MM - 0.15 - low * scale))])


def _painted(body: Mesh, look: BodyLook, rng: Generator) -> Mesh:
    """Paint each part in one of the paints, keeping the shades of the plastic."""
    counts = np.diff([*body.part_starts, len(body.vertices)])
    paint = np.array(look.paints)[rng.integers(len(look.paints), size=len(counts))]
    shades = body.colors_bgr.mean(1, keepdims=True) / np.mean(look.plastic)
    colors = np.repeat(paint, counts, axis=0) * shades
    if look.wash > 0:
        # Faces that look up are drybrushed, faces that look down are washed. Chance adds to both.
        raised = 0.8 * body.normals[:, 2:] + 0.5 * rng.standard_normal((len(colors), 1))
        colors = np.minimum(colors * np.exp(look.wash * raised), 0.9)
    return replace(body, colors_bgr=colors.astype(np.float32))


def base_mesh(figure: RosterFigure, look: BodyLook) -> Mesh:
    """Return the base alone: its side and the outer part of its top in the ring's colour."""
    dark = look.top
    ring = (look.ring or light_from_hex(figure.ring)) if figure.ring else dark
    if figure.base_shape == "round":
        return disc((0, 0, 0), figure.base_mm / 2, BASE_HEIGHT_MM, top=dark, side=dark, rim=ring, rim_mm=look.rim_mm)
    half = np.array(figure.base_size_mm, np.float32) / 2
    outline = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)
    return slab(
        outline * half, (0, 0, 0), BASE_HEIGHT_MM, top=dark, side=dark, rim=ring, inner=outline * (half - look.rim_mm)
    )


def _chip_rim(base: Mesh, look: BodyLook, rng: Generator) -> Mesh:
    """Return the base with the paint missing on one part of its rim, and on specks elsewhere."""
    if not look.chipped:
        return base
    x, y = base.vertices[:, 0], base.vertices[:, 1]
    turn = (np.arctan2(y, x) / (2 * np.pi) - rng.random()) % 1
    bare = (turn < look.chipped * 0.7) | (rng.random(len(turn)) < look.chipped * 0.3)
    is_rim = np.hypot(x, y) > 0.8 * np.hypot(x, y).max()
    color = np.float32(rng.choice([0.02, 0.2, 0.5]))
    return replace(base, colors_bgr=np.where((bare & is_rim)[:, None], color, base.colors_bgr))


def _spread(body: Mesh, figure: RosterFigure, scale: float) -> float:
    """Return a width factor of the body that keeps most of it over its base."""
    reach = np.percentile(np.abs(body.vertices[:, :2]), 90, axis=0) * scale
    room = np.array(figure.base_size_mm) / 2 * (0.98 if figure.base_shape == "round" else 0.95)
    return float(np.clip((room / np.maximum(reach, 1.0)).min(), 0.6, 1.25))


def _jitter(rng: Generator, amount: float, size: int = 3) -> Float[Floats, " n"]:
    return rng.uniform(-amount, amount, size).astype(np.float32)


def _shade(color: Color, factor: float) -> Color:
    return (color[0] * factor, color[1] * factor, color[2] * factor)


def humanoid(kind: Generator, pose: Generator, color: Color) -> Mesh:
    """Return a fighter on two legs, with armour, arms and a weapon."""
    wide, hips = kind.uniform(0.85, 1.35), 11.5 + kind.uniform(-1, 1.5)
    stance, lean = kind.uniform(2.2, 3.6), kind.uniform(0, 2.0)
    chest = np.array([lean * 0.6, 0, hips + 6.5])
    parts = [ellipsoid((0, 0, hips), (2.6, 3.0 * wide, 2.4), color)]
    for side in (-1, 1):
        step = side * kind.uniform(0.3, 2.0)
        knee = np.array([step + 0.9, side * stance * 0.75, hips * 0.5])
        foot = np.array([step, side * stance, 0.8])
        parts += [
            capsule((0, side * 1.8, hips), knee, (2.0 * wide, 1.6), color),
            capsule(knee, foot, (1.6, 1.3), _shade(color, 0.92)),
            box(foot + (0.8, 0, 0), (4.4, 2.4, 1.7), _shade(color, 0.8)),
        ]
    parts += [
        capsule((0, 0, hips + 1), chest, (2.5, 3.3 * wide), color),
        ellipsoid(chest, (2.9, 4.1 * wide, 3.4), color),
    ]
    parts += _arms(kind, pose, chest, wide, color)
    parts += _head(kind, chest + (lean * 0.5 + 0.4, 0, 5.6), color)
    if kind.random() < 0.5:
        parts.append(box(chest + (-3.4, 0, 0.4), (2.6, 4.6 * wide, 5.6), _shade(color, 0.9)))
    return merge_meshes(parts)


def _arms(kind: Generator, pose: Generator, chest: Float[Floats, " 3"], wide: float, color: Color) -> list[Mesh]:
    parts: list[Mesh] = []
    for side in (-1, 1):
        shoulder = chest + (0, side * 4.4 * wide, 1.8)
        elbow = shoulder + (kind.uniform(0, 2.5), side * kind.uniform(0.4, 2.2), -kind.uniform(2.0, 4.2))
        hand = elbow + np.array([kind.uniform(2.0, 4.0), -side * kind.uniform(0, 2.2), kind.uniform(-2, 3.4)])
        hand = hand + _jitter(pose, 0.7)
        parts += [
            ellipsoid(shoulder, (2.1, 2.0, 2.1), _shade(color, 1.06)),
            capsule(shoulder, elbow, (1.5, 1.25), color),
            capsule(elbow, hand, (1.25, 1.0), color),
            ellipsoid(hand, (1.2, 1.2, 1.2), color),
        ]
        if side == 1:
            parts += _held(kind, hand, color)
    return parts


def _held(kind: Generator, hand: Float[Floats, " 3"], color: Color) -> list[Mesh]:
    """Return a blade, a gun, a staff or a shield."""
    dark = _shade(color, 0.75)
    choice = kind.integers(4)
    if choice == 0:
        return [capsule(hand, hand + (3.5, 0.4, 8.5), (0.55, 0.3), dark, rings=5)]
    if choice == 1:
        return [box(hand + (2.6, -0.6, 0.4), (9.0, 1.5, 2.1), dark), capsule(hand, hand + (8, -0.6, 0.9), 0.55, dark)]
    if choice == 2:
        foot, tip = hand - (0, 0, hand[2] - 0.6), hand + (0, 0, 9.0)
        return [capsule(foot, tip, 0.5, dark, rings=5), ellipsoid(tip, (1.5, 1.5, 1.7), color)]
    rim = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    outline = hand + np.column_stack([np.full(12, 1.2), 3.6 * np.cos(rim), 4.4 * np.sin(rim)])
    return [plate(outline, 0.8, _shade(color, 1.08))]


def _head(kind: Generator, place: Float[Floats, " 3"], color: Color) -> list[Mesh]:
    parts = [ellipsoid(place, (2.3, 2.1, 2.5), _shade(color, 1.03))]
    choice = kind.integers(4)
    if choice == 0:
        parts += [
            cone(place + (0, s * 1.3, 1.4), place + (0.6, s * 3.6, 4.6), 0.8, _shade(color, 0.85)) for s in (-1, 1)
        ]
    elif choice == 1:
        parts.append(disc((place[0], place[1], place[2] + 0.9), 3.6, 0.6, top=color, side=color, sides=14))
        parts.append(cone(place + (0, 0, 1.2), place + (-0.6, 0, 5.5), 2.0, color))
    elif choice == 2:
        parts.append(box(place + (0.6, 0, 0.3), (3.8, 3.4, 1.4), _shade(color, 0.8)))
    return parts


def beast(kind: Generator, pose: Generator, color: Color) -> Mesh:
    """Return a four-legged body with a spine, a head and a tail."""
    long, belly, back = kind.uniform(10, 15), kind.uniform(4.0, 5.6), kind.uniform(9.5, 13)
    front, rear = np.array([long * 0.42, 0, back + kind.uniform(-1.5, 1.5)]), np.array([-long * 0.42, 0, back])
    parts = [
        capsule(rear, front, (belly * 0.85, belly), color),
        ellipsoid(front, (belly * 1.1, belly, belly * 1.1), color),
    ]
    for end, spread in ((front, belly * 0.85), (rear, belly * 0.8)):
        for side in (-1, 1):
            hip = end + np.array([0, side * spread, -0.8])
            foot = np.array([end[0] + float(_jitter(pose, 1.8, 1)[0]), side * (spread + 1.0), 0.8])
            knee = (hip + foot) / 2 + (kind.uniform(-2, 2), side * 0.7, 0)
            parts += [capsule(hip, knee, (2.2, 1.5), color), capsule(knee, foot, (1.5, 1.1), color)]
            parts.append(ellipsoid(foot + (0.7, 0, 0), (1.9, 1.3, 0.9), _shade(color, 0.85)))
    parts += _snout(kind, front + (belly * 0.9, float(_jitter(pose, 1.5, 1)[0]), kind.uniform(-1, 4)), color)
    tail = rear + np.array([-kind.uniform(4, 8), kind.uniform(-3, 3), kind.uniform(-4, 4)])
    parts.append(capsule(rear - (belly * 0.5, 0, 0), tail, (1.4, 0.5), color))
    if kind.random() < 0.6:
        for step in np.linspace(-0.45, 0.45, 6):
            root = np.array([long * step, 0, back + belly * 0.8])
            parts.append(cone(root, root + (-0.8, 0, kind.uniform(2.0, 3.6)), 0.9, _shade(color, 0.8), sides=6))
    return merge_meshes(parts)


def _snout(kind: Generator, place: Float[Floats, " 3"], color: Color) -> list[Mesh]:
    jaw = place + np.array([3.4, 0, -1.0])
    parts = [ellipsoid(place, (3.2, 2.8, 2.9), _shade(color, 1.05)), capsule(place, jaw, (2.3, 1.4), color)]
    lift = kind.uniform(1, 4)
    parts += [
        cone(place + (-0.6, s * 1.7, 1.6), place + (-1.4, s * 3.2, 2.0 + lift), 0.9, _shade(color, 0.85))
        for s in (-1, 1)
    ]
    return parts


def blob(kind: Generator, pose: Generator, color: Color) -> Mesh:
    """Return a heap of flesh or slime with feelers."""
    parts = [ellipsoid((0, 0, 5.0), (8.0, 7.5, 5.6), color)]
    for _ in range(int(kind.integers(5, 9))):
        angle, out, high = kind.uniform(0, 2 * np.pi), kind.uniform(2, 6.5), kind.uniform(3, 12)
        radius = kind.uniform(2.0, 4.2)
        spot = np.array([out * np.cos(angle), out * np.sin(angle), high]) + _jitter(pose, 0.4)
        parts.append(
            ellipsoid(spot, (radius, radius * kind.uniform(0.7, 1.1), radius), _shade(color, kind.uniform(0.9, 1.1)))
        )
    for _ in range(int(kind.integers(2, 5))):
        angle = kind.uniform(0, 2 * np.pi)
        root = np.array([4 * np.cos(angle), 4 * np.sin(angle), 8.0])
        bend = root + np.array([3 * np.cos(angle), 3 * np.sin(angle), 4.5]) + _jitter(pose, 0.8)
        tip = bend + _jitter(kind, 3.0) + (0, 0, 3.0)
        parts += [capsule(root, bend, (1.5, 1.1), color), capsule(bend, tip, (1.1, 0.5), color)]
    return merge_meshes(parts)


def winged(kind: Generator, pose: Generator, color: Color) -> Mesh:
    """Return a lean body under two wings, standing or held up by a stalk."""
    middle = np.array([0.0, 0, 14.0 + kind.uniform(-2, 3)])
    chest = middle + (1.5, 0, 5.0)
    parts = [capsule(middle, chest, (2.3, 3.0), color), capsule((0, 0, 0.5), middle, (1.0, 0.9), _shade(color, 0.7))]
    parts += _head(kind, chest + (1.8, 0, 4.6), color)
    sweep, lift = kind.uniform(-7, 1), kind.uniform(3, 9)
    for side in (-1, 1):
        root = chest + (-1.8, side * 1.6, 1.2)
        elbow = root + np.array([sweep * 0.4, side * 7.0, lift]) + _jitter(pose, 0.7)
        tip = root + np.array([sweep, side * 13.5, lift * 0.3])
        heel = root + np.array([-3.5, side * 6.0, -5.5])
        parts.append(plate(np.stack([root, elbow, heel]), 0.5, _shade(color, 0.9)))
        parts.append(plate(np.stack([elbow, tip, heel]), 0.5, _shade(color, 0.82)))
        parts += [capsule(root, elbow, (0.9, 0.7), color, rings=5), capsule(elbow, tip, (0.7, 0.3), color, rings=5)]
        claw = middle + np.array([2.5, side * 2.6, -6.0])
        parts.append(capsule(middle + (0, side * 1.2, 0), claw, (1.4, 0.7), color))
    parts.append(capsule(middle, middle + (-6.5, 0, -5.0), (1.2, 0.3), color))
    return merge_meshes(parts)


def tall(kind: Generator, pose: Generator, color: Color) -> Mesh:
    """Return a robed or trunk-like shape, narrow and high, with a hood or crown."""
    height, foot = kind.uniform(22, 27), kind.uniform(5.0, 7.0)
    turn = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    levels = [(0.0, foot), (0.35, foot * 0.72), (0.75, foot * 0.55)]
    parts = []
    for (low, wide), (high, narrow) in zip(levels, [*levels[1:], (0.85, foot * 0.62)], strict=True):
        rings = [
            np.column_stack([r * np.cos(turn), r * np.sin(turn), np.full(12, z * height)])
            for z, r in ((low, wide), (high, narrow))
        ]
        parts.append(_prism(rings[0], rings[1], color))
    top = np.array([0.4, 0, height * 0.92])
    parts.append(ellipsoid(top, (2.9, 2.7, 3.3), _shade(color, 1.05)))
    for side in (-1, 1):
        shoulder = np.array([0, side * foot * 0.55, height * 0.76])
        hand = (
            shoulder
            + np.array([kind.uniform(2, 5), side * kind.uniform(0, 3), kind.uniform(-7, 2)])
            + _jitter(pose, 0.8)
        )
        parts.append(capsule(shoulder, hand, (1.7, 1.0), color))
    if kind.random() < 0.6:
        parts += [cone(top + (0, s * 1.2, 2.2), top + (-0.8, s * 2.6, 6.0), 0.8, color) for s in (-1, 0, 1)]
    return merge_meshes(parts)


def machine(kind: Generator, pose: Generator, color: Color) -> Mesh:
    """Return a machine: a hull on legs, with a turret, pipes and a barrel."""
    legs, wide = int(kind.choice([3, 4, 6])), kind.uniform(4.2, 6.0)
    parts = [box((0, 0, 11), (wide * 2.0, wide * 1.7, 5.5), color), box((0, 0, 14.6), (wide * 1.2, wide, 2.4), color)]
    for index in range(legs):
        angle = 2 * np.pi * (index + 0.5) / legs
        out = np.array([np.cos(angle), np.sin(angle), 0])
        knee = out * (wide + 3.4) + (0, 0, 9.5) + _jitter(pose, 0.5)
        foot = out * (wide + 4.2) + (0, 0, 0.6)
        parts += [capsule(out * wide * 0.8 + (0, 0, 10.5), knee, 1.2, color), capsule(knee, foot, (1.2, 0.8), color)]
    parts.append(disc((0, 0, 15.6), wide * 0.62, 3.6, top=_shade(color, 1.1), side=color, sides=16))
    parts.append(capsule((1, 0, 17.6), (wide + 6.5, 0, 18.2), 0.9, _shade(color, 0.75)))
    parts.append(capsule((-2, 1.6, 17), (-2.6, 1.6, 17 + kind.uniform(4, 9)), 0.45, _shade(color, 0.8), rings=5))
    return merge_meshes(parts)


def _prism(low: Float[Floats, "n 3"], high: Float[Floats, "n 3"], color: Color) -> Mesh:
    following = np.roll(np.arange(len(low)), -1)
    around = [np.stack([low[i], low[j], high[j], high[i]]) for i, j in enumerate(following)]
    return flat_part([low, high, *around], color)


def turned(kind: Generator, pose: Generator, color: Color) -> Mesh:
    """Return a lathe-turned piece: a foot, a waist, collars, and a ball, crown, tower or snouted head."""
    height, foot = kind.uniform(20, 34), kind.uniform(4.5, 6.5)
    waist, neck = foot * kind.uniform(0.45, 0.7), foot * kind.uniform(0.3, 0.5)
    levels = [(0.0, foot), (0.08, foot), (0.16, waist * 1.15), (0.4, neck * 1.1), (0.66, neck)]
    parts = [
        disc((0, 0, low * height), wide, (high - low) * height, top=color, side=color, sides=20)
        for (low, wide), (high, _) in pairwise(levels)
    ]
    parts.append(disc((0, 0, 0.66 * height), neck * 1.5, height * 0.05, top=color, side=_shade(color, 0.95), sides=20))
    top, head = np.array([0.0, 0.0, height * 0.84]), neck * kind.uniform(1.2, 1.7)
    choice = kind.integers(4)
    if choice == 0:
        parts.append(ellipsoid(top, (head, head, head), color))
    elif choice == 1:
        parts.append(cone(top - (0, 0, height * 0.14), top + (0, 0, height * 0.16), head * 1.2, color))
        parts.append(ellipsoid(top + (0, 0, height * 0.1), (head * 0.4,) * 3, color))
    elif choice == 2:
        parts.append(disc(top - (0, 0, height * 0.12), head * 1.1, height * 0.26, top=color, side=color, sides=16))
    else:
        parts.append(capsule(top - (0, 0, height * 0.14), top + (0.5, 0, 1), (head, head * 0.8), color))
        parts.append(
            capsule(top + (0.5, 0, 1), top + (head * 1.7, pose.uniform(-0.2, 0.2), -1.0), (head * 0.8, 0.6), color)
        )
    return merge_meshes(parts)


def standee(kind: Generator, _: Generator, color: Color) -> Mesh:
    """Return a picture on card, printed on both faces, upright in a foot."""
    high, wide = kind.uniform(24, 34), kind.uniform(7, 10.5)
    turn = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    outlines = (
        np.array([(-wide, 2), (wide, 2), (wide, high), (-wide, high)]),
        np.array([(-wide, 2), (wide, 2), (wide, high * 0.75), (0, high), (-wide, high * 0.75)]),
        np.column_stack([wide * 0.7 * np.cos(turn), high * 0.5 * (1 + np.sin(turn)) + 2]),
    )
    card = outlines[int(kind.integers(len(outlines)))]
    parts = [_card(card, 0.5, _shade(color, 1.0) if kind.random() < 0.5 else (0.75, 0.8, 0.82))]
    for corners in kind.integers(5, 10, int(kind.integers(4, 9))).tolist():
        around, size = np.sort(kind.uniform(0, 2 * np.pi, corners)), kind.uniform(0.15, 0.4)
        middle = np.array([kind.uniform(-0.4, 0.4) * wide, kind.uniform(0.3, 0.75) * high])
        spot = middle + np.column_stack([wide * 1.6 * np.cos(around), high * 0.6 * np.sin(around)]) * size
        shade = clip_color(np.array(color) * kind.uniform(0.3, 1.6) + kind.uniform(0, 0.12, 3), 0.01, 0.9)
        parts.append(_card(spot, 0.56, shade))
    foot = (0.02, 0.02, 0.02) if kind.random() < 0.6 else _shade(color, 0.5)
    return merge_meshes([*parts, box((0, 0, 1.6), (4, wide * 1.3, 3.2), foot)])


def _card(outline: Float[Floats, "n 2"], thick: float, color: Color) -> Mesh:
    return plate(np.column_stack([np.zeros(len(outline)), outline]), thick, color)


def on_peg(kind: Generator, pose: Generator, color: Color) -> Mesh:
    """Return a body that flies: held up by a thin peg."""
    high, size = kind.uniform(7, 16), kind.uniform(0.55, 0.8)
    body = BUILDS[str(kind.choice(["blob", "beast", "winged", "machine"]))](kind, pose, color)
    lowest = float(body.vertices[:, 2].min())
    body = body.transformed(np.eye(3) * size, (0, 0, high - lowest * size))
    peg = (0.5, 0.5, 0.5) if kind.random() < 0.6 else (0.02, 0.02, 0.02)
    return merge_meshes([capsule((0, 0, 0), (0, 0, high + 2), 0.7, peg, rings=5), body])


Build = Callable[[Generator, Generator, Color], Mesh]

BUILDS: Mapping[str, Build] = {
    "humanoid": humanoid,
    "beast": beast,
    "blob": blob,
    "winged": winged,
    "tall": tall,
    "machine": machine,
}
"""The builds of miniatures by name."""

ODD_BUILDS: Mapping[str, Build] = {"standee": standee, "on peg": on_peg}
"""The builds of standees and of flying figures by name."""

EVERY_BUILD: Mapping[str, Build] = {**BUILDS, "turned": turned, **ODD_BUILDS}
"""All builds by name, with the one of game pieces."""
