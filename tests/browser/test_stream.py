"""The overlay of a stream: the turn, everybody's health, and the latest ruling."""

from __future__ import annotations

from playwright.sync_api import expect


def test_a_stream_shows_the_match_and_each_ruling_on_no_ground_of_its_own(desk, open_page, picture):
    page = open_page(f"{desk.address}/stream")
    order = page.locator("#stream-order li")
    expect(order.first).to_be_visible()
    assert order.count() == len(desk.state.match.session.tracker().order)
    ground = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(ground) == "rgba(0, 0, 0, 0)"
    expect(page.locator("#stream-ruling")).to_be_hidden()

    question = {"attacker": "bravo", "defender": "imp-1", "ruleset": "doom2016"}
    asked = page.request.post(
        f"{desk.address}/api/v1/shots/photo-easy-03/rulings", data=question, headers={"X-Sightline": "1"}
    )
    expect(page.locator("#stream-ruling")).to_have_text(asked.json()["sentence"])
    picture(page, "tablet-stream")


def test_without_a_match_a_stream_shows_nothing(desk, open_page):
    desk.state.match.session = None
    page = open_page(f"{desk.address}/stream")
    expect(page.locator("#stream-match")).to_be_hidden()


def test_a_browser_that_is_too_old_says_so(desk, open_page):
    page = open_page(f"{desk.address}/stream")
    page.add_init_script("delete window.structuredClone")
    page.reload()
    expect(page.get_by_role("alert")).to_have_text("This browser is too old. Use iOS 15.4, Chrome 99 or newer.")
