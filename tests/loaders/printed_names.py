"""Print names on the tiles of a box as publishers do: in one font, size and colour, in one corner or at one side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from loose_box import TwoSidedBox

from assistant.table.tiles import TileSide
from vision.simulation.tile_art import CELL_MM
from vision.training.character_samples import ART_PX, Ink, draw_text

INSET_MM = 3.2
"""Distance of a name from the tile's edge, clear of printed walls."""

INK, PAPER = (25, 25, 30), (235, 240, 240)


@dataclass(frozen=True)
class NamePrint:
    """How a box prints its names.

    Args:
        font: the font's file, or None for Pillow's own.
        height_mm: the height of its digits.
        style: ``plain``, ``rim`` or ``plate``.
        place: ``corner`` or ``side``, of the lower edge with the text upright.
        is_padded: whether numbers have two digits at least.
        has_letters: whether the sides are A and B, or have one number only.
        turns: the quarter turns of the text on the tiles, one after another.
        backs: whether backs have names, too.
    """

    font: str | None = None
    height_mm: float = 4.5
    style: str = "rim"
    place: str = "corner"
    is_padded: bool = True
    has_letters: bool = True
    turns: tuple[int, ...] = (0,)
    backs: bool = True

    def text(self, side_id: str) -> str:
        """Return what is printed on a side called like ``07A``."""
        number = side_id[:-1] if self.is_padded else str(int(side_id[:-1]))
        return number + side_id[-1] if self.has_letters else number

    def name(self, side_id: str) -> str:
        """Return the name to propose for a side called like ``07A``."""
        return self.text(side_id) + ("" if self.has_letters else side_id[-1])


def random_print(seed: int, fonts: Sequence[Path], tiles: Sequence[str]) -> tuple[NamePrint, dict[str, str]]:
    """Return how the box of a seed prints its names, and the number on each tile."""
    rng = np.random.default_rng([seed, 9])
    kind = NamePrint(
        font=str(fonts[int(rng.integers(len(fonts)))]),
        height_mm=float(rng.uniform(3, 8)),
        style=str(rng.choice(["plain", "rim", "plate"])),
        place=str(rng.choice(["corner", "side"])),
        is_padded=bool(rng.random() < 0.5),
        has_letters=bool(rng.random() < 0.6),
        turns=(0,) if rng.random() < 0.6 else (0, 1, 2, 3),
        backs=bool(rng.random() < 0.8),
    )
    numbers = rng.permutation(np.arange(1, 60))[: len(tiles)]
    return kind, {tile: f"{number:02d}" for tile, number in zip(tiles, numbers, strict=True)}


def with_names(box: TwoSidedBox, kind: NamePrint, names: Mapping[str, str]) -> TwoSidedBox:
    """Return a box with the names of its tiles printed on them, ``names`` by the box's own numbers."""
    printed = box.printed
    levels = [float(np.median(image[:, :, :3][image[:, :, 3] > 0])) for image in printed.images.values()]
    color, under = (INK, PAPER) if np.median(levels) > 128 else (PAPER, INK)
    plate, rim = (under if kind.style == style else None for style in ("plate", "rim"))
    ink = Ink(kind.font, kind.height_mm, color, plate, rim)
    images = {}
    for number, side in enumerate(printed.tile_set.sides):
        image = printed.images[side.id]
        _, _, columns, rows = side.bounds
        size = (columns * ART_PX, rows * ART_PX)
        colors = cv2.resize(np.ascontiguousarray(image[:, :, :3]), size, interpolation=cv2.INTER_CUBIC)
        if kind.backs or side.id.endswith("A"):
            turns = kind.turns[number // 2 % len(kind.turns)]
            text = kind.text(names[side.id[:-1]] + side.id[-1])
            colors = _printed(colors, side, text, ink, kind.place, turns)
        mask = cv2.resize(np.ascontiguousarray(image[:, :, 3]), size, interpolation=cv2.INTER_NEAREST)
        images[side.id] = np.dstack([colors, mask])
    tile_set = replace(printed.tile_set, pixels_per_cell=ART_PX)
    return replace(box, printed=replace(printed, tile_set=tile_set, images=images))


def _printed(colors: np.ndarray, side: TileSide, text: str, ink: Ink, place: str, turns: int) -> np.ndarray:
    left, top, columns, rows = side.bounds
    grid = np.zeros((rows, columns), dtype=bool)
    for column, row in side.cells:
        grid[row - top, column - left] = True
    grid, art = np.rot90(grid, -turns), np.ascontiguousarray(np.rot90(colors, -turns))
    row = int(np.flatnonzero(grid.any(axis=1)).max())
    column = int(np.flatnonzero(grid[row]).min())
    wide_mm = ink.loaded(100).getlength(text) / 100 * ink.height_mm
    least_mm = column * CELL_MM + INSET_MM + wide_mm / 2
    x_mm = max(least_mm, (column + 0.5) * CELL_MM) if place == "side" else least_mm
    y_mm = (row + 1) * CELL_MM - INSET_MM - ink.height_mm / 2
    if not draw_text(art, text, ink, (x_mm, y_mm), 0, CELL_MM):
        return _printed(colors, side, text, replace(ink, height_mm=ink.height_mm * 0.8), place, turns)  # a narrow tile
    return np.rot90(art, turns)
