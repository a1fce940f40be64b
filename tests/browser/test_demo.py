"""The demo: a simulated table is watched, and everybody at the table sees the same."""

from __future__ import annotations

import re
import signal

import pytest
from page_waits import settled
from playwright.sync_api import Page, expect

from assistant.app.care.reports import KeptReports
from assistant.app.live.game_files import GameFiles
from assistant.documents.report import report_from_zip
from assistant.settings import Settings
from assistant.wiring.table import open_table
from vision.simulation.faults import Fault
from vision.sources.virtual import Switch

FIRST_PICTURE_MS = 150_000  # the first rendering and reading on two busy cores


def wait_for_figures(page: Page) -> None:
    page.wait_for_selector("[data-figure]", timeout=FIRST_PICTURE_MS)


def tap_two(page: Page) -> None:
    for place in (0, -1):
        page.locator("[data-figure]").nth(place).focus()
        page.keyboard.press("Enter")
        settled(page)


@pytest.mark.parametrize("size", ["tablet", "phone"])
def test_the_table_is_watched_and_ruled_on(demo, open_page, picture, size):
    page = open_page(demo.address, size)
    wait_for_figures(page)
    expect(page.locator("#status-text")).to_have_text(re.compile("Live|Picture"))
    picture(page, f"{size}-demo-1-live")
    tap_two(page)
    expect(page.locator("#card")).to_be_visible()
    picture(page, f"{size}-demo-2-ruled")


def test_a_wrong_reading_of_the_watched_table_is_completed_by_its_correction(programs, tmp_path, open_page, picture):
    still = programs.begin(tmp_path, "demo")
    page = open_page(still.address, "phone")
    page.get_by_role("button", name="Skip").tap()
    wait_for_figures(page)
    page.get_by_role("button", name="This was read wrongly").tap()
    expect(page.locator("#hint")).to_contain_text("Correct what is wrong now")
    figure = page.locator("[data-figure]").nth(2)
    figure.tap(force=True)  # names lie over the bases
    page.get_by_role("button", name="Correct it").tap()
    page.get_by_role("button", name="It is not on the board").tap()
    expect(page.locator("#hint")).to_contain_text("The report now shows the true table.")
    picture(page, "phone-read-wrongly-corrected")
    page.close()  # a page that loses its program says so on the console
    assert programs.end(still) == 0

    (file,) = KeptReports(tmp_path).files()
    report = report_from_zip(file.read_bytes())
    assert (report.head.source, len(report.observed.board.figures) - len(report.right.figures)) == ("live", 1)


def test_a_visitor_alone_may_choose_from_a_hand(demo, open_page):
    page = open_page(demo.address)
    page.get_by_role("navigation", name="Views").get_by_role("button", name="Turns").click()
    page.get_by_role("button", name="Trade event cards for argent").click()
    expect(page.get_by_role("region", name="Which card?")).to_be_visible()
    expect(page.locator("#choices").get_by_role("button").first).to_be_visible()
    page.get_by_role("button", name="Cancel").click()


def test_a_new_picture_of_the_camera_comes_by_itself(demo, open_page):
    page = open_page(demo.address)
    wait_for_figures(page)
    before = page.get_attribute("#picture", "src")

    page.wait_for_function(
        "before => document.getElementById('picture').getAttribute('src') !== before",
        arg=before,
        timeout=FIRST_PICTURE_MS,
    )


def test_an_unplugged_camera_is_reported_and_forgotten_when_it_is_back(tmp_path, open_page):
    settings = Settings(host="127.0.0.1", port=0, data=tmp_path)
    table = open_table(settings, GameFiles(), is_simulated=True)
    try:
        page = open_page(table.addresses[0])
        wait_for_figures(page)
        page.click("[data-view=problems]")
        camera = page.locator("[data-part=camera]")
        expect(camera).to_have_class("part well")
        table.page.watcher.source.ask(None, Switch(Fault.UNPLUGGED, is_on=True))
        expect(camera).to_have_class("part wrong", timeout=60_000)
        expect(page.locator("#problem-count")).to_be_visible()

        table.page.watcher.source.ask(None, Switch(Fault.UNPLUGGED, is_on=False))
        camera.locator("button").click()
        expect(camera).to_have_class("part well", timeout=60_000)
        page.close()  # a page that loses its program says so on the console
    finally:
        table.close()


