"""News of match and camera take nothing from under a finger or from the keyboard focus."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from page_waits import settled, until
from playwright.sync_api import Page, Route, expect
from said_table import SaidTable

from assistant.errors import CameraLost, DiskFull
from assistant.match.actor import TABLE
from assistant.translations.messages import said
from web.app import create_app
from web.serving.events import EventHub
from web.serving.server import PageServer

COUNT_CHANGES = """() => {
    window.changes = [];
    new MutationObserver((all) => window.changes.push(...all.map((one) => one.target.id || one.target.className)))
        .observe(document.querySelector("main"), { childList: true, subtree: true, characterData: true });
}"""


def hurt(desk: Any, figure: str, amount: int = 1) -> None:
    desk.state.match.session.command({"type": "damage", "figure": figure, "amount": amount}, TABLE)


def fighter(page: Page, name: str) -> Any:
    return page.locator(".fighter", has_text=name)


def health(page: Page, name: str) -> Any:
    return fighter(page, name).locator(".meter b")


def heard(page: Page, desk: Any) -> None:
    """Trigger news that the page does not show here, and wait until it has fetched the match again."""
    with page.expect_response("**/api/v1/match?*"):
        desk.state.problems.report("disk", DiskFull(12))
    settled(page)


def test_a_tap_before_the_script_runs_does_nothing_and_the_next_one_counts(desk, open_page):
    page = open_page(desk.address)
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route)

    page.route("**/static/page/page.js", hold)
    page.goto(desk.address, wait_until="commit")
    page.wait_for_selector("#views .tab")
    page.click("#menu > summary", force=True)
    assert page.locator("#menu").get_attribute("open") is None
    page.evaluate("document.getElementById('menu').open = true")
    page.evaluate("document.querySelector('#join button').focus()")
    page.keyboard.press("Enter")
    settled(page)
    assert page.evaluate("document.activeElement === document.body")
    assert "?" not in page.url, "a form was sent by the browser itself"
    page.evaluate("document.getElementById('menu').open = false")
    for route in waiting:
        route.continue_()

    page.click("#menu > summary")
    page.get_by_text("Set-up in use").click()
    expect(page.locator("#setup dd").first).to_be_visible()


def test_a_tap_counts_although_its_figure_changes_under_the_finger(desk, open_page):
    page = open_page(desk.address)
    page.click("[data-view=figures]")
    box = page.get_by_label("One wound to Medic 1").bounding_box()
    page.mouse.click(box["x"] - 40, box["y"] - 4)  # beside it, before that click ends
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    hurt(desk, "medic-1", 3)
    settled(page)
    expect(health(page, "Medic 1")).to_have_text("10")
    page.mouse.up()

    expect(health(page, "Medic 1")).to_have_text("6")


def test_the_keyboard_stays_where_it_was(desk, open_page):
    page = open_page(desk.address)
    page.click("[data-view=figures]")
    page.get_by_label("One wound less for Medic 1").focus()
    hurt(desk, "medic-1")
    expect(health(page, "Medic 1")).to_have_text("9")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "One wound less for Medic 1"

    page.click("[data-view=initiative]")
    page.locator("#prompts .primary").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#acting")).to_have_text(re.compile("acts$"))
    assert page.evaluate("document.activeElement.closest('#prompts') !== null")

    page.click("[data-view=history]")
    page.locator("#history .entry").nth(1).focus()
    title = page.evaluate("document.activeElement.textContent")
    hurt(desk, "medic-1")
    expect(page.locator("#history .entry").first).to_contain_text("1 damage")
    assert page.evaluate("document.activeElement.textContent") == title


@pytest.mark.parametrize("view", ["figures", "initiative", "history", "attack"])
def test_news_that_change_nothing_here_touch_nothing(desk, open_page, view):
    page = open_page(desk.address)
    if view == "initiative":
        with page.expect_response("**/match/laying?*"):  # it compares the table once
            page.click(f"[data-view={view}]")
    else:
        page.click(f"[data-view={view}]")
    settled(page)
    page.evaluate(COUNT_CHANGES)
    heard(page, desk)
    changes = page.evaluate("window.changes")

    assert [place for place in changes if place not in ("problems", "clock-times", "problem-count")] == []


def test_what_goes_wrong_while_the_network_fails_for_a_moment_is_reported_after_it(desk, open_page):
    page = open_page(desk.address)
    expect(page.locator("#status")).to_have_attribute("data-state", "ready")
    page.route("**/api/v1/now?*", lambda route: route.abort(), times=1)
    desk.state.problems.report("camera", CameraLost(said("the simulated camera is unplugged; plug it in again")))
    expect(page.locator("#problem-count")).to_have_text("1")
    open_page.expected.append("Failed to load resource")  # the browser's own message about a missing resource


def test_only_the_figure_that_changed_is_drawn_anew(desk, open_page):
    page = open_page(desk.address)
    page.click("[data-view=figures]")
    expect(health(page, "Medic 1")).to_be_visible()
    page.evaluate("document.querySelectorAll('.fighter').forEach((node) => (node.isOld = true))")
    hurt(desk, "medic-1")
    expect(health(page, "Medic 1")).to_have_text("9")

    old = page.evaluate("[...document.querySelectorAll('.fighter')].filter((node) => !node.isOld).length")
    assert old == 1


@pytest.fixture
def live(desk):
    SaidTable(desk.state, desk.build.true_setup("easy-03").roster)
    desk.show_live()
    desk.state.shown.hold("now")
    return desk


def next_picture(page: Page, desk: Any, number: int) -> None:
    with page.expect_response(f"**/api/v1/shots/live-{number}?*"):
        desk.show_live(number)
    settled(page)


def test_the_next_picture_leaves_keyboard_lists_and_card_as_they_are(live, open_page):
    page = open_page(live.address)
    for name in ("bravo", "imp-1"):
        page.locator(f'[data-figure="{name}"]').focus()
        page.keyboard.press("Enter")
    expect(page.locator("#card")).to_be_visible()
    page.locator("#card summary").first.click()
    expect(page.locator("#card details[open] li").first).to_be_visible()
    page.evaluate("document.querySelector('#attacker option').isOld = true")
    page.locator('[data-figure="imp-1"]').focus()
    next_picture(page, live, 1)

    assert page.evaluate("document.activeElement.dataset.figure") == "imp-1"
    assert page.evaluate("document.querySelector('#attacker option').isOld") is True
    expect(page.locator("#card details[open] li").first).to_be_visible()
    expect(page.locator("#overlay .sight").first).to_be_attached()


def test_back_goes_on_with_the_live_table(live, open_page):
    page = open_page(live.address)
    page.locator('[data-figure="bravo"]').focus()
    page.keyboard.press("Enter")
    page.click("[data-view=figures]")
    page.click("[data-view=table]")
    page.locator('[data-figure="imp-1"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator("#card")).to_be_visible()
    page.click("[data-view=history]")
    page.go_back()
    page.go_back()
    expect(page.locator("#view-table")).to_be_visible()
    next_picture(page, live, 1)

    expect(page.locator("#card")).to_be_visible()
    expect(page.locator("#go-live")).to_have_attribute("aria-pressed", "true")


def test_a_figure_that_is_being_set_right_stays_so_on_the_next_picture(live, open_page):
    page = open_page(live.address)
    page.locator('[data-figure="bravo"]').focus()
    page.keyboard.press("Enter")
    page.click("#correct")
    page.click("#sheet-menu button >> nth=0")
    page.keyboard.press("ArrowRight")
    hint = page.locator("#hint").inner_text()
    assert hint.startswith("Tap the space")
    next_picture(page, live, 1)

    expect(page.locator("#hint")).to_have_text(hint)
    expect(page.locator(".ghost-cell").first).to_be_attached()


def ask_about(page: Page, *figures: str) -> None:
    for figure in figures:
        page.locator(f'[data-figure="{figure}"]').focus()
        page.keyboard.press("Enter")
    expect(page.locator("#card")).to_be_visible()


def held_picture(page: Page, desk: Any, number: int) -> Callable[[], None]:
    """Return the camera's next picture, on its way to the page until the answer is called."""
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route)

    page.route(f"**/api/v1/shots/live-{number}?*", hold, times=1)
    desk.show_live(number)
    until(page, lambda: waiting)

    def let_go() -> None:
        with page.expect_response(f"**/api/v1/shots/live-{number}?*"):
            waiting[0].continue_()
        settled(page)

    return let_go


