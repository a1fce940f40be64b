"""Incremental rendering of a table for the virtual camera: once, and then only where it changes.

Still parts are two pictures of samples, the lamp's light and the room's. Each moving body is a layer of its own: its
light, and the shadows that it casts around it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np
from jaxtyping import Float, Int

from calibration.arrays import Floats, Integers
from vision.simulation.arrays import FloatMap, LightImage
from vision.simulation.camera_view import Region, RenderCamera
from vision.simulation.lighting import ShadowFrame, shadow_map
from vision.simulation.meshes import Mesh
from vision.simulation.raster import rasterize
from vision.simulation.render import Renderer
from vision.simulation.shading import Body, BodyShader, Stage

SHADOW_PX_PER_MM = 1.5
LARGEST_HALF = 60_000.0
"""Clip just under the largest 16-bit float, since lamp reflections are far brighter than white."""

MOVING_LAMP_SAMPLES = 8
"""Points of the lamp that cast moving shadows."""

MAX_SHADOW_MM = 120.0
"""Longest moving shadow. Farther away it is too faint to be worth its pixels."""


@dataclass(frozen=True)
class Layer:
    """One moving body in the samples of a region: its light, its inverse depth, and the light it leaves.

    ``lamp`` and ``room`` (N, 3) and ``inverse_depth`` (N,) belong to the samples ``hit`` (N,). ``shares`` (H, W, 2) are
    the remaining shares of lamp and room light on the ground.
    """

    region: Region
    hit: Int[Integers, " n"]
    lamp: Float[Floats, "n 3"]
    room: Float[Floats, "n 3"]
    inverse_depth: Float[Floats, " n"]
    shares: Float[Floats, "height width 2"]


class RenderedTable:
    """The camera's incoming light, updated at little cost.

    Fine bodies are composed sample by sample. Coarse ones (hands) are drawn over the finished pixels.

    Args:
        stage: the still parts.
        view: the camera. Its lens gives the picture's size.
        samples: samples of a pixel each way.
    """

    def __init__(self, stage: Stage, view: RenderCamera, samples: int = 2) -> None:
        self.stage = stage
        self.view = view
        self._whole = Region(0, 0, view.lens.width_px, view.lens.height_px, samples)
        columns, rows = self._whole.samples_wh
        self._lamp = np.empty((rows, columns, 3), np.float16)
        self._room = np.empty((rows, columns, 3), np.float16)
        self._depth = np.empty((rows, columns), np.float32)
        self._render_static()
        self._fine: dict[str, Layer] = {}
        self._coarse: dict[str, Layer] = {}
        self._dirty: list[Region] = [self._whole]
        self._dirty_pixels: list[Region] = []
        size = (view.lens.height_px, view.lens.width_px, 3)
        self._fine_lamp, self._fine_room = np.zeros(size, np.float32), np.zeros(size, np.float32)
        self.lamp_light: Floats = np.zeros(size, np.float32)
        self.room_light: Floats = np.zeros(size, np.float32)

    def show(self, body: Body) -> None:
        """Put a body on the table, or move the one of that name."""
        self.hide(body.name)
        layer = self._layer(body)
        if layer is not None:
            (self._coarse if body.is_coarse else self._fine)[body.name] = layer
            (self._dirty_pixels if body.is_coarse else self._dirty).append(layer.region)

    def hide(self, name: str) -> None:
        """Take the body of that name off the table, if it is there."""
        for layers, dirty in ((self._fine, self._dirty), (self._coarse, self._dirty_pixels)):
            layer = layers.pop(name, None)
            if layer is not None:
                dirty.append(layer.region)

    def update(self) -> list[Region]:
        """Update ``lamp_light`` and ``room_light`` (H, W, 3). Return the regions that changed."""
        composed, self._dirty = _join(self._dirty), []
        for region in composed:
            self._compose(region)
        changed, self._dirty_pixels = _join([r._replace(samples=1) for r in composed] + self._dirty_pixels), []
        for region in changed:
            self._lay_over(region)
        return changed

    def _render_static(self) -> None:
        renderer = Renderer(self.stage, self.view, shadow_pixels_per_mm=SHADOW_PX_PER_MM)
        step = self._whole.samples
        for part, lamp, room, depth in renderer.strips(self._whole):
            rows = slice(part.top * step, (part.top + part.height) * step)
            self._lamp[rows] = np.minimum(lamp, LARGEST_HALF)
            self._room[rows] = np.minimum(room, LARGEST_HALF)
            self._depth[rows] = depth

    def _layer(self, body: Body) -> Layer | None:
        frame = self._shadow_frame(body)
        region = self._region(body.mesh, frame)
        if region is None:
            return None
        drawn = region._replace(samples=1) if body.is_coarse else region
        _, hits = rasterize(self.view, body.mesh, drawn)
        lamp, room = BodyShader(self.stage, self.view, (body,)).shade(hits)
        return Layer(drawn, hits.sample, lamp, room, hits.inverse_depth, self._shares(body, frame, drawn))

    def _shares(self, body: Body, frame: ShadowFrame, region: Region) -> Float[Floats, "height width 2"]:
        """Return the lamp and room light that the body leaves on table and tiles, per sample of the region."""
        hulls = body.mesh.parts()
        lighting = replace(self.stage.lighting, samples=min(self.stage.lighting.samples, MOVING_LAMP_SAMPLES))
        points, _ = self.view.plane_points(region, 0.0)
        shares = shadow_map(hulls, lighting, frame, 0.0).sample(points)
        board = self.stage.board
        raised, board_depth = self.view.plane_points(region, board.height_mm)
        on_tiles = shadow_map(hulls, lighting, frame, board.height_mm).sample(raised)
        # A sample at the depth of the tiles' tops shows them (or something on them, which is close enough).
        is_raised = self._depth_of(region) >= board_depth * 0.99999
        return np.where(is_raised[..., None], on_tiles, shares).astype(np.float32)

    def _compose(self, region: Region) -> None:
        """Compose still table and fine bodies, sample by sample, into pixels."""
        window = _within(region, self._whole)
        lamp, room = self._lamp[window].astype(np.float32), self._room[window].astype(np.float32)
        _apply(self._fine, region, lamp, room, self._depth_of(region))
        size, pixels = (region.width, region.height), region.pixels
        self._fine_lamp[pixels] = cv2.resize(lamp, size, interpolation=cv2.INTER_AREA)
        self._fine_room[pixels] = cv2.resize(room, size, interpolation=cv2.INTER_AREA)

    def _lay_over(self, region: Region) -> None:
        """Draw coarse bodies over the pixels of a region."""
        pixels = region.pixels
        lamp, room = self._fine_lamp[pixels].copy(), self._fine_room[pixels].copy()
        if self._coarse:
            _apply(self._coarse, region, lamp, room, self._depth_of(region))
        self.lamp_light[pixels], self.room_light[pixels] = lamp, room

    def _depth_of(self, region: Region) -> FloatMap:
        """Return the still table's inverse depth (H, W) at a region's own samples."""
        step = self._whole.samples // region.samples
        fine = region._replace(samples=self._whole.samples)
        return self._depth[_within(fine, self._whole)][::step, ::step].copy()

    def _shadow_frame(self, body: Body) -> ShadowFrame:
        """Return a map as large as the body's shadow, on the table and from the room's sides."""
        mesh, scale = body.mesh, SHADOW_PX_PER_MM / (3 if body.is_coarse else 1)
        lamp = np.array(self.stage.lighting.lamp_mm)
        low, high = mesh.vertices.min(0), mesh.vertices.max(0)
        middle, height = (low + high)[:2] / 2, float(high[2])
        away = middle - lamp[:2]
        length = min(MAX_SHADOW_MM, float(np.hypot(*away)) * height / max(20.0, float(lamp[2]) - height))
        thrown = away / max(float(np.hypot(*away)), 1e-6) * length
        margin = 4.0 + 0.9 * min(height, 60.0) * 0.5
        start = np.minimum(low[:2], low[:2] + thrown) - margin
        end = np.maximum(high[:2], high[:2] + thrown) + margin
        size = np.ceil((end - start) * scale).astype(int) // 2 * 2 + 2
        return ShadowFrame((float(start[0]), float(start[1])), (int(size[0]), int(size[1])), scale)

    def _region(self, mesh: Mesh, frame: ShadowFrame) -> Region | None:
        """Return the part of the picture that the body and its shadow can touch."""
        low = np.array(frame.low_mm)
        high = low + np.array(frame.size_wh) / frame.pixels_per_mm
        ground = [[x, y, 0.0] for x in (low[0], high[0]) for y in (low[1], high[1])]
        places = self.view.project(np.concatenate([mesh.vertices, np.array(ground)]))
        limit = np.array([self._whole.width, self._whole.height])
        start = np.clip(np.floor(places.min(0)) - 2, 0, limit).astype(int)
        end = np.clip(np.ceil(places.max(0)) + 3, 0, limit).astype(int)
        if (end <= start).any():
            return None
        width, height = (end - start).tolist()
        return Region(int(start[0]), int(start[1]), width, height, self._whole.samples)


def _apply(layers: Mapping[str, Layer], region: Region, lamp: LightImage, room: LightImage, depth: FloatMap) -> None:
    """Shadow a region's light by the layers, then draw the layers over it."""
    inside = [(layer, _overlap(layer.region, region)) for layer in layers.values()]
    for layer, common in inside:
        if common is not None:
            into, shares = _within(common, region), layer.shares[_within(common, layer.region)]
            lamp[into] *= shares[..., :1]
            room[into] *= shares[..., 1:]
    for layer, common in inside:
        if common is not None:
            _draw(layer, region, lamp, room, depth)