def test_the_strip_on_the_page_has_the_strips_pixels(demo, open_page):
    page = open_page(demo.address)
    page.wait_for_selector("#strip:not([hidden])", timeout=FIRST_PICTURE_MS)
    now = page.request.get(f"{demo.address}/api/v1/now").json()

    assert page.locator("#strip i").count() == len(now["strip"]["pixels"]) == 60
    assert all(re.fullmatch("#[0-9a-f]{6}", color) for color in now["strip"]["pixels"])


def test_a_page_that_is_cut_off_says_so_and_comes_back(demo, open_page):
    page = open_page("about:blank")
    page.clock.install()
    page.goto(demo.address)
    expect(page.locator("#status")).not_to_have_attribute("data-state", "ready", timeout=FIRST_PICTURE_MS)
    demo.process.send_signal(signal.SIGSTOP)  # the machine is there, but nothing answers any more
    try:
        page.clock.fast_forward("00:13")  # the page gives it twelve seconds
        expect(page.locator("#status")).to_have_attribute("data-state", "lost", timeout=30_000)
        expect(page.locator("#status-text")).to_contain_text("Cut off for")
    finally:
        demo.process.send_signal(signal.SIGCONT)

    expect(page.locator("#status")).not_to_have_attribute("data-state", "lost", timeout=30_000)


def test_a_step_on_one_tablet_is_seen_on_the_other_and_undone_there(demo, open_page, picture):
    first, second = open_page(demo.address), open_page(demo.address, "phone")
    for page in (first, second):
        page.click("[data-view=figures]")
        page.wait_for_selector(".fighter")
    first.locator(".fighter", has_text="Medic 1").locator(".step").first.click()

    expect(second.locator(".fighter", has_text="Medic 1")).to_contain_text("9 of 10")
    picture(first, "tablet-demo-4-match")
    picture(second, "phone-demo-4-match")
    second.click("[data-view=history]")
    second.click("#undo")
    expect(first.locator(".fighter", has_text="Medic 1")).to_contain_text("10 of 10")


def test_the_owner_invites_a_phone_and_ends_it(demo, open_page, picture):
    owner = open_page(demo.new_owner_link())
    expect(owner.locator("body")).to_have_attribute("data-role", "owner", timeout=10_000)
    owner.click("#menu > summary")
    owner.select_option("#invite-role", "spectator")
    owner.click("#invite button")
    code = owner.locator("#invitation .code").inner_text()
    assert re.fullmatch(r"\d{3} \d{3}", code)
    picture(owner, "tablet-demo-3-invite")
    owner.locator("#invitation-sheet").get_by_role("button", name="Close").click()

    phone = open_page(demo.address, "phone")
    phone.click("#menu > summary")
    phone.fill("#join-code", code)
    phone.click("#join button")
    expect(phone.locator("body")).to_have_attribute("data-role", "spectator", timeout=10_000)

    owner.click("#menu > summary")
    owner.click("#menu > summary")
    owner.locator("#devices li", has_text="Spectator").locator("button").click()
    expect(owner.locator("#devices li", has_text="Spectator")).to_have_count(0)
    phone.reload()
    expect(phone.locator("body")).to_have_attribute("data-role", "judge")


@pytest.mark.parametrize(
    ("there", "name"),
    [
        ({"imp~1": [1, 1], "imp~2": [5, 6]}, "imp~2"),  # the other one walked to the front: the numbers changed
        ({"imp~1": [5, 6]}, "imp~1"),  # the other one is gone
        ({"imp~1": [0, 0], "imp~2": [9, 9]}, None),  # no figure is near
        ({"imp~1": [4, 5], "imp~2": [6, 5]}, None),  # the two look alike
    ],
)
def test_a_chosen_figure_is_followed_when_the_numbers_change(demo, open_page, there, name):
    page = open_page(demo.address)
    before = [{"id": "imp~1", "kind": "imp", "side": "demons", "cells": [[5, 5]]}]
    now = [{"id": each, "kind": "imp", "side": "demons", "cells": [cell]} for each, cell in there.items()]

    answer = page.evaluate(
        """async ([before, now]) => {
            const { followed } = await import("/static/table/follow.js");
            return followed("imp~1", { figures: before }, { figures: now });
        }""",
        [before, now],
    )
    assert answer == name
