"""Bodies besides miniatures: doors in their feet, tiles' sides, dice, mugs, a player's hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
from jaxtyping import Float
from scipy.spatial import ConvexHull

from assistant.table.lattice import Cell, Edge
from calibration.arrays import Floats, Numbers
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
    slab,
    textured_quad,
)
from vision.simulation.tile_shapes import border

DIE_MM = 16.0


def door_mesh(look: DoorLook) -> Mesh:
    """Return a standing door across x, its foot line on y = 0, with both faces textured, in two small feet."""
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
    """Return the cardboard of a tile in its own lattice: visible sides, and hulls that cast shadows."""
    parts = [_side(edge, cells, (thickness_mm, cell_mm), side) for edge in border(cells)]
    return merge_meshes(parts)


def _side(edge: Edge, cells: frozenset[Cell], size_mm: tuple[float, float], color: Color) -> Mesh:
    """Return one side as the outermost quarter of its cell. Only its outer face is ever visible."""
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
    # The other faces only cast shadows, since the print lies on top of them.
    return replace(body, triangles=body.triangles[:2])


def die(rng: Generator, painted: Color | None = None) -> tuple[Mesh, LightImage]:
    """Return a die lying on the table and the texture of its faces."""
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
    """Return a die of four, eight, ten, twelve or twenty sides on one of its faces, with spots as numbers."""
    color = painted or _any_color(rng)
    corners = _POLYHEDRA[int(rng.integers(len(_POLYHEDRA)))] * float(rng.uniform(6, 14))
    placed = _resting(corners, rng)
    faces = [placed[simplex].astype(np.float32) for simplex in ConvexHull(placed).simplices]
    middles = [(face - face.mean(0)) * 0.35 + face.mean(0) + 0.02 * (face.mean(0) - placed.mean(0)) for face in faces]
    ink: Color = (0.8, 0.8, 0.8) if float(np.mean(color)) < 0.3 else (0.02, 0.02, 0.02)
    return merge_meshes([flat_part(faces, color), *(flat_part([middle], ink) for middle in middles)])


def _resting(corners: Float[Numbers, "n 3"], rng: Generator) -> Float[Numbers, "n 3"]:
    """Return a convex body turned to lie on a random face."""
    equations = ConvexHull(corners).equations
    down = equations[int(rng.integers(len(equations))), :3]
    axis, angle = np.cross(down, (0, 0, -1)), np.arccos(np.clip(-down[2], -1, 1))
    turned, _ = cv2.Rodrigues(axis / max(float(np.linalg.norm(axis)), 1e-9) * angle)
    placed: Numbers = corners @ turned.T
    placed[:, 2] -= placed[:, 2].min()
    return placed


def _corners_of_polyhedra() -> tuple[Float[Numbers, "_n 3"], ...]:
    """Return the corners of each polyhedron, at distance 1 from the middle."""
    golden = (1 + 5**0.5) / 2
    signs = (-1.0, 1.0)
    four = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]
    eight = [[s * (k == i) for k in range(3)] for i in range(3) for s in signs]
    turn = 2 * np.pi * np.arange(5) / 5
    ten = [*((np.cos(a), np.sin(a), 0.0) for a in turn), (0, 0, 1.1), (0, 0, -1.1)]
    twenty = [np.roll((0, a, b * golden), k) for k in range(3) for a in signs for b in signs]
    twelve = [np.array((a, b, c)) for a in signs for b in signs for c in signs]
    twelve += [np.roll((0, a / golden, b * golden), k) for k in range(3) for a in signs for b in signs]
    found = [np.array(corners, float) for corners in (four, eight, ten, twelve, twenty)]
    return tuple(corners / np.linalg.norm(corners, axis=1).max() for corners in found)


_POLYHEDRA = _corners_of_polyhedra()


def cube(rng: Generator, painted: Color | None = None) -> Mesh:
    """Return a wooden cube of 8 to 12 mm."""
    side = float(rng.uniform(8, 12))
    return box((0, 0, side / 2), (side, side, side), painted or _any_color(rng))


def coin(rng: Generator, _painted: Color | None = None) -> Mesh:
    """Return a coin with a raised rim, of copper, brass or silver."""
    metal = ((0.10, 0.22, 0.42), (0.16, 0.42, 0.55), (0.5, 0.5, 0.52))[int(rng.integers(3))]
    b, g, r = (np.array(metal) * rng.uniform(0.7, 1.2)).tolist()
    return disc(
        (0, 0, 0), float(rng.uniform(8, 13)), 2.0, top=(b, g, r), side=(b, g, r), rim=(b * 0.6, g * 0.6, r * 0.6)
    )


def counter(rng: Generator, painted: Color | None = None) -> Mesh:
    """Return a round counter of cardboard or plastic with a coloured rim, like a base without a body."""
    ring = painted or _any_color(rng)
    height, rim = float(rng.uniform(1.5, 4)), float(rng.uniform(1, 4))
    return disc((0, 0, 0), float(rng.uniform(8, 13)), height, top=_any_color(rng), side=ring, rim=ring, rim_mm=rim)


def gem(rng: Generator, painted: Color | None = None) -> Mesh:
    """Return a flat bead of glass."""
    radius = float(rng.uniform(6, 10))
    return ellipsoid((0, 0, radius * 0.45), (radius, radius, radius * 0.45), painted or _any_color(rng))


def shard(rng: Generator, painted: Color | None = None) -> Mesh:
    """Return a cut or broken piece of glass or resin. Each face reflects another share of the light."""
    color = np.array(painted or _any_color(rng))
    size = np.array([rng.uniform(4, 12), rng.uniform(4, 9), rng.uniform(3, 8)])
    points = rng.normal(size=(int(rng.integers(7, 22)), 3))
    corners = points / np.linalg.norm(points, axis=1, keepdims=True) * size
    placed = _resting(corners, rng)
    faces = [placed[simplex].astype(np.float32) for simplex in ConvexHull(placed).simplices]
    through = float(rng.uniform(0.1, 0.9))
    shares = np.exp(rng.normal(0, through, len(faces)))
    return flat_part(faces, [clip_color(color * share, 0.005, 0.95) for share in shares])


def beads(rng: Generator, painted: Color | None = None) -> Mesh:
    """Return a marble, or some beads side by side."""
    count = int(rng.choice([1, 1, 2, 3, 4, 5]))
    radius = float(rng.uniform(6, 9)) if count == 1 else float(rng.uniform(2, 4.5))
    flat = float(rng.uniform(0.6, 1.0))
    color = painted or _any_color(rng)
    return merge_meshes(
        [
            ellipsoid((x, y, radius * flat), (radius, radius, radius * flat), color)
            for x, y in _side_by_side(rng, count, 2 * radius)
        ]
    )


def _side_by_side(rng: Generator, count: int, size_mm: float) -> list[tuple[float, float]]:
    """Return places for that many things of a size, side by side without touching."""
    if count == 1:
        return [(0.0, 0.0)]
    turn, step = float(rng.uniform(0, 2 * np.pi)), size_mm * 1.06
    steps = [(0, 0), (1, 0), (0.5, 0.87), (-0.5, 0.87), (-1, 0), (-0.5, -0.87)][:count]
    middle = np.mean(steps, 0)
    cos, sin = np.cos(turn) * step, np.sin(turn) * step
    return [(float(cos * x - sin * y), float(sin * x + cos * y)) for x, y in (np.array(steps) - middle).tolist()]


def pieces(rng: Generator, painted: Color | None = None) -> Mesh:
    """Return some small cubes, discs or pegs in a group, as used for stores and wounds."""
    count, size, color = int(rng.integers(2, 6)), float(rng.uniform(5, 9)), painted or _any_color(rng)
    sort = int(rng.integers(3))
    parts = []
    for x, y in _side_by_side(rng, count, size * 1.2):
        if sort == 0:
            parts.append(box((x, y, size / 2), (size, size, size), color))
        elif sort == 1:
            height = float(rng.uniform(2, 5))
            parts.append(disc((x, y, 0), size / 2, height, top=color, side=color, sides=20))
        else:
            parts.append(capsule((x - size * 0.4, y, size / 4), (x + size * 0.4, y, size / 4), size / 4, color))
    return merge_meshes(parts)


def spotted_dice(rng: Generator, painted: Color | None = None) -> Mesh:
    """Return one to four dice of six sides and 8 to 20 mm."""
    count = int(rng.choice([1, 1, 2, 3, 4]))
    size = float(rng.uniform(8, 20) if count == 1 else rng.uniform(7, 12))
    color, half = painted or _any_color(rng), size / 2
    ink: Color = (0.8, 0.8, 0.8) if float(np.mean(color)) < 0.3 else (0.02, 0.02, 0.02)
    parts = []
    for x, y in _side_by_side(rng, count, size * 1.25):
        turn = float(rng.uniform(0, np.pi / 2))
        cos, sin = float(np.cos(turn)), float(np.sin(turn))
        axes = np.array([[cos, sin, 0], [-sin, cos, 0], [0, 0, 1]], np.float32)
        middle = np.array([x, y, half])
        parts.append(box((x, y, half), (size, size, size), color, axes=axes))
        for out in (axes[2], axes[0], -axes[0], axes[1], -axes[1]):
            right = axes[1] if abs(out @ axes[0]) > 0.5 or abs(out[2]) > 0.5 else axes[0]
            parts += [
                _pip(middle + out * (half + 0.03), (right, np.cross(out, right)), spot, size, ink)
                for spot in _pips(rng)
            ]
    return merge_meshes(parts)


def _pips(rng: Generator) -> list[tuple[float, float]]:
    count = int(rng.integers(1, 7))
    middle, ends = [(0.0, 0.0)], [(-0.26, -0.26), (0.26, 0.26), (-0.26, 0.26), (0.26, -0.26)]
    return middle * (count % 2) + ends[: count // 2 * 2] + [(-0.26, 0.0), (0.26, 0.0)] * (count == 6)


def _pip(
    middle: Float[Numbers, " 3"],
    axes: tuple[Float[Floats, " 3"], Float[Floats, " 3"]],
    spot: tuple[float, float],
    size_mm: float,
    ink: Color,
) -> Mesh:
    right, down = axes
    at = middle + size_mm * (spot[0] * right + spot[1] * down)
    turn = np.linspace(0, 2 * np.pi, 7)[:-1, None]
    return flat_part([(at + size_mm * 0.09 * (np.cos(turn) * right + np.sin(turn) * down)).astype(np.float32)], ink)


def cap(rng: Generator, painted: Color | None = None) -> Mesh:
    """Return a bottle cap of 26 to 32 mm, its teeth outward, either way up."""
    radius, color = float(rng.uniform(13, 16)), painted or _any_color(rng)
    turn = np.linspace(0, 2 * np.pi, 42, endpoint=False)
    outline = np.stack([np.cos(turn), np.sin(turn)], 1) * (radius + np.where(np.arange(42) % 2, 0.7, -0.7))[:, None]
    parts = [slab(outline.astype(np.float32), (0, 0, 0), 2.5, top=color, side=color)]
    parts.append(disc((0, 0, 2.5), radius * 0.88, 3.5, top=color, side=color))
    parts.append(disc((0, 0, 6.0), radius * float(rng.uniform(0.3, 0.7)), 0.1, top=_any_color(rng), side=color))
    return merge_meshes(parts)


def chip(rng: Generator, painted: Color | None = None) -> Mesh:
    """Return one or several poker chips, with blocks of another colour round the rim."""
    radius, color, other = float(rng.uniform(10, 20)), painted or _any_color(rng), _any_color(rng)
    height = 3.2 * float(rng.choice([1, 1, 1, 2, 3]))
    turn = np.linspace(0, 2 * np.pi, 49)
    circle = np.stack([np.cos(turn), np.sin(turn)], 1)
    parts = [disc((0, 0, 0), radius, height, top=color, side=color)]
    blocks = int(rng.choice([4, 6, 8]))
    for block in range(blocks):
        first = 48 * block // blocks
        arc = circle[first : first + 48 // blocks // 2 + 1]
        corners = np.concatenate([arc * radius, arc[::-1] * radius * 0.72])
        top = np.column_stack([corners, np.full(len(corners), height + 0.05)])
        parts.append(flat_part([top.astype(np.float32)], other))
    inner = disc((0, 0, height), radius * 0.6, 0.1, top=_any_color(rng), side=other)
    return merge_meshes([*parts, inner])


def cardboard(rng: Generator, painted: Color | None = None) -> Mesh:
    """Return a punched token of any outline, with a picture of some strokes and a border."""
    sides, radius = int(rng.choice([3, 4, 4, 5, 6, 6, 8, 30])), float(rng.uniform(8, 15))
    turn = np.linspace(0, 2 * np.pi, sides, endpoint=False) + float(rng.uniform(0, np.pi))
    outline = (np.stack([np.cos(turn), np.sin(turn)], 1) * radius * (1, float(rng.uniform(0.6, 1)))).astype(np.float32)
    border, ground, height = painted or _any_color(rng), _any_color(rng), float(rng.uniform(1, 2.6))
    inner = outline * np.float32(rng.uniform(0.65, 0.95))
    parts = [slab(outline, (0, 0, 0), height, top=ground, side=CREAM, rim=border, inner=inner)]
    for _ in range(int(rng.integers(1, 5))):
        corners = rng.normal(0, radius * 0.2, (int(rng.integers(3, 6)), 2)) + rng.normal(0, radius * 0.1, 2)
        shape = corners[ConvexHull(corners).vertices]
        shape *= min(1.0, radius * 0.5 / float(np.linalg.norm(shape, axis=1).max()))
        stroke = np.column_stack([shape, np.full(len(shape), height + 0.05)]).astype(np.float32)
        parts.append(flat_part([stroke], _any_color(rng)))
    return merge_meshes(parts)


def portrait(rng: Generator, painted: Color | None = None) -> Mesh:
    """Return a round printed token as large as a small base, its border in a side's colour: a rim without a body."""
    radius, height = float(rng.uniform(8.5, 13.5)), float(rng.choice([0.3, 1.0, 1.6, 2.0, 3.0]))
    border, ground, border_mm = painted or _any_color(rng), _any_color(rng), float(rng.uniform(0.9, 4.0))
    side = border if rng.random() < 0.5 else CREAM
    parts = [disc((0, 0, 0), radius, height, top=border, side=side)]
    inner = radius - border_mm
    if rng.random() < 0.4:
        parts.append(disc((0, 0, height), inner, 0.03, top=_any_color(rng), side=border))
        inner -= float(rng.uniform(0.4, 1.2))
    parts.append(disc((0, 0, height + 0.03), inner, 0.03, top=ground, side=ground))
    shade = float(rng.uniform(0.2, 1.2))
    for layer in range(int(rng.integers(0, 9))):
        middle = rng.normal(0, inner * 0.3, 2)
        corners = middle + rng.normal(0, inner * 0.35, (int(rng.integers(4, 9)), 2))
        shape = corners[ConvexHull(corners).vertices]
        shape *= min(1.0, inner * 0.97 / float(np.linalg.norm(shape, axis=1).max()))
        ink = clip_color(np.array(ground) * np.exp(rng.normal(0, shade, 3) + rng.normal(0, shade)), 0.005, 0.92)
        flat = np.column_stack([shape, np.full(len(shape), height + 0.08 + 0.01 * layer)]).astype(np.float32)
        parts.append(flat_part([flat], ink))
    return merge_meshes(parts)


