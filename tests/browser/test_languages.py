"""The Russian page has no English on any view, step or dialog, and the made-up language marks every word."""

from __future__ import annotations

import re

import pytest
from page_texts import texts_on
from page_waits import choose_file, settled
from playwright.sync_api import Page, expect

from assistant.app.setup.values import STEPS
from assistant.errors import CameraLost
from assistant.match.actor import TABLE
from assistant.match.games import games
from assistant.translations.catalogue import languages
from assistant.translations.collecting import HERE, names_in, read_catalogue
from assistant.translations.messages import said
from web.page.views import VIEWS
from web.serving.roles import Role

CALLED = {message.id for message in names_in(read_catalogue(HERE / "ru.po"))}
"""Names of figures and things that have words."""

TITLES = ["Sightline", *(game.title for game in games()), *languages().values()]
"""Names that are the same in every language."""

TERMS = (
    r"https?://\S+|--tls|sightline owner|usb:\d|\w+\.json|"
    r"\b(Linux|Chrome|USB|Enter|PDF|zip|Letter|easy|home|kitchen|box|attic|tiles-dev)\b"
)
"""Addresses, commands, keys, units, the browser's own name, and names of this test's files and set-ups."""


def english_on(page: Page, *names: str) -> set[str]:
    """Texts with Latin words that are no title, and none of these names."""
    found = set()
    for text in texts_on(page):
        rest = text
        for title in (*TITLES, *names):
            rest = rest.replace(title, "")
        if re.search(r"[A-Za-z]{3,}", re.sub(TERMS, "", rest)):
            found.add(text)
    return found


def owner_page(desk, open_page, place: str) -> Page:
    page = open_page(f"{desk.address}/#join={desk.state.door.devices.invite(Role.OWNER).token}")
    page.wait_for_selector('body[data-role="owner"]')
    page.request.post(f"{desk.address}/api/v1/language", data={"language": "ru"}, headers={"X-Sightline": "1"})
    page.goto("about:blank")  # from an address that differs behind the # alone nothing is loaded
    page.goto(f"{desk.address}{place}")
    return page


def test_no_english_on_any_view_and_dialog(desk, open_page):
    desk.state.problems.watches.update({"camera", "disk", "strip", "table"})
    desk.state.problems.clear("table")
    desk.state.problems.remedies["camera"] = lambda: None
    desk.state.problems.report("camera", CameraLost(said("the simulated camera is unplugged; plug it in again")))
    for command in (
        {"type": "damage", "figure": "medic-1", "amount": 4},
        {"type": "stun", "figure": "medic-1", "on": True},
    ):
        desk.state.match.session.command(command, TABLE)
    page = owner_page(desk, open_page, "/#shot=photo-easy-03&from=bravo&to=imp-1")
    expect(page.locator("#card")).to_be_visible()
    for part in page.locator("#card summary").all():
        part.click()
    expect(page.locator("#card details[open] li").first).to_be_visible()
    assert english_on(page) == set(), "the card"
    page.click("#correct")
    assert english_on(page) == set(), "the menu of a figure"
    page.keyboard.press("Escape")
    for kind in ("danger", "sees_unseen", "watchers"):
        page.select_option("#map", kind)
        settled(page)
        assert english_on(page) == set(), kind
    page.click("#watchers-end")
    page.click("#what-if")
    assert english_on(page) == set(), "what if"
    page.click("#ghost-end")
    for view in VIEWS:
        page.click(f"[data-view={view.name}]")
        settled(page)
        assert english_on(page) == set(), view.name
    page.click("#menu > summary")
    page.click("#invite button")
    page.wait_for_selector("#invitation .code")
    assert {text for text in english_on(page) if "easy-03" not in text} == set(), "the menu"
    page.goto(f"{desk.address}/wall")
    settled(page)
    assert english_on(page) == set(), "the wall"
    open_page.expected.append("status of 404")  # no matches are kept at this table


def test_no_english_on_any_step_of_the_set_up(scripted_set_up, desk):
    page, scripted = scripted_set_up("camera")
    page.request.post(f"{desk.address}/api/v1/language", data={"language": "ru"}, headers={"X-Sightline": "1"})
    page.reload()
    page.wait_for_selector('[data-step="camera"]:not([hidden])')
    scripted.solve_lens()
    for step in STEPS:
        page.click(f'[data-go="{step}"]')
        page.wait_for_selector(f'[data-step="{step}"]:not([hidden])')
        settled(page)
        assert english_on(page) == set(), step


def test_no_english_on_the_teaching_page(desk, open_page, script):
    desk.build.put(desk.state, teaching=script.ScriptedTeaching())
    page = owner_page(desk, open_page, "/setup/teach")
    picture = {"name": "tile.jpg", "mimeType": "image/jpeg", "buffer": desk.state.teaching.photo}
    choose_file(page, "#tile-photo", picture)
    page.wait_for_selector("#workbench:not([hidden])")
    page.locator(".spot[tabindex='0']").focus()
    page.keyboard.press("Enter")

    assert english_on(page) == set()


@pytest.mark.parametrize("place", ["/", "/wall", "/setup", "/setup/teach"])
def test_nothing_of_a_page_is_unmarked_in_the_made_up_language(desk, open_page, place):
    page = open_page(f"{desk.address}{place}?lang=xx")
    settled(page)
    texts = [text for text in texts_on(page) if "⟦" not in text and text not in TITLES]
    unmarked = [text for text in texts if re.search(r"[A-Za-zА-я]{3,}", re.sub(TERMS, "", text))]

    assert [text for text in unmarked if text.rstrip(" 0123456789").lower() not in CALLED] == []  # names of figures
