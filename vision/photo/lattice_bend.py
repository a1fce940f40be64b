"""How far loosely laid tiles lie off the one lattice that they are named by.

Tiles that people lay by hand have gaps of a millimetre or three between them and are turned by a degree or two. Which
cell touches which is still a lattice; where its points really are is told by the tiles that meet there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import cv2
import numpy as np
from jaxtyping import Float, Float32, Num

from calibration.arrays import Numbers, Singles

_AROUND = 8
"""Points beyond the outermost known ones: further tiles are looked for so far from the board."""

_NEAR_POINTS, _FAR_POINTS = 1.0, 4.0
"""Within so many points the known ones tell of the others."""


@dataclass(frozen=True, eq=False)
class Bend:
    """By how much evenly spaced points are shifted on the table; what lies between them goes with them.

    Args:
        first: where the point of row 0 and column 0 is, in the units of whoever asks.
        step: how far the points are apart, in the same units.
        offsets_mm: by row and column, in table millimetres, (rows, columns, 2).
    """

    first: tuple[float, float]
    step: float
    offsets_mm: Float32[Singles, "rows columns 2"] = field(repr=False)

    def at(self, points: Num[Numbers, "n 2"]) -> Float[Numbers, "n 2"]:
        """The shift of each of the points (N, 2) in table millimetres, (N, 2); beyond the rim that of the rim."""
        rows, columns = self.offsets_mm.shape[:2]
        places = (np.asarray(points, dtype=float) - self.first) / self.step
        places = np.clip(places, 0, (columns - 1.001, rows - 1.001))
        column, row = places.astype(np.intp).T
        right, down = (places - np.floor(places)).T[:, :, None]
        upper = (1 - right) * self.offsets_mm[row, column] + right * self.offsets_mm[row, column + 1]
        lower = (1 - right) * self.offsets_mm[row + 1, column] + right * self.offsets_mm[row + 1, column + 1]
        return np.asarray((1 - down) * upper + down * lower, dtype=float)

    def seen_from(self, origin: tuple[float, float], units: float = 1.0, shift: float = 0.0) -> Bend:
        """The same in other units: a point ``p`` is called ``(p - origin) * units + shift`` there."""
        x, y = ((a - b) * units + shift for a, b in zip(self.first, origin, strict=True))
        return Bend((x, y), self.step * units, self.offsets_mm)


def bend_of(known: Iterable[tuple[tuple[int, int], Float[Numbers, " 2"]]]) -> Bend:
    """The bend of a lattice of which some points (column, row) are known to be shifted by so many millimetres.

    A point of which several are told lies between them; one of which nothing is told goes with those near to it.
    """
    told = list(known)
    points = np.array([point for point, _ in told])
    first = points.min(axis=0) - _AROUND
    columns, rows = points.max(axis=0) - first + _AROUND + 1
    total = np.zeros((rows, columns, 2), dtype=np.float32)
    count = np.zeros((rows, columns), dtype=np.float32)
    for (column, row), (_, offset_mm) in zip(points - first, told, strict=True):
        total[row, column] += offset_mm
        count[row, column] += 1
    is_known = (count > 0)[:, :, None]
    mean = np.asarray(total / np.maximum(count, 1)[:, :, None], dtype=np.float32)
    spread, weight = _spread(mean), _spread(is_known[:, :, 0].astype(np.float32))
    offsets_mm = np.where(is_known, mean, spread / np.maximum(weight[:, :, None], 1e-9))
    return Bend((float(first[0]), float(first[1])), 1.0, offsets_mm.astype(np.float32))


def _spread(field: Float32[Singles, "rows columns *channels"]) -> Float32[Singles, "rows columns *channels"]:
    near = cv2.GaussianBlur(field, (0, 0), _NEAR_POINTS, borderType=cv2.BORDER_CONSTANT)
    far = cv2.GaussianBlur(field, (0, 0), _FAR_POINTS, borderType=cv2.BORDER_CONSTANT)
    # Where nothing is near, what is far has to do.
    return np.asarray(near + 1e-3 * far, dtype=np.float32)