def key(rng: Generator, _painted: Color | None = None) -> Mesh:
    """Return a key that lies flat, along x."""
    b, g, r = (np.array((0.35, 0.42, 0.45)) * rng.uniform(0.6, 1.3) * (float(rng.uniform(0.5, 1)), 1, 1)).tolist()
    metal, bow, length = (b, g, r), float(rng.uniform(9, 12)), float(rng.uniform(22, 32))
    parts = [
        disc((-bow, 0, 0), bow, 2.2, top=metal, side=metal),
        disc((-bow * 1.4, 0, 2.2), bow * 0.3, 0.1, top=(0.03, 0.03, 0.03), side=metal),
        box((length / 2, 0, 1.1), (length, 5.5, 2.2), metal),
    ]
    parts += [box((length * place, 3.2, 1.1), (2.5, 3.0, 2.2), metal) for place in (0.4, 0.6, 0.8)]
    return merge_meshes(parts)


def meeple(rng: Generator, painted: Color | None = None) -> Mesh:
    """Return a flat wooden man lying on his back."""
    color, size, thick = painted or _any_color(rng), float(rng.uniform(6, 9)), float(rng.uniform(7, 10))
    shapes = (
        [(-1.1, -1), (-0.2, -1), (0.1, 0.3), (-0.6, 0.4)],
        [(1.1, -1), (0.2, -1), (-0.1, 0.3), (0.6, 0.4)],
        [(-1.2, 0.1), (-1.2, 0.5), (0, 0.8), (1.2, 0.5), (1.2, 0.1), (0, 0)],
    )
    parts = [slab(np.array(shape, np.float32) * size, (0, 0, 0), thick, top=color, side=color) for shape in shapes]
    return merge_meshes([*parts, disc((0, size * 0.95, 0), size * 0.45, thick, top=color, side=color, sides=20)])


