"""What age, printer and paint leave of a table: prints that are not their pictures, gloss, paint on bases and doors."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from jaxtyping import UInt8

from calibration.arrays import Floats, Levels
from vision.simulation.door_look import CREAM, DoorLook
from vision.simulation.meshes import Color


@dataclass(frozen=True)
class Misprint:
    """How a print differs from its picture, in display values from 0 to 1.

    Args:
        gamma: exponent of every value.
        gain_bgr: factor of each colour.
        grey: the share of grey that is mixed in.
        lift: what black became.
        blur_cells: spread of a point, in cells.
    """

    gamma: float
    gain_bgr: tuple[float, float, float]
    grey: float
    lift: float
    blur_cells: float

    def of(self, picture: UInt8[Levels, "height width 3"], pixels_per_cell: int) -> UInt8[Levels, "height width 3"]:
        """The picture as it was printed."""
        values: Floats = (picture.astype(np.float32) / 255) ** np.float32(self.gamma) * np.array(self.gain_bgr)
        values = values + self.grey * (values.mean(axis=2, keepdims=True) - values)
        if self.blur_cells > 0:
            values = np.asarray(cv2.GaussianBlur(values, (0, 0), self.blur_cells * pixels_per_cell), np.float32)
        return np.asarray(np.clip((self.lift + values * (1 - self.lift)) * 255, 0, 255), np.uint8)


@dataclass(frozen=True)
class Finish:
    """The surfaces of a table.

    Args:
        misprint: how the tiles' prints differ from their pictures; None where they do not.
        gloss: how strongly and (an exponent) how sharply the tiles' tops mirror the lamp.
        veil: the share of the room's light that they mirror whatever their colour.
        bounce: how much of the light that shadows take away comes back from the things around.
        side_bgr: colour of the tiles' cut sides, linear.
        doors: the looks of the standing doors in turn; without any all look as the set's door.
    """

    misprint: Misprint | None = None
    gloss: tuple[float, float] = (0.10, 30.0)
    veil: float = 0.0
    bounce: float = 0.0
    side_bgr: Color = CREAM
    doors: tuple[DoorLook, ...] = ()


AS_NEW = Finish()
"""Prints as their pictures, a faint shine, cream cardboard."""