def test_a_picture_that_was_on_its_way_does_not_end_a_thought_that_began_meanwhile(live, open_page):
    page = open_page(live.address)
    page.locator('[data-figure="bravo"]').focus()
    page.keyboard.press("Enter")
    let_go = held_picture(page, live, 1)
    page.click("#what-if")
    let_go()
    expect(page.locator("#ghost")).to_be_visible()

    page.click("#ghost-end")
    expect(page.locator("#picture")).to_have_attribute("src", re.compile("live-1"))


def test_a_picture_that_was_on_its_way_does_not_take_the_place_of_a_ruling_that_was_opened_meanwhile(live, open_page):
    page = open_page(live.address)
    ask_about(page, "bravo", "imp-1")
    let_go = held_picture(page, live, 1)
    page.click("[data-view=history]")
    page.locator(".ruling").first.click()
    expect(page.locator("#go-live")).to_have_attribute("aria-pressed", "false")
    let_go()

    expect(page.locator("#picture")).to_have_attribute("src", re.compile("live-0"))


def test_what_was_wrong_with_a_ghosts_place_is_not_said_of_the_next_one(desk, open_page):
    page = open_page(desk.photo_link)
    ask_about(page, "bravo", "imp-1")
    page.click("#what-if")
    taken = page.locator("#trouble", has_text="Another figure stands there")
    for key in ("ArrowRight", "ArrowUp", "ArrowRight"):  # imp 1 goes into the brute
        page.keyboard.press(key)
    expect(taken).to_be_visible()
    page.keyboard.press("ArrowLeft")

    expect(page.locator("#card")).to_be_visible()
    expect(taken).to_be_hidden()
    open_page.expected.append("Failed to load resource")  # the browser's own line about the answer 400


