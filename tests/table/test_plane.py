"""Outlines: exact area, meeting sides, self-intersections."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.table.plane import cross, doubled_area, is_simple, segments_meet, sign

COORDINATES = st.integers(-6, 6).map(Fraction)
POINTS = st.tuples(COORDINATES, COORDINATES)


def points(*pairs: tuple[int, int]) -> list[tuple[Fraction, Fraction]]:
    return [(Fraction(x), Fraction(y)) for x, y in pairs]


@pytest.mark.parametrize(
    ("outline", "simple"),
    [
        (points((0, 0), (4, 0), (4, 4), (0, 4)), True),
        (points((0, 0), (0, 4), (4, 4), (4, 0)), True),
        (points((0, 0), (4, 0), (4, 4), (2, 1), (0, 4)), True),
        (points((0, 0), (2, 0), (4, 0), (4, 4)), True),
        (points((0, 0), (4, 4), (4, 0), (0, 4)), False),
        (points((0, 0), (4, 0), (4, 4), (2, 0), (0, 4)), False),
        (points((0, 0), (4, 0), (2, 0), (0, 4)), False),
        (points((0, 0), (4, 0), (2, 0)), False),
        (points((0, 0), (0, 0), (4, 0), (4, 4)), False),
    ],
)
def test_outlines_that_cross_touch_or_fold_are_not_simple(
    outline: list[tuple[Fraction, Fraction]], simple: bool
) -> None:
    for turn in range(len(outline)):
        assert is_simple(outline[turn:] + outline[:turn]) is simple
    assert is_simple(outline[::-1]) is simple


def test_the_area_changes_its_sign_with_the_direction() -> None:
    square = points((0, 0), (4, 0), (4, 4), (0, 4))
    assert (doubled_area(square), doubled_area(square[::-1])) == (32, -32)


@given(st.tuples(POINTS, POINTS), st.tuples(POINTS, POINTS))
def test_segments_meet_exactly_where_their_equations_have_a_common_point(
    first: tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]],
    second: tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]],
) -> None:
    (a, b), (c, d) = first, second
    denominator = (b[0] - a[0]) * (d[1] - c[1]) - (b[1] - a[1]) * (d[0] - c[0])
    if denominator:
        s = ((c[0] - a[0]) * (d[1] - c[1]) - (c[1] - a[1]) * (d[0] - c[0])) / denominator
        t = ((c[0] - a[0]) * (b[1] - a[1]) - (c[1] - a[1]) * (b[0] - a[0])) / denominator
        expected = 0 <= s <= 1 and 0 <= t <= 1
    else:
        expected = any(_is_on(p, *second) for p in first) or any(_is_on(p, *first) for p in second)
    assert segments_meet(first, second) is expected
    assert segments_meet(second, first) is expected


def _is_on(p: tuple[Fraction, Fraction], a: tuple[Fraction, Fraction], b: tuple[Fraction, Fraction]) -> bool:
    inside = all(min(a[k], b[k]) <= p[k] <= max(a[k], b[k]) for k in (0, 1))
    return inside and sign(cross(a, b, p)) == 0
