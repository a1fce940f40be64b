"""Teaching in a real browser: a tile from its photo to the tile set, a figure, a door, and the set as a zip."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from page_waits import choose_file
from playwright.sync_api import Browser, Page, expect

from assistant.documents import camera_document, table_document, to_json
from assistant.profiles import Profiles
from vision.photo.decoding import decode_photo
from vision.simulation.compose import random_scene
from vision.simulation.dataset import take_photo
from vision.simulation.sample import sample_tiles
from vision.simulation.scene import Clutter, PlacedFigure, PlacedTile, Scene

PATIENCE_MS = 280_000
SMALL_WH = (480, 270)
SIDE = "02"
RING = "#d13a34"


@dataclass(frozen=True)
class Lesson:
    """A running program, the owner's cookies, its data folder, and the photos to hand in."""

    address: str
    owner: dict[str, object]
    data: Path
    photos: dict[str, Path]
    scene: Scene


def scenes() -> dict[str, Scene]:
    """Return a tile of the sample game, a figure and a door, each alone on one and the same table."""
    scene = replace(random_scene(61, "easy"), printed=sample_tiles(), figures=(), doors=(), damage_mm=(), clutter=())
    side = next(side for side in sample_tiles().tile_set.sides if side.id.startswith(SIDE))
    tile = replace(scene, tiles=(PlacedTile(side.id, 1, (0, 0)),))
    x, y = np.mean([np.mean(marker.corners_mm, axis=0) for marker in scene.markers.markers], axis=0).tolist()
    flat = replace(scene.printed, tile_set=replace(scene.printed.tile_set, thickness_mm=0.0))
    bare = replace(scene, printed=flat, tiles=(PlacedTile(side.id, 0, (200, 200)),))
    small = next(figure for figure in scene.roster.figures if figure.size == (1, 1))
    figure = PlacedFigure(replace(small, ring=RING), ((0, 0),), (x, y), 0.0, 40.0, 1)
    door = Clutter("door token", (x, y), 25.0, 3)
    return {"tile": tile, "figure": replace(bare, figures=(figure,)), "door": replace(bare, clutter=(door,))}


@pytest.mark.parametrize("name", ["tile", "figure", "door"])
def test_the_photos_are_those_of_the_scenes(golden: Path, name: str) -> None:
    """The photos lie beside the tests because taking them takes longer than teaching. Here each is taken small."""
    scene = scenes()[name]
    small = replace(scene, view=replace(scene.view, lens=scene.view.lens.scaled_to(*SMALL_WH)))
    taken = decode_photo(take_photo(small)[0])
    kept = decode_photo((golden / "scenes" / "teach" / f"{name}.jpg").read_bytes())
    assert np.abs(taken.astype(int) - cv2.resize(kept, SMALL_WH, interpolation=cv2.INTER_AREA)).mean() < 8


@pytest.fixture(scope="module")
def lesson(tmp_path_factory: pytest.TempPathFactory, browser: Browser, programs, golden: Path) -> Iterator[Lesson]:
    """The program on the table of the photos, and its owner."""
    folder = tmp_path_factory.mktemp("teach")
    made = scenes()
    photos = {name: golden / "scenes" / "teach" / f"{name}.jpg" for name in made}
    (folder / "table.json").write_text(to_json(table_document(made["tile"].markers)))
    (folder / "camera.json").write_text(to_json(camera_document(made["tile"].view.lens)))
    documents = [f"--table={folder / 'table.json'}", f"--lens={folder / 'camera.json'}"]
    running = programs.begin(folder / "data", "run", *documents, "--strip=virtual")
    yield Lesson(running.address, programs.owner_of(running, browser), folder / "data", photos, made["tile"])
    assert programs.end(running) == 0


def small_controls(page: Page) -> list[str]:
    boxes = page.evaluate(
        """[...document.querySelectorAll('button, a.button, label.button, .mode, input:not(.unseen):not([type=radio])')]
        .filter(node => node.offsetParent).map(node => [node.id || node.textContent.trim(),
        node.getBoundingClientRect().height])"""
    )
    assert len(boxes) > 5
    return [name for name, height in boxes if height < 48]


def add_and_take_away_a_cell(page: Page, picture) -> None:
    """A tap beside the tile adds a cell, a second one takes it away again."""
    cells = page.locator("#tile-lines .spot").count()
    page.check("[name=mode][value=cells]")
    corner = page.locator('#tile-lines .spot[data-key="0,0"]')
    assert page.locator("#tile-lines .spot").count() > cells
    corner.click()
    expect(page.locator("#said")).to_have_text("Column 1 row 1: plain ground")
    picture(page, "tablet-teach-2-shape")
    corner.click()
    expect(page.locator("#said")).to_have_text("Column 1 row 1: not part of the tile")


