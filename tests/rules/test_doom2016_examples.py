"""The worked examples of table A10 of the rules facts, each under its number; those on dice are with the attack."""

from __future__ import annotations

import pytest

from assistant.games.doom2016.rules.moves import list_quarter_turns
from assistant.match.games import rule_set
from assistant.table.lattice import Edge

DEFAULT = rule_set("doom2016")


def ruling(board, **options):
    return rule_set("doom2016", options).rule(board, "a", "d")


def answer(board, **options):
    found = ruling(board, **options)
    return found.range, found.line_of_sight, found.cover


def clear_pairs(found):
    return sum(len(origin.targets) for origin in found.origins)


def covers(found):
    return {origin.place: origin.cover for origin in found.origins}


def ends(board, points, figure="a", **options):
    return {end.cells: end.cost for end in rule_set("doom2016", options).reach(board, figure, points).ends}


def test_seed_range_imp_three_cells_from_alpha(build):
    assert answer(build.board(a=(0, 0), d=(3, 1)))[:2] == (3, True)


CORRIDOR = [(0, 0), (0, 1), (1, 0), (2, 0), (3, 0)]


def test_seed_movement_one_diagonal_two_into_a_demon_one_out(build):
    found = ends(build.board(a=(0, 1), d=(2, 0), cells=CORRIDOR), 4)
    assert found == {((0, 1),): 0, ((0, 0),): 1, ((1, 0),): 1, ((3, 0),): 4}


def test_seed_movement_with_three_points_the_demon_cannot_be_passed(build):
    found = ends(build.board(a=(0, 1), d=(2, 0), cells=CORRIDOR), 3)
    assert found == {((0, 1),): 0, ((0, 0),): 1, ((1, 0),): 1}


def test_seed_cover_none_behind_nothing_some_behind_a_figure_and_behind_an_obstacle(build):
    assert answer(build.board(a=(0, 0), d=(0, 4))) == (4, True, False)
    assert answer(build.board(a=(0, 0), d=(4, 1), others=[(2, 0), (2, 1)])) == (4, True, True)
    obstacle = [((2, 2), (3, 2)), ((3, 2), (4, 2))]
    assert answer(build.board(a=(0, 0), d=(4, 2), obstacles=obstacle)) == (4, True, True)


def test_1_empty_board(build):
    found = ruling(build.board(a=(0, 0), d=(3, 0)))
    assert (found.range, found.line_of_sight, found.cover) == (3, True, False)
    assert set(covers(found).values()) == {False}


def test_2_figure_between_gives_cover_from_every_corner(build):
    found = ruling(build.board(a=(0, 0), d=(2, 0), others=[(1, 0)]))
    assert found.line_of_sight
    assert list(covers(found).values()) == [True] * 4


def test_3_figure_beside_the_lines_gives_no_cover(build):
    assert answer(build.board(a=(0, 0), d=(2, 0), others=[(1, 1)])) == (2, True, False)


def test_4_one_wall_edge_between_neighbours(build):
    found = ruling(build.board(a=(0, 0), d=(1, 0), walls=[((1, 0), (1, 1))]))
    assert (found.range, found.line_of_sight, found.adjacent) == (2, True, False)
    assert {origin.cover for origin in found.origins if origin.line_of_sight} == {True}
    assert found.cover


STRAIGHT_WALL = [((x, 1), (x + 1, 1)) for x in range(-3, 8)]


@pytest.mark.parametrize(("defender", "pairs"), [((2, 1), 12), ((5, 4), 9)])
def test_5_straight_wall_is_opaque_although_corners_do_not_block(build, defender, pairs):
    board = build.board(a=(2, 0), d=defender, walls=STRAIGHT_WALL)
    assert not ruling(board).line_of_sight
    assert clear_pairs(ruling(board, los_corner_touch="always_clear")) == pairs


def test_6_solid_cell_lets_its_outer_corners_be_passed(build):
    diagonal = ruling(build.board(a=(0, 1), d=(1, 0), blocking=[(1, 1)]))
    assert (diagonal.line_of_sight, diagonal.adjacent, diagonal.range) == (True, True, 1)
    past = ruling(build.board(a=(0, 0), d=(2, 2), blocking=[(1, 1)]))
    assert {(o.place, t) for o in past.origins for t in o.targets} == {((0, 1), (2, 3)), ((1, 0), (3, 2))}
    assert past.cover


