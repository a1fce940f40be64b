"""The first minute of the demo as a visitor walks it, in every game: its own table, two taps, a hand, a real attack.

Its pictures, one a step and game, are kept in `out/screenshots/first-minute-*`; `make first-minute` makes them.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from assistant.app.matches.choice import demo_games
from assistant.match.games import game_named

FIRST_PICTURE_MS = 150_000
CAST = {"doom2016": "Ranger|Medic", "doom2004": "Marine|Medic", "roads": "Squire|Crossbow"}
"""The figures on each game's table, unique to that game."""


@pytest.fixture(scope="module")
def tour(programs, tmp_path_factory):
    """The demo after its start, with its tour."""
    running = programs.begin(tmp_path_factory.mktemp("tour"), "demo")
    yield running
    assert programs.end(running) == 0


def words(page: Page):
    """Return the tour's words."""
    return page.get_by_role("region", name="A simulated table").get_by_role("status")


def on(page: Page, name: str) -> None:
    """Press the tour's button of that name."""
    page.get_by_role("region", name="A simulated table").get_by_role("button", name=name).tap()


def figures(page: Page):
    """Return the figures on the table that is shown."""
    return page.get_by_role("main").locator("svg:visible").get_by_role("button", name=re.compile(r"^[A-Z]"))


def tap_two(page: Page, cast: str) -> None:
    """Shoot with the first one at a figure of the other side."""
    own = figures(page).and_(page.get_by_role("button", name=re.compile(cast)))
    own.first.press("Enter")
    expect(words(page)).to_contain_text("Now tap its target")
    others = [one for one in figures(page).all() if not re.search(cast, one.get_attribute("aria-label") or "")]
    others[0].press("Enter")


@pytest.mark.timeout(400)
@pytest.mark.parametrize("game", demo_games())
def test_the_first_minute_leads_to_an_attack_in_every_game(tour, open_page, picture, game):
    page = open_page(tour.address)
    other = page.get_by_role("group", name="Game").get_by_role("button", name=game_named(game).title)
    if other.get_attribute("aria-pressed") != "true":
        other.tap()
        expect(other).to_have_attribute("aria-pressed", "true", timeout=FIRST_PICTURE_MS)
    expect(figures(page).first).to_be_visible(timeout=FIRST_PICTURE_MS)
    expect(page.get_by_role("status").filter(has_text="Live")).to_be_visible(timeout=FIRST_PICTURE_MS)
    names = [one.get_attribute("aria-label") or "" for one in figures(page).all()]
    assert any(re.search(CAST[game], name) for name in names), names
    picture(page, f"first-minute-{game}-1")
    on(page, "Take the tour")
    tap_two(page, CAST[game])
    expect(words(page)).not_to_contain_text("tap its target")
    picture(page, f"first-minute-{game}-2")
    on(page, "Move a figure")
    expect(words(page)).to_contain_text(re.compile("[Tt]he camera saw"), timeout=FIRST_PICTURE_MS)
    picture(page, f"first-minute-{game}-3")
    on(page, "Now an attack")
    expect(words(page)).to_contain_text("is hit")
    expect(page.get_by_role("status", name="What happened last")).to_be_visible()
    picture(page, f"first-minute-{game}-4")
    on(page, "Look round first")
    expect(page.get_by_role("region", name="A simulated table")).to_be_hidden()


def test_the_tour_is_left_with_one_tap(tour, open_page):
    page = open_page(tour.address, "phone")
    on(page, "Skip")
    expect(page.get_by_role("region", name="A simulated table")).to_be_hidden()
