"""Fingers and keys on the board: pinch, pan, a dragged ghost, and the downloadable answer."""

from __future__ import annotations

import io

import pytest
from page_waits import settled
from PIL import Image
from playwright.sync_api import Page, expect


def open_pair(open_page, desk, size: str, shooter: str = "bravo", target: str = "imp-1") -> Page:
    page = open_page(f"{desk.photo_link}&from={shooter}&to={target}", size)
    expect(page.locator("#card")).to_be_visible()
    settled(page)
    return page


class Fingers:
    """Fingers on one page; their touches belong together, so they share a session."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)

    def __call__(self, kind: str, *points: tuple[float, float]) -> None:
        places = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})


def middle(page: Page, selector: str) -> tuple[float, float]:
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize("size", ["tablet", "phone"])
def test_two_fingers_zoom_and_one_pans(desk, open_page, size):
    page = open_pair(open_page, desk, size)
    touch = Fingers(page)
    x, y = middle(page, "#stage")
    settled(page)
    before = page.locator("#sheet").bounding_box()

    touch("touchStart", (x - 40, y), (x + 40, y))
    for reach in (60, 80, 100):
        touch("touchMove", (x - reach, y), (x + reach, y))
    touch("touchEnd")
    pinched = page.locator("#sheet").bounding_box()
    assert 2.2 < pinched["width"] / before["width"] < 2.8

    touch("touchStart", (x, y))
    for step in (15, 30, 45):
        touch("touchMove", (x - step, y - step))
    touch("touchEnd")
    panned = page.locator("#sheet").bounding_box()
    assert panned["x"] - pinched["x"] == pytest.approx(-45, abs=2)
    assert panned["y"] - pinched["y"] == pytest.approx(-45, abs=2)
    assert panned["width"] == pinched["width"]
    expect(page.locator("#card")).to_be_visible()  # none of this was a tap

    page.evaluate("document.getElementById('zoom-fit').click()")
    assert page.locator("#sheet").bounding_box()["width"] <= before["width"] + 1


@pytest.mark.parametrize("size", ["tablet", "phone"])
def test_a_ghost_is_pulled_and_answers_on_the_way(desk, open_page, picture, size):
    page = open_pair(open_page, desk, size)
    headline = page.locator("#headline").inner_text()
    count = len(desk.state.asked)
    page.click("#what-if")
    expect(page.locator("#ghost-text")).to_be_in_viewport()
    settled(page)
    ghost = page.locator(".ghost-label", has_text="BR")
    x, y = middle(page, ".ghost-label:has-text('BR')")
    to_x, to_y = middle(page, ".ghost-label:has-text('Im1')")
    before = page.locator("#ghost-text").inner_text()

    touch = Fingers(page)
    with page.expect_response("**/what-if*"):
        touch("touchStart", (x, y))
        for share in (0.2, 0.4, 0.6, 0.8):
            touch("touchMove", (x + (to_x - x) * share, y + (to_y - y) * share))
        touch("touchEnd")
    assert page.locator("#ghost-text").inner_text() != before
    assert ghost.count() == 1
    picture(page, f"{size}-what-if")

    page.locator("#ghost-end").click()
    expect(page.locator("#headline")).to_have_text(headline)
    assert len(desk.state.asked) == count  # hypothetical moves cause no news
    expect(page.locator("#corrected")).to_be_hidden()


def test_the_ghost_has_a_twin_for_the_keyboard(desk, open_page):
    page = open_pair(open_page, desk, "tablet")
    page.locator("#what-if").focus()
    page.keyboard.press("Enter")
    before = page.locator("#ghost-text").inner_text()
    for key in ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"):
        page.keyboard.press(key)
        if page.locator("#ghost-text").inner_text() != before:
            break
    assert page.locator("#ghost-text").inner_text() != before
    page.locator("#ghost-who button", has_text="Bravo").click()
    expect(page.locator("#ghost-who [aria-pressed=true]")).to_have_text("Bravo")
    page.keyboard.press("Escape")

    expect(page.locator("#ghost")).to_be_hidden()
    expect(page.locator("#what-if")).to_be_focused()


def test_a_thought_can_be_made_true(desk, open_page):
    page = open_pair(open_page, desk, "tablet")
    page.click("#what-if")
    page.locator("#ghost-who button", has_text="Bravo").click()
    for key in ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"):
        page.keyboard.press(key)
    with page.expect_response("**/corrections*"):
        page.locator("#ghost-keep").click()

    expect(page.locator("#corrected")).to_be_visible()


@pytest.mark.parametrize(
    ("kind", "drawn"), [("range", ".ring"), ("danger", "#overlay .danger"), ("safe", ".reach-cell")]
)
def test_maps_are_drawn_with_their_numbers_and_key(desk, open_page, picture, kind, drawn):
    page = open_pair(open_page, desk, "tablet")
    page.select_option("#map", kind)
    page.wait_for_selector(drawn, state="attached")
    numbers = page.locator("#overlay .label.cost text").all_text_contents()
    picture(page, f"tablet-map-{kind}")

    if kind == "range":
        assert {"1", "2", "3"} <= set(numbers)
    if kind == "danger":
        assert numbers
        expect(page.locator("#map-key")).to_contain_text("seen by nobody")


def test_the_answer_is_saved_as_a_picture_with_its_lines(still, desk, open_page):
    page = open_pair(open_page, desk, "tablet")
    still(page)  # the lines are drawn
    with page.expect_download() as saved:
        page.click("#save")
    data = saved.value.path().read_bytes()
    image = Image.open(io.BytesIO(data)).convert("RGB")

    assert image.width == 1600
    assert image.height > 600
    colors = image.getcolors(maxcolors=1 << 24)
    assert len(colors) > 5000  # a photo, not an empty sheet
    drawn = sum(
        count for count, (r, g, b) in colors if abs(r - 0xFF) < 14 and abs(g - 0x8F) < 22 and abs(b - 0x7A) < 22
    )
    assert drawn > 300  # the lines and the verdict's band in their colour
    assert saved.value.suggested_filename == "sightline-bravo-imp-1.jpg"
