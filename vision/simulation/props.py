"""Build bodies besides miniatures: doors in their feet, tiles' sides, dice, mugs, a player's hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
from scipy.spatial import ConvexHull

from assistant.table.lattice import Cell, Edge
from vision.simulation.arrays import Generator, LightImage, Vector
from vision.simulation.finish import CREAM, DOOR_MM, DoorLook
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
    textured_quad,
)
from vision.simulation.tile_shapes import border

DIE_MM = 16.0


def door_mesh(look: DoorLook) -> Mesh:
    """A standing door across x, its foot line on y = 0: both faces textured, in two small feet."""
    width, height, thick = DOOR_MM
    half, front = width / 2, thick / 2
    core = box((0, 0, height / 2), (width, thick - 0.02, height), look.core)
    near = [(-half, front, height), (half, front, height), (half, front, 0), (-half, front, 0)]
    far = [(half, -front, height), (-half, -front, height), (-half, -front, 0), (half, -front, 0)]
    faces = [textured_quad(np.array(near), (0, 1, 0)), textured_quad(np.array(far), (0, -1, 0))]
    places = (-half + look.foot_inset_mm, half - look.foot_inset_mm)
    feet = [box((x, 0, look.foot_mm[2] / 2), look.foot_mm, look.foot) for x in places]
    return merge_meshes([core, *faces, *feet])


def tile_body(cells: frozenset[Cell], thickness_mm: float, cell_mm: float, side: Color = CREAM) -> Mesh:
    """The cardboard of a tile in its own lattice: visible sides, and hulls that cast shadows."""
    parts = [_side(edge, cells, (thickness_mm, cell_mm), side) for edge in border(cells)]
    return merge_meshes(parts)


def _side(edge: Edge, cells: frozenset[Cell], size_mm: tuple[float, float], color: Color) -> Mesh:
    """One side as the outermost quarter of its cell; only its outer face is ever visible."""
    thickness_mm, cell_mm = size_mm
    ends = np.array(edge, float) * cell_mm
    owner = next(cell for cell in edge.cells if cell in cells)
    inward = (np.array(owner) + 0.5) * cell_mm - ends.mean(0)
    inward *= 0.25 * cell_mm / np.linalg.norm(inward)
    ring = np.array([ends[0], ends[1], ends[1] + inward, ends[0] + inward])
    low, high = (np.column_stack([ring, np.full(4, z)]) for z in (0.0, thickness_mm - 0.01))
    following = (1, 2, 3, 0)
    around = [np.stack([low[i], low[j], high[j], high[i]]) for i, j in enumerate(following)]
    body = flat_part([*around, high], color)
    # The other faces only cast shadows: the print lies on top of them.
    return replace(body, triangles=body.triangles[:2])


def die(rng: Generator, painted: Color | None = None) -> tuple[Mesh, LightImage]:
    """A die lying on the table and the texture of its faces."""
    half = DIE_MM / 2
    top, east, south = np.array([0, 0, half]), np.array([half, 0, 0]), np.array([0, half, 0])
    quads = []
    for out, right, down in (
        (top, east, south),
        (south, east, -top),
        (-south, -east, -top),
        (east, -south, -top),
        (-east, south, -top),
    ):
        middle = out + (0, 0, half)
        corners = np.stack([middle - right - down, middle + right - down, middle + right + down, middle - right + down])
        quads.append(textured_quad(corners, (out / half).tolist()))
    color = rng.choice([[0.02, 0.02, 0.45], [0.6, 0.6, 0.6], [0.4, 0.08, 0.02], [0.03, 0.25, 0.03], [0.01, 0.01, 0.01]])
    texture = np.empty((64, 64, 3), np.float32)
    texture[:] = np.array(painted or color) * rng.uniform(0.7, 1.3)
    pip = (0.75, 0.75, 0.75) if texture.mean() < 0.3 else (0.02, 0.02, 0.02)
    for index in range(int(rng.integers(1, 7))):
        cv2.circle(texture, (16 + 32 * (index % 2), 14 + 18 * (index // 2)), 6, pip, -1)
    return merge_meshes(quads), texture


def _any_color(rng: Generator) -> Color:
    return clip_color(rng.uniform(0.02, 0.95, 3) ** 2, 0.01, 0.9)


def polyhedron(rng: Generator, painted: Color | None = None) -> Mesh:
    """A die of eight, ten or twenty sides on one of its faces, and numbers as spots of another colour."""
    color = painted or _any_color(rng)
    sides, radius = int(rng.choice([8, 10, 20])), float(rng.uniform(9, 13))
    golden = (1 + 5**0.5) / 2
    if sides == 8:
        corners = np.array([[s * (k == i) for k in range(3)] for i in range(3) for s in (-1, 1)], float)
    elif sides == 10:
        turn = 2 * np.pi * np.arange(5) / 5
        corners = np.array([[np.cos(a), np.sin(a), 0.0] for a in turn] + [[0, 0, 1.1], [0, 0, -1.1]])
    else:
        corners = np.array([np.roll((0, a, b * golden), k) for k in range(3) for a in (-1, 1) for b in (-1, 1)], float)
    corners *= radius / np.linalg.norm(corners, axis=1).max()
    hull = ConvexHull(corners)
    down = hull.equations[int(rng.integers(len(hull.equations))), :3]
    axis, angle = np.cross(down, (0, 0, -1)), np.arccos(np.clip(-down[2], -1, 1))
    turned, _ = cv2.Rodrigues(axis / max(float(np.linalg.norm(axis)), 1e-9) * angle)
    placed = corners @ turned.T
    placed[:, 2] -= placed[:, 2].min()
    faces = [placed[simplex].astype(np.float32) for simplex in hull.simplices]
    middles = [(face - face.mean(0)) * 0.35 + face.mean(0) + 0.02 * (face.mean(0) - placed.mean(0)) for face in faces]
    ink: Color = (0.8, 0.8, 0.8) if float(np.mean(color)) < 0.3 else (0.02, 0.02, 0.02)
    return merge_meshes([flat_part(faces, color), *(flat_part([middle], ink) for middle in middles)])


def cube(rng: Generator, painted: Color | None = None) -> Mesh:
    """A wooden cube of 8 to 12 mm."""
    side = float(rng.uniform(8, 12))
    return box((0, 0, side / 2), (side, side, side), painted or _any_color(rng))


def coin(rng: Generator, _painted: Color | None = None) -> Mesh:
    """A coin with a raised rim, of copper, brass or silver."""
    metal = ((0.10, 0.22, 0.42), (0.16, 0.42, 0.55), (0.5, 0.5, 0.52))[int(rng.integers(3))]
    b, g, r = (np.array(metal) * rng.uniform(0.7, 1.2)).tolist()
    return disc(
        (0, 0, 0), float(rng.uniform(8, 13)), 2.0, top=(b, g, r), side=(b, g, r), rim=(b * 0.6, g * 0.6, r * 0.6)
    )


def counter(rng: Generator, painted: Color | None = None) -> Mesh:
    """A round counter of cardboard or plastic with a rim of its own colour: a base without a body."""
    ring = painted or _any_color(rng)
    height, rim = float(rng.uniform(1.5, 4)), float(rng.uniform(1, 4))
    return disc((0, 0, 0), float(rng.uniform(8, 13)), height, top=_any_color(rng), side=ring, rim=ring, rim_mm=rim)


def gem(rng: Generator, painted: Color | None = None) -> Mesh:
    """A flat bead of glass."""
    radius = float(rng.uniform(6, 10))
    return ellipsoid((0, 0, radius * 0.45), (radius, radius, radius * 0.45), painted or _any_color(rng))


def pen(rng: Generator, painted: Color | None = None) -> Mesh:
    """A pen that lies along x."""
    half, radius, color = float(rng.uniform(60, 72)), float(rng.uniform(3.5, 5)), painted or _any_color(rng)
    barrel = capsule((-half, 0, radius), (half * 0.8, 0, radius), radius, color)
    return merge_meshes([barrel, cone((half * 0.8, 0, radius), (half, 0, radius), radius, (0.5, 0.5, 0.5))])


def mug(rng: Generator, _painted: Color | None = None) -> Mesh:
    """A mug with a drink in it."""
    radius, height = float(rng.uniform(34, 44)), float(rng.uniform(70, 100))
    b, g, r = rng.uniform(0.02, 0.6, 3).tolist()
    drink: Color = (0.01, 0.02, 0.05)
    parts = [disc((0, 0, 0), radius, height, top=drink, side=(b, g, r), rim=(b, g, r), rim_mm=4.0)]
    arc = np.linspace(-1.2, 1.2, 6)
    grip = np.stack([radius + 16 * np.cos(arc), np.zeros(6), height / 2 + 26 * np.sin(arc)], 1)
    parts += [capsule(a, b_, 5.0, (b, g, r)) for a, b_ in pairwise(grip)]
    return merge_meshes(parts)


SOLIDS: Mapping[str, Callable[[Generator, Color | None], Mesh]] = {
    "mug": mug,
    "polyhedron": polyhedron,
    "cube": cube,
    "coin": coin,
    "counter": counter,
    "gem": gem,
    "pen": pen,
}
"""Bodies of clutter by kind, from their seed and the colour that they are painted in."""


def hand(reach: Vector, from_mm: Vector, skin: Color, sleeve: Color) -> Mesh:
    """A forearm with a hand whose fingertips meet at ``reach`` (x, y, z), coming from a table edge.

    Args:
        reach: place of the fingertips, millimetres.
        from_mm: x and y of the elbow.
        skin: colour of the hand.
        sleeve: colour of the arm.
    """
    tip = np.asarray(reach, float)
    elbow = np.array([from_mm[0], from_mm[1], tip[2] + 90.0])
    back = elbow - tip
    back[2] = 0
    back /= max(float(np.linalg.norm(back)), 1e-6)
    across = np.array([-back[1], back[0], 0])
    knuckles, wrist = tip + back * 34 + (0, 0, 42), tip + back * 92 + (0, 0, 58)
    parts = [capsule(wrist, knuckles, (23, 22), skin, rings=9), ellipsoid(knuckles - back * 2, (26, 26, 17), skin)]
    for index in range(4):
        root = knuckles - back * 10 + across * (index - 1.5) * 13
        bend = root - back * 20 + (0, 0, -6)
        end = tip + across * (index - 1.5) * 5 + (0, 0, 4 + 4 * abs(index - 1))
        parts += [capsule(root, bend, (8.5, 7.5), skin), capsule(bend, end, (7.5, 6.0), skin)]
    thumb = knuckles + across * 22 + (0, 0, -10)
    parts += [capsule(wrist, thumb, (14, 9.5), skin), capsule(thumb, tip + across * 7 + back * 7, (9.0, 6.5), skin)]
    parts.append(capsule(wrist, elbow, (27, 40), sleeve, rings=9))
    return merge_meshes(parts)
