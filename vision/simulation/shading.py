"""Light the bodies of a stage: lamp with cast shadows, room, a satin shine, sculpted detail."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from jaxtyping import Bool, Float, Int

from calibration.arrays import Flags, Floats, Integers
from vision.simulation.arrays import LightImage
from vision.simulation.camera_view import Region, RenderCamera
from vision.simulation.finish import AS_NEW
from vision.simulation.lighting import Lighting
from vision.simulation.meshes import Mesh, merge_meshes
from vision.simulation.raster import Hits, rasterize
from vision.simulation.surfaces import Surface, TableTop, remap


@dataclass(frozen=True)
class Body:
    """A mesh on the table. ``texture`` (H, W, 3), linear, covers its textured faces.

    A coarse one, such as a moving hand, is shaded without sculpted detail and self-shadows.
    """

    name: str
    mesh: Mesh
    texture: LightImage | None = None
    gloss: float = 0.12
    is_coarse: bool = False


@dataclass(frozen=True)
class Stage:
    """Everything in the picture: the table, flat things on it, the tiles' tops, the bodies and the light.

    ``print_gloss``, ``print_veil`` and ``bounce`` are those of ``Finish``.
    """

    table_top: TableTop
    table_gloss: float
    ground: Surface
    board: Surface
    bodies: tuple[Body, ...]
    lighting: Lighting
    print_gloss: tuple[float, float] = AS_NEW.gloss
    print_veil: float = 0.0
    bounce: float = 0.0

    def without(self, names: frozenset[str]) -> tuple[Body, ...]:
        """Return the bodies except the named ones."""
        return tuple(body for body in self.bodies if body.name not in names)


DEPTH_MAP_PX_PER_MM, MAX_DEPTH_MAP_SIDE = 4.0, 1400
SHADOW_BIAS_MM = 0.9
"""Bias against the steps of the lamp's depth map on slanted surfaces. Less gives stripes on round bodies."""

FOLDS_PER_MM = np.array(
    [[1.1, 0.4, 0.7], [-0.5, 1.2, 0.9], [0.8, -0.9, 1.3], [2.1, 1.7, -0.6], [-1.9, 0.8, 1.6]], np.float32
)
"""Directions and pitch of the waves that roughen bodies, like sculpted cloth, fur and muscle at 3 to 6 mm."""


@dataclass(frozen=True)
class LampView:
    """The lamp as an eye that looks at the middle of the scene, for its depth map."""

    lamp_mm: tuple[float, float, float]
    target_mm: tuple[float, float, float]
    reach_mm: float

    @cached_property
    def side_px(self) -> int:
        """Rows and columns of the depth map."""
        return min(MAX_DEPTH_MAP_SIDE, 16 + round(2 * self.reach_mm * DEPTH_MAP_PX_PER_MM))

    @cached_property
    def center_mm(self) -> Float[Floats, " 3"]:
        return np.array(self.lamp_mm)

    @cached_property
    def _axes(self) -> Float[Floats, "3 3"]:
        forward = np.array(self.target_mm) - self.center_mm
        forward /= np.linalg.norm(forward)
        other = np.array([1.0, 0, 0]) if abs(forward[0]) < 0.9 else np.array([0, 1.0, 0])
        across = np.cross(forward, other)
        across /= np.linalg.norm(across)
        return np.stack([across, np.cross(forward, across), forward])

    def camera_points(self, points_mm: Float[Floats, "n 3"]) -> Float[Floats, "n 3"]:
        """Return points along the lamp's own axes, depth last."""
        local: Floats = (np.asarray(points_mm, float) - self.center_mm) @ self._axes.T
        return local

    def project(self, points_mm: Float[Floats, "n 3"]) -> Float[Floats, "n 2"]:
        """Return places in the depth map."""
        local = self.camera_points(points_mm)
        distance = np.linalg.norm(np.array(self.target_mm) - self.center_mm)
        scale = self.side_px / 2 / self.reach_mm * distance
        return local[:, :2] / np.maximum(local[:, 2:], 1.0) * scale + self.side_px / 2


class LampDepth:
    """Depth map of the scene's bodies from the lamp."""

    def __init__(self, mesh: Mesh, lamp_mm: tuple[float, float, float]) -> None:
        middle = (mesh.vertices.min(0) + mesh.vertices.max(0)) / 2
        reach = float(np.linalg.norm(mesh.vertices - middle, axis=1).max()) * 1.1
        self._view = LampView(lamp_mm, (*map(float, middle),), reach)  # type: ignore[arg-type]
        self._side = self._view.side_px
        region = Region(0, 0, self._side, self._side)
        buffer, _ = rasterize(self._view, mesh, region)
        self._depth = np.where(buffer > 0, 1 / np.maximum(buffer, 1e-6), 1e9).reshape(self._side, -1)

    def lit(self, points_mm: Float[Floats, "n 3"]) -> Float[Floats, " n"]:
        """Return the lit share (N,) of a small neighbourhood in the map."""
        depth = self._view.camera_points(points_mm)[:, 2]
        places = self._view.project(points_mm)
        total = np.zeros(len(points_mm), np.float32)
        steps = (-1, 0, 1)
        for dx in steps:
            for dy in steps:
                column = np.clip(np.round(places[:, 0]).astype(int) + dx, 0, self._side - 1)
                row = np.clip(np.round(places[:, 1]).astype(int) + dy, 0, self._side - 1)
                total += depth <= self._depth[row, column] + SHADOW_BIAS_MM
        return total / len(steps) ** 2


