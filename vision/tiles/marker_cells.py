"""Where a printed marker lies open, no tile lies: the photo shows the table there."""

from __future__ import annotations

from itertools import product

import numpy as np

from assistant.table.camera import TableMarkers
from assistant.table.lattice import Cell
from calibration.pose import CameraView
from vision.tiles.lattice_fit import Lattice

_SHARES = (0.15, 0.38, 0.62, 0.85)
"""Where a marker is asked for its cell, along each of its sides: a tile may touch its rim."""


def cells_under_markers(lattice: Lattice, view: CameraView, markers: TableMarkers) -> frozenset[Cell]:
    """The cells of the lattice on which markers lie that the view rests on."""
    cells: set[Cell] = set()
    for marker in markers.markers:
        if marker.id in view.markers_seen:
            a, b, c, d = np.array(marker.corners_mm, dtype=float)
            points_mm = [
                (1 - y) * ((1 - x) * a + x * b) + y * ((1 - x) * d + x * c) for x, y in product(_SHARES, repeat=2)
            ]
            columns_rows = np.floor(lattice.lattice_from_table(np.array(points_mm))).astype(int)
            cells.update((int(column), int(row)) for column, row in columns_rows)
    return frozenset(cells)
