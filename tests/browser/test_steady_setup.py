"""Set-up and teaching take nothing from under a finger, from the keys or from who types, whatever the camera shows."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from assistant.table.lattice import Edge
from web.ports import Picture
from web.roles import Role
from web.setup_ports import STEPS, GameState, LensFound, LensState, Look, SetUpState, SheetSettings, TableState
from web.setup_words import SHEET_TITLES
from web.teach_ports import TaughtSet, TileDraft

GRAY = np.full((120, 160, 3), 90, np.uint8)
OF_PICTURES = {"told", "lens-count", "overlay", "frame", "busy", "busy-text"}
"""What every new picture may draw anew: it is about the picture, and nothing in it can be tapped."""

COUNT_CHANGES = """() => {
    window.changes = [];
    new MutationObserver((all) => window.changes.push(...all.map((one) => one.target.id || one.target.className)))
        .observe(document.body, { childList: true, subtree: true, characterData: true });
}"""


def set_up_state(**changes: Any) -> SetUpState:
    """A set-up with the simulated camera in its table step, with whatever else is named."""
    values = {
        "step": "table", "statuses": dict.fromkeys(STEPS, "open"), "source": "virtual",
        "cameras": ("photos", "usb:0", "virtual"), "sheets": SheetSettings("a4", None, False, tuple(SHEET_TITLES)),
        "lens": LensState(5, None, True, False, None), "table": TableState(((1, 2, 3, 4),), None),
        "game": GameState(("home", "kitchen"), ("box",), None, None), "name": None, "names": ("attic",), "look": None,
    }  # fmt: skip
    return SetUpState(**{**values, **changes})


@dataclass
class ScriptedDesk:
    """A set-up that takes a new picture at each look and does what it is told, without reading anything."""

    now: SetUpState = field(default_factory=set_up_state)
    looks: int = 0
    turn: Any = field(default_factory=threading.RLock)

    def state(self) -> SetUpState:
        return self.now

    def look(self, *, is_wanted: bool) -> None:
        self.looks += 1
        self.now = replace(self.now, look=Look(self.looks, (160, 120)))

    def preview(self) -> Picture:
        return Picture(cv2.imencode(".jpg", GRAY)[1].tobytes(), 160, 120)

    def go_to(self, step: Any) -> None:
        self.now = replace(self.now, step=step, look=None)

    def choose_camera(self, source: str) -> None:
        statuses = {**self.now.statuses, "camera": "done"}
        self.now = replace(self.now, source=source, statuses=statuses)

    def choose_game(self, tiles: str | None, roster: str | None) -> None:
        self.now = replace(self.now, game=replace(self.now.game, tiles=tiles, roster=roster))

    def skip_lens(self) -> None:
        self.now = replace(self.now, statuses={**self.now.statuses, "lens": "skipped"})

    def solve_table(self) -> None:
        raise NotImplementedError

    def solve_lens(self) -> None:
        found = LensFound(1000.0, 2.0, 0.3, (0.3, 0.4), (160, 120))
        self.now = replace(self.now, lens=replace(self.now.lens, found=found))


@pytest.fixture
def set_up(desk: Any, open_page: Any) -> Any:
    """Opens the set-up as its owner, in the step that is named."""

    def open_in(step: str, size: str = "tablet") -> tuple[Page, ScriptedDesk]:
        scripted = ScriptedDesk(set_up_state(step=step))
        desk.state.desk = scripted
        page = open_page(f"{desk.address}/setup#join={desk.state.devices.invite(Role.OWNER).token}", size)
        page.wait_for_selector(f'[data-step="{step}"]:not([hidden])')
        return page, scripted

    return open_in


def looked(page: Page, scripted: ScriptedDesk, times: int) -> None:
    """Waits until the camera has been looked at some more times."""
    until = scripted.looks + times
    end_s = time.monotonic() + 30
    while scripted.looks < until:
        assert time.monotonic() < end_s, "the camera is not looked at"
        page.wait_for_timeout(50)
    page.wait_for_timeout(200)


@pytest.mark.parametrize("step", ["camera", "lens", "table"])
def test_pictures_that_come_on_and_on_touch_nothing_that_can_be_used(set_up, step):
    page, scripted = set_up(step)
    looked(page, scripted, 2)
    page.evaluate(COUNT_CHANGES)
    looked(page, scripted, 4)

    assert set(page.evaluate("window.changes")) <= OF_PICTURES


def test_a_slow_tap_on_a_step_counts_although_pictures_come_meanwhile(set_up):
    page, scripted = set_up("table")
    box = page.locator('[data-go="save"]').bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    looked(page, scripted, 3)
    page.mouse.up()

    expect(page.locator('[data-step="save"]')).to_be_visible()


def test_typing_and_keyboard_focus_outlive_new_pictures(set_up):
    page, scripted = set_up("camera")
    page.locator("#camera-name").press_sequentially("http://192.168.")
    looked(page, scripted, 3)
    page.keyboard.type("1.20/video")
    expect(page.locator("#camera-name")).to_have_value("http://192.168.1.20/video")

    page.locator('[data-go="lens"]').focus()
    looked(page, scripted, 3)
    assert page.evaluate("document.activeElement.dataset.go") == "lens"


def test_a_camera_is_chosen_with_the_arrow_keys(set_up):
    page, scripted = set_up("camera")
    page.locator("#cameras input[value=virtual]").focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator('[data-go="camera"]')).to_contain_text("✓")

    assert scripted.now.source == "usb:0"
    assert page.evaluate("document.activeElement.value") == "usb:0"
    expect(page.locator("#cameras input[value='usb:0']")).to_be_checked()


def test_a_list_keeps_the_keyboard_after_its_choice(set_up):
    page, scripted = set_up("game")
    page.locator("#tiles").focus()
    page.evaluate("document.querySelector('#tiles option').isOld = true")
    page.keyboard.press("ArrowDown")
    page.wait_for_timeout(500)

    assert scripted.now.game.tiles == "home"
    assert page.evaluate("document.activeElement.id") == "tiles"
    assert page.evaluate("document.querySelector('#tiles option').isOld") is True


def test_where_the_pressed_button_goes_the_keyboard_is_at_the_head_of_the_step(set_up):
    page, _ = set_up("lens")
    page.locator("#lens-solve").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#lens-result")).to_be_visible()

    assert page.evaluate("document.activeElement.id") == "lens-title"


def tile_draft() -> TileDraft:
    cells = tuple((x, y) for x in range(2) for y in range(2))
    edges = {Edge.between((x, y), (x + 1, y)): (None, 1.0) for x in range(2) for y in range(3)}
    edges |= {Edge.between((x, y), (x, y + 1)): ("wall", 1.0) for x in range(3) for y in range(2)}
    return TileDraft("draft", (2, 2), cells, edges, dict.fromkeys(cells, (False, 1.0)), {}, 1)


@pytest.fixture
def teaching(desk, open_page):
    """The teaching page with a tile on its bench; reading takes as long as `held` is set."""
    held = threading.Event()
    held.set()

    def slowly(*_: object) -> TileDraft:
        held.wait(20)
        return tile_draft()

    kept: list[Any] = []

    def keep(draft: str, tile: Any) -> TaughtSet:
        held.wait(20)
        kept.append(tile)
        return TaughtSet(tile.set_name, (tile.side_id,))

    desk.state.teaching = SimpleNamespace(
        sets=lambda: [TaughtSet(one.set_name, (one.side_id,)) for one in kept], rosters=lambda: [],
        read_tile=slowly, picture=lambda _: cv2.imencode(".png", GRAY)[1].tobytes(), keep_tile=keep,
    )  # fmt: skip
    page = open_page(f"{desk.address}/#join={desk.state.devices.invite(Role.OWNER).token}")
    expect(page.locator("body")).to_have_attribute("data-role", "owner")
    page.goto(f"{desk.address}/setup/teach")
    hand_in(page, "#tile-photo")
    page.wait_for_selector("#workbench:not([hidden])")
    yield SimpleNamespace(page=page, held=held, kept=kept)
    held.set()


def hand_in(page: Page, place: str) -> None:
    photo = cv2.imencode(".jpg", GRAY)[1].tobytes()
    page.set_input_files(place, {"name": "tile.jpg", "mimeType": "image/jpeg", "buffer": photo})


def test_typing_goes_on_while_another_photo_is_read(teaching):
    page = teaching.page
    teaching.held.clear()
    hand_in(page, "#tile-more")
    page.wait_for_selector("#busy:not([hidden])")
    page.locator("#tile-set").press_sequentially("ho")
    page.evaluate("document.querySelector('#tile-set').isOld = true")
    teaching.held.set()
    expect(page.locator("#busy")).to_be_hidden()
    page.keyboard.type("me")

    expect(page.locator("#tile-set")).to_have_value("home")
    assert page.evaluate("document.activeElement.isOld") is True


def test_the_keyboard_is_back_on_the_button_that_saved(teaching):
    page = teaching.page
    page.fill("#tile-set", "home")
    page.fill("#tile-id", "07A")
    page.locator("#tile-form button:not([type=button])").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#done")).to_contain_text("07A")

    assert [one.side_id for one in teaching.kept] == ["07A"]
    assert page.evaluate("document.activeElement.closest('#tile-form') !== null")


def test_a_line_that_is_changed_keeps_the_keyboard(teaching):
    page = teaching.page
    page.locator(".spot[tabindex='0']").focus()
    key = page.evaluate("document.activeElement.dataset.key")
    before = page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("Enter")

    assert page.evaluate("document.activeElement.dataset.key") == key
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") != before