def test_what_could_not_be_asked_while_the_table_was_away_is_asked_when_it_is_back(desk, open_page):
    page = open_page(desk.photo_link)
    page.wait_for_selector("[data-figure]")
    address = {"host": "127.0.0.1", "port": desk.server.port, "devices": 20}
    desk.state.hub.close()
    desk.server.stop()
    for figure in ("bravo", "imp-1"):
        page.locator(f'[data-figure="{figure}"]').focus()
        page.keyboard.press("Enter")
    expect(page.locator("#trouble")).to_contain_text("does not answer")
    page.click("[data-view=figures]")
    page.get_by_label("One wound to Medic 1").click()
    expect(page.locator("#view-figures .match-trouble")).to_contain_text("does not answer")
    desk.state = replace(desk.state, hub=EventHub(boot="desk-again", max_streams=80))
    desk.state.match.play(desk.state.match.session)
    desk.server = PageServer(create_app(desk.state), **address)
    desk.server.start()

    expect(page.locator("#view-figures .match-trouble")).to_be_hidden(timeout=20_000)
    page.click("[data-view=table]")
    expect(page.locator("#card")).to_be_visible()
    expect(page.locator("#trouble")).to_be_hidden()
    open_page.expected.append("Failed to load resource")  # the browser's own lines about the server that was away


def test_a_refused_code_is_reported_where_it_was_typed(desk, open_page):
    page = open_page(desk.address, "phone")
    page.click("[data-view=figures]")
    page.click("#menu > summary")
    page.fill("#join-code", "123456")
    page.click("#join button")

    expect(page.locator("#menu-trouble")).to_be_visible()
    expect(page.locator("#menu-trouble")).to_contain_text("code")
    open_page.expected.append("Failed to load resource")  # the browser's own line about the answer 400


def test_the_menu_is_closed_by_a_tap_beside_it_and_by_escape(desk, open_page):
    page = open_page(desk.address, "phone")
    page.click("#menu > summary")
    page.locator("#join-code").focus()
    page.keyboard.press("Escape")
    expect(page.locator("#menu .menu-body")).to_be_hidden()
    assert page.evaluate("document.activeElement.closest('#menu') !== null")

    page.click("#menu > summary")
    expect(page.locator("#menu .menu-body")).to_be_visible()
    page.mouse.click(8, 400)
    expect(page.locator("#menu .menu-body")).to_be_hidden()


def test_keys_in_a_list_or_on_a_button_move_no_figure(desk, open_page):
    page = open_page(desk.photo_link)
    page.locator('[data-figure="bravo"]').focus()
    page.keyboard.press("Enter")
    page.click("#what-if")
    text = page.locator("#ghost-text").inner_text()
    page.locator("#map").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#ghost-text")).to_have_text(text)
    assert page.locator("#map").input_value() != ""
    page.keyboard.press("Escape")
    page.click("#ghost-end")

    page.click("#correct")
    page.click("#sheet-menu button >> nth=0")
    page.keyboard.press("ArrowRight")
    page.locator("[data-view=history]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#view-history")).to_be_visible()
    expect(page.locator("#corrected")).to_be_hidden()
