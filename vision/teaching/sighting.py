"""One tile in one photo: its lattice, its cells, and the evidence on every edge."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from assistant.errors import NoTileShown
from assistant.table.camera import TableMarkers
from assistant.table.lattice import Cell, Edge, sides
from calibration.arrays import BgrImage, Mask, Numbers
from calibration.color import GAMMA
from calibration.pose import CameraView
from vision.photo.paper_light import PaperLight, paper_light
from vision.photo.rectify import PlaneFrame, rectify
from vision.photo.search_area import papers_mask, search_frame
from vision.teaching.difficult_ground import EdgeSight
from vision.teaching.edge_network import CELL_PX, EdgeBeliefs, brightness_of, edge_beliefs, edge_patches, shifted_by
from vision.teaching.lattice_search import find_lattices
from vision.teaching.tile_cells import largest_part
from vision.tiles.lattice_fit import Lattice

CELL_MM = 25.4
THICKNESS_MM = 2.0
"""Default thickness, that of the boxed games' tiles."""

_SHIFTS_MM = np.arange(-3.0, 3.1, 1.0)
"""Candidate shifts. A wall has two sides, and the search may mistake its inner one, two millimetres off, for the
lattice."""

MIN_CELLS = 2

LEAST_ODDS = 4.0
"""Least mean log odds of a tile's cells. Tiles have 6 and more, cloths with checks of some size 2 to 3."""


@dataclass(frozen=True, eq=False)
class TileSighting:
    """A tile (or several joined ones) in one photo.

    Args:
        lattice: the lattice of its cells.
        cells: the cells, on that lattice.
        cell_odds: log odds of each cell's membership.
        edges: the evidence on every edge of every cell.
        around: the same on the edges of cells beside them, where the tile may continue unseen.
        view: the camera.
        light: the light on the table.
        thickness_mm: height of the print above the table.
    """

    lattice: Lattice
    cells: frozenset[Cell]
    cell_odds: dict[Cell, float]
    edges: dict[Edge, EdgeSight]
    around: dict[Edge, EdgeSight]
    view: CameraView
    light: PaperLight
    thickness_mm: float


@dataclass(frozen=True, eq=False)
class EdgeLook:
    """A lattice with the network's answers for the edges between the markers."""

    lattice: Lattice
    edges: tuple[Edge, ...]
    beliefs: EdgeBeliefs
    cell_odds: dict[Cell, float]

    @property
    def score(self) -> float:
        return sum(odds for odds in self.cell_odds.values() if odds > 0)


def sight_tile(
    photo: BgrImage,
    view: CameraView,
    markers: TableMarkers,
    *,
    cell_mm: float = CELL_MM,
    thickness_mm: float = THICKNESS_MM,
) -> TileSighting:
    """Find the tile between the markers, with all print on its edges.

    Raises:
        NoTileShown: nothing there looks like a tile.
    """
    light = paper_light(photo, view, markers)
    guesses = find_lattices(photo, view, markers, cell_mm, thickness_mm)
    scene = EdgeScene(photo, view, _between(markers), light, thickness_mm)
    best = max((scene.settle(guess) for guess in guesses), key=lambda look: look.score, default=None)
    cells = frozenset() if best is None else largest_part(best.cell_odds)
    if best is None or len(cells) < MIN_CELLS or np.mean([best.cell_odds[cell] for cell in cells]) < LEAST_ODDS:
        raise NoTileShown()
    return scene.sighting(best, cells, best.cell_odds)


def squared_picture(photo: BgrImage, sighting: TileSighting, px_per_cell: int, margin_cells: int = 0) -> BgrImage:
    """Return the rectified bounding box of the tile's cells, with a margin in cells, in white light.

    It is as bright as possible without clipping.
    """
    left, top, columns, rows = bounds(sighting.cells)
    first = left - margin_cells, top - margin_cells
    last = left + columns + margin_cells, top + rows + margin_cells
    frame = _frame(sighting.lattice, first, last, px_per_cell)
    seen = rectify(photo, sighting.view, frame, sighting.thickness_mm).image
    white = sighting.light.white_balanced(seen)
    middle = frame.table_from_frame(np.array([frame.size_wh]) / 2)
    paper = 255 * float(sighting.light.brightness_at(middle)[0]) ** (1 / GAMMA)
    brightest = max(float(np.percentile(white, 99.5)), paper, 1.0)
    return np.asarray(np.clip(white * (250 / brightest), 0, 255), dtype=np.uint8)


def bounds(cells: frozenset[Cell]) -> tuple[int, int, int, int]:
    """Return smallest column and row of cells, and the numbers of columns and rows they span."""
    columns, rows = [c for c, _ in cells], [r for _, r in cells]
    return min(columns), min(rows), max(columns) - min(columns) + 1, max(rows) - min(rows) + 1


@dataclass(frozen=True, eq=False)
class SearchArea:
    """The part of the table with possible tiles.

    Args:
        frame: a rectangle around it.
        mask: its pixels in that frame.
    """

    frame: PlaneFrame
    mask: Mask


