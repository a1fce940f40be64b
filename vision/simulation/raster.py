"""A z-buffer in numpy: find the triangle that each sample of a region sees, and the place on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from jaxtyping import Float, Int

from calibration.arrays import Floats, Integers
from vision.simulation.camera_view import Region
from vision.simulation.meshes import Mesh

FRAGMENTS_AT_ONCE = 400_000
"""Candidate samples tested together, in arrays that fit the cache. Three million take half as long again."""


class Projector(Protocol):
    """An eye: a camera, or a lamp that casts shadows."""

    @property
    def center_mm(self) -> Float[Floats, " 3"]: ...

    def project(self, points_mm: Float[Floats, "n 3"]) -> Float[Floats, "n 2"]: ...

    def camera_points(self, points_mm: Float[Floats, "n 3"]) -> Float[Floats, "n 3"]:
        """Return points in the eye's own axes, depth last."""
        ...


@dataclass(frozen=True)
class Projected:
    """A mesh in a view: sample places (N, 2), inverse depths (N,) and the triangles that face the eye."""

    places: Float[Floats, "vertices 2"]
    inverse_depth: Float[Floats, " vertices"]
    triangles: Int[Integers, "n 3"]
    faces: Int[Integers, " n"]


@dataclass(frozen=True)
class Hits:
    """Hits of samples: sample index (row-major in the region), face, barycentric weights (N, 3), inverse depth."""

    sample: Int[Integers, " n"]
    face: Int[Integers, " n"]
    weights: Float[Floats, "n 3"]
    inverse_depth: Float[Floats, " n"]


def project_mesh(view: Projector, mesh: Mesh, region: Region) -> Projected:
    """Return the mesh in the region's samples, without faces that look away or lie outside."""
    vertices = mesh.vertices.astype(float)
    depth = view.camera_points(vertices)[:, 2]
    places = region.samples_from_image(view.project(vertices))
    corners = vertices[mesh.triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    stored = mesh.normals[mesh.triangles].sum(1)
    normals *= np.sign(np.einsum("ij,ij->i", normals, stored))[:, None]
    facing = np.einsum("ij,ij->i", normals, view.center_mm - corners[:, 0]) > 0
    facing &= (depth[mesh.triangles] > 1.0).all(1)
    spots = places[mesh.triangles]
    columns, rows = region.samples_wh
    inside = (spots.max(1) >= -0.5).all(1) & (spots[..., 0].min(1) <= columns) & (spots[..., 1].min(1) <= rows)
    faces = np.flatnonzero(facing & inside).astype(np.int32)
    return Projected(places, 1 / np.maximum(depth, 1e-3), mesh.triangles[faces], faces)


def rasterize(view: Projector, mesh: Mesh, region: Region) -> tuple[Float[Floats, " samples"], Hits]:
    """Return the inverse-depth buffer (H * W,) of a region and the nearest hit of each sample that sees the mesh."""
    seen = project_mesh(view, mesh, region)
    columns, rows = region.samples_wh
    buffer = np.zeros(columns * rows, np.float32)
    winner = np.full(columns * rows, -1, np.int32)
    for sample, face, inverse_depth in _fragments(seen, region):
        np.maximum.at(buffer, sample, inverse_depth)
        nearest = inverse_depth >= buffer[sample]
        winner[sample[nearest]] = face[nearest]
    sample = np.flatnonzero(winner >= 0)
    face = winner[sample]
    weights, inverse_depth = _weights(seen, region, face, sample)
    return buffer, Hits(sample, seen.faces[face], weights, inverse_depth)


def covered_samples(view: Projector, mesh: Mesh, region: Region) -> Int[Integers, " n"]:
    """Return the samples that see the mesh if nothing stands before it."""
    seen = project_mesh(view, mesh, region)
    found = [sample for sample, _, _ in _fragments(seen, region)]
    return np.unique(np.concatenate(found)) if found else np.zeros(0, np.int64)


@dataclass(frozen=True)
class _Planes:
    """Each triangle's box of samples, and linear functions (N, 3) of the place in the box.

    A function's numbers are its step in x, its step in y and its value at the box's first sample.
    """

    low: Int[Integers, "n 2"]
    extent: Int[Integers, "n 2"]
    second: Float[Floats, "n 3"]
    third: Float[Floats, "n 3"]
    inverse_depth: Float[Floats, "n 3"]


def _planes(seen: Projected, region: Region) -> _Planes:
    columns, rows = region.samples_wh
    spots = seen.places[seen.triangles]
    low = np.maximum(np.ceil(spots.min(1)), 0).astype(np.int64)
    high = np.minimum(np.floor(spots.max(1)), (columns - 1, rows - 1)).astype(np.int64)
    (ab, ac), start = (spots[:, 1:] - spots[:, :1]).transpose(1, 0, 2), low - spots[:, 0]
    area = ab[:, 0] * ac[:, 1] - ab[:, 1] * ac[:, 0]
    area = np.where(np.abs(area) < 1e-9, np.inf, area)
    second = np.stack([ac[:, 1], -ac[:, 0]], 1) / area[:, None]
    third = np.stack([-ab[:, 1], ab[:, 0]], 1) / area[:, None]
    depths = seen.inverse_depth[seen.triangles]
    slope = second * (depths[:, 1] - depths[:, 0])[:, None] + third * (depths[:, 2] - depths[:, 0])[:, None]
    # A triangle seen edge-on has no inside. Its functions are 0 and its box is empty.
    extent = np.where(np.isinf(area)[:, None], 0, np.maximum(high - low + 1, 0))
    return _Planes(
        low,
        extent,
        _affine(second, (second * start).sum(1)),
        _affine(third, (third * start).sum(1)),
        _affine(slope, depths[:, 0] + (slope * start).sum(1)),
    )


def _affine(slope: Float[Floats, "n 2"], value: Float[Floats, " n"]) -> Float[Floats, "n 3"]:
    return np.column_stack([slope, value]).astype(np.float32)


def _fragments(
    seen: Projected, region: Region
) -> Iterator[tuple[Int[Integers, " _n"], Int[Integers, " _n"], Float[Floats, " _n"]]]:
    """Yield samples inside triangles with the triangle's index and inverse depth, chunk by chunk."""
    columns = region.samples_wh[0]
    planes = _planes(seen, region)
    index, dy, first, counts = _spans(planes)
    ends = np.cumsum(counts)
    start = 0
    while start < len(counts):
        base = ends[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, base + FRAGMENTS_AT_ONCE, side="right")))
        chosen = slice(start, stop)
        span = np.repeat(np.arange(start, stop), counts[chosen])
        dx = np.arange(len(span)) - np.repeat(ends[chosen] - counts[chosen] - base, counts[chosen]) + first[span]
        face, row = index[span], dy[span]
        sample = (planes.low[face, 1] + row) * columns + planes.low[face, 0] + dx
        yield sample, face, _value(planes.inverse_depth[face], dx, row)
        start = stop


