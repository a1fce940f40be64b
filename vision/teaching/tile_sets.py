"""Put taught tiles into a tile set: the document and its pictures, ready to store."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np
from jaxtyping import UInt8

from assistant.documents import to_json
from assistant.documents.tiles import tile_set_document
from assistant.errors import Unteachable
from assistant.kept_files import map_errors
from assistant.table.tiles import TileSet, TileSide
from calibration.arrays import BgrImage, Numbers
from vision.photo.decoding import read_photo_bytes
from vision.teaching.archive import DOCUMENT
from vision.teaching.sighting import CELL_MM, THICKNESS_MM, bounds
from vision.teaching.tile_reading import SIDE_PX

_Used = TypeVar("_Used")


@dataclass(frozen=True, eq=False)
class TaughtSide:
    """A taught and confirmed tile side; ``image`` is its squared picture at ``SIDE_PX`` a cell."""

    side: TileSide
    image: BgrImage


def new_tile_set(name: str, *, cell_mm: float = CELL_MM, thickness_mm: float = THICKNESS_MM) -> TileSet:
    """A tile set without tiles, to teach into."""
    return TileSet(name, cell_mm, SIDE_PX, thickness_mm, ())


def with_sides(tile_set: TileSet, taught: Sequence[TaughtSide]) -> TileSet:
    """The set with these sides, each in the place of the one of its name if there is one.

    Raises:
        Unteachable: the set's pictures have another scale, or two names give one picture file.
    """
    if tile_set.pixels_per_cell != SIDE_PX:
        raise Unteachable("scale", tile_set.name)
    sides = {side.id: side for side in tile_set.sides}
    sides.update({one.side.id: one.side for one in taught})
    pictures = [side.image.casefold() for side in sides.values()]
    for side in sides.values():
        if pictures.count(side.image.casefold()) > 1:
            raise Unteachable("alike", side.id, field="id")
    return replace(tile_set, sides=tuple(sides.values()))


def lay_out(
    tile_set: TileSet, taught: Sequence[TaughtSide], source: Path | None, use: Callable[[Path], _Used]
) -> _Used:
    """The result of ``use`` for a temporary folder with the set and its pictures.

    ``taught`` are the sides with new pictures; ``source`` is the folder with the other pictures, None if there are
    none.

    Raises:
        PhotoUnreadable: a picture of an older side cannot be read.
        StoreError: the folder cannot be written.
    """
    pictures = {one.side.image: png_of(with_alpha(one.image, one.side)) for one in taught}
    if source is not None:
        older = {side.image for side in tile_set.sides} - pictures.keys()
        pictures |= {image: read_photo_bytes(source / image) for image in older}
    with tempfile.TemporaryDirectory() as scratch:
        with map_errors("write"):
            (Path(scratch) / DOCUMENT).write_text(to_json(tile_set_document(tile_set)), encoding="utf-8")
            for image, content in pictures.items():
                (Path(scratch) / image).write_bytes(content)
        return use(Path(scratch))


def with_alpha(image: BgrImage, side: TileSide) -> UInt8[Numbers, "height width 4"]:
    """The picture with a fourth channel: outside the side's cells it is transparent, and black."""
    left, top, columns, rows = bounds(side.cells)
    inside = np.zeros((rows, columns), dtype=np.uint8)
    for column, row in side.cells:
        inside[row - top, column - left] = 255
    alpha = cv2.resize(inside, (columns * SIDE_PX, rows * SIDE_PX), interpolation=cv2.INTER_NEAREST)
    return np.dstack([np.where(alpha[:, :, None] > 0, image, 0).astype(np.uint8), alpha])


def png_of(image: UInt8[Numbers, "height width 4"]) -> bytes:
    """The picture as a PNG file."""
    _, data = cv2.imencode(".png", image)
    return bytes(data)
