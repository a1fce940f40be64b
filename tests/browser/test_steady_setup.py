"""Set-up and teaching keep taps, focus and typed text, whatever the camera shows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from page_waits import STILL, choose_file, settled, until
from playwright.sync_api import Page, expect

from assistant.errors import CameraLost, UnknownCamera
from assistant.translations.messages import said

OF_PICTURES = {"told", "lens-count", "overlay", "frame", "busy", "busy-text"}
"""Parts that every new picture may redraw: they describe the picture, and cannot be tapped."""

COUNT_CHANGES = """() => {
    window.changes = [];
    new MutationObserver((all) => window.changes.push(...all.map((one) => one.target.id || one.target.className)))
        .observe(document.body, { childList: true, subtree: true, characterData: true });
}"""


def looked(page: Page, scripted: Any, times: int) -> None:
    """Wait until the camera has been looked at some more times."""
    enough = scripted.looks + times
    until(page, lambda: scripted.looks >= enough)
    page.evaluate(STILL)


@pytest.mark.parametrize("step", ["camera", "lens", "table"])
def test_pictures_that_come_on_and_on_touch_nothing_that_can_be_used(scripted_set_up, step):
    page, scripted = scripted_set_up(step)
    looked(page, scripted, 2)
    page.evaluate(COUNT_CHANGES)
    looked(page, scripted, 4)

    assert set(page.evaluate("window.changes")) <= OF_PICTURES


def test_a_slow_tap_on_a_step_counts_although_pictures_come_meanwhile(scripted_set_up):
    page, scripted = scripted_set_up("table")
    box = page.locator('[data-go="save"]').bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    looked(page, scripted, 3)
    page.mouse.up()

    expect(page.locator('[data-step="save"]')).to_be_visible()


def test_typing_and_keyboard_focus_outlive_new_pictures(scripted_set_up):
    page, scripted = scripted_set_up("camera")
    page.locator("#camera-name").press_sequentially("http://192.168.")
    looked(page, scripted, 3)
    page.keyboard.type("1.20/video")
    expect(page.locator("#camera-name")).to_have_value("http://192.168.1.20/video")

    page.locator('[data-go="lens"]').focus()
    looked(page, scripted, 3)
    assert page.evaluate("document.activeElement.dataset.go") == "lens"


def test_a_camera_is_chosen_with_the_arrow_keys(scripted_set_up):
    page, scripted = scripted_set_up("camera")
    page.locator("#cameras input[value=virtual]").focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator('[data-go="camera"]')).to_contain_text("✓")

    assert scripted.now.source == "usb:0"
    assert page.evaluate("document.activeElement.value") == "usb:0"
    expect(page.locator("#cameras input[value='usb:0']")).to_be_checked()


def test_what_was_wrong_with_a_wish_is_said_until_the_next_wish_and_of_a_picture_until_the_next_picture(
    scripted_set_up, open_page
):
    page, scripted = scripted_set_up("camera")
    scripted.refuses["look"] = CameraLost(said("The camera does not deliver."))
    expect(page.locator("#trouble")).to_contain_text("camera does not deliver")
    scripted.refuses.clear()
    expect(page.locator("#trouble")).to_be_hidden()
    scripted.refuses["camera"] = UnknownCamera(said("no camera is called so"))
    page.fill("#camera-name", "gopro")
    page.click("#camera-form button")
    expect(page.locator("#trouble")).to_contain_text("No camera is called so")
    looked(page, scripted, 3)

    expect(page.locator("#trouble")).to_contain_text("No camera is called so")
    open_page.expected.append("Failed to load resource")  # the browser's own lines about the refusals


def test_a_list_keeps_the_keyboard_after_its_choice(scripted_set_up):
    page, scripted = scripted_set_up("game")
    page.locator("#tiles").focus()
    page.evaluate("document.querySelector('#tiles option').isOld = true")
    page.keyboard.press("ArrowDown")
    settled(page)

    assert scripted.now.game.tiles == "home"
    assert page.evaluate("document.activeElement.id") == "tiles"
    assert page.evaluate("document.querySelector('#tiles option').isOld") is True


def test_where_the_pressed_button_goes_the_keyboard_is_at_the_head_of_the_step(scripted_set_up):
    page, _ = scripted_set_up("lens")
    page.locator("#lens-solve").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#lens-result")).to_be_visible()

    assert page.evaluate("document.activeElement.id") == "lens-title"


def test_typing_goes_on_while_another_photo_is_read(scripted_teaching):
    page = scripted_teaching.page
    scripted_teaching.held.clear()
    choose_file(page, "#tile-more", scripted_teaching.picture)
    page.wait_for_selector("#busy:not([hidden])")
    page.locator("#tile-set").press_sequentially("ho")
    page.evaluate("document.querySelector('#tile-set').isOld = true")
    scripted_teaching.held.set()
    expect(page.locator("#busy")).to_be_hidden()
    page.keyboard.type("me")

    expect(page.locator("#tile-set")).to_have_value("home")
    assert page.evaluate("document.activeElement.isOld") is True


def test_the_tables_own_camera_takes_what_is_taught(scripted_set_up, desk, script, open_page):
    desk.build.put(desk.state, teaching=script.ScriptedTeaching())
    page, scripted = scripted_set_up("teach")
    page.click("text=Your figures, all at once")
    page.click("[data-part-of=tile]")
    scripted.refuses["photo"] = CameraLost(said("The camera does not deliver."))
    page.click("[data-take=tile-photo]")
    expect(page.locator("#trouble")).to_contain_text("camera does not deliver")
    scripted.refuses.clear()
    page.click("[data-take=tile-photo]")

    expect(page.locator("#workbench")).to_be_visible()
    expect(page.locator("#trouble")).to_be_hidden()
    open_page.expected.append("Failed to load resource")  # the browser's own line about the refusal
    scripted.now = replace(scripted.now, source="photos")
    page.reload()
    expect(page.locator("[data-take=tile-photo]")).to_be_hidden()


def test_the_keyboard_is_back_on_the_button_that_saved(scripted_teaching):
    page = scripted_teaching.page
    page.fill("#tile-set", "home")
    page.fill("#tile-id", "07A")
    page.locator("#tile-form button:not([type=button])").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#done")).to_contain_text("07A")

    assert [one.side_id for one in scripted_teaching.kept] == ["07A"]
    assert page.evaluate("document.activeElement.closest('#tile-form') !== null")


def test_a_line_that_is_changed_keeps_the_keyboard(scripted_teaching):
    page = scripted_teaching.page
    page.locator(".spot[tabindex='0']").focus()
    key = page.evaluate("document.activeElement.dataset.key")
    before = page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("Enter")

    assert page.evaluate("document.activeElement.dataset.key") == key
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") != before
