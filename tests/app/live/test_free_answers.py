"""Answers about places where a figure may stand, and how long they stay valid."""

from dataclasses import replace

import numpy as np
import pytest

from assistant.app.live.free_answers import answer_of, answered_again, figure_named
from assistant.errors import UnknownName
from assistant.table.free_sighting import FreeMaybe, FreeSighting, FreeSpot
from tests.rules.free_tables import figure, table

CORNERS = [(195.0, 295.0), (225.0, 295.0), (225.0, 325.0), (195.0, 325.0)]
PICTURE = np.random.default_rng(3).integers(90, 110, (600, 800, 3), dtype=np.uint8)
SEEN = FreeSighting(
    table(figure("digger~1", 100, 300), figure("raider~1", 320, 300, "raiders")),
    {"digger~1": FreeSpot(0.1, 0.985), "raider~1": FreeSpot(0.1, 0.87)},
    {"digger~1": (100.0, 300.0), "raider~1": (320.0, 300.0)},
    maybes=(
        FreeMaybe(figure("digger?1", 210, 310), 0.3, spot=FreeSpot(0.2)),
        FreeMaybe(figure("digger-3?", -60, -60), 0.5, is_anywhere=True),
        FreeMaybe(figure("raider-2?", -60, -60, "raiders"), 0.35, is_anywhere=True),
    ),
)


def _told(name, is_there, picture=PICTURE):
    """Return the sighting after an answer that was given on ``PICTURE``, and whether it holds on another one."""
    answer = answer_of(figure_named(SEEN, name), CORNERS, PICTURE, is_there=is_there)
    seen, kept = answered_again(SEEN, (answer,), picture)
    return seen, bool(kept)


def test_who_is_said_to_be_there_stands_on_the_table_and_no_more_may_be_elsewhere():
    seen, _ = _told("digger?1", True)
    assert seen.table.figure("digger~2").center_mm == (210, 310)
    assert seen.spots["digger~2"].confidence == 1
    assert seen.seen_mm["digger~2"] == (210.0, 310.0)
    assert [maybe.figure.id for maybe in seen.maybes] == ["raider-2?"]


def test_the_only_one_of_a_kind_has_its_own_name():
    boss = FreeMaybe(figure("boss?1", 210, 310), 0.3, spot=FreeSpot(0.2))
    missing = FreeMaybe(figure("boss?", -60, -60), 0.5, is_anywhere=True)
    seen = replace(SEEN, maybes=(boss, missing))
    told, _ = answered_again(seen, (answer_of(boss.figure, CORNERS, PICTURE, is_there=True),), PICTURE)
    assert "boss" in told.table.figure_by_id
    assert told.maybes == ()


def test_a_place_of_which_people_say_that_nobody_is_there_is_no_longer_asked_about():
    seen, _ = _told("digger?1", False)
    assert seen.table == SEEN.table
    assert [maybe.figure.id for maybe in seen.maybes] == ["digger-3?", "raider-2?"]


def test_a_figure_in_doubt_is_sure_or_gone_as_people_say():
    assert _told("raider~1", True)[0].spots["raider~1"].confidence == 1
    seen, _ = _told("raider~1", False)
    assert set(seen.table.figure_by_id) == set(seen.spots) == set(seen.seen_mm) == {"digger~1"}
    assert [maybe.figure.id for maybe in seen.maybes if maybe.is_anywhere] == ["digger-3?", "raider-2?", "raider~1?"]


def test_who_of_two_kinds_stands_there_is_not_said_by_it():
    spots = {**SEEN.spots, "raider~1": FreeSpot(0.1, 0.4, kinds=("raider", "brute"))}
    seen = FreeSighting(SEEN.table, spots, SEEN.seen_mm)
    answer = answer_of(figure_named(seen, "raider~1"), CORNERS, PICTURE, is_there=True)
    (told, _) = answered_again(seen, (answer,), PICTURE)
    assert told.spots["raider~1"].confidence == 0.5
    assert told.spots["raider~1"].chance_of_somebody == 1


def test_an_answer_holds_while_the_place_looks_as_it_did():
    darker = (PICTURE * 0.8).astype(np.uint8)
    assert _told("digger?1", False, darker)[1]
    moved = PICTURE.copy()
    moved[300:320, 200:220] = 20
    seen, holds = _told("digger?1", False, moved)
    assert not holds
    assert seen == SEEN
    assert not _told("digger?1", False, PICTURE[:310])[1]


def test_an_answer_is_forgotten_where_nobody_of_that_kind_is_seen_any_more():
    answer = answer_of(figure_named(SEEN, "digger?1"), CORNERS, PICTURE, is_there=True)
    without = FreeSighting(SEEN.table, SEEN.spots, SEEN.seen_mm)
    assert answered_again(without, (answer,), PICTURE) == (without, ())


def test_nobody_is_asked_about_who_may_be_anywhere():
    with pytest.raises(UnknownName, match="look again"):
        figure_named(SEEN, "digger-3?")
