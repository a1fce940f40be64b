"""Rulings on a camera's free table: asked again for places within their error."""

from dataclasses import replace

import pytest

from assistant.games.roads.rules.ruleset import Roads
from assistant.rules.free_distance import is_in_contact
from assistant.rules.free_flips import judge_free_stability
from assistant.table.free_sighting import FreeSighting, FreeSpot, settled_table
from tests.rules.free_tables import box, figure, table

WALL = box("wall", 200, 90, 210, 200)


def _judged(shown, **spots):
    rules, sighting = Roads(), FreeSighting(shown, spots)
    return judge_free_stability(rules, sighting, rules.rule(shown, "a", "b"))


def test_a_table_from_a_file_is_sure():
    shown = table(figure("a", 100, 100), figure("b", 300, 100, "raiders"), WALL)
    assert _judged(shown).stability == 1.0


def test_a_clear_answer_stays_sure_within_the_error():
    shown = table(figure("a", 100, 300), figure("b", 320, 300, "raiders"), WALL)
    assert _judged(shown, a=FreeSpot(0.3), b=FreeSpot(0.3)).stability == 1.0


def test_a_line_that_grazes_a_corner_is_not_sure():
    shown = table(figure("a", 100, 83.45), figure("b", 310, 83.45, "raiders"), WALL)
    ruling = _judged(shown, a=FreeSpot(0.3), b=FreeSpot(0.3))
    assert 0.2 < ruling.stability < 0.9


def test_a_distance_near_a_whole_step_is_not_sure():
    shown = table(figure("a", 100, 300), figure("b", 225, 300, "raiders"))
    assert Roads().rule(shown, "a", "b").range == 2.0
    assert _judged(shown, a=FreeSpot(0.2), b=FreeSpot(0.2)).stability < 0.9


def test_contact_that_was_seen_with_room_to_spare_is_sure_and_a_hair_is_not():
    shown = table(figure("a", 100, 300), figure("b", 125, 300, "raiders"))
    assert _judged(shown, a=FreeSpot(0.05), b=FreeSpot(0.05)).stability >= 0.95
    parted = replace(shown, figures=(shown.figures[0], figure("b", 126, 300, "raiders")))
    assert _judged(parted, a=FreeSpot(0.3), b=FreeSpot(0.3)).stability < 0.9


def test_who_is_perhaps_not_there_makes_it_less_sure():
    shown = table(figure("a", 100, 300), figure("b", 320, 300, "raiders"))
    assert _judged(shown, a=FreeSpot(0.1, 0.8), b=FreeSpot(0.1)).stability == pytest.approx(0.8)


def test_an_answer_that_hangs_on_the_turn_of_a_long_base_is_not_sure():
    long = figure("b", 275, 300, "raiders", size=(50, 25))
    shown = table(figure("a", 100, 300), long, box("wall", 180, 200, 190, 291))
    assert _judged(shown, a=FreeSpot(0.05), b=FreeSpot(0.05)).stability == 1.0
    turned = _judged(shown, a=FreeSpot(0.05), b=FreeSpot(0.05, turn_error_deg=20.0))
    assert 0.2 < turned.stability < 0.9


def test_a_long_base_alone_makes_nothing_less_sure():
    shown = table(figure("a", 100, 300), figure("b", 262, 300, "raiders", size=(50, 25)))
    assert _judged(shown, a=FreeSpot(0.1), b=FreeSpot(0.1, turn_error_deg=0.5)).stability == 1.0


def test_a_long_base_that_was_seen_a_hair_from_another_is_moved_into_contact():
    a, long = figure("a", 100, 300), figure("b", 150, 300, "raiders", size=(50, 25), facing=90)
    settled = settled_table(table(a, long), {"a": (100, 300), "b": (125.4, 310)})
    assert is_in_contact(*settled.figures)
    assert 0.15 < float(settled.figures[0].center_mm[0]) - 100 < 0.25
    apart = settled_table(table(a, long), {"a": (100, 300), "b": (126, 310)})
    assert not is_in_contact(*apart.figures)


def test_the_same_tables_are_drawn_every_time():
    first, again = (FreeSighting(table(figure("a", 100, 300)), {"a": FreeSpot(0.4)}) for _ in range(2))
    assert first.lookalikes_with() == again.lookalikes_with()
    assert len(set(figure.center_mm for drawn in first.lookalikes_with() for figure in drawn.figures)) > 10
