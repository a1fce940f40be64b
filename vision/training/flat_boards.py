"""Compose boards flat and photograph them from straight above, a hundred times cheaper than rendering.

Sides of the cardboard and figures, which only a low camera sees, are painted on. Shadows are the board's outline,
shifted and softened.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from jaxtyping import Float
from numpy.random import Generator

from assistant.table.board import EdgeKind
from assistant.table.lattice import Cell, Edge
from calibration.arrays import BgrImage, ColorImage, FloatImage, Numbers, Singles
from calibration.color import light_from_srgb
from vision.photo.decoding import decode_photo
from vision.simulation.camera_effects import blur, develop, encode_jpeg, exposure_gain, with_noise
from vision.simulation.game_setup import join_tiles
from vision.simulation.scene import CameraLook, PlacedTile
from vision.simulation.table_tops import TABLE_TOPS
from vision.simulation.tile_art import CELL_MM, PrintedTiles
from vision.simulation.tile_shapes import strengthen

LAID_PX = 64
"""Pixels of a cell in the composed board."""

_TABLE_TOPS_KEPT = 6
_OTHER_TABLES = 0.5
"""Share of tables in a colour outside the simulation's own, many of them as dark as a printed wall."""


@dataclass(frozen=True, eq=False)
class FlatBoard:
    """Tiles on a table, in linear light along the lattice.

    Args:
        light: blue, green, red, (rows, columns, 3).
        first: the lattice cell in the top left corner.
        cells: the board's cells.
        edges: its printed edges.
        difficult: its difficult cells.
    """

    light: ColorImage
    first: Cell
    cells: frozenset[Cell]
    edges: dict[Edge, EdgeKind]
    difficult: frozenset[Cell]


def lay_board(
    rng: Generator, printed: PrintedTiles, count: int, margin_cells: int, *, is_bare: bool = False
) -> FlatBoard:
    """Join ``count`` tiles of a set on some table, or show that table bare."""
    tiles = join_tiles(rng, printed.tile_set, count)
    sides = [printed.tile_set.side(tile.id) for tile in tiles]
    parts = [tile.lattice_cells(side.cells) for tile, side in zip(tiles, sides, strict=True)]
    cells = frozenset().union(*parts)
    edges: dict[Edge, EdgeKind] = {}
    difficult: set[Cell] = set()
    for tile, side in zip(tiles, sides, strict=True):
        difficult |= tile.lattice_cells(side.difficult) if side.difficult else frozenset()
        for edge, kind in tile.lattice_edges(side.edges).items():
            strengthen(edges, edge, kind)
    first = (min(c for c, _ in cells) - margin_cells, min(r for _, r in cells) - margin_cells)
    last = (max(c for c, _ in cells) + 1 + margin_cells, max(r for _, r in cells) + 1 + margin_cells)
    size_wh = ((last[0] - first[0]) * LAID_PX, (last[1] - first[1]) * LAID_PX)
    print_image, mask, outlines = _laid_prints(printed, tiles, first, size_wh)
    if is_bare:
        return FlatBoard(_on_table(rng, light_from_srgb(print_image), 0 * mask), first, frozenset(), {}, frozenset())
    light = _on_table(rng, _cut_edges(rng, light_from_srgb(print_image), outlines), mask)
    return FlatBoard(_with_figures(rng, light, cells, first), first, cells, edges, frozenset(difficult))


