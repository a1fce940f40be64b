"""Random scenes from a seed, in buckets easy, normal and hard as in the scenes' README."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Bool, Float

from assistant.table.camera import PointMm, TableMarker, TableMarkers
from assistant.table.lattice import Cell
from assistant.table.observation import LatticePose
from assistant.table.roster import Roster, RosterFigure
from calibration.arrays import Flags, Floats
from vision.simulation.arrays import Generator
from vision.simulation.camera_view import Around, RenderCamera, lens_of_width
from vision.simulation.figures import BodyLook
from vision.simulation.flat_prints import MARKER_FAMILY
from vision.simulation.game_setup import join_tiles, place_doors, place_figures, printed_edges, random_roster
from vision.simulation.lighting import random_lighting
from vision.simulation.scene import Bucket, CameraLook, Clutter, Scene, board_corners, on_table, rotation
from vision.simulation.tile_art import CELL_MM, PrintedTiles, random_tiles

PHOTO_WH = (1920, 1080)

TABLE_TOP_SHARES: Mapping[str, float] = {
    "wood": 0.3,
    "felt": 0.18,
    "neoprene": 0.16,
    "cloth": 0.14,
    "plain": 0.12,
    "patterned": 0.1,
}
"""Share of each kind of table top."""


@dataclass(frozen=True)
class BucketRules:
    """Ranges of a bucket: camera tilt, kinds of light, counts of tiles, figures and clutter, noise and blur."""

    tilt_deg: tuple[float, float]
    lights: tuple[str, ...]
    tiles: tuple[int, int]
    figures: tuple[int, int]
    clutter: int
    noise: tuple[float, float]
    blur_share: float
    crowding: float


BUCKETS: Mapping[Bucket, BucketRules] = {
    "easy": BucketRules((0, 19.9), ("soft", "soft", "window"), (2, 3), (3, 6), 3, (0.4, 1.0), 0.0, 0.0),
    "normal": BucketRules((10, 36), ("soft", "window", "lamp", "warm side"), (3, 5), (5, 9), 7, (0.7, 1.6), 0.3, 0.3),
    "hard": BucketRules((35, 50), ("hard side", "hard side", "dim", "lamp"), (4, 6), (8, 14), 9, (1.3, 2.4), 0.5, 0.65),
}
"""The buckets by their names."""


def random_scene(
    seed: int,
    bucket: Bucket,
    *,
    name: str | None = None,
    tiles: PrintedTiles | None = None,
    cast: tuple[Roster, Mapping[str, BodyLook]] | None = None,
    tilt_deg: tuple[float, float] | None = None,
) -> Scene:
    """Return the scene of that seed and bucket. The same seed gives the same scene.

    Args:
        seed: the source of all chance.
        bucket: the difficulty of the photo.
        name: its name, by default from bucket and seed.
        tiles: the tile set, by default the scene's own.
        cast: the figures to draw from, and their looks, by default the scene's own.
        tilt_deg: the camera's range of tilt from straight down, by default the bucket's.
    """
    rng = np.random.default_rng([seed, sorted(BUCKETS).index(bucket)])
    rules = replace(BUCKETS[bucket], tilt_deg=tilt_deg or BUCKETS[bucket].tilt_deg)
    printed = tiles or random_tiles(rng, f"set-{seed}")
    roster, looks = cast or random_roster(rng, rules.figures[1])
    placed = join_tiles(rng, printed.tile_set, int(rng.integers(rules.tiles[0], rules.tiles[1] + 1)))
    parts = [t.lattice_cells(printed.tile_set.side(t.id).cells) for t in placed]
    cells = frozenset().union(*parts)
    markers, margins, grid = _table_layout(rng, cells)
    doors = place_doors(rng, grid, cells, printed_edges(printed.tile_set, placed), int(rng.integers(0, 4)))
    chosen, edges = _chosen_figures(rng, rules, roster), [door.edge for door in doors]
    figures = place_figures(rng, grid, parts, chosen, edges, crowding=rules.crowding)
    view, around = _camera(rng, rules, cells, grid, markers)
    x, y = on_table(grid, np.array(sorted(cells)) + 0.5).mean(0).tolist()
    light = str(rng.choice(rules.lights))
    return Scene(
        name=name or f"{bucket}-{seed}",
        bucket=bucket,
        seed=seed,
        printed=printed,
        roster=roster,
        looks=looks,
        markers=markers,
        marker_margins_mm=margins,
        grid=grid,
        tiles=placed,
        doors=doors,
        figures=figures,
        damage_mm=_damage(rng, grid, cells.difference(*(figure.cells for figure in figures))),
        clutter=_clutter(rng, grid, cells, markers, rules.clutter),
        table_top=str(rng.choice(list(TABLE_TOP_SHARES), p=list(TABLE_TOP_SHARES.values()))),
        lighting=random_lighting(rng, light, (x, y)),
        view=view,
        around=around,
        camera=_look(rng, rules, light),
    )


def _chosen_figures(rng: Generator, rules: BucketRules, roster: Roster) -> list[RosterFigure]:
    """Draw some of the box's figures, within the bucket's range."""
    count = int(rng.integers(rules.figures[0], rules.figures[1] + 1))
    return [roster.figures[int(i)] for i in rng.permutation(len(roster.figures))[:count]]


def _table_layout(rng: Generator, cells: frozenset[Cell]) -> tuple[TableMarkers, tuple[float, ...], LatticePose]:
    """Lay four to six markers round the board, and the lattice between them."""
    angle = float(rng.uniform(0, 90))
    corners = np.array([(c + i, r + j) for c, r in cells for i in (0, 1) for j in (0, 1)]) * CELL_MM @ rotation(angle).T
    side = float(rng.integers(36, 51))
    margin = float(rng.uniform(5, 10))
    gap = side / 2 + margin + rng.uniform(14, 70, 4)
    low, high = corners.min(0) - gap[:2], corners.max(0) + gap[2:]
    spots = [low, (high[0], low[1]), high, (low[0], high[1])]
    middles = [(low[0], (low[1] + high[1]) / 2), (high[0], (low[1] + high[1]) / 2), ((low[0] + high[0]) / 2, low[1])]
    spots += [middles[int(i)] for i in rng.permutation(3)[: int(rng.integers(0, 3))]]
    ids = rng.choice(587, len(spots), replace=False) if rng.random() < 0.6 else np.arange(len(spots))
    turned = rng.random() < 0.5
    markers = []
    shift = np.array(spots[0]) - side / 2
    for spot, marker_id in zip(spots, ids.tolist(), strict=True):
        turn = float(rng.uniform(-180, 180)) if turned and rng.random() < 0.5 else 0.0
        square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * side / 2 @ rotation(turn).T
        outline = np.round(square + spot + rng.uniform(-9, 9, 2) - shift, 4).tolist()
        a, b, c, d = ((float(x), float(y)) for x, y in outline)
        markers.append(TableMarker(marker_id, (a, b, c, d)))
    origin = (float(-shift[0]), float(-shift[1]))
    return (
        TableMarkers(MARKER_FAMILY, tuple(markers), CELL_MM),
        (margin,) * len(markers),
        LatticePose(origin, angle, CELL_MM),
    )


def _camera(
    rng: Generator, rules: BucketRules, cells: frozenset[Cell], grid: LatticePose, markers: TableMarkers
) -> tuple[RenderCamera, tuple[float, float, float, float]]:
    """Draw a camera 60 to 120 cm up that sees the whole board and at least three whole markers."""
    corners = board_corners(grid, cells)
    middle = (corners.min(0) + corners.max(0)) / 2
    view = None
    while view is None:
        lens = lens_of_width(
            *PHOTO_WH, float(rng.uniform(1450, 1850)), float(rng.uniform(-0.16, 0.06)), float(rng.uniform(-0.03, 0.03))
        )
        tilt = float(rng.uniform(*rules.tilt_deg))
        height = float(rng.uniform(600, 1200 if tilt < 35 else 800))
        around = Around(height / np.cos(np.radians(tilt)), tilt, float(rng.uniform(0, 360)), float(rng.uniform(-6, 6)))
        x, y = (middle + rng.normal(0, 35, 2)).tolist()
        trial = RenderCamera.looking_at(lens, (x, y), around)
        if sees_board(trial, corners, markers):
            view = trial
    return view, (around.tilt_deg, around.azimuth_deg, around.roll_deg, around.distance_mm)


def sees_board(view: RenderCamera, corners: Float[Floats, "n 2"], markers: TableMarkers) -> bool:
    """Return whether a camera sees board and figures with a rim of 12 pixels, and three whole markers."""
    raised = np.array([[*corner, height] for corner in corners for height in (0.0, 45.0)])
    return bool(_inside(view, raised, 12).all()) and len(markers_in_view(view, markers)) >= 3


def markers_in_view(view: RenderCamera, markers: TableMarkers) -> tuple[int, ...]:
    """Return the ids of the markers whose four corners are inside the picture."""
    seen = []
    for marker in markers.markers:
        if _inside(view, np.array([[*corner, 0.0] for corner in marker.corners_mm]), 0).all():
            seen.append(marker.id)
    return tuple(seen)


def _inside(view: RenderCamera, points_mm: Float[Floats, "n 3"], margin_px: float) -> Bool[Flags, " n"]:
    places = view.project(points_mm)
    limit = np.array([view.lens.width_px, view.lens.height_px]) - 1 - margin_px
    return np.asarray(((places >= margin_px) & (places <= limit)).all(1))


def _damage(rng: Generator, grid: LatticePose, cells: frozenset[Cell]) -> tuple[PointMm, ...]:
    """Return damage markers on free cells."""
    ordered = sorted(cells)
    count = min(len(ordered), int(rng.integers(0, 6)))
    chosen = [ordered[int(i)] for i in rng.permutation(len(ordered))[:count]]
    places = [on_table(grid, np.array([cell]) + rng.uniform(0.26, 0.74, 2))[0].tolist() for cell in chosen]
    return tuple((float(x), float(y)) for x, y in places)


RADIUS_MM: Mapping[str, float] = {
    "die": 14,
    "token": 13,
    "door token": 22,
    "card": 55,
    "mug": 150,
    "sheet": 128,
    "foreign tile": 60,
}
"""Radius of clutter. A mug's includes the area that it hides."""

