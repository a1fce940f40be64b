"""Exact plane geometry: signs of determinants over exact numbers, never floats.

Works with any type that adds, multiplies and compares exactly, such as ``int`` and ``Fraction``.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, pairwise

Exact = Fraction | int

ExactPoint = tuple[Fraction, Fraction]
"""A point on the table in exact millimetres: x to the right, y towards the near edge."""


def cross(origin: ExactPoint, a: ExactPoint, b: ExactPoint) -> Fraction:
    """Return twice a triangle's signed area: positive if the turn from ``a`` to ``b`` has the sense from x to y."""
    return (a[0] - origin[0]) * (b[1] - origin[1]) - (a[1] - origin[1]) * (b[0] - origin[0])


def sign(number: Exact) -> int:
    """Return the sign of a number: -1, 0 or 1."""
    above = number.numerator  # the numerator alone decides, and is faster than comparing a fraction
    return (above > 0) - (above < 0)


def doubled_area(outline: Sequence[ExactPoint]) -> Fraction:
    """Return twice a polygon's signed area, positive if it runs in the sense from x to y."""
    total = Fraction(0)
    for (x0, y0), (x1, y1) in pairwise([*outline, outline[0]]):
        total += x0 * y1 - x1 * y0
    return total


def is_simple(outline: Sequence[ExactPoint]) -> bool:
    """Return whether a closed outline neither crosses nor touches itself, nor folds back on itself."""
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
    """Return whether two closed segments have a point in common."""
    (a, b), (c, d) = first, second
    if not _boxes_meet(a, b, c, d):
        return False
    across_first = sign(cross(a, b, c)) * sign(cross(a, b, d))
    across_second = sign(cross(c, d, a)) * sign(cross(c, d, b))
    # Collinear segments give 0 twice. Their boxes meet, so they do too.
    return across_first <= 0 and across_second <= 0


def nearest_between(a: Sequence[ExactPoint], b: Sequence[ExactPoint]) -> tuple[ExactPoint, ExactPoint]:
    """Return the nearest points of two closed shapes, each a point or a filled outline, or a common point.

    Of several equally near pairs, the first in the order of the corners is returned.
    """
    sides_a, sides_b = _sides(a), _sides(b)
    for inner, around in ((a[0], sides_b), (b[0], sides_a)):
        if is_inside(inner, around):
            return inner, inner
    for side in sides_a:
        for other in sides_b:
            if segments_meet(side, other):
                place = _common_place(side, other)
                return place, place
    pairs = [(p, q) for p in a for q in b] if not sides_a and not sides_b else []
    pairs += [(p, nearest_on(p, side)) for p in a for side in sides_b]
    pairs += [(nearest_on(q, side), q) for q in b for side in sides_a]
    return min(pairs, key=lambda pair: square_mm2(*pair))


def square_between(a: Sequence[ExactPoint], b: Sequence[ExactPoint]) -> Fraction:
    """Return the squared distance between two closed shapes, each a point or a filled outline."""
    return square_mm2(a[0], b[0]) if len(a) == len(b) == 1 else square_mm2(*nearest_between(a, b))


def square_mm2(a: ExactPoint, b: ExactPoint) -> Fraction:
    """Return the squared distance between two points."""
    return Fraction((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2)


def nearest_on(place: ExactPoint, side: tuple[ExactPoint, ExactPoint]) -> ExactPoint:
    """Return the point of a closed segment that is nearest to a place. The segment may be a point."""
    a, b = side
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    along = Fraction((place[0] - a[0]) * dx + (place[1] - a[1]) * dy) / square if square else Fraction(0)
    share = min(max(along, Fraction(0)), Fraction(1))
    return a[0] + share * dx, a[1] + share * dy


def is_inside(point: ExactPoint, sides: Sequence[tuple[ExactPoint, ExactPoint]]) -> bool:
    """Return whether a place is inside a closed outline, given by its sides. A point has no inside."""
    crossings = (
        sign(cross(a, b, point)) == (1 if b[1] > a[1] else -1)
        for a, b in sides
        if (point[1] < a[1]) != (point[1] < b[1])
    )
    return sum(crossings) % 2 == 1


def _sides(shape: Sequence[ExactPoint]) -> list[tuple[ExactPoint, ExactPoint]]:
    return list(pairwise([*shape, shape[0]])) if len(shape) > 1 else []


def _common_place(first: tuple[ExactPoint, ExactPoint], second: tuple[ExactPoint, ExactPoint]) -> ExactPoint:
    """Return a common point of two segments that meet."""
    (a, b), (c, d) = first, second
    turn = (b[0] - a[0]) * (d[1] - c[1]) - (b[1] - a[1]) * (d[0] - c[0])
    if turn == 0:  # they are collinear, so an end of one is on the other
        return next(p for p, side in ((a, second), (b, second), (c, first), (d, first)) if nearest_on(p, side) == p)
    share = Fraction((c[0] - a[0]) * (d[1] - c[1]) - (c[1] - a[1]) * (d[0] - c[0])) / turn
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


def _boxes_meet(a: ExactPoint, b: ExactPoint, c: ExactPoint, d: ExactPoint) -> bool:
    return all(min(a[k], b[k]) <= max(c[k], d[k]) and min(c[k], d[k]) <= max(a[k], b[k]) for k in (0, 1))


def _folds(a: ExactPoint, b: ExactPoint, c: ExactPoint) -> bool:
    """Return whether the path from a via b to c turns straight back at b."""
    back = (a[0] - b[0]) * (c[0] - b[0]) + (a[1] - b[1]) * (c[1] - b[1])
    return cross(a, b, c) == 0 and back > 0