def photograph_board(rng: Generator, light: ColorImage, px_per_cell: int) -> BgrImage:
    """Photograph the board from above, and warp the photo back to the lattice at that scale."""
    look = CameraLook(
        exposure=float(rng.uniform(0.18, 0.5)),
        noise=float(rng.uniform(0.4, 2.2)),
        defocus_px=float(rng.uniform(0.3, 0.9)) if rng.random() < 0.25 else 0.0,
        motion=(float(rng.uniform(0.8, 2.4)), float(rng.uniform(0, 180))) if rng.random() < 0.2 else None,
        jpeg_quality=int(rng.integers(70, 94)),
    )
    height, width = light.shape[:2]
    scale = float(rng.uniform(28, 70)) / LAID_PX
    side = int(np.hypot(width, height) * scale) + 2
    turn = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), float(rng.uniform(0, 90)), scale)
    turn[:, 2] = turn[:, 2] + (side - np.array([width, height])) / 2
    fine = cv2.GaussianBlur(light, (0, 0), 0.4 / scale) if scale < 1 else light
    warped = cv2.warpAffine(fine, turn, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    seen: Singles = np.asarray(warped, dtype=np.float32)
    gain = exposure_gain(seen, look.exposure)
    picture = develop(with_noise(blur(np.asarray(seen * np.float32(gain)), look), look, rng))
    photo = decode_photo(encode_jpeg(picture, look.jpeg_quality))
    back = cv2.invertAffineTransform(turn)
    shrink = px_per_cell / LAID_PX
    # Pixel centres are at integers, so a picture at another scale is shifted by half the difference of a pixel.
    back = np.vstack([back, [0, 0, 1]])
    scaled = np.array([[shrink, 0, shrink / 2 - 0.5], [0, shrink, shrink / 2 - 0.5], [0, 0, 1.0]]) @ back
    size_wh = (round(width * shrink), round(height * shrink))
    return np.asarray(cv2.warpAffine(photo, scaled[:2], size_wh, flags=cv2.INTER_LINEAR), dtype=np.uint8)


def _laid_prints(
    printed: PrintedTiles, tiles: tuple[PlacedTile, ...], first: Cell, size_wh: tuple[int, int]
) -> tuple[BgrImage, FloatImage, FloatImage]:
    """Place the prints with their small misfit. Return the picture, each pixel's coverage, and outlines."""
    image = np.zeros((size_wh[1], size_wh[0], 3), dtype=np.uint8)
    mask = np.zeros((size_wh[1], size_wh[0]), dtype=np.float32)
    outlines = np.zeros_like(mask)
    for tile in tiles:
        side = printed.tile_set.side(tile.id)
        left, top = side.bounds[:2]
        points = np.array([[left, top], [left + 1, top], [left, top + 1]], dtype=np.float64)
        corners = (tile.lattice_points(points) - first) * LAID_PX
        middle = (tile.lattice_points(np.array([[left + side.bounds[2] / 2, top + side.bounds[3] / 2]])) - first)[0]
        turn = cv2.getRotationMatrix2D((middle * LAID_PX).tolist(), -tile.misfit_deg, 1.0)
        corners = corners @ turn[:, :2].T + turn[:, 2] + np.array(tile.misfit_mm) * LAID_PX / CELL_MM
        step = printed.tile_set.pixels_per_cell
        source = np.array([[0, 0], [step, 0], [0, step]]) - 0.5
        matrix = cv2.getAffineTransform(source.astype(np.float32), (corners - 0.5).astype(np.float32))
        colors, alpha = printed.images[side.id][:, :, :3], printed.images[side.id][:, :, 3]
        warped = cv2.warpAffine(colors, matrix, size_wh, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        cover = cv2.warpAffine(alpha, matrix, size_wh, flags=cv2.INTER_LINEAR)
        image = np.where((cover > 127)[:, :, None], warped, image)
        mask = np.maximum(mask, cover.astype(np.float32) / 255)
        inner = cv2.erode(cover, np.ones((3, 3), np.uint8), borderValue=0)
        outlines = np.maximum(outlines * (cover < 127), (cover - inner).astype(np.float32) / 255)
    return image, mask, outlines


def _cut_edges(rng: Generator, prints: ColorImage, outlines: FloatImage) -> ColorImage:
    """Wear the cut edges of prints: up to a millimetre is dirty or bare cardboard."""
    if rng.random() < 0.3:
        return prints
    width = float(rng.uniform(0.3, 1.0))
    wide = np.minimum(cv2.GaussianBlur(outlines, (0, 0), width) * (2.5 * width), 1) * np.float32(rng.uniform(0.2, 0.95))
    shade = rng.uniform(0.005, 0.06, 3) if rng.random() < 0.75 else rng.uniform(0.2, 0.6) * rng.uniform(0.8, 1.0, 3)
    return np.asarray(prints + wide[:, :, None] * (shade - prints), dtype=np.float32)


def _on_table(rng: Generator, prints: ColorImage, mask: FloatImage) -> ColorImage:
    """Place prints on a table: its pattern, the board's shadow, the cardboard's side, and uneven light."""
    height, width = mask.shape
    names = list(TABLE_TOPS)
    texture = _table_top(names[int(rng.integers(len(names)))], int(rng.integers(_TABLE_TOPS_KEPT)))
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), float(rng.uniform(0, 360)), float(rng.uniform(0.9, 1.6)))
    turn[:, 2] = turn[:, 2] + rng.uniform(0, 1000, 2)
    table = cv2.warpAffine(texture, turn, (width, height), borderMode=cv2.BORDER_WRAP)
    if rng.random() < _OTHER_TABLES:
        table = table * (rng.uniform(0.06, 1.2) * np.exp(rng.normal(0, 0.25, 3))).astype(np.float32)
    px_per_mm = LAID_PX / CELL_MM
    away, soft = rng.normal(0, 1.6, 2) * px_per_mm, float(rng.uniform(0.2, 2.0)) * px_per_mm
    shadow = cv2.GaussianBlur(_shift(mask, away), (0, 0), soft) * rng.uniform(0.2, 0.8)
    table = table * (1 - shadow[:, :, None])
    side = np.maximum(_shift(mask, rng.normal(0, 0.9, 2) * px_per_mm) - mask, 0)[:, :, None]
    table = table + side * (np.asarray(rng.uniform(0.02, 0.35) * rng.uniform(0.8, 1.1, 3), np.float32) - table)
    light = table + mask[:, :, None] * (prints - table)
    return np.asarray(light * _uneven(rng, height, width), dtype=np.float32)


