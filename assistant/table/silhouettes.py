"""Computes which stretches of a line on the table are hidden in a picture, behind or under something higher.

For drawing only. The line lies on the table. So where its pixels fall on the faces of a body, that body stands above or
in front of the line.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

Point = tuple[float, float]
Face = Sequence[Point]
"""The corners of a flat side of a body, in the picture."""

BODY_SHARE, PILLAR_CORNERS = 0.6, 12
"""Width of a figure above its base, as a share of the base, and the number of corners of the pillar that
represents it."""

LEAST_SHARE = 0.01
"""Shortest stretch, as a share of the line, that is worth a dash."""


def list_faces(
    project: Callable[[list[Point], float], Sequence[Point]], outline_mm: Sequence[Point], low_mm: float, high_mm: float
) -> Iterator[Face]:
    """Yield the upright sides and the top of a body, in pixels.

    Args:
        project: maps table points at a height in millimetres to pixels.
        outline_mm: the outline of the body on the table.
        low_mm: height of its underside above the table.
        high_mm: height of its top.
    """
    low, high = project(list(outline_mm), low_mm), project(list(outline_mm), high_mm)
    corners = list(zip(low, high, strict=True))
    for (a, a_top), (b, b_top) in pairwise([*corners, corners[0]]):
        yield (a, b, b_top, a_top)
    yield tuple(high)


def list_pillar(
    project: Callable[[list[Point], float], Sequence[Point]],
    center_mm: Point,
    base_mm: float,
    low_mm: float,
    high_mm: float,
) -> Iterator[Face]:
    """Return the faces of the pillar that represents a figure on a base of that diameter, as `list_faces`."""
    radius_mm, (x, y) = BODY_SHARE * base_mm / 2, center_mm
    turns = [2 * math.pi * i / PILLAR_CORNERS for i in range(PILLAR_CORNERS)]
    outline = [(x + radius_mm * math.cos(turn), y + radius_mm * math.sin(turn)) for turn in turns]
    return list_faces(project, outline, low_mm, high_mm)


def find_hidden(start: Point, end: Point, faces: Iterable[Face]) -> list[tuple[float, float]]:
    """Return the stretches of a line hidden by faces, as disjoint ranges of its length from 0 to 1, in order."""
    found = sorted(stretch for face in faces for stretch in _within(start, end, face))
    joined: list[tuple[float, float]] = []
    for first, last in found:
        if joined and first <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return [(first, last) for first, last in joined if last - first >= LEAST_SHARE]


def point_at(start: Point, end: Point, share: float) -> Point:
    """Return the point on a line at a share of its length."""
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _within(start: Point, end: Point, face: Face) -> Iterator[tuple[float, float]]:
    """Yield the stretches inside one face, which may be concave."""
    sides = list(pairwise([*face, face[0]]))
    cuts = sorted({0.0, 1.0, *(share for side in sides if (share := _crossing(start, end, *side)) is not None)})
    for first, last in pairwise(cuts):
        if _is_inside(point_at(start, end, (first + last) / 2), sides):
            yield first, last


def _crossing(start: Point, end: Point, a: Point, b: Point) -> float | None:
    """Return where the line crosses the side from ``a`` to ``b``, as a share of its length, or None."""
    (dx, dy), (ex, ey) = (end[0] - start[0], end[1] - start[1]), (b[0] - a[0], b[1] - a[1])
    turn = dx * ey - dy * ex
    if turn == 0:
        return None
    along = ((a[0] - start[0]) * ey - (a[1] - start[1]) * ex) / turn
    aside = ((a[0] - start[0]) * dy - (a[1] - start[1]) * dx) / turn
    return along if 0 <= along <= 1 and 0 <= aside <= 1 else None


def _is_inside(point: Point, sides: Iterable[tuple[Point, Point]]) -> bool:
    x, y = point
    crossed = ((ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax for (ax, ay), (bx, by) in sides)
    return sum(crossed) % 2 == 1
