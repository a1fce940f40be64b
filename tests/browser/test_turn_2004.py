"""A turn of DOOM 2004 on one shared tablet: a tap goes there or says the goal, and both sides are handed it."""

from __future__ import annotations

import re

import pytest
from page_waits import settled
from playwright.sync_api import expect

from assistant.match.actor import CAMERA, JUDGE
from web.serving.roles import Role

MIDDLE = """(picture, [x, y]) => {
    const at = new DOMPoint(x + 0.5, y + 0.5).matrixTransform(picture.getScreenCTM());
    return [at.x, at.y];
}"""


@pytest.fixture
def shared(desk, open_page):
    """A shared tablet on which the red marine sprints, and its match."""
    session = desk.build.new_session("doom2004", "doom2004_knee_deep_sample")
    for command in (
        {"type": "see", "document": session.header.table},
        {"type": "begin"},
        {"type": "action", "action": "sprint"},
    ):
        session.command(command, CAMERA if command["type"] == "see" else JUDGE)
    desk.state.match.play(session)
    page = open_page(f"{desk.address}/#join={desk.state.door.devices.invite(Role.OWNER).token}", "tablet")
    page.wait_for_selector('body[data-role="owner"]')
    page.locator('[data-view="initiative"]').click()
    expect(page.locator("#now-picture [data-figure]").first).to_be_visible()
    return page, session


def tap(page, cell):
    settled(page)
    x, y = page.locator("#now-picture").evaluate(MIDDLE, cell)
    page.mouse.click(x, y)


def test_a_tap_on_a_space_in_reach_goes_there(shared):
    page, session = shared
    tap(page, [2, 1])
    expect(page.get_by_role("status", name="What happened last")).to_contain_text("Red marine moved from A1 to C2")
    assert session.timeline.game.piece("red-marine").cells == ((2, 1),)


def test_a_flag_covers_no_letters_and_its_space_says_how_to_win(shared):
    page, session = shared
    expect(page.locator("#now-picture .goal")).not_to_have_class(re.compile("badge"))
    session.command({"type": "place", "figure": "imp-1", "cells": [[8, 1]]}, JUDGE)
    session.command({"type": "end"}, JUDGE)
    expect(page.locator("#now-picture .goal")).to_have_class(re.compile("badge"))
    session.command({"type": "action", "action": "unload"}, JUDGE)
    session.command({"type": "place", "figure": "imp-1", "cells": [[11, 3]]}, JUDGE)
    tap(page, [9, 1])
    expect(page.locator("#prompts .reason")).to_contain_text("Marines: Bring Red key (space E2) to the exit")


def test_both_sides_get_the_tablet_by_the_same_screen(shared):
    page, session = shared
    for command in ({"type": "end"}, {"type": "action", "action": "sprint"}, {"type": "end"}):
        session.command(command, JUDGE)
    cover = page.locator("#cover")
    page.get_by_role("button", name="Invader: Draw cards").click()
    expect(cover).to_contain_text("Invader")
    cover.get_by_role("button", name="I have it: show my cards").click()
    page.get_by_role("button", name="Activate the invaders").click()
    page.get_by_role("button", name="End the round").click()
    expect(cover).to_contain_text("Marines")
    cover.get_by_role("button", name="I have it: go on").click()
    expect(cover).to_be_hidden()
    expect(page.get_by_role("heading", name="Hand: Invader")).to_have_count(0)
