"""Before an attack closes, the other side gets a question on its own device: one tap there, and none for others."""

from __future__ import annotations

import re
from typing import Any

import pytest
from page_waits import until
from playwright.sync_api import Page, expect

from assistant.match.actor import JUDGE, player
from assistant.match.audience import Audience
from assistant.match.game import INVADER
from web.serving.roles import Role


def attack(session: Any) -> str:
    """Return a demon attacks a marine, who has revealed the defence card; returns the marine."""
    give, ann, bob = session.command, player("marines", "Ann"), player(INVADER, "Bob")
    while True:
        give({"type": "reveal"}, JUDGE)
        turn = session.timeline.game.turn
        if turn is not None and turn.side == INVADER:
            break
        if turn is not None:
            give({"type": "end"}, JUDGE)
    game = session.timeline.game
    kind = next(kind for kind in game.kinds_on_table() if game.demon_cards[kind].ready)
    give({"type": "activate_kind", "kind": kind}, bob)
    give({"type": "activate", "figure": session.timeline.game.turn.queue[0]}, bob)
    marine: str = game.standing("marines")[0].id
    give({"type": "attack", "defender": marine, "range": 1}, bob)
    give({"type": "defend"}, ann)
    return marine


@pytest.fixture
def tablets(desk: Any, open_page: Any) -> tuple[Page, Page]:
    """The marines' tablet and the invader's phone in an open attack of a demon."""

    def join(role: Role, name: str, size: str, **more: Any) -> Page:
        page: Page = open_page(f"{desk.address}/#join={desk.state.door.devices.invite(role, **more).token}", size)
        page.wait_for_selector(f'body[data-role="{role.value}"]')
        page.locator("[data-view=initiative]").click()
        return page

    attack(desk.state.match.session)
    return join(Role.PLAYER, "Ann", "tablet", side="marines"), join(Role.INVADER, "Bob", "phone")


def test_the_attacked_side_is_asked_on_its_device_and_the_other_waits(desk, tablets, violations):
    marines, invader = tablets
    prompts = invader.locator("#prompts")
    expect(invader.locator("#acting")).to_contain_text(re.compile("^Waiting for Marines: .*react"))
    expect(marines.locator("#acting")).to_contain_text(re.compile("^Your turn: .*react"))
    expect(prompts.get_by_role("button", name=re.compile("Apply .* damage|No damage to"))).to_have_count(0)
    asked = marines.locator("#prompts").get_by_role("button", name=re.compile("^No reaction"))
    expect(asked).to_have_count(1)
    assert [violations(page) for page in tablets] == [[], []]

    asked.click()
    close = prompts.get_by_role("button", name=re.compile("Apply .* damage|No damage to"))
    expect(close).to_have_count(1)
    close.click()
    expect(close).to_have_count(0)
    assert desk.state.match.session.timeline.game.pending is None


def test_who_is_asked_finds_it_on_every_tab(desk, tablets):
    marines, _ = tablets
    marines.get_by_role("button", name="Figures").click()
    expect(marines.locator("#turn-badge")).to_be_visible()


def word_replies(session: Any) -> list[str]:
    """Return the cards that the marines may answer with, as their own devices word them."""
    asked = session.view(Audience(side="marines"))["asked"]
    return [reply["text"].rpartition(": ")[2] for one in asked for reply in one["replies"]]


@pytest.mark.parametrize("size", ["tablet", "phone"])
def test_a_card_that_may_answer_lies_beside_the_no(desk, open_page, picture, violations, size):
    session = desk.state.match.session
    attack(session)
    words = word_replies(session)
    assert words, "somebody holds a reaction"
    invite = desk.state.door.devices.invite
    page = open_page(f"{desk.address}/#join={invite(Role.PLAYER, side='marines').token}", size)
    page.wait_for_selector('body[data-role="player"]')
    page.locator("[data-view=initiative]").click()
    prompts = page.locator("#prompts")
    cards = prompts.locator(".reply")
    expect(cards).to_have_count(len(words))
    for card, gives in zip(cards.all(), words, strict=True):
        expect(card).to_contain_text(gives)
        expect(card).to_be_in_viewport(ratio=1)
    no = prompts.get_by_role("button", name=re.compile("^No reaction"))
    expect(no).to_be_in_viewport(ratio=1)
    expect(prompts.locator(".primary")).to_have_count(0)
    heights = [one.bounding_box()["height"] for one in (cards.first, no)]
    assert min(heights) >= 64, "the no is no larger than a card, for a quick finger"
    assert prompts.inner_text().count("does ") == 1, "only who holds an answer is asked about"
    picture(page, f"{size}-replies")
    assert violations(page) == []
    held = sum(len(session.timeline.game.deck(one).hand) for one in session.timeline.game.decks)
    cards.first.click()
    until(page, lambda: sum(len(session.timeline.game.deck(one).hand) for one in session.timeline.game.decks) < held)


def test_a_closed_hand_is_looked_at_before_its_cards_are_offered(desk, open_page, picture):
    session = desk.state.match.session
    attack(session)
    words = word_replies(session)
    page = open_page(f"{desk.address}/#join={desk.state.door.devices.invite(Role.OWNER).token}")
    page.wait_for_selector('body[data-role="owner"]')
    page.locator("[data-view=initiative]").click()
    reply = page.locator("#prompts .reply")
    expect(reply).to_have_text(["Marines: look at the hand"])
    assert not any(word in page.locator("#view-initiative").inner_text() for word in words)
    picture(page, "replies-closed")
    reply.click()
    page.get_by_role("button", name="I have it: show my cards").click()
    expect(reply).to_have_count(len(words))
    expect(reply.first).to_contain_text(words[0])
    picture(page, "replies-open")