def pen(rng: Generator, painted: Color | None = None) -> Mesh:
    """Return a pen that lies along x."""
    half, radius, color = float(rng.uniform(60, 72)), float(rng.uniform(3.5, 5)), painted or _any_color(rng)
    barrel = capsule((-half, 0, radius), (half * 0.8, 0, radius), radius, color)
    return merge_meshes([barrel, cone((half * 0.8, 0, radius), (half, 0, radius), radius, (0.5, 0.5, 0.5))])


def mug(rng: Generator, _painted: Color | None = None) -> Mesh:
    """Return a mug with a drink in it."""
    radius, height = float(rng.uniform(34, 44)), float(rng.uniform(70, 100))
    b, g, r = rng.uniform(0.02, 0.6, 3).tolist()
    drink: Color = (0.01, 0.02, 0.05)
    parts = [disc((0, 0, 0), radius, height, top=drink, side=(b, g, r), rim=(b, g, r), rim_mm=4.0)]
    arc = np.linspace(-1.2, 1.2, 6)
    grip = np.stack([radius + 16 * np.cos(arc), np.zeros(6), height / 2 + 26 * np.sin(arc)], 1)
    parts += [capsule(a, b_, 5.0, (b, g, r)) for a, b_ in pairwise(grip)]
    return merge_meshes(parts)


SOLIDS: Mapping[str, Callable[[Generator, Color | None], Mesh]] = {
    make.__name__.replace("_", " "): make
    for make in (
        *(mug, pen, polyhedron, cube, coin, counter, gem),
        *(shard, beads, pieces, spotted_dice, cap, chip, cardboard, portrait, key, meeple),
    )
}
"""Clutter bodies by kind, from their seed and paint."""


def hand(reach: Vector, from_mm: Vector, skin: Color, sleeve: Color) -> Mesh:
    """Return a forearm from a table edge, its fingertips meeting at ``reach`` (x, y, z).

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