def save_it_again(page: Page) -> None:
    """The same side once more: the page asks before it replaces the first one."""
    page.click("#tile-form .main")
    expect(page.locator("#trouble")).to_have_text("The tile set already holds 07A. Replace what is there?")
    page.click("#tile-replace")
    expect(page.locator("#done")).to_contain_text("07A is in the tile set home now", timeout=PATIENCE_MS)
    expect(page.locator("#tile-replace")).to_be_hidden()


@pytest.mark.timeout(900)
def test_a_tile_is_taught_from_a_photo_and_corrected_by_tap_and_key(violations, lesson, open_page, picture):
    open_page.expected.append("status of 409")  # the page asks before it replaces
    page = open_page(f"{lesson.address}/setup/teach", storage_state=lesson.owner, bypass_csp=True)
    picture(page, "tablet-teach-1-empty")
    choose_file(page, "#tile-photo", lesson.photos["tile"])
    page.wait_for_selector("#workbench:not([hidden])", timeout=PATIENCE_MS)
    page.wait_for_function("() => document.getElementById('tile-picture').naturalWidth > 0")
    picture(page, "tablet-teach-2-read")
    assert violations(page) == []
    assert small_controls(page) == []

    # A tap goes through the kinds, and the last one is nothing.
    spot = page.locator("#tile-lines .spot").first
    key = spot.get_attribute("data-key")
    said = []
    for _ in range(4):
        page.locator(f'[data-key="{key}"]').click()
        said.append(page.locator("#said").inner_text().rsplit(": ", 1)[1])
    assert sorted(said) == ["impassable", "nothing printed", "obstacle", "wall"]

    page.locator(f'[data-key="{key}"]').focus()
    page.keyboard.press("ArrowDown")
    there = page.evaluate("document.activeElement.dataset.key")
    assert there != key
    before = page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.dataset.key") == there
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") != before
    for _ in range(3):
        page.keyboard.press("Space")

    page.check("[name=mode][value=ground]")
    cell = page.locator("#tile-lines .spot").first
    name = cell.get_attribute("aria-label")
    cell.click()
    assert page.locator("#tile-lines .spot").first.get_attribute("aria-label") != name
    page.locator("#tile-lines .spot").first.click()
    add_and_take_away_a_cell(page, picture)
    page.fill("#tile-set", "home")
    page.fill("#tile-id", "07A")
    page.click("#tile-form .main")
    expect(page.locator("#done")).to_contain_text("07A is in the tile set home now", timeout=PATIENCE_MS)
    picture(page, "tablet-teach-3-kept")
    save_it_again(page)

    kept = json.loads(Profiles(lesson.data).read("tiles", "home"))
    side = lesson.scene.printed.tile_set.side(lesson.scene.tiles[0].id)
    assert len(kept["tiles"][0]["cells"]) == len(side.cells)
    page.click("[data-part-of=sets]")
    with page.expect_download() as download:
        page.click("#sets a")
    with zipfile.ZipFile(download.value.path()) as archive:
        assert sorted(archive.namelist()) == ["07A.png", "tileset.json"]
    choose_file(page, "#set-file", download.value.path())
    expect(page.locator("#trouble")).to_be_hidden()
    expect(page.locator("#done")).to_contain_text("The tile set home is imported", timeout=PATIENCE_MS)
    picture(page, "tablet-teach-4-sets")


