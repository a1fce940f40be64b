"""A stranger's log: from an empty data folder to the first ruling, on the page alone, each step with its seconds.

`make stranger` prints the log of every game and keeps it in `out/stranger-*.txt`.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from loose_box import TwoSidedBox, lay_out_loosely, loose_scene, random_box, turned_over
from page_waits import choose_file
from playwright.sync_api import Page, expect

from assistant.app.matches.choice import demo_games
from assistant.match.games import game_named
from tests.line_ups import LOOKS, line_up, photo_of
from tests.own_models import WALL
from tests.own_models import own_table as table_without_grid
from vision.simulation.camera_view import Around, RenderCamera, lens_of_width
from vision.simulation.dataset import take_photo
from vision.simulation.sample import sample_scene
from vision.simulation.scene import PlacedFigure, PlacedTile, Scene
from vision.simulation.tile_art import CELL_MM
from vision.simulation.truth import truth_document

PATIENCE_MS = 280_000
OUT = Path(__file__).parents[2] / "out"
TAP_S, PHOTO_S = 5, 20
"""A person's time for a tap and for a photo; a short typed name counts as two taps."""


class Log:
    """Steps with their seconds and a person's estimated time, saved as a file."""

    def __init__(self, name: str) -> None:
        self._begun_s = self._last_s = time.monotonic()
        self.person_s = 0
        self._path = OUT / f"stranger-{name}.txt"
        self._path.parent.mkdir(exist_ok=True)
        self._path.write_text("")

    def step(self, words: str, *, taps: int = 0, photos: int = 0) -> None:
        now_s = time.monotonic()
        person_s = TAP_S * taps + PHOTO_S * photos
        self.person_s += person_s
        person = f"  person {person_s:+3d} s" if person_s else ""
        line = f"{now_s - self._begun_s:6.1f} s  {now_s - self._last_s:+6.1f} s{person}  {words}\n"
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
    expect(page.get_by_role("button", name="Dice", exact=True)).to_be_visible(timeout=PATIENCE_MS)
    log.step("the match is begun on the drawn board")
    page.get_by_role("button", name="Dice", exact=True).click()
    # Two figures are on the drawn board; others wait in the box.
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
    choose_file(page, "#line-up-photo", photo)
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


def photos_of(box: TwoSidedBox) -> list[bytes]:
    """Return the fronts of all tiles with a door and a card among them, and their backs, on planks."""
    layout = lay_out_loosely(np.random.default_rng(3), box, box.tiles, ("door token", "card"))
    over = turned_over(np.random.default_rng(4), layout)
    scenes = [
        loose_scene(31, box, layout, "A", "wood", photo_wh=(1600, 1200)),
        loose_scene(32, box, over, "B", "wood", photo_wh=(1600, 1200)),
    ]
    return [take_photo(scene)[0] for scene in scenes]


def own_table(box: TwoSidedBox) -> Scene:
    """Return the fronts side by side, and two figures of the line-up on them."""
    placed, spots, right = [], [], 0
    for name in box.tiles:
        side = box.printed.tile_set.side(f"{name}A")
        placed.append(PlacedTile(side.id, 0, (right, 0)))
        column, row = max(side.cells)
        spots.append((right + column, row))
        right += side.bounds[2]
    ghouls = [figure for figure in line_up().roster.figures if figure.kind == "ghoul"]
    standing = tuple(
        PlacedFigure(ghoul, (cell,), ((cell[0] + 0.5) * CELL_MM, (cell[1] + 0.5) * CELL_MM), 0.0, 40.0, number)
        for number, (ghoul, cell) in enumerate(zip(ghouls, (spots[0], spots[-1]), strict=False))
    )
    laid = lay_out_loosely(np.random.default_rng(3), box, box.tiles, ("card",))
    middle = (right * CELL_MM / 2, 2 * CELL_MM)
    lens = lens_of_width(2000, 1500, 1540.0, -0.02, 0.0)
    view = RenderCamera.looking_at(lens, middle, Around(1.25 * right * CELL_MM, 24.0, 96.0))
    scene = loose_scene(33, box, laid, "A", "wood", photo_wh=(2000, 1500))
    far = replace(laid.flats[0], center_mm=(middle[0], 6.5 * CELL_MM))
    return replace(scene, tiles=tuple(placed), figures=standing, looks=LOOKS, clutter=(far,), view=view)


