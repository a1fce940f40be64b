"""Draw a printed tile set from a seed: pictures of its sides, and their description."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from jaxtyping import Float, UInt8

from assistant.table.board import EdgeKind
from assistant.table.lattice import Cell, Edge, sides
from assistant.table.tiles import TileSet, TileSide
from calibration.arrays import Floats, Levels
from vision.simulation.arrays import Generator, LightImage
from vision.simulation.decals import DECALS, Spot
from vision.simulation.finish import DoorLook, random_door
from vision.simulation.floors import FLOORS, Sheet, noise
from vision.simulation.meshes import Color, clip_color
from vision.simulation.tile_shapes import TilePlan, random_plan

CELL_MM = 25.4


@dataclass(frozen=True)
class PrintStyle:
    """The common style of a set's tiles: floors, colours, lines and density of decals."""

    floors: tuple[str, ...]
    tints: tuple[Color, ...]
    decals: tuple[str, ...]
    decals_per_cell: float
    grid_color: Color
    grid_opacity: float
    wall_mm: float
    line_mm: float
    dash_mm: float
    red: Color
    blue: Color
    brightness: float


@dataclass(frozen=True)
class PrintedTiles:
    """A tile set with its pictures, (H, W, 4), 8-bit blue-green-red-alpha, and its doors."""

    tile_set: TileSet
    images: Mapping[str, UInt8[Levels, "_height _width 4"]]
    door: DoorLook


def random_style(rng: Generator) -> PrintStyle:
    """Return a style for one set: one to three kinds of floor in related or clashing colours."""
    floors = tuple(str(name) for name in rng.choice(list(FLOORS), int(rng.integers(1, 4)), replace=False))
    base = rng.uniform(0.78, 1.15, 3)
    spread = rng.choice([0.05, 0.14, 0.3])
    tints = tuple(clip_color(base + rng.uniform(-spread, spread, 3), 0.05, 1.3) for _ in range(6))
    decals = tuple(str(name) for name in rng.choice(list(DECALS), int(rng.integers(3, 8)), replace=False))
    light_grid = rng.random() < 0.55
    return PrintStyle(
        floors=floors,
        tints=tints,
        decals=decals,
        decals_per_cell=float(rng.choice([0.06, 0.2, 0.45, 0.8])),
        grid_color=(0.9, 0.9, 0.9) if light_grid else (0.05, 0.05, 0.05),
        grid_opacity=float(rng.choice([0.12, 0.3, 0.55, 0.85])),
        wall_mm=float(rng.uniform(2.6, 4.8)),
        line_mm=float(rng.uniform(1.3, 2.4)),
        dash_mm=float(rng.uniform(3.0, 5.5)),
        red=vary_color(rng, (0.12, 0.08, 0.85), 0.1),
        blue=vary_color(rng, (0.88, 0.36, 0.14), 0.12),
        brightness=float(rng.uniform(0.65, 1.05)),
    )


def vary_color(rng: Generator, color: Color, spread: float) -> Color:
    """Move each channel of a colour by up to ``spread``."""
    return clip_color(np.array(color) + rng.uniform(-spread, spread, 3), 0.0, 1.0)


def random_tiles(rng: Generator, name: str, *, count: int | None = None) -> PrintedTiles:
    """Return a set of 8 to 12 tile sides in one style, with a door's printed face."""
    style = random_style(rng)
    pixels_per_cell = int(rng.choice([48, 56, 64, 64, 72, 80, 96]))
    plans = [random_plan(rng) for _ in range(int(rng.integers(8, 13)) if count is None else count)]
    return print_tiles(rng, name, plans, style, pixels_per_cell)


def print_tiles(
    rng: Generator, name: str, plans: Sequence[TilePlan], style: PrintStyle, pixels_per_cell: int
) -> PrintedTiles:
    """Return the pictures and the description of tiles of the given plans."""
    sides_of_set, images = [], {}
    for index, plan in enumerate(plans):
        side_id = f"{index + 1:02d}{'AB'[int(rng.integers(2))]}"
        side = TileSide(side_id, f"{side_id}.png", plan.cells, plan.edges, plan.difficult)
        images[side_id] = _tile_image(rng, side, plan.features, style, pixels_per_cell)
        sides_of_set.append(side)
    door = random_door(rng, pixels_per_cell * 3)
    return PrintedTiles(TileSet(name, CELL_MM, pixels_per_cell, 2.0, tuple(sides_of_set)), images, door)


def _tile_image(
    rng: Generator, side: TileSide, features: Mapping[Cell, str], style: PrintStyle, pixels_per_cell: int
) -> UInt8[Levels, "height width 4"]:
    left, top, columns, rows = side.bounds
    sheet = Sheet(columns, rows, pixels_per_cell)
    picture = _floor(rng, sheet, style)
    for cell, name in features.items():
        center = ((cell[0] - left + 0.5) * pixels_per_cell, (cell[1] - top + 0.5) * pixels_per_cell)
        DECALS[name](rng, picture, Spot(center, pixels_per_cell * 0.98, float(rng.integers(4)) * 90))
    _grid(picture, sheet, style)
    drawing = _LinePainter(picture, style, pixels_per_cell, (left, top))
    drawing.difficult(side.difficult)
    for kind in ("obstacle", "impassable", "wall"):
        for edge in sorted(side.edges):
            if side.edges[edge] == kind:
                drawing.edge(edge, kind)
    mask = np.zeros(sheet.shape, np.uint8)
    for column, row in side.cells:
        y, x = (row - top) * pixels_per_cell, (column - left) * pixels_per_cell
        mask[y : y + pixels_per_cell, x : x + pixels_per_cell] = 255
    colors = (np.clip(picture, 0, 1) * 255).round().astype(np.uint8)
    colors[mask == 0] = 0
    return np.dstack([colors, mask])


