"""A game in a package of its own in a real Chromium: offered, ruled on, drawn and played to its winner."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from assistant.app.matches.archive import load_shipped_mission
from assistant.match.actor import JUDGE
from assistant.match.missions import new_header
from assistant.match.session import Session
from web.app import create_app
from web.serving.server import PageServer


@pytest.fixture
def night(lanterns: Path, desk: Any) -> Iterator[tuple[str, Session]]:
    """The page over a night of Lanterns whose figures stand on the table; its address and the match."""
    mission = load_shipped_mission("lanterns_first_night")
    header = new_header(mission, match_id="night", seed="seed", created_t=0, options={})
    session = Session(header, journal=None, clock_ms=lambda: 0)
    session.command({"type": "see", "document": mission.table}, JUDGE)
    state = desk.build.page_state(boot="night", max_streams=20)
    state.match.play(session)
    state.shelf.put(desk.build.true_shot("easy-03"))
    server = PageServer(create_app(state), host="127.0.0.1", port=0, devices=4)
    server.start()
    yield f"http://127.0.0.1:{server.port}", session
    state.hub.close()
    server.stop()


def press(page: Page, text: str) -> None:
    """Press a possible action, and wait until the match has taken it."""
    button = page.locator("#prompts").get_by_role("button", name=text, exact=True)
    with page.expect_response("**/api/v1/match/commands*"):
        button.click()


def test_it_is_played_to_its_winner_with_what_the_page_offers(night, open_page, picture):
    address, session = night
    page = open_page(address)
    page.click('[data-view="initiative"]')
    press(page, "Light the lamps")
    expect(page.locator("#order .place")).to_have_count(3)
    for deed in (
        "Keeper 1 creeps south",
        "Wait in the dark",
        "Keeper 1 shines on Moth 1",
        "Moth 1 creeps north",
        "Keeper 1 creeps north",
        "Wait in the dark",
    ):
        press(page, deed)
    picture(page, "tablet-toy-initiative")
    press(page, "Keeper 1 shines on Moth 1")

    expect(page.locator("#acting")).to_contain_text("Keepers")
    expect(page.locator("#prompts button")).to_have_count(0)
    assert session.timeline.game.winner == "keepers"
    page.click('[data-view="history"]')
    expect(page.locator("#history")).to_contain_text("Keeper 1 shines on Moth 1")


HOLD_ANSWERS = """() => {
  const [real, held] = [window.fetch, {}];
  window.letGo = (name) => held[name]?.();
  window.isHeld = (name) => name in held;
  window.fetch = async (place, options) => {
    const answer = await real(place, options);
    const name = ["commands", "ways"].find((one) => String(place).includes(`/match/${one}`));
    if (name && !(name in held)) await new Promise((done) => (held[name] = done));
    return answer;
  };
}"""
"""The first answer to a command and the first to a way are on their way until they are let go."""


def test_a_tap_before_the_last_answer_is_here_is_not_lost(night, open_page):
    """News of a step often arrive before its own answer. A tap in between still counts."""
    address, session = night
    session.command({"type": "kindle"}, JUDGE)
    page = open_page(address)
    page.click('[data-view="initiative"]')
    buttons = page.locator("#prompts").get_by_role("button")
    expect(buttons.filter(has_text="Keeper 1 creeps south")).to_be_visible()
    page.evaluate(HOLD_ANSWERS)
    buttons.filter(has_text="Keeper 1 creeps south").click()
    page.wait_for_function("() => window.isHeld('ways')")
    page.evaluate("() => window.letGo('ways')")
    page.wait_for_function("() => window.isHeld('commands')")
    session.command({"type": "wait"}, JUDGE)
    next_deed = buttons.filter(has_text="Keeper 1 shines on Moth 1")
    expect(next_deed).to_be_visible()  # by the stream; the answer to the previous tap is still held
    next_deed.click()
    page.evaluate("() => window.letGo('commands')")
    expect(buttons.filter(has_text="Moth 1 creeps north")).to_be_visible()


def test_its_figures_are_shown_with_what_is_left_of_them_and_no_button_that_it_does_not_know(night, open_page, picture):
    address, session = night
    for command in (
        {"type": "kindle"},
        {"type": "creep", "figure": "keeper-1", "way": "south"},
        {"type": "wait"},
        {"type": "shine", "figure": "keeper-1", "target": "moth-1"},
    ):
        session.command(command, JUDGE)
    page = open_page(address)
    page.click('[data-view="figures"]')
    moth = page.locator(".fighter", has_text="Moth 1")
    expect(moth.locator(".health b")).to_have_text("1")
    expect(page.locator(".fighter .step")).to_have_count(0)
    picture(page, "tablet-toy-figures")


def test_its_table_is_drawn_and_two_taps_tell_sight_and_range(night, open_page):
    address, _ = night
    page = open_page(address)
    page.click('[data-view="attack"]')
    page.locator('#attack-ground [data-figure="keeper-1"]').click()
    page.locator('#attack-ground [data-figure="moth-1"]').click()

    expect(page.locator("#attack-facts .fact")).to_have_count(2)
    expect(page.locator("#attack-facts")).to_contain_text("4")
    expect(page.locator("#attack-reasons")).to_contain_text("Keeper 1 and Moth 1 share no row and no column.")


@pytest.mark.parametrize(
    ("language", "words"), [("en", "share no row and no column"), ("ru", "не стоят ни в одном ряду")]
)
def test_it_is_chosen_on_the_page_and_rules_on_a_photo(night, open_page, language, words):
    address, _ = night
    page = open_page(f"{address}/?lang={language}")
    page.locator("#ruleset").select_option("lanterns", force=True)
    page.goto(f"{address}/?lang={language}#shot=photo-easy-03&from=bravo&to=skull-1")
    expect(page.locator("#card")).to_be_visible()
    assert page.locator("#ruleset").input_value() == "lanterns"
    expect(page.locator("#card")).to_contain_text(words)
