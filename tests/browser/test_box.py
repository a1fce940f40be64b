"""Teaching a box on its page: a photo, a sheet of its tiles, a line corrected by finger, and everything saved."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest
from loose_box import lay_out_loosely, loose_scene, random_box
from page_waits import choose_file
from playwright.sync_api import Browser, Page, expect

from assistant.profiles import Profiles
from vision.simulation.dataset import take_photo

PATIENCE_MS = 280_000


@dataclass(frozen=True)
class BoxDesk:
    """A running program on an empty data folder, and the owner's cookies."""

    address: str
    owner: dict[str, object]
    data: Path


@pytest.fixture(scope="module")
def photo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two tiles and a door on felt."""
    box = random_box(11, 2)
    layout = lay_out_loosely(np.random.default_rng(5), box, box.tiles, ("door token",))
    path = tmp_path_factory.mktemp("box") / "fronts.jpg"
    path.write_bytes(take_photo(loose_scene(41, box, layout, "A", "felt", photo_wh=(1280, 960)))[0])
    return path


@pytest.fixture
def desk(tmp_path: Path, browser: Browser, programs) -> Iterator[BoxDesk]:
    running = programs.begin(tmp_path / "data", "setup")
    yield BoxDesk(running.address, programs.owner_of(running, browser), tmp_path / "data")
    assert programs.end(running) == 0


def fits(page: Page) -> bool:
    """Return whether nothing sticks out to the side."""
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def set_right(page: Page) -> str:
    """Tap a line of the opened side until it is an obstacle; return its name."""
    spot = page.locator("#tile-lines .spot").first
    key = spot.get_attribute("data-key")
    for _ in range(4):
        name = page.locator(f'[data-key="{key}"]').get_attribute("aria-label")
        if name.endswith(": obstacle"):
            break
        page.locator(f'[data-key="{key}"]').click()
    expect(page.locator("#said")).to_contain_text(": obstacle")
    return str(key)


@pytest.mark.timeout(900)
@pytest.mark.parametrize("size", ["tablet", "phone"])
def test_a_photo_becomes_a_sheet_and_a_tap_sets_a_line_right(violations, desk, photo, open_page, picture, size):
    open_page.expected.append("status of 409")  # the page asks before it replaces
    page = open_page(f"{desk.address}/setup/box", size, storage_state=desk.owner, bypass_csp=True)
    picture(page, f"{size}-box-1-empty")
    assert fits(page)
    choose_file(page, "#box-fronts", photo)
    expect(page.locator("#box-batches li")).to_have_text(re.compile("1"))
    expect(page.locator("#box-sheet > li")).to_have_count(2, timeout=PATIENCE_MS)
    expect(page.locator("#box-busy")).to_be_hidden(timeout=PATIENCE_MS)
    expect(page.locator("#box-others > li")).to_have_count(1)
    page.wait_for_function("() => [...document.querySelectorAll('.box-card img')].every(one => one.naturalWidth > 0)")
    picture(page, f"{size}-box-2-sheet")
    assert fits(page)
    assert violations(page) == []

    page.locator("#box-sheet button").first.click()
    expect(page.locator("#workbench")).to_be_visible()
    page.wait_for_function("() => document.getElementById('tile-picture').naturalWidth > 0")
    closer = page.locator(".tile-frame").evaluate("frame => Number(frame.style.getPropertyValue('--closer'))")
    assert closer > 1.2, "lines of a small tile amid bare table are too small for a finger"
    key = set_right(page)
    picture(page, f"{size}-box-3-side")
    assert fits(page)
    page.fill("#side-id", "07A")
    page.get_by_role("button", name="Save this side").click()
    expect(page.locator("#workbench")).to_be_hidden()
    expect(page.locator("#box-sheet b").first).to_have_text("07A")

    # What the finger set right is there when the side is opened again.
    page.locator("#box-sheet button").first.click()
    expect(page.locator(f'#tile-lines [data-key="{key}"]')).to_have_attribute("aria-label", re.compile(": obstacle$"))

    expect(page.locator("#keep-set")).to_have_value("My box")
    page.fill("#keep-set", size)
    page.get_by_role("button", name="Save the box").click()
    expect(page.locator("#done")).to_contain_text(size)
    page.get_by_role("button", name="Save the box").click()
    expect(page.locator("#trouble")).to_have_text(re.compile("already holds .*07A.* Replace what is there"))
    page.get_by_role("button", name="Replace them").click()
    expect(page.locator("#done")).to_be_in_viewport()
    page.locator("#box-others button").first.click()
    expect(page.locator("#door-doubt")).to_be_hidden()
    expect(page.locator("#door-roster")).to_have_value(size)
    page.get_by_role("button", name="Save the doors").click()
    expect(page.locator("#done")).to_contain_text(size)
    picture(page, f"{size}-box-4-kept")

    kept = json.loads(Profiles(desk.data).read("tiles", size))
    side = next(tile for tile in kept["tiles"] if tile["id"] == "07A")
    assert "obstacle" in [edge["kind"] for edge in side["edges"]]
    assert json.loads(Profiles(desk.data).read("roster", size))["doors"]["count"] == 8
    page.get_by_role("button", name="Begin anew").click()
    expect(page.locator("#box-seen")).to_be_hidden()


def side_of(key: str, name: str, other: str, *, is_open: bool) -> dict[str, object]:
    """Return a side as the box tells it: read clearly but for its name."""
    seen = {"key": key, "id": name, "other": other, "doubts": 0, "is_paired": True, "is_cut": False, "photos": 2}
    return {**seen, "is_name_doubtful": is_open, "is_doubtful": is_open, "size_cells": [2, 2]}


def test_printed_names_stand_on_the_sheet_and_a_doubtful_one_is_framed(desk, open_page, picture):
    page = open_page(f"{desk.address}/setup/box", "phone", storage_state=desk.owner, bypass_csp=True)
    names = {"0-f-0": ("12A", False), "0-b-0": ("12B", False), "0-f-1": ("02A", True), "0-b-1": ("02B", True)}
    sides = [
        side_of(key, name, key.replace("-f-", "-x-").replace("-b-", "-f-").replace("-x-", "-b-"), is_open=is_open)
        for key, (name, is_open) in names.items()
    ]
    games = []
    now = page.request.get(f"{desk.address}/api/v1/teach/box").json() | {"sides": sides}

    def answer(route):
        if route.request.method == "POST":
            games.append(route.request.post_data_json)
        route.fulfill(json=now)

    _, tile = cv2.imencode(".png", np.full((128, 128, 3), 90, np.uint8))
    page.route("**/teach/box/pictures/*", lambda route: route.fulfill(body=bytes(tile), content_type="image/png"))
    page.route(re.compile("/api/v1/teach/box(/game)?(\\?.*)?$"), answer)
    page.reload()
    expect(page.locator("#box-sheet b")).to_have_text(["12A", "12B", "02A", "02B"])
    expect(page.locator("#box-sheet .doubtful span")).to_have_text(["Check its name."] * 2)
    assert fits(page)
    picture(page, "phone-box-names")
    page.select_option("#box-game", index=1)
    expect(page.locator("#box-missing")).to_be_visible()
    assert games == [{"game": page.locator("#box-game").input_value()}]
