"""Render a scene in linear light through the real camera model.

Every sample looks at the table, at the top of a tile or at a body. For planes it is traced back through lens and pose
to its place. Bodies go through a z-buffer. Light comes from one lamp of finite size and from the room, both with
shadows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import cv2
import numpy as np
from jaxtyping import Float

from calibration.arrays import Floats
from vision.simulation.arrays import FloatMap, LightImage
from vision.simulation.camera_view import Region, RenderCamera
from vision.simulation.lighting import ShadowFrame, shadow_map
from vision.simulation.raster import Hits, covered_samples, rasterize
from vision.simulation.shading import Body, BodyShader, Stage
from vision.simulation.surfaces import Surface

STRIP_PX = 120
"""Rows rendered together: large enough for numpy, small enough for cache and memory."""

FIELD_STEP_MM = 12.0
"""Step of the map of unshadowed light. Lamps are far away, so the light is linear in between."""


class Renderer:
    """Renders one stage from one camera, with shadow and light maps cached between calls.

    Args:
        stage: table, bodies and light.
        view: the camera.
        bodies: the bodies to show, by default those of the stage.
        shadow_pixels_per_mm: resolution of shadows.
    """

    def __init__(
        self,
        stage: Stage,
        view: RenderCamera,
        *,
        bodies: Sequence[Body] | None = None,
        shadow_pixels_per_mm: float = 2.0,
    ) -> None:
        self.stage = stage
        self.view = view
        self.bodies = tuple(stage.bodies if bodies is None else bodies)
        self._shadow_pixels_per_mm = shadow_pixels_per_mm

    def picture(self, region: Region) -> LightImage:
        """Return the region's light (H, W, 3), blue-green-red, linear, averaged over the samples of each pixel."""
        strips = [
            cv2.resize(lamp + room, (region.width, part.height), interpolation=cv2.INTER_AREA)
            for part, lamp, room, _ in self.strips(region)
        ]
        return np.concatenate(strips).astype(np.float32)

    def strips(self, region: Region) -> Iterator[tuple[Region, LightImage, LightImage, FloatMap]]:
        """Yield the region strip by strip: its place, and its ``samples``."""
        for top in range(region.top, region.top + region.height, STRIP_PX):
            height = min(STRIP_PX, region.top + region.height - top)
            part = region._replace(top=top, height=height)
            yield part, *self.samples(part)

    def samples(self, region: Region) -> tuple[LightImage, LightImage, FloatMap]:
        """Return the lamp's and the room's light (H, W, 3) and the inverse depth (H, W) of every sample."""
        lamp, room, depth = self._planes(region)
        if self.bodies:
            _, hits = rasterize(self.view, self.shader.mesh, region)
            nearer = hits.inverse_depth >= depth.ravel()[hits.sample] * 0.99999
            hits = Hits(hits.sample[nearer], hits.face[nearer], hits.weights[nearer], hits.inverse_depth[nearer])
            lamp.reshape(-1, 3)[hits.sample], room.reshape(-1, 3)[hits.sample] = self.shader.shade(hits)
            depth.reshape(-1)[hits.sample] = hits.inverse_depth
        return lamp, room, depth

    def visible_shares(self, region: Region) -> Mapping[str, float]:
        """Return the visible share of each body, 0 to 1, and 0 for a body outside the region."""
        if not self.bodies:
            return {}
        _, hits = rasterize(self.view, self.shader.mesh, region)
        owner = self.shader.body_of_face[hits.face]
        shares: dict[str, float] = {}
        for index, body in enumerate(self.bodies):
            alone = len(covered_samples(self.view, body.mesh, region))
            shares[body.name] = float(np.count_nonzero(owner == index)) / alone if alone else 0.0
        return shares

    @cached_property
    def shader(self) -> BodyShader:
        """The shader of the bodies, for at least one body."""
        return BodyShader(self.stage, self.view, self.bodies)

    @cached_property
    def shadows(self) -> tuple[Surface, Surface]:
        """Shadow maps of the table and of the tiles' tops."""
        hulls = [part for body in self.bodies for part in body.mesh.parts()]
        frame = shadow_frame(self.stage, self._shadow_pixels_per_mm)
        low, high = 0.0, self.stage.board.height_mm
        return (
            shadow_map(hulls, self.stage.lighting, frame, low),
            shadow_map(hulls, self.stage.lighting, frame, high),
        )

    @cached_property
    def light_field(self) -> Surface:
        """Unshadowed lamp light, and the shine of table and tiles, as three channels over the whole table."""
        top = self.stage.table_top
        reach = float(np.hypot(*top.size_mm)) / 2 + 200
        steps = np.arange(-reach, reach, FIELD_STEP_MM) + FIELD_STEP_MM / 2
        x, y = np.meshgrid(steps + top.center_mm[0], steps + top.center_mm[1])
        points = np.dstack([x, y, np.zeros_like(x)])
        lighting, eye = self.stage.lighting, self.view.center_mm
        lamp = lighting.falloff(points)
        table = self.stage.table_gloss * lamp * lighting.highlight(points, eye, 90.0)
        strength, sharpness = self.stage.print_gloss
        tiles = strength * lamp * lighting.highlight(points, eye, sharpness)
        origin = (top.center_mm[0] - reach, top.center_mm[1] - reach)
        return Surface(np.dstack([lamp, table, tiles]), origin, 1 / FIELD_STEP_MM)

    def _planes(self, region: Region) -> tuple[LightImage, LightImage, FloatMap]:
        """Return lamp and room light and inverse depth of table and tiles, as if without bodies."""
        points, depth = self.view.plane_points(region, 0.0)
        albedo = self.stage.table_top.sample(points)
        lamp_share, room_share, shine = self._light(points, 0)
        window = self.stage.ground.window(points)
        if _is_open(window):
            flat = self.stage.ground.sample(points[window])
            albedo[window] = albedo[window] * (1 - flat[..., 3:]) + flat[..., :3]
            # Paper and cardboard shine less than the table under them.
            shine[window] *= 1 - 0.85 * flat[..., 3:]
        lighting = self.stage.lighting
        lamp = (albedo * lamp_share + shine) * np.array(lighting.lamp_bgr, np.float32)
        room = albedo * room_share * np.array(lighting.room_bgr, np.float32)
        self._lay_board(region, lamp, room, depth)
        return lamp, room, depth

    def _lay_board(self, region: Region, lamp: LightImage, room: LightImage, depth: FloatMap) -> None:
        board, lighting = self.stage.board, self.stage.lighting
        points, board_depth = self.view.plane_points(region, board.height_mm)
        window = board.window(points)
        if not _is_open(window):
            return
        inner = np.ascontiguousarray(points[window])
        tile = board.sample(inner)
        color, opacity = tile[..., :3], tile[..., 3:]
        lamp_share, room_share, shine = self._light(inner, 1)
        lit = (color * lamp_share + opacity * shine) * np.array(lighting.lamp_bgr, np.float32)
        lamp[window] = lamp[window] * (1 - opacity) + lit
        # Lit things nearby reflect some light into shadows. Print reflects some in every colour.
        shared = room_share + self.stage.bounce * (1 - room_share)
        room_light = color * shared + opacity * (self.stage.print_veil * room_share)
        room[window] = room[window] * (1 - opacity) + room_light * np.array(lighting.room_bgr, np.float32)
        depth[window] = np.where(opacity[..., 0] > 0.5, board_depth[window], depth[window])

    def _light(
        self, points: Float[Floats, "height width 2"], plane: int
    ) -> tuple[Float[Floats, "height width 1"], Float[Floats, "height width 1"], Float[Floats, "height width 1"]]:
        """Return the shares (H, W, 1) of lamp and room light that reach a plane, and its specular share."""
        shares = np.ones((*points.shape[:2], 2), np.float32)
        window = self.shadows[plane].window(points)
        if _is_open(window):
            shares[window] = self.shadows[plane].sample(np.ascontiguousarray(points[window]))
        field = self.light_field.sample(points)
        lamp = shares[..., :1] * field[..., :1]
        return lamp, shares[..., 1:], shares[..., :1] * field[..., 1 + plane : 2 + plane]


def shadow_frame(stage: Stage, pixels_per_mm: float) -> ShadowFrame:
    """Return the part of the table with shadows: all raised bodies and the length of their shadows."""
    points = np.concatenate([body.mesh.vertices for body in stage.bodies] or [np.zeros((1, 3), np.float32)])
    lamp = np.array(stage.lighting.lamp_mm)
    slope = float(np.hypot(*(lamp[:2] - stage.lighting.target_mm)) / max(lamp[2], 1.0))
    reach = 15.0 + min(250.0, float(points[:, 2].max()) * (slope + 0.4))
    low, high = points[:, :2].min(0) - reach, points[:, :2].max(0) + reach
    size = np.minimum((high - low) * pixels_per_mm, 2400).astype(int) // 2 * 2 + 2
    return ShadowFrame((float(low[0]), float(low[1])), (int(size[0]), int(size[1])), pixels_per_mm)


def _is_open(window: tuple[slice, slice]) -> bool:
    return bool(window[0].stop > window[0].start)
