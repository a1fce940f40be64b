"""Diagnose an unreadable photo, so that the advice fits the cause."""

from __future__ import annotations

import cv2
import numpy as np

from assistant.errors import PhotoError
from assistant.translations.messages import Said, said
from calibration.arrays import BgrImage
from calibration.picture_stats import PictureStats, picture_stats
from calibration.pose import CameraView

_LONGER_SIDE_PX = 1920
"""Size for measuring sharpness. In a picture twice as large, the slope per pixel halves."""

_BLURRED = 0.15
"""Sharpness of a blurred photo. 54 readable photos had .25 or more. One blurred over 21 pixels has .06."""

_LARGE_CELL_PX = 28.0
"""Side of a cell in the photo from which tiles are large enough. All tiles of 24 ray-traced photos with cells of 28 to
61 pixels are read."""

_DARK, _BLOWN = 18.0, 0.04
"""Mean code value of a photo that is too dark, and clipped share of a photo with a reflected lamp."""


_BLURRED_PHOTO = said("The photo is blurred. Hold the camera still or add light, then take it again.")


class PhotoUnclear(PhotoError):
    """A photo to teach from is blurred or too dark; what it teaches would be so, too."""


def require_clear(photo: BgrImage) -> BgrImage:
    """Return a photo to teach from.

    Raises:
        PhotoUnclear: it is blurred or too dark.
    """
    fault = _unclear(_stats_of(photo))
    if fault is not None:
        raise PhotoUnclear(fault)
    return photo


def covered_tiles_advice(photo: BgrImage, view: CameraView, cell_mm: float) -> Said | None:
    """Return advice for a sharp photo of large cells without a recognised tile, or None if the cells are small."""
    height, width = photo.shape[:2]
    x, y = view.table_from_image([(width / 2, height / 2)])[0].tolist()
    one, other = view.image_from_table([(x, y), (x + cell_mm, y)])
    if float(np.linalg.norm(other - one)) < _LARGE_CELL_PX:
        return None
    return said(
        "No tile of the tile set can be recognised, though the photo is sharp and near enough. Clear some spaces of "
        "each tile, or check that these tiles belong to the set."
    )


def fault_without_view(photo: BgrImage) -> Said | None:
    """Return the fault of a photo that does not tell where the camera was, or None.

    A few spaces that were enlarged look blurred, too.
    """
    fault = fault_of(photo)
    if fault != _BLURRED_PHOTO:
        return fault
    return said(
        "The photo is blurred or shows too few spaces. Hold the camera still or add light, and show more of the table."
    )


def unplaced_tiles_advice(photo: BgrImage, *, tiles_repeat: bool) -> Said | None:
    """Return advice for a photo without a fault, in which no tile tells where the camera was. None if it is blank.

    Args:
        photo: the photo.
        tiles_repeat: whether every tile of the set repeats one pattern.
    """
    if not _stats_of(photo).sharpness:
        return None
    if tiles_repeat:
        return said(
            "The tiles of the set repeat one pattern, so too little tells where they lie. Clear some spaces, or lay "
            "printed markers beside the tiles and choose a set-up with markers."
        )
    return said(
        "No tile of the tile set can be recognised, though the photo is sharp. Clear some spaces of each tile, move "
        "closer, or lay printed markers beside the tiles. Or check that these tiles belong to the set."
    )


def fault_of(photo: BgrImage) -> Said | None:
    """Return a photo's fault with its remedy, or None if the photo is sharp, bright and without glare."""
    stats = _stats_of(photo)
    fault = _unclear(stats)
    if fault is None and stats.blown_share > _BLOWN:
        return said("Light is reflected on the table. Move the lamp or the camera, then take the photo again.")
    return fault


def _stats_of(photo: BgrImage) -> PictureStats:
    scale = min(1.0, _LONGER_SIDE_PX / max(photo.shape[:2]))
    small = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else photo
    return picture_stats(np.asarray(small, dtype=np.uint8))


def _unclear(stats: PictureStats) -> Said | None:
    if stats.brightness < _DARK:
        return said("The photo is too dark. Add light, then take it again.")
    if 0 < stats.sharpness < _BLURRED:
        return _BLURRED_PHOTO
    return None
