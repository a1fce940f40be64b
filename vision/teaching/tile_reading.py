"""The print of a tile, decided from the evidence of one or several photos."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from assistant.errors import Unteachable
from assistant.table.board import EdgeKind
from assistant.table.lattice import Cell, Edge, sides
from assistant.table.tiles import TileSide
from calibration.arrays import BgrImage, Numbers
from vision.teaching.difficult_ground import CERTAIN, EdgeSight, difficult_cells
from vision.teaching.edge_network import KINDS
from vision.teaching.sighting import TileSighting, bounds

SIDE_PX = 64
"""Pixels of a cell in a taught picture, as in the shipped tile sets."""

_REPEATED = 0.7
"""Weight of a further photo of the same tile, since all share the print's peculiarities."""

MARGIN_CELLS = 2
"""Margin of cells stored round a tile, so that a person can add a missed cell."""


@dataclass(frozen=True, eq=False)
class TileMargin:
    """The surroundings of a tile in its best photo. The tile may continue there unseen.

    Args:
        image: the tile's bounding box with ``MARGIN_CELLS`` on every side, ``SIDE_PX`` a cell, blue-green-red.
        edges: the likely print on edges beside the tile, and its confidence, 0 to 1.
    """

    image: BgrImage
    edges: Mapping[Edge, tuple[EdgeKind | None, float]]


@dataclass(frozen=True, eq=False)
class TileReading:
    """A rectified and read tile, its first cell at column 0 and row 0. Confidences are 0 to 1.

    Args:
        image: the bounding box of its cells, ``SIDE_PX`` a cell, blue-green-red.
        cells: its cells.
        cell_confidence: the confidence in each cell.
        edges: the kind of every edge of every cell, None without print.
        edge_confidence: the confidence in each kind.
        difficult: the cells of difficult ground.
        difficult_confidence: the confidence in each cell's state.
        sights: the evidence on each edge, for combination with other photos.
        photos: number of photos behind it.
        around: its surroundings, or None after several photos or turns.
    """

    image: BgrImage
    cells: frozenset[Cell]
    cell_confidence: Mapping[Cell, float]
    edges: Mapping[Edge, EdgeKind | None]
    edge_confidence: Mapping[Edge, float]
    difficult: frozenset[Cell]
    difficult_confidence: Mapping[Cell, float]
    sights: Mapping[Edge, EdgeSight]
    photos: int = 1
    around: TileMargin | None = None

    def side(self, side_id: str) -> TileSide:
        """Return the tile side for a tile set."""
        printed = {edge: kind for edge, kind in self.edges.items() if kind is not None}
        return TileSide(side_id, picture_name(side_id), self.cells, printed, self.difficult)

    def with_cells(
        self, cells: frozenset[Cell], odds: Mapping[Cell, float], beside: Mapping[Edge, EdgeSight]
    ) -> TileReading | None:
        """Return the reading for other cells, by the evidence beside this one, or None beyond that evidence.

        Args:
            cells: the cells, relative to this reading's first cell.
            odds: the log odds of cells.
            beside: the evidence on edges of cells beside this reading's.
        """
        left, top, columns, rows = bounds(cells)
        _, _, wide, high = bounds(self.cells)
        known = {**beside, **self.sights}
        edges = {edge for cell in cells for edge in sides(cell)}
        is_in = min(left, top) >= -MARGIN_CELLS and left + columns <= wide + MARGIN_CELLS
        if self.around is None or not edges <= known.keys() or not is_in or top + rows > high + MARGIN_CELLS:
            return None
        y, x = ((at + MARGIN_CELLS) * SIDE_PX for at in (top, left))
        image = self.around.image[y : y + rows * SIDE_PX, x : x + columns * SIDE_PX]
        confidence = {(c - left, r - top): _chance(odds.get((c, r), 0.0)) for c, r in cells}
        sights = {move_edge(edge, -left, -top): known[edge] for edge in edges}
        return _decide(image, frozenset(confidence), confidence, sights, self.photos)


def picture_name(side_id: str) -> str:
    """Return a file name for a side's picture, without unsafe characters.

    Raises:
        Unteachable: no character is left.
    """
    plain = "".join(sign if sign.isalnum() or sign in "-_." else "-" for sign in side_id).lstrip("-.")
    if not plain:
        raise Unteachable("name", side_id, field="id")
    return f"{plain}.png"


def read_sighting(sighting: TileSighting, wide_image: BgrImage) -> TileReading:
    """Decide the print from one photo."""
    left, top, _, _ = bounds(sighting.cells)
    cells = frozenset((c - left, r - top) for c, r in sighting.cells)
    sights = {move_edge(edge, -left, -top): sight for edge, sight in sighting.edges.items()}
    confidence = {(c - left, r - top): _chance(sighting.cell_odds[c, r]) for c, r in sighting.cells}
    beside = {move_edge(edge, -left, -top): _kind_of(sight) for edge, sight in sighting.around.items()}
    inset = MARGIN_CELLS * SIDE_PX
    reading = _decide(wide_image[inset:-inset, inset:-inset], cells, confidence, sights, 1)
    return replace(reading, around=TileMargin(wide_image, beside))


