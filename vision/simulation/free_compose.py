"""Draw random skirmishes on tables without a grid: models, terrain of any shape, light, camera."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from assistant.table.camera import CameraLens, PointMm, TableMarker, TableMarkers
from assistant.table.free_table import Stats, Terrain, TerrainKind
from assistant.table.roster import DoorSpec, Roster, RosterFigure
from calibration.arrays import Floats
from vision.simulation.arrays import Generator
from vision.simulation.camera_view import Around, RenderCamera, lens_of_width
from vision.simulation.compose import TABLE_TOP_SHARES
from vision.simulation.figures import DARK, BodyLook
from vision.simulation.flat_prints import MARKER_FAMILY
from vision.simulation.free_placing import DressedTable, lay_cards, place_models
from vision.simulation.free_scene import FreeScene, exact
from vision.simulation.game_setup import KIND_NAMES, body_look, ring_colors
from vision.simulation.lighting import random_lighting
from vision.simulation.meshes import Color
from vision.simulation.scene import CameraLook, rectangle, rotation

STEP_MM = 50.0
MODELS = (20, 40)
"""Fewest and most models of a skirmish."""

BASES_MM = (20.0, 25.0, 25.0, 28.0, 32.0, 40.0)
RECTANGLES_MM = ((50.0, 25.0), (60.0, 35.0), (40.0, 40.0))
"""Sides of rectangular bases. Models face along the first."""


class FreeCamera(NamedTuple):
    """A kind of camera over a table: size of its picture, ranges of focal length and tilt."""

    size_wh: tuple[int, int]
    focal_px: tuple[float, float]
    tilt_deg: tuple[float, float]


CAMERAS: Mapping[str, FreeCamera] = {
    "webcam": FreeCamera((1920, 1080), (1400.0, 1600.0), (0.0, 40.0)),
    "phone": FreeCamera((3264, 2448), (2500.0, 2800.0), (10.0, 50.0)),
}
"""A camera on a mount, and a phone held over the table's edge."""

KINDS: tuple[tuple[TerrainKind, float], ...] = (("wall", 0.45), ("cover", 0.25), ("difficult", 0.2), ("gap", 0.1))
"""Share of each kind of terrain."""

CARDS = 0.5
"""Share of tables with cards on them."""

LIGHTS = ("soft", "soft", "window", "lamp", "warm side", "hard side", "dim")

BARE_TOPS: tuple[Color, ...] = (DARK, (0.10, 0.17, 0.22), (0.05, 0.12, 0.07), (0.20, 0.21, 0.22))
"""Tops of bases without a painted rim: black plastic, sand, grass, grey."""


def random_free_scene(seed: int, camera: str | None = None) -> FreeScene:
    """Draw the skirmish of a seed.

    Args:
        seed: the source of all chance.
        camera: one of ``CAMERAS``. By default the seed gives three of four tables a webcam.
    """
    rng = np.random.default_rng([seed, 61])
    kind = camera or ("phone" if rng.random() < 0.25 else "webcam")
    size = (float(rng.choice([700, 800, 900, 1000])), float(rng.choice([600, 600, 700])))
    roster, stats, looks = _roster(rng)
    markers, margins = _markers(rng, size)
    terrain = _terrain(rng, size)
    figures = place_models(rng, size, roster.figures, terrain, markers)
    light = str(rng.choice(LIGHTS))
    # Cards have a random stream of their own, so that they change nothing else of a seed.
    own = np.random.default_rng([seed, 62])
    laid = DressedTable(size, roster.figures, figures, terrain, markers)
    cards = lay_cards(own, laid) if own.random() < CARDS else ()
    return FreeScene(
        name=f"free-{seed}",
        seed=seed,
        size_mm=size,
        step_mm=STEP_MM,
        terrain=terrain,
        paints={piece.id: _paint(rng, piece.kind) for piece in terrain},
        roster=roster,
        stats=stats,
        looks=looks,
        figures=figures,
        markers=markers,
        marker_margins_mm=margins,
        table_top=str(rng.choice(list(TABLE_TOP_SHARES), p=list(TABLE_TOP_SHARES.values()))),
        lighting=random_lighting(rng, light, (size[0] / 2, size[1] / 2)),
        view=_view(rng, CAMERAS[kind], size),
        camera=_look(rng, light),
        cards=cards,
    )


