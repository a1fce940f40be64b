"""Figures that may stand on a table unseen, and seen ones that may not: rulings are asked with both."""

import json

import pytest

from assistant.documents import free_sighting_document, free_sighting_from_json, to_json
from assistant.errors import BadValue
from assistant.games.roads.rules.ruleset import Roads
from assistant.rules.free_flips import find_free_flips, judge_free_stability
from assistant.table.free_sighting import LOOKALIKES, FreeMaybe, FreeSighting, FreeSpot
from tests.rules.free_tables import figure, table

SURE = {"a": FreeSpot(0.05), "b": FreeSpot(0.05)}
OPEN = table(figure("a", 100, 300), figure("b", 320, 300, "raiders"))


def _stability(shown, spots, *maybes):
    rules, sighting = Roads({"sight_figures": "block"}), FreeSighting(shown, spots, maybes=maybes)
    return judge_free_stability(rules, sighting, rules.rule(shown, "a", "b")).stability


def test_who_may_stand_in_the_way_makes_a_free_line_less_sure():
    assert _stability(OPEN, SURE) == 1.0
    between = _stability(OPEN, SURE, FreeMaybe(figure("c?", 210, 300), 0.4))
    assert 0.4 < between < 0.8
    assert _stability(OPEN, SURE, FreeMaybe(figure("c?", 210, 400), 0.4)) == 1.0


def test_who_stands_in_the_way_and_is_perhaps_nobody_makes_a_stopped_line_less_sure():
    shown = table(*OPEN.figures, figure("c", 210, 300))
    assert _stability(shown, {**SURE, "c": FreeSpot(0.05)}) == 1.0
    assert 0.4 < _stability(shown, {**SURE, "c": FreeSpot(0.05, 0.6)}) < 0.8


def test_somebody_of_two_kinds_stands_there_all_the_same():
    shown = table(*OPEN.figures, figure("c", 210, 300))
    assert _stability(shown, {**SURE, "c": FreeSpot(0.05, 0.49, kinds=("digger", "raider"))}) > 0.9


def test_who_may_be_anywhere_makes_far_answers_less_sure_than_near_ones():
    near = table(figure("a", 100, 300), figure("b", 140, 300, "raiders"))
    missing = [FreeMaybe(figure(f"m{n}?", -60, -60), 0.5, is_anywhere=True) for n in range(20)]
    assert _stability(near, SURE, *missing) > _stability(OPEN, SURE, *missing)
    assert _stability(OPEN, SURE, *missing) < 1


def test_those_who_are_asked_about_are_always_there():
    sighting = FreeSighting(OPEN, {"a": FreeSpot(0.05, 0.5), "b": FreeSpot(0.05, 0.5)})
    assert all({"a", "b"} <= set(shown.figure_by_id) for shown in sighting.lookalikes_with("a", "b"))
    there = [shown for shown in sighting.lookalikes_with("b") if "a" in shown.figure_by_id]
    assert 0.2 * LOOKALIKES < len(there) < 0.8 * LOOKALIKES


def test_the_document_holds_them():
    spot = FreeSpot(0.2, kinds=("digger", "raider"), turn_error_deg=1.5)
    maybes = (
        FreeMaybe(figure("c?", 210, 300), 0.25, spot=spot),
        FreeMaybe(figure("m?", -60, -60), 0.5, is_anywhere=True),
    )
    seen = FreeSighting(OPEN, SURE, maybes=maybes)
    back = free_sighting_from_json(to_json(free_sighting_document(seen)).encode())
    assert back.maybes == maybes
    assert "maybes" not in free_sighting_document(FreeSighting(OPEN, SURE))


def test_a_maybe_under_a_name_of_the_table_is_refused():
    document = free_sighting_document(FreeSighting(OPEN, SURE, maybes=(FreeMaybe(figure("a", 210, 300), 0.25),)))
    with pytest.raises(BadValue, match="a"):
        free_sighting_from_json(json.dumps(document).encode())


def test_a_ruling_names_those_on_whom_it_hangs_with_the_other_answer():
    rules, between = Roads({"sight_figures": "block"}), FreeMaybe(figure("c?1", 210, 300), 0.4)
    aside = FreeMaybe(figure("d?1", 210, 420), 0.5)
    missing = FreeMaybe(figure("m?", -60, -60), 0.5, is_anywhere=True)
    sighting = FreeSighting(OPEN, SURE, maybes=(aside, missing, between))
    (flip,) = find_free_flips(rules, sighting, rules.rule(OPEN, "a", "b"))
    assert (flip.figure, flip.is_counted, flip.chance) == (between.figure, False, 0.4)
    assert not flip.otherwise.line_of_sight


def test_who_was_not_seen_clearly_is_named_if_the_line_would_be_free_without_him():
    rules, shown = Roads({"sight_figures": "block"}), table(*OPEN.figures, figure("c", 210, 300))
    ruling = rules.rule(shown, "a", "b")
    (flip,) = find_free_flips(rules, FreeSighting(shown, {**SURE, "c": FreeSpot(0.05, 0.87)}), ruling)
    assert (flip.figure.id, flip.is_counted, flip.otherwise.line_of_sight) == ("c", True, True)
    assert find_free_flips(rules, FreeSighting(shown, {**SURE, "c": FreeSpot(0.05)}), ruling) == ()


def test_nobody_is_asked_about_one_by_one_where_the_answer_hangs_on_none_of_them():
    rules, asked = Roads({"sight_figures": "block"}), []
    aside = tuple(FreeMaybe(figure(f"c?{n}", 100 + 30 * n, 500), 0.4) for n in range(20))
    sighting, ruling = FreeSighting(OPEN, SURE, maybes=aside), rules.rule(OPEN, "a", "b")
    rules.verdict = lambda *args: asked.append(args) or Roads.verdict(rules, *args)
    assert find_free_flips(rules, sighting, ruling) == ()
    assert len(asked) == 2, "with the two alone, and with everybody"


def test_the_most_doubtful_is_named_first():
    rules = Roads({"sight_figures": "block"})
    maybes = tuple(FreeMaybe(figure(f"c?{n}", 180 + 30 * n, 300), chance) for n, chance in enumerate((0.05, 0.45, 0.8)))
    found = find_free_flips(rules, FreeSighting(OPEN, SURE, maybes=maybes), rules.rule(OPEN, "a", "b"))
    assert [flip.chance for flip in found] == [0.45, 0.8, 0.05]
