"""A match begun on the page: mission, name, house rules, and everybody's page shows it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect


@pytest.mark.parametrize("size", ["tablet", "phone"])
def test_a_match_is_begun_on_the_page_and_every_other_page_shows_it(no_match, open_page, picture, size):
    address, state = no_match
    other = open_page(address)
    page = open_page(address, size)
    page.get_by_role("button", name="New match").first.click()
    dialog = page.get_by_role("dialog", name="New match")
    dialog.get_by_label("Game and mission").select_option(label="Knee Deep in the Dead (sample numbers)")
    dialog.get_by_label("Name of the match").fill("Friday")
    dialog.get_by_text("House rules").click()
    picture(page, f"{size}-new-match")
    dialog.get_by_role("button", name="Begin the match").click()

    expect(page.get_by_role("button", name="Begin the match", exact=True)).to_be_visible()
    expect(other.get_by_role("button", name="Initiative")).to_be_visible()
    assert state.match.header.id == "Friday"
    assert state.match.timeline.game.ground


def test_a_name_that_is_taken_is_told_in_the_form(no_match, open_page):
    address, state = no_match
    state.matches.begin("Friday", "roads_bridge_sample", {}, on_sample_table=True)
    page = open_page(address)
    page.get_by_label("Settings", exact=True).click()
    page.get_by_role("button", name="New match").click()
    dialog = page.get_by_role("dialog", name="New match")
    dialog.get_by_label("Name of the match").fill("Friday")
    open_page.expected.append("503")
    dialog.get_by_role("button", name="Begin the match").click()
    expect(dialog.get_by_role("alert")).to_contain_text("choose another name")


def test_a_match_is_gone_on_with_from_the_list(no_match, open_page):
    address, state = no_match
    for name in ("Friday", "Saturday"):
        state.matches.begin(name, "doom2016_tutorial_sample", {}, on_sample_table=True)
    page = open_page(address)
    page.get_by_label("Settings", exact=True).click()
    page.get_by_role("button", name="Go on with the match Friday").click()
    page.wait_for_load_state()
    expect(page.get_by_role("button", name="Initiative")).to_be_visible()
    assert state.match.header.id == "Friday"
    assert state.match_run == 3
