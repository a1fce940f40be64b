"""A table without a grid as somebody wants it, photographed with lines drawn over it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from assistant.table.free_table import FreeFigure, FreeTable
from assistant.table.roster import RosterFigure
from calibration.arrays import BgrImage
from vision.photo.decoding import decode_photo
from vision.simulation.camera_view import Around, RenderCamera
from vision.simulation.free_compose import random_free_scene
from vision.simulation.free_dataset import take_free_photo
from vision.simulation.free_scene import FreeScene, PlacedModel
from vision.simulation.meshes import Color
from vision.simulation.set_up_by_hand import PICTURE_WH, ThreadLine, draw_threads

SEED = 8002
"""Whose cloth, light and bodies are borrowed: a soft light on a table of 700 x 600 mm."""

RINGS = ("#3b6fd4", "#d13a34", "#e0b03a")
"""A color for each side, in the order of their names."""

PAINTS: dict[str, Color] = {
    "wall": (0.27, 0.29, 0.30),
    "cover": (0.10, 0.22, 0.35),
    "difficult": (0.08, 0.22, 0.10),
    "gap": (0.03, 0.02, 0.02),
}

SEEN_FROM_MM, NEARER_SHARE, TILT_DEG, AZIMUTH_DEG = 180.0, 1.0, 46.0, 78.0
"""The camera stands nearly across the line of fire, low enough for heights to be seen."""


@dataclass(frozen=True)
class FreeHandScene:
    """A simulated table without a grid that somebody set up.

    Args:
        name: what it is called.
        board: the table as the rules see it; what is beyond the borrowed cloth is not seen.
    """

    name: str
    board: FreeTable

    @cached_property
    def scene(self) -> FreeScene:
        """What stands where."""
        base, figures = random_free_scene(SEED), self.board.figures
        sides = sorted({figure.side for figure in figures})
        rings = dict(zip(sides, RINGS, strict=False))
        kinds = dict(zip(sides, base.looks, strict=False))
        placed = tuple(
            PlacedModel(
                _in_box(figure, kinds[figure.side], rings[figure.side]),
                (float(figure.center_mm[0]), float(figure.center_mm[1])),
                float(figure.facing_deg),
                float(figure.elevation_mm),
                number,
            )
            for number, figure in enumerate(figures)
        )
        return replace(
            base,
            name=self.name,
            size_mm=(float(self.board.size_mm[0]), float(self.board.size_mm[1])),
            step_mm=float(self.board.step_mm),
            terrain=self.board.terrain,
            paints={piece.id: PAINTS[piece.kind] for piece in self.board.terrain},
            roster=replace(base.roster, figures=tuple(model.figure for model in placed)),
            stats={kinds[figure.side]: figure.stats for figure in figures},
            figures=placed,
            view=_near(base, placed),
        )

    def picture(self, lines: Sequence[ThreadLine]) -> BgrImage:
        """A photo of it with lines drawn over it: green where they are free, red where something stops them."""
        image = decode_photo(take_free_photo(self.scene)[0])
        draw_threads(image, self.scene.view, lines, lambda points: points)
        return image


def _in_box(figure: FreeFigure, kind: str, ring: str) -> RosterFigure:
    return RosterFigure(figure.id, kind, figure.side, (1, 1), float(figure.base_mm), float(figure.height_mm), ring)


def _near(base: FreeScene, placed: Sequence[PlacedModel]) -> RenderCamera:
    """The table's camera brought near, so that the models fill the picture."""
    centers = np.array([model.center_mm for model in placed])
    low, high = centers.min(0), centers.max(0)
    distance_mm = SEEN_FROM_MM + NEARER_SHARE * float(np.hypot(*(high - low)))
    x, y = ((low + high) / 2).tolist()
    around = Around(distance_mm, TILT_DEG, AZIMUTH_DEG, 0.0)
    return RenderCamera.looking_at(base.view.lens.scaled_to(*PICTURE_WH), (x, y), around)
