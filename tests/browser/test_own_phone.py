"""The set-up with a phone: it joins as the owner by one code, and the lens step mentions photos if it takes them."""

from __future__ import annotations

from dataclasses import replace

from playwright.sync_api import expect

from web.serving.roles import Role


def test_the_owners_phone_joins_from_the_set_up_by_one_code(scripted_set_up, desk, picture):
    page, _ = scripted_set_up("camera")
    page.click("#add-phone")
    expect(page.locator("#phone-invitation img")).to_be_visible()
    picture(page, "tablet-setup-own-phone")

    digits = page.locator("#phone-invitation .code").inner_text().replace(" ", "")
    assert desk.state.door.devices.join(digits, None)[1].role is Role.OWNER


def test_the_lens_step_speaks_of_photos_and_has_one_way_on(scripted_set_up, picture):
    page, scripted = scripted_set_up("lens")
    expect(page.locator("#lens-live")).to_be_visible()
    expect(page.locator("#lens-by-photos")).to_be_hidden()

    scripted.now = replace(scripted.now, source="photos")
    page.reload()
    expect(page.locator("#lens-by-photos")).to_be_visible()
    expect(page.locator("#lens-live")).to_be_hidden()
    expect(page.locator("#next")).to_be_hidden()
    picture(page, "tablet-setup-lens-by-photos")
    page.click("#lens-skip")
    expect(page.locator("#next")).to_be_visible()
    expect(page.locator("#lens-skip")).to_be_hidden()
