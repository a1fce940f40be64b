"""Make samples for the line network: simulated boards from above in white light, with their printed edges.

Most pictures show one tile alone, as in teaching. The others show whole boards with figures, or a bare table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator

from assistant.table.board import EdgeKind
from assistant.table.lattice import Cell, Edge
from calibration.arrays import BgrImage
from calibration.pose import CameraView
from vision.photo.decoding import decode_photo
from vision.photo.paper_light import paper_light
from vision.photo.rectify import PlaneFrame, rectify
from vision.simulation.camera_effects import take_jpeg
from vision.simulation.camera_view import Region
from vision.simulation.compose import random_scene
from vision.simulation.render import Renderer
from vision.simulation.scene import Bucket, PlacedTile, Scene, on_table
from vision.simulation.stage_setup import build_stage
from vision.training.flat_boards import lay_board, photograph_board
from vision.training.other_art import varied_tiles

SAMPLE_PX = 48
"""Pixels of a cell in a sample, the resolution of a camera at a metre. The fit slightly rotates and shrinks samples."""

MARGIN_CELLS = 3
"""Margin of table round the board in a sample."""

_BUCKETS: tuple[Bucket, ...] = ("easy", "normal", "normal", "hard")

_WHOLE_SHARE, _BARE_SHARE = 0.4, 0.08
"""Share of whole boards with figures among rendered samples, and of bare tables among all."""

_FAR_AWAY = (200, 200)
"""Place of a bare table's single tile, far outside the picture."""


@dataclass(frozen=True, eq=False)
class BoardSample:
    """One board from above, with its printed edges.

    Args:
        image: blue-green-red bytes along the lattice, ``SAMPLE_PX`` a cell.
        first: the lattice point in the image's top left corner.
        cells: the cells of tiles, none on a bare table.
        edges: the printed edges.
        difficult: the cells of difficult ground.
    """

    image: BgrImage
    first: Cell
    cells: frozenset[Cell]
    edges: Mapping[Edge, EdgeKind]
    difficult: frozenset[Cell]


def rendered_sample(seed: int) -> BoardSample:
    """Make the sample of a seed, photographed by the simulated camera with its markers."""
    rng = np.random.default_rng([seed, 505])
    scene = _scene(seed, rng)
    photo = _photo(scene, rng)
    view = CameraView(scene.view.lens, scene.view.rotation_vector, scene.view.translation_mm, 0.1, ())
    cells = frozenset() if scene.tiles[0].shift == _FAR_AWAY else scene.cells
    columns, rows = zip(*(cells or {(0, 0), (5, 3)}), strict=True)
    first = (min(columns) - MARGIN_CELLS, min(rows) - MARGIN_CELLS)
    last = (max(columns) + 1 + MARGIN_CELLS, max(rows) + 1 + MARGIN_CELLS)
    x, y = on_table(scene.grid, np.array([first], dtype=np.float64))[0].tolist()
    size_wh = ((last[0] - first[0]) * SAMPLE_PX, (last[1] - first[1]) * SAMPLE_PX)
    frame = PlaneFrame((x, y), scene.grid.angle_deg, SAMPLE_PX / scene.grid.cell_mm, size_wh)
    seen = rectify(photo, view, frame, scene.printed.tile_set.thickness_mm).image
    image = paper_light(photo, view, scene.markers).white_balanced(seen)
    return BoardSample(image, first, cells, scene.edges if cells else {}, scene.difficult if cells else frozenset())


def flat_sample(seed: int) -> BoardSample:
    """Make the sample of a seed from a flat board. Every other one shows one tile alone."""
    rng = np.random.default_rng([seed, 506])
    count = 1 if rng.random() < 0.5 else int(rng.integers(2, 5))
    printed = varied_tiles(rng, "flat", count)
    board = lay_board(rng, printed, count, MARGIN_CELLS, is_bare=rng.random() < _BARE_SHARE)
    image = photograph_board(rng, board.light, SAMPLE_PX)
    return BoardSample(image, board.first, board.cells, board.edges, board.difficult)


def _scene(seed: int, rng: Generator) -> Scene:
    """Draw a whole board with figures, a single tile of any art, or a bare table."""
    scene = random_scene(seed, _BUCKETS[seed % len(_BUCKETS)])
    choice = rng.random()
    if choice < _WHOLE_SHARE:
        return scene
    clutter = scene.clutter if rng.random() < 0.5 else ()
    scene = replace(scene, figures=(), doors=(), damage_mm=(), clutter=clutter)
    if choice < _WHOLE_SHARE + _BARE_SHARE:
        return replace(scene, tiles=(PlacedTile(scene.tiles[0].id, 0, _FAR_AWAY),))
    printed = varied_tiles(rng, "alone", 1)
    tile = PlacedTile(printed.tile_set.sides[0].id, int(rng.integers(4)), (0, 0))
    return replace(scene, printed=printed, tiles=(tile,))


def _photo(scene: Scene, rng: Generator) -> BgrImage:
    lens = scene.view.lens
    light = Renderer(build_stage(scene), scene.view).picture(Region(0, 0, lens.width_px, lens.height_px, 1))
    return decode_photo(take_jpeg(light, scene.camera, rng))
