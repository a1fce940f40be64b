"""Showing the answer: the pair zooms in, others fade, a sentence lights up its line, and lines can be browsed."""

from __future__ import annotations

from typing import Any

import pytest
from page_waits import settled
from playwright.sync_api import Page, expect


def open_answer(
    desk: Any, open_page: Any, size: str = "tablet", pair: str = "from=bravo&to=imp-1", **more: Any
) -> Page:
    page: Page = open_page(f"{desk.photo_link}&{pair}", size)
    expect(page.get_by_role("article")).to_be_visible()
    settled(page)
    return page


def board_px(page: Page) -> float:
    """Return the width of the picture on the screen."""
    width: float = page.locator("#sheet").bounding_box()["width"]  # type: ignore[index]
    return width


@pytest.mark.parametrize("size", ["tablet", "phone"])
def test_the_picture_comes_near_the_two_and_goes_back(desk, open_page, picture, size):
    page = open_answer(desk, open_page, size, pair="from=foxtrot&to=imp-1")
    near = board_px(page)
    picture(page, f"{size}-seeing-near")
    for name in ("Foxtrot,", "Imp 1,"):
        expect(page.get_by_role("button", name=name)).to_be_in_viewport()
    page.get_by_role("button", name="Show the whole board").click()
    settled(page)
    assert board_px(page) < near / 1.2
    page.get_by_role("button", name="Start again").click()
    settled(page)
    assert board_px(page) < near / 1.2


def test_whoever_does_not_want_that_switches_it_off_for_good(desk, open_page):
    page = open_answer(desk, open_page, pair="from=foxtrot&to=imp-1")
    near = board_px(page)
    page.locator("summary", has=page.locator("svg")).and_(page.get_by_label("What is drawn")).click()
    page.get_by_role("checkbox", name="Zoom to the two figures").uncheck()
    settled(page)
    assert board_px(page) < near / 1.2
    page.reload()
    expect(page.get_by_role("article")).to_be_visible()
    settled(page)
    assert board_px(page) < near / 1.2


def test_other_figures_fade_and_the_two_do_not(desk, open_page):
    page = open_answer(desk, open_page)
    opacity = "node => Number(getComputedStyle(node).opacity)"
    assert page.get_by_role("button", name="Bravo,").evaluate(opacity) == 1
    assert page.get_by_role("button", name="Imp 1,").evaluate(opacity) == 1
    assert page.get_by_role("button", name="Skull 1,").evaluate(opacity) < 0.5


def test_a_sentence_lights_up_its_line_and_names_its_ends(desk, open_page, picture):
    page = open_answer(desk, open_page)
    sentence = page.get_by_role("button", name="No line of sight: every line")
    sentence.click()
    expect(sentence).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".sight.lit")).to_have_count(1)
    ends = page.locator(".end-name").all_text_contents()
    assert ends == ["C2/D3", "E6/F7"]
    assert all(end in sentence.inner_text() for end in ends)
    picture(page, "tablet-seeing-sentence")
    sentence.click()
    expect(page.locator(".sight.lit")).to_have_count(0)


def tap_space(page: Page, cell: tuple[int, int]) -> None:
    """Tap the middle of a space of the board."""
    x, y = page.evaluate(
        """([column, row]) => fetch(`/api/v1/shots/photo-easy-03`).then((answer) => answer.json()).then(({ cells }) => {
            const { outline } = cells.find(({ cell }) => cell[0] === column && cell[1] === row);
            const overlay = document.getElementById("overlay");
            const [x, y] = [0, 1].map((i) => outline.reduce((sum, point) => sum + point[i], 0) / outline.length);
            const at = new DOMPoint(x, y).matrixTransform(overlay.getScreenCTM());
            return [at.x, at.y];
        })""",
        list(cell),
    )
    page.touchscreen.tap(x, y)


@pytest.mark.parametrize("size", ["tablet", "phone"])
def test_the_ruler_measures_between_two_spaces(desk, open_page, picture, violations, size):
    page = open_page(desk.photo_link, size, bypass_csp=True)
    page.wait_for_selector("[data-figure]")
    settled(page)
    board = desk.build.true_shot("easy-03").board
    [start], end = board.figure("bravo").cells, board.figure("imp-1").cells[0]
    page.get_by_role("button", name="Ruler").click()
    ruler = page.get_by_role("group", name="Ruler")
    expect(ruler).to_contain_text("Tap the space where the ruler begins.")
    tap_space(page, start)
    expect(ruler).to_contain_text("Tap the space where it ends.")
    tap_space(page, end)
    expect(ruler).to_contain_text("Line of sight blocked by a wall.")
    expect(ruler).to_contain_text("Range")
    expect(page.locator(".ruler-end")).to_have_count(2)
    expect(page.locator("#card")).to_be_hidden()  # the ruler chooses nobody
    settled(page)
    assert violations(page) == []
    picture(page, f"{size}-ruler")
    page.keyboard.press("Escape")
    expect(ruler).to_be_hidden()
    expect(page.locator(".ruler-end")).to_have_count(0)


def test_letters_and_numbers_stand_along_the_board(desk, open_page):
    page = open_answer(desk, open_page)
    names = page.locator(".rim-name").all_text_contents()
    assert {"A", "B", "C", "1", "2", "3"} <= set(names)
    assert len(names) == len(set(names))


@pytest.mark.parametrize("size", ["tablet", "phone"])
def test_all_lines_are_gone_through_one_by_one_by_touch_or_keys(desk, open_page, picture, size):
    page = open_answer(desk, open_page, size)
    steps = page.get_by_role("group", name="Line by line")
    steps.get_by_role("button", name="Next line").click()
    expect(steps).to_contain_text("1 of 16: C2/D3 – E6/F7, stopped by a wall")
    expect(page.locator(".sight.lit")).to_have_count(1)
    steps.get_by_role("button", name="Next line").press("Enter")
    expect(steps).to_contain_text("2 of 16")
    picture(page, f"{size}-seeing-step")
    for _ in range(2):
        steps.get_by_role("button", name="Previous line").click()
    expect(page.locator(".sight.lit")).to_have_count(0)
    steps.get_by_role("button", name="Previous line").click()
    expect(steps).to_contain_text("16 of 16")
