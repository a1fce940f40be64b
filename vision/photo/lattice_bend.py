"""How far loosely laid tiles lie off the lattice that names their cells.

Tiles laid by hand have gaps of one to three millimetres and are turned by a degree or two. Which cell touches which
is still a lattice; the tiles that meet at a lattice point say where it really lies.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import cv2
import numpy as np
from jaxtyping import Float, Float32, Num

from calibration.arrays import Numbers, Singles

_AROUND = 8
"""Points added beyond the outermost known ones: further tiles are searched that far from the board."""

_NEAR_POINTS, _FAR_POINTS = 1.0, 4.0
"""Spread in points with which known offsets fill in unknown ones."""


@dataclass(frozen=True, eq=False)
class Bend:
    """The shifts of evenly spaced points on the table, interpolated in between.

    Args:
        first: where the point of row 0 and column 0 is, in the caller's units.
        step: distance between two points, in the same units.
        offsets_mm: by row and column, in table millimetres.
    """

    first: tuple[float, float]
    step: float
    offsets_mm: Float32[Singles, "rows columns 2"] = field(repr=False)

    def at(self, points: Num[Numbers, "n 2"]) -> Float[Numbers, "n 2"]:
        """The shifts of points in table millimetres; beyond the rim that of the rim."""
        rows, columns = self.offsets_mm.shape[:2]
        places = (np.asarray(points, dtype=float) - self.first) / self.step
        places = np.clip(places, 0, (columns - 1.001, rows - 1.001))
        column, row = places.astype(np.intp).T
        right, down = (places - np.floor(places)).T[:, :, None]
        upper = (1 - right) * self.offsets_mm[row, column] + right * self.offsets_mm[row, column + 1]
        lower = (1 - right) * self.offsets_mm[row + 1, column] + right * self.offsets_mm[row + 1, column + 1]
        return np.asarray((1 - down) * upper + down * lower, dtype=float)

    def seen_from(self, origin: tuple[float, float], units: float = 1.0, shift: float = 0.0) -> Bend:
        """The same in other units: point ``p`` becomes ``(p - origin) * units + shift``."""
        x, y = ((a - b) * units + shift for a, b in zip(self.first, origin, strict=True))
        return Bend((x, y), self.step * units, self.offsets_mm)


def bend_of(known: Iterable[tuple[tuple[int, int], Float[Numbers, " 2"]]]) -> Bend:
    """The bend of a lattice from the known shifts, in millimetres, of some of its points (column, row).

    Shifts of one point are averaged. A point without a shift follows the known ones near it.
    """
    shifts = list(known)
    points = np.array([point for point, _ in shifts])
    first = points.min(axis=0) - _AROUND
    columns, rows = points.max(axis=0) - first + _AROUND + 1
    total = np.zeros((rows, columns, 2), dtype=np.float32)
    count = np.zeros((rows, columns), dtype=np.float32)
    for (column, row), (_, offset_mm) in zip(points - first, shifts, strict=True):
        total[row, column] += offset_mm
        count[row, column] += 1
    is_known = (count > 0)[:, :, None]
    mean = np.asarray(total / np.maximum(count, 1)[:, :, None], dtype=np.float32)
    filled = fill_gaps(mean, is_known[:, :, 0].astype(np.float32), (_NEAR_POINTS, _FAR_POINTS))
    return Bend((float(first[0]), float(first[1])), 1.0, np.where(is_known, mean, filled).astype(np.float32))


def fill_gaps(
    total: Float32[Singles, "rows columns *channels"],
    weight: Float32[Singles, "rows columns"],
    spreads: tuple[float, float],
    least: float = 1e-9,
) -> Float32[Singles, "rows columns *channels"]:
    """The weighted mean of a field round each place; far values count only where nothing is near.

    Args:
        total: values times their weights, 0 where there is none.
        weight: the weights.
        spreads: standard deviations of the near and the far surroundings, in places.
        least: smallest weight to divide by.
    """

    def blur(field: Float32[Singles, "..."]) -> Float32[Singles, "..."]:
        near, far = (cv2.GaussianBlur(field, (0, 0), s, borderType=cv2.BORDER_CONSTANT) for s in spreads)
        return np.asarray(near + 1e-3 * far, dtype=np.float32)

    divisor = np.maximum(blur(weight), least)
    return np.asarray(blur(total) / (divisor if total.ndim == 2 else divisor[:, :, None]), dtype=np.float32)
