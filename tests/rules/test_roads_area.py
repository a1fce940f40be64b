"""Sight by an area: any place between the outermost points of a base is enough, with its visible share."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.games.roads.rules import DEFAULTS
from assistant.games.roads.rules.ruleset import Roads
from assistant.games.roads.rules.sight import BaseLines, Sight
from assistant.rules.free_lines import LineGeometry
from assistant.translations.messages import translate

PLACES = 24
"""Number of places of a base that are tested one by one."""


def seen(table: Any, **options: str) -> Sight:
    """Return the sight from the first figure to the second."""
    return BaseLines(LineGeometry(table), *table.figures[:2]).sight({**DEFAULTS, **options})


def test_through_a_slit_between_the_three_lines_a_part_is_seen(free: Any) -> None:
    ends = (free.figure("a", 0, 0), free.figure("b", 200, 0))
    slit = (free.box("low", 100, -50, 102, 2), free.box("high", 100, 3, 102, 50))
    table = free.table(*ends, *slit)
    assert not seen(table).is_clear
    by_area = seen(table, sight_lines="area")
    assert by_area.is_clear
    assert by_area.gives_cover
    assert by_area.visible_share == pytest.approx((3 / 0.51 - 4) / 25, abs=1e-6), "2 at 100 to 3 at 102, of 25"
    shown = by_area.lines_to_draw[-1]
    assert shown.blocker is None, "the line that shows it comes on top of the three"
    assert 4 < float(shown.end_mm[1]) < 6


def test_a_post_between_the_three_lines_gives_cover_and_hides_what_it_hides(free: Any) -> None:
    table = free.table(free.figure("a", 0, 0), free.figure("b", 200, 0), free.box("post", 100, 2, 101, 3))
    assert not seen(table).gives_cover
    by_area = seen(table, sight_lines="area")
    assert (by_area.is_clear, by_area.gives_cover) == (True, True)
    assert by_area.visible_share == pytest.approx(23 / 25, abs=0.005)


def test_the_open_table_is_seen_whole_and_a_wall_hides_all(free: Any) -> None:
    ends = (free.figure("a", 0, 0), free.figure("b", 200, 0))
    whole = seen(free.table(*ends), sight_lines="area")
    assert (whole.visible_share, whole.gives_cover) == (1, False)
    nothing = seen(free.table(*ends, free.box("wall", 90, -50, 110, 50)), sight_lines="area")
    assert (nothing.visible_share, nothing.is_clear, len(nothing.lines_to_draw)) == (0, False, 3)


def test_the_house_may_look_at_the_area_and_the_ruling_says_so(free: Any) -> None:
    slit = (free.box("low", 100, -50, 102, 2), free.box("high", 100, 3, 102, 50))
    table = free.table(free.figure("a", 0, 0), free.figure("b", 200, 0, "diggers"), *slit)
    strict, wide = Roads().rule(table, "a", "b"), Roads({"sight_lines": "area"}).rule(table, "a", "b")
    assert (strict.line_of_sight, wide.line_of_sight) == (False, True)
    assert strict.options["sight_lines"] == "center_and_edges", "it rests on that option"
    (told,) = [reason for reason in wide.reasons if reason.rule == "roads/line-of-sight"]
    assert translate(told.text, "en") == "a sees b: 7 % of its width, from one outermost point to the other."
    bare = Roads({"sight_lines": "area"}).rule(free.table(*table.figures), "a", "b")
    assert [reason.arguments["percent"] for reason in bare.reasons if reason.rule == "roads/line-of-sight"] == [100]


def test_what_hides_a_part_between_the_three_lines_is_what_would_flip_the_cover(free: Any) -> None:
    post = free.box("post", 100, 2, 101, 3)
    table = free.table(free.figure("a", 0, 0), free.figure("b", 200, 0, "diggers"), post)
    rules = Roads({"sight_lines": "area"})
    (change,) = rules.explained(table, rules.rule(table, "a", "b")).changes
    assert (change.subject, change.flips) == ("post", "cover")


@settings(max_examples=50)
@given(data=st.data())
def test_it_says_what_every_place_of_the_base_says_one_by_one(free: Any, data: st.DataObject) -> None:
    table = data.draw(free.tables())
    options = {"sight_figures": data.draw(st.sampled_from(["pass", "block"]))}
    viewer, target = table.figures[:2]
    (ax, ay), (bx, by) = viewer.center_mm, target.center_mm
    if (ax, ay) == (bx, by):
        return
    by_area = seen(table, sight_lines="area", **options)
    reach = float(target.radius_mm) / float((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
    free_places = 0
    for n in range(PLACES):
        at = Fraction((2 * n + 1 - PLACES) / PLACES * reach).limit_denominator(10_000)
        place = (bx - at * (by - ay), by + at * (bx - ax))
        there = replace(table, figures=(viewer, replace(target, center_mm=place), *table.figures[2:]))
        is_free = seen(there, sight_lines="center", **options).is_clear
        free_places += is_free
        assert by_area.is_clear or not is_free
    assert by_area.visible_share is not None
    borders = len([traced for traced in by_area.area if not traced.share])
    assert abs(float(by_area.visible_share) - free_places / PLACES) <= (borders + 1) / PLACES