CLUTTER_SHARES = (0.31, 0.21, 0.16, 0.13, 0.06, 0.08, 0.05)
"""Share of each kind of clutter."""


def _clutter(
    rng: Generator, grid: LatticePose, cells: frozenset[Cell], markers: TableMarkers, most: int
) -> tuple[Clutter, ...]:
    """Return things beside the board, clear of it, of the markers and of one another."""
    board = on_table(grid, np.array(sorted(cells)) + 0.5)
    taken = [(place, 20.0) for place in board] + [(np.mean(m.corners_mm, 0), 42.0) for m in markers.markers]
    middle, found = board.mean(0), []
    for _ in range(int(rng.integers(0, most + 1))):
        kind = str(rng.choice(list(RADIUS_MM), p=CLUTTER_SHARES))
        place = middle + rng.uniform(-1, 1, 2) * (430, 330)
        if all(np.hypot(*(place - other)) > RADIUS_MM[kind] + room for other, room in taken):
            taken.append((place, RADIUS_MM[kind]))
            found.append(
                Clutter(kind, (float(place[0]), float(place[1])), float(rng.uniform(0, 360)), int(rng.integers(2**31)))
            )
    return tuple(found)


def _look(rng: Generator, rules: BucketRules, light: str) -> CameraLook:
    warm = rng.normal(0, 0.06)
    blurred = rng.random() < rules.blur_share
    return CameraLook(
        exposure=float(rng.uniform(0.2, 0.28) if light == "dim" else rng.uniform(0.33, 0.5)),
        noise=float(rng.uniform(*rules.noise) * (1.3 if light == "dim" else 1.0)),
        white_balance_bgr=(float(1 - warm), float(1 + rng.normal(0, 0.02)), float(1 + warm)),
        vignetting=float(rng.uniform(0, 0.35)),
        defocus_px=float(rng.uniform(0.3, 0.85)) if blurred and rng.random() < 0.5 else 0.0,
        motion=(float(rng.uniform(0.8, 2.2)), float(rng.uniform(0, 180))) if blurred and rng.random() < 0.6 else None,
        jpeg_quality=int(rng.integers(75, 93)),
    )
