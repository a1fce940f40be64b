"""Draw more varied printed tiles than the simulation's own: other lines, floors and dirt.

People own games with unknown art. All tiles share the style of their lines. Everything under and beside the lines must
not matter, so it varies freely, and the lines only slightly.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace

import cv2
import numpy as np
from jaxtyping import Float
from numpy.random import Generator

from assistant.table.board import EdgeKind
from assistant.table.lattice import list_inner_edges, sides
from calibration.arrays import Mask, Numbers
from vision.simulation.floors import noise
from vision.simulation.meshes import Color
from vision.simulation.tile_art import CELL_MM, PrintedTiles, PrintStyle, print_tiles, random_style, vary_color
from vision.simulation.tile_shapes import TilePlan, random_plan, strengthen

_SCALES = (48, 64, 80)
"""Pixels of a cell in the pictures."""

_CLEAR_MM = 2.8
"""Distance of strokes from lattice lines. Nearer strokes would look like printed lines."""

_STAINS = [(15, 15, 130), (20, 20, 170), (20, 20, 20), (10, 10, 70)]
"""Blood and soot, blue-green-red bytes."""


def varied_tiles(rng: Generator, name: str, count: int) -> PrintedTiles:
    """Return a set of tiles in one style, on floors of any look."""
    style = _wider(rng, random_style(rng))
    scale = int(rng.choice(_SCALES))
    plans = [_richer(rng, random_plan(rng)) for _ in range(count)]
    bare = [TilePlan(plan.cells, {}, frozenset(), plan.features) for plan in plans]
    same = deepcopy(rng)
    printed, floors = print_tiles(rng, name, plans, style, scale), print_tiles(same, name, bare, style, scale)
    look = int(rng.integers(1 << 31))
    images = {}
    for key, image in printed.images.items():
        # Every tile of a set gets the same types of changes, each at its own places.
        lines, floor = image[:, :, :3].astype(np.float32) / 255, floors.images[key][:, :, :3].astype(np.float32) / 255
        is_line = np.abs(lines - floor).max(axis=2) > 0.5 / 255
        changed = _other_floor(np.random.default_rng(look), rng, floor, scale)
        colors = _soil(rng, _other_lines(np.random.default_rng(look), changed, lines, is_line))
        images[key] = np.dstack([np.clip(colors * 255, 0, 255).astype(np.uint8), image[:, :, 3]])
    return replace(printed, images=images)


_BOARD = 8
"""Cells along a side of a board for chess or draughts."""


def square_tiles(rng: Generator, name: str, count: int = 6) -> PrintedTiles:
    """Return a set of plain or chequered boards of wood, vinyl or neoprene, without printed lines."""
    scale = int(rng.choice(_SCALES))
    plans = [TilePlan(random_plan(rng).cells, {}, frozenset(), {}) for _ in range(count)]
    whole = frozenset((column, row) for column in range(_BOARD) for row in range(_BOARD))
    printed = print_tiles(rng, name, [TilePlan(whole, {}, frozenset(), {}), *plans], random_style(rng), scale)
    light, dark = rng.uniform(0.45, 1.0) * rng.uniform(0.7, 1.0, 3), rng.uniform(0.03, 0.75) * rng.uniform(0.5, 1.0, 3)
    if rng.random() < 0.5:  # wood: least blue, most red
        light, dark = np.sort(light), np.sort(dark)
    is_chequered, grain, spots = rng.random() < 0.75, float(rng.choice([0.0, 0.02, 0.07])), rng.uniform(0, 0.03)
    line = float(rng.choice([0.0, 0.0, 0.3, 0.8]))
    images = {}
    for key, image in printed.images.items():
        rows, columns = image.shape[0] // scale, image.shape[1] // scale
        is_dark = (np.add.outer(np.arange(rows), np.arange(columns)) % 2 == 1) & is_chequered
        squares = np.where(is_dark[..., None], dark, light).repeat(scale, 0).repeat(scale, 1).astype(np.float32)
        fibres = cv2.GaussianBlur(noise(rng, image.shape[:2], 3, 1), (0, 0), sigmaX=12, sigmaY=0.6)
        squares *= 1 + (8 * grain * fibres + spots * noise(rng, image.shape[:2], 2, 1))[..., None]
        for at in range(0, squares.shape[0], scale):
            squares[max(at - 1, 0) : at + 1] *= 1 - line
        for at in range(0, squares.shape[1], scale):
            squares[:, max(at - 1, 0) : at + 1] *= 1 - line
        inside = image[:, :, 3:] > 0
        images[key] = np.dstack([(np.clip(squares, 0, 1) * 255 * inside).astype(np.uint8), image[:, :, 3]])
    return replace(printed, images=images)


def _wider(rng: Generator, style: PrintStyle) -> PrintStyle:
    """Return the style with wider ranges of line widths, dashes and colours."""
    return replace(
        style,
        wall_mm=float(rng.uniform(2.2, 5.5)),
        line_mm=float(rng.uniform(1.2, 2.8)),
        dash_mm=float(rng.uniform(2.6, 6.0)),
        red=vary_color(rng, (0.12, 0.09, 0.82), 0.13),
        blue=vary_color(rng, (0.85, 0.38, 0.16), 0.15),
        brightness=float(rng.uniform(0.4, 1.1)),
    )


def _richer(rng: Generator, plan: TilePlan) -> TilePlan:
    """Add more lines of the rarer kinds, some of them on the tile's outline, and sometimes more difficult ground."""
    edges = dict(plan.edges)
    anywhere = sorted({edge for cell in plan.cells for edge in sides(cell)})
    kinds: tuple[EdgeKind, ...] = ("wall", "obstacle", "impassable")
    for _ in range(int(rng.integers(0, 7))):
        among = anywhere if rng.random() < 0.25 else list_inner_edges(plan.cells)
        strengthen(edges, among[int(rng.integers(len(among)))], kinds[int(rng.integers(3))])
    difficult = set(plan.difficult)
    while rng.random() < 0.4:
        column, row = sorted(plan.cells)[int(rng.integers(len(plan.cells)))]
        wide, high = (int(n) for n in rng.integers(1, 3, 2))
        difficult |= {(column + i, row + j) for i in range(wide) for j in range(high)} & plan.cells
    return replace(plan, edges=edges, difficult=frozenset(difficult))


