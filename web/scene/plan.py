"""The board drawn without a camera: a true-to-scale view from straight above."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assistant.app.live.shots import PointPx
from assistant.table.board import Board
from assistant.table.camera import PointMm
from assistant.table.observation import LatticePose, table_from_lattice

PIXELS_PER_MM = 3.0
"""Scale of the plan. A cell of an inch becomes 76 pixels, room for names on a phone."""

MARGIN_MM = 16.0


@dataclass(frozen=True)
class PlanView:
    """Looks straight down, with the lattice upright. Heights shift nothing."""

    grid: LatticePose
    corner_cells: tuple[int, int]
    width_px: int
    height_px: int

    @classmethod
    def of(cls, board: Board, grid: LatticePose) -> PlanView:
        """Return the view of the whole board with a margin."""
        columns = [column for column, _ in board.cells]
        rows = [row for _, row in board.cells]
        across = max(columns) - min(columns) + 1
        down = max(rows) - min(rows) + 1
        return cls(
            grid,
            (min(columns), min(rows)),
            round((across * grid.cell_mm + 2 * MARGIN_MM) * PIXELS_PER_MM),
            round((down * grid.cell_mm + 2 * MARGIN_MM) * PIXELS_PER_MM),
        )

    def image_from_table(self, points_mm: Sequence[PointMm], height_mm: float = 0.0) -> list[PointPx]:
        """Return the place of each table point in the drawing."""
        origin = table_from_lattice(self.grid, self.corner_cells)
        along = table_from_lattice(self.grid, (self.corner_cells[0] + 1, self.corner_cells[1]))
        cosine = (along[0] - origin[0]) / self.grid.cell_mm
        sine = (along[1] - origin[1]) / self.grid.cell_mm
        turned = [
            ((x - origin[0]) * cosine + (y - origin[1]) * sine, (y - origin[1]) * cosine - (x - origin[0]) * sine)
            for x, y in points_mm
        ]
        return [((x + MARGIN_MM) * PIXELS_PER_MM, (y + MARGIN_MM) * PIXELS_PER_MM) for x, y in turned]

    def table_from_image(self) -> list[PointMm]:
        """Return the table points of the drawing's pixels (0, 0), (1, 0) and (0, 1), which determine all others."""
        origin_px, right_px, down_px = self.image_from_table([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)])
        # For a rotation and a scale, the inverse is the transpose over the scale squared.
        scale = PIXELS_PER_MM**2
        a, b = (right_px[0] - origin_px[0]) / scale, (right_px[1] - origin_px[1]) / scale
        c, d = (down_px[0] - origin_px[0]) / scale, (down_px[1] - origin_px[1]) / scale
        x, y = -a * origin_px[0] - b * origin_px[1], -c * origin_px[0] - d * origin_px[1]
        return [(x, y), (x + a, y + c), (x + b, y + d)]
