"""A path drawn space by space: counted by the game's own steps, and refused with a clear reason."""

from __future__ import annotations

import pytest

from assistant.errors import IllegalStep, UnknownName
from assistant.match.actor import CAMERA, JUDGE
from assistant.match.ground import board_of


def test_every_step_has_the_price_of_the_game(imp_acts):
    way = imp_acts.session.way_drawn("imp-1", [(4, 0), (4, 1), (3, 1), (2, 1)])
    assert way["places"] == [[[4, 0]], [[4, 1]], [[3, 1]], [[2, 1]]]
    assert (way["cost"], way["points"], way["may_end"], way["refusal"]) == (3, 4, True, None)


@pytest.mark.parametrize(
    ("drawn", "why"),
    [
        ([(5, 1), (6, 1)], "the door there is closed"),
        ([(6, 2)], "a path goes from space to space; draw it without gaps"),
        ([(4, -1)], "there is no space there"),
        ([(5, 0), (6, 0)], "a line or an obstacle blocks the way there"),
        ([(3, 0), (4, 0), (3, 0), (4, 0), (3, 0)], "1 point of movement too far"),
    ],
)
def test_a_step_that_is_none_says_why(imp_acts, drawn, why):
    assert imp_acts.session.way_drawn("imp-1", drawn)["refusal"] == why


def test_nobody_counts_for_a_figure_that_does_not_act(imp_acts):
    with pytest.raises(IllegalStep, match="has no movement left"):
        imp_acts.session.way_drawn("alpha", [(1, 0)])
    with pytest.raises(UnknownName):
        imp_acts.session.way_drawn("nobody", [(1, 0)])


def test_2004_names_the_figure_in_the_way(build):
    base = build.mission("doom2004_sample_table")
    match = build.begun(base)
    match.do("see", by=CAMERA, document=base.table)
    match.do("begin")
    match.do("action", action="sprint")
    who, board = match.game.turn.figure, board_of(match.game)
    step = next(iter(match.game.rules.move_ground(board, who).strides(board.figure(who).cells))).placement[0]
    enemy = next(figure for figure in board.figures if figure.side == "invader" and len(figure.cells) == 1)
    match.do("place", figure=enemy.id, cells=[list(step)])
    told = match.session.way_drawn(who, [step])
    assert (told["cost"], told["refusal"]) == (0, f"{enemy.id.replace('-', ' ').capitalize()} stands in the way")


def test_2004_a_drawn_way_may_end_on_a_friends_space_with_movement_to_go_on(build):
    """“Los ataques pueden realizarse en cualquier momento durante el movimiento” (seed 002), from there, too."""
    match = build.begun(build.mission(build.KNEE_DEEP))
    match.do("see", document=build.corridor(12, 4, {}))
    for figure, place in (("red-marine", [1, 0]), ("green-marine", [3, 0]), ("imp-1", [6, 0])):
        match.do("place", by=JUDGE, figure=figure, cells=[place])
    match.do("begin")
    match.do("action", action="advance")
    assert match.session.way_drawn("red-marine", [(2, 0), (3, 0)])["may_end"] is True
    match.do("move", figure="red-marine", cells=[[2, 0]])
    match.do("move", figure="red-marine", cells=[[2, 1]])
    match.do("move", figure="red-marine", cells=[[2, 0]])
    assert match.session.way_drawn("red-marine", [(3, 0)])["may_end"] is False
