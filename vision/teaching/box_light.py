"""Common light for the tiles of a box across several photos.

A picture cut out of a photo keeps its light: lamp colour, exposure, fall-off to one side. White paper would reveal it,
but there is none. Within a photo the bare table shows the fall-off. Between photos the tiles' usual colour is the
reference: each photo shows a dozen prints of one box, and photos differ less in their prints than in their light.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from assistant.table.lattice import Cell
from calibration.arrays import BgrImage, Numbers
from calibration.color import gamma_from_light, light_from_gamma
from vision.photo.paper_light import LIFTED_DARK
from vision.teaching.table_light import TableFall, fall_on_table
from vision.teaching.tile_reading import MARGIN_CELLS, SIDE_PX, TileReading

_FEW_TILES = 1.0
"""Number of tiles whose own colours weigh as much as the usual light. Prints vary about as much as photos' light."""


@dataclass(frozen=True, eq=False)
class PictureLight:
    """The light on a tile's picture, as logarithms of linear light.

    Args:
        usual_bgr: blue, green and red of the photo's usual print in even light.
        corner: the brightness at the top left corner of the tile's cells.
        per_cell: the change per cell to the right and down.
        tiles: number of tiles in the photo.
    """

    usual_bgr: Float[Numbers, " 3"]
    corner: float
    per_cell: Float[Numbers, " 2"]
    tiles: int

    def moved(self, first: Cell) -> PictureLight:
        """Return the same light for a picture that begins at that cell."""
        return replace(self, corner=float(self.fall_at(np.array(first, dtype=np.float64))))

    def fall_at(self, places: Float[Numbers, "*shape 2"]) -> Float[Numbers, "*shape"]:
        """Return the light's fall-off at places of the picture, in cells."""
        return np.asarray(self.corner + places @ self.per_cell)


def lights_of_pictures(
    photo: BgrImage,
    outlines_px: Sequence[Float[Numbers, "_points 2"]],
    tiles: Sequence[tuple[TileReading, Float[Numbers, "4 2"]]],
) -> list[PictureLight | None]:
    """Return the light on each tile of a photo, None without visible bare table.

    Args:
        photo: the photo.
        outlines_px: the outlines of all things on the table.
        tiles: the readings, and the corners of their pictures in the photo.
    """
    fall = fall_on_table(photo, [*outlines_px, *(corners for _, corners in tiles)])
    if not tiles or fall is None:
        return [None for _ in tiles]
    lights = [_light_in(fall, corners, reading, len(tiles)) for reading, corners in tiles]
    prints = np.concatenate([_without(reading, light) for (reading, _), light in zip(tiles, lights, strict=True)])
    level = prints.mean(axis=1, keepdims=True)
    usual = np.median(level) + np.median(prints - level, axis=0)
    return [replace(light, usual_bgr=usual) for light in lights]


def in_common_light(tiles: Sequence[tuple[TileReading, PictureLight | None]]) -> list[TileReading]:
    """Return the readings with their pictures in the mean light. Those of unknown light stay unchanged."""
    known = [light.usual_bgr for _, light in tiles if light is not None]
    mean = np.mean(known, axis=0) if known else np.zeros(3)
    return [reading if light is None else _relit(reading, light, mean) for reading, light in tiles]


def _light_in(fall: TableFall, corners_px: Float[Numbers, "4 2"], reading: TileReading, tiles: int) -> PictureLight:
    """Return the light's fall-off over a picture with these corners. The usual print is still undetermined."""
    first, right, last, down = fall.at(corners_px).tolist()
    height, width = (side / SIDE_PX for side in reading.image.shape[:2])
    per_cell = np.array([(right - first + last - down) / 2 / width, (down - first + last - right) / 2 / height])
    corner = (first + right + last + down) / 4 - float(per_cell @ (width / 2, height / 2))
    return PictureLight(np.zeros(3), corner, per_cell, tiles)


def _places(image: BgrImage, inset_cells: int = 0) -> Float[Numbers, "height width 2"]:
    """Return columns and rows, in cells, of each pixel of a tile's picture."""
    height, width = image.shape[:2]
    columns, rows = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
    return np.asarray(np.stack([columns, rows], axis=-1) / SIDE_PX - inset_cells)


def _without(reading: TileReading, light: PictureLight) -> Float[Numbers, "n 3"]:
    """Return the pixels of a tile's cells in even light, as logarithms of linear light."""
    columns, rows = (side // SIDE_PX for side in reading.image.shape[1::-1])
    is_cell = np.array([[(column, row) in reading.cells for column in range(columns)] for row in range(rows)])
    inside = is_cell.repeat(SIDE_PX, axis=0).repeat(SIDE_PX, axis=1)
    places, pixels = _places(reading.image)[inside], reading.image[inside]
    logs = np.log(light_from_gamma(pixels) + LIFTED_DARK)
    return np.asarray(logs - light.fall_at(places)[:, None])


def _relit(reading: TileReading, light: PictureLight, mean_bgr: Float[Numbers, " 3"]) -> TileReading:
    """Return the reading with its pictures in that light.

    The fewer tiles a photo has, the more its colour is the tiles' own rather than the light's.
    """
    change = light.tiles / (light.tiles + _FEW_TILES) * (mean_bgr - light.usual_bgr)

    def lit(image: BgrImage, inset_cells: int = 0) -> BgrImage:
        factor = np.exp(change - light.fall_at(_places(image, inset_cells))[:, :, None])
        return gamma_from_light(np.asarray(light_from_gamma(image) * factor, np.float32))

    around = reading.around and replace(reading.around, image=lit(reading.around.image, MARGIN_CELLS))
    return replace(reading, image=lit(reading.image), around=around)
