"""Between lattice and table: where a lattice point lies, in millimetres, and where in the lattice a place is."""

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


def lattice_from_table(grid: LatticePose, place_mm: PointMm) -> tuple[float, float]:
    """The lattice point of a place on the table; cell ``(c, r)`` has those from ``(c, r)`` to below ``(c+1, r+1)``."""
    turn_rad = math.radians(grid.angle_deg)
    x, y = ((place - origin) / grid.cell_mm for place, origin in zip(place_mm, grid.origin_mm, strict=True))
    cosine, sine = math.cos(turn_rad), math.sin(turn_rad)
    return x * cosine + y * sine, y * cosine - x * sine