def _uneven(rng: Generator, height: int, width: int) -> ColorImage:
    """Return slightly coloured light that falls off to one side, with a soft shadow edge in every fourth picture."""
    down, right = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    angle = rng.uniform(0, 2 * np.pi)
    across = np.cos(angle) * right + np.sin(angle) * down
    field = np.exp(across * rng.uniform(0, 0.7))
    if rng.random() < 0.25:
        field = field * (1 - rng.uniform(0.3, 0.7) / (1 + np.exp((across - rng.normal(0, 0.5)) * rng.uniform(8, 60))))
    tint = np.exp(rng.normal(0, 0.06, 3))
    return np.asarray(field[:, :, None] * tint, dtype=np.float32)


def _with_figures(rng: Generator, light: ColorImage, cells: frozenset[Cell], first: Cell) -> ColorImage:
    """Add figures to some cells in every third picture: a base with a rim, and a leaning body."""
    if rng.random() > 0.35:
        return light
    lean = rng.normal(0, 0.35, 2) * LAID_PX
    standing = [cell for cell in sorted(cells) if rng.random() < 0.25]
    painted = light.copy()
    for column, row in standing:
        center = (np.array([column, row]) + 0.5 - first) * LAID_PX + rng.normal(0, 3, 2)
        rim, body = rng.uniform(0.02, 0.7, 3).tolist(), (rng.uniform(0.02, 0.4) * rng.uniform(0.7, 1.2, 3)).tolist()
        where = tuple(int(v) for v in center)
        cv2.circle(painted, where, int(LAID_PX * 0.43), rim, -1, cv2.LINE_AA)
        cv2.circle(painted, where, int(LAID_PX * 0.37), body, -1, cv2.LINE_AA)
        for _ in range(4):
            spot = center + lean * rng.uniform(0.1, 1.3) + rng.normal(0, 5, 2)
            shade = (np.array(body) * rng.uniform(0.5, 1.6)).tolist()
            cv2.circle(painted, tuple(int(v) for v in spot), int(LAID_PX * rng.uniform(0.1, 0.3)), shade, -1)
    return painted


def _shift(mask: FloatImage, by_px: Float[Numbers, " 2"]) -> FloatImage:
    matrix = np.array([[1, 0, by_px[0]], [0, 1, by_px[1]]], dtype=np.float64)
    return np.asarray(cv2.warpAffine(mask, matrix, mask.shape[::-1]), dtype=np.float32)


@lru_cache(maxsize=64)
def _table_top(name: str, number: int) -> ColorImage:
    return np.asarray(TABLE_TOPS[name](np.random.default_rng([number, len(name)])), dtype=np.float32)
