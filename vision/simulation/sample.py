"""The sample game: the fixed, good-looking table of the demo."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from assistant.table.camera import TableMarker, TableMarkers
from assistant.table.observation import LatticePose
from assistant.table.roster import DoorSpec, Roster, RosterFigure
from vision.simulation.camera_view import Around, RenderCamera, lens_of_width
from vision.simulation.figures import BodyLook
from vision.simulation.flat_prints import MARKER_FAMILY
from vision.simulation.game_setup import join_tiles, place_doors, place_figures, printed_edges
from vision.simulation.lighting import Lighting
from vision.simulation.scene import CameraLook, Clutter, Scene, on_table
from vision.simulation.tile_art import CELL_MM, PrintedTiles, PrintStyle, print_tiles
from vision.simulation.tile_shapes import random_plan

SAMPLE_SEED = 18
MARKER_MM, MARKER_MARGIN_MM = 40.0, 8.0
BOARD_TILES = 5

STYLE = PrintStyle(
    floors=("deck", "panels", "flagstones"),
    tints=((0.86, 0.80, 0.72), (0.98, 0.94, 0.90), (0.72, 0.84, 0.92), (0.84, 0.88, 0.78)),
    decals=("letters", "grille", "hatch", "stripes", "pipe", "stain"),
    decals_per_cell=0.22,
    grid_color=(0.92, 0.92, 0.92),
    grid_opacity=0.4,
    wall_mm=3.6,
    line_mm=1.8,
    dash_mm=4.2,
    red=(0.14, 0.10, 0.86),
    blue=(0.90, 0.42, 0.16),
    brightness=1.0,
)

KINDS = (
    # kind, side, count, ring, height in millimetres, build, plastic (linear blue, green, red)
    ("ranger", "rangers", 2, "#1f9d55", 33.0, "humanoid", (0.30, 0.30, 0.30)),
    ("medic", "rangers", 1, "#2f6fde", 31.0, "tall", (0.34, 0.36, 0.36)),
    ("crawler", "swarm", 3, "#e8871e", 26.0, "beast", (0.06, 0.11, 0.20)),
    ("spitter", "swarm", 2, "#ff5fb8", 30.0, "blob", (0.10, 0.18, 0.14)),
    ("harrier", "swarm", 1, "#e6c619", 36.0, "winged", (0.08, 0.09, 0.16)),
)


@dataclass(frozen=True)
class Cast:
    """Tiles and figures of a sample game. Other tiles and names make another game.

    Args:
        seed: seed of tiles, board and places.
        names: kind and side of each kind of figure, in the order of `KINDS` and then the large one.
    """

    seed: int
    names: tuple[tuple[str, str], ...]


SAMPLE = Cast(SAMPLE_SEED, (*((kind, side) for kind, side, *_ in KINDS), ("brute", "swarm")))
"""The sample game's own."""


@lru_cache(maxsize=4)
def sample_tiles(cast: Cast = SAMPLE) -> PrintedTiles:
    """Return the printed tiles of the sample game."""
    rng = np.random.default_rng(cast.seed)
    plans = [random_plan(rng) for _ in range(10)]
    return print_tiles(rng, "sample", plans, STYLE, 64)


def sample_roster(cast: Cast = SAMPLE) -> tuple[Roster, dict[str, BodyLook]]:
    """Return the miniatures of the sample game and their looks."""
    *small, (large, large_side) = cast.names
    figures = [
        RosterFigure(f"{kind}-{number + 1}", kind, side, (1, 1), 22.0, height, ring)
        for (kind, side), (_, _, count, ring, height, _, _) in zip(small, KINDS, strict=True)
        for number in range(count)
    ]
    size = (2 * CELL_MM - 3.4, 2 * CELL_MM - 3.4)
    figures.append(RosterFigure(f"{large}-1", large, large_side, (2, 2), size[0], 46.0, "#2fb8d6", "rectangle", size))
    looks = {kind: BodyLook(build, plastic) for (kind, _), (*_, build, plastic) in zip(small, KINDS, strict=True)}
    looks[large] = BodyLook("humanoid", (0.07, 0.07, 0.20))
    return Roster(tuple(figures), DoorSpec(8, 1, 30.0, 2.0)), looks


@lru_cache(maxsize=4)
def sample_scene(cast: Cast = SAMPLE) -> Scene:
    """Return the sample game as the demo starts: five tiles, ten miniatures, two doors, a lamp and a wooden table."""
    rng = np.random.default_rng(cast.seed + 1)
    printed = sample_tiles(cast)
    roster, looks = sample_roster(cast)
    tiles = join_tiles(rng, printed.tile_set, BOARD_TILES)
    parts = [t.lattice_cells(printed.tile_set.side(t.id).cells) for t in tiles]
    cells = frozenset().union(*parts)
    markers, grid = _layout(max(c for c, _ in cells) + 1, max(r for _, r in cells) + 1)
    doors = place_doors(rng, grid, cells, printed_edges(printed.tile_set, tiles), 2)
    figures = place_figures(rng, grid, parts, roster.figures, [door.edge for door in doors])
    x, y = on_table(grid, np.array(sorted(cells)) + 0.5).mean(0).tolist()
    around = Around(640.0, 36.0, 84.0, 0.0)
    return Scene(
        name="sample",
        bucket="normal",
        seed=cast.seed,
        printed=printed,
        roster=roster,
        looks=looks,
        markers=markers,
        marker_margins_mm=(MARKER_MARGIN_MM,) * len(markers.markers),
        grid=grid,
        tiles=tiles,
        doors=doors,
        figures=figures,
        damage_mm=(),
        clutter=(Clutter("die", (x - 138, y - 92), 25.0, 3), Clutter("die", (x - 112, y - 104), 70.0, 11)),
        table_top="wood",
        lighting=_lamp((x, y)),
        view=RenderCamera.looking_at(lens_of_width(1920, 1080, 1640.0, -0.06, 0.01), (x, y + 4), around),
        around=(around.tilt_deg, around.azimuth_deg, around.roll_deg, around.distance_mm),
        camera=CameraLook(exposure=0.44, noise=0.7, vignetting=0.18, jpeg_quality=90),
    )


def _layout(columns: int, rows: int) -> tuple[TableMarkers, LatticePose]:
    """Return four markers at the corners of a sheet round the board, and the lattice in its middle."""
    width, depth = columns * CELL_MM + 90.0, rows * CELL_MM + 70.0
    spots = [(0.0, 0.0), (width, 0.0), (width, depth), (0.0, depth)]
    markers = tuple(
        TableMarker(index, ((x, y), (x + MARKER_MM, y), (x + MARKER_MM, y + MARKER_MM), (x, y + MARKER_MM)))
        for index, (x, y) in enumerate(spots)
    )
    origin = ((width + MARKER_MM - columns * CELL_MM) / 2, (depth + MARKER_MM - rows * CELL_MM) / 2)
    return TableMarkers(MARKER_FAMILY, markers, CELL_MM), LatticePose(origin, 4.0, CELL_MM)


def _lamp(target_mm: tuple[float, float]) -> Lighting:
    """Return a warm lamp from behind on the left, daylight in the room."""
    x, y = target_mm
    return Lighting(
        name="lamp",
        lamp_mm=(x - 420.0, y - 330.0, 760.0),
        across_mm=((60.0, -40.0, 0.0), (30.0, 40.0, 40.0)),
        lamp_bgr=(0.52, 0.64, 0.72),
        room_bgr=(0.40, 0.37, 0.34),
        target_mm=target_mm,
        samples=16,
    )
