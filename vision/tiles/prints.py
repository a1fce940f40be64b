"""The pictures of a tile set, prepared for recognition and loaded once for all photos."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np
from jaxtyping import Int, UInt8

from assistant.documents import read_bytes, tile_set_from_json
from assistant.errors import BadValue
from assistant.table.camera import NO_MARKERS, TableMarkers
from assistant.table.tiles import TileSet, TileSide
from assistant.translations.messages import said
from calibration.arrays import BgrImage, GrayImage, Levels, Mask, Numbers
from calibration.color import gray_from_bgr
from vision.photo.decoding import decode_print, read_photo_bytes
from vision.tiles.keypoints import PX_PER_MM, Keypoints, find_keypoints

PX_PER_CELL = 48
"""Scale of prints and photo in comparisons, as fine as a camera at a metre resolves a cell (30 to 60 px)."""

_REPEATS, _LEAST_OVERLAP, _SHIFTED_PX = 0.8, 0.25, 12
"""Correlation of a print with itself, shifted by cells, from which it repeats one pattern; the least share of it that
both must show; and the scale of a cell in that comparison. Eight chequered boards had .90 or more, 108 tiles of five
other sets .72 or less."""

_SIZE_TOLERANCE_PX = 2
"""Tolerance of a picture's size against its cells' size, for cutting and scaling."""


@dataclass(frozen=True, eq=False)
class Print:
    """The picture of one tile side at ``PX_PER_CELL``, and the mask of the pixels that belong to the tile."""

    side: TileSide
    image: BgrImage
    inside_mask: Mask
    keypoints: Keypoints

    @property
    def size_cells(self) -> tuple[int, int]:
        return self.side.bounds[2], self.side.bounds[3]

    @property
    def repeats(self) -> bool:
        """Whether it repeats one pattern, as a chequered board does, so that a part of it does not tell its place."""
        columns, rows = self.size_cells
        size_wh = (columns * _SHIFTED_PX, rows * _SHIFTED_PX)
        small = cv2.resize(gray_from_bgr(self.image), size_wh, interpolation=cv2.INTER_AREA)
        gray = np.asarray(small, dtype=np.uint8)
        mask = cv2.resize(self.inside_mask.astype(np.uint8), size_wh, interpolation=cv2.INTER_NEAREST).astype(bool)
        steps = ((dx, dy) for dx in range(-(columns // 2), columns // 2 + 1) for dy in range(rows // 2 + 1))
        return any(_shifted_likeness(gray, mask, dx, dy) >= _REPEATS for dx, dy in steps if (dy, dx) > (0, 0))


@dataclass(frozen=True, eq=False)
class TilePrints:
    """A tile set with its pictures. ``keypoints`` are in millimetres from the centre of the bounding box."""

    tile_set: TileSet
    prints: tuple[Print, ...]

    @property
    def px_per_mm(self) -> float:
        return PX_PER_CELL / self.tile_set.cell_mm

    def papers(self, markers: TableMarkers) -> TableMarkers:
        """Return the markers whose paper gives the light. None if the prints have a light of their own.

        Everything taught beside such prints is in their light, too, and colours under two lights do not match.
        """
        return markers if self.tile_set.in_white_light else NO_MARKERS

    @cached_property
    def repeat(self) -> bool:
        """Whether every print repeats one pattern."""
        return all(one.repeats for one in self.prints)

    @cached_property
    def keypoints(self) -> Keypoints:
        """The keypoints of all prints, in order."""
        return Keypoints.joined([p.keypoints for p in self.prints])

    @cached_property
    def print_of_keypoint(self) -> Int[Numbers, " n"]:
        """The print index of each of ``keypoints``."""
        return np.repeat(np.arange(len(self.prints)), [len(p.keypoints) for p in self.prints])


def load_prints(folder: Path) -> TilePrints:
    """Load the tile set of a folder with its pictures.

    Raises:
        DocumentError: ``tileset.json`` breaks its format, or a picture does not have the size of its cells.
        PhotoUnreadable: a picture is missing or damaged.
    """
    document = folder / "tileset.json"
    tile_set = tile_set_from_json(read_bytes(document), str(document))
    return TilePrints(tile_set, tuple(_load_print(folder, tile_set, side) for side in tile_set.sides))


def prints_from_images(tile_set: TileSet, images: Sequence[UInt8[Levels, "_height _width _channels"]]) -> TilePrints:
    """Build the tile set from pictures in memory, in the order of the set's sides."""
    return TilePrints(
        tile_set, tuple(_print(tile_set, side, image) for side, image in zip(tile_set.sides, images, strict=True))
    )


