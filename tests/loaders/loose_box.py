"""A box of two-sided tiles laid out loosely on a table, as a phone held by hand photographs it to teach it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from assistant.table.camera import PointMm, TableMarkers
from assistant.table.observation import LatticePose
from assistant.table.roster import DoorSpec, Roster
from assistant.table.tiles import TileSide
from vision.simulation.arrays import Generator
from vision.simulation.camera_view import Around, RenderCamera, lens_of_width
from vision.simulation.finish import AS_NEW, DoorLook, random_door
from vision.simulation.flat_prints import MARKER_FAMILY
from vision.simulation.lighting import random_lighting
from vision.simulation.scene import CameraLook, Clutter, PlacedTile, Scene, rotation
from vision.simulation.stage_setup import FLAT_SIZES_MM
from vision.simulation.tile_art import CELL_MM, PrintedTiles, PrintStyle, print_tiles, random_style
from vision.simulation.tile_shapes import random_plan

PHONE_WH = (3200, 2400)

GAP_MM = (12.0, 26.0)
"""Least and greatest gap between two things that a person lays down."""

SHEET_RATIO = 1.25
"""Width of the laid out tiles by their depth, about that of a phone's picture."""

_TURN_DEG = 14.0
"""The most that a tile is turned off the others."""

_SHIFT_MM, _SHIFT_DEG = 5.0, 4.0
"""Spread of a tile's place and turn after it was turned over."""


@dataclass(frozen=True)
class TwoSidedBox:
    """A box: its tile sides, ``01A`` and ``01B`` and so on, and the second kind of door."""

    printed: PrintedTiles
    other_door: DoorLook
    style: PrintStyle

    @property
    def tiles(self) -> tuple[str, ...]:
        """The tiles' names without their sides."""
        return tuple(dict.fromkeys(side.id[:-1] for side in self.printed.tile_set.sides))


@dataclass(frozen=True)
class LaidTile:
    """A tile on the table: the centre of its bounding box, and the turn of its front."""

    tile: str
    center_mm: PointMm
    turn_deg: float


@dataclass(frozen=True)
class Layout:
    """The layout of one batch: tiles and other flat things on the table."""

    tiles: tuple[LaidTile, ...]
    flats: tuple[Clutter, ...]
    size_mm: PointMm


def random_box(seed: int, count: int = 24) -> TwoSidedBox:
    """Return a box with that many tiles, printed on both sides in one style, and two kinds of door."""
    rng = np.random.default_rng([seed, 2424])
    style = random_style(rng)
    plans = []
    for _ in range(count):
        front = random_plan(rng)
        left = max(column for column, _ in front.cells)
        plans += [front, random_plan(rng, frozenset((left - column, row) for column, row in front.cells))]
    drawn = print_tiles(rng, f"box-{seed}", plans, style, 64)
    images, sides = {}, []
    for number, side in enumerate(drawn.tile_set.sides):
        name = f"{number // 2 + 1:02d}{'AB'[number % 2]}"
        images[name] = drawn.images[side.id]
        sides.append(replace(side, id=name, image=f"{name}.png"))
    printed = PrintedTiles(replace(drawn.tile_set, sides=tuple(sides)), images, drawn.door)
    return TwoSidedBox(printed, random_door(rng, 192), style)


def lay_out_loosely(rng: Generator, box: TwoSidedBox, tiles: Sequence[str], flats: Sequence[str]) -> Layout:
    """Lay the fronts of tiles, and flat things by their kinds, in loose rows."""
    things: list[tuple[str, float, tuple[float, float]]] = []
    for tile in tiles:
        columns, rows = box.printed.tile_set.side(f"{tile}A").bounds[2:]
        turn = float(rng.integers(4) * 90 + rng.uniform(-_TURN_DEG, _TURN_DEG))
        things.append((tile, turn, (columns * CELL_MM, rows * CELL_MM)))
    things += [(kind, float(rng.uniform(0, 360)), FLAT_SIZES_MM[kind]) for kind in flats]
    things = [things[int(index)] for index in rng.permutation(len(things))]
    spans = [np.abs(rotation(turn)) @ np.array(size) for _, turn, size in things]
    width = math.sqrt(sum(float(np.prod(span + 25)) for span in spans) * SHEET_RATIO)
    tiles_laid, flats_laid = [], []
    x, y, depth, widest = 0.0, 0.0, 0.0, 0.0
    for (name, turn, _), span in zip(things, spans, strict=True):
        if x > 0 and x + span[0] > width:
            x, y, depth = 0.0, y + depth + float(rng.uniform(*GAP_MM)), 0.0
        center = (x + float(span[0]) / 2, y + float(span[1]) / 2)
        x, depth = x + float(span[0]) + float(rng.uniform(*GAP_MM)), max(depth, float(span[1]))
        widest = max(widest, x)
        if name in FLAT_SIZES_MM:
            flats_laid.append(Clutter(name, center, turn, int(rng.integers(2**31))))
        else:
            tiles_laid.append(LaidTile(name, center, turn))
    return Layout(tuple(tiles_laid), tuple(flats_laid), (widest, y + depth))


