"""Exact plane geometry: signs of determinants over exact numbers, never floats.

Works over anything that adds, multiplies and compares exactly: ``int`` and ``Fraction`` alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, pairwise

Exact = Fraction | int

ExactPoint = tuple[Fraction, Fraction]
"""A place on the table: x to the right, y towards the near edge, millimetres as exact numbers."""


def cross(origin: ExactPoint, a: ExactPoint, b: ExactPoint) -> Fraction:
    """Twice the signed area of a triangle: positive if the turn from ``a`` to ``b`` is the one from x to y."""
    return (a[0] - origin[0]) * (b[1] - origin[1]) - (a[1] - origin[1]) * (b[0] - origin[0])


def sign(number: Exact) -> int:
    """-1, 0 or 1."""
    return (number > 0) - (number < 0)


def doubled_area(outline: Sequence[ExactPoint]) -> Fraction:
    """Twice the signed area of a polygon, positive if it runs from x towards y."""
    total = Fraction(0)
    for (x0, y0), (x1, y1) in pairwise([*outline, outline[0]]):
        total += x0 * y1 - x1 * y0
    return total


def is_simple(outline: Sequence[ExactPoint]) -> bool:
    """Whether a closed outline neither crosses nor touches itself, nor folds back on itself."""
    sides = list(pairwise([*outline, outline[0]]))
    count = len(sides)
    if any(start == end for start, end in sides):
        return False
    for i, j in combinations(range(count), 2):
        if j - i == 1:
            clash = _folds(*sides[i], sides[j][1])
        elif i == 0 and j == count - 1:
            clash = _folds(*sides[j], sides[i][1])
        else:
            clash = segments_meet(sides[i], sides[j])
        if clash:
            return False
    return True


def segments_meet(first: tuple[ExactPoint, ExactPoint], second: tuple[ExactPoint, ExactPoint]) -> bool:
    """Whether two closed segments have a point in common."""
    (a, b), (c, d) = first, second
    if not _boxes_meet(a, b, c, d):
        return False
    across_first = sign(cross(a, b, c)) * sign(cross(a, b, d))
    across_second = sign(cross(c, d, a)) * sign(cross(c, d, b))
    # Collinear segments give 0 twice; their boxes meet, so they do.
    return across_first <= 0 and across_second <= 0


def _boxes_meet(a: ExactPoint, b: ExactPoint, c: ExactPoint, d: ExactPoint) -> bool:
    return all(min(a[k], b[k]) <= max(c[k], d[k]) and min(c[k], d[k]) <= max(a[k], b[k]) for k in (0, 1))


def _folds(a: ExactPoint, b: ExactPoint, c: ExactPoint) -> bool:
    """Whether the path from a over b to c turns straight back at b."""
    back = (a[0] - b[0]) * (c[0] - b[0]) + (a[1] - b[1]) * (c[1] - b[1])
    return cross(a, b, c) == 0 and back > 0
