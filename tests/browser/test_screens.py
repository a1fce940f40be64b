"""Players by name, and complete pages on any screen."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from page_waits import settled
from playwright.sync_api import expect

from web.serving.roles import Role


def test_the_owner_knows_a_device_by_its_number_and_what_it_runs_on(desk, open_page):
    phone = open_page(
        desk.address, "phone", user_agent="Mozilla/5.0 (Linux; Android 14) Chrome/126.0 Mobile Safari/537.36"
    )
    phone.click("#menu > summary")
    number = re.search(r"device (\d+)", phone.locator("#menu").inner_text())[1]
    owner = open_page(f"{desk.address}/#join={desk.state.door.devices.invite(Role.OWNER).token}")
    owner.wait_for_selector('body[data-role="owner"]')
    owner.click("#menu > summary")
    row = owner.locator("#devices li", has_text="Android, Chrome")

    expect(row).to_contain_text(f"device {number} · Player")
    expect(row).to_contain_text("just now")
    assert not re.search(r"\b[0-9a-f]{8}\b", owner.locator("#devices").inner_text())
    open_page.expected.append("status of 404")  # no matches are kept at this table


def test_the_big_screens_page_is_whole_on_a_phone_and_gives_the_picture_all_room_until_a_ruling(desk, open_page):
    desk.state.watcher.has_live = True
    desk.show_live()
    phone, screen = open_page(f"{desk.address}/wall", "phone"), open_page(f"{desk.address}/wall")
    for page, width in ((phone, 390), (screen, 1280)):
        page.wait_for_selector("[data-figure]", state="attached")
        settled(page)
        side = page.locator("#wall-side").bounding_box() or {"width": 0}
        assert page.locator("#stage").bounding_box()["width"] + side["width"] == width
    label = screen.locator("#overlay .label text").first.bounding_box()["height"]
    assert label > 1.3 * phone.locator("#overlay .label text").first.bounding_box()["height"]  # read across a room
    tablet = open_page(f"{desk.photo_link}&from=bravo&to=imp-1")
    expect(tablet.locator("#card")).to_be_visible()

    expect(screen.locator("#card")).to_be_visible()
    expect(phone.locator("#card")).to_be_in_viewport()
    assert screen.locator("#panel").bounding_box()["width"] > 350
    assert phone.locator("#panel").bounding_box()["width"] == 390


@pytest.mark.parametrize("language", ["en", "ru", "es"])
def test_on_a_phone_every_layer_is_in_reach_and_no_word_is_wider_than_its_button(desk, open_page, language):
    desk.state.watcher.has_live = True
    page = open_page(f"{desk.address}/?lang={language}#shot=photo-easy-03", "phone")
    page.evaluate("document.getElementById('freeze').hidden = false")
    page.wait_for_selector("[data-figure]", state="attached")
    wide = "nodes => nodes.filter((node) => node.scrollWidth > node.clientWidth).map((node) => node.textContent)"
    assert page.locator(".sources .button:visible").evaluate_all(wide) == []
    page.click("summary.tool")
    page.locator("[data-layer=tiles]").click()

    expect(page.locator("[data-layer=tiles]")).to_be_in_viewport(ratio=1)
    assert page.locator("#overlay").evaluate("node => node.classList.contains('no-tiles')")
    stage = page.locator("#stage").bounding_box()
    layers = page.locator(".layers fieldset").bounding_box()
    assert layers["y"] + layers["height"] <= stage["y"] + stage["height"]


def test_a_long_status_in_wide_letters_leaves_the_tabs_their_words(desk, open_page):
    page = open_page(desk.address)
    page.evaluate(
        """() => {
            document.getElementById("status-text").textContent = "Waiting for the first picture of the camera";
            document.querySelector(".bar").style.letterSpacing = "0.08em";
        }"""
    )
    cut = "all => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)"
    assert page.locator(".tab span").evaluate_all(cut) == []


def test_without_a_match_the_owner_learns_how_to_begin_one(desk, open_page):
    link = f"{desk.address}/#join={desk.state.door.devices.invite(Role.OWNER).token}"
    page = open_page(link)
    page.wait_for_selector('body[data-role="owner"]')
    expect(page.locator("#no-match")).to_have_count(0)
    desk.state.match.session = None
    page.reload()
    page.click("#menu > summary")

    expect(page.get_by_role("button", name="New match").first).to_be_visible()
    open_page.expected.append("status of 404")  # no matches are kept at this table


@pytest.mark.parametrize("size", ["tablet", "phone"])
def test_a_long_name_stays_on_the_set_ups_page_and_one_of_spaces_is_not_sent(scripted_set_up, size):
    page, scripted = scripted_set_up("save", size)
    scripted.now = replace(scripted.now, name="W" * 64, names=("W" * 64, "attic"))
    page.reload()
    page.wait_for_selector('[data-use="attic"]')
    for place in ("#saved", '[data-use="attic"]', f'[data-use="{"W" * 64}"]'):
        box = page.locator(place).bounding_box()
        assert box["x"] + box["width"] <= page.viewport_size["width"], place
    page.fill("#save-name", "   ")
    page.click("#save-form button")

    assert page.locator("#save-name").evaluate("node => node.matches(':invalid')")
    expect(page.locator("#trouble")).to_be_hidden()
