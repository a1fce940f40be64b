"""The whole set-up on the simulated camera, as a person does it. The table is then read without a mistake."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from assistant.profiles import Profiles
from vision.simulation.sample import sample_scene
from vision.simulation.truth import truth_document

PATIENCE_MS = 280_000  # rendering and reading on a machine that does much else
SIZES = {"tablet": {"width": 1024, "height": 768}, "phone": {"width": 390, "height": 844}}


@pytest.fixture(scope="module")
def owner(set_up, browser) -> dict[str, object]:
    """The cookies of the device that used the owner's link, which works once."""
    running, _ = set_up
    context = browser.new_context()
    page = context.new_page()
    page.goto(running.owner_link)
    page.wait_for_selector('body[data-role="owner"]', timeout=PATIENCE_MS)
    cookies = context.storage_state()
    context.close()
    return cookies


def open_step(page: Page, name: str) -> None:
    page.wait_for_selector(f'[data-step="{name}"]:not([hidden])', timeout=PATIENCE_MS)
    # The bar above the steps goes along, also where the tap was in it.
    expect(page.locator("#steps [aria-current]")).to_have_attribute("data-go", name)


def go_on(page: Page, name: str) -> None:
    expect(page.locator("#next")).to_be_enabled(timeout=PATIENCE_MS)
    page.click("#next")
    open_step(page, name)


@pytest.mark.timeout(900)
def test_somebody_sets_the_table_up_and_it_is_read_without_a_mistake(set_up, owner, open_page, picture):
    running, folder = set_up
    page = open_page(f"{running.address}/setup", storage_state=owner)
    page.set_viewport_size(SIZES["tablet"])
    open_step(page, "camera")
    page.check('input[value="virtual"]', force=True)
    page.wait_for_selector("#finder:not([hidden])", timeout=PATIENCE_MS)
    picture(page, "tablet-setup-1-camera")

    go_on(page, "sheets")
    with page.expect_response(re.compile("wizard/sheets")):
        page.fill("#measured", "98.5")
        page.keyboard.press("Tab")
    expect(page.locator("#scale-note")).to_be_visible(timeout=PATIENCE_MS)
    sheet = page.request.get(f"{running.address}{page.locator('#files a').first.get_attribute('href')}")
    assert sheet.body().startswith(b"%PDF")
    picture(page, "tablet-setup-2-sheets")
    page.check("#reprinted")

    go_on(page, "lens")
    page.wait_for_selector("#told.refused", timeout=PATIENCE_MS)  # it begins blurred, then with a lamp in the board
    page.wait_for_function("() => document.getElementById('lens-meter').value >= 4", timeout=PATIENCE_MS)
    picture(page, "tablet-setup-3-lens")
    page.reload()  # nothing is lost
    page.wait_for_selector("#lens-result:not([hidden])", timeout=PATIENCE_MS)
    assert page.locator("#lens-meter").evaluate("meter => meter.value") >= 10
    expect(page.locator("#lens-result .advice")).to_have_text("The lens is known well.")
    picture(page, "tablet-setup-4-lens-known")

    go_on(page, "table")
    for count in (1, 2):
        page.click("#table-take")
        expect(page.locator("#table-list li")).to_have_count(count, timeout=PATIENCE_MS)
    picture(page, "tablet-setup-5-table")
    page.click("#table-solve")
    page.wait_for_selector("#table-result:not([hidden])", timeout=PATIENCE_MS)
    expect(page.locator("#table-result .fault")).to_have_count(0)
    picture(page, "tablet-setup-6-table-known")

    for name in ("teach", "game", "save"):
        go_on(page, name)
    page.fill("#save-name", "Kitchen")
    page.click("#save-form button")
    expect(page.locator("#saved")).to_have_text("Saved as “Kitchen”.", timeout=PATIENCE_MS)

    go_on(page, "read")
    page.click("#read-now")
    page.wait_for_selector("#read-acts:not([hidden])", timeout=PATIENCE_MS)
    picture(page, "tablet-setup-7-read")
    shot = page.locator("#read-closer").get_attribute("href").removeprefix("/#shot=")
    seen = page.request.get(f"{running.address}/api/v1/shots/{shot}/observation").json()
    assert_read_without_a_mistake(seen)
    lens = json.loads(Profiles(folder).read("camera", "Kitchen"))
    assert lens["matrix"][0][0] == pytest.approx(sample_scene().view.lens.matrix[0][0] * 1280 / 1920, rel=0.002)

    page.click("#finish")
    expect(page.locator("#view-table")).to_be_visible(timeout=PATIENCE_MS)
    assert page.request.get(f"{running.address}/api/v1/setup").json()["name"] == "Kitchen"