def _shifted_likeness(gray: GrayImage, mask: Mask, columns: int, rows: int) -> float:
    """Return the correlation of a print with itself, moved by whole cells, or -1 if too little is left to compare."""
    height, width = gray.shape
    dx, dy = columns * _SHIFTED_PX, rows * _SHIFTED_PX
    here = slice(dy, height), slice(max(0, dx), width + min(0, dx))
    there = slice(0, height - dy), slice(max(0, -dx), width - max(0, dx))
    both = mask[here] & mask[there]
    if both.sum() < _LEAST_OVERLAP * mask.sum():
        return -1.0
    one, other = (gray[part][both].astype(np.float64) for part in (here, there))
    one, other = one - one.mean(), other - other.mean()
    norm = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(one @ other) / norm if norm > 0 else -1.0


def _load_print(folder: Path, tile_set: TileSet, side: TileSide) -> Print:
    if Path(side.image).name != side.image:
        document = str(folder / "tileset.json")
        raise BadValue(said("must be a plain file name"), document=document, field=f"{side.id}.image")
    path = folder / side.image
    image = decode_print(read_photo_bytes(path), str(path))
    _, _, columns, rows = side.bounds
    expected_wh = (columns * tile_set.pixels_per_cell, rows * tile_set.pixels_per_cell)
    if max(abs(a - b) for a, b in zip(image.shape[1::-1], expected_wh, strict=True)) > _SIZE_TOLERANCE_PX:
        text = said(
            "the picture has {width}x{height} pixels, its cells need {columns}x{rows}; export it "
            "again at pixels_per_cell",
            width=image.shape[1],
            height=image.shape[0],
            columns=expected_wh[0],
            rows=expected_wh[1],
        )
        raise BadValue(text, document=str(path))
    return _print(tile_set, side, image)


def _print(tile_set: TileSet, side: TileSide, image: UInt8[Levels, "height width channels"]) -> Print:
    left, top, columns, rows = side.bounds
    size_wh = (columns * PX_PER_CELL, rows * PX_PER_CELL)
    shrinks = image.shape[1] > size_wh[0]
    colors = cv2.resize(image[:, :, :3], size_wh, interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC)
    cell_mask = np.zeros((rows, columns), dtype=np.uint8)
    for column, row in side.cells:
        cell_mask[row - top, column - left] = 1
    inside = cv2.resize(cell_mask, size_wh, interpolation=cv2.INTER_NEAREST).astype(bool)
    # Outside the cells the picture is transparent. A mean colour there keeps keypoints off that rim.
    bgr: BgrImage = np.where(inside[:, :, None], colors, colors[inside].mean(axis=0)).astype(np.uint8)
    size_mm = np.array([columns, rows]) * tile_set.cell_mm
    width, height = (max(1, round(side * PX_PER_MM)) for side in size_mm)
    small = np.asarray(cv2.resize(bgr, (width, height), interpolation=cv2.INTER_AREA), dtype=np.uint8)
    mask = cv2.resize(inside.astype(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST)
    keypoints = find_keypoints(small, width / float(size_mm[0]), mask.astype(bool)).moved(-size_mm / 2)
    return Print(side, bgr, inside, keypoints)