def test_6_solid_cell_stops_a_line_through_its_inside(build):
    assert not ruling(build.board(a=(0, 1), d=(2, 1), blocking=[(1, 1)])).line_of_sight


def test_6_four_sides_alone_would_not_stop_the_diagonals_if_corners_never_block(build):
    drawn = build.board(a=(0, 1), d=(2, 1), obstacles=build.solid_sides((1, 1)))
    assert clear_pairs(ruling(drawn, los_corner_touch="always_clear")) == 2
    solid = build.board(a=(0, 1), d=(2, 1), blocking=[(1, 1)])
    assert clear_pairs(ruling(solid, los_corner_touch="always_clear")) == 0


def test_6_the_solid_cells_on_the_lines_are_named_by_their_places_on_the_board(build):
    floor = [(x, y) for x in range(5) for y in range(1, 6)]
    board = build.board(a=(0, 3), d=(4, 3), cells=floor, blocking=[(2, 2), (2, 3), (2, 4)])
    lines = ruling(board, los_corner_touch="always_clear").lines
    assert {line.blocked_by.cell for line in lines if line.blocked_by} == {(2, 2), (2, 3)}


def test_7_two_solid_cells_that_touch_diagonally_close_the_gap(build):
    pinch = build.board(a=(0, 0), d=(1, 1), blocking=[(0, 1), (1, 0)])
    assert not ruling(pinch).line_of_sight
    walls = build.board(a=(0, 0), d=(1, 1), walls=build.solid_sides((0, 1), (1, 0)))
    assert not ruling(walls).adjacent
    assert ruling(pinch, los_pinch="open").line_of_sight


def test_8_solid_cell_in_a_row(build):
    assert not ruling(build.board(a=(0, 0), d=(3, 0), blocking=[(1, 0)])).line_of_sight
    found = ruling(build.board(a=(0, 0), d=(2, 1), blocking=[(1, 0)]))
    assert found.line_of_sight
    assert {covered for covered in covers(found).values() if covered is not None} == {True}


@pytest.mark.parametrize("defender", [(1, 0), (2, 0)])
def test_9_defender_in_difficult_terrain_has_cover_from_every_corner(build, defender):
    found = ruling(build.board(a=(0, 0), d=defender, difficult=[defender]))
    assert list(covers(found).values()) == [True] * 4


def test_10_attacker_in_difficult_terrain_avoids_it_by_the_near_corners(build):
    found = ruling(build.board(a=(0, 0), d=(2, 0), difficult=[(0, 0)]))
    assert covers(found) == {(0, 0): True, (0, 1): True, (1, 0): False, (1, 1): False}
    assert found.cover is False


def test_11_turns_keep_at_least_half_of_the_cells():
    two = {frozenset(turn) for turn in list_quarter_turns(((0, 0), (1, 0)))}
    assert frozenset({(0, 0), (0, 1)}) in two
    assert frozenset({(2, 0), (2, 1)}) not in two
    six = tuple((x, y) for x in range(3) for y in range(2))
    kept = {len(set(six) & set(turn)) for turn in list_quarter_turns(six)}
    assert kept == {4}


def test_12_difficult_cell_with_an_enemy_in_it_costs_three(build):
    board = build.board(a=(0, 0), d=(1, 0), cells=[(0, 0), (1, 0), (2, 0)], difficult=[(1, 0)])
    assert ends(board, 9) == {((0, 0),): 0, ((2, 0),): 4}
    assert ends(board, 9, cost_stacking="at_most_one") == {((0, 0),): 0, ((2, 0),): 3}


def test_nearest_miss_is_named_with_its_blocker(build):
    found = ruling(build.board(a=(2, 0), d=(2, 1), walls=STRAIGHT_WALL))
    first = found.lines[0]
    assert first.blocked_by is not None
    assert isinstance(first.blocked_by.edge, Edge)
    assert "No line of sight" in found.reasons[0].text
    assert found.reasons[0].arguments["blocker"]["kind"] == "wall"