@dataclass(frozen=True, eq=False)
class EdgeScene:
    """A photo with everything independent of the lattice."""

    photo: BgrImage
    view: CameraView
    area: SearchArea
    light: PaperLight
    thickness_mm: float

    def look_quickly(self, lattice: Lattice) -> EdgeLook:
        """Return the answers for a quarter of all edges of a hypothetical lattice."""
        cells, first, last = self._cells(lattice)
        some = frozenset(cell for cell in cells if (cell[0] + cell[1]) % 2 == 0)
        edges = [edge for cell in some for edge in sides(cell)[:: 2 if cell[0] % 2 else 3]]
        return self._look(lattice, some, sorted(set(edges)), (first, last), quickly=True)

    def look_at(self, lattice: Lattice) -> EdgeLook:
        """Return the answers for all edges of a lattice between the markers."""
        cells, first, last = self._cells(lattice)
        edges = sorted({edge for cell in cells for edge in sides(cell)})
        return self._look(lattice, cells, edges, (first, last), quickly=True)

    def center(self, look: EdgeLook) -> Lattice:
        """Return the lattice shifted to where its likely cells' edges look most like a tile's."""
        cells = largest_part(look.cell_odds)
        if not cells:
            return look.lattice
        left, top, columns, rows = bounds(cells)
        first = left - 1, top - 1
        frame = _frame(look.lattice, first, (left + columns + 1, top + rows + 1), CELL_PX)
        image = self.light.white_balanced(rectify(self.photo, self.view, frame, self.thickness_mm).image)
        edges = sorted({edge for cell in cells for edge in sides(cell)})
        bright = brightness_of(image)
        tries = []
        for shift in _SHIFTS_MM / look.lattice.cell_mm:
            patches = edge_patches(image, first, edges, shifted_by(shift, shift))
            tries.append(edge_beliefs(patches, bright, quickly=True).tile.max(1))
        is_level = np.array([edge.is_horizontal for edge in edges])
        # Upright edges determine the lattice's shift to the right, level ones its shift down.
        off_mm = [_peak([float(odds[part].sum()) for odds in tries]) for part in (~is_level, is_level)]
        return _move(look.lattice, np.zeros(2), np.array([*off_mm, 0.0]))

    def settle(self, lattice: Lattice, *, quickly: bool = False) -> EdgeLook:
        """Return the best look from a guessed lattice, corrected while more of a tile appears on it."""
        best = self.look_closer(self.look_at(self.center(self.look_at(lattice))), quickly=quickly)
        while True:
            look = self.look_closer(replace(best, lattice=_correct(best)), quickly=quickly)
            if look.score <= best.score:
                return best
            best = look

    def look_closer(self, look: EdgeLook, *, quickly: bool = False) -> EdgeLook:
        """Return the answers for a possible tile and one cell round it."""
        likely = {cell for cell, odds in look.cell_odds.items() if odds > 0}
        near = {(c + i, r + j) for c, r in likely for i in (-1, 0, 1) for j in (-1, 0, 1)}
        cells = frozenset(near & look.cell_odds.keys())
        if not cells:
            return look
        left, top, columns, rows = bounds(cells)
        span = (left - 1, top - 1), (left + columns + 1, top + rows + 1)
        edges = sorted({edge for cell in cells for edge in sides(cell)})
        return self._look(look.lattice, cells, edges, span, quickly=quickly)

    def sighting(self, look: EdgeLook, cells: frozenset[Cell], odds: dict[Cell, float]) -> TileSighting:
        """Return the tile with these cells from a look."""
        seen = {edge: EdgeSight(look.beliefs.kinds[i], look.beliefs.difficult[i]) for i, edge in enumerate(look.edges)}
        own = {edge: sight for edge, sight in seen.items() if any(cell in cells for cell in edge.cells)}
        around = {edge: sight for edge, sight in seen.items() if edge not in own}
        return TileSighting(look.lattice, cells, odds, own, around, self.view, self.light, self.thickness_mm)

    def _look(
        self, lattice: Lattice, cells: frozenset[Cell], edges: list[Edge], span: tuple[Cell, Cell], *, quickly: bool
    ) -> EdgeLook:
        """Return the network's answers for some edges of a lattice."""
        frame = _frame(lattice, *span, CELL_PX)
        image = self.light.white_balanced(rectify(self.photo, self.view, frame, self.thickness_mm).image)
        beliefs = edge_beliefs(edge_patches(image, span[0], edges), brightness_of(image), quickly=quickly)
        return EdgeLook(lattice, tuple(edges), beliefs, _cell_odds(edges, beliefs, cells))

    def _cells(self, lattice: Lattice) -> tuple[frozenset[Cell], Cell, Cell]:
        """Return the lattice's visible cells in the searched area, and their bounds."""
        area = self.area.frame
        corners = np.array([[0, 0], [1, 0], [0, 1], [1, 1]]) * np.array(area.size_wh)
        spots = lattice.lattice_from_table(area.table_from_frame(corners))
        low, high = np.floor(spots.min(axis=0)).astype(int), np.ceil(spots.max(axis=0)).astype(int)
        columns, rows = np.meshgrid(np.arange(low[0], high[0]), np.arange(low[1], high[1]))
        found = np.column_stack([columns.ravel(), rows.ravel()])
        middles = lattice.table_from_lattice(found + 0.5)
        pixels = self.view.image_from_table(middles, self.thickness_mm)
        limits = np.array(self.photo.shape[1::-1]) - 1
        in_photo = ((pixels >= 0) & (pixels <= limits)).all(axis=1)
        places = np.round(area.frame_from_table(middles)).astype(int)
        in_area = ((places >= 0) & (places < np.array(area.size_wh))).all(axis=1)
        inside = np.clip(places, 0, np.array(area.size_wh) - 1)
        is_open = self.area.mask[inside[:, 1], inside[:, 0]]
        kept = found[in_photo & in_area & is_open]
        cells = frozenset((int(c), int(r)) for c, r in kept.tolist())
        return cells, (int(low[0]), int(low[1])), (int(high[0]), int(high[1]))


