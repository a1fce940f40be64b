"""Prepare a mission's table without a grid for the simulated camera: cloth, light, markers, models."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from assistant.table.camera import PointMm, TableMarker, TableMarkers
from assistant.table.free_table import FreeFigure, FreeTable
from assistant.table.roster import DoorSpec, Roster, RosterFigure, kind_of
from vision.simulation.camera_view import Around, RenderCamera, lens_of_width
from vision.simulation.figures import BodyLook
from vision.simulation.flat_prints import MARKER_FAMILY
from vision.simulation.free_scene import PAINTS, FreeScene, place_models_of
from vision.simulation.game_setup import hex_from_hsv
from vision.simulation.lighting import Lighting
from vision.simulation.meshes import Color
from vision.simulation.scene import CameraLook

SEED = 3003
MARK = "#f4f4f0"
MARKER_MM, MARGIN_MM, BESIDE_MM = 44.0, 7.0, 40.0
"""Markers lie beside the playing area, which leaves all of it for models."""

LENS = lens_of_width(1920, 1080, 1640.0, -0.06, 0.01)
TILT_DEG, AZIMUTH_DEG = 26.0, 88.0
NEARER_SHARE = 0.04
"""Offset of the camera's aim in front of the table's middle, as a share of its depth, since the near half looks
larger."""

EDGE_SHARE = 0.015
"""Free border of the picture round table and markers."""

SOFT_MM = (-260.0, -420.0, 1250.0)
"""Place of a large soft lamp, from the middle of the table."""

BUILDS: tuple[tuple[str, Color], ...] = (
    ("humanoid", (0.30, 0.30, 0.30)),
    ("tall", (0.30, 0.38, 0.42)),
    ("beast", (0.06, 0.11, 0.20)),
    ("blob", (0.10, 0.18, 0.14)),
    ("winged", (0.08, 0.09, 0.16)),
)
"""Build and plastic of the kinds of models, in turn."""


def free_sample_scene(table: FreeTable) -> FreeScene:
    """Prepare a table with every model in its place. Rims distinguish kinds, and a white mark shows the facing."""
    kinds = list(dict.fromkeys(kind_of(figure.id) for figure in table.figures))
    rings = {kind: hex_from_hsv((0.02 + number / len(kinds)) % 1, 0.85, 0.9) for number, kind in enumerate(kinds)}
    roster = Roster(
        tuple(_boxed(figure, rings[kind_of(figure.id)]) for figure in table.figures), DoorSpec(0, 1, 30.0, 2.0)
    )
    size_mm = (float(table.size_mm[0]), float(table.size_mm[1]))
    markers = _markers(size_mm)
    return FreeScene(
        name="free-sample",
        seed=SEED,
        size_mm=size_mm,
        step_mm=float(table.step_mm),
        terrain=table.terrain,
        paints={piece.id: PAINTS[piece.kind] for piece in table.terrain},
        roster=roster,
        stats={kind_of(figure.id): figure.stats for figure in table.figures},
        looks={kind: BodyLook(*BUILDS[number % len(BUILDS)], seed=number) for number, kind in enumerate(kinds)},
        figures=place_models_of(table, roster),
        markers=markers,
        marker_margins_mm=(MARGIN_MM,) * len(markers.markers),
        table_top="wood",
        lighting=_lamp(size_mm),
        view=_view(size_mm),
        camera=CameraLook(exposure=0.42, noise=0.7, vignetting=0.15, jpeg_quality=90),
    )


def _boxed(figure: FreeFigure, ring: str) -> RosterFigure:
    base_mm, height_mm = float(figure.base_mm), float(figure.height_mm)
    round_one = RosterFigure(figure.id, kind_of(figure.id), figure.side, (1, 1), base_mm, height_mm, ring, mark=MARK)
    size = figure.base_size_mm
    if size is None:
        return round_one
    return replace(round_one, base_shape="rectangle", base_size_mm=(float(size[0]), float(size[1])))


def _markers(size_mm: PointMm) -> TableMarkers:
    """Return a marker beside each corner of the table."""
    (width, depth), half = size_mm, MARKER_MM / 2
    spots = [(-BESIDE_MM, -BESIDE_MM), (width + BESIDE_MM, -BESIDE_MM)]
    spots += [(width + BESIDE_MM, depth + BESIDE_MM), (-BESIDE_MM, depth + BESIDE_MM)]
    markers = tuple(
        TableMarker(number, ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)))
        for number, (x, y) in enumerate(spots)
    )
    return TableMarkers(MARKER_FAMILY, markers, None)


def _view(size_mm: PointMm) -> RenderCamera:
    """Return a camera on a mount over one side, as near as the table with its markers allows."""
    (width, depth), beyond = size_mm, BESIDE_MM + MARKER_MM / 2 + MARGIN_MM
    corners = np.array([[x, y, 0.0] for x in (-beyond, width + beyond) for y in (-beyond, depth + beyond)])
    edge = np.array([LENS.width_px, LENS.height_px]) * EDGE_SHARE
    distance_mm = max(size_mm)
    while True:
        around = Around(distance_mm, TILT_DEG, AZIMUTH_DEG)
        view = RenderCamera.looking_at(LENS, (width / 2, depth / 2 + NEARER_SHARE * depth), around)
        seen = view.project(corners)
        if (seen >= edge).all() and (seen <= (LENS.width_px, LENS.height_px) - edge).all():
            return view
        distance_mm *= 1.02


def _lamp(size_mm: PointMm) -> Lighting:
    x, y = size_mm[0] / 2, size_mm[1] / 2
    return Lighting(
        name="soft",
        lamp_mm=(x + SOFT_MM[0], y + SOFT_MM[1], SOFT_MM[2]),
        across_mm=((320.0, 0.0, 0.0), (0.0, 320.0, 120.0)),
        lamp_bgr=(0.44, 0.46, 0.47),
        room_bgr=(0.52, 0.52, 0.51),
        target_mm=(x, y),
        samples=24,
    )
