"""Occlusion of a cell's print by bodies on other cells, from geometry alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

from assistant.table.lattice import Cell
from calibration.arrays import Numbers
from vision.evidence.patches import leans_mm
from vision.tiles.board_view import BoardView

_INNER = 0.6
"""Share of a cell's side whose print counts, the part that a base on it would occlude."""

_NARROWING = 0.7
"""Width of a body at its top, as a share of its base."""

_GRID = 6
"""Samples along the inner part of a cell."""


def hidden_shares(
    board: BoardView, feet: Float[Numbers, "m 2"], base_radius_mm: float, height_mm: float, cells: Sequence[Cell]
) -> Float[Numbers, "n m"]:
    """Return the share of each cell's inner print that each body occludes, from 0 to 1.

    Args:
        board: the board.
        feet: the middles of the bodies' bases, in lattice coordinates.
        base_radius_mm: half the shorter side of a base.
        height_mm: height of the bodies.
        cells: the cells whose print may be occluded.
    """
    leans = leans_mm(board, feet, height_mm) / board.lattice.cell_mm
    steps = ((np.arange(_GRID) + 0.5) / _GRID - 0.5) * _INNER + 0.5
    inner = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    points = np.array(cells, dtype=float).reshape(-1, 1, 1, 2) + inner
    # The body is a round cone. Project each point onto its axis, and compare the distance with the radius there.
    from_foot = points - feet[None, :, None]
    length = np.maximum((leans**2).sum(axis=-1), 1e-9)
    up = np.clip((from_foot * leans[None, :, None]).sum(axis=-1) / length[None, :, None], 0, 1)
    aside = np.linalg.norm(from_foot - up[..., None] * leans[None, :, None], axis=-1)
    radius = base_radius_mm / board.lattice.cell_mm * (1 + (_NARROWING - 1) * up)
    shares: Numbers = (aside < radius).mean(axis=-1)
    return shares
