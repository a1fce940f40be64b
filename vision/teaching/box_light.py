"""One light for the tiles of a box that several photos show.

A picture cut out of a photo keeps its light: lamps of other colours, other exposures, a table that is darker at one
side. White paper would tell it; here there is none. Within a photo the bare table shows how the light falls off.
Between photos the usual colour of the tiles does: each photo shows a dozen prints of one box, and differs less from the
next by its prints than by its light.
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

_STEP_PX = SIDE_PX // 8
"""Distance of the pixels of a print that are asked for its colour."""

_FEW_TILES = 1.0
"""Tiles of a photo whose own colours weigh as much as the usual light: prints differ about as photos' light does."""


@dataclass(frozen=True, eq=False)
class PictureLight:
    """The light on a tile's picture, as logarithms of linear light.

    Args:
        usual_bgr: blue, green and red of the photo's usual print in even light.
        corner: by how much it is lighter at the upper left corner of the tile's cells.
        per_cell: the change by cell to the right and down.
        tiles: number of tiles that the photo shows.
    """

    usual_bgr: Float[Numbers, " 3"]
    corner: float
    per_cell: Float[Numbers, " 2"]
    tiles: int

    def moved(self, first: Cell) -> PictureLight:
        """Return the same light on a picture that begins at that cell."""
        return replace(self, corner=float(self.fall_at(np.array(first, dtype=np.float64))))

    def fall_at(self, places: Float[Numbers, "*shape 2"]) -> Float[Numbers, "*shape"]:
        """Return the fall of the light at places of the picture, in cells."""
        return np.asarray(self.corner + places @ self.per_cell)


def lights_of_pictures(
    photo: BgrImage,
    outlines_px: Sequence[Float[Numbers, "_points 2"]],
    tiles: Sequence[tuple[TileReading, Float[Numbers, "4 2"]]],
) -> list[PictureLight | None]:
    """Return the light on each tile of a photo, or None where no bare table is in sight.

    Args:
        photo: the photo.
        outlines_px: the outlines of all things on the table.
        tiles: the readings, and where the corners of their pictures lie in the photo.
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
    """Return the readings with their pictures as in the mean light of all; those of unknown light as they are."""
    known = [light.usual_bgr for _, light in tiles if light is not None]
    mean = np.mean(known, axis=0) if known else np.zeros(3)
    return [reading if light is None else _relit(reading, light, mean) for reading, light in tiles]


def _light_in(fall: TableFall, corners_px: Float[Numbers, "4 2"], reading: TileReading, tiles: int) -> PictureLight:
    """Return the fall of the light over a picture with these corners; the usual print is still open."""
    first, right, last, down = fall.at(corners_px).tolist()
    height, width = (side / SIDE_PX for side in reading.image.shape[:2])
    per_cell = np.array([(right - first + last - down) / 2 / width, (down - first + last - right) / 2 / height])
    corner = (first + right + last + down) / 4 - float(per_cell @ (width / 2, height / 2))
    return PictureLight(np.zeros(3), corner, per_cell, tiles)


def _places(image: BgrImage, inset_cells: int = 0) -> Float[Numbers, "height width 2"]:
    """Return columns and rows in cells of each pixel of a tile's picture."""
    height, width = image.shape[:2]
    columns, rows = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
    return np.asarray(np.stack([columns, rows], axis=-1) / SIDE_PX - inset_cells)


def _without(reading: TileReading, light: PictureLight) -> Float[Numbers, "n 3"]:
    """Return some pixels of a tile's cells in even light, as logarithms of linear light."""
    some = np.s_[_STEP_PX // 2 :: _STEP_PX, _STEP_PX // 2 :: _STEP_PX]
    places, pixels = _places(reading.image)[some].reshape(-1, 2), reading.image[some].reshape(-1, 3)
    inside = np.array([(int(x), int(y)) in reading.cells for x, y in places.tolist()])
    logs = np.log(light_from_gamma(pixels[inside]) + LIFTED_DARK)
    return np.asarray(logs - light.fall_at(places[inside])[:, None])


def _relit(reading: TileReading, light: PictureLight, mean_bgr: Float[Numbers, " 3"]) -> TileReading:
    """The reading with its pictures in that light; a photo of few tiles shows their colours rather than its light."""
    change = light.tiles / (light.tiles + _FEW_TILES) * (mean_bgr - light.usual_bgr)

    def lit(image: BgrImage, inset_cells: int = 0) -> BgrImage:
        factor = np.exp(change - light.fall_at(_places(image, inset_cells))[:, :, None])
        return gamma_from_light(np.asarray(light_from_gamma(image) * factor, np.float32))

    around = reading.around and replace(reading.around, image=lit(reading.around.image, MARGIN_CELLS))
    return replace(reading, image=lit(reading.image), around=around)
