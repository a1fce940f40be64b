"""Steps on the camera's picture: a vanished door, and a path drawn with a finger."""

from __future__ import annotations

import re
from dataclasses import replace
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

from assistant.match.actor import CAMERA, JUDGE
from assistant.match.ground import board_of


@pytest.fixture
def watched(desk):
    """A 2016 match in an imp's activation, with a camera on its table or on a test's replacement."""
    session = desk.build.new_session("doom2016", "doom2016_first_fight")
    for command in (
        {"type": "see", "document": session.header.table},
        {"type": "status", "shuffled_here": False},
        {"type": "reveal", "card": "invader"},
        {"type": "activate_kind", "kind": "imp"},
        {"type": "activate", "figure": "imp-1"},
    ):
        session.command(command, CAMERA if command["type"] == "see" else JUDGE)
    desk.state.watcher.has_live = True
    desk.state.match.play(session)

    def sees(**changed):
        board = replace(board_of(session.timeline.game), **changed)
        shot = desk.build.live_copy(desk.build.true_shot("easy-03"), f"live-{session.seq}-{len(changed)}")
        desk.state.shown.show(replace(shot, corrected=board, taken_at_s=desk.state.now_s()))
        desk.state.shown.hold("now")

    sees()
    return SimpleNamespace(desk=desk, session=session, sees=sees)


def initiative(open_page, watched, size):
    page = open_page(watched.desk.address, size)
    page.get_by_role("navigation", name="Views").get_by_role("button", name="Turns").click()
    expect(page.get_by_role("button", name=re.compile("Move"))).to_be_visible()
    return page


@pytest.mark.parametrize("size", ["tablet", "phone"])
def test_a_door_that_is_gone_is_offered_as_opened_by_who_acts(watched, open_page, picture, size):
    (door,) = board_of(watched.session.timeline.game).doors
    beside = next(cell for edge in door.edges for cell in edge.cells)
    watched.session.command({"type": "place", "figure": "imp-1", "cells": [list(beside)]}, JUDGE)
    page = initiative(open_page, watched, size)
    offer = page.get_by_role("button", name=re.compile("The door at .* was opened by Imp 1: right?"))
    expect(offer).to_have_count(0)
    watched.sees(doors=())
    expect(offer).to_be_visible()
    picture(page, f"{size}-seen-door")
    offer.click()
    expect(page.get_by_role("status", name="What happened last")).to_contain_text("Imp 1 opens")
    assert watched.session.timeline.game.doors_open == (door.id,)
    expect(offer).to_have_count(0)

    watched.session.command({"type": "undo"}, JUDGE)
    expect(page.get_by_role("button", name=re.compile("^Open "))).to_be_visible()
    expect(offer).to_have_count(0)  # the camera still sees what was just undone, which is no step
    for gone in (False, True):
        with page.expect_response(re.compile("/match/seen")):
            watched.sees(**({"doors": ()} if gone else {}))
    expect(offer).to_be_visible()


def draws(page, points):
    """A finger that goes down at the first of these points of the picture, in its own units, and over the others."""
    spots = page.evaluate(
        """points => {
            const matrix = document.getElementById('choice-picture').getScreenCTM();
            return points.map(([x, y]) => new DOMPoint(x, y).matrixTransform(matrix)).map(({x, y}) => [x, y]);
        }""",
        points,
    )
    page.mouse.move(*spots[0])
    page.mouse.down()
    for spot in spots[1:]:
        page.mouse.move(*spot, steps=4)


def middles(page, watched, cells):
    """Return the middles of spaces on the camera's picture."""
    scene = page.request.get(f"{watched.desk.address}/api/v1/shots/live-5-0").json()
    outlines = {tuple(cell["cell"]): cell["outline"] for cell in scene["cells"]}
    return [[sum(axis) / 4 for axis in zip(*outlines[cell], strict=True)] for cell in cells]


@pytest.mark.parametrize("size", ["tablet", "phone"])
def test_a_way_is_drawn_on_the_picture_counted_and_refused_with_its_reason(watched, open_page, picture, size):
    page, game = initiative(open_page, watched, size), watched.session.timeline.game
    (stands,) = game.piece("imp-1").cells
    page.get_by_role("button", name=re.compile("^Move")).click()
    expect(page.locator("#choice-picture image")).to_be_visible()
    told = page.get_by_role("status").filter(has_text="Path")

    draws(page, middles(page, watched, [stands, (5, 1), (6, 1)]))
    expect(told).to_have_text("Path: 1 of 4 points. No further: the door there is closed")
    picture(page, f"{size}-way-refused")
    page.mouse.up()
    assert watched.session.timeline.game.piece("imp-1").cells == (stands,)

    draws(page, middles(page, watched, [stands, (4, 1), (3, 1), (2, 1)]))
    expect(told).to_have_text("Path: 3 of 4 points")
    picture(page, f"{size}-way-drawn")
    page.mouse.up()
    expect(page.get_by_role("button", name="Move: 2 points left")).to_be_visible()  # the shortest way there costs two
    assert watched.session.timeline.game.piece("imp-1").cells == ((2, 1),)


def test_a_way_without_spaces_is_drawn_and_counted_in_steps(play, open_page, picture):
    address, session = play("roads_first_skirmish")
    session.command({"type": "see", "document": session.header.table}, CAMERA)
    page = open_page(address)
    page.get_by_role("navigation", name="Views").get_by_role("button", name="Turns").click()
    prompts = page.get_by_role("group", name="What may be done now")
    prompts.get_by_role("button", name=re.compile("Begin the skirmish")).click()
    prompts.get_by_role("button", name=re.compile("end the .* phase")).click()
    prompts.get_by_role("button", name=re.compile("^A model walks")).click()
    page.get_by_role("group", name="The table: tap your choice").get_by_role("button", name="Squire").click()
    expect(page.get_by_role("heading", name="Where to?")).to_be_visible()

    draws(page, [[200, 200], [250, 200], [250, 250]])
    expect(page.get_by_role("status").filter(has_text="Path")).to_have_text("Path: 2.0 steps")
    picture(page, "tablet-way-steps")
    page.mouse.up()
    expect(page.get_by_role("status", name="What happened last")).to_contain_text("Squire")
    x, y = session.timeline.game.piece("squire").center_mm
    assert (round(x), round(y)) == (250, 250)
