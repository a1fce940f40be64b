"""The same simulated table photographed from other sides, as by somebody who walks round it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.simulation.arrays import Generator
from vision.simulation.camera_view import Around, RenderCamera
from vision.simulation.compose import markers_in_view
from vision.simulation.scene import Scene, on_table

_BODY_MM = 45.0
_RIM_PX = 12
_LEAST_MARKERS = 3
_STEP_BACK = 1.05
"""Who does not see the whole board steps back by so much."""


def from_another_side(scene: Scene, turn_deg: float, rng: Generator) -> Scene:
    """The scene with its camera carried round the board, tilted a little otherwise.

    Args:
        scene: the table, as it is seen first.
        turn_deg: by how much the camera goes round.
        rng: where the small differences come from.
    """
    tilt, azimuth, _, distance = scene.around
    tilt = float(np.clip(tilt + rng.normal(0, 6), 0, 55))
    middle = on_table(scene.grid, np.array(sorted(scene.cells)) + 0.5).mean(axis=0) + rng.normal(0, 10, 2)
    x, y = (float(v) for v in middle)
    roll = float(rng.uniform(-6, 6))
    while True:
        around = Around(distance, tilt, (azimuth + turn_deg) % 360, roll)
        view = RenderCamera.looking_at(scene.view.lens, (x, y), around)
        if _sees_board(view, scene):
            return replace(scene, view=view, around=(tilt, around.azimuth_deg, roll, distance))
        distance *= _STEP_BACK


def _sees_board(view: RenderCamera, scene: Scene) -> bool:
    corners = on_table(scene.grid, np.array([(c + i, r + j) for c, r in scene.cells for i in (0, 1) for j in (0, 1)]))
    places = view.project(np.array([[*corner, height] for corner in corners for height in (0.0, _BODY_MM)]))
    limit = np.array([view.lens.width_px, view.lens.height_px]) - 1 - _RIM_PX
    is_whole = bool(((places >= _RIM_PX) & (places <= limit)).all())
    return is_whole and len(markers_in_view(view, scene.markers)) >= _LEAST_MARKERS