@pytest.mark.timeout(900)
def test_a_figure_and_a_door_are_taught_on_a_phone(violations, lesson, open_page, picture):
    page = open_page(f"{lesson.address}/setup/teach", "phone", storage_state=lesson.owner, bypass_csp=True)
    page.click("[data-part-of=figure]")
    choose_file(page, "#figure-photo", lesson.photos["figure"])
    page.wait_for_selector("#figure-bench:not([hidden])", timeout=PATIENCE_MS)
    expect(page.locator("#figure-shape")).to_have_value("round")
    expect(page.locator("#figure-length")).to_have_value(re.compile(r"^2[0-4](\.\d)?$"))
    expect(page.locator("#figure-width-field")).to_be_hidden()
    expect(page.locator("#figure-columns")).to_have_value("1")
    expect(page.locator("#figure-sides")).to_contain_text("from three sides")
    again = lesson.data.parent / "again.jpg"
    cv2.imwrite(str(again), cv2.imread(str(lesson.photos["figure"])), [cv2.IMWRITE_JPEG_QUALITY, 70])
    says = "Sides photographed: {}. Photos that add none: 1. Turn the figure or walk round it for another side."
    # The same file is no other side. Another picture by the same camera is: the figure may have been turned under it.
    for sides, photo in ((1, lesson.photos["figure"]), (2, again)):
        choose_file(page, "#figure-more", photo)
        expect(page.locator("#figure-sides")).to_have_text(says.format(sides), timeout=PATIENCE_MS)
    for field, value in (("roster", "box"), ("kind", "imp"), ("side", "demons")):
        page.fill(f"#figure-{field}", value)
    picture(page, "phone-teach-5-figure")
    assert violations(page) == []
    assert small_controls(page) == []
    page.click("#figure-form .main")
    expect(page.locator("#done")).to_contain_text("The figure is in box now", timeout=PATIENCE_MS)

    page.click("[data-part-of=door]")
    choose_file(page, "#door-photo", lesson.photos["door"])
    page.wait_for_selector("#door-bench:not([hidden])", timeout=PATIENCE_MS)
    page.fill("#door-roster", "box")
    picture(page, "phone-teach-6-door")
    page.click("#door-form .main")
    expect(page.locator("#done")).to_contain_text("The doors are in box now", timeout=PATIENCE_MS)
    roster = json.loads(Profiles(lesson.data).read("roster", "box"))
    assert (roster["figures"][0]["kind"], roster["doors"]["width_cells"]) == ("imp", 1)
    assert len(roster["figures"][0]["look"]["views"]) == 2

    page.click("[data-part-of=figure]")
    choose_file(page, "#figure-photo", lesson.photos["figure"])
    known = "The roster already has a ring like this, so that one is used."
    expect(page.locator("#figure-ring")).to_have_text(known, timeout=PATIENCE_MS)
    page.fill("#figure-kind", "ghoul")
    expect(page.locator("#figure-ring")).to_contain_text("imp already has a ring like this")
    picture(page, "phone-teach-7-shared-ring")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.timeout(900)
def test_a_taught_figure_stands_with_its_picture_in_the_lists(lesson, programs, open_page, picture, browser, tmp_path):
    """On the evening after the lesson, the taught roster is in use, with pictures in the order and the figure list."""
    page = open_page(f"{lesson.address}/setup/teach", storage_state=lesson.owner)
    page.click("[data-part-of=figure]")
    choose_file(page, "#figure-photo", lesson.photos["figure"])
    page.wait_for_selector("#figure-bench:not([hidden])", timeout=PATIENCE_MS)
    for field, value in (("roster", "evening"), ("kind", "imp"), ("side", "invader")):
        page.fill(f"#figure-{field}", value)
    page.click("#figure-form .main")
    expect(page.locator("#done")).to_contain_text("The figure is in evening now", timeout=PATIENCE_MS)
    (tmp_path / "evening.json").write_bytes(Profiles(lesson.data).read("roster", "evening"))
    running = programs.begin(tmp_path / "data", "run", f"--roster={tmp_path / 'evening.json'}", "--strip=virtual")
    try:
        owner = programs.owner_of(running, browser)
        evening = open_page(running.address, storage_state=owner)
        wanted = {"name": "Friday", "mission": "doom2016_first_fight", "without_table": False, "on_sample_table": True}
        headers = {"X-Sightline": "1"}
        made = evening.request.post(f"{running.address}/api/v1/matches", data=wanted, headers=headers)
        assert made.status == 201
        evening.locator('[data-view="initiative"]').click()
        expect(evening.get_by_role("button", name=re.compile("round"))).to_be_visible()
        evening.get_by_role("button", name=re.compile("round")).first.click()
        for name, list_of in (("initiative", "#order"), ("figures", "#view-figures")):
            evening.locator(f'[data-view="{name}"]').click()
            portrait = evening.locator(f"{list_of} img.portrait").first
            portrait.scroll_into_view_if_needed()
            expect(portrait).to_be_visible()
            evening.wait_for_function("one => one.naturalWidth > 0", arg=portrait.element_handle())
            picture(evening, f"tablet-portraits-{name}")
        evening.context.close()  # its stream would outlive the program
    finally:
        assert programs.end(running) == 0


def test_a_guest_learns_that_only_the_owner_teaches(lesson, open_page):
    page = open_page(f"{lesson.address}/setup/teach")

    expect(page.locator("#not-owner")).to_be_visible()
