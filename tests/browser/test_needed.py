"""A required answer reaches its player on any tab: a badge, a tone and a short vibration, each switchable."""

from __future__ import annotations

from playwright.sync_api import expect

from assistant.match.actor import CAMERA, TABLE, player
from web.serving.roles import Role

HEARD = """
    window.felt = [];
    navigator.vibrate = (ms) => window.felt.push(ms);
    const Sound = window.AudioContext;
    window.AudioContext = class extends Sound { constructor() { super(); window.felt.push("tone"); } };
"""

POST = """([path, body]) => fetch(path, {
    method: "POST", body: JSON.stringify(body), headers: {"Content-Type": "application/json", "X-Sightline": "1"},
})"""


def test_a_turn_finds_its_player_by_badge_tone_and_vibration_each_switched_off_alone(desk, open_page):
    match = desk.build.new_session("doom2016", "doom2016_sample_table")
    match.command({"type": "status", "shuffled_here": False}, TABLE)
    desk.state.match.play(match)
    page = open_page(
        f"{desk.address}/#join={desk.state.door.devices.invite(Role.PLAYER, side='marines').token}", bypass_csp=True
    )
    page.wait_for_selector('body[data-role="player"]')
    page.add_init_script(HEARD)
    page.reload()
    page.wait_for_selector("main[data-seq]")
    badge = page.locator("#turn-badge")
    expect(badge).to_be_hidden()

    match.command({"type": "reveal", "card": "medic-1"}, TABLE)
    expect(badge).to_be_visible()
    assert sorted(map(str, page.evaluate("felt"))) == ["120", "tone"]

    page.click("#menu > summary")
    page.get_by_text("Signs and sounds").click()
    for name in ("badge", "shake"):
        page.locator(f"#{name}").uncheck(force=True)
    expect(badge).to_be_hidden()
    page.reload()
    page.wait_for_selector("main[data-seq]")
    expect(badge).to_be_hidden()
    before = page.locator("main").get_attribute("data-seq")
    match.command({"type": "end"}, TABLE)
    expect(page.locator("main")).not_to_have_attribute("data-seq", before)  # no question is open, and the page knows
    match.command({"type": "reveal", "card": "ranger-1"}, TABLE)
    page.wait_for_function("felt.length > 0")
    assert page.evaluate("felt") == ["tone"]
    expect(badge).to_be_hidden()


def test_the_code_closes_once_its_side_has_joined_and_only_then_steps_name_devices(desk, open_page):
    match = desk.build.new_session("doom2016", "doom2016_first_fight")
    match.command({"type": "see", "document": match.header.table}, CAMERA)
    desk.state.match.play(match)
    devices = desk.state.door.devices
    open_page.expected.append("/api/v1/matches")  # the menu lists matches, and this table keeps none
    owner = open_page(f"{desk.address}/#join={devices.invite(Role.OWNER).token}")
    owner.wait_for_selector('body[data-role="owner"]')
    owner.evaluate(POST, ["/api/v1/seat", {"side": "marines"}])
    owner.get_by_role("navigation", name="Views").get_by_role("button", name="Turns").click()
    owner.get_by_role("button", name="Show a code for: Invader").click()
    code = owner.locator("#invitation .code")
    expect(code).to_be_visible()

    phone = open_page(f"{desk.address}/", "phone")
    phone.evaluate(POST, ["/api/v1/join", {"code": code.inner_text().replace(" ", "")}])
    expect(code).to_be_hidden()
    expect(owner.get_by_role("button", name="Show a code for: Invader")).to_be_hidden()
    match.command({"type": "status"}, player("invader", "#7"))
    expect(owner.locator("#told-by")).to_have_text("Invader · device 7")
    devices.end(next(one.id for one in devices.all() if one.side == "invader"))
    match.command({"type": "reveal", "card": "bravo"}, player("marines", "#6"))
    expect(owner.locator("#told-by")).to_have_text("Marines")