def test_a_named_corner_is_not_called_the_best_one(build):
    board = build.board(a=(0, 0), d=(2, 0), difficult=[(0, 0)])
    found = DEFAULT.from_corner((0, 0)).rule(board, "a", "d")
    assert found.cover
    assert "does better" not in " ".join(r.text for r in found.reasons)
    closed = build.board(a=(0, 0), d=(5, 0), cells=[(x, 0) for x in range(6)], blocking=[(2, 0)])
    hidden = DEFAULT.from_corner((1, 0)).rule(closed, "a", "d")
    assert hidden.reasons[0].text.startswith("No line of sight from corner (1, 0)")


def test_cover_from_a_figure_is_not_blamed_on_the_rim_of_the_board(build):
    floor = [(x, y) for x in range(5) for y in range(3)]
    found = ruling(build.board(a=(0, 0), d=(2, 0), others=[(1, 0)], cells=floor))
    told = next(r for r in found.reasons if r.rule == "doom2016/cover")
    assert told.arguments["blocker"] == {"kind": "figure", "id": "o1"}


def test_a_deciding_option_is_named_with_the_outcome_of_the_other_choice(build):
    pinch = build.board(a=(0, 0), d=(1, 1), blocking=[(0, 1), (1, 0)])
    texts = [r.text for r in ruling(pinch).reasons]
    assert "This rests on the house option los_pinch = blocked; with open there would be line of sight." in texts
    # The solid cells stop sight, not the count of cells: the vectors settle it so.
    assert (ruling(pinch).range, ruling(pinch).adjacent) == (1, True)
    assert (
        "This rests on the house option range_metric = adjacency; with obstacles_closed the range would be 3." in texts
    )


BASE = ((0, 0), (1, 0), (0, 1), (1, 1))


def test_large_figures_stand_on_red_ground_small_ones_do_not_and_nobody_across_a_wall(build):
    red = build.board(blocking=[(5, 5)])
    small, large = build.figure("s", (5, 5)), build.figure("l", [(5 + x, 5 + y) for x, y in BASE])
    assert not DEFAULT.may_stand(red, small)
    assert DEFAULT.may_stand(red, large)
    assert DEFAULT.may_stand(red, build.figure("s", (6, 5)))
    walled = build.board(walls=[((6, 5), (6, 6))])
    assert not DEFAULT.may_stand(walled, large)
    assert DEFAULT.may_stand(walled, small)


@pytest.mark.parametrize(("attacker", "corner"), [((0, 0), (1, 0)), (list(BASE), (2, 2))])
def test_a_named_corner_goes_along_with_the_attacker(build, attacker, corner):
    board = build.board(a=attacker, d=(6, 0), walls=[((4, 0), (4, 1))])
    named = DEFAULT.from_corner(corner).rule(board, "a", "d")
    ask = DEFAULT.from_corner(corner).asking(board, named)
    here, target = board.figure("a"), board.figure("d")
    assert ask(board, here, target) == (named.range, named.line_of_sight, named.cover)
    lower = build.figure("a", [(x, y + 3) for x, y in here.cells], "marines")
    moved = build.board(a=[(x, y + 3) for x, y in here.cells], d=(6, 0), walls=[((4, 0), (4, 1))])
    there = DEFAULT.from_corner((corner[0], corner[1] + 3)).rule(moved, "a", "d")
    assert ask(board, lower, target) == (there.range, there.line_of_sight, there.cover)


def test_the_declared_corner_is_the_first_that_sees_unless_one_is_named(build):
    """The first corner looks past the obstacle, a later one over it; and the other way round."""
    readings = ("same_best", "declared", "any")
    found = {}
    for place in ((1, 0), (1, 1), (1, -1), (2, 0), (2, 1), (2, -1)):
        board = build.board(a=(0, 0), d=(4, 1), others=[place])
        by_corner = [origin.cover for origin in ruling(board).origins if origin.line_of_sight]
        told = tuple(ruling(board, cover_corner=reading).cover for reading in readings)
        assert told == (all(by_corner), by_corner[0], any(by_corner))
        found[told] = place
    assert {(False, False, True), (False, True, True)} <= found.keys()
