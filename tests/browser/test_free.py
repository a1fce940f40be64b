"""The page of a table without a grid: two taps to a ruling, the ruler, a claim, and its match."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

from assistant.app.care.misread import MisreadPictures
from assistant.app.care.reports import KeptReports
from assistant.app.live.free_pictures import FreeTablePictures
from assistant.app.live.game_files import first_free_rules
from assistant.app.matches.next_button import press_next
from assistant.app.setup.sample import free_sample_game
from assistant.documents import free_table_from_json, to_json
from assistant.match.actor import CAMERA
from assistant.match.games import rule_set
from assistant.match.missions import mission_from_toml, new_header
from assistant.match.session import Session
from assistant.table.free_sighting import FreeMaybe, FreeSpot
from vision.simulation.free_camera import REACH_S, ModelPlace, VirtualFreeCamera
from vision.simulation.free_sample import free_sample_scene

SIZE_WH = (1280, 720)
PLACES = {"squire": (90, 90), "digger-1": (300, 100), "digger-2": (330, 210), "brute": (180, 250)}
STATS = {"mobility": 4, "toughness": 4, "spirit": 4, "combat": 4}
FIGURE = {"base_mm": 25, "height_mm": 30, "elevation_mm": 0, "facing_deg": 0, "stats": STATS}
DOCUMENT = {
    "format": "sightline.free-table/1",
    "step_mm": 50,
    "size_mm": [400, 300],
    "terrain": [
        {
            "id": "wall-1",
            "kind": "wall",
            "outline_mm": [[236, 130], [250, 130], [250, 230], [236, 230]],
            "height_mm": 40,
        }
    ],
    "figures": [
        {"id": name, "side": "knights" if name == "squire" else "diggers", "center_mm": list(place), **FIGURE}
        for name, place in PLACES.items()
    ],
}
LENGTHS = "walk_steps = 4, run_steps = 8"
FIGHTER = f'{{{{id = "{{id}}", side = "{{side}}", mobility = 4, toughness = 4, spirit = 4, combat = 4, {LENGTHS}}}}}'
MISSION = f"""
ruleset = "roads"
title = "Two taps"
[setup]
skirmish = "two taps"
sides = ["knights", "diggers"]
fighters = [{", ".join(FIGHTER.format(**figure) for figure in DOCUMENT["figures"])}]
"""
WALKED_MM = (205.0, 90.0)


@pytest.fixture(scope="module")
def looks():
    """The table read from pictures of the simulated camera: before and after the squire's walk."""
    table = free_table_from_json(to_json(DOCUMENT).encode(), "table")
    now = [0.0]
    camera = VirtualFreeCamera(free_sample_scene(table), lambda: now[0], size_wh=SIZE_WH)
    free = FreeTablePictures(free_sample_game(table), first_free_rules())
    first = free.read(camera.frame())
    camera.put([ModelPlace(name, WALKED_MM if name == "squire" else place, 0, 0) for name, place in PLACES.items()])
    camera.frame()
    now[0] += REACH_S
    return SimpleNamespace(free=free, first=first, walked_image=camera.frame())


@pytest.fixture
def free_page(desk, looks, open_page):
    """Opens the page of that table in its first state."""
    desk.state.readers.read_free(looks.free)

    def opened(size="tablet", language="en"):
        page = open_page(f"{desk.address}/free?lang={language}", size)
        expect(page.get_by_role("group", name=re.compile(".")).locator("[role=button]").first).to_be_visible()
        return page

    return opened


def figure(page, name):
    return page.get_by_role("button", name=name, exact=True)


@pytest.mark.parametrize(
    ("size", "language", "names"),
    [
        ("tablet", "en", ("Squire", "Digger 1", "Digger 2", "Brute")),
        ("phone", "ru", ("Оруженосец", "Копатель 1", "Копатель 2", "Громила")),
        ("phone", "es", ("Escudero", "Excavador 1", "Excavador 2", "Bruto")),
    ],
)
def test_everybody_is_called_as_people_call_him(free_page, picture, size, language, names):
    page = free_page(size, language)
    for name in names:
        expect(figure(page, name)).to_be_visible()
    picture(page, f"{size}-free-{language}")
    assert not re.search(r"[a-z]~\d|\b[a-z]+-\d", page.locator("body").aria_snapshot()), "ids are for programs"


@pytest.mark.parametrize("place", ["", "wall"])
def test_the_table_and_the_big_screen_show_the_newest_picture_with_the_bases(desk, looks, open_page, picture, place):
    desk.state.readers.read_free(looks.free)
    page = open_page(f"{desk.address}/{place}")
    for name in ("Squire", "Digger 1", "Digger 2", "Brute"):
        expect(page.get_by_role("img", name=name, exact=True)).to_be_visible()
    expect(page.locator("#picture")).to_have_attribute("src", re.compile(looks.free.latest.id))
    expect(page.get_by_text("This table has no grid.")).to_be_hidden()
    expect(page.get_by_role("link", name="Its picture, ruler and terrain")).to_be_visible(visible=not place)
    picture(page, f"tablet-free-{place or 'table'}")