def turned_over(rng: Generator, layout: Layout) -> Layout:
    """Return all tiles turned over in their places, not quite as exactly as they lay."""

    def turn(tile: LaidTile) -> LaidTile:
        x, y = (np.array(tile.center_mm) + rng.normal(0, _SHIFT_MM / 2, 2)).tolist()
        # Over its own left or its upper edge: the picture's axis is turned the other way about.
        return LaidTile(tile.tile, (x, y), tile.turn_deg + float(rng.choice([0, 180]) + rng.normal(0, _SHIFT_DEG / 2)))

    return replace(layout, tiles=tuple(turn(tile) for tile in layout.tiles))


def loose_scene(
    seed: int, box: TwoSidedBox, layout: Layout, side: str, table_top: str, *, photo_wh: tuple[int, int] = PHONE_WH
) -> Scene:
    """Return the table with all tiles of a layout on that side, ``A`` or ``B``, under a phone held by hand over it."""
    rng = np.random.default_rng([seed, 39])
    middle = (layout.size_mm[0] / 2, layout.size_mm[1] / 2)
    placed = tuple(_placed(box.printed.tile_set.side(f"{tile.tile}{side}"), tile) for tile in layout.tiles)
    focal = photo_wh[0] * float(rng.uniform(0.68, 0.85))
    lens = lens_of_width(*photo_wh, focal, float(rng.uniform(-0.04, 0.04)), float(rng.uniform(-0.02, 0.02)))
    tilt = float(rng.uniform(1, 16))
    # Whole layout in the picture, with a rim: far enough for its width and its depth.
    reach = max((layout.size_mm[0] + 60) / photo_wh[0], (layout.size_mm[1] + 60) / photo_wh[1]) * focal * 1.08
    x, y = (np.array(middle) + rng.normal(0, 8, 2)).tolist()
    around = Around(reach / math.cos(math.radians(tilt)), tilt, float(rng.uniform(60, 120)), float(rng.uniform(-7, 7)))
    return Scene(
        name=f"loose-{seed}",
        bucket="normal",
        seed=seed,
        printed=box.printed,
        roster=Roster((), DoorSpec(8, 1, 30.0, 2.0)),
        looks={},
        markers=TableMarkers(MARKER_FAMILY, (), CELL_MM),
        marker_margins_mm=(),
        grid=LatticePose((0.0, 0.0), 0.0, CELL_MM),
        tiles=placed,
        doors=(),
        figures=(),
        damage_mm=(),
        clutter=layout.flats,
        table_top=table_top,
        lighting=random_lighting(rng, str(rng.choice(["soft", "window", "lamp", "warm side"])), middle),
        view=RenderCamera.looking_at(lens, (x, y), around),
        around=(around.tilt_deg, around.azimuth_deg, around.roll_deg, around.distance_mm),
        camera=CameraLook(
            exposure=float(rng.uniform(0.36, 0.48)),
            noise=float(rng.uniform(0.5, 1.4)),
            white_balance_bgr=(float(rng.uniform(0.93, 1.07)), 1.0, float(rng.uniform(0.93, 1.07))),
            jpeg_quality=int(rng.integers(82, 95)),
        ),
        finish=replace(AS_NEW, doors=(box.other_door,)),
    )


def _placed(side: TileSide, tile: LaidTile) -> PlacedTile:
    left, top, columns, rows = side.bounds
    off = np.array(tile.center_mm) - np.array([left + columns / 2, top + rows / 2]) * CELL_MM
    return PlacedTile(side.id, 0, (0, 0), (float(off[0]), float(off[1])), tile.turn_deg)
