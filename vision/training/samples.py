"""Cut labelled patches from simulated tables.

Only the board's part of the picture is rendered, with more doors than in a game, since doors are the rarest samples. A
few consecutive tables share a tile set, which takes as long to draw as a picture. Lattice and tiles come from the
simulation, moved by about the error of recognition.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any

import numpy as np
from jaxtyping import Float, Int, UInt8
from numpy.random import Generator

from assistant.table.lattice import list_inner_edges
from calibration.arrays import BgrImage, Numbers
from calibration.pose import CameraView
from vision.evidence.patches import base_patches, door_patches, patch_source
from vision.photo.decoding import decode_photo
from vision.simulation.camera_effects import take_jpeg
from vision.simulation.camera_view import Region
from vision.simulation.compose import random_scene
from vision.simulation.game_setup import place_doors, place_figures, printed_edges
from vision.simulation.render import Renderer
from vision.simulation.scene import Bucket, Scene, board_corners, tile_points, tile_rotation_deg
from vision.simulation.stage_setup import build_stage
from vision.simulation.tile_art import PrintedTiles, random_tiles
from vision.tiles.board_view import BoardView, board_view
from vision.tiles.candidates import TileCandidate
from vision.tiles.lattice_fit import Lattice
from vision.tiles.placements import TilePlacement, pose_of
from vision.tiles.prints import TilePrints, prints_from_images
from vision.training.labelled import KnownBoard

BUCKETS: tuple[Bucket, ...] = ("easy", "normal", "hard")
TABLES_A_SET = 5
"""Consecutive tables that share a tile set."""

_EMPTY_EDGES, _EMPTY_CELLS = 32, 24
_DOORS = (2, 9)
_MISS_MM = 0.25
"""Error of recognised lattices and tiles, measured on the rendered photos."""

_MARGIN_PX = 60
_BODY_MM = 60.0

EMPTY, SMALL_BASE, LARGE_BASE, THING = 0, 1, 2, 3
"""Labels of a cell: empty, a base of one cell, a part of a larger base, or a thing that is no figure."""


@dataclass(frozen=True, eq=False)
class Samples:
    """Patches as bytes (0 to 255) with their labels, separately for doors and bases."""

    door_patches: UInt8[Numbers, "doors 9 72 96"]
    door_labels: Int[Numbers, " doors"]
    base_patches: UInt8[Numbers, "bases 9 72 72"]
    base_labels: Int[Numbers, " bases"]


def joined_patches(samples: Sequence[Samples]) -> dict[str, Any]:
    """Return the samples of several boards, as arrays by their names."""
    return {field.name: np.concatenate([getattr(part, field.name) for part in samples]) for field in fields(Samples)}


def thinned_samples_of(labelled: KnownBoard, rng: Generator) -> Samples:
    """Cut the patches of one board, with only some empty places, since most are alike and would fill the memory."""
    samples = samples_of(labelled)
    doors = _thin_out(samples.door_labels, _EMPTY_EDGES, rng)
    bases = _thin_out(samples.base_labels, _EMPTY_CELLS, rng)
    return Samples(
        samples.door_patches[doors], samples.door_labels[doors], samples.base_patches[bases], samples.base_labels[bases]
    )


def _thin_out(labels: Int[Numbers, " n"], empties: int, rng: Generator) -> Int[Numbers, " k"]:
    empty = np.flatnonzero(labels == 0)
    chosen = rng.choice(empty, min(len(empty), empties), replace=False)
    return np.sort(np.concatenate([np.flatnonzero(labels > 0), chosen]))


def table_of(
    seed: int, *, crowded: bool, change: Callable[[Scene], Scene] = lambda scene: scene
) -> tuple[Scene, BoardView]:
    """Make a simulated table and read its board.

    Args:
        seed: seed of the table.
        crowded: whether there are more doors than in a game.
        change: change of the table before reading.
    """
    rng = np.random.default_rng([seed, 77])
    tiles, bucket = _printed(seed // TABLES_A_SET), BUCKETS[seed % 3]
    scene = crowded_scene(seed, bucket, rng, tiles) if crowded else random_scene(seed, bucket, tiles=tiles)
    scene = change(scene)
    return scene, board_of(scene, seed, rng)


def board_of(scene: Scene, seed: int, rng: Generator) -> BoardView:
    """Read the board of that seed's table from ``scene``, which may be a view from another side."""
    return rendered_board(scene, _prints(seed // TABLES_A_SET), rng)


def samples_of(labelled: KnownBoard) -> Samples:
    """Cut all labelled patches of one board."""
    board = labelled.board
    edges = list_inner_edges(board.cells)
    cells = sorted(board.cells)
    label = {cell: SMALL_BASE if len(under) == 1 else LARGE_BASE for under in labelled.figures for cell in under}
    source = patch_source(board, labelled.roster)
    return Samples(
        _bytes(door_patches(source, edges, labelled.roster.doors)),
        np.array([edge in labelled.doors for edge in edges], dtype=np.int64),
        _bytes(base_patches(source, cells)),
        np.array([label.get(cell, EMPTY) for cell in cells], dtype=np.int64),
    )


@lru_cache(maxsize=1)
def _printed(seed: int) -> PrintedTiles:
    return random_tiles(np.random.default_rng([seed, 78]), f"set-{seed}")


@lru_cache(maxsize=1)
def _prints(seed: int) -> TilePrints:
    printed = _printed(seed)
    return prints_from_images(printed.tile_set, [printed.images[side.id] for side in printed.tile_set.sides])


def crowded_scene(seed: int, bucket: Bucket, rng: Generator, tiles: PrintedTiles) -> Scene:
    """Return the scene of that seed with more and other doors, and its figures placed again between them."""
    scene = random_scene(seed, bucket, tiles=tiles)
    printed = printed_edges(scene.printed.tile_set, scene.tiles)
    doors = place_doors(rng, scene.grid, scene.cells, printed, int(rng.integers(*_DOORS)))
    figures = [placed.figure for placed in scene.figures]
    parts = [tile.lattice_cells(scene.printed.tile_set.side(tile.id).cells) for tile in scene.tiles]
    placed = place_figures(rng, scene.grid, parts, figures, [door.edge for door in doors])
    return replace(scene, doors=doors, figures=placed)


def rendered_board(scene: Scene, prints: TilePrints, rng: Generator) -> BoardView:
    """Return print and photo of the scene's board. The photo is black away from it."""
    view = CameraView(scene.view.lens, scene.view.rotation_vector, scene.view.translation_mm, 0.1, ())
    origin = np.array(scene.grid.origin_mm) + rng.normal(0, _MISS_MM, 2)
    lattice = Lattice((float(origin[0]), float(origin[1])), scene.grid.angle_deg, scene.grid.cell_mm)
    placements = [_placement(scene, index, prints, rng) for index in range(len(scene.tiles))]
    poses = [pose_of(placement, lattice, prints) for placement in placements]
    return board_view(_photo(scene, rng), view, lattice, placements, prints, poses=poses)


def _placement(scene: Scene, index: int, prints: TilePrints, rng: Generator) -> TilePlacement:
    """Return the placement that recognition would give the tile."""
    tile = scene.tiles[index]
    side = scene.printed.tile_set.side(tile.id)
    left, top, columns, rows = side.bounds
    x, y = tile_points(scene, tile, np.array([[left + columns / 2, top + rows / 2]]))[0] + rng.normal(0, _MISS_MM, 2)
    cells = tile.lattice_cells(side.cells)
    corner = (min(c for c, _ in cells), min(r for _, r in cells))
    print_index = next(i for i, p in enumerate(prints.prints) if p.side.id == tile.id)
    candidate = TileCandidate(print_index, tile_rotation_deg(scene, tile), (float(x), float(y)), 100.0)
    return TilePlacement(print_index, tile.quarter_turns % 4, corner, 10.0, candidate)


def _photo(scene: Scene, rng: Generator) -> BgrImage:
    """Return the photo around the scene's board, compressed like a photo, black elsewhere."""
    lens = scene.view.lens
    ground = board_corners(scene.grid, scene.cells)
    solid = np.concatenate([np.column_stack([ground, np.full(len(ground), h)]) for h in (0.0, _BODY_MM)])
    pixels = scene.view.project(solid)
    limits = np.array([lens.width_px, lens.height_px])
    low = np.clip(np.floor(pixels.min(axis=0)) - _MARGIN_PX, 0, limits - 1).astype(int)
    high = np.clip(np.ceil(pixels.max(axis=0)) + _MARGIN_PX, 1, limits).astype(int)
    width, height = (int(v) for v in high - low)
    light = Renderer(build_stage(scene), scene.view).picture(Region(int(low[0]), int(low[1]), width, height, 1))
    photo = np.zeros((lens.height_px, lens.width_px, 3), dtype=np.uint8)
    photo[low[1] : high[1], low[0] : high[0]] = decode_photo(take_jpeg(light, scene.camera, rng))
    return photo


def _bytes(patches: Float[Numbers, "n k rows columns"]) -> UInt8[Numbers, "n k rows columns"]:
    return np.round(patches * 255).astype(np.uint8)
