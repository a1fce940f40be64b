"""Steps on the camera's picture: a door that it sees vanish, a way that is drawn with a finger."""

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
    """A match of 2016 in which an imp acts, and a camera that shows its table, or what a test makes of that."""
    session = desk.build.new_session("doom2016", "doom2016_first_fight")
    for command in (
        {"type": "see", "document": session.header.table},
        {"type": "status", "shuffled_here": False},
        {"type": "reveal", "card": "invader"},
        {"type": "activate_kind", "kind": "imp"},
        {"type": "activate", "figure": "imp-1"},
    ):
        session.command(command, CAMERA if command["type"] == "see" else JUDGE)
    desk.state.has_live = True
    desk.state.play(session)

    def sees(**changed):
        board = replace(board_of(session.timeline.game), **changed)
        shot = desk.build.live_copy(desk.build.true_shot("easy-03"), f"live-{session.seq}-{len(changed)}")
        desk.state.show_live(replace(shot, corrected=board, taken_at_s=desk.state.now_s()))
        desk.state.hold("now", desk.state.now_s())

    sees()
    return SimpleNamespace(desk=desk, session=session, sees=sees)


def initiative(open_page, watched, size):
    page = open_page(watched.desk.address, size)
    page.get_by_role("navigation", name="Views").get_by_role("button", name="Initiative").click()
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
