"""Build the renderer's stage from a skirmish: models on their bases, terrain of any shape, markers, cards."""

from __future__ import annotations

import math

import numpy as np
from jaxtyping import Float

from assistant.table.camera import PointMm
from assistant.table.free_table import Terrain
from calibration.arrays import Floats
from calibration.color import light_from_hex
from vision.simulation import flat_prints, table_tops
from vision.simulation.arrays import Generator
from vision.simulation.figures import BASE_HEIGHT_MM, figure_mesh
from vision.simulation.free_placing import card_picture
from vision.simulation.free_scene import FreeScene, PlacedModel
from vision.simulation.meshes import Color, Mesh, merge_meshes, slab
from vision.simulation.scene import rectangle
from vision.simulation.shading import Body, Stage
from vision.simulation.surfaces import Surface, TableTop, blank_surface, lay

MARK_HALF_DEG = 11.0
"""Half width of the facing mark on a rim, two brush widths."""

EDGE_MM = 90.0
"""Border of the table round the playing area."""

TEXELS_PER_MM = 3.0


def build_free_stage(scene: FreeScene) -> Stage:
    """Return the scene's table, markers, terrain, models and light."""
    rng = np.random.default_rng([scene.seed, 78])
    ground = _ground(rng, scene)
    return Stage(
        table_top=_table_top(rng, scene),
        table_gloss=table_tops.TABLE_GLOSS.get(scene.table_top, 0.0),
        ground=ground,
        board=blank_surface(ground.origin_mm, (ground.origin_mm[0] + 4, ground.origin_mm[1] + 4), 1.0, 0.0),
        bodies=(*_terrain_bodies(scene), *(model_body(scene, placed) for placed in scene.figures)),
        lighting=scene.lighting,
    )


def model_body(scene: FreeScene, placed: PlacedModel, *, lifted_mm: float = 0.0, at_mm: PointMm | None = None) -> Body:
    """Return one model in its place, or lifted and moved, with a mark on its rim for the facing."""
    figure = placed.figure
    mesh = figure_mesh(figure, scene.looks[figure.kind], placed.pose_seed)
    if figure.mark:
        mesh = merge_meshes([mesh, _mark(placed, scene.looks[figure.kind].rim_mm)])
    x, y = at_mm or placed.center_mm
    moved = mesh.moved(yaw_rad=math.radians(placed.turn_deg), offset_mm=(x, y, placed.elevation_mm + lifted_mm))
    return Body(f"figure:{figure.id}", moved)


def _mark(placed: PlacedModel, rim_mm: float) -> Mesh:
    """Return the painted mark of the rim, slightly above it, on the facing side, along x."""
    figure = placed.figure
    color = light_from_hex(figure.mark or "#ffffff")
    if figure.base_shape == "round":
        radius = figure.base_mm / 2 + 0.05
        angles = np.radians([-MARK_HALF_DEG, 0.0, MARK_HALF_DEG])
        outer = radius * np.column_stack([np.cos(angles), np.sin(angles)])
        inner = outer[[2, 0]] * ((radius - rim_mm) / radius)
        outline = np.concatenate([outer, inner])
    else:
        half, wide = figure.base_size_mm[0] / 2 + 0.05, figure.base_size_mm[1] * 0.12
        outline = np.array([[half, -wide], [half, wide], [half - rim_mm, wide], [half - rim_mm, -wide]])
    return slab(np.asarray(outline, np.float32), (0, 0, 0), BASE_HEIGHT_MM + 0.05, top=color, side=color)


def _terrain_bodies(scene: FreeScene) -> tuple[Body, ...]:
    """Return walls and cover as upright prisms."""
    solid = (piece for piece in scene.terrain if piece.kind in ("wall", "cover"))
    return tuple(Body(f"terrain:{piece.id}", _prism(piece, scene.paints[piece.id]), None, 0.05) for piece in solid)


def _prism(piece: Terrain, color: Color) -> Mesh:
    """Return a piece of terrain as a body. Its outline must be star-shaped round the mean of its corners."""
    outline = corners_of(piece)
    middle = outline.mean(axis=0)
    side: Color = (color[0] * 0.75, color[1] * 0.75, color[2] * 0.75)
    wedges = [np.array([middle, outline[i], outline[(i + 1) % len(outline)]], np.float32) for i in range(len(outline))]
    return merge_meshes([slab(wedge, (0, 0, 0), float(piece.height_mm), top=color, side=side) for wedge in wedges])


def corners_of(piece: Terrain) -> Float[Floats, "n 2"]:
    """Return the corners of an outline, (N, 2), millimetres."""
    return np.array([[float(x), float(y)] for x, y in piece.outline_mm])


def _table_top(rng: Generator, scene: FreeScene) -> TableTop:
    image = {**table_tops.TABLE_TOPS, **table_tops.CLOTHS}[scene.table_top](rng)
    width, depth = scene.size_mm
    floor = (np.array([0.02, 0.025, 0.03]) * rng.uniform(0.3, 4)).tolist()
    return TableTop(
        image,
        pixels_per_mm=float(rng.uniform(1.6, 2.4)),
        turn_rad=float(rng.integers(4)) * np.pi / 2,
        center_mm=(width / 2, depth / 2),
        size_mm=(max(width, depth) + 2 * EDGE_MM, max(width, depth) + 2 * EDGE_MM),
        floor_bgr=(floor[0], floor[1], floor[2]),
    )


def _ground(rng: Generator, scene: FreeScene) -> Surface:
    """Return flat things: markers, difficult ground, gaps and cards."""
    surface = blank_surface((-EDGE_MM, -EDGE_MM), (scene.size_mm[0] + EDGE_MM, scene.size_mm[1] + EDGE_MM),
                            TEXELS_PER_MM, 0.0)  # fmt: skip
    for piece in scene.terrain:
        if piece.kind in ("difficult", "gap"):
            _lay_ground(rng, surface, piece, scene.paints[piece.id])
    for card in scene.cards:
        lay(surface, card_picture(card, TEXELS_PER_MM), rectangle(card.center_mm, card.size_mm, card.turn_deg))
    for picture, corners in flat_prints.marker_sheets(scene.markers, scene.marker_margins_mm, TEXELS_PER_MM):
        lay(surface, picture, corners)
    return surface


def _lay_ground(rng: Generator, surface: Surface, piece: Terrain, color: Color) -> None:
    """Draw a mat with a ragged look, or a dark hole, in the piece's outline."""
    outline = corners_of(piece)
    low, high = outline.min(axis=0), outline.max(axis=0)
    width, height = np.ceil((high - low) * TEXELS_PER_MM).astype(int).tolist()
    mask = flat_prints.filled((outline - low) * TEXELS_PER_MM, (width, height))
    grain = np.repeat(rng.uniform(0.7, 1.3, (height // 4 + 1, width // 4 + 1)), 4, 0).repeat(4, 1)[:height, :width]
    tones = np.array(color, np.float32) * grain[..., None].astype(np.float32)
    picture = np.dstack([tones * mask[..., None], mask]).astype(np.float32)
    lay(surface, picture, np.array([low, [high[0], low[1]], high, [low[0], high[1]]]))