def _roster(rng: Generator) -> tuple[Roster, dict[str, Stats], dict[str, BodyLook]]:
    """Draw five to eight kinds for 20 to 40 models. Three of four kinds have a painted rim."""
    names = [str(name) for name in rng.choice(KIND_NAMES, int(rng.integers(5, 9)), replace=False)]
    colors = ring_colors(rng, len(names))
    counts = rng.multinomial(int(rng.integers(MODELS[0], MODELS[1] + 1)), [1 / len(names)] * len(names))
    figures: list[RosterFigure] = []
    stats: dict[str, Stats] = {}
    looks: dict[str, BodyLook] = {}
    for number, (name, color, count) in enumerate(zip(names, colors, counts.tolist(), strict=True)):
        ring = None if rng.random() < 0.25 else color
        look = body_look(rng)
        looks[name] = look if ring else look._replace(top=BARE_TOPS[int(rng.integers(len(BARE_TOPS)))])
        stats[name] = Stats(*(int(value) for value in rng.integers(3, 7, 4)))
        size = RECTANGLES_MM[int(rng.integers(len(RECTANGLES_MM)))] if rng.random() < 0.15 else None
        base, height = float(rng.choice(BASES_MM)), float(round(rng.uniform(22, 45)))
        mark = "#f4f4f0" if rng.random() < 0.6 else None
        side = "knights" if number % 2 else "raiders"
        for n in range(count):
            figure = RosterFigure(f"{name}-{n + 1}", name, side, (1, 1), base, height, ring, mark=mark)
            if size is not None:
                figure = RosterFigure(
                    figure.id, name, side, (1, 1), min(size), height, ring, "rectangle", size, mark=mark
                )
            figures.append(figure)
    return Roster(tuple(figures), DoorSpec(0, 1, 30.0, 2.0)), stats, looks


def _markers(rng: Generator, size: PointMm) -> tuple[TableMarkers, tuple[float, ...]]:
    """Return a marker in each corner of the table, and perhaps one or two in the middle of a side."""
    side, margin = float(rng.integers(45, 61)), float(rng.uniform(6, 10))
    inset = side / 2 + margin + 4
    (width, depth) = size
    spots = [(inset, inset), (width - inset, inset), (width - inset, depth - inset), (inset, depth - inset)]
    spots += [(width / 2, inset), (width / 2, depth - inset)][: int(rng.integers(0, 3))]
    markers = []
    for number, spot in enumerate(spots):
        corners = rectangle(spot, (side, side), float(rng.uniform(-4, 4)))
        a, b, c, d = ((float(x), float(y)) for x, y in np.round(corners, 4))
        markers.append(TableMarker(number, (a, b, c, d)))
    return TableMarkers(MARKER_FAMILY, tuple(markers), None), (margin,) * len(markers)


def _terrain(rng: Generator, size: PointMm) -> tuple[Terrain, ...]:
    """Return six to eleven pieces that do not overlap, clear of the markers' corners."""
    kinds, shares = zip(*KINDS, strict=True)
    pieces: list[Terrain] = []
    rooms: list[tuple[Floats, float]] = []
    for _ in range(int(rng.integers(6, 12))):
        kind: TerrainKind = kinds[int(rng.choice(len(kinds), p=shares))]
        outline = _outline(rng)
        reach = float(np.hypot(*outline.T).max())
        for _ in range(20):
            spot = rng.uniform((110, 110), (size[0] - 110, size[1] - 110))
            if all(np.hypot(*(spot - other)) > reach + room + 12 for other, room in rooms):
                rooms.append((spot, reach))
                places = tuple((exact(float(x)), exact(float(y))) for x, y in np.round(outline + spot, 1))
                pieces.append(Terrain(f"{kind}-{len(pieces) + 1}", kind, places, _height(rng, kind)))
                break
    return tuple(pieces)


def _height(rng: Generator, kind: TerrainKind) -> Fraction:
    if kind == "wall":
        return Fraction(int(rng.integers(25, 66)))
    return Fraction(int(rng.integers(10, 17))) if kind == "cover" else Fraction(0)


