"""Names from files and people stay names on every view: markup, quotes, right-to-left, ten kilobytes."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib import resources
from types import SimpleNamespace
from typing import Any

import pytest
from page_waits import settled
from playwright.sync_api import Page, expect

from assistant.match.actor import TABLE
from assistant.match.missions import mission_from_toml, new_header
from assistant.match.session import Session
from web.page.views import VIEWS
from web.serving.roles import Role

MARKUP = "<img src=x onerror=document.title=1>"
NAMES = {
    "ranger-1": MARKUP,
    "medic-1": "\\\"'><script>document.title=2</script>",
    "crawler-1": "\u202eevil\u2067",
    "crawler-2": "W" * 200,
    "spitter-1": "{0.__class__} {name} %s ${x}",
}
"""Hostile names for figures of the match."""


def evil_session() -> Session:
    """Return the sample match with such names, some figures of which have acted."""
    folder = resources.files("assistant.games.doom2016") / "missions"
    toml = (folder / "doom2016_sample_table.toml").read_text(encoding="utf-8")
    for name, evil in NAMES.items():
        toml = toml.replace(f'"{name}"', f'"{evil}"').replace(f"{name} =", f'"{evil}" =')
    toml = toml.replace('title = "Sample table"', f'title = "{MARKUP}"')
    header = new_header(mission_from_toml(toml.encode()), match_id="m", seed="s", created_t=0, options={})
    session = Session(header, journal=None, clock_ms=lambda: 0)
    session.command({"type": "status"}, TABLE)
    for figure in (MARKUP, "W" * 200):
        session.command({"type": "damage", "figure": figure, "amount": 1}, TABLE)
    return session


@pytest.fixture
def evil(desk: Any) -> Any:
    """A table with hostile names wherever others choose them."""
    shot = desk.build.true_shot("easy-03")
    figures = shot.board.figures
    names = [f"{MARKUP}{i}" for i in range(len(figures) - 1)]
    named = (replace(figures[0], id="W" * 10_000), *(replace(f, id=n) for f, n in zip(figures[1:], names, strict=True)))
    kinds = tuple(replace(figure, kind=MARKUP * 20, side=MARKUP) for figure in named)
    desk.state.shelf.put(replace(shot, id="photo-evil", corrected=replace(shot.board, figures=kinds)))
    desk.state.match.play(evil_session())
    desk.state.door.devices.join(desk.state.door.devices.invite(Role.PLAYER).token, None, MARKUP)
    used = replace(desk.state.readers.reader.setup, name=MARKUP, sources={"table": "W" * 10_000})
    desk.state.readers.reader = SimpleNamespace(setup=used)
    return desk


def unharmed(page: Page, where: str) -> None:
    settled(page)
    assert page.title() == "Sightline", where
    assert page.locator("img[src=x], [onerror]").count() == 0, where
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), where


@pytest.mark.parametrize("size", ["tablet", "phone"])
def test_names_are_harmless_on_every_view(evil, open_page, picture, size):
    page = open_page(f"{evil.address}/#join={evil.state.door.devices.invite(Role.OWNER).token}", size)
    expect(page.locator("body")).to_have_attribute("data-role", "owner")
    page.goto(f"{evil.address}/#shot=photo-evil")
    page.reload()
    page.wait_for_selector("[data-figure]")
    for place in (1, 2):
        page.locator("[data-figure]").nth(place).focus()
        page.keyboard.press("Enter")
    expect(page.locator("#card")).to_be_visible()
    assert re.search("onerror", page.locator("#attacker").inner_text())
    assert re.search("onerror", page.locator("#card .sentence").inner_text())
    page.locator("#card summary").first.click()
    unharmed(page, "the card")
    picture(page, f"{size}-names-table")
    page.select_option("#map", "watchers")
    unharmed(page, "who sees a space")
    page.click("#watchers-end")
    page.click("#what-if")
    unharmed(page, "what if")
    page.click("#ghost-end")
    for view in VIEWS:
        page.click(f"[data-view={view.name}]")
        unharmed(page, view.name)
    page.click("#menu > summary")
    expect(page.locator("#devices")).to_contain_text("onerror")
    expect(page.locator("#setup")).to_contain_text("onerror")
    unharmed(page, "the menu")
    assert page.evaluate(
        "document.querySelector('.menu-body').scrollWidth <= document.querySelector('.menu-body').clientWidth"
    )
    picture(page, f"{size}-names-menu")
    open_page.expected.append("Failed to load resource")  # no matches are kept at this table


def test_names_are_harmless_on_the_wall(evil, open_page):
    wall = open_page(f"{evil.address}/wall#shot=photo-evil")
    page = open_page(f"{evil.address}/#shot=photo-evil&from={MARKUP}0&to={MARKUP}1".replace(" ", "%20"))
    expect(page.locator("#card")).to_be_visible()
    expect(wall.locator("#card .sentence")).to_contain_text("onerror")
    unharmed(wall, "the wall")
