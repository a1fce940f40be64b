"""The end of a match with its story, and the replay with its slider; found by everybody at the table."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from assistant.documents import board_document
from assistant.match.actor import CAMERA, JUDGE, player


@pytest.fixture
def ended(desk: Any) -> Any:
    """A match on its table in which the medic has fallen and the invader has won."""
    give = desk.state.match.session.command
    give({"type": "see", "document": board_document(desk.build.true_shot("easy-03").board)}, CAMERA)
    for figure, amount in (("bravo", 3), ("imp-1", 50)):
        if figure in desk.state.match.session.timeline.game.pieces:
            give({"type": "damage", "figure": figure, "amount": amount}, player("marines", "Bob"))
    give({"type": "damage", "figure": "medic-1", "amount": 50}, player("marines", "Bob"))
    give({"type": "declare", "winner": "invader", "ending": "The medic is lost."}, JUDGE)
    return desk


def story_of(page: Page) -> Any:
    return page.get_by_role("dialog", name="The story of the match")


@pytest.mark.parametrize("size", ["tablet", "phone"])
@pytest.mark.parametrize("language", ["en", "ru", "es"])
def test_who_has_won_and_how_is_reported_where_the_next_step_would_be(
    ended, open_page, picture, violations, size, language
):
    page = open_page(f"{ended.address}/?lang={language}", size)
    page.locator("[data-view=initiative]").click()
    expect(page.locator("#view-initiative")).to_have_class(re.compile("is-over"))
    # No side before it; after it, the fact that people ended the match, and who.
    expect(page.locator("#goals li")).to_have_text(re.compile(r"^The medic is lost\. · \S.*: \S"), use_inner_text=True)
    picture(page, f"{size}-end-{language}")
    page.locator("#story-of-end").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("The medic is lost.")
    expect(dialog.locator(".moment.fall").first).to_be_visible()
    picture(page, f"{size}-story-{language}")
    assert language != "en" or violations(page) == []


def test_turning_points_lead_to_the_table_as_it_was_then(ended, open_page):
    page = open_page(ended.address)
    page.get_by_role("button", name="Turns").click()
    page.get_by_role("button", name="The story of the match").click()
    story = story_of(page)
    expect(story).to_contain_text("Winner: Invader")
    fall = story.get_by_role("button", name="Lost: Medic 1")
    expect(fall).to_contain_text("Bob")
    fall.click()
    expect(story.get_by_role("status")).to_contain_text("Medic 1: 50 damage")
    expect(story).to_contain_text("Marines – figures lost: 1")


def test_the_slider_goes_through_the_match_by_finger_and_by_keys(ended, open_page):
    page = open_page(ended.address)
    page.get_by_role("button", name="History").click()
    page.get_by_role("button", name="Replay and story").click()
    story = story_of(page)
    slider = story.get_by_role("slider", name="Step of the match")
    expect(slider).to_have_attribute("max", re.compile(r"\d+"))
    last = int(slider.get_attribute("max") or 0)
    expect(slider).to_have_value(str(last))
    slider.press("Home")
    expect(story.get_by_role("status")).to_have_text(f"0 of {last}: The beginning")
    story.get_by_role("button", name="A step on").click()
    expect(story.get_by_role("status")).to_contain_text("Round 1 begins")
    slider.press("End")
    expect(story.get_by_role("status")).to_contain_text(f"{last} of {last}")
    page.keyboard.press("Escape")
    expect(story).to_be_hidden()


def test_a_match_that_goes_on_says_so_and_offers_no_end(desk, open_page):
    page = open_page(desk.address)
    page.get_by_role("button", name="Turns").click()
    expect(page.get_by_role("button", name="The story of the match")).to_have_count(0)
    page.get_by_role("button", name="History").click()
    page.get_by_role("button", name="Replay and story").click()
    expect(story_of(page)).to_contain_text("The match is not decided yet.")
    expect(story_of(page)).to_contain_text("Nobody has fallen yet.")