class BodyShader:
    """Lights the bodies of a stage for one camera.

    Args:
        stage: their light, and the height of the tiles.
        view: the camera.
        bodies: the bodies, at least one.
    """

    def __init__(self, stage: Stage, view: RenderCamera, bodies: tuple[Body, ...]) -> None:
        self._stage = stage
        self._view = view
        self._bodies = bodies
        self._is_coarse = all(body.is_coarse for body in bodies)

    @cached_property
    def mesh(self) -> Mesh:
        """All bodies as one mesh."""
        return merge_meshes([body.mesh for body in self._bodies])

    @cached_property
    def body_of_face(self) -> Int[Integers, " faces"]:
        """The index of the body of each mesh face."""
        counts = [len(body.mesh.triangles) for body in self._bodies]
        return np.repeat(np.arange(len(counts), dtype=np.int32), counts)

    @cached_property
    def _lamp_depth(self) -> LampDepth:
        return LampDepth(self.mesh, self._stage.lighting.lamp_mm)

    def shade(self, hits: Hits) -> tuple[Float[Floats, "n 3"], Float[Floats, "n 3"]]:
        """Return the lamp's and the room's light on samples that hit a body."""
        mesh, lighting = self.mesh, self._stage.lighting
        if not len(hits.sample):
            return np.zeros((0, 3), np.float32), np.zeros((0, 3), np.float32)
        corners = mesh.triangles[hits.face]
        owner = self.body_of_face[hits.face]
        points = _blend(mesh.vertices, corners, hits.weights)
        normals = _blend(mesh.normals, corners, hits.weights)
        if not self._is_coarse:
            normals = _sculpt(normals, points, _is_round(mesh.normals, corners))
        albedo = self._albedo(hits, _blend(mesh.colors_bgr, corners, hits.weights), corners)
        height = points[:, 2] - self._stage.board.height_mm
        # Low parts are close to the tile and to one another, so less room light reaches them.
        openness = (0.62 + 0.38 * np.clip(height / 18, 0, 1)) * (0.58 + 0.42 * normals[:, 2])
        openness = openness + self._stage.bounce * (1 - openness)
        room = albedo * openness[:, None] * np.array(lighting.room_bgr, np.float32)
        direct = lighting.falloff(points, normals)
        if not self._is_coarse:
            direct = direct * self._lamp_depth.lit(points)
        shine = lighting.highlight(points, self._view.center_mm, 22.0, normals)
        gloss = np.array([body.gloss for body in self._bodies], np.float32)[owner]
        reflected = (albedo + (gloss * shine)[:, None]) * direct[:, None]
        lamp = reflected * np.array(lighting.lamp_bgr, np.float32)
        return lamp.astype(np.float32), room.astype(np.float32)

    def _albedo(self, hits: Hits, colors: Float[Floats, "n 3"], corners: Int[Integers, "n 3"]) -> Float[Floats, "n 3"]:
        """Return vertex colours, or textures for textured faces."""
        uv = _blend(self.mesh.uv, corners, hits.weights)
        owner = self.body_of_face[hits.face]
        printed = ~np.isnan(uv[:, 0])
        for index in np.unique(owner[printed]):
            texture = self._bodies[index].texture
            if texture is not None:
                chosen = printed & (owner == index)
                colors[chosen] = _textured(texture, uv[chosen])
        return colors


def _blend(
    values: Float[Floats, "vertices k"], corners: Int[Integers, "n 3"], weights: Float[Floats, "n 3"]
) -> Float[Floats, "n k"]:
    blended: Floats = np.einsum("nk,nkc->nc", weights, values[corners])
    return blended


def _is_round(normals: Float[Floats, "vertices 3"], corners: Int[Integers, "n 3"]) -> Bool[Flags, " n"]:
    """Return whether a triangle's corners have different normals. Flat faces stay flat."""
    first, second, third = (normals[corners[:, k]] for k in range(3))
    return np.asarray((np.abs(first - second) + np.abs(first - third)).sum(1) > 1e-3)


def _sculpt(
    normals: Float[Floats, "n 3"], points: Float[Floats, "n 3"], is_round: Bool[Flags, " n"]
) -> Float[Floats, "n 3"]:
    waves = np.cos(points @ FOLDS_PER_MM.T) @ FOLDS_PER_MM
    bent = normals + np.where(is_round[:, None], 0.07 * waves, 0)
    bent /= np.maximum(np.linalg.norm(bent, axis=1, keepdims=True), 1e-6)
    return np.asarray(bent, np.float32)


def _textured(texture: LightImage, uv: Float[Floats, "n 2"]) -> Float[Floats, "n 3"]:
    height, width = texture.shape[:2]
    places = (uv * (width, height) - 0.5).astype(np.float32)
    # cv2.remap takes at most 32767 columns, so fold the list into rows.
    padded = np.resize(places, (-(-len(places) // 4096), 4096, 2))
    sampled = remap(texture, padded, cv2.BORDER_REPLICATE)
    return np.asarray(sampled.reshape(-1, 3)[: len(places)], np.float32)