def test_two_taps_make_a_ruling_and_two_who_disagree_are_answered(free_page, picture):
    page = free_page()
    figure(page, "Squire").tap()
    expect(page.get_by_role("status").filter(has_text="Squire: tap the target")).to_be_visible()
    figure(page, "Digger 2").tap()
    card = page.get_by_role("article")
    expect(card.get_by_role("heading").first).to_be_visible()
    expect(card).to_contain_text("Squire cannot see Digger 2.")
    expect(card).to_contain_text("steps")
    card.get_by_text("Two claims side by side").tap()
    expect(card).to_contain_text("“There is no line of sight.”")
    expect(card).to_contain_text("That holds.")
    picture(page, "tablet-free-claim")
    assert not re.search(r"[a-z]~\d|\b[a-z]+-\d", card.inner_text()), "ids are for programs"


def test_a_second_tap_that_is_quicker_than_the_first_answer_is_ruled_on(free_page):
    """The tap was dropped, and only the first figure's card stood there."""
    page = free_page()
    held = []

    def hold(route):
        held.append(route)

    page.route("**/figures/*", hold)
    figure(page, "Squire").tap()
    figure(page, "Digger 2").tap()
    card = page.get_by_role("article")
    expect(card).to_contain_text("Squire cannot see Digger 2.")
    with page.expect_response("**/figures/*"):
        held[0].continue_()
    page.wait_for_timeout(300)
    expect(card).to_contain_text("Squire cannot see Digger 2.")


@pytest.mark.parametrize("screen", [(1180, 820), (1024, 768), (768, 1024), (390, 844)])
def test_the_answer_is_in_sight_with_the_picture_and_figures_have_names(free_page, screen):
    page = free_page("phone" if screen[0] == 390 else "tablet")
    page.set_viewport_size({"width": screen[0], "height": screen[1]})
    figure(page, "Squire").press("Enter")
    figure(page, "Digger 2").press("Enter")
    answer = page.get_by_role("article").get_by_role("heading").first
    expect(answer).to_be_in_viewport(ratio=1)
    expect(page.locator("#sheet")).to_be_in_viewport(ratio=0.9)
    assert set(page.locator("#overlay .name").all_text_contents()) == {"Squire", "Digger 1", "Digger 2", "Brute"}
    expect(page.locator("#hint")).to_be_hidden()
    card, tools = page.locator("#card").bounding_box(), page.locator(".free-tools").bounding_box()
    is_beside = tools["x"] + tools["width"] <= card["x"]
    assert is_beside or tools["y"] >= card["y"] + card["height"], "no tool lies over the answer"


def test_lines_behind_terrain_are_shown_from_above_and_large_by_a_tap(free_page, picture):
    page = free_page()
    figure(page, "Squire").press("Enter")
    figure(page, "Digger 2").press("Enter")
    above = page.get_by_role("button", name="Seen from above")
    expect(above).to_be_visible()
    assert above.locator(".ray").count() == page.locator("#overlay .ray").count() > 0
    assert set(above.locator(".name").all_text_contents()) == {"Squire", "Digger 1", "Digger 2", "Brute"}
    above.tap()
    large = page.get_by_role("dialog", name="Seen from above")
    expect(large.locator(".figure.attacker")).to_be_visible()
    picture(page, "tablet-free-above")
    large.get_by_role("button", name="Back").tap()
    expect(large).to_have_count(0)
    expect(above).to_be_visible()


def test_who_may_stand_between_two_is_drawn_and_one_tap_changes_the_ruling(desk, looks, open_page, picture):
    table = looks.first.sighting.table
    between = replace(table.figure("digger~1"), id="digger?1", center_mm=(Fraction(195), Fraction(95)))
    seen = replace(looks.first.sighting, maybes=(FreeMaybe(between, 0.4, spot=FreeSpot(0.2)),))
    free = FreeTablePictures(looks.free.game, rule_set("roads", {"sight_figures": "block"}))
    free._keep(replace(looks.first, sighting=seen), looks.free._images[looks.first.id])
    desk.state.readers.read_free(free)
    page = open_page(f"{desk.address}/free?lang=en", "tablet")
    card = page.get_by_role("article")
    page.get_by_role("button", name=re.compile("^Digger may stand here")).tap()
    expect(card.get_by_role("button", name="No, nobody stands there")).to_be_visible()
    figure(page, "Squire").tap()
    figure(page, "Digger 1").tap()
    expect(card).to_contain_text(re.compile(r"If Digger stands at the question mark \(40.% sure\): No line of sight\."))
    picture(page, "tablet-free-maybe")
    card.get_by_role("button", name="Yes, it stands there").tap()
    expect(card).to_contain_text("Squire cannot see Digger 1.")
    expect(figure(page, "Digger 3")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("may stand here"))).to_have_count(0)


