"""Fall-off of the light over a bare table, whose colour is about the same everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from jaxtyping import Float

from assistant.table.camera import PointMm
from calibration.arrays import BgrImage, Mask, Numbers
from calibration.color import GAMMA
from calibration.pose import CameraView
from vision.photo.paper_light import PaperLight

_SIDE_PX = 333
"""Longer side of the picture for measuring the light, which is smooth."""

_RIM_PX = 5
"""Width of the border round things, in that picture, that shadows and sides of things may darken."""


@dataclass(frozen=True, eq=False)
class TableFall:
    """The table's light in a photo relative to its mean, as logarithms of linear light.

    ``scale`` reduces the photo to it.
    """

    field: Float[Numbers, "height width"]
    scale: float

    def at(self, places_px: Float[Numbers, "n 2"]) -> Float[Numbers, " n"]:
        """Return the light at places of the photo. Beyond its rim it equals the rim's."""
        limits = np.array(self.field.shape[::-1]) - 1
        columns, rows = np.clip(np.round(places_px * self.scale), 0, limits).astype(int).T
        return np.asarray(self.field[rows, columns])


def fall_on_table(photo: BgrImage, outlines_px: Sequence[Float[Numbers, "_points 2"]]) -> TableFall | None:
    """Return the fall-off on the table round things with these outlines, or None without visible table."""
    scale = _SIDE_PX / max(photo.shape[:2])
    small = np.asarray(cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    is_bare = np.ones(small.shape[:2], dtype=np.uint8)
    for outline in outlines_px:
        cv2.fillPoly(is_bare, [np.round(outline * scale).astype(np.int32)], 0)
    is_table = cv2.erode(is_bare, np.ones((_RIM_PX, _RIM_PX), np.uint8)) > 0
    return TableFall(GAMMA * fall_of_light(small, is_table), scale) if is_table.any() else None


def with_fall(
    light: PaperLight, fall: TableFall, view: CameraView, known_mm: PointMm, places_mm: Float[Numbers, "n 2"]
) -> PaperLight:
    """Extend the light measured at one place to others by the table's fall-off."""
    known = np.array(known_mm)
    here, there = (fall.at(view.image_from_table(places)) for places in (known[None], places_mm))
    slope = np.linalg.lstsq(places_mm - known, there - here, rcond=None)[0]
    level = float(np.log(light.brightness_at(known[None])[0]) - slope @ known)
    return replace(light, log_brightness=np.array([level, *slope]))


def fall_of_light(image: BgrImage, is_table: Mask) -> Float[Numbers, "height width"]:
    """Return the table's light relative to its mean, as log display values, by a smooth fit of the bare table."""
    height, width = is_table.shape
    rows, columns = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    terms = np.stack([np.ones_like(rows), rows, columns, rows * columns, rows**2, columns**2], axis=-1)
    light = np.log(cv2.GaussianBlur(image, (0, 0), 2.0).astype(np.float64).mean(axis=2) + 4.0)
    step = max(1, int(is_table.sum()) // 20_000)
    known, values = terms[is_table][::step], light[is_table][::step]
    weights = np.ones(len(values))
    solved = np.zeros(terms.shape[-1])
    for _ in range(4):
        root = np.sqrt(weights)[:, None]
        solved = np.linalg.lstsq(known * root, values * root[:, 0], rcond=None)[0]
        weights = 1 / (1 + ((known @ solved - values) / 0.15) ** 2)
    field = terms @ solved
    return np.asarray(np.clip(field - field.mean(), -1.2, 1.2))
