"""The simulated table follows its match."""

from __future__ import annotations

from assistant.app.live.simulated_hands import SimulatedHands
from assistant.app.matches.archive import load_shipped_mission
from assistant.match.actor import CAMERA, JUDGE
from assistant.match.ground import board_of
from assistant.match.missions import new_header
from assistant.match.session import Session
from vision.sources.virtual import PutFigures, SetDoors

BOX = frozenset({"ranger-1", "ranger-2", "spitter-1", "spitter-2"})


def begun(name="doom2016_simulated_fight"):
    header = new_header(load_shipped_mission(name), match_id="m", seed="seed", created_t=0, options={})
    return Session(header, journal=None, clock_ms=lambda: 0)


def followed(session, *, laid=()):
    asked = []
    leave = SimulatedHands(lambda about, wish: asked.append(wish), BOX, laid).follow(session)
    return asked, leave


def test_the_mission_is_laid_out_when_it_is_shown():
    asked, _ = followed(begun())
    assert [wish.is_everybody for wish in asked if isinstance(wish, PutFigures)] == [True]
    assert {name: end for name, _, end in asked[0].puts}["ranger-1"] == ((2, 4),)
    assert {name for name, _, _ in asked[0].puts} == BOX


def test_a_match_with_other_figures_and_the_demos_own_are_not_laid_out():
    assert followed(begun("doom2016_first_fight"))[0] == []
    assert followed(begun(), laid={"m"})[0] == []


def test_whoever_moves_or_falls_is_moved_and_taken_off_until_the_match_is_left():
    session = begun()
    asked, leave = followed(session)
    session.command({"type": "place", "figure": "ranger-1", "cells": [[0, 5]]}, JUDGE)
    assert asked[-1].puts == (("ranger-1", ((2, 4),), ((0, 5),)),)
    session.command({"type": "status", "shuffled_here": False}, JUDGE)
    session.command({"type": "damage", "figure": "spitter-1", "amount": 9}, JUDGE)
    assert asked[-1].puts == (("spitter-1", ((3, 6),), ()),)
    leave()
    count = len(asked)
    session.command({"type": "undo"}, JUDGE)
    assert len(asked) == count


def test_what_the_camera_has_seen_is_not_moved_again():
    session = begun()
    asked, _ = followed(session)
    count = len(asked)
    mission = load_shipped_mission("doom2016_sample_table")
    figure = {"id": "ranger-1", "kind": "ranger", "side": "rangers", "cells": [[0, 5]]}
    session.command({"type": "see", "document": {**mission.table, "figures": [figure]}}, CAMERA)
    assert session.timeline.game.piece("ranger-1").cells == ((0, 5),)
    assert len(asked) == count


def test_an_opened_door_is_taken_away_and_put_back_when_that_is_undone():
    session = begun()
    mission = load_shipped_mission("doom2016_sample_table")
    asked, _ = followed(session)
    session.command({"type": "see", "document": mission.table}, CAMERA)
    board = board_of(session.timeline.game)
    door, *others = board.doors
    beside = sorted(cell for edge in door.edges for cell in edge.cells)[0]
    for command in (
        {"type": "status", "shuffled_here": False},
        {"type": "reveal", "card": "invader"},
        {"type": "activate_kind", "kind": "spitter"},
        {"type": "activate", "figure": "spitter-1"},
        {"type": "place", "figure": "spitter-1", "cells": [list(beside)]},
        {"type": "open_door", "door": door.id},
    ):
        session.command(command, JUDGE)
    assert asked[-1] == SetDoors(frozenset(edge for other in others for edge in other.edges))
    session.command({"type": "undo"}, JUDGE)
    assert asked[-1] == SetDoors(frozenset(edge for each in board.doors for edge in each.edges))


def test_doors_stand_where_a_match_has_them_or_as_at_the_beginning_where_it_has_seen_none():
    session = begun()
    assert followed(session)[0][-1] == SetDoors(None)
    table = load_shipped_mission("doom2016_sample_table").table
    closed, opened = table["doors"]
    doors = [closed, {**opened, "open": True}]
    session.command({"type": "see", "document": {**table, "doors": doors}}, CAMERA)
    (door,) = (each for each in board_of(session.timeline.game).doors if not each.open)
    assert followed(session)[0][-1] == SetDoors(frozenset(door.edges))