def cut_to(image: BgrImage, cells: frozenset[Cell]) -> BgrImage:
    """Return the part of a tile's picture that spans some of its cells."""
    left, top, columns, rows = bounds(cells)
    return image[top * SIDE_PX : (top + rows) * SIDE_PX, left * SIDE_PX : (left + columns) * SIDE_PX]


def move_edge(edge: Edge, right: int, down: int) -> Edge:
    """Return the edge moved by cells to the right and down."""
    (x0, y0), (x1, y1) = edge
    return Edge((x0 + right, y0 + down), (x1 + right, y1 + down))


def merge_readings(first: TileReading, second: TileReading) -> TileReading | None:
    """Combine both photos' readings of one tile in the first one's frame. Return None if the shapes disagree."""
    best: tuple[float, TileReading] | None = None
    for turns in range(4):
        turned = rotate_reading(second, turns)
        if turned.cells == first.cells:
            likeness = _likeness(first.image, turned.image)
            if best is None or likeness > best[0]:
                best = likeness, turned
    if best is None:
        return None
    other = best[1]
    sights = {edge: _combine(sight, other.sights[edge]) for edge, sight in first.sights.items()}
    confidence = {cell: max(sure, other.cell_confidence[cell]) for cell, sure in first.cell_confidence.items()}
    both = _decide(first.image, first.cells, confidence, sights, first.photos + second.photos)
    return replace(both, around=first.around)


def rotate_reading(reading: TileReading, turns: int) -> TileReading:
    """Return the reading rotated clockwise by quarter turns."""
    for _ in range(turns % 4):
        _, _, _, rows = bounds(reading.cells)
        sights = dict(_turn_sight(edge, sight, rows) for edge, sight in reading.sights.items())
        cells = frozenset((rows - 1 - r, c) for c, r in reading.cells)
        confidence = {(rows - 1 - r, c): sure for (c, r), sure in reading.cell_confidence.items()}
        image = np.ascontiguousarray(np.rot90(reading.image, -1))
        reading = _decide(image, cells, confidence, sights, reading.photos)
    return reading


def _decide(
    image: BgrImage,
    cells: frozenset[Cell],
    cell_confidence: Mapping[Cell, float],
    sights: Mapping[Edge, EdgeSight],
    photos: int,
) -> TileReading:
    kinds = {edge: _kind_of(sight) for edge, sight in sights.items()}
    edges = {edge: kind for edge, (kind, _) in kinds.items()}
    sure = {edge: chance for edge, (_, chance) in kinds.items()}
    difficult, difficult_sure = difficult_cells(cells, sights)
    return TileReading(image, cells, cell_confidence, edges, sure, difficult, difficult_sure, sights, photos)


def _kind_of(sight: EdgeSight) -> tuple[EdgeKind | None, float]:
    """Return the likeliest kind of an edge, and its chance."""
    return KINDS[int(sight.kinds.argmax())], min(math.exp(float(sight.kinds.max())), CERTAIN)


def _combine(first: EdgeSight, second: EdgeSight) -> EdgeSight:
    kinds = first.kinds + _REPEATED * second.kinds
    kinds = kinds - np.logaddexp.reduce(kinds)
    return EdgeSight(kinds, first.difficult + _REPEATED * second.difficult)


def _turn_sight(edge: Edge, sight: EdgeSight, rows: int) -> tuple[Edge, EdgeSight]:
    (x0, y0), (x1, y1) = edge
    turned = Edge.between((rows - y0, x0), (rows - y1, x1))
    first = (rows - 1 - edge.cells[0][1], edge.cells[0][0])
    is_swapped = turned.cells[0] != first
    return turned, replace(sight, difficult=sight.difficult[::-1] if is_swapped else sight.difficult)


def _chance(log_odds: float) -> float:
    return 1 / (1 + math.exp(-min(max(log_odds, -30.0), 30.0)))


def _likeness(first: BgrImage, second: BgrImage) -> float:
    """Return the correlation of two pictures of one size."""
    a, b = (image.astype(np.float64) - image.mean(axis=(0, 1)) for image in (first, second))
    spread: Numbers = np.sqrt((a * a).sum() * (b * b).sum())
    return float((a * b).sum() / max(float(spread), 1e-9))


def best_of(readings: Sequence[TileReading]) -> TileReading:
    """Combine all readings of one tile, except those of another shape.

    Raises:
        ValueError: there is none.
    """
    if not readings:
        raise ValueError("there is no reading to put together")
    whole = readings[0]
    for reading in readings[1:]:
        whole = merge_readings(whole, reading) or whole
    return whole
