"""The main job, as a person does it: a photo, two taps, the answer."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from page_waits import choose_file, settled
from PIL import Image
from playwright.sync_api import Page, expect

SCENES = Path(__file__).parents[1] / "data" / "scenes"
PHOTO = SCENES / "dev" / "easy-03" / "photo.jpg"
ONE_PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b550000"
    "000a49444154789c636800000082008177cd72b60000000049454e44ae426082"
)
READING_MS = 150_000  # a reading takes 1 to 3 s alone; far more on a busy machine


def hand_in(page: Page, photo: Path = PHOTO) -> None:
    choose_file(page, "#choose", photo)
    page.wait_for_selector("[data-figure]", timeout=READING_MS)


def open_scene(open_page: Callable[..., Page], link: str, size: str = "tablet") -> Page:
    page = open_page(link, size)
    page.wait_for_selector("[data-figure]", timeout=READING_MS)
    return page


AT_REST = """async (node) => {
    const place = () => { const { x, y } = node.getBoundingClientRect(); return `${x} ${y}`; };
    for (let before = null; before !== place();) {
        before = place();
        await new Promise((done) => setTimeout(done, 60));
    }
}"""
"""Waits until the board stops zooming: a finger misses a moving target."""


def tap_figure(page: Page, kind: str) -> None:
    page.locator(f'[data-figure^="{kind}"] .base').first.evaluate(AT_REST)
    box = page.locator(f'[data-figure^="{kind}"] .base').first.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


@pytest.mark.parametrize("size", ["tablet", "phone"])
def test_a_photo_and_two_taps_give_the_ruling(photos, open_page, picture, size):
    page = open_page(photos.address, size)
    picture(page, f"{size}-1-welcome")
    hand_in(page)
    expect(page.locator("#hint")).to_have_text("Tap the figure that shoots.")
    picture(page, f"{size}-2-figures")

    with page.expect_response(re.compile("/rulings")) as asked:
        tap_figure(page, "foxtrot")
        expect(page.locator("#hint")).to_have_text("Now tap its target.")
        tap_figure(page, "imp")
    card = asked.value.json()
    headline = {"clear": "Clear shot", "cover": "Shot into cover", "blocked": "No line of sight"}[card["verdict"]]

    expect(page.locator("#headline")).to_have_text(headline)
    assert (card["ruling"]["attacker"], card["ruling"]["defender"]) == ("foxtrot", "imp~1")
    facts = page.locator(".fact dd").all_text_contents()
    assert facts[0].startswith(str(card["ruling"]["range"]))
    assert page.locator(".reasons li").count() == len(card["reasons"])
    assert page.locator("#overlay .sight").count() == len(card["lines"])
    assert page.locator("#headline").evaluate("node => parseFloat(getComputedStyle(node).fontSize)") >= 27
    picture(page, f"{size}-3-{card['verdict']}")


@pytest.mark.parametrize("language", ["ru", "es"])
@pytest.mark.parametrize("size", ["tablet", "phone"])
def test_the_answer_comes_in_the_readers_language(shot_link, open_page, picture, size, language):
    page = open_scene(open_page, shot_link.replace("/#", f"/?lang={language}#"), size)
    tap_figure(page, "foxtrot")
    tap_figure(page, "skull")

    expect(page.locator("#headline")).to_have_text({"ru": "Не видно", "es": "Sin línea de visión"}[language])
    picture(page, f"{size}-4-{language}")


def test_a_shared_link_opens_the_picture_with_its_answer(shot_link, open_page):
    page = open_scene(open_page, f"{shot_link}&from=foxtrot&to=imp~1")

    expect(page.locator("#card")).to_be_visible()
    assert page.url.endswith("&from=foxtrot&to=imp%7E1")


def test_the_figures_read_are_those_that_stand_there(shot_link, open_page):
    page = open_scene(open_page, shot_link)
    truth = json.loads((PHOTO.parent / "truth.json").read_text())

    shown = page.locator("[data-figure]").evaluate_all("all => all.map(figure => figure.getAttribute('aria-label'))")
    assert sorted(name.split(", ")[1] for name in shown) == sorted(figure["kind"] for figure in truth["figures"])


def test_another_target_is_one_tap_and_swapping_asks_the_other_way(shot_link, open_page):
    page = open_scene(open_page, shot_link)
    tap_figure(page, "foxtrot")
    tap_figure(page, "imp")
    expect(page.locator(".sentence")).to_contain_text("Imp 1")
    page.click("#zoom-fit")  # the two were brought near, and the next target stands beyond them
    tap_figure(page, "skull")
    expect(page.locator(".sentence")).to_contain_text("Skull 1")
    page.click("#swap")

    expect(page.locator(".sentence")).to_have_text(re.compile("^Skull 1 .*Foxtrot"))


def test_everything_works_with_the_keyboard_alone(shot_link, open_page):
    page = open_scene(open_page, shot_link)
    page.locator('[data-figure^="foxtrot"]').focus()
    page.keyboard.press("Enter")
    page.locator('[data-figure^="imp"]').focus()
    page.keyboard.press("Space")

    expect(page.locator("#card")).to_be_visible()
    name = page.locator('[data-figure^="imp"]').get_attribute("aria-label")
    assert re.fullmatch(r"Imp 1, imp, column [A-Z] row \d+, target", name or "")


def test_a_figure_set_elsewhere_by_hand_changes_the_question(shot_link, open_page, picture):
    page = open_scene(open_page, shot_link)
    tap_figure(page, "skull")
    page.click("#correct")
    page.locator("#sheet-menu button").first.click()
    page.keyboard.press("ArrowLeft")
    picture(page, "tablet-5-moving")
    page.keyboard.press("Enter")

    expect(page.locator("#corrected")).to_be_visible()


def test_what_the_shooter_sees_is_shown_on_the_board(shot_link, open_page, picture):
    page = open_scene(open_page, shot_link)
    tap_figure(page, "foxtrot")
    page.select_option("#map", "seen")
    page.wait_for_selector(".reach-cell", state="attached")
    picture(page, "tablet-6-seen")
    page.select_option("#map", "reach-4")
    page.wait_for_selector(".label.cost", state="attached")
    picture(page, "tablet-7-reach")


def test_the_drawn_board_answers_as_well(shot_link, open_page, picture):
    page = open_scene(open_page, shot_link)
    page.click("#as-plan")
    expect(page.locator("#picture")).to_be_hidden()
    tap_figure(page, "foxtrot")
    tap_figure(page, "imp")
    expect(page.locator("#card")).to_be_visible()
    picture(page, "tablet-8-drawn")


@pytest.mark.parametrize("name", ["cut.jpg", "note.jpg", "dot.png"])
def test_a_file_that_is_no_photo_gets_one_plain_sentence(photos, open_page, picture, tmp_path, name):
    wrong = tmp_path / name
    wrong.write_bytes({"cut.jpg": PHOTO.read_bytes()[:20_000], "note.jpg": b"no picture", "dot.png": ONE_PIXEL}[name])
    page = open_page(photos.address)
    choose_file(page, "#choose", wrong)

    expect(page.locator("#trouble")).to_contain_text("This file cannot be read as a photo (", timeout=READING_MS)
    expect(page.locator("#trouble")).to_contain_text("try again")
    picture(page, f"tablet-9-{name.partition('.')[0]}")
    open_page.expected.append("Failed to load resource")  # the browser notes the refused upload as an error of its own


def test_a_photo_of_no_table_says_what_to_do(photos, open_page, tmp_path):
    page = open_page(photos.address)
    Image.new("RGB", (1280, 720), (120, 120, 120)).save(tmp_path / "gray.jpg")
    choose_file(page, "#choose", tmp_path / "gray.jpg")

    expect(page.locator("#trouble")).to_contain_text("Take the photo again", timeout=READING_MS)
    misread = page.get_by_role("button", name="This was read wrongly")
    misread.tap()
    expect(page.locator("#hint")).to_contain_text("The photo is kept", timeout=READING_MS)
    expect(misread).to_be_disabled()
    open_page.expected.append("Failed to load resource")


def test_the_wall_shows_the_ruling_that_a_tablet_asked_for(shot_link, photos, open_page, picture):
    wall = open_page(f"{photos.address}/wall")
    settled(wall)
    page = open_scene(open_page, shot_link)
    tap_figure(page, "skull")
    tap_figure(page, "foxtrot")
    expect(page.locator("#headline")).to_be_visible()

    expect(wall.locator(".sentence")).to_contain_text("Skull 1", timeout=20_000)
    expect(wall.locator("#choose-label")).to_be_hidden()
    picture(wall, "wall-ruling")


def test_a_wrong_reading_is_kept_by_one_tap(shot_link, open_page, picture, violations):
    page = open_scene(open_page, shot_link, "phone")
    misread = page.get_by_role("button", name="This was read wrongly")
    misread.tap()
    expect(page.locator("#hint")).to_contain_text("The picture and its reading are kept.")
    expect(misread).to_be_disabled()
    assert violations(page) == []
    picture(page, "phone-read-wrongly")
