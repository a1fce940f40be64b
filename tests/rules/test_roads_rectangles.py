"""Rectangular bases in the rules of ``roads``: contact, distances, the three lines, figures in the way."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.games.roads.rules.movement import find_contact_place, touches_at
from assistant.games.roads.rules.ruleset import Roads
from assistant.rules.free_distance import is_in_contact
from assistant.table.plane import square_between
from tests.rules.free_tables import box, figure, table

LONG = (50, 25)


def _touch(*, x=100, y=100, facing=0):
    return is_in_contact(figure("long", 100, 100, size=LONG, facing=facing), figure("b", x, y, "raiders"))


@pytest.mark.parametrize(
    ("place", "facing", "touches"),
    [
        ({"x": Fraction("137.5")}, 0, True),
        ({"x": Fraction("137.51")}, 0, False),
        ({"x": 125}, 90, True),
        ({"x": Fraction("125.01")}, 90, False),
        ({"y": Fraction("137.5")}, 90, True),
        ({"x": Fraction("132.5"), "y": Fraction("122.5")}, 0, True),  # 7.5 and 10 from the corner: 12.5
        ({"x": Fraction("132.51"), "y": Fraction("122.5")}, 0, False),
        ({"x": 101, "y": 101}, 30, True),
    ],
)
def test_a_rectangle_is_touched_where_its_sides_and_corners_are(place, facing, touches):
    assert _touch(**place, facing=facing) == touches


def test_two_rectangles_touch_along_a_side_and_by_a_corner():
    first = figure("a", 100, 100, size=LONG)
    assert is_in_contact(first, figure("b", 150, 100, size=LONG))
    assert not is_in_contact(first, figure("b", Fraction("150.01"), 100, size=LONG))
    assert is_in_contact(first, figure("b", 150, 125, size=LONG))
    assert is_in_contact(first, figure("b", 100, 100, size=LONG, facing=45))


def test_the_distance_is_that_of_the_nearest_places():
    a, b = figure("a", 100, 100, size=LONG), figure("b", 200, 100, "raiders", size=LONG, facing=90)
    ruling = Roads().rule(table(a, b), "a", "b")
    assert (ruling.distance_mm, ruling.range) == (62.5, 1.25)
    assert Roads().rule(table(a, figure("c", 155, 152, "raiders", base=20)), "a", "c").distance_mm == pytest.approx(
        math.hypot(30, 39.5) - 10
    )


def test_a_model_at_a_corner_fights_and_one_a_step_from_the_side_is_drawn_in():
    long = figure("long", 200, 200, size=LONG)
    enemy, near = figure("enemy", Fraction("237.5"), 200, "raiders"), figure("near", 200, 275, "raiders")
    distances = Roads().distances(table(long, enemy, near))
    assert distances.fighting() == {"long", "enemy"}
    assert distances.drawn_in() == ("near",)


def test_the_lines_run_to_the_middle_and_to_the_outermost_corners():
    shown = table(figure("a", 100, 300), figure("b", 300, 300, "raiders", size=LONG))
    ends = [line.end for line in Roads().rule(shown, "a", "b").lines if line.purpose == "sight"]
    assert ends == [(300, 300), (275, 287.5), (275, 312.5)]
    turned = table(figure("a", 100, 300), figure("b", 300, 300, "raiders", size=LONG, facing=90))
    ends = [line.end for line in Roads().rule(turned, "a", "b").lines if line.purpose == "sight"]
    assert ends == [(300, 300), (287.5, 275), (287.5, 325)]


def test_of_corners_that_lie_equally_far_to_a_side_the_nearer_one_is_seen_from_any_side_of_the_table():
    """Seen along a side of the base, both its ends lie equally far out: a wall behind the nearer one hides nothing."""
    shown = table(figure("a", 1000, 100), figure("b", 1000, 300, "raiders", size=LONG))
    ends = [line.end for line in Roads().rule(shown, "a", "b").lines if line.purpose == "sight"]
    assert ends == [(1000, 300), (1025, 287.5), (975, 287.5)]


def test_a_corner_that_looks_out_from_behind_a_wall_is_seen_and_has_cover():
    wall = box("wall", 200, 200, 210, 309)
    hidden = table(figure("a", 100, 300), figure("b", 300, 300, "raiders"), wall)
    assert Roads().rule(hidden, "a", "b").line_of_sight is False
    turned = table(figure("a", 100, 300), figure("b", 300, 300, "raiders", size=LONG, facing=90), wall)
    ruling = Roads().rule(turned, "a", "b")
    assert (ruling.line_of_sight, ruling.cover) == (True, True)


def test_a_long_base_stands_in_the_way_with_its_corners():
    rules = Roads({"sight_figures": "block", "sight_lines": "center"})
    a, b = figure("a", 100, 300), figure("b", 400, 300, "raiders")
    for facing, is_seen in ((0, True), (90, False)):
        between = figure("long", 250, 320, size=LONG, facing=facing, height=60)
        assert rules.rule(table(a, b, between), "a", "b").line_of_sight == is_seen
    touching = figure("long", 250, Fraction("312.5"), size=LONG, height=60)
    assert rules.rule(table(a, b, touching), "a", "b").line_of_sight


def test_a_charge_ends_in_contact_with_a_long_base():
    mover, long = figure("a", 100, 300), figure("b", 300, 330, "raiders", size=LONG, facing=20)
    place = find_contact_place(mover, mover.center_mm, long)
    assert touches_at(mover, place, long)
    short = (place[0] - 0.01, place[1] - 0.01 * 30 / 200)
    assert not touches_at(mover, short, long)


ANGLES = st.integers(0, 359)


@given(st.integers(0, 200), st.integers(0, 200), ANGLES, ANGLES)
def test_the_distance_of_rectangles_is_symmetric_and_that_of_their_outlines(x, y, one, other):
    a, b = figure("a", 100, 100, size=LONG, facing=one), figure("b", x, y, size=(60, 35), facing=other)
    square = square_between(a.core_mm, b.core_mm)
    assert square == square_between(b.core_mm, a.core_mm)
    places = [
        [
            (float(p[0]) + share * float(q[0] - p[0]), float(p[1]) + share * float(q[1] - p[1]))
            for p, q in zip(shape.core_mm, (*shape.core_mm[1:], shape.core_mm[0]), strict=True)
            for share in (0, 0.25, 0.5, 0.75)
        ]
        for shape in (a, b)
    ]
    least = min(math.dist(p, q) for p in places[0] for q in places[1])
    assert float(square) ** 0.5 <= least + 1e-9
    assert least <= float(square) ** 0.5 + 16 or square == 0
