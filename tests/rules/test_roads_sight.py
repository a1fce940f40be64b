"""Sight and cover on the free table: touching, heights, pinches, and a second implementation for boxes."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction
from math import hypot, isqrt
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.games.roads.rules import DEFAULTS
from assistant.games.roads.rules.ruleset import Roads
from assistant.games.roads.rules.sight import BaseLines, Traced
from assistant.rules.free_lines import LineGeometry


def seen(free: Any, *parts: Any, **options: str) -> Any:
    """Return the sight from the first figure to the second."""
    table = free.table(*parts)
    return look(table).sight({**DEFAULTS, **options})


def look(table: Any) -> BaseLines:
    """Return the lines from the first figure to the second."""
    return BaseLines(LineGeometry(table), *table.figures[:2])


def blockers(result: Any) -> list[str | None]:
    return [traced.blocker.id if traced.blocker else None for traced in result.lines]


def test_nothing_between_is_seen_without_cover(free: Any) -> None:
    result = seen(free, free.figure("a", 0, 0), free.figure("b", 200, 0))
    assert (result.is_clear, result.gives_cover, len(result.lines)) == (True, False, 3)


def test_a_high_wall_across_hides_everything(free: Any) -> None:
    result = seen(free, free.figure("a", 0, 0), free.figure("b", 200, 0), free.box("wall", 90, -50, 110, 50))
    assert blockers(result) == ["wall"] * 3
    assert not result.is_clear


def test_a_wall_that_hides_a_part_gives_cover(free: Any) -> None:
    result = seen(free, free.figure("a", 0, 0), free.figure("b", 200, 0), free.box("wall", 90, 2, 110, 50))
    assert blockers(result) == [None, None, "wall"]
    assert (result.is_clear, result.gives_cover) == (True, True)
    only_middles = seen(
        free, free.figure("a", 0, 0), free.figure("b", 200, 0), free.box("w", 90, 2, 110, 50), sight_lines="center"
    )
    assert (len(only_middles.lines), only_middles.gives_cover) == (1, False)


def test_only_free_lines_name_low_cover(free: Any) -> None:
    """The wall then hides that part of the target, whatever else stands on the same line."""
    low = free.box("low", 40, 1, 60, 50, height=28, kind="cover")
    wall = free.box("wall", 90, 2, 110, 50)
    for cover_height in ("any_crossing", "hides_foot"):
        result = seen(free, free.figure("a", 0, 0), free.figure("b", 200, 0), low, wall, cover_height=cover_height)
        assert [traced.low_cover for traced in result.lines] == [None, None, None]
        assert blockers(result) == [None, None, "wall"]
        alone = seen(free, free.figure("a", 0, 0), free.figure("b", 200, 0), low, cover_height=cover_height)
        assert [bool(traced.low_cover) for traced in alone.lines] == [False, False, True]


@pytest.mark.parametrize(
    ("corners", "stopped"),
    [
        (((90, 0), (110, 0), (110, 50), (90, 50)), None),
        (((90, 0), (110, 0), (100, 50)), None),
        (((100, 0), (120, 50), (80, 50)), None),
        (((100, Fraction(-1, 10**9)), (120, 50), (80, 50)), "w"),
        (((90, 0), (100, 10), (110, 0), (100, 50)), None),
        (((90, -10), (110, 10), (110, 50), (90, 50)), "w"),
        (((0, -50), (200, -50), (200, -10), (100, 0), (0, -10)), None),
        (((90, -10), (110, -10), (110, 10), (100, -5), (90, 10)), "w"),
        (((90, 0), (110, 0), (110, 50), (300, 50), (300, -50), (310, -50), (310, 60), (90, 60)), None),
        (((90, 0), (110, 0), (110, 50), (180, 50), (180, -50), (190, -50), (190, 60), (90, 60)), "w"),
    ],
    ids=[
        "side",
        "side of a triangle",
        "corner",
        "corner a billionth too far",
        "two corners",
        "cut",
        "top",
        "notch",
        "side, and across behind the target",
        "side, and across before the target",
    ],
)
def test_touching_is_free_and_entering_is_not(free: Any, corners: Any, stopped: str | None) -> None:
    wall = free.outline("w", corners)
    result = seen(free, free.figure("a", 0, 0), free.figure("b", 200, 0), wall)
    assert blockers(result)[0] == stopped
    reversed_outline = replace(wall, outline_mm=wall.outline_mm[::-1])
    assert blockers(seen(free, free.figure("a", 0, 0), free.figure("b", 200, 0), reversed_outline))[0] == stopped


def test_two_walls_that_touch_along_the_line_leave_no_gap(free: Any) -> None:
    upper, lower = free.box("upper", 90, -50, 110, 0), free.box("lower", 100, 0, 120, 50)
    ends = free.figure("a", 0, 0), free.figure("b", 200, 0)
    assert blockers(seen(free, *ends, upper))[0] is None
    assert blockers(seen(free, *ends, lower))[0] is None
    assert blockers(seen(free, *ends, upper, lower))[0] == "upper"
    apart = free.box("lower", 130, 0, 150, 50)
    assert blockers(seen(free, *ends, upper, apart))[0] is None


def test_two_walls_that_meet_at_a_corner_on_the_line_leave_no_gap(free: Any) -> None:
    upper, lower = free.box("upper", 50, -50, 100, 0), free.box("lower", 100, 0, 150, 50)
    ends = free.figure("a", 50, 50, base=10), free.figure("b", 150, -50, base=10)
    assert blockers(seen(free, *ends, upper))[0] is None
    assert blockers(seen(free, *ends, upper, lower))[0] == "upper"


@pytest.mark.parametrize(
    ("height", "elevations", "at", "clear"),
    [
        (60, (0, 0), 100, False),
        (30, (0, 0), 100, True),
        (Fraction(300001, 10000), (0, 0), 100, False),
        (60, (30, 30), 100, True),
        (60, (60, 0), 100, True),
        (60, (60, 0), 101, False),
        (60, (0, 60), 99, False),
        (60, (0, 60), 100, True),
        (200, (60, 0), 100, False),
    ],
)
def test_a_wall_stops_what_is_lower_than_it_is_high(
    free: Any, height: Any, elevations: tuple[int, int], at: int, clear: bool
) -> None:
    """From 90 to 30 high over 200 mm a line is 60 high in the middle: a thin wall there is just passed."""
    wall = free.outline("w", ((at - 1, -90), (at, -90), (at, 90), (at - 1, 90)), height=height)
    if elevations[0] < elevations[1]:
        wall = free.outline("w", ((at, -90), (at + 1, -90), (at + 1, 90), (at, 90)), height=height)
    ends = [free.figure(n, x, 0, base=2, elevation=e) for n, x, e in zip("ab", (0, 200), elevations, strict=True)]
    assert (blockers(seen(free, *ends, wall, sight_lines="center"))[0] is None) is clear


def test_low_cover_never_stops_sight_and_gives_cover(free: Any) -> None:
    ends = free.figure("a", 0, 0), free.figure("b", 200, 0)
    hedge = free.box("hedge", 90, -50, 110, 50, height=15, kind="cover")
    result = seen(free, *ends, hedge)
    assert blockers(result) == [None] * 3
    assert (result.is_clear, result.gives_cover) == (True, True)
    near_the_viewer = free.box("hedge", 20, -50, 30, 50, height=15, kind="cover")
    assert seen(free, *ends, near_the_viewer).gives_cover
    assert not seen(free, *ends, near_the_viewer, cover_height="hides_foot").gives_cover
    near_the_target = free.box("hedge", 170, -50, 180, 50, height=15, kind="cover")
    assert seen(free, *ends, near_the_target, cover_height="hides_foot").gives_cover


@pytest.mark.parametrize("kind", ["difficult", "gap"])
def test_difficult_ground_and_gaps_matter_neither_to_sight_nor_to_cover(free: Any, kind: str) -> None:
    ground = free.box("ground", 50, -50, 150, 50, kind=kind)
    result = seen(free, free.figure("a", 0, 0), free.figure("b", 200, 0), ground)
    assert (result.is_clear, result.gives_cover) == (True, False)


def test_figures_stop_sight_only_if_the_house_says_so(free: Any) -> None:
    ends = free.figure("a", 0, 0), free.figure("b", 200, 0)
    between = free.figure("c", 100, 0)
    assert blockers(seen(free, *ends, between)) == [None] * 3
    assert blockers(seen(free, *ends, between, sight_figures="block")) == ["c"] * 3
    beside = free.figure("c", 100, Fraction(25, 2))
    assert blockers(seen(free, *ends, beside, sight_figures="block"))[:2] == [None, None]
    nearer = free.figure("c", 100, Fraction(25, 2) - Fraction(1, 10**9))
    assert blockers(seen(free, *ends, nearer, sight_figures="block"))[0] == "c"
    assert blockers(seen(free, *ends, free.figure("c", 100, 0, height=31), sight_figures="block")) == ["c"] * 3
    short = free.figure("c", 100, 0, height=20)
    assert blockers(seen(free, *ends, short, sight_figures="block")) == [None] * 3


@pytest.mark.parametrize(
    ("place", "stopped"), [((50, 10), None), ((50, Fraction(10) - Fraction(1, 10**30)), "c"), ((111, 0), None)]
)
def test_a_tangent_to_a_round_base_is_decided_by_sign(free: Any, place: Any, stopped: str | None) -> None:
    ends = free.figure("a", 0, 0), free.figure("b", 100, 0, base=2)
    result = seen(free, *ends, free.figure("c", *place, base=20), sight_figures="block", sight_lines="center")
    assert blockers(result) == [stopped]


@pytest.mark.parametrize(
    ("target", "between"),
    [
        ((180, 150), (95, 100)),
        ((150, 90), (90, 75)),
        ((140, 100), (95, 55)),
        ((170, 190), (50, 80)),
        ((160, 30), (75, 0)),
        ((-180, 150), (-95, 100)),
    ],
)
def test_a_round_base_beside_a_slanting_line_is_met_as_its_distance_says(free: Any, target: Any, between: Any) -> None:
    """The outer lines end at irrational points; a base nearer than its radius meets each of them."""
    ends = free.figure("a", 0, 0), free.figure("b", *target)
    result = seen(free, *ends, free.figure("c", *between), sight_figures="block")
    far, radius = hypot(*target), 12.5
    aside = -target[1] / far * radius, target[0] / far * radius
    met = []
    for side in (0, -1, 1):
        dx, dy = target[0] + side * aside[0], target[1] + side * aside[1]
        met.append("c" if abs(dx * between[1] - dy * between[0]) / hypot(dx, dy) < radius else None)
    assert blockers(result) == met
    assert set(met) == {"c", None}, "it stands in the way of some lines and beside others"


def test_a_line_straight_towards_the_near_edge_is_stopped_as_any_other(free: Any) -> None:
    ends = free.figure("a", 0, 0), free.figure("b", 0, 200)
    assert blockers(seen(free, *ends, free.box("w", -50, 90, 50, 110))) == ["w"] * 3
    assert blockers(seen(free, *ends, free.figure("c", 0, 100), sight_figures="block")) == ["c"] * 3


@pytest.mark.parametrize(("spare", "stopped"), [(1, None), (-1, "w")])
def test_a_corner_at_a_line_without_rational_places_is_distinct_at_thirty_digits(
    free: Any, spare: int, stopped: str | None
) -> None:
    """Towards (100, 100) the outermost points of a base of radius 10 are 10 / sqrt(2) off both ways."""
    root_of_half = Fraction(isqrt(10**60 // 2), 10**30)
    x, y = 100 + 10 * root_of_half, 100 - 10 * root_of_half
    corner = (x / 2 + Fraction(spare, 10**28), y / 2)
    wall = free.outline("w", (corner, (x + 50, 20), (x + 50, -50)))
    result = seen(free, free.figure("a", 0, 0), free.figure("b", 100, 100, base=20), wall)
    assert blockers(result) == [None, stopped, None]


def test_bases_on_the_same_spot_see_each_other(free: Any) -> None:
    result = seen(free, free.figure("a", 0, 0), free.figure("b", 0, 0, elevation=60))
    assert (result.is_clear, len(result.lines)) == (True, 1)


@pytest.mark.parametrize("turn", ["quarter turn", "mirrored", "turned by 3-4-5", "moved"])
@settings(max_examples=30)
@given(data=st.data())
def test_turning_mirroring_and_moving_the_table_change_no_answer(free: Any, turn: str, data: st.DataObject) -> None:
    table = data.draw(free.tables())
    other = free.moved(table, free.SYMMETRIES[turn])
    before = [(r.range, r.line_of_sight, r.cover, r.options) for r in Roads().pairs(table)]
    after = [(r.range, r.line_of_sight, r.cover, r.options) for r in Roads().pairs(other)]
    assert before
    assert after == before


@settings(max_examples=120)
@given(data=st.data())
def test_removing_terrain_never_removes_sight(free: Any, data: st.DataObject) -> None:
    table = data.draw(free.tables())
    if look(table).sight(DEFAULTS).is_clear:
        for piece in table.terrain:
            fewer = replace(table, terrain=tuple(t for t in table.terrain if t != piece))
            assert look(fewer).sight(DEFAULTS).is_clear
    lowered = replace(table, terrain=tuple(replace(t, height_mm=t.height_mm / 2) for t in table.terrain))
    assert look(lowered).sight(DEFAULTS).is_clear >= look(table).sight(DEFAULTS).is_clear


def _clipped(table: Any, traced: Traced, piece: Any) -> bool:
    """Return the plain way for a box: the open stretches in which the line is between its sides and below its top."""
    left, right = min(p[0] for p in piece.outline_mm), max(p[0] for p in piece.outline_mm)
    top, bottom = min(p[1] for p in piece.outline_mm), max(p[1] for p in piece.outline_mm)
    number = _decimal
    viewer, target = table.figures[:2]
    end = [number(v.whole) + number(v.part) * number(v.radicand).sqrt() for v in traced.end_mm]
    starts = [number(viewer.center_mm[0]), number(viewer.center_mm[1]), number(viewer.top_mm)]
    ends = [*end, number(target.top_mm)]
    limits = [(number(left), number(right)), (number(top), number(bottom)), (Decimal(-10), number(piece.height_mm))]
    low, high = Decimal(0), Decimal(1)
    for start, stop, (least, most) in zip(starts, ends, limits, strict=True):
        step = stop - start
        if abs(step) < Decimal("1e-45"):
            if not least + Decimal("1e-45") < start < most - Decimal("1e-45"):
                return False
            continue
        shares = sorted(((least - start) / step, (most - start) / step))
        low, high = max(low, shares[0]), min(high, shares[1])
    return low + Decimal("1e-40") < high


def _decimal(number: Fraction) -> Decimal:
    return Decimal(number.numerator) / number.denominator


@settings(max_examples=300)
@given(data=st.data())
def test_a_second_plain_implementation_agrees_about_boxes(free: Any, data: st.DataObject) -> None:
    table = data.draw(free.tables())
    walls = [piece for piece in table.terrain if piece.kind == "wall"]
    with localcontext() as context:
        context.prec = 60
        for wall in walls:
            alone = replace(table, terrain=(wall,))
            for traced in look(alone).sight(DEFAULTS).lines:
                assert (traced.blocker is not None) == _clipped(table, traced, wall)
        for traced in look(table).sight(DEFAULTS).lines:
            cut = any(_clipped(table, traced, wall) for wall in walls)
            assert traced.blocker is not None if cut else (traced.blocker is None or len(walls) > 1)