def _draw(layer: Layer, region: Region, lamp: LightImage, room: LightImage, depth: FloatMap) -> None:
    """Draw a layer's body where no sample of the region is nearer."""
    columns, _ = layer.region.samples_wh
    step = region.samples
    y, x = np.divmod(layer.hit, columns)
    x = x + (layer.region.left - region.left) * step
    y = y + (layer.region.top - region.top) * step
    width, height = region.samples_wh
    seen = (x >= 0) & (y >= 0) & (x < width) & (y < height)
    index = np.flatnonzero(seen)
    index = index[layer.inverse_depth[index] >= depth[y[index], x[index]] * 0.99999]
    rows, columns_hit = y[index], x[index]
    lamp[rows, columns_hit] = layer.lamp[index]
    room[rows, columns_hit] = layer.room[index]
    depth[rows, columns_hit] = layer.inverse_depth[index]


def _overlap(a: Region, b: Region) -> Region | None:
    left, top = max(a.left, b.left), max(a.top, b.top)
    right, bottom = min(a.left + a.width, b.left + b.width), min(a.top + a.height, b.top + b.height)
    if right <= left or bottom <= top:
        return None
    return Region(left, top, right - left, bottom - top, a.samples)


def _within(part: Region, whole: Region) -> tuple[slice, slice]:
    """Return rows and columns of samples of a part inside a larger region."""
    step = whole.samples
    top, left = (part.top - whole.top) * step, (part.left - whole.left) * step
    return slice(top, top + part.height * step), slice(left, left + part.width * step)


def _join(regions: list[Region]) -> list[Region]:
    """Return the same area with overlapping rectangles joined, so that nothing is composed twice."""
    joined: list[Region] = []
    for region in regions:
        current = region
        touching = [other for other in joined if _overlap(other, current)]
        while touching:
            for other in touching:
                joined.remove(other)
                current = _around(current, other)
            touching = [other for other in joined if _overlap(other, current)]
        joined.append(current)
    return joined


def _around(a: Region, b: Region) -> Region:
    left, top = min(a.left, b.left), min(a.top, b.top)
    right, bottom = max(a.left + a.width, b.left + b.width), max(a.top + a.height, b.top + b.height)
    return Region(left, top, right - left, bottom - top, a.samples)
