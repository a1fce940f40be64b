"""Build bodies besides miniatures: doors in their feet, tiles' sides, dice, mugs, a player's hand."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np

from assistant.table.lattice import Cell, Edge
from vision.simulation.arrays import Generator, LightImage, Vector
from vision.simulation.finish import CREAM, DOOR_MM, DoorLook
from vision.simulation.meshes import Color, Mesh, box, capsule, disc, ellipsoid, flat_part, merge_meshes, textured_quad
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


def die(rng: Generator) -> tuple[Mesh, LightImage]:
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
    texture[:] = color * rng.uniform(0.7, 1.3)
    pip = (0.75, 0.75, 0.75) if texture.mean() < 0.3 else (0.02, 0.02, 0.02)
    for index in range(int(rng.integers(1, 7))):
        cv2.circle(texture, (16 + 32 * (index % 2), 14 + 18 * (index // 2)), 6, pip, -1)
    return merge_meshes(quads), texture


def mug(rng: Generator) -> Mesh:
    """A mug with a drink in it."""
    radius, height = float(rng.uniform(34, 44)), float(rng.uniform(70, 100))
    b, g, r = rng.uniform(0.02, 0.6, 3).tolist()
    drink: Color = (0.01, 0.02, 0.05)
    parts = [disc((0, 0, 0), radius, height, top=drink, side=(b, g, r), rim=(b, g, r), rim_mm=4.0)]
    arc = np.linspace(-1.2, 1.2, 6)
    grip = np.stack([radius + 16 * np.cos(arc), np.zeros(6), height / 2 + 26 * np.sin(arc)], 1)
    parts += [capsule(a, b_, 5.0, (b, g, r)) for a, b_ in pairwise(grip)]
    return merge_meshes(parts)


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
