"""Occlusion of a cell's print by bodies on other cells and by doors, and of doors by bodies, from geometry alone."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from jaxtyping import Float, Float32

from assistant.table.lattice import Cell, Edge
from assistant.table.roster import DoorSpec
from calibration.arrays import Numbers, Singles
from vision.evidence.patches import door_outlines, leans_mm
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
    points = _inner_points(cells)[:, None]
    # The body is a round cone. Project each point onto its axis, and compare the distance with the radius there.
    from_foot = points - feet[None, :, None]
    length = np.maximum((leans**2).sum(axis=-1), 1e-9)
    up = np.clip((from_foot * leans[None, :, None]).sum(axis=-1) / length[None, :, None], 0, 1)
    aside = np.linalg.norm(from_foot - up[..., None] * leans[None, :, None], axis=-1)
    radius = base_radius_mm / board.lattice.cell_mm * (1 + (_NARROWING - 1) * up)
    shares: Numbers = (aside < radius).mean(axis=-1)
    return shares


def door_shares(
    board: BoardView, edges: Sequence[Edge], spec: DoorSpec, cells: Sequence[Cell]
) -> Float[Numbers, "n m"]:
    """Return the share of each cell's inner print that a door on each edge occludes, from 0 to 1."""
    points = _inner_points(cells)
    seen = board.frame_from_lattice(points.reshape(-1, 2)).reshape(points.shape)
    shares = np.zeros((len(cells), len(edges)))
    for i, corners in enumerate(door_outlines(board, edges, spec)):
        sides = np.roll(corners, -1, axis=0) - corners
        from_corner = seen[:, :, None] - corners
        turn = sides[:, 0] * from_corner[..., 1] - sides[:, 1] * from_corner[..., 0]
        shares[:, i] = ((turn >= 0).all(axis=-1) | (turn <= 0).all(axis=-1)).mean(axis=-1)
    return shares


def hidden_door_shares(
    board: BoardView, edges: Sequence[Edge], spec: DoorSpec, bases: Sequence[Sequence[Cell]], height_mm: float
) -> Float[Numbers, "n m"]:
    """Return the share of the outline of a door on each edge that a body on each base occludes, from 0 to 1.

    Of a door before the body, or under its base, it occludes nothing.
    """
    bodies = [_body_outline(board, cells, height_mm) for cells in bases]
    outlines = list(door_outlines(board, edges, spec))
    hidden = [[cv2.intersectConvexConvex(outline, body)[0] for body in bodies] for outline in outlines]
    areas = np.array([cv2.contourArea(outline) for outline in outlines]).reshape(-1, 1)
    middles = np.array([(edge.start, edge.end) for edge in edges], dtype=float).reshape(-1, 2, 2).mean(axis=1)
    feet = np.array([np.mean(cells, axis=0) + 0.5 for cells in bases]).reshape(-1, 2)
    leans = leans_mm(board, middles, height_mm)
    is_behind = ((middles[:, None] - feet) * leans[:, None]).sum(axis=-1) > 0
    is_under = np.array([[{*cells}.issuperset(edge.cells) for cells in bases] for edge in edges]).reshape(
        is_behind.shape
    )
    shares: Numbers = np.array(hidden).reshape(is_behind.shape) / areas
    return np.where(is_behind & ~is_under, shares, 0.0)


def _body_outline(board: BoardView, cells: Sequence[Cell], height_mm: float) -> Float32[Singles, "corners 2"]:
    """Return the outline of a body that fills its base, as corners in pixels of the board's frame."""
    first, last = np.min(cells, axis=0), np.max(cells, axis=0) + 1
    middle = (first + last) / 2
    foot = np.array([first, (last[0], first[1]), last, (first[0], last[1])]) - middle
    lean = leans_mm(board, middle[None], height_mm)[0] / board.lattice.cell_mm
    corners = board.frame_from_lattice(middle + np.concatenate([foot, foot * _NARROWING + lean]))
    return np.asarray(cv2.convexHull(corners.astype(np.float32))[:, 0], dtype=np.float32)


def _inner_points(cells: Sequence[Cell]) -> Float[Numbers, "n points 2"]:
    steps = ((np.arange(_GRID) + 0.5) / _GRID - 0.5) * _INNER + 0.5
    inner = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    points: Numbers = np.array(cells, dtype=float).reshape(-1, 1, 2) + inner
    return points