def _floor(rng: Generator, sheet: Sheet, style: PrintStyle) -> LightImage:
    """Return one or two floors with scattered decals."""
    picture = _one_floor(rng, sheet, style)
    if len(style.floors) > 1 and rng.random() < 0.6:
        other = _one_floor(rng, sheet, style)
        split = cv2.GaussianBlur(
            (noise(rng, sheet.shape, sheet.pixels_per_cell * 2, 2) > 0.25).astype(np.float32), (0, 0), 1.2
        )
        picture += split[..., None] * (other - picture)
    for _ in range(int(rng.poisson(style.decals_per_cell * sheet.columns * sheet.rows))):
        center = rng.uniform((0, 0), sheet.shape[::-1])
        turn = float(rng.integers(4) * 90) if rng.random() < 0.7 else float(rng.uniform(0, 360))
        spot = Spot((float(center[0]), float(center[1])), float(sheet.pixels_per_cell * rng.uniform(0.4, 1.6)), turn)
        DECALS[str(rng.choice(style.decals))](rng, picture, spot)
    return picture


def _one_floor(rng: Generator, sheet: Sheet, style: PrintStyle) -> LightImage:
    tint = style.tints[int(rng.integers(len(style.tints)))]
    floor = FLOORS[str(rng.choice(style.floors))](rng, sheet, tint)
    return np.asarray(np.clip(floor * style.brightness, 0, 1), np.float32)


def _grid(picture: LightImage, sheet: Sheet, style: PrintStyle) -> None:
    lines = np.zeros(sheet.shape, np.float32)
    step = sheet.pixels_per_cell
    for column in range(1, sheet.columns):
        lines[:, column * step - 1 : column * step + 1] = style.grid_opacity
    for row in range(1, sheet.rows):
        lines[row * step - 1 : row * step + 1] = style.grid_opacity
    picture *= 1 - lines[..., None]
    picture += lines[..., None] * np.array(style.grid_color, np.float32)


class _LinePainter:
    """Draws the printed lines of one tile, sub-pixel exact."""

    _SHIFT = 4

    def __init__(self, picture: LightImage, style: PrintStyle, pixels_per_cell: int, first_cell: Cell) -> None:
        self._picture = picture
        self._style = style
        self._step = pixels_per_cell
        self._first = np.array(first_cell, float)
        self._per_mm = pixels_per_cell / CELL_MM

    def edge(self, edge: Edge, kind: EdgeKind) -> None:
        ends = (np.array(edge, float) - self._first) * self._step
        style = self._style
        if kind == "wall":
            # Walls overlap at their ends to close corners.
            self._bar(ends, style.wall_mm, (0.05, 0.05, 0.05), style.wall_mm / 2)
        elif kind == "obstacle":
            self._bar(ends, style.line_mm, style.red, style.line_mm / 2)
        else:
            self._dashed(ends, style.line_mm, style.red)

    def difficult(self, cells: frozenset[Cell]) -> None:
        """Draw a dashed outline just inside the field of difficult cells."""
        inset = (self._style.line_mm * 0.5 + 0.9) * self._per_mm
        for cell in sorted(cells):
            middle = (np.array(cell) + 0.5 - self._first) * self._step
            for edge in sides(cell):
                if all(side in cells for side in edge.cells):
                    continue
                ends = (np.array(edge, float) - self._first) * self._step
                inward = middle - ends.mean(0)
                self._dashed(
                    ends + inward / np.linalg.norm(inward) * inset, self._style.line_mm * 0.9, self._style.blue
                )

    def _dashed(self, ends: Float[Floats, "2 2"], width_mm: float, color: Color) -> None:
        length = float(np.linalg.norm(ends[1] - ends[0]))
        # A whole number of dashes with half a gap at each end lines up with neighbouring edges.
        count = max(2, round(length / (self._style.dash_mm * 1.6 * self._per_mm)))
        for index in range(count):
            piece = [ends[0] + (ends[1] - ends[0]) * (index + part) / count for part in (0.19, 0.81)]
            self._bar(np.array(piece), width_mm, color, 0.0)

    def _bar(self, ends: Float[Floats, "2 2"], width_mm: float, color: Color, longer_mm: float) -> None:
        along = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
        across = np.array([-along[1], along[0]]) * width_mm * self._per_mm / 2
        more = along * longer_mm * self._per_mm
        corners = np.array(
            [ends[0] - more - across, ends[1] + more - across, ends[1] + more + across, ends[0] - more + across]
        )
        fixed = np.round((corners - 0.5) * 2**self._SHIFT).astype(np.int32)
        cv2.fillConvexPoly(self._picture, fixed, color, cv2.LINE_8, self._SHIFT)
