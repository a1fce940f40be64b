"""Reliable undo on two players' tablets: the step's owner, requests, yes and no, on every tab."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from assistant.documents import board_document
from assistant.match.actor import CAMERA, player
from web.serving.roles import Role


@pytest.fixture
def tablets(desk: Any, open_page: Any) -> tuple[Page, Page]:
    """The marines' tablet and the invader's phone; the invader has just hurt a brute."""

    def join(role: Role, name: str, size: str, **more: Any) -> Page:
        page: Page = open_page(f"{desk.address}/#join={desk.state.door.devices.invite(role, **more).token}", size)
        page.wait_for_selector(f'body[data-role="{role.value}"]')
        return page

    desk.state.match.session.command({"type": "damage", "figure": "brute-1", "amount": 1}, player("invader", "Bob"))
    return join(Role.PLAYER, "Ann", "tablet", side="marines"), join(Role.INVADER, "Bob", "phone")


def history(page: Page) -> None:
    page.get_by_role("button", name="History").click()


def damage(desk: Any) -> int:
    harm: int = desk.state.match.session.timeline.game.piece("brute-1").harm
    return harm


def test_the_others_step_is_asked_for_and_a_yes_on_any_tab_undoes_it(desk, tablets, picture, violations):
    marines, invader = tablets
    invader.get_by_role("button", name="Figures").click()
    history(marines)
    undo = marines.get_by_role("button", name="Undo", exact=True)
    expect(undo).to_have_attribute("title", "The others are asked first")
    undo.click()
    request = marines.get_by_role("group", name="A request to undo")
    expect(request).to_contain_text("Waiting for the others to agree to undo")
    expect(marines.get_by_role("button", name="Yes, undo it")).to_be_hidden()

    request = invader.get_by_role("group", name="A request to undo")
    expect(request).to_contain_text("asks to undo: Brute 1: 1 damage")
    picture(invader, "phone-undo-request")
    picture(marines, "tablet-undo-asked")
    assert [violations(page) for page in tablets] == [[], []]
    request.get_by_role("button", name="Yes, undo it").click()
    expect(request).to_be_hidden()
    expect(marines.get_by_role("group", name="A request to undo")).to_be_hidden()
    for page in tablets:
        expect(page.locator("#told-title")).to_have_text("Taken back: Brute 1: 1 damage")
    assert damage(desk) == 0


def test_a_no_leaves_all_unchanged(desk, tablets):
    marines, invader = tablets
    history(marines)
    marines.get_by_role("button", name="Undo", exact=True).click()
    invader.get_by_role("group", name="A request to undo").get_by_role("button", name="No", exact=True).click()
    expect(marines.get_by_role("group", name="A request to undo")).to_be_hidden()
    assert damage(desk) == 1


def test_ones_own_step_is_undone_at_once_though_the_camera_saw_something_since(desk, tablets):
    _, invader = tablets
    shot = desk.build.live_copy(desk.build.true_shot("easy-03"), "live-1")
    desk.state.match.session.command({"type": "see", "document": board_document(shot.board)}, CAMERA)
    history(invader)
    expect(invader.get_by_role("list", name="Steps of the match")).to_contain_text("the camera")
    invader.get_by_role("button", name="Undo", exact=True).click()
    expect(invader.get_by_role("button", name="Redo")).to_be_enabled()
    assert damage(desk) == 0


def test_every_step_names_its_author_and_going_far_back_is_asked_for(desk, tablets):
    marines, _ = tablets
    history(marines)
    steps = marines.get_by_role("list", name="Steps of the match")
    expect(steps).to_contain_text("Bob")
    expect(steps).to_contain_text("at the table")
    steps.get_by_role("button", name="Round 1 begins").click()
    expect(marines.get_by_role("button", name="Ask to go back to: Round 1 begins")).to_be_visible()
