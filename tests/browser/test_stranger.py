"""A stranger's log: from an empty data folder to the first ruling, on the page alone, each step with its seconds.

`make stranger` prints the log of every game and keeps it in `out/stranger-*.txt`.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from assistant.app.matches.choice import demo_games
from assistant.match.games import game_named
from tests.line_ups import line_up, photo_of
from vision.simulation.sample import sample_scene
from vision.simulation.truth import truth_document

PATIENCE_MS = 280_000
OUT = Path(__file__).parents[2] / "out"


class Log:
    """Steps with the seconds that each of them took, kept as a file."""

    def __init__(self, name: str) -> None:
        self._begun_s = self._last_s = time.monotonic()
        self._path = OUT / f"stranger-{name}.txt"
        self._path.parent.mkdir(exist_ok=True)
        self._path.write_text("")

    def step(self, words: str) -> None:
        now_s = time.monotonic()
        line = f"{now_s - self._begun_s:6.1f} s  {now_s - self._last_s:+6.1f} s  {words}\n"
        with self._path.open("a") as file:
            file.write(line)
        print(line, end="")  # noqa: T201 - `make stranger` shows it
        self._last_s = now_s


@pytest.fixture
def stranger(programs, tmp_path) -> Iterator[tuple[str, str]]:
    """The set-up started on an empty data folder: its address, and the link that it prints."""
    running = programs.begin(tmp_path / "data", "setup")
    yield running.address, running.owner_link
    assert programs.end(running) == 0


def set_up_page(page: Page) -> None:
    expect(page.get_by_role("heading", name="Do you have a camera, a phone, or neither?")).to_be_visible(
        timeout=PATIENCE_MS
    )


@pytest.mark.timeout(600)
@pytest.mark.parametrize("game", demo_games())
def test_without_any_camera_a_stranger_has_a_ruling_at_once(stranger, open_page, picture, game):
    _, link = stranger
    log = Log(game)
    page = open_page(link)
    set_up_page(page)
    log.step("the set-up asks for a camera, a phone or neither")
    page.get_by_role("link", name="Neither").click()
    dialog = page.get_by_role("dialog", name="New match")
    expect(dialog).to_be_visible(timeout=PATIENCE_MS)
    missions = dialog.locator(f'optgroup[label="{game_named(game).title}"] option')
    mission = missions.filter(has_not_text="simulated table").first.inner_text()
    dialog.get_by_label("Game and mission").select_option(label=mission)
    log.step(f"“Neither”; the mission is “{mission}”")
    dialog.get_by_role("button", name="Begin the match").click()
    expect(page.get_by_role("button", name="Attack", exact=True)).to_be_visible(timeout=PATIENCE_MS)
    log.step("the match is begun on the drawn board")
    page.get_by_role("button", name="Attack", exact=True).click()
    # Two figures that stand on the drawn board; others wait in the box.
    standing = page.locator("#attack-ground [data-figure]")
    expect(standing.first).to_be_visible(timeout=PATIENCE_MS)
    page.select_option("#attack-from", standing.first.get_attribute("data-figure"))
    page.select_option("#attack-to", standing.last.get_attribute("data-figure"))
    expect(page.locator("#attack-facts")).to_contain_text(re.compile(r"Line of sight\s*(yes|no(?!t))"))
    log.step("the first ruling: " + page.locator("#attack-facts").inner_text().replace("\n", " "))
    picture(page, f"stranger-{game}")


@pytest.mark.timeout(900)
def test_with_a_phone_alone_a_stranger_teaches_all_figures_from_one_photo(stranger, open_page, picture, tmp_path):
    address, link = stranger
    photo = tmp_path / "figures.jpg"
    photo.write_bytes(photo_of(line_up()))
    log = Log("phone")
    page = open_page(link)
    set_up_page(page)
    log.step("the set-up asks for a camera, a phone or neither")
    page.get_by_role("button", name="A phone").click()
    figures = page.get_by_role("link", name="Your figures, all at once")
    expect(figures).to_be_visible(timeout=PATIENCE_MS)
    log.step("“A phone”: no print, no lens board; the box comes next")
    figures.click()
    page.set_input_files("#line-up-photo", photo)
    expect(page.locator("#line-up-found")).to_have_text("Figures: 6, in 2 groups. Who are they?", timeout=PATIENCE_MS)
    log.step("one photo: 6 figures in 2 groups")
    picture(page, "stranger-line-up")
    page.fill("#line-up-base", "22")
    page.get_by_role("button", name="That wide").click()
    expect(page.locator("#line-up-scale-form")).to_be_hidden()
    for number, kind in enumerate(("ghoul", "golem")):
        page.locator("[data-kind]").nth(number).fill(kind)
    page.locator("[data-side]").first.fill("foes")
    page.locator("[data-side]").nth(1).fill("foes")
    page.fill("#line-up-roster", "home")
    page.get_by_role("button", name="Save these figures").click()
    expect(page.locator("#done")).to_have_text("The figures are in home now. Figures in it: 6.")
    log.step("one size, two names, saved")
    page.get_by_role("link", name="To the set-up").click()
    expect(page.locator("#taught-figures")).to_have_text("There already: home", timeout=PATIENCE_MS)
    assert page.request.get(f"{address}/api/v1/teach").json()["rosters"][0]["name"] == "home"
    log.step("the set-up goes on where it was left")


@pytest.mark.timeout(900)
def test_a_table_is_set_up_and_read_without_markers_and_lens_board(stranger, open_page):
    address, link = stranger
    log = Log("camera")
    page = open_page(link)
    set_up_page(page)
    page.check('input[value="virtual"]', force=True)
    page.wait_for_selector("#finder:not([hidden])", timeout=PATIENCE_MS)
    log.step("a simulated camera; its picture is shown")
    for step in ("lens", "table"):
        page.locator(f'[data-go="{step}"]').click()
        page.click(f"#{step}-skip")
        expect(page.locator(f"#{step}-skipped")).to_be_visible(timeout=PATIENCE_MS)
    log.step("no lens board, no markers")
    page.locator('[data-go="save"]').click()
    page.fill("#save-name", "Kitchen")
    page.click("#save-form button")
    expect(page.locator("#saved")).to_be_visible(timeout=PATIENCE_MS)
    page.locator('[data-go="read"]').click()
    page.click("#read-now")
    page.wait_for_selector("#read-acts:not([hidden])", timeout=PATIENCE_MS)
    log.step("the table is read by its tiles alone: " + page.locator("#read-result").inner_text().replace("\n", " "))
    shot = page.locator("#read-closer").get_attribute("href").removeprefix("/#shot=")
    seen = page.request.get(f"{address}/api/v1/shots/{shot}/observation").json()
    assert seen["camera"]["markers_seen"] == []
    assert len(seen["camera"]["tiles_seen"]) >= 3
    truth = truth_document(sample_scene())
    assert sorted(tile["id"] for tile in seen["tiles"]) == sorted(tile["id"] for tile in truth["tiles"])
    assert len(seen["figures"]) == len(truth["figures"])