def _spans(
    planes: _Planes,
) -> tuple[Int[Integers, " n"], Int[Integers, " n"], Int[Integers, " n"], Int[Integers, " n"]]:
    """Return runs of samples in triangles: triangle, row in its box, first column, and number of samples."""
    rows = planes.extent[:, 1] * (planes.extent[:, 0] > 0)
    index = np.repeat(np.arange(len(rows), dtype=np.int32), rows)
    dy = np.arange(len(index)) - np.repeat(np.cumsum(rows) - rows, rows)
    low, high = np.zeros(len(index)), (planes.extent[index, 0] - 1).astype(float)
    first_weight = np.array([0, 0, 1], np.float32) - planes.second - planes.third
    for weight in (first_weight, planes.second, planes.third):
        slope, rest = weight[index, 0].astype(float), weight[index, 1] * dy + weight[index, 2] + 1e-5
        with np.errstate(divide="ignore", invalid="ignore"):
            crossing = -rest / slope
        low = np.where(slope > 0, np.maximum(low, crossing), low)
        high = np.where(slope < 0, np.minimum(high, crossing), high)
        # A side along the row is either outside everywhere or irrelevant.
        high = np.where((slope == 0) & (rest < 0), -1.0, high)
    first = np.ceil(low)
    counts = np.maximum(np.floor(high) - first + 1, 0).astype(np.int64)
    kept = counts > 0
    return index[kept], dy[kept], first[kept].astype(np.int64), counts[kept]


def _value(function: Float[Floats, "n 3"], dx: Int[Integers, " n"], dy: Int[Integers, " n"]) -> Float[Floats, " n"]:
    value: Floats = function[:, 0] * dx.astype(np.float32) + function[:, 1] * dy.astype(np.float32) + function[:, 2]
    return value


def _weights(
    seen: Projected, region: Region, index: Int[Integers, " n"], sample: Int[Integers, " n"]
) -> tuple[Float[Floats, "n 3"], Float[Floats, " n"]]:
    """Return barycentric weights on the triangle in space (perspective undone), and the inverse depth."""
    planes = _planes(seen, region)
    y, x = np.divmod(sample, region.samples_wh[0])
    dx, dy = x - planes.low[index, 0], y - planes.low[index, 1]
    second, third = _value(planes.second[index], dx, dy), _value(planes.third[index], dx, dy)
    scaled = np.stack([1 - second - third, second, third], 1) * seen.inverse_depth[seen.triangles[index]]
    inverse_depth = scaled.sum(1)
    return (scaled / inverse_depth[:, None]).astype(np.float32), inverse_depth.astype(np.float32)