def _between(markers: TableMarkers) -> SearchArea:
    """Return the table between the markers, without their papers."""
    frame = search_frame(markers, 0.5)
    return SearchArea(frame, ~papers_mask(frame, markers.markers))


def _frame(lattice: Lattice, first: Cell, last: Cell, px_per_cell: int) -> PlaneFrame:
    """Return the frame along a lattice from one of its points to another."""
    x, y = lattice.table_from_lattice(np.array([first], dtype=np.float64))[0].tolist()
    size_wh = ((last[0] - first[0]) * px_per_cell, (last[1] - first[1]) * px_per_cell)
    return PlaneFrame((x, y), lattice.angle_deg, px_per_cell / lattice.cell_mm, size_wh)


def _cell_odds(edges: Sequence[Edge], beliefs: EdgeBeliefs, cells: frozenset[Cell]) -> dict[Cell, float]:
    """Return the mean answer of each cell's four edges."""
    answers: dict[Cell, list[float]] = {cell: [] for cell in cells}
    for edge, pair in zip(edges, beliefs.tile.tolist(), strict=True):
        for cell, odds in zip(edge.cells, pair, strict=True):
            if cell in answers:
                answers[cell].append(odds)
    return {cell: float(np.mean(odds)) for cell, odds in answers.items() if odds}


def _correct(look: EdgeLook) -> Lattice:
    """Shift and rotate the lattice to its observed edges, by weighted least squares."""
    rows, misses, weights = [], [], []
    sure = {cell for cell, odds in look.cell_odds.items() if odds > 0}
    if not sure:
        return look.lattice
    center = np.mean([*sure], axis=0) + 0.5
    for i, edge in enumerate(look.edges):
        if not any(cell in sure for cell in edge.cells):
            continue
        middle = (np.mean(edge, axis=0) - center) * look.lattice.cell_mm
        # A small rotation moves points on the right down, and points below to the left.
        rows.append([0.0, 1.0, middle[0]] if edge.is_horizontal else [1.0, 0.0, -middle[1]])
        misses.append(float(look.beliefs.offset_mm[i]))
        has_line = 1 - math.exp(float(look.beliefs.kinds[i, 0]))
        is_border = not all(cell in sure for cell in edge.cells)
        weights.append(0.1 + has_line + 0.5 * is_border)
    return _move(look.lattice, center, _solve_robustly(np.array(rows), np.array(misses), np.array(weights)))


def _solve_robustly(
    rows: Float[Numbers, "n 3"], misses: Float[Numbers, " n"], weights: Float[Numbers, " n"]
) -> Float[Numbers, " 3"]:
    """Solve least squares with low weights for distant edges."""
    solved = np.zeros(3)
    prior = np.diag([1e-3, 1e-3, 1.0])
    for _ in range(4):
        left = np.abs(rows @ solved - misses)
        root = np.sqrt(weights / (1 + (left / 0.4) ** 2))
        solved = np.linalg.lstsq(
            np.vstack([rows * root[:, None], prior]), np.append(misses * root, np.zeros(3)), rcond=None
        )[0]
    return solved


def _peak(values: Sequence[float]) -> float:
    """Return the shift with the largest value, by a parabola through it and its neighbours, millimetres."""
    best = int(np.argmax(values))
    if best in (0, len(values) - 1):
        return float(_SHIFTS_MM[best])
    before, here, after = values[best - 1 : best + 2]
    bend = before - 2 * here + after
    step = float(_SHIFTS_MM[1] - _SHIFTS_MM[0])
    return float(_SHIFTS_MM[best]) + step * (0.5 * (before - after) / bend if bend < 0 else 0.0)


def _move(lattice: Lattice, center: Float[Numbers, " 2"], by: Float[Numbers, " 3"]) -> Lattice:
    """Return the lattice shifted by (right, down) millimetres and rotated by radians about one of its points."""
    center_mm = lattice.table_from_lattice(center[None])[0]
    turned = Lattice(lattice.origin_mm, lattice.angle_deg + math.degrees(float(by[2])), lattice.cell_mm)
    target_mm = center_mm + lattice.axes @ by[:2] / lattice.cell_mm
    origin = target_mm - turned.axes @ center
    return Lattice((float(origin[0]), float(origin[1])), turned.angle_deg, lattice.cell_mm)
