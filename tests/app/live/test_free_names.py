"""Identities on a free table from reading to reading, and measured moves."""

import pytest

from assistant.app.live.free_names import measured_moves, renamed_after, seen_by_match
from assistant.table.free_sighting import FreeSighting, FreeSpot, settled_table
from tests.rules.free_tables import figure, table


def _seen(**places):
    """Return a sighting of diggers and ratniks at these places."""
    figures = [figure(name.replace("_", "~"), *place, "raiders" if name[0] == "r" else "knights")
               for name, place in places.items()]  # fmt: skip
    shown = table(*figures)
    where = {f.id: tuple(float(v) for v in f.center_mm) for f in figures}
    return FreeSighting(settled_table(shown, where), {f.id: FreeSpot(0.2) for f in figures}, where)


def test_names_follow_the_nearest_of_a_kind():
    before = _seen(digger_1=(100, 100), digger_2=(300, 100))
    now = renamed_after(before, _seen(digger_1=(301, 100), digger_2=(100, 180)))
    assert {f.id: float(f.center_mm[0]) for f in now.table.figures} == {"digger~2": 301.0, "digger~1": 100.0}


def test_who_is_new_gets_a_number_of_his_own():
    now = renamed_after(_seen(digger_1=(300, 100)), _seen(digger_1=(50, 50), digger_2=(300, 100)))
    assert {f.id: float(f.center_mm[0]) for f in now.table.figures} == {"digger~2": 50.0, "digger~1": 300.0}


def test_a_move_is_measured_in_steps_with_its_error():
    (move,) = measured_moves(_seen(digger_1=(100, 100)), _seen(digger_1=(250, 100)))
    assert (move.figure, move.steps, move.touches) == ("digger~1", pytest.approx(3.0), ())
    assert 0.2 < move.error_mm < 0.4


def test_a_charge_ends_in_contact():
    before = _seen(digger_1=(100, 100), ratnik_1=(300, 100))
    (move,) = measured_moves(before, _seen(digger_1=(274.6, 100), ratnik_1=(300, 100)))
    assert move.touches == ("ratnik~1",)


def test_trembling_is_no_move():
    assert measured_moves(_seen(digger_1=(100, 100)), _seen(digger_1=(100.6, 100.4))) == ()


def test_a_match_takes_the_places_of_its_own_figures_and_keeps_those_that_are_hidden():
    known = table(figure("digger-1", 100, 100, mobility=6), figure("digger-2", 300, 100),
                  figure("ratnik", 500, 500, "raiders"))  # fmt: skip
    seen = seen_by_match(known, _seen(digger_1=(302, 160), digger_2=(100, 100), stranger_1=(700, 700)))
    assert {f.id: tuple(map(float, f.center_mm)) for f in seen.table.figures} == {
        "digger-1": (100, 100),
        "digger-2": (302, 160),
        "ratnik": (500, 500),
    }
    assert seen.table.figure("digger-1").stats.mobility == 6
    (move,) = measured_moves(FreeSighting(known), seen)
    assert (move.figure, move.touches) == ("digger-2", ())
