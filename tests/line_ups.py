"""Simulated line-ups: separate figures on a bare table, as a hand-held phone sees them."""

from __future__ import annotations

import numpy as np

from assistant.table.camera import TableMarkers
from assistant.table.free_table import Stats
from assistant.table.roster import DoorSpec, Roster, RosterFigure
from vision.simulation.camera_view import Around, RenderCamera, lens_of_width
from vision.simulation.dataset import take_photo
from vision.simulation.figures import BodyLook
from vision.simulation.free_scene import FreeScene, PlacedModel
from vision.simulation.lighting import random_lighting
from vision.simulation.scene import CameraLook

PITCH_MM = 62.0
COLUMNS = 3
SIDES_DEG = (96.0, 215.0)

LOOKS = {
    "ghoul": BodyLook("humanoid", (0.06, 0.06, 0.22), 5),
    "golem": BodyLook("tall", (0.35, 0.45, 0.5), 3),
}
BASES_MM = {"ghoul": 22.0, "golem": 32.0}
RINGS = {"ghoul": "#23a05a", "golem": None}


def line_up(side: int = 0, *, count: int = 6, top: str = "felt", width_px: int = 2000) -> FreeScene:
    """Return a line-up of figures, two kinds in turn, in rows of three, from one of two sides."""
    figures = []
    for number in range(count):
        kind = ("ghoul", "golem")[number % 2]
        figures.append(RosterFigure(f"{kind}-{number}", kind, "foes", (1, 1), BASES_MM[kind], 32.0, RINGS[kind]))
    rng = np.random.default_rng(77)
    placed = tuple(
        PlacedModel(
            figure,
            (PITCH_MM * (number % COLUMNS + 1 + 0.1 * (number % 2)), PITCH_MM * (number // COLUMNS + 1)),
            70.0 * number,
            0.0,
            number,
        )
        for number, figure in enumerate(figures)
    )
    size_mm = (PITCH_MM * (COLUMNS + 1), PITCH_MM * (max(0, count - 1) // COLUMNS + 2))
    middle = (size_mm[0] / 2, size_mm[1] / 2)
    lens = lens_of_width(width_px, width_px * 3 // 4, 0.78 * width_px, -0.02, 0.0)
    return FreeScene(
        name=f"line-up-{side}",
        seed=77,
        size_mm=size_mm,
        step_mm=50.0,
        terrain=(),
        paints={},
        roster=Roster(tuple(figures), DoorSpec(0, 1, 30.0, 2.0)),
        stats={kind: Stats(4, 4, 4, 4) for kind in BASES_MM},
        looks=LOOKS,
        figures=placed,
        markers=TableMarkers("36h11", (), None),
        marker_margins_mm=(),
        table_top=top,
        lighting=random_lighting(rng, "soft", middle),
        view=RenderCamera.looking_at(lens, middle, Around(1.6 * size_mm[0], 33.0, SIDES_DEG[side])),
        camera=CameraLook(exposure=0.42, noise=0.8, jpeg_quality=90),
    )


def photo_of(scene: FreeScene) -> bytes:
    """Return the photo as a phone would send it."""
    return take_photo(scene)[0]
