"""The last step's public effects at once: dice, blows, deaths; and the move that the camera saw."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.match.actor import CAMERA, JUDGE, TABLE
from assistant.match.audience import PUBLIC
from assistant.match.ground import board_of
from assistant.table.board import Board

FIRST_FIGHT, KNEE_DEEP = "doom2016_first_fight", "doom2004_knee_deep_sample"


def seen_by_all(match):
    return match.session.view(PUBLIC)["happened"]


def test_the_dice_of_an_attack_are_seen_as_they_fell(imp_acts):
    imp_acts.do("attack", defender="bravo", rolled_here=False, dice=[["black", 2], ["red", 3]])
    assert seen_by_all(imp_acts) == {
        "seq": imp_acts.session.seq,
        "dice": [{"face": "2", "color": "black"}, {"face": "3", "color": "red"}],
        "blows": [],
    }


def test_a_blow_is_seen_with_its_damage_and_a_death_as_one(imp_acts):
    imp_acts.do("damage", figure="bravo", amount=2)
    assert seen_by_all(imp_acts)["blows"] == [{"figure": "bravo", "harm": 2, "fell": False}]
    imp_acts.do("frag", figure="possessed-1")
    assert seen_by_all(imp_acts)["blows"] == [{"figure": "possessed-1", "harm": 0, "fell": True}]


def test_what_the_camera_saw_since_takes_nothing_away(imp_acts, build):
    imp_acts.do("damage", figure="bravo", amount=1)
    imp_acts.do("see", by=CAMERA, document=build.mission(FIRST_FIGHT).table)
    assert seen_by_all(imp_acts)["blows"] == [{"figure": "bravo", "harm": 1, "fell": False}]


def test_dice_of_2004_show_range_damage_and_ammunition(build):
    match = build.on_table(KNEE_DEEP)
    match.script([("begin", {}), ("action", {"action": "advance"})])
    face = {"range": 5, "damage": 1, "ammo": True, "miss": False}
    dice = [["green", face], ["yellow", face]]
    match.do("attack", targets=["zombie-1"], weapon="pistol", rolled_here=False, dice=dice)
    assert [die["face"] for die in seen_by_all(match)["dice"]] == ["5/1a", "5/1a"]
    assert seen_by_all(match)["dice"][0]["words"] == "range 5, damage 1, ammunition"


def test_the_die_of_a_test_of_roads_is_seen(roads):
    match = roads.skirmish(roads.fighter("hero", "red", 200, 200), roads.fighter("ogre", "blue", 400, 200, fear=True))
    roads.go_to(match, "move")
    match.do("charge", figure="hero", target="ogre")
    match.do("test", rolled_here=False, roll=2)
    assert seen_by_all(match)["dice"] == [{"face": "2", "color": "", "whose": "hero"}]


def with_figure_at(board: Board, name: str, *cells: tuple[int, int]) -> Board:
    figures = (replace(figure, cells=cells) if figure.id == name else figure for figure in board.figures)
    return replace(board, figures=tuple(figures))


def test_a_move_that_the_camera_saw_is_a_command_of_one_tap(imp_acts):
    session, board = imp_acts.session, board_of(imp_acts.game)
    moved = session.seen_move(with_figure_at(board, "imp-1", (3, 1)), TABLE)
    assert moved is not None
    assert (moved["figure"], moved["cost"]) == ("imp-1", 1)
    session.command(moved["command"], TABLE)
    assert imp_acts.game.piece("imp-1").cells == ((3, 1),)


@pytest.mark.parametrize(
    "seen",
    [
        lambda board: board,  # no figure moved
        lambda board: with_figure_at(board, "imp-1", (9, 0)),  # behind a door: no way leads there
        lambda board: with_figure_at(board, "alpha", (1, 0)),  # somebody whose turn it is not
        lambda board: replace(board, cells=board.cells | {(20, 20)}),  # another table
    ],
)
def test_only_moves_of_the_acting_figure_are_offered(imp_acts, seen):
    assert imp_acts.session.seen_move(seen(board_of(imp_acts.game)), TABLE) is None


def without_doors(board: Board) -> Board:
    return replace(board, doors=())


def test_a_door_that_the_camera_sees_vanish_is_a_command_of_one_tap(imp_acts):
    session = imp_acts.session
    (door,) = board_of(imp_acts.game).doors
    assert session.seen_door(board_of(imp_acts.game), TABLE) is None
    assert session.seen_door(without_doors(board_of(imp_acts.game)), TABLE) is None  # no figure stands beside it
    beside = next(cell for edge in door.edges for cell in edge.cells)
    session.command({"type": "place", "figure": "imp-1", "cells": [list(beside)]}, JUDGE)
    opened = session.seen_door(without_doors(board_of(imp_acts.game)), TABLE)
    assert opened is not None
    assert (opened["figure"], opened["door"], opened["is_open"]) == ("imp-1", door.id, True)
    session.command(opened["command"], TABLE)
    assert imp_acts.game.doors_open == (door.id,)
    assert session.seen_door(without_doors(board_of(imp_acts.game)), TABLE) is None


def test_a_board_that_the_camera_sees_is_no_step_of_a_match_without_spaces(build, imp_acts):
    base = build.mission("roads_first_skirmish")
    match = build.begun(base)
    match.do("see", by=CAMERA, document=base.table)
    board = board_of(imp_acts.game)
    assert (match.session.seen_move(board, TABLE), match.session.seen_door(board, TABLE)) == (None, None)


def test_the_strip_shows_damage_once_at_the_place_of_the_hurt_figure(imp_acts):
    imp_acts.do("damage", figure="bravo", amount=1)
    view = imp_acts.session.tracker(as_of_s=7.0)
    assert [view.order[place].name for place in view.struck.places] == ["bravo"]
    assert (view.struck.is_death, view.struck.since_s) == (False, 7.0)
    imp_acts.do("frag", figure="possessed-1")
    assert imp_acts.session.tracker().struck.is_death
    imp_acts.do("stun", figure="bravo", on=True)
    assert imp_acts.session.tracker().struck is None
