"""Build triangle meshes of convex parts, in millimetres: x right, y near, z up.

Every part is convex and knows its triangles' outward side. So shadows are hulls of projected vertices, and back faces
can be skipped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from jaxtyping import Float, Int, Num

from calibration.arrays import Floats, Integers, Numbers
from vision.simulation.arrays import Vector

Color = tuple[float, float, float]
"""Blue, green, red share of reflected light, linear, 0 to 1."""


def clip_color(values: Num[Numbers, " 3"], low: float, high: float) -> Color:
    """Clip three values into a range, as a colour."""
    b, g, r = np.clip(values, low, high).tolist()
    return b, g, r


@dataclass(frozen=True)
class Mesh:
    """Vertices with normals and colours, triangles that index them, and the first vertex of each convex part.

    ``vertices``, ``normals`` and ``colors_bgr`` are (N, 3), ``triangles`` (M, 3), ``uv`` (N, 2) in texture
    widths and heights (NaN where the vertex colour counts), ``part_starts`` (P,).
    """

    vertices: Float[Floats, "n 3"]
    normals: Float[Floats, "n 3"]
    colors_bgr: Float[Floats, "n 3"]
    uv: Float[Floats, "n 2"]
    triangles: Int[Integers, "m 3"]
    part_starts: Int[Integers, " parts"]

    def moved(self, *, yaw_rad: float = 0.0, offset_mm: Vector = (0.0, 0.0, 0.0), scale: float = 1.0) -> Mesh:
        """Return the mesh scaled, turned about z (x towards y) and shifted."""
        cos, sin = np.cos(yaw_rad), np.sin(yaw_rad)
        turn = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]], np.float32)
        return self.transformed(turn * np.float32(scale), offset_mm)

    def transformed(self, matrix: Float[Floats, "3 3"], offset_mm: Vector = (0.0, 0.0, 0.0)) -> Mesh:
        """Return the mesh transformed by a 3x3 matrix without reflection, then shifted."""
        turn = np.asarray(matrix, np.float32)
        normals = self.normals @ np.linalg.inv(turn).astype(np.float32)
        normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
        vertices = self.vertices @ turn.T + np.asarray(offset_mm, np.float32)
        return Mesh(vertices, normals, self.colors_bgr, self.uv, self.triangles, self.part_starts)

    def parts(self) -> list[Float[Floats, "_n 3"]]:
        """Return the vertices of each convex part."""
        return np.split(self.vertices, self.part_starts[1:])

    @property
    def height_mm(self) -> float:
        """The highest vertex above z = 0."""
        return float(self.vertices[:, 2].max())


def merge_meshes(meshes: Sequence[Mesh]) -> Mesh:
    """Join all meshes into one."""
    first_vertex = np.cumsum([0, *(len(m.vertices) for m in meshes)])[:-1]
    return Mesh(
        vertices=np.concatenate([m.vertices for m in meshes]),
        normals=np.concatenate([m.normals for m in meshes]),
        colors_bgr=np.concatenate([m.colors_bgr for m in meshes]),
        uv=np.concatenate([m.uv for m in meshes]),
        triangles=np.concatenate(
            [m.triangles + start for m, start in zip(meshes, first_vertex, strict=True)], dtype=np.int32
        ),
        part_starts=np.concatenate(
            [m.part_starts + start for m, start in zip(meshes, first_vertex, strict=True)], dtype=np.int32
        ),
    )


def ellipsoid(center_mm: Vector, radii_mm: Vector, color: Color, *, rings: int = 7) -> Mesh:
    """Return an ellipsoid along the axes."""
    unit, triangles = _sphere(rings)
    radii = np.asarray(radii_mm, np.float32)
    normals = unit / radii
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return _part(unit * radii + np.asarray(center_mm, np.float32), normals, triangles, color)


def capsule(
    start_mm: Vector,
    end_mm: Vector,
    radius_mm: float | tuple[float, float],
    color: Color,
    *,
    rings: int = 7,
) -> Mesh:
    """Return the hull of two balls: a limb that may taper from the first radius to the second."""
    start, end = np.asarray(start_mm, np.float32), np.asarray(end_mm, np.float32)
    first, second = radius_mm if isinstance(radius_mm, tuple) else (radius_mm, radius_mm)
    axis = end - start
    axis = axis / max(float(np.linalg.norm(axis)), 1e-6)
    unit, triangles = _sphere(rings)
    turned = unit @ _frame_of(axis)
    upper = (unit[:, 2] > 1e-6)[:, None]
    vertices = np.where(upper, end + turned * second, start + turned * first)
    return _part(vertices, turned, triangles, color)


def box(center_mm: Vector, size_mm: Vector, color: Color, *, axes: Float[Floats, "3 3"] | None = None) -> Mesh:
    """Return a box, its edges along the rows of ``axes`` (the coordinate axes by default)."""
    half = np.asarray(size_mm, np.float32) / 2
    frame = np.eye(3, dtype=np.float32) if axes is None else np.asarray(axes, np.float32)
    signs = np.array([[x, y, z] for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)], np.float32)
    corners = signs * half @ frame + np.asarray(center_mm, np.float32)
    quads = np.array([[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]])
    return flat_part([corners[quad] for quad in quads], color)


def cone(start_mm: Vector, tip_mm: Vector, radius_mm: float, color: Color, sides: int = 8) -> Mesh:
    """Return a horn or spike from a round foot to a point."""
    start, tip = np.asarray(start_mm, np.float32), np.asarray(tip_mm, np.float32)
    axis = (tip - start) / max(float(np.linalg.norm(tip - start)), 1e-6)
    angle = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    circle = np.stack([np.cos(angle), np.sin(angle), np.zeros(sides)], 1).astype(np.float32) * radius_mm
    ring = circle @ _frame_of(axis) + start
    faces = [np.stack([ring[i], ring[(i + 1) % sides], tip]) for i in range(sides)]
    return flat_part([ring, *faces], color)


def plate(outline_mm: Num[Numbers, "n 3"], thickness_mm: float, color: Color) -> Mesh:
    """Return a thin convex plate. ``outline_mm`` (N, 3) lies in one plane, with half the thickness on each side."""
    outline = np.asarray(outline_mm, np.float32)
    normal = np.cross(outline[1] - outline[0], outline[2] - outline[0])
    normal = normal / max(float(np.linalg.norm(normal)), 1e-9) * (thickness_mm / 2)
    top, bottom = outline + normal, outline - normal
    following = np.roll(np.arange(len(outline)), -1)
    around = [np.stack([bottom[i], bottom[j], top[j], top[i]]) for i, j in enumerate(following)]
    return flat_part([top, bottom, *around], color)


def disc(  # noqa: PLR0913 - a stepped cylinder is these measures
    center_mm: Vector,
    radius_mm: float,
    height_mm: float,
    *,
    top: Color,
    side: Color,
    rim: Color | None = None,
    rim_mm: float = 1.5,
    sides: int = 40,
) -> Mesh:
    """Return a low cylinder. ``rim`` colours its side and the outer part of its top."""
    angle = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    circle = np.stack([np.cos(angle), np.sin(angle)], 1).astype(np.float32)
    return slab(
        circle * radius_mm, center_mm, height_mm, top=top, side=side, rim=rim, inner=circle * (radius_mm - rim_mm)
    )


def slab(  # noqa: PLR0913 - the same for any convex outline
    outline_mm: Float[Floats, "n 2"],
    center_mm: Vector,
    height_mm: float,
    *,
    top: Color,
    side: Color,
    rim: Color | None = None,
    inner: Float[Floats, "n 2"] | None = None,
) -> Mesh:
    """Return an upright prism over a convex outline (N, 2). ``inner`` (N, 2) separates the top from its rim."""
    x, y, z = center_mm
    low, high = (_at_height(outline_mm, x, y, z + h) for h in (0.0, height_mm))
    following = np.roll(np.arange(len(low)), -1)
    around = [np.stack([low[i], low[j], high[j], high[i]]) for i, j in enumerate(following)]
    faces: list[Floats] = [*around, low]
    colors: list[Color] = [rim or side] * len(around) + [side]
    if rim is None or inner is None:
        faces.append(high)
        colors.append(top)
    else:
        middle = _at_height(inner, x, y, z + height_mm)
        faces += [np.stack([high[i], high[j], middle[j], middle[i]]) for i, j in enumerate(following)]
        colors += [rim] * len(around)
        faces.append(middle)
        colors.append(top)
    return flat_part(faces, colors)


def textured_quad(corners_mm: Float[Floats, "4 3"], outward: Vector) -> Mesh:
    """Return a flat quadrangle with a whole texture: top-left, top-right, bottom-right, bottom-left."""
    vertices = np.asarray(corners_mm, np.float32)
    normals = np.tile(np.asarray(outward, np.float32), (4, 1))
    uv = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    triangles = np.array([[0, 1, 2], [0, 2, 3]], np.int32)
    return Mesh(vertices, normals, np.ones((4, 3), np.float32), uv, triangles, np.zeros(1, np.int32))


def flat_part(faces: Sequence[Float[Floats, "_n 3"]], color: Color | Sequence[Color]) -> Mesh:
    """Return a convex part with flat faces. Each face (K, 3) is a convex polygon in either winding."""
    corners = np.concatenate(faces)
    counts = np.array([len(face) for face in faces])
    starts = np.cumsum(counts) - counts
    colors = color if isinstance(color, list) else [color] * len(faces)
    normals, fans = _outward_normals(faces, corners.mean(0)), [_fan(count) for count in counts.tolist()]
    return Mesh(
        corners.astype(np.float32),
        np.repeat(normals, counts, axis=0).astype(np.float32),
        np.repeat(np.array(colors, np.float32), counts, axis=0),
        np.full((len(corners), 2), np.nan, np.float32),
        np.concatenate([fan + start for fan, start in zip(fans, starts.tolist(), strict=True)], dtype=np.int32),
        np.zeros(1, np.int32),
    )


@lru_cache
def _fan(corners: int) -> Int[Integers, "m 3"]:
    """Return the triangles of a convex polygon, all from its first corner."""
    return np.array([(0, i, i + 1) for i in range(1, corners - 1)], np.int32).reshape(-1, 3)


def _part(
    vertices: Float[Floats, "n 3"], normals: Float[Floats, "n 3"], triangles: Int[Integers, "m 3"], color: Color
) -> Mesh:
    count = len(vertices)
    colors = np.tile(np.asarray(color, np.float32), (count, 1))
    uv = np.full((count, 2), np.nan, np.float32)
    return Mesh(vertices.astype(np.float32), normals.astype(np.float32), colors, uv, triangles, np.zeros(1, np.int32))


def _at_height(outline_mm: Float[Floats, "n 2"], x_mm: float, y_mm: float, z_mm: float) -> Float[Floats, "n 3"]:
    outline = np.asarray(outline_mm, np.float32)
    z = np.full((len(outline), 1), z_mm, np.float32)
    return np.concatenate([outline + np.array([x_mm, y_mm], np.float32), z], 1)


def _outward_normals(faces: Sequence[Float[Floats, "_n 3"]], inside: Float[Floats, " 3"]) -> Float[Numbers, "faces 3"]:
    """Return the unit normal of each polygon, safe for repeated corners, away from a point within.

    Polygons with the same number of corners are solved together, since a part has up to eighty.
    """
    normals = np.empty((len(faces), 3))
    counts = np.array([len(face) for face in faces])
    for count in set(counts.tolist()):
        alike = np.flatnonzero(counts == count)
        polygons = np.stack([faces[index] for index in alike.tolist()])
        p = polygons.astype(float)
        q = np.roll(p, -1, axis=1)
        normal = np.cross(p, q).sum(1)
        normal /= np.maximum(np.sqrt((normal * normal).sum(1, keepdims=True)), 1e-12)
        is_inward = (normal * (polygons.mean(1) - inside)).sum(1) < 0
        normals[alike] = np.where(is_inward[:, None], -normal, normal)
    return normals


def _frame_of(axis: Float[Floats, " 3"]) -> Float[Floats, "3 3"]:
    """Return rows: two directions across the axis, then the axis."""
    other = np.array([1, 0, 0] if abs(axis[0]) < 0.8 else [0, 1, 0], np.float32)
    across = np.cross(axis, other)
    across /= np.linalg.norm(across)
    return np.stack([across, np.cross(axis, across), axis]).astype(np.float32)


@lru_cache(maxsize=8)
def _sphere(rings: int) -> tuple[Float[Floats, "n 3"], Int[Integers, "m 3"]]:
    """Return a unit ball of ``rings`` bands (odd, so that a band runs along the equator) and twice as many sectors."""
    sectors = 2 * rings
    polar = np.linspace(0, np.pi, rings + 1)[1:-1]
    turn = np.linspace(0, 2 * np.pi, sectors, endpoint=False)
    circle = np.stack([np.cos(turn), np.sin(turn)], 1)
    bands = [np.column_stack([circle * np.sin(p), np.full(sectors, np.cos(p))]) for p in polar]
    vertices = np.concatenate([[[0, 0, 1]], *bands, [[0, 0, -1]]]).astype(np.float32)
    sector, following = np.arange(sectors), (np.arange(sectors) + 1) % sectors
    triangles = [np.stack([np.zeros(sectors, int), 1 + sector, 1 + following], 1)]
    for band in range(len(polar) - 1):
        a, b = 1 + band * sectors, 1 + (band + 1) * sectors
        triangles.append(np.stack([a + sector, b + sector, b + following], 1))
        triangles.append(np.stack([a + sector, b + following, a + following], 1))
    last = 1 + (len(polar) - 1) * sectors
    triangles.append(np.stack([last + sector, np.full(sectors, len(vertices) - 1), last + following], 1))
    return vertices, np.concatenate(triangles).astype(np.int32)
