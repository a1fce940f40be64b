"""What needs a player finds its device on any tab: a badge, a tone and a short vibration, each switched off alone."""

from __future__ import annotations

from playwright.sync_api import expect

from assistant.match.actor import TABLE
from web.serving.roles import Role

HEARD = """
    window.felt = [];
    navigator.vibrate = (ms) => window.felt.push(ms);
    const Sound = window.AudioContext;
    window.AudioContext = class extends Sound { constructor() { super(); window.felt.push("tone"); } };
"""


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

    page.click("#menu summary")
    for name in ("badge", "shake"):
        page.locator(f"#{name}").uncheck(force=True)
    expect(badge).to_be_hidden()
    page.reload()
    page.wait_for_selector("main[data-seq]")
    expect(badge).to_be_hidden()
    before = page.locator("main").get_attribute("data-seq")
    match.command({"type": "end"}, TABLE)
    expect(page.locator("main")).not_to_have_attribute("data-seq", before)  # nobody is asked, and the page knows
    match.command({"type": "reveal", "card": "ranger-1"}, TABLE)
    page.wait_for_function("felt.length > 0")
    assert page.evaluate("felt") == ["tone"]
    expect(badge).to_be_hidden()
