"""From the lattice to the table: where a lattice point lies, in millimetres."""

from __future__ import annotations

import math
from collections.abc import Iterable

from assistant.table.camera import PointMm
from assistant.table.observation import LatticePose


def table_from_lattice(grid: LatticePose, point: tuple[float, float]) -> PointMm:
    """The table point of a lattice point; halves are the middles of cells."""
    turn_rad = math.radians(grid.angle_deg)
    cosine, sine = math.cos(turn_rad) * grid.cell_mm, math.sin(turn_rad) * grid.cell_mm
    x, y = point
    return (grid.origin_mm[0] + cosine * x - sine * y, grid.origin_mm[1] + sine * x + cosine * y)


def all_table_from_lattice(grid: LatticePose, points: Iterable[tuple[float, float]]) -> list[PointMm]:
    """The table point of each lattice point, in order."""
    return [table_from_lattice(grid, point) for point in points]
