"""The figures of a rendered box: 40 of 10 kinds, lined up on a bare table beside one of its tiles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from loose_box import Layout, TwoSidedBox, loose_scene

from assistant.table.roster import DoorSpec, Roster, RosterFigure
from vision.simulation.camera_view import Around, RenderCamera, lens_of_width
from vision.simulation.figures import BodyLook
from vision.simulation.free_compose import BARE_TOPS
from vision.simulation.game_setup import KIND_NAMES, body_look, ring_colors
from vision.simulation.scene import Clutter, PlacedFigure, PlacedTile, Scene
from vision.simulation.tile_art import CELL_MM

KINDS, EACH, COLUMNS, PITCH_MM = 10, 4, 8, 78.0
LINE_UP_WH = (2880, 2160)
SIDES_DEG = (90.0, 200.0, 330.0)
LARGE_MM = ((47.4, 22.0), (47.4, 47.4))


def random_figures(seed: int) -> tuple[Roster, Mapping[str, BodyLook]]:
    """Four figures each of ten kinds, two of them on rectangular bases, half of the kinds with a painted ring."""
    rng = np.random.default_rng([seed, 4010])
    names = [str(name) for name in rng.choice(KIND_NAMES, KINDS, replace=False)]
    colors = ring_colors(rng, KINDS)
    figures, looks = [], {}
    for index, name in enumerate(names):
        ring = colors[index] if rng.random() < 0.5 else None
        look = body_look(rng)
        looks[name] = look if ring else look._replace(top=BARE_TOPS[int(rng.integers(len(BARE_TOPS)))])
        base_mm = float(rng.choice([20.0, 21.0, 22.0, 23.0, 24.0]))
        height_mm = float(round(rng.uniform(20, 42)))
        for number in range(EACH):
            side = "heroes" if index < 3 else "foes"
            figure = RosterFigure(f"{name}-{number + 1}", name, side, (1, 1), base_mm, height_mm, ring)
            if index >= KINDS - len(LARGE_MM):
                size = LARGE_MM[index - KINDS]
                cells = (2, 1 if size[1] < CELL_MM else 2)
                figure = replace(figure, size=cells, base_mm=min(size), base_shape="rectangle", base_size_mm=size)
            figures.append(figure)
    return Roster(tuple(figures), DoorSpec(8, 1, 30.0, 2.0)), looks


def line_up_scene(
    seed: int, box: TwoSidedBox, cast: tuple[Roster, Mapping[str, BodyLook]], table_top: str, number: int
) -> Scene:
    """Return all figures in rows with a tile before them, as a phone held by hand sees them from one of three sides."""
    rng = np.random.default_rng([seed, 391])
    roster, looks = cast
    placed = []
    for place, index in enumerate(rng.permutation(len(roster.figures)).tolist()):
        column, row = place % COLUMNS, place // COLUMNS
        x, y = (np.array([column, row]) * PITCH_MM + rng.uniform(-8, 8, 2)).tolist()
        yaw, pose = float(rng.uniform(0, 360)), int(rng.integers(10_000))
        placed.append(PlacedFigure(roster.figures[index], ((40, 40),), (x, y), yaw, yaw, pose))
    size = np.array([(COLUMNS - 1) * PITCH_MM, (len(placed) - 1) // COLUMNS * PITCH_MM])
    sides = [side for side in box.printed.tile_set.sides if 6 <= len(side.cells) <= 12]
    tile = sides[int(rng.integers(len(sides)))]
    left, top, columns, rows = tile.bounds
    corner = (float(size[0] / 2 - columns * CELL_MM / 2), float(size[1] + 55.0))
    misfit = (corner[0] - left * CELL_MM, corner[1] - top * CELL_MM)
    rng = np.random.default_rng([seed, 392, number])
    tilt, azimuth = float(rng.uniform(22, 42)), SIDES_DEG[number] + float(rng.uniform(-14, 14))
    lens = lens_of_width(*LINE_UP_WH, float(rng.uniform(2100, 2500)), float(rng.uniform(-0.06, 0.03)), 0.0)
    low, high = np.array([-40.0, -40.0]), size + np.array([40.0, 65.0 + rows * CELL_MM])
    x, y = ((low + high) / 2).tolist()
    corners = np.array([[cx, cy, z] for cx in (low[0], high[0]) for cy in (low[1], high[1]) for z in (0.0, 40.0)])
    distance, roll = 500.0, float(rng.uniform(-5, 5))
    view = RenderCamera.looking_at(lens, (x, y), Around(distance, tilt, azimuth, roll))
    while not ((view.project(corners) >= 8) & (view.project(corners) <= np.array(LINE_UP_WH) - 9)).all():
        distance += 15
        view = RenderCamera.looking_at(lens, (x, y), Around(distance, tilt, azimuth, roll))
    token = Clutter("token", (float(size[0]) + 20.0, float(size[1]) + 75.0), 0.0, seed)
    layout = Layout((), (token,), (float(size[0]), float(size[1])))
    bare = loose_scene(seed, box, layout, "A", table_top, photo_wh=LINE_UP_WH)
    return replace(
        bare,
        name=f"line-up-{seed}-{number}",
        tiles=(PlacedTile(tile.id, 0, (0, 0), misfit),),
        figures=tuple(placed),
        roster=roster,
        looks=looks,
        view=view,
        around=(tilt, azimuth, roll, distance),
    )
