"""Draw shapes of tiles: their cells, printed edges and difficult ground."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from assistant.table.board import EDGE_STRENGTH, EdgeKind
from assistant.table.lattice import Cell, Edge, list_inner_edges, sides
from vision.simulation.arrays import Generator

RECTANGLES = ((2, 2), (3, 2), (2, 4), (3, 3), (4, 3), (4, 4), (5, 3), (6, 2), (6, 4), (5, 4))


@dataclass(frozen=True)
class TilePlan:
    """The plan of a tile side's print. ``features`` are cells with a picture of their own."""

    cells: frozenset[Cell]
    edges: dict[Edge, EdgeKind]
    difficult: frozenset[Cell]
    features: dict[Cell, str]


def border(cells: Iterable[Cell]) -> list[Edge]:
    """Return the sorted edges between a cell of the set and a cell outside it."""
    held = frozenset(cells)
    return sorted({edge for cell in held for edge in sides(cell) if sum(side in held for side in edge.cells) == 1})


def random_plan(rng: Generator, cells: frozenset[Cell] | None = None) -> TilePlan:
    """Return the printed lines of a tile with those cells, by default a rectangle, L, T, U or cross."""
    cells = _shape(rng) if cells is None else cells
    edges: dict[Edge, EdgeKind] = {}
    features = _features(rng, cells, edges)
    _free_lines(rng, cells, edges)
    difficult = _difficult(rng, cells - features.keys())
    _walls(rng, cells, edges)
    return TilePlan(cells, edges, difficult, features)


def strengthen(edges: dict[Edge, EdgeKind], edge: Edge, kind: EdgeKind) -> None:
    """Print a kind on an edge without anything stronger."""
    if edge not in edges or EDGE_STRENGTH[kind] > EDGE_STRENGTH[edges[edge]]:
        edges[edge] = kind


def _shape(rng: Generator) -> frozenset[Cell]:
    columns, rows = RECTANGLES[int(rng.integers(len(RECTANGLES)))]
    if rng.random() < 0.5:
        columns, rows = rows, columns
    cells = {(x, y) for x in range(columns) for y in range(rows)}
    choice = rng.random()
    if min(columns, rows) >= 3 and choice < 0.55:
        cells -= _bites(rng, columns, rows)
    elif columns >= 4 and rows == 2 and choice < 0.4:
        cells -= {(0, 0), (columns - 1, 0)} if choice < 0.2 else {(0, 0), (1, 0)}
    return frozenset(cells)


def _bites(rng: Generator, columns: int, rows: int) -> set[Cell]:
    """Return cells to omit.

    They are one corner (L), two corners of a side (T), the middle of a side (U), or all corners (cross).
    """
    wide, high = int(rng.integers(1, columns // 2 + 1)), int(rng.integers(1, rows // 2 + 1))
    corner = {(x, y) for x in range(wide) for y in range(high)}
    choice = int(rng.integers(4))
    if choice == 0:
        return corner
    if choice == 1 and wide * 2 < columns:
        return corner | {(columns - 1 - x, y) for x, y in corner}
    if choice == 2:
        return {(columns // 2, y) for y in range(high)}
    return {(0, 0), (columns - 1, 0), (0, rows - 1), (columns - 1, rows - 1)}


def _features(rng: Generator, cells: frozenset[Cell], edges: dict[Edge, EdgeKind]) -> dict[Cell, str]:
    """Return crates (in obstacle lines) and pools (in impassable lines) on up to a sixth of the cells."""
    features: dict[Cell, str] = {}
    for _ in range(int(rng.integers(0, max(2, len(cells) // 6 + 1)))):
        cell = sorted(cells)[int(rng.integers(len(cells)))]
        kind, name = (("obstacle", "crate"), ("impassable", "pool"))[int(rng.integers(2))]
        features[cell] = name
        for edge in sides(cell):
            if all(side in cells for side in edge.cells):
                strengthen(edges, edge, "obstacle" if kind == "obstacle" else "impassable")
    return features


def _free_lines(rng: Generator, cells: frozenset[Cell], edges: dict[Edge, EdgeKind]) -> None:
    """Add straight runs of one kind inside the tile."""
    candidates = list_inner_edges(cells)
    for _ in range(int(rng.integers(0, 4))):
        kind: EdgeKind = ("wall", "obstacle", "impassable")[int(rng.choice(3, p=[0.45, 0.3, 0.25]))]
        if not candidates:
            return
        edge = candidates[int(rng.integers(len(candidates)))]
        for _ in range(int(rng.integers(1, 4))):
            if edge not in candidates:
                break
            strengthen(edges, edge, kind)
            (x0, y0), (x1, y1) = edge
            edge = Edge((x1, y1), (2 * x1 - x0, 2 * y1 - y0))


def _difficult(rng: Generator, cells: frozenset[Cell]) -> frozenset[Cell]:
    if rng.random() < 0.3 or not cells:
        return frozenset()
    cell = sorted(cells)[int(rng.integers(len(cells)))]
    wide, high = int(rng.integers(1, 4)), int(rng.integers(1, 3))
    return frozenset(c for c in cells if 0 <= c[0] - cell[0] < wide and 0 <= c[1] - cell[1] < high)


def _walls(rng: Generator, cells: frozenset[Cell], edges: dict[Edge, EdgeKind]) -> None:
    """Add walls along most of the outline, with openings of one to three edges for joining tiles."""
    share = rng.uniform(0.35, 0.75)
    fate: dict[tuple[bool, int, int], bool] = {}
    for edge in border(cells):
        along, across = edge.start if edge.is_horizontal else edge.start[::-1]
        # Neighbouring edges of a side are decided together, so that openings are wide enough to walk through.
        stretch = (edge.is_horizontal, across, along // 2)
        if stretch not in fate:
            fate[stretch] = bool(rng.random() < share)
        if fate[stretch]:
            strengthen(edges, edge, "wall")