def _other_lines(
    look: Generator, floor: Float[Numbers, "height width 3"], lines: Float[Numbers, "height width 3"], is_line: Mask
) -> Float[Numbers, "height width 3"]:
    """Return the lines on that floor: slightly faded, lighter or darker, walls from black to dark grey."""
    opacity = look.uniform(0.82, 1.0) if look.random() < 0.4 else 1.0
    ink = lines * look.uniform(0.75, 1.15) + look.uniform(0, 0.1) * look.uniform(0.7, 1.0, 3)
    part = (is_line * np.float32(opacity))[:, :, None]
    return np.asarray(floor + part * (ink - floor), dtype=np.float32)


def _other_floor(
    look: Generator, rng: Generator, floor: Float[Numbers, "height width 3"], scale: int
) -> Float[Numbers, "height width 3"]:
    """Return the floor in another light, with another texture over it, and with meaningless strokes and shapes."""
    changed = floor
    if look.random() < 0.5:
        changed = changed * look.uniform(0.25, 1.1) * look.uniform(0.55, 1.15, 3)
    if look.random() < 0.4:
        share, wide = look.uniform(0.2, 0.9), look.uniform(0.1, 2.5) * scale
        first, second = look.uniform(0.02, 0.95, 3), look.uniform(0.02, 0.95, 3)
        clouds = 1 / (1 + np.exp(-look.uniform(2, 9) * noise(rng, floor.shape[:2], wide)))[:, :, None]
        changed = changed + share * (first + clouds * (second - first) - changed)
    drawn = np.ascontiguousarray(changed, dtype=np.float32)
    if look.random() < 0.5:
        for _ in range(int(rng.integers(1, 5))):
            _plate(rng, drawn, scale)
    if look.random() < 0.35:
        _draw_squares(look, drawn, scale)
    per_cell = look.choice([0.0, 0.1, 0.3, 0.7])
    palette = [_any_color(look) for _ in range(3)]
    for _ in range(int(rng.poisson(per_cell * floor.shape[0] * floor.shape[1] / scale**2))):
        _SHAPES[int(rng.integers(len(_SHAPES)))](rng, drawn, scale, palette[int(rng.integers(3))])
    return drawn


def _any_color(rng: Generator) -> Color:
    """Return a shape's colour: any, often black, red, blue, yellow or white, as in lines and warning signs."""
    strong = ((0.03, 0.03, 0.03), (0.1, 0.1, 0.7), (0.8, 0.35, 0.15), (0.1, 0.7, 0.85), (0.9, 0.9, 0.9))
    if rng.random() < 0.6:
        return vary_color(rng, strong[int(rng.integers(len(strong)))], 0.12)
    return vary_color(rng, (0.5, 0.5, 0.5), 0.5)


def _draw_squares(look: Generator, drawn: Float[Numbers, "height width 3"], scale: int) -> None:
    """Draw a grid of thin lines of any colour, or every other cell in another shade."""
    height, width = drawn.shape[:2]
    if look.random() < 0.7:
        color, thick = _any_color(look), int(look.integers(1, 3))
        for at in range(scale, max(height, width), scale):
            cv2.line(drawn, (0, at), (width, at), color, thick)
            cv2.line(drawn, (at, 0), (at, height), color, thick)
        return
    down, right = np.mgrid[:height, :width] // scale
    drawn *= np.where((down + right) % 2 == 0, look.uniform(0.4, 0.9), 1.0).astype(np.float32)[:, :, None]


