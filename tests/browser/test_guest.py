"""A phone on a running table's page first states its user, and plays for nobody before that."""

from __future__ import annotations

import pytest
from page_waits import settled
from playwright.sync_api import expect

from assistant.match.actor import JUDGE
from web.serving.roles import Role


@pytest.fixture
def table(desk, open_page):
    """The first round of a fight at a table with its owner's tablet; opens further phones there."""
    session = desk.build.new_session("doom2016", "doom2016_first_fight")
    desk.state.match.play(session)
    session.command({"type": "see", "document": session.header.table}, JUDGE)
    session.command({"type": "status", "shuffled_here": False}, JUDGE)
    desk.state.door.devices.join(desk.state.door.devices.invite(Role.OWNER).token, None)

    def open_phone(**more):
        page = open_page(desk.address, "phone", **more)
        page.wait_for_selector("#seat-ask[open]")
        settled(page)
        return page

    return open_phone, session, desk.state.door.devices


def test_a_phone_that_comes_without_a_code_says_first_who_it_is(table, picture):
    phone = table[0]()
    question = phone.get_by_role("dialog", name="You are not in yet")
    expect(question.get_by_label("Type the code from the host's screen")).to_be_in_viewport(ratio=1)
    expect(question.get_by_role("button", name="Marines", exact=True)).to_be_in_viewport(ratio=1)
    picture(phone, "phone-who-are-you")
    question.get_by_role("button", name="Invader", exact=True).tap()
    expect(question).to_be_hidden()
    phone.locator('[data-view="initiative"]').tap()
    expect(phone.locator("#own-hand .playing-card").first).to_be_attached()
    phone.locator("#menu > summary").tap()
    expect(phone.locator("#seat-now")).to_have_text("Invader")


def test_a_code_is_typed_into_the_first_question(table, open_page):
    open_phone, _, devices = table
    open_page.expected.append("status of 403")
    phone = open_phone()
    question = phone.get_by_role("dialog", name="You are not in yet")
    question.get_by_label("Type the code from the host's screen").fill("000 000")
    question.get_by_role("button", name="Join").tap()
    expect(question.get_by_role("alert")).to_be_visible()
    code = devices.invite(Role.PLAYER, side="invader").code
    question.get_by_label("Type the code from the host's screen").fill(f"{code[:3]} {code[3:]}")
    question.get_by_role("button", name="Join").tap()
    expect(phone.locator('body[data-role="player"] #seat-ask')).to_be_hidden()
    expect(phone.locator("#seat-now")).to_have_text("Invader")


def test_who_only_watches_is_offered_nothing_and_may_say_later_who_he_is(table, violations):
    open_phone, session, _ = table
    phone = open_phone(bypass_csp=True)
    assert violations(phone) == []
    question = phone.get_by_role("dialog", name="You are not in yet")
    question.get_by_role("button", name="Only watch").tap()
    phone.locator('[data-view="initiative"]').tap()
    expect(phone.locator("#acting")).to_be_visible()
    expect(phone.locator("#prompts button")).to_have_count(0)
    expect(phone.locator("#deeds")).to_be_hidden()
    session.command({"type": "damage", "figure": "bravo", "amount": 1}, JUDGE)
    expect(phone.locator("#told-title")).to_contain_text("Bravo")
    expect(question).to_be_hidden()
    phone.get_by_role("button", name="Say who you are").tap()
    question.get_by_role("button", name="Marines", exact=True).tap()
    expect(phone.locator("#prompts button").first).to_be_visible()


def test_who_has_joined_is_said_on_the_first_tablet_and_sees_what_it_plays(table, desk, open_page, picture):
    tablet = open_page(f"{desk.address}/#join={desk.state.door.devices.invite(Role.OWNER).token}")
    expect(tablet.locator('body[data-role="owner"]')).to_be_attached()
    phone = table[0]()
    question = phone.get_by_role("dialog", name="You are not in yet")
    question.get_by_role("button", name="Invader", exact=True).tap()
    expect(phone.get_by_role("banner")).to_contain_text("You play: Invader")
    expect(tablet.locator("#told-title")).to_have_text("Invader: joined with another device")
    picture(tablet, "tablet-has-joined")
    later = open_page(desk.address, "phone")  # the first guest has closed the door for further ones
    code = desk.state.door.devices.invite(Role.PLAYER, side="marines").code
    later.get_by_label("To play, type the code").fill(code)
    later.get_by_role("button", name="Join", exact=True).first.tap()
    expect(later.get_by_role("banner")).to_contain_text("You play: Marines")
