"""Climbs, jumps and cover in reach, on a given table."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.errors import BadValue
from assistant.games.roads.rules import DEFAULTS
from assistant.games.roads.rules.movement import climb_piece, find_cover_in_reach, is_within, jump_across, jump_from
from assistant.games.roads.rules.ruleset import Roads


def test_cover_within_a_step_of_the_base_can_be_taken(free: Any) -> None:
    figure = free.figure("a", 0, 0)
    near = free.box("hedge", Fraction(125, 2), -10, 80, 10, kind="cover")
    far = free.box("wall", Fraction(125, 2) + 1, 20, 80, 40)
    bog = free.box("bog", -10, -10, 10, 10, kind="difficult")
    assert find_cover_in_reach(Roads().distances(free.table(figure, near, far, bog)), figure) == ("hedge",)


@pytest.mark.parametrize(("left", "touches"), [(Fraction(25, 2), True), (Fraction(25, 2) + Fraction(1, 10**9), False)])
def test_a_base_touches_an_outline_exactly_or_not(free: Any, left: Fraction, touches: bool) -> None:
    assert is_within(free.figure("a", 0, 0), free.box("w", left, -10, 90, 10), 0) is touches


def test_inside_an_outline_is_no_distance(free: Any) -> None:
    assert is_within(free.figure("a", 50, 50), free.box("w", 0, 0, 100, 100), 0)
    notched = free.outline("w", ((0, 0), (100, 0), (100, 100), (50, 20), (0, 100)))
    assert not is_within(free.figure("a", 50, 90), notched, 0)


@given(st.integers(-60, 60), st.integers(-60, 60), st.integers(0, 40))
def test_distance_to_a_box_is_the_plain_one(free: Any, x: int, y: int, reach: int) -> None:
    apart = (max(-30 - x, x - 30, 0), max(-20 - y, y - 20, 0))
    expected = apart[0] ** 2 + apart[1] ** 2 <= (Fraction(25, 2) + reach) ** 2
    assert is_within(free.figure("a", x, y), free.box("w", -30, -20, 30, 20), reach) is expected


def test_a_climb_starts_in_contact_and_goes_up_or_down(free: Any) -> None:
    rock = free.box("rock", 10, -50, 90, 50, height=100)
    below, above = free.figure("a", 0, 0, mobility=4), free.figure("a", 50, 0, mobility=4, elevation=100)
    table = free.table(below, rock)
    up = climb_piece(Roads().distances(table), below, rock, DEFAULTS)
    assert (up.reasons[0].phrase, up.reasons[0].arguments["height"], up.damage.chances) == ("up", 2, {0: 1})
    down = climb_piece(Roads().distances(table), above, rock, DEFAULTS)
    assert down.reasons[0].phrase == "down"
    assert max(down.damage.chances) == 6
    with pytest.raises(BadValue, match="does not touch"):
        climb_piece(Roads().distances(table), free.figure("a", -50, 0), rock, DEFAULTS)
    with pytest.raises(BadValue, match="nothing to climb"):
        climb_piece(Roads().distances(table), free.figure("a", 0, 0, elevation=120), rock, DEFAULTS)


def test_a_jump_down_goes_by_the_elevation(free: Any) -> None:
    figure = free.figure("a", 0, 0, elevation=100, mobility=4)
    assert jump_from(Roads().distances(free.table(figure)), figure, DEFAULTS).chance == Fraction(4, 9)
    high = free.figure("a", 0, 0, elevation=101)
    with pytest.raises(BadValue, match="from 0 to 2"):
        jump_from(Roads().distances(free.table(high)), high, DEFAULTS)


def test_a_gap_is_as_wide_as_the_way_across_it(free: Any) -> None:
    figure = free.figure("a", 0, 0, mobility=4)
    ditch = free.box("ditch", 20, -50, 60, 50, height=60, kind="gap")
    distances = Roads().distances(free.table(figure, ditch))
    straight = jump_across(distances, figure, (Fraction(100), Fraction(0)), Fraction(4), DEFAULTS)
    assert straight.reasons[0].arguments["width"] == 0.8
    assert (straight.chance, max(straight.damage.chances)) == (Fraction(4, 6), 6)
    slanted = jump_across(distances, figure, (Fraction(80), Fraction(60)), Fraction(4), DEFAULTS)
    assert slanted.reasons[0].arguments["width"] == 1
    with pytest.raises(BadValue, match="the limit is 1"):
        jump_across(distances, figure, (Fraction(80), Fraction(61)), Fraction(4), DEFAULTS)
    with pytest.raises(BadValue, match="no gap between"):
        jump_across(distances, figure, (Fraction(20), Fraction(0)), Fraction(4), DEFAULTS)


def test_about_names_a_figures_climbs_and_jumps(free: Any) -> None:
    rock, gap = (
        free.box("rock", 10, -50, 90, 50, height=100),
        free.box("gap", -70, -50, -30, 50, kind="gap", height=100),
    )
    table = free.table(free.figure("a", 0, 0, mobility=4), free.figure("b", 50, 0, elevation=100), rock, gap)
    told = {name: [(r.rule, r.phrase) for r in Roads().about(table, name)] for name in ("a", "b")}
    assert ("roads/climb", "up") in told["a"]
    assert {("roads/climb", "down"), ("roads/jump-down", "told")} <= set(told["b"])
    across = Roads().about(table, "a", (Fraction(-100), Fraction(0)))[-1]
    assert (across.rule, across.phrase) == ("roads/jump-gap", "test")
    with pytest.raises(BadValue, match="no gap"):
        Roads().about(table, "a", (Fraction(0), Fraction(100)))