@pytest.fixture(scope="module")
def own_photos(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A person's photos: fronts, backs, all figures, and the set-up table."""
    folder = tmp_path_factory.mktemp("photos")
    box = random_box(7, 3)
    fronts, backs = photos_of(box)
    taken = {"fronts": fronts, "backs": backs, "figures": photo_of(line_up()), "table": take_photo(own_table(box))[0]}
    for name, photo in taken.items():
        (folder / f"{name}.jpg").write_bytes(photo)
    return {name: folder / f"{name}.jpg" for name in taken}


def teach_tiles(page: Page, log: Log, photos: dict[str, Path]) -> None:
    page.get_by_role("link", name="Your tiles").click()
    choose_file(page, "#box-fronts", photos["fronts"])
    expect(page.locator("#box-sheet > li")).to_have_count(3, timeout=PATIENCE_MS)
    log.step("one photo of the fronts: 3 tiles", taps=2, photos=1)
    choose_file(page, "#box-backs", photos["backs"])
    expect(page.locator("#box-sheet > li")).to_have_count(6, timeout=PATIENCE_MS)
    expect(page.locator("#box-busy")).to_be_hidden(timeout=PATIENCE_MS)
    log.step("one photo after all were turned over: 6 sides", taps=1, photos=1)
    page.fill("#keep-set", "home")
    page.get_by_role("button", name="Save the box").click()
    expect(page.locator("#done")).to_contain_text("home")
    log.step("the tiles are saved", taps=3)
    page.get_by_role("link", name="To the set-up").click()


def teach_figures(page: Page, log: Log, photos: dict[str, Path]) -> None:
    page.get_by_role("link", name="Your figures, all at once").click()
    choose_file(page, "#line-up-photo", photos["figures"])
    expect(page.locator("#line-up-found")).to_contain_text("Figures: 6", timeout=PATIENCE_MS)
    page.fill("#line-up-base", "22")
    page.get_by_role("button", name="That wide").click()
    expect(page.locator("#line-up-scale-form")).to_be_hidden()
    for number, kind in enumerate(("ghoul", "golem")):
        page.locator("[data-kind]").nth(number).fill(kind)
        page.locator("[data-side]").nth(number).fill("foes")
    page.fill("#line-up-roster", "home")
    page.get_by_role("button", name="Save these figures").click()
    expect(page.locator("#done")).to_contain_text("home")
    log.step("one photo of all figures, one size, two names: saved", taps=2 + 3 + 8 + 3, photos=1)
    page.get_by_role("link", name="To the set-up").click()


@pytest.mark.timeout(1200)
def test_a_box_of_ones_own_is_taught_and_ruled_on_with_a_phone_alone(stranger, open_page, picture, own_photos):
    address, link = stranger
    log = Log("own-box")
    page = open_page(link)
    set_up_page(page)
    page.get_by_role("button", name="A phone").click()
    log.step("the set-up asks; “A phone”", taps=1)
    teach_tiles(page, log, own_photos)
    expect(page.locator("#taught-tiles")).to_have_text("There already: home", timeout=PATIENCE_MS)
    teach_figures(page, log, own_photos)

    page.locator('[data-go="game"]').click()
    for what in ("tiles", "roster"):
        expect(page.locator(f"#{what}")).to_have_value("home")
    log.step("one's own tiles and figures are chosen already", taps=1)
    page.locator('[data-go="save"]').click()
    expect(page.locator("#save-name")).to_have_value("home")
    page.fill("#save-name", "Kitchen")
    page.click("#save-form button")
    expect(page.locator("#saved")).to_be_visible(timeout=PATIENCE_MS)
    log.step("the set-up has a name", taps=4)
    page.locator('[data-go="read"]').click()
    choose_file(page, "#read-photo", own_photos["table"])
    page.wait_for_selector("#read-acts:not([hidden])", timeout=PATIENCE_MS)
    log.step("a photo of the table: " + page.locator("#read-result").inner_text().replace("\n", " "), taps=2, photos=1)
    shot = page.locator("#read-closer").get_attribute("href").removeprefix("/#shot=")
    seen = page.request.get(f"{address}/api/v1/shots/{shot}/observation").json()
    assert len(seen["tiles"]) == 3
    assert [figure["kind"] for figure in seen["figures"]] == ["ghoul", "ghoul"]
    page.get_by_role("button", name="That is right: play").click()
    figures = page.locator("[data-figure]")
    expect(figures).to_have_count(2, timeout=PATIENCE_MS)
    for game in (name for name in demo_games() if game_named(name).table != "free"):
        page.select_option("#ruleset", game)
        with page.expect_response(re.compile("/rulings")) as asked:
            for number in range(2):
                figures.nth(number).focus()
                page.keyboard.press("Enter")
        assert asked.value.json()["ruling"]["ruleset"] == game
        assert asked.value.json()["verdict"] in ("clear", "cover", "blocked")
        expect(page.locator("#headline")).not_to_be_empty()
        log.step(f"the first ruling of {game}: " + page.locator("#headline").inner_text(), taps=4)
        log.step(f"a person, by the count: {log.person_s} s")
        page.click("#again")
    picture(page, "stranger-own-box")


@pytest.mark.timeout(1200)
def test_models_of_ones_own_are_taught_and_ruled_on_without_a_grid(stranger, open_page, picture, tmp_path):
    _, link = stranger
    photos = {"figures": photo_of(line_up())} | {
        side: photo_of(table_without_grid(side)) for side in ("left", "right", "game")
    }
    for name, photo in photos.items():
        (tmp_path / f"{name}.jpg").write_bytes(photo)
    paths = {name: tmp_path / f"{name}.jpg" for name in photos}
    log = Log("own-roads")
    page = open_page(link)
    set_up_page(page)
    page.check('input[value="photos"]', force=True)
    page.locator('[data-go="lens"]').click()
    page.click("#lens-skip")
    expect(page.locator("#lens-skipped")).to_be_visible(timeout=PATIENCE_MS)
    log.step("photos; four printed markers lie round the table; no lens board", taps=4)
    page.locator('[data-go="table"]').click()
    for side in ("left", "right"):
        choose_file(page, "#table-photos", paths[side])
        expect(page.locator("#table-list > li")).to_have_count(1 + (side == "right"), timeout=PATIENCE_MS)
    page.click("#table-solve")
    expect(page.locator("#table-result")).to_be_visible(timeout=PATIENCE_MS)
    log.step("two photos of the markers: " + page.locator("#table-result p").first.inner_text(), taps=2, photos=2)
    page.locator('[data-go="teach"]').click()
    teach_figures(page, log, paths)

    page.locator('[data-go="game"]').click()
    expect(page.locator("#roster")).to_have_value("home")
    with page.expect_response(re.compile("/wizard/game")):
        page.get_by_label("No grid").check(force=True)
    log.step("one's own models, no grid, a step of 50 mm", taps=4)
    page.locator('[data-go="save"]').click()
    page.fill("#save-name", "Club")
    page.click("#save-form button")
    expect(page.locator("#saved")).to_be_visible(timeout=PATIENCE_MS)
    page.locator('[data-go="read"]').click()
    picture(page, "stranger-own-roads-setup")
    page.get_by_role("button", name="To the table without a grid").click()
    log.step("the set-up has a name", taps=6)

    choose_file(page, "#photo", paths["game"])
    models = page.locator("#overlay [data-figure]")
    expect(models).to_have_count(4, timeout=PATIENCE_MS)
    log.step("a photo of the table: 4 models", taps=1, photos=1)
    draw_the_wall(page)
    expect(page.locator("#hint")).to_contain_text("Drawn", timeout=PATIENCE_MS)
    log.step("the wall is drawn: " + page.locator("#hint").inner_text(), taps=3)
    page.get_by_text("Shooter and target").click()
    ghouls = page.locator('#overlay [data-figure^="ghoul"]')
    expect(ghouls).to_have_count(2, timeout=PATIENCE_MS)
    for number in range(2):
        ghouls.nth(number).focus()
        page.keyboard.press("Enter")
    expect(page.locator("#card")).to_contain_text(re.compile("line of sight", re.IGNORECASE), timeout=PATIENCE_MS)
    log.step("the first ruling: " + page.locator("#card").inner_text().splitlines()[0], taps=3)
    log.step(f"a person, by the count: {log.person_s} s")
    picture(page, "stranger-own-roads")


def draw_the_wall(page: Page) -> None:
    """Go round the top of the wall with a finger, a few pixels off as fingers are."""
    expect(page.get_by_text("No terrain is drawn yet.")).to_be_visible()
    page.get_by_text("Draw terrain").click()
    page.select_option("#kind", "wall")
    page.fill("#height", "40")
    scene = table_without_grid("game")
    top = scene.view.project(np.array([[float(x), float(y), 40.0] for x, y in WALL.outline_mm]))
    box = page.locator("#picture").bounding_box()
    assert box is not None
    share = box["width"] / scene.view.lens.width_px
    spots = [(box["x"] + x * share + 1.5, box["y"] + y * share - 1) for x, y in (*top, top[0])]
    page.mouse.move(*spots[0])
    page.mouse.down()
    for spot in spots[1:]:
        page.mouse.move(*spot, steps=12)
    page.mouse.up()
