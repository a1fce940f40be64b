"""The believed table as an observation: statements against the camera appear as doubts."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from loading import beside

from assistant.app.live.estimate import estimate_table, reading_in_place
from assistant.table.board import Figure
from assistant.table.doubt import Doubt, Variant
from assistant.tracking.corrections import confirm, place, rename


@pytest.fixture
def misread():
    """A table whose reading permanently shows an untouched marine as an imp."""
    tracked = beside(str(Path(__file__).parents[2] / "tracking" / "conftest.py"), "tracked_table")
    mind = tracked.MindTable(random.Random(1), places={"imp-1": ((1, 1),), "alpha": ((5, 6),)})
    mind.begin()
    mind.kind = lambda name: "imp"
    mind.rest(40)
    return mind.followed


def test_who_is_called_otherwise_than_the_ring_says_is_in_doubt(misread):
    assert {figure.id for figure in misread.board().figures} == {"imp-1", "alpha"}
    (doubt,) = estimate_table(misread).doubts
    assert doubt.about == ("alpha",)
    assert doubt.variants[0].chance == 0.5
    assert [(figure.kind, figure.cells) for figure in doubt.variants[1].figures] == [("imp", ((5, 6),))]


def test_a_report_can_say_what_was_read_instead_of_what_was_believed(misread):
    assert {figure.kind for figure in estimate_table(misread).board.figures} == {"imp", "marine"}
    assert {figure.kind for figure in reading_in_place(misread).board.figures} == {"imp"}


def test_whether_somebody_stands_there_stays_open_though_his_kind_is_known_better(misread):
    reading, board = misread.last
    (alpha,) = (figure for figure in board.figures if figure.cells == ((5, 6),))
    other = replace(alpha, id=f"{alpha.id}?1", kind="trooper")
    unsure = Doubt((alpha.id,), (Variant(0.5, (alpha,)), Variant(0.3, (other,)), Variant(0.2)))
    (doubt,) = estimate_table(replace(misread, last=(replace(reading, doubts=(unsure,)), board))).doubts
    assert doubt.about == ("alpha",)
    told = [(round(v.chance, 6), [figure.kind for figure in v.figures]) for v in doubt.variants]
    assert told == [(0.4, ["marine"]), (0.4, ["imp"]), (0.2, [])]


@pytest.mark.parametrize("said", [lambda table: confirm(table, "alpha"), lambda table: rename(table, "alpha", "alpha")])
def test_nobody_doubts_who_was_named_by_a_person(misread, said):
    assert estimate_table(said(misread)).doubts == ()


def with_worlds(misread, variants):
    """Return the table whose reading weighs these ways of its two figures together, beside the doubts of each."""
    reading, board = misread.last
    worlds = Doubt(tuple(figure.id for figure in board.figures), variants)
    doubts = tuple(Doubt((f.id,), (Variant(0.6, (f,)), Variant(0.4))) for f in board.figures)
    return replace(misread, last=(replace(reading, doubts=doubts, worlds=(worlds,)), board))


@pytest.fixture
def watched():
    """A table whose reading is right."""
    tracked = beside(str(Path(__file__).parents[2] / "tracking" / "conftest.py"), "tracked_table")
    mind = tracked.MindTable(random.Random(1), places={"imp-1": ((1, 1),), "alpha": ((5, 6),)})
    mind.begin()
    mind.rest(40)
    return mind.followed


def test_a_watched_table_knows_which_places_depend_on_each_other(watched):
    both = watched.last[1].figures
    ways = (Variant(0.6, both), Variant(0.4))
    (world,) = estimate_table(with_worlds(watched, ways)).worlds
    assert sorted(world.about) == ["alpha", "imp-1"]
    assert [variant.chance for variant in world.variants] == [0.6, 0.4]


def test_what_a_person_says_of_one_place_tells_of_the_other(watched):
    both = watched.last[1].figures
    alpha = next(figure for figure in both if figure.kind == "marine")
    ways = (Variant(0.6, both), Variant(0.1, (alpha,)), Variant(0.3))
    (world,) = estimate_table(confirm(with_worlds(watched, ways), "alpha")).worlds
    assert [(round(v.chance, 3), len(v.figures)) for v in world.variants] == [(0.857, 2), (0.143, 1)]


def test_worlds_that_name_a_figure_which_is_shown_as_another_kind_leave_its_doubts(misread):
    both = misread.last[1].figures
    table = estimate_table(with_worlds(misread, (Variant(0.6, both), Variant(0.4))))
    assert table.worlds == ()
    assert {doubt.about for doubt in table.doubts} == {("alpha",), ("imp-1",)}


def test_a_place_that_a_statement_excludes_from_a_world_stays_excluded(watched):
    """It came back as a doubt of its own, as likely as before."""
    reading, board = watched.last
    alpha = next(figure for figure in board.figures if figure.kind == "marine")
    elsewhere = Figure("figure?1*", "marine", "marines", ((7, 2),))
    ways = (Variant(0.7, (alpha,)), Variant(0.3, (elsewhere,)))
    other = Doubt((), (Variant(0.7), Variant(0.3, (replace(elsewhere, id="figure?1"),))))
    doubts = (Doubt((alpha.id,), (Variant(0.7, (alpha,)), Variant(0.3))), other)
    unsure = replace(watched, last=(replace(reading, doubts=doubts, worlds=(Doubt((alpha.id,), ways),)), board))
    assert len(estimate_table(unsure).worlds) == 1
    settled = estimate_table(confirm(unsure, "alpha")).table
    assert (settled.doubts, settled.independent) == ((), ())


def test_a_figure_that_a_person_placed_leaves_a_world_that_does_not_name_it(watched):
    both = watched.last[1].figures
    unnamed = Figure("figure?1*", "imp", "demons", ((7, 4),))
    table = with_worlds(watched, (Variant(0.6, both), Variant(0.4, (*both, unnamed))))
    assert len(estimate_table(table).worlds) == 1
    assert estimate_table(place(table, "imp-2", ((7, 4),))).worlds == ()


def test_a_figure_that_moves_in_a_world_is_of_the_known_kind(misread):
    reading, _ = misread.last
    alpha = next(figure for figure in reading.board.figures if figure.cells == ((5, 6),))
    ways = (Variant(0.6, (alpha,)), Variant(0.4, (replace(alpha, cells=((5, 7),)),)))
    named = replace(misread, last=(replace(reading, worlds=(Doubt((alpha.id,), ways),)), misread.board()))
    kinds = {figure.kind for world in estimate_table(named).worlds for v in world.variants for figure in v.figures}
    assert kinds <= {"marine"}
