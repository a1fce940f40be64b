"""The player's own hand as cards: a tap plays one, decks and discards are counted, and other hands stay hidden."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from assistant.match.actor import CAMERA, JUDGE
from web.serving.roles import Role


@pytest.fixture
def bravo_acts(desk, open_page):
    """A match of 2016 in which a marine acts: the marines' device of some size, and the match."""
    session = desk.build.new_session("doom2016", "doom2016_first_fight")
    session.command({"type": "see", "document": session.header.table}, CAMERA)
    session.command({"type": "status", "shuffled_here": False}, JUDGE)
    session.command({"type": "reveal", "card": "bravo"}, JUDGE)
    desk.state.match.play(session)

    def join(size, role=Role.PLAYER, side="marines"):
        link = (
            desk.state.door.devices.invite(role, side=side)
            if role is Role.PLAYER
            else desk.state.door.devices.invite(role)
        )
        page = open_page(f"{desk.address}/#join={link.token}", size)
        page.wait_for_selector(f'body[data-role="{role.value}"]')
        page.get_by_role("navigation", name="Views").get_by_role("button", name="Turns").click()
        return page

    return join, session


@pytest.mark.parametrize("size", ["tablet", "phone"])
def test_a_card_is_tapped_and_lies_on_the_discards(bravo_acts, picture, violations, size):
    join, session = bravo_acts
    page = join(size)
    hand = page.get_by_role("region", name="Own hand")
    mine = hand.get_by_role("group").filter(has_text="Hand: Bravo").first
    expect(mine).to_contain_text("In the hand: 3")
    cards = mine.get_by_role("listitem")
    expect(cards).to_have_count(3)
    expect(hand.get_by_text("Hand: Alpha")).to_be_visible()
    expect(hand.get_by_text("Hand: Alpha").locator("xpath=ancestor::details[1]")).not_to_have_attribute("open", "")
    picture(page, f"{size}-hand")
    assert violations(page) == []

    before = session.seq
    cards.filter(has=page.get_by_role("button")).first.get_by_role("button").first.click()
    expect(page.locator("main")).to_have_attribute("data-seq", re.compile(rf"^(?!{before}$)\d+$"))
    assert len(session.timeline.game.deck("bravo").hand) == 2
    expect(mine).to_contain_text("In the hand: 2")
    expect(cards).to_have_count(2)


def test_the_invader_sees_no_card_of_the_marines(bravo_acts):
    join, session = bravo_acts
    page = join("phone", Role.INVADER)
    names = {session.timeline.game.card(card).name for card in session.timeline.game.deck("bravo").hand}
    expect(page.locator("#prompts")).to_contain_text("Waiting for")
    assert not any(name in page.locator("#own-hand").inner_text() for name in names)
    told = page.request.get(f"{page.url.partition('#')[0]}api/v1/match/hands").json()["hands"]
    assert {hand["owner"] for hand in told} <= {"invader"}


def test_an_idle_card_says_whose_turn_it_is(bravo_acts, picture):
    join, session = bravo_acts
    page = join("tablet")
    hand = page.get_by_role("region", name="Own hand")
    hand.get_by_text("Hand: Alpha").click()
    alpha = hand.get_by_role("group").filter(has_text="Hand: Alpha").first
    expect(alpha.get_by_text("not now: it is the turn of Bravo").first).to_be_visible()
    session.command({"type": "end"}, JUDGE)
    expect(hand.get_by_text("not now: it is the turn of Invader").first).to_be_visible()
    expect(hand).not_to_contain_text("is shown on a device of that side alone")
    picture(page, "tablet-idle-cards")