def _plate(rng: Generator, drawn: Float[Numbers, "height width 3"], scale: int) -> None:
    """Draw a plate or pit of whole cells, ribbed or plain. Its thin rim along the lattice is no printed line."""
    size = rng.integers(1, 4, 2)
    cell = np.floor(rng.uniform((0, 0), drawn.shape[1::-1]) / scale)
    inset = rng.uniform(-0.6, 3.0, 2) / CELL_MM
    first, last = np.round((cell + inset) * scale).astype(int), np.round((cell + size - inset) * scale).astype(int)
    part = drawn[max(first[1], 0) : last[1], max(first[0], 0) : last[0]]
    if part.size == 0:
        return
    inner = part * rng.uniform(0.5, 1.3) * rng.uniform(0.8, 1.2, 3)
    if rng.random() < 0.5:
        down, right = np.mgrid[: part.shape[0], : part.shape[1]]
        waves = np.sin(
            (right if rng.random() < 0.5 else down) * (2 * np.pi * CELL_MM / (rng.uniform(1.5, 5.0) * scale))
        )
        inner = inner * (1 + rng.uniform(0.1, 0.5) * np.sign(waves))[:, :, None]
    part[:] = np.clip(inner, 0, 1)
    thick = max(1, round(rng.uniform(0.3, 1.3) * scale / CELL_MM))
    color = (rng.uniform(0.02, 0.2) * rng.uniform(0.7, 1.0, 3)).tolist()
    cv2.rectangle(drawn, (int(first[0]), int(first[1])), (int(last[0]), int(last[1])), color, thick)


def _stroke(rng: Generator, drawn: Float[Numbers, "height width 3"], scale: int, color: Color) -> None:
    """Draw a straight line: a slanted one anywhere, or one along the lattice but away from its lines."""
    thick = max(1, round(rng.uniform(0.5, 3.5) * scale / CELL_MM))
    start = rng.uniform((0, 0), drawn.shape[1::-1])
    length = rng.uniform(0.3, 2.5) * scale
    if rng.random() < 0.5:
        angle = rng.uniform(0, np.pi)
        end = start + length * np.array([np.cos(angle), np.sin(angle)])
    else:
        axis = int(rng.integers(2))
        inset = (_CLEAR_MM + 1.75) / CELL_MM
        start[axis] = (np.floor(start[axis] / scale) + rng.uniform(inset, 1 - inset)) * scale
        end = start.copy()
        end[1 - axis] += length
    cv2.line(drawn, _pixel(start), _pixel(end), color, thick, cv2.LINE_AA)


def _box(rng: Generator, drawn: Float[Numbers, "height width 3"], scale: int, color: Color) -> None:
    """Draw a framed or filled box inside one cell or several."""
    thick = int(rng.choice([-1, 1, 2, 4]))
    inset = rng.uniform(_CLEAR_MM + 1.0, 8.0) / CELL_MM
    cell = np.floor(rng.uniform((0, 0), drawn.shape[1::-1]) / scale)
    last = cell + rng.integers(1, 3, 2)
    cv2.rectangle(drawn, _pixel((cell + inset) * scale), _pixel((last - inset) * scale), color, thick)


def _disc(rng: Generator, drawn: Float[Numbers, "height width 3"], scale: int, color: Color) -> None:
    """Draw a ring or a disc anywhere."""
    center = _pixel(rng.uniform((0, 0), drawn.shape[1::-1]))
    cv2.circle(drawn, center, int(rng.uniform(0.08, 0.6) * scale), color, int(rng.choice([-1, 1, 3])), cv2.LINE_AA)


_SHAPES = (_stroke, _stroke, _box, _disc)


def _soil(rng: Generator, colors: Float[Numbers, "height width 3"]) -> Float[Numbers, "height width 3"]:
    """Return the print with splatters over lines and floor, in one of three tiles."""
    if rng.random() < 0.65:
        return colors
    for _ in range(int(rng.integers(1, 4))):
        colors = _stain(rng, colors)
    return colors


def _stain(rng: Generator, colors: Float[Numbers, "height width 3"]) -> Float[Numbers, "height width 3"]:
    """Return a splatter of blood or soot: one large drop and many small ones."""
    height, width = colors.shape[:2]
    mask = np.zeros((height, width), np.float32)
    center = rng.uniform((0, 0), (width, height))
    size = rng.uniform(0.03, 0.1) * max(width, height)
    for _ in range(int(rng.integers(8, 30))):
        spot = center + rng.normal(0, size * 1.6, 2)
        cv2.circle(mask, _pixel(spot), max(1, int(rng.exponential(size / 3))), 1.0, -1, cv2.LINE_AA)
    mask *= rng.uniform(0.35, 0.8)
    stain = (np.array(_STAINS[int(rng.integers(len(_STAINS)))]) + rng.uniform(-10, 10, 3)) / 255
    return np.asarray(colors + mask[:, :, None] * (stain - colors), np.float32)


def _pixel(point: Float[Numbers, " 2"]) -> tuple[int, int]:
    return int(point[0]), int(point[1])