def test_a_report_that_an_answer_completed_is_not_offered_again(desk, looks, open_page, tmp_path):
    table = looks.first.sighting.table
    between = replace(table.figure("digger~1"), id="digger?1", center_mm=(Fraction(195), Fraction(95)))
    seen = replace(looks.first.sighting, maybes=(FreeMaybe(between, 0.4, spot=FreeSpot(0.2)),))
    free = FreeTablePictures(looks.free.game, first_free_rules())
    free._keep(replace(looks.first, sighting=seen), looks.free._images[looks.first.id])
    desk.state.readers.read_free(free)
    desk.build.put(desk.state, reports=MisreadPictures(KeptReports(tmp_path), lambda: 0.0))
    page = open_page(f"{desk.address}/free?lang=en", "tablet")
    report = page.get_by_role("button", name="This was read wrongly")
    report.tap()
    expect(page.get_by_text("The picture and its reading are kept.")).to_be_visible()
    expect(report).to_be_disabled()
    page.get_by_role("button", name=re.compile("^Digger may stand here")).tap()
    page.get_by_role("article").get_by_role("button", name="Yes, it stands there").tap()
    expect(figure(page, "Digger 3")).to_be_visible()
    expect(report).to_be_disabled()


def test_a_tap_beside_a_small_base_means_its_figure(free_page):
    """On a phone a base of 25 mm is ten pixels wide."""
    page = free_page("phone")
    base = figure(page, "Squire").locator("path").first.bounding_box()
    page.touchscreen.tap(base["x"] + base["width"] / 2 - 14, base["y"] + base["height"] / 2 - 14)
    expect(page.get_by_role("status").filter(has_text="Squire: tap the target")).to_be_visible()


def test_the_ruler_measures_between_two_taps(free_page, looks):
    page = free_page()
    page.get_by_role("radio", name="Ruler").check()
    sheet = page.get_by_role("group", name="Figures and terrain")
    box = sheet.bounding_box()
    ends = looks.first.view.image_from_table([(50.0, 50.0), (200.0, 50.0)])
    for x, y in ends:
        sheet.tap(position={"x": x * box["width"] / SIZE_WH[0], "y": y * box["height"] / SIZE_WH[1]})
    told = page.get_by_role("article").get_by_role("heading")
    expect(told).to_have_text(re.compile(r"(2\.9|3\.0)\d steps, 1[45]\d"))


def test_a_model_that_the_camera_saw_walk_is_tapped_on_its_picture_and_offered_in_the_match(
    desk, looks, open_page, picture
):
    mission = mission_from_toml(MISSION.encode())
    header = new_header(mission, match_id="m", seed="seed", created_t=0, options={})
    session = Session(header, journal=None, clock_ms=lambda: 0)
    session.command({"type": "see", "document": DOCUMENT}, CAMERA)
    for _ in range(2):
        press_next(session)
    desk.state.match.play(session)
    desk.state.readers.read_free(looks.free)
    page = open_page(desk.address)
    page.get_by_role("navigation", name="Views").get_by_role("button", name="Turns").tap()
    may_do = page.get_by_role("group", name="What may be done now")
    may_do.get_by_role("button", name=re.compile("^A model walks")).tap()
    expect(page.get_by_role("heading", name="Where to?")).to_be_visible()
    expect(page.get_by_role("group", name="The camera's picture: tap your choice")).to_be_visible()
    picture(page, "tablet-free-choosing")
    page.get_by_role("button", name="Cancel", exact=True).tap()

    page.get_by_role("navigation", name="Views").get_by_role("button", name="Table").tap()
    expect(page.get_by_role("link", name="Its picture, ruler and terrain")).to_be_visible()
    picture(page, "tablet-free-table")
    page.get_by_role("navigation", name="Views").get_by_role("button", name="Turns").tap()

    looks.free.read(looks.walked_image)
    offer = may_do.get_by_role("button", name=re.compile(r"The camera saw: .*Squire.*: right\?"))
    expect(offer.first).to_be_visible()
    picture(page, "tablet-free-seen")
    offer.first.tap()
    expect(offer).to_have_count(0)
    x, y = session.timeline.game.piece("squire").center_mm
    assert (x, y) == (pytest.approx(WALKED_MM[0], abs=1), pytest.approx(WALKED_MM[1], abs=1))
