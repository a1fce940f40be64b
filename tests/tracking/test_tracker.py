"""Identities on the live table: single cases by name, then many random moves on an imaginary table."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.errors import BoardError, UnknownName
from assistant.table.board import Board
from assistant.table.lattice import edge_between
from assistant.table.observation import FrameObservation, LatticePose
from assistant.tracking.alignment import Renaming, find_renaming
from assistant.tracking.association import (
    NOBODYS_TURN,
    ActiveFigure,
    AssociationCandidate,
    Newcomer,
    StepDistances,
    associate,
)
from assistant.tracking.changes import find_moved_bases
from assistant.tracking.corrections import (
    QuestionGone,
    answer_question,
    confirm,
    deny_figure,
    place,
    put_door,
    rename,
    set_door,
    take_door,
)
from assistant.tracking.tracker import begin_tracking, update_tracking
from assistant.tracking.values import Sighting, Span, rank_spans

NAMES = ["imp-1", "imp-2"]


@pytest.fixture
def mind(minds):
    """A quiet table with two imps and a marine, begun."""
    table = minds.MindTable(random.Random(1), places={"imp-1": ((1, 1),), "imp-2": ((7, 2),), "alpha": ((5, 6),)})
    table.begin()
    return table


def where(table):
    return {figure.id: figure.cells[0] for figure in table.followed.board().figures}


def test_look_alikes_get_names_of_the_roster_at_the_first_look(mind):
    assert where(mind) == {"imp-1": (1, 1), "imp-2": (7, 2), "alpha": (5, 6)}


def test_the_match_names_figures_where_it_knows_them_to_stand(minds):
    look = FrameObservation(minds.observed([("imp", ((1, 1),)), ("imp", ((7, 2),))]), frozenset(), 1, 0.0)
    known = {"imp-5": ((7, 2),), "imp-4": ((1, 1),)}

    table = begin_tracking(look, minds.ROSTER, known)
    assert {f.id: f.cells[0] for f in table.board().figures} == {"imp-4": (1, 1), "imp-5": (7, 2)}


def test_a_figure_keeps_its_name_through_a_move(mind):
    mind.reach(("imp-2", ((8, 5),)))
    assert where(mind) == {"imp-1": (1, 1), "imp-2": (8, 5), "alpha": (5, 6)}


def test_nothing_changes_while_a_hand_is_over_it(mind, minds):
    before = where(mind)
    mind.places.pop("imp-2")
    for _ in range(30):
        mind.frame(minds.under_hand((7, 2)))
        assert where(mind) == before


def test_a_change_needs_two_readings(mind):
    mind.frame(mind_hand := frozenset({(7, 2)}))
    mind.places["imp-2"] = ((8, 3),)
    mind.frame(mind_hand)
    mind.frame()
    assert where(mind)["imp-2"] == (7, 2)
    mind.frame()
    assert where(mind)["imp-2"] == (8, 3)


def test_one_reading_shown_in_many_frames_is_one_witness(mind, minds):
    mind.frame(frozenset({(7, 2)}))
    table, gone = mind.followed, minds.observed([("imp", ((1, 1),)), ("marine", ((5, 6),))], minds.DOORS)
    for n in range(10):
        table = update_tracking(table, FrameObservation(gone, frozenset(), 500, mind.time_s + 0.01 * n))
    assert "imp-2" in {figure.id for figure in table.board().figures}


def test_two_look_alikes_moved_in_one_reach_keep_their_names(mind):
    mind.reach(("imp-1", ((2, 3),)), ("imp-2", ((6, 3),)))
    assert where(mind) == {"imp-1": (2, 3), "imp-2": (6, 3), "alpha": (5, 6)}


def test_two_look_alikes_that_swap_have_swapped(mind):
    mind.reach(("imp-1", ((2, 2),)), ("imp-2", ((1, 1),)), ("imp-1", ((7, 2),)))
    assert where(mind) == {"imp-1": (7, 2), "imp-2": (1, 1), "alpha": (5, 6)}


@pytest.fixture
def near(minds):
    """Two imps in one room, begun."""
    table = minds.MindTable(random.Random(1), places={"imp-1": ((1, 1),), "imp-2": ((2, 3),)})
    table.begin()
    return table


def test_pictures_show_look_alikes_that_changed_places_unseen_and_people_are_asked(near):
    near.put_back({((1, 1),): 0.4, ((2, 3),): 0.96})
    assert where(near) == {"imp-1": (2, 3), "imp-2": (1, 1)}
    (question,) = near.followed.questions
    assert sorted(question.candidates) == NAMES


def test_one_answer_settles_an_exchange(near):
    near.put_back({((1, 1),): 0.4, ((2, 3),): 0.4})
    (question,) = near.followed.questions
    really = {(1, 1): "imp-1", (2, 3): "imp-2"}[where(near)[question.figure]]
    near.followed = answer_question(near.followed, question.id, really)
    near.rest(40)
    assert where(near) == {"imp-1": (1, 1), "imp-2": (2, 3)}
    assert near.followed.questions == ()


def test_an_exchange_through_a_wall_is_not_believed_but_asked_about(mind):
    mind.put_back({((1, 1),): 0.4, ((7, 2),): 0.4})
    assert where(mind) == {"imp-1": (1, 1), "imp-2": (7, 2), "alpha": (5, 6)}
    (question,) = mind.followed.questions
    assert sorted(question.candidates) == NAMES


def test_two_kinds_that_change_places_are_believed_out_of_turn_and_through_walls(mind):
    mind.turn = ActiveFigure("imp-2", "demons", 4)
    mind.frame(hidden := frozenset({(1, 1), (5, 6)}))
    mind.places.update({"imp-1": ((5, 6),), "alpha": ((1, 1),)})
    mind.frame(hidden)
    mind.rest(10)
    assert where(mind) == {"imp-1": (5, 6), "imp-2": (7, 2), "alpha": (1, 1)}
    assert mind.followed.questions == ()


@pytest.mark.parametrize(("likeness", "asked"), [(0.89, 1), (0.98, 0)])
def test_a_figure_that_came_back_may_be_a_look_alike_touched_meanwhile(near, likeness, asked):
    arm = frozenset({(2, 3), (2, 4)})
    near.frame(arm | {(1, 1)})
    for _ in range(3):
        near.frame(arm, lifted=frozenset({"imp-1"}))
    near.frame(arm | {(1, 1)})
    for _ in range(2):
        near.frame(likeness={((2, 3),): likeness})
    near.rest()
    assert where(near) == {"imp-1": (1, 1), "imp-2": (2, 3)}
    assert [sorted(question.candidates) for question in near.followed.questions] == [NAMES] * asked


@pytest.mark.parametrize(("goals", "likeness", "asked"), [(2, 0.96, 1), (1, 0.96, 0), (2, 0.99, 0)])
def test_a_figure_that_makes_room_and_comes_back_may_have_changed_places_with_a_look_alike(
    near, goals, likeness, asked
):
    arm = frozenset({(2, 3), (2, 4)})
    for goal in (((1, 2),), ((1, 1),))[:goals]:
        near.frame(arm | {(1, 1), (1, 2)})
        near.places["imp-1"] = goal
        for _ in range(3):
            near.frame(arm)
    for _ in range(3):
        near.frame(likeness={((2, 3),): likeness})
    near.rest(40)
    assert where(near)["imp-2"] == (2, 3)
    assert [sorted(question.candidates) for question in near.followed.questions] == [NAMES] * asked


def test_one_move_after_one_that_nobody_saw_is_not_the_second_of_a_reach(near):
    near.places["imp-1"] = ((1, 2),)
    near.rest(60)
    arm = frozenset({(2, 3), (2, 4)})
    near.frame(arm | {(1, 1), (1, 2)})
    near.places["imp-1"] = ((1, 1),)
    for _ in range(3):
        near.frame(arm)
    for _ in range(3):
        near.frame(likeness={((2, 3),): 0.96})
    near.rest(40)
    assert where(near) == {"imp-1": (1, 1), "imp-2": (2, 3)}
    assert near.followed.questions == ()


def test_a_figure_exchanged_under_a_hand_that_came_back_is_the_one_that_left_meanwhile(minds):
    table = minds.MindTable(random.Random(1), places={"imp-1": ((2, 3),), "trooper-1": ((1, 1),)})
    table.begin()
    table.frame(frozenset({(2, 3), (2, 4)}))
    for _ in range(3):
        table.frame(frozenset({(2, 4)}), likeness={((2, 3),): 0.96})
    for _ in range(3):
        table.frame(frozenset({(2, 4)}), lifted=frozenset({"trooper-1"}))
    for _ in range(3):
        table.frame(frozenset({(2, 3), (2, 4)}), lifted=frozenset({"trooper-1"}))
    table.places = {"trooper-1": ((2, 3),)}
    table.rest(40)
    assert where(table) == {"trooper-1": (2, 3)}


@pytest.mark.parametrize(("touched", "asked"), [(True, 1), (False, 0)])
def test_who_is_read_as_another_kind_after_a_hand_was_there_may_be_a_look_alike(near, touched, asked):
    arm = frozenset({(2, 3), (2, 4)})
    near.frame(arm | {(1, 1)})
    near.places["imp-1"] = ((1, 2),)
    for _ in range(3):
        near.frame(arm | {(1, 1)})
    for _ in range(3):
        near.frame(likeness={((2, 3),): 0.9 if touched else 0.99})
    near.places["trooper-1"] = near.places.pop("imp-2")  # the camera reads it so
    near.rest(40)
    assert where(near) == {"imp-1": (1, 2), "imp-2": (2, 3)}
    assert [sorted(question.candidates) for question in near.followed.questions] == [NAMES] * asked


def test_a_look_alike_under_the_arm_may_be_the_one_that_came(minds):
    table = minds.MindTable(random.Random(1), places={"imp-1": ((1, 1),), "imp-2": ((2, 3),)})
    table.begin()
    arm = frozenset({(1, 1), (2, 3), (2, 4)})
    for _ in range(5):
        table.frame(arm)
    table.places = {"imp-2": ((1, 2),), "imp-1": ((2, 3),)}
    for _ in range(4):
        table.frame(arm - {(1, 1)})
    table.put_back({((2, 3),): 0.4}, frames=1)
    (question,) = table.followed.questions
    assert sorted(question.candidates) == NAMES


@pytest.mark.parametrize(
    "likeness",
    [
        pytest.param({((1, 1),): 0.4}, id="one alone was put back"),
        pytest.param({((1, 1),): 0.4, ((5, 6),): 0.4}, id="they do not look alike"),
        pytest.param({((1, 1),): 0.95, ((7, 2),): 0.95}, id="a shadow lay on both"),
        pytest.param({((1, 1),): 0.4, ((7, 2),): 0.99}, id="the other one was not touched"),
    ],
)
def test_nobody_is_asked_about_figures_that_cannot_have_changed_places(mind, likeness):
    mind.put_back(likeness)
    assert where(mind) == {"imp-1": (1, 1), "imp-2": (7, 2), "alpha": (5, 6)}
    assert mind.followed.questions == ()


def test_bases_that_are_measured_otherwise_at_the_beginning_are_no_exchange(minds):
    figures = [("imp", ((n, n),)) for n in range(1, 6)]
    table = begin_tracking(FrameObservation(minds.observed(figures), frozenset(), 1, 0.0), minds.ROSTER)
    for n in range(2, 8):
        offsets = {((1, 1),): (3.0, 0.0)}
        table = update_tracking(
            table, FrameObservation(minds.observed(figures, offsets=offsets), frozenset(), n, n / 4)
        )
    assert table.questions == ()


def test_a_board_that_is_measured_anew_moves_no_base_on_it():
    places = [Sighting(((n, n),), "imp") for n in range(5)]
    known = dict.fromkeys(places, (0.0, 0.0))
    assert find_moved_bases(known, dict.fromkeys(places, (2.5, 1.0))) == set()
    assert find_moved_bases(known, {**dict.fromkeys(places, (2.5, 1.0)), places[0]: (0.0, 0.0)}) == {places[0]}
    assert find_moved_bases(known, {places[0]: (2.5, 1.0)}) == {places[0]}


def test_a_passing_shadow_is_no_exchange(mind):
    both = {((1, 1),): 0.4, ((7, 2),): 0.4}
    mind.frame(frozenset(cell for cells in both for cell in cells))
    mind.frame(likeness=both)
    mind.frame(likeness=dict.fromkeys(both, 1.0))
    mind.rest(40)
    assert where(mind) == {"imp-1": (1, 1), "imp-2": (7, 2), "alpha": (5, 6)}
    assert not mind.followed.altered


def test_a_move_explains_why_a_look_alike_beside_it_looks_otherwise(minds):
    places = {"imp-1": ((1, 1),), "imp-2": ((3, 2),)}
    table = minds.MindTable(random.Random(1), places=places)
    table.begin()
    for _ in range(5):
        table.frame(frozenset({(1, 1), (2, 1), (3, 2)}))
    table.places["imp-1"] = ((2, 1),)
    for _ in range(3):
        table.frame(likeness={((3, 2),): 0.88})
    table.rest(40)
    assert where(table) == {"imp-1": (2, 1), "imp-2": (3, 2)}
    assert table.followed.questions == ()


def test_a_figure_that_is_lifted_and_put_back_stays_itself(mind):
    for _ in range(3):
        mind.reach(("imp-1", ((1, 1),)))
    assert where(mind) == {"imp-1": (1, 1), "imp-2": (7, 2), "alpha": (5, 6)}


def test_a_figure_that_is_knocked_over_and_set_up_again_stays_itself(mind, minds):
    mind.frame(minds.under_hand((7, 2)))
    fallen = [("imp", ((1, 1),)), ("", ((7, 3),)), ("marine", ((5, 6),))]
    table = mind.followed
    for n, figures in enumerate([fallen] * 3 + [[("imp", ((1, 1),)), ("imp", ((7, 2),)), ("marine", ((5, 6),))]] * 3):
        look = FrameObservation(minds.observed(figures, minds.DOORS), frozenset(), 900 + n, mind.time_s + 0.1 + n / 10)
        table = update_tracking(table, look)
        if n == 2:
            assert {f.id: f.cells[0] for f in table.board().figures}["imp-2"] == (7, 3)
    assert {f.id: f.cells[0] for f in table.board().figures} == {"imp-1": (1, 1), "imp-2": (7, 2), "alpha": (5, 6)}


def test_a_figure_that_is_taken_away_leaves_the_board_when_the_hand_is_gone(mind, minds):
    mind.places.pop("imp-2")
    for cells in (minds.under_hand((7, 2)), minds.under_hand((7, 8))):
        for _ in range(3):
            mind.frame(cells)
            assert "imp-2" in where(mind)  # in the hand it counts where it stood
    mind.rest()
    assert set(where(mind)) == {"imp-1", "alpha"}


def test_the_active_figure_is_the_likelier_mover(minds):
    board = Board(minds.CELLS, minds.WALLS)
    came = Newcomer(Sighting(((1, 3),), "imp"), Span(1.0, 2.0))
    both = [
        AssociationCandidate(name, "imp", "demons", ((x, 1),), left=Span(0.0, 1.0))
        for name, x in zip(NAMES, (0, 2), strict=True)
    ]
    for name in NAMES:
        (match,) = associate([came], both, StepDistances(board), ActiveFigure(name, "demons", 4))
        assert match.candidate.id == name
        assert match.rivals == ()


def test_a_choice_that_cannot_be_made_is_asked_about_and_the_game_goes_on(minds):
    places = {"imp-1": ((0, 1),), "imp-2": ((2, 1),)}
    table = minds.MindTable(random.Random(1), places=places)
    table.begin()
    hand = frozenset({(0, 1), (1, 1), (2, 1), (0, 3), (2, 3), (1, 3)})
    table.frame(hand)
    table.places = {"imp-1": ((1, 3),)}
    table.frame(hand)
    table.rest(3)
    (question,) = table.followed.questions
    assert sorted(question.candidates) == NAMES
    assert where(table) == {question.figure: (1, 3)}

    other = next(name for name in NAMES if name != question.figure)
    told = answer_question(table.followed, question.id, other)
    assert {f.id: f.cells[0] for f in told.board().figures} == {other: (1, 3)}
    assert told.questions == ()
    with pytest.raises(QuestionGone):
        answer_question(told, question.id, other)
    with pytest.raises(UnknownName):
        answer_question(table.followed, question.id, "alpha")
    for name in NAMES:  # naming the figure by hand settles the question
        assert rename(table.followed, question.figure, name).questions == ()


def test_a_missing_figure_with_something_new_across_its_cells_has_fallen_over(mind):
    mind.covered = ((7, 6),)  # a shadow
    mind.rest(4)
    there = mind.places.pop("imp-1")
    mind.covered = ((2, 1), (2, 2), (7, 6))
    mind.rest(40)
    assert dict(mind.followed.fallen) == {"imp-1": ((2, 1), (2, 2))}
    assert "imp-1" not in where(mind)
    mind.rest(700)  # longer than any figure in a hand keeps its name
    assert mind.followed.fallen
    mind.places["imp-1"], mind.covered = there, ((7, 6),)
    mind.rest(40)
    assert not mind.followed.fallen
    assert where(mind)["imp-1"] == (1, 1)


def test_a_figure_taken_off_beside_an_old_shadow_has_not_fallen(mind):
    mind.covered = ((2, 1),)
    mind.rest(4)
    del mind.places["imp-1"]
    mind.rest(40)
    assert not mind.followed.fallen


def test_a_card_laid_down_after_a_figure_left_is_no_fallen_figure(mind):
    del mind.places["imp-1"]
    mind.rest(40)
    mind.covered = ((1, 1), (2, 1))
    mind.rest(40)
    assert not mind.followed.fallen


def test_an_arm_that_rests_where_a_figure_stood_is_no_fallen_figure(mind):
    """The page asked people to stand the figure under it up."""
    mind.rest(4)
    del mind.places["imp-1"]
    mind.covered = tuple((column, 1) for column in range(7))
    mind.rest(40)
    assert not mind.followed.fallen


def test_the_shadow_of_a_figure_that_came_is_no_fallen_figure(mind):
    """One figure was taken off and another one put down beside it, in one reach."""
    mind.rest(4)
    del mind.places["imp-1"]
    mind.places["crawler-1"] = ((2, 2), (2, 3))
    mind.covered = ((2, 1),)
    mind.rest(40)
    assert not mind.followed.fallen


def test_a_fallen_figure_that_people_took_off_lies_there_no_longer(mind):
    del mind.places["imp-1"]
    mind.covered = ((1, 1), (2, 1))
    mind.rest(40)
    assert place(mind.followed, "imp-1", None).fallen == {}


def test_a_move_through_a_wall_happens_and_is_noted(mind):
    mind.reach(("imp-1", ((6, 1),)))
    assert where(mind)["imp-1"] == (6, 1)
    assert [(note.kind, note.figure) for note in mind.followed.notes] == [("no_way", "imp-1")]


def test_a_move_beyond_the_points_happens_and_is_noted(mind):
    mind.turn = ActiveFigure("imp-2", "demons", 4)
    mind.reach(("imp-2", ((8, 8),)))
    assert where(mind)["imp-2"] == (8, 8)
    (note,) = mind.followed.notes
    assert (note.kind, note.figure, note.steps, note.points) == ("too_far", "imp-2", 6, 4)


def test_a_move_within_the_points_is_not_noted(mind):
    mind.turn = ActiveFigure("imp-2", "demons", 4)
    mind.reach(("imp-2", ((8, 5),)))
    assert mind.followed.notes == ()


class TestCorrections:
    def test_a_figure_set_by_hand_stays_though_the_camera_says_otherwise(self, mind):
        mind.followed = place(mind.followed, "imp-2", ((8, 8),))
        mind.rest(30)
        assert where(mind)["imp-2"] == (8, 8)

    def test_it_holds_while_a_hand_passes_that_changes_nothing(self, mind, minds):
        mind.followed = place(mind.followed, "imp-2", ((8, 8),))
        for _ in range(4):
            mind.frame(minds.under_hand((7, 2)))
        mind.rest(30)
        assert where(mind)["imp-2"] == (8, 8)

    def test_it_ends_when_the_camera_sees_that_the_world_has_changed(self, mind):
        mind.followed = place(mind.followed, "imp-2", ((8, 8),))
        mind.reach(("imp-2", ((6, 4),)))
        assert where(mind)["imp-2"] == (6, 4)

    def test_a_figure_taken_off_stays_off_until_something_changes_there(self, mind):
        mind.followed = place(mind.followed, "imp-2", None)
        mind.rest(30)
        assert "imp-2" not in where(mind)

    @pytest.mark.parametrize("cells", [((8, 8),), None])
    def test_it_holds_though_the_camera_misreads_in_another_way(self, mind, minds, cells):
        mind.followed = place(mind.followed, "imp-2", cells)
        mind.rest(30)
        before = where(mind)
        for noise in (minds.Noise(no_kind=1.0), minds.Noise()):
            mind.noise = noise
            mind.rest(40)
            assert where(mind) == before

    def test_a_figure_that_the_camera_never_saw_can_be_set_and_is_known_when_it_turns_up(self, mind):
        mind.followed = place(mind.followed, "trooper-3", ((4, 8),))
        assert where(mind)["trooper-3"] == (4, 8)
        mind.places["trooper-3"] = ((4, 8),)
        mind.rest(40)
        assert where(mind)["trooper-3"] == (4, 8)
        mind.names["trooper-3"] = "trooper-3"
        mind.reach(("trooper-3", ((6, 8),)))
        assert where(mind)["trooper-3"] == (6, 8)

    def test_a_large_base_lies_either_way(self, mind):
        for cells in (((3, 3), (3, 4)), ((3, 3), (4, 3))):
            table = place(mind.followed, "crawler-1", cells)
            assert next(f.cells for f in table.board().figures if f.id == "crawler-1") == cells

    def test_two_figures_exchange_their_names(self, mind):
        mind.followed = rename(mind.followed, "imp-1", "imp-2")
        assert where(mind) == {"imp-2": (1, 1), "imp-1": (7, 2), "alpha": (5, 6)}
        mind.rest(20)
        mind.places["imp-1"], mind.places["imp-2"] = mind.places["imp-2"], mind.places["imp-1"]
        mind.reach(("imp-2", ((2, 2),)))
        assert where(mind) == {"imp-2": (2, 2), "imp-1": (7, 2), "alpha": (5, 6)}

    def test_a_door_opened_by_hand_stays_open_until_it_has_gone_and_come(self, mind):
        mind.followed = set_door(mind.followed, "door-1", is_open=True)
        mind.rest(20)
        assert [door.open for door in mind.followed.board().doors] == [True]
        assert [d.open for d in set_door(mind.followed, "door-1", is_open=False).board().doors] == [False]

    def test_a_door_that_a_person_denies_stays_away_though_the_camera_sees_it_and_not_by_turns(self, mind):
        (door,) = mind.followed.board().doors
        mind.followed = take_door(mind.followed, door.id)
        for seen in (True, False, True):
            mind.shows_doors = seen
            mind.rest(30)
            assert mind.followed.board().doors == ()

    def test_a_door_that_a_person_tells_of_stands_under_a_name_of_its_own(self, mind):
        edges = (edge_between((6, 1), (7, 1)),)
        mind.followed = put_door(mind.followed, edges)
        mind.rest(30)
        assert [(door.id, door.edges) for door in mind.followed.board().doors][1:] == [("door-2", edges)]
        assert set_door(mind.followed, "door-2", is_open=True).board().doors[1].open
        assert len(take_door(mind.followed, "door-2").board().doors) == 1

    def test_a_door_that_a_person_is_sure_of_stays_though_the_camera_loses_it(self, mind):
        mind.followed = confirm(mind.followed, "door-1")
        mind.shows_doors = False
        mind.rest(30)
        assert [door.id for door in mind.followed.board().doors] == ["door-1"]

    def test_it_is_gone_once_a_hand_has_taken_it(self, mind, minds):
        mind.followed = confirm(mind.followed, "door-1")
        for _ in range(4):
            mind.frame(minds.under_hand((3, 4)))
        mind.shows_doors = False
        mind.rest(30)
        assert mind.followed.board().doors == ()

    def test_nobody_stands_where_a_person_says_so_though_the_camera_comes_to_see_somebody(self, mind):
        mind.rest(60)
        mind.followed = deny_figure(mind.followed, ((4, 8),))
        mind.places["trooper-3"] = ((4, 8),)
        mind.rest(40)
        assert where(mind) == {"imp-1": (1, 1), "imp-2": (7, 2), "alpha": (5, 6)}

    def test_nobody_is_taken_off_where_he_stood(self, mind):
        mind.followed = deny_figure(mind.followed, ((7, 2),))
        mind.rest(30)
        assert "imp-2" not in where(mind)

    @pytest.mark.parametrize(
        ("change", "problem"),
        [
            (lambda table: place(table, "nobody", ((0, 0),)), UnknownName),
            (lambda table: place(table, "imp-1", ((5, 6),)), BoardError),
            (lambda table: place(table, "imp-1", ((-1, 0),)), BoardError),
            (lambda table: place(table, "imp-1", ()), BoardError),
            (lambda table: place(table, "imp-1", ((3, 3), (3, 4))), BoardError),
            (lambda table: place(table, "crawler-1", ((3, 3),)), BoardError),
            (lambda table: place(table, "crawler-1", ((3, 3), (3, 5))), BoardError),
            (lambda table: rename(table, "nobody", "imp-1"), UnknownName),
            (lambda table: rename(table, "imp-1", "nobody"), UnknownName),
            (lambda table: set_door(table, "door-9", is_open=True), UnknownName),
            (lambda table: take_door(table, "door-9"), UnknownName),
            (lambda table: confirm(table, "nobody"), UnknownName),
            (lambda table: put_door(table, (edge_between((3, 4), (4, 4)),)), BoardError),
        ],
    )
    def test_what_cannot_be_is_refused(self, mind, change, problem):
        with pytest.raises(problem):
            change(mind.followed)


class TestAnotherLattice:
    def test_the_same_board_under_other_numbers_is_the_same_board(self, mind, minds):
        before = where(mind)
        found = minds.observed([("imp", ((1, 1),)), ("imp", ((7, 2),)), ("marine", ((5, 6),))], minds.DOORS)
        # A tile at the left is found: columns are counted from one cell further left now.
        moved = Renaming(0, (1, 0))
        figures = tuple(replace(f, cells=moved.cells(f.cells)) for f in found.figures)
        shifted = replace(
            found, grid=LatticePose((-25.4, 0.0), 0.0, 25.4), figures=figures, board=moved.board(found.board)
        )
        assert find_renaming(mind.followed.reference, shifted) == Renaming(0, (-1, 0))
        table = mind.followed
        for n in range(4):
            table = update_tracking(table, FrameObservation(shifted, frozenset({(8, 3)}), 800 + n, mind.time_s + n))
        assert {figure.id: figure.cells[0] for figure in table.board().figures} == before

    @given(
        st.integers(0, 3),
        st.tuples(st.integers(-20, 20), st.integers(-20, 20)),
        st.tuples(st.integers(), st.integers()),
    )
    def test_a_cell_is_renamed_with_its_corners(self, quarters, shift, cell):
        change = Renaming(quarters, shift)
        corners = {change.point((cell[0] + dx, cell[1] + dy)) for dx in (0, 1) for dy in (0, 1)}
        x, y = change.cell(cell)
        assert corners == {(x + dx, y + dy) for dx in (0, 1) for dy in (0, 1)}

    def test_a_board_without_a_common_tile_is_another_board(self, mind, minds):
        found = minds.observed([("imp", ((4, 4),))])
        other = replace(found, tiles=(replace(found.tiles[0], id="09B"),))
        table = mind.followed
        for n in range(3):
            table = update_tracking(table, FrameObservation(other, frozenset(), 700 + n, mind.time_s + n))
        (figure,) = table.board().figures
        assert (figure.kind, figure.cells) == ("imp", ((4, 4),))


@given(st.lists(st.tuples(st.floats(0, 100), st.floats(0.01, 20)), min_size=1, max_size=6))
def test_the_ranks_of_moments_are_those_of_their_order(raw):
    spans = [Span(start, start + length) for start, length in raw]
    found = rank_spans(spans)
    assert sum(found) == pytest.approx(len(spans) * (len(spans) - 1) / 2)
    for i, one in enumerate(spans):
        for j, other in enumerate(spans):
            if one.before_s <= other.start_s and i != j:
                assert one.chance_before(other) == 1.0
                assert other.chance_before(one) == 0.0


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10_000), miss=st.floats(0, 0.15), kind=st.floats(0, 0.1), ghost=st.floats(0, 0.2))
def test_nobody_changes_the_name_while_nobody_touches_the_table(minds, seed, miss, kind, ghost):
    table = minds.crowd(random.Random(seed), minds.Noise(miss=miss, other_kind=kind, no_kind=kind, ghost=ghost))
    before = where(table)
    for _ in range(60):
        table.frame()
        assert where(table) == before


def share_right(minds, noise, seeds, *, swaps, reaches=10):
    """Return the share of figures under their own name after that many reaches, and the share of right reaches."""
    count: Counter[str] = Counter()
    for seed in seeds:
        table = minds.crowd(random.Random(seed), noise)
        for _ in range(reaches):
            minds.any_reach(table, swaps=swaps)
            table.rest(8)
            count["reaches"] += 1
            count["placed"] += not table.misplaced()
        count["figures"] += len(table.places)
        count["named"] += len(table.places) - len(table.wrong())
    return count["named"] / count["figures"], count["placed"] / count["reaches"]


def test_look_alikes_keep_their_names_through_ten_moves(minds):
    named, positions = share_right(minds, minds.Noise(), range(8), swaps=0.0)
    assert named >= 0.98
    assert positions == 1.0


def test_look_alikes_keep_their_names_though_the_camera_errs(minds):
    noise = minds.Noise(miss=0.01, other_kind=0.005, no_kind=0.01, ghost=0.01)
    named, positions = share_right(minds, noise, range(100, 108), swaps=0.0)
    assert named >= 0.95
    assert positions >= 0.98


@pytest.mark.slow
@pytest.mark.parametrize(("swaps", "least"), [(0.0, 0.98), (0.08, 0.93)])
def test_thousands_of_moves(minds, swaps, least):
    # The arm hides every step of one swap in three on this table, which makes it undecidable.
    named, positions = share_right(minds, minds.Noise(), range(1000, 1200), swaps=swaps)
    assert named >= least
    assert positions >= 0.999


def test_nobodys_turn_is_no_argument(minds):
    board = Board(minds.CELLS, minds.WALLS)
    came = Newcomer(Sighting(((1, 3),), "imp"), Span(1.0, 2.0))
    near, far = (
        AssociationCandidate(n, "imp", "demons", ((1, y),), left=Span(0.0, 1.0))
        for n, y in (("imp-1", 2), ("imp-2", 8))
    )
    (match,) = associate([came], [far, near], StepDistances(board), NOBODYS_TURN)
    assert match.candidate is near