def assert_read_without_a_mistake(seen: dict[str, Any]) -> None:
    """The observation has every tile, door and figure of the sample table in its place, and nothing else."""
    truth = truth_document(sample_scene())
    assert sorted(tile["id"] for tile in seen["tiles"]) == sorted(tile["id"] for tile in truth["tiles"])
    shifts = set()
    for part, limit_mm in (("figures", 6.0), ("doors", 4.0)):
        assert len(seen[part]) == len(truth[part])
        for wanted in truth[part]:
            found = min(seen[part], key=lambda one: apart_mm(one, wanted))
            assert apart_mm(found, wanted) < limit_mm, wanted
            assert found.get("kind") == wanted.get("kind")
            if part == "figures":
                (c0, r0), (c1, r1) = min(found["cells"]), min(wanted["cells"])
                shifts.add((c0 - c1, r0 - r1, len(found["cells"]) - len(wanted["cells"])))
    assert len(shifts) == 1  # the lattice's numbers may begin elsewhere, the same for all


def apart_mm(one: dict[str, Any], other: dict[str, Any]) -> float:
    """Return the distance between two figures, or between two doors in either direction."""
    if "center_mm" in one:
        return math.dist(one["center_mm"], other["center_mm"])
    ends = sorted([one["from_mm"], one["to_mm"]]), sorted([other["from_mm"], other["to_mm"]])
    return max(math.dist(a, b) for a, b in zip(*ends, strict=True))


@pytest.mark.parametrize("size", ["tablet", "phone"])
@pytest.mark.parametrize("language", ["en", "ru", "es"])
def test_every_step_can_be_read_and_used_by_everybody(violations, set_up, owner, open_page, picture, *, size, language):
    running, _ = set_up
    # Axe is put into the page as a script.
    page = open_page(f"{running.address}/setup?lang={language}", storage_state=owner, bypass_csp=True)
    page.set_viewport_size(SIZES[size])
    for name in ("sheets", "lens", "table", "game", "teach", "save", "camera"):
        page.locator(f'[data-go="{name}"]').click()
        open_step(page, name)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= SIZES[size]["width"], name
        if language == "en":
            assert violations(page) == []
        picture(page, f"{size}-setup-{language}-{name}")


@pytest.mark.timeout(600)
def test_the_camera_of_the_page_itself_can_be_the_tables(set_up, owner, open_page, picture):
    """A phone's own camera: the page asks the browser for it and sends its picture before each reading."""
    running, _ = set_up
    page = open_page(f"{running.address}/setup", "phone", storage_state=owner)
    page.wait_for_selector("#cameras input[value=push]", state="attached", timeout=PATIENCE_MS)
    page.locator('[data-go="camera"]').click()
    open_step(page, "camera")
    page.check('input[value="push"]', force=True)

    page.wait_for_selector("#finder:not([hidden])", timeout=PATIENCE_MS)
    page.wait_for_function("() => document.getElementById('picture').naturalWidth > 0", timeout=PATIENCE_MS)
    expect(page.locator("#trouble")).to_be_hidden()
    picture(page, "phone-setup-own-camera")
    page.check('input[value="photos"]', force=True)
    expect(page.locator("#finder")).to_be_hidden(timeout=PATIENCE_MS)