def _outline(rng: Generator) -> Float[Floats, "n 2"]:
    """Return corners round the origin: a straight wall, a block, a bent ruin, or a rock with five to nine corners."""
    turn = rotation(float(rng.uniform(0, 360)))
    choice = int(rng.integers(4))
    half = np.array([rng.uniform(40, 80), rng.uniform(3, 6)]) if choice == 0 else rng.uniform(25, 60, 2)
    if choice in (0, 1):
        return np.asarray((np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half) @ turn.T)
    if choice == 2:  # an arrow head: bent, and wholly visible from its middle
        notch = rng.uniform(0.15, 0.5)
        corners = np.array([[-1.0, -1.0], [1.0, 0.0], [-1.0, 1.0], [-notch, 0.0]]) * half
        return np.asarray((corners - corners.mean(axis=0)) @ turn.T)
    count = int(rng.integers(5, 10))
    angles = (np.arange(count) + rng.uniform(-0.3, 0.3, count)) * 2 * math.pi / count
    radii = rng.uniform(22, 55, count)
    corners = np.column_stack([np.cos(angles), np.sin(angles)]) * radii[:, None]
    middle = corners.mean(axis=0)
    return corners - middle if float(np.hypot(*middle)) < 6 else corners * (35.0 / radii[:, None])


def _paint(rng: Generator, kind: TerrainKind) -> Color:
    """Return a paint: stone, wood, rust or plaster, moss or mud, nearly black for a hole."""
    choices: Mapping[TerrainKind, tuple[Color, ...]] = {
        "wall": ((0.22, 0.23, 0.24), (0.08, 0.14, 0.22), (0.45, 0.48, 0.52), (0.08, 0.10, 0.26)),
        "cover": ((0.09, 0.16, 0.10), (0.10, 0.18, 0.28), (0.3, 0.32, 0.33)),
        "difficult": ((0.06, 0.14, 0.09), (0.08, 0.13, 0.18)),
        "gap": ((0.01, 0.01, 0.012),),
    }
    options = choices[kind]
    b, g, r = (np.array(options[int(rng.integers(len(options)))]) * rng.uniform(0.8, 1.25)).tolist()
    return b, g, r


def _view(rng: Generator, camera: FreeCamera, size: PointMm) -> RenderCamera:
    """Place a camera as near as the whole table allows."""
    lens = lens_of_width(
        *camera.size_wh,
        float(rng.uniform(*camera.focal_px)),
        float(rng.uniform(-0.14, 0.04)),
        float(rng.uniform(-0.02, 0.02)),
    )
    tilt, azimuth = float(rng.uniform(*camera.tilt_deg)), float(rng.choice([90.0, 270.0]) + rng.uniform(-18, 18))
    roll, target = float(rng.uniform(-4, 4)), (size[0] / 2, size[1] / 2)
    distance = 700.0
    while True:
        view = RenderCamera.looking_at(lens, target, Around(distance, tilt, azimuth, roll))
        if _sees_all(view, size, lens):
            return view
        distance += 20.0


def _sees_all(view: RenderCamera, size: PointMm, lens: CameraLens) -> bool:
    corners = np.array([[x, y, z] for x in (0.0, size[0]) for y in (0.0, size[1]) for z in (0.0, 30.0)])
    pixels = view.project(corners)
    return bool(((pixels >= 8) & (pixels <= np.array([lens.width_px, lens.height_px]) - 9)).all())


def _look(rng: Generator, light: str) -> CameraLook:
    warm, is_dim = rng.normal(0, 0.06), light == "dim"
    return CameraLook(
        exposure=float(rng.uniform(0.22, 0.3) if is_dim else rng.uniform(0.33, 0.48)),
        noise=float(rng.uniform(0.6, 1.6) * (1.4 if is_dim else 1.0)),
        white_balance_bgr=(float(1 - warm), float(1 + rng.normal(0, 0.02)), float(1 + warm)),
        vignetting=float(rng.uniform(0, 0.3)),
        defocus_px=float(rng.uniform(0.3, 0.8)) if rng.random() < 0.2 else 0.0,
        jpeg_quality=int(rng.integers(80, 94)),
    )
