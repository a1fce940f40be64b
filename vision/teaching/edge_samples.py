"""Simulated boards seen from above in white light, with what is printed on every edge: samples for the line reader.

Half of the pictures show one tile alone, as it is laid down to be taught; the others show whole boards with figures.
Part of the art is made darker, redder and dirtier than the simulation's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.random import Generator

from assistant.table.board import EdgeKind
from assistant.table.lattice import Cell, Edge, sides
from calibration.pose import CameraView
from vision.images import BgrImage, Numbers
from vision.paper_light import paper_light
from vision.photo import decode_photo
from vision.rectify import PlaneFrame, rectify
from vision.simulation.camera_effects import encoded, photograph
from vision.simulation.camera_view import Region
from vision.simulation.compose import random_scene
from vision.simulation.render import Renderer
from vision.simulation.scene import Bucket, Scene, on_table
from vision.simulation.stage_setup import build_stage
from vision.simulation.tile_art import PrintedTiles, random_tiles
from vision.teaching.edge_network import KINDS
from vision.teaching.edge_patches import CELL_PX
from vision.teaching.flat_boards import lay_board, photographed

MARGIN_CELLS = 2
"""Table round the board that belongs to a sample."""


_BUCKETS: tuple[Bucket, ...] = ("easy", "normal", "normal", "hard")


@dataclass(frozen=True, eq=False)
class BoardSample:
    """One board from above, and its edges.

    Args:
        image: the picture along the lattice at ``CELL_PX``, blue-green-red bytes.
        first: the lattice point in its upper left corner.
        edges: every edge of every cell.
        labels: for each edge its kind's number in ``KINDS``, then whether its first and second cell has the dashed
            outline of difficult ground on this edge, then whether its first and second cell is a tile's; (N, 5).
    """

    image: BgrImage
    first: Cell
    edges: tuple[Edge, ...]
    labels: Numbers


def rendered_sample(seed: int) -> BoardSample:
    """The sample of that seed, photographed by the simulated camera among its markers."""
    rng = np.random.default_rng([seed, 505])
    scene = _scene(seed, rng)
    photo = _photo(scene, rng)
    view = CameraView(scene.view.lens, scene.view.rotation_vector, scene.view.translation_mm, 0.1, ())
    columns, rows = [c for c, _ in scene.cells], [r for _, r in scene.cells]
    first = (min(columns) - MARGIN_CELLS, min(rows) - MARGIN_CELLS)
    size_wh = (
        (max(columns) + 1 + MARGIN_CELLS - first[0]) * CELL_PX,
        (max(rows) + 1 + MARGIN_CELLS - first[1]) * CELL_PX,
    )
    x, y = on_table(scene.grid, np.array([first], dtype=np.float64))[0].tolist()
    frame = PlaneFrame((x, y), scene.grid.angle_deg, CELL_PX / scene.grid.cell_mm, size_wh)
    seen = rectify(photo, view, frame, scene.printed.tile_set.thickness_mm).image
    image = paper_light(photo, view, scene.markers).white_balanced(seen)
    return _sample(image, first, scene.cells, scene.edges, scene.difficult)


def flat_sample(seed: int) -> BoardSample:
    """The sample of that seed, put together flat; two of three show one tile alone."""
    rng = np.random.default_rng([seed, 506])
    count = 1 if rng.random() < 0.65 else int(rng.integers(2, 4))
    printed = _other_art(rng, random_tiles(rng, "flat", count=count))
    board = lay_board(rng, printed, count, MARGIN_CELLS)
    image = photographed(rng, board.light, CELL_PX)
    return _sample(image, board.first, board.cells, board.edges, board.difficult)


def _sample(
    image: BgrImage, first: Cell, cells: frozenset[Cell], printed: dict[Edge, EdgeKind], difficult: frozenset[Cell]
) -> BoardSample:
    # Edges of cells beside the board teach what is no tile.
    ring = frozenset((c + i, r + j) for c, r in cells for i in (-1, 0, 1) for j in (-1, 0, 1))
    edges = tuple(sorted({edge for cell in ring for edge in sides(cell)}))
    return BoardSample(image, first, edges, labels_of(edges, cells, printed, difficult))


def labels_of(
    edges: Sequence[Edge], cells: frozenset[Cell], printed: dict[Edge, EdgeKind], difficult: frozenset[Cell]
) -> Numbers:
    """The labels of edges as ``BoardSample`` has them."""
    rows = []
    for edge in edges:
        first, second = edge.cells
        outlined = [(a in difficult and b not in difficult) for a, b in ((first, second), (second, first))]
        rows.append([KINDS.index(printed.get(edge)), *outlined, first in cells, second in cells])
    return np.array(rows, dtype=np.uint8)


def _scene(seed: int, rng: Generator) -> Scene:
    scene = random_scene(seed, _BUCKETS[seed % len(_BUCKETS)])
    scene = replace(scene, printed=_other_art(rng, scene.printed))
    if rng.random() < 0.5:
        tile = scene.tiles[int(rng.integers(len(scene.tiles)))]
        clutter = scene.clutter if rng.random() < 0.5 else ()
        return replace(scene, tiles=(tile,), figures=(), doors=(), damage_mm=(), clutter=clutter)
    return scene


def _other_art(rng: Generator, printed: PrintedTiles) -> PrintedTiles:
    """The same tiles with darker or redder art, or with stains over their lines."""
    shade = rng.uniform(0.35, 1.0) if rng.random() < 0.4 else 1.0
    tint = np.array([*rng.uniform(0.5, 1.0, 2), rng.uniform(0.9, 1.15)]) if rng.random() < 0.25 else np.ones(3)
    dirt = int(rng.integers(1, 5)) if rng.random() < 0.4 else 0
    images = {}
    for name, image in printed.images.items():
        colors = image[:, :, :3].astype(np.float32)
        # Printed lines keep their colours: only what is neither black nor strongly coloured is art.
        spread = colors.max(axis=2) - colors.min(axis=2)
        art = np.clip((130 - spread) / 30, 0, 1)[:, :, None]
        colors = colors + art * (colors * (tint * shade) - colors)
        for _ in range(dirt):
            colors = _stained(rng, colors)
        images[name] = np.dstack([np.clip(colors, 0, 255).astype(np.uint8), image[:, :, 3]])
    return replace(printed, images=images)


def _stained(rng: Generator, colors: Numbers) -> Numbers:
    """A splatter of blood or soot: one large drop and many small ones."""
    height, width = colors.shape[:2]
    mask = np.zeros((height, width), np.float32)
    center = rng.uniform((0, 0), (width, height))
    size = rng.uniform(0.04, 0.12) * max(width, height)
    for _ in range(int(rng.integers(8, 30))):
        spot = center + rng.normal(0, size * 1.6, 2)
        cv2.circle(mask, (int(spot[0]), int(spot[1])), max(1, int(rng.exponential(size / 3))), 1.0, -1, cv2.LINE_AA)
    mask *= rng.uniform(0.35, 0.8)
    stain = rng.choice([(15, 15, 130), (20, 20, 170), (20, 20, 20), (10, 10, 70)]) + rng.uniform(-10, 10, 3)
    return np.asarray(colors + mask[:, :, None] * (stain - colors), np.float32)


def _photo(scene: Scene, rng: Generator) -> BgrImage:
    lens = scene.view.lens
    light = Renderer(build_stage(scene), scene.view).picture(Region(0, 0, lens.width_px, lens.height_px, 1))
    return decode_photo(encoded(photograph(light, scene.camera, rng), scene.camera.jpeg_quality))
