"""The live table in a real browser: agreement, questions, corrections, and an outdated table out of view."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from page_waits import settled, until
from playwright.sync_api import expect
from said_table import SaidTable

from assistant.table.roster import DoorSpec, Roster, RosterFigure

ROSTER = Roster(
    (
        RosterFigure("imp-1", "imp", "demons", (1, 1), 22, 30),
        RosterFigure("imp-2", "imp", "demons", (1, 1), 22, 30),
        RosterFigure("marine-red", "marine", "marines", (1, 1), 22, 30),
    ),
    DoorSpec(4, 1, 30, 2),
)


@dataclass(frozen=True)
class Asked:
    id: str = "question-1"
    figure: str = "imp-1"
    candidates: tuple[str, ...] = ("imp-1", "imp-2")


@pytest.fixture
def live(desk):
    SaidTable(desk.state, ROSTER, (Asked(),))
    desk.show_live()
    desk.state.shown.hold("now")
    return desk


def test_the_live_table_is_asked_about_held_and_told_to_be_old(live, open_page, picture):
    page = open_page(live.address)
    expect(page.locator("#status")).to_have_attribute("data-state", "live")
    expect(page.locator("#holding")).to_be_hidden()

    page.click("#live-asks button:has-text('Imp 2')")
    expect(page.locator("#live-asks")).to_be_hidden()
    assert live.state.watcher.table.said[0].answers == {"question-1": "imp-2"}

    page.click("#freeze")
    expect(page.locator("#freeze")).to_have_attribute("aria-pressed", "true")
    assert live.state.watcher.table.is_frozen
    page.click("#freeze")
    expect(page.locator("#freeze")).to_have_attribute("aria-pressed", "false")

    live.state.shown.hold("old")
    expect(page.locator("#holding")).to_be_visible()
    expect(page.locator("#status")).to_have_attribute("data-state", "old")
    picture(page, "live-old")
    live.state.shown.hold("now")
    expect(page.locator("#holding")).to_be_hidden()


def test_setting_the_live_table_right_goes_on_following_the_camera(live, open_page):
    page = open_page(live.address)
    live.state.watcher.table.questions = ()
    figure = page.locator("[data-figure]").first
    figure.wait_for()
    page.evaluate(
        "document.querySelector('[data-figure]').dispatchEvent(new MouseEvent('contextmenu', {bubbles: true}))"
    )
    page.click("#sheet-menu >> text=It is not on the board")
    until(page, lambda: live.state.watcher.table.said)
    assert list(live.state.watcher.table.said[0].figures.values()) == [None]
    expect(page.locator("#status")).to_have_attribute("data-state", "live")


def test_a_question_that_was_not_heard_for_a_moment_is_asked_with_the_next_news(live, open_page):
    page = open_page(live.address)
    expect(page.locator("#live-asks")).to_contain_text("Which one is this")
    page.route("**/api/v1/live?*", lambda route: route.abort(), times=1)
    live.state.watcher.table.questions = (Asked("question-2", "imp-1", ("imp-2", "imp-1")), Asked("question-3"))
    live.state.shown.hold("old")
    settled(page)
    live.state.shown.hold("now")

    expect(page.locator("#live-asks")).to_contain_text("More questions after this one: 1")
    open_page.expected.append("Failed to load resource")  # the browser's own message about a missing resource


def test_a_figure_gets_another_name_by_hand(live, open_page, picture):
    page = open_page(live.address)
    live.state.watcher.table.questions = ()
    figure = page.locator("[data-figure]").first
    figure.wait_for()
    name = figure.get_attribute("data-figure")
    figure.dispatch_event("contextmenu")
    page.click("#sheet-menu >> text=It is another figure")
    expect(page.locator("#sheet-menu select")).to_be_focused()
    page.click("#sheet-menu >> text=Use this name")  # no one is chosen: nothing happens
    figure.dispatch_event("contextmenu")
    page.click("#sheet-menu >> text=It is another figure")
    page.select_option("#sheet-menu select", index=1)
    really = page.locator("#sheet-menu select").input_value()
    picture(page, "live-name")
    page.click("#sheet-menu >> text=Use this name")
    until(page, lambda: live.state.watcher.table.said)
    assert [said.names for said in live.state.watcher.table.said] == [{name: really}]
    expect(page.locator("#sheet-menu")).to_be_hidden()
