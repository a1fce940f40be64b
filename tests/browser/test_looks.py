"""Every view in three themes and four sizes as contact sheets in `out/looks/`; `make looks` makes them."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from loading import beside
from page_waits import settled
from PIL import Image, ImageDraw
from playwright.sync_api import Page

from assistant.app.live.free_pictures import FreeTablePictures
from assistant.app.live.game_files import first_free_rules
from assistant.app.matches.archive import KeptMatches
from assistant.app.matches.choice import MatchShow
from assistant.app.matches.match_menu import MatchMenu
from assistant.app.setup.sample import free_sample_game
from assistant.documents import free_table_from_json, to_json
from assistant.match.actor import CAMERA, JUDGE
from vision.simulation.free_camera import VirtualFreeCamera
from vision.simulation.free_sample import free_sample_scene
from web.desk.routes import create_desk_app
from web.page.views import VIEWS
from web.serving.roles import Role
from web.serving.server import PageServer

FOLDER = Path(__file__).parents[2] / "out" / "looks"
SIZES = ((1180, 820), (1024, 768), (768, 1024), (390, 844))
THEMES = ("dark", "light", "contrast")
SHOWN_HEIGHT = 560

pytestmark = pytest.mark.skipif(os.environ.get("LOOKS") != "1", reason="make looks makes pictures for people")


def sheet(page: Page, name: str) -> None:
    """Keep one page in every size and theme beside each other, a theme a row."""
    rows = []
    for theme in THEMES:
        row = []
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("theme => (document.documentElement.dataset.theme = theme)", theme)
            settled(page)
            taken = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
            row.append(taken.resize((width * SHOWN_HEIGHT // height, SHOWN_HEIGHT), Image.Resampling.LANCZOS))
        rows.append(row)
    gap = 12
    wide = sum(one.width + gap for one in rows[0]) + gap
    whole = Image.new("RGB", (wide, len(rows) * (SHOWN_HEIGHT + gap) + gap + 24), "#808080")
    ImageDraw.Draw(whole).text((gap, 8), name, fill="#ffffff")
    for r, row in enumerate(rows):
        x = gap
        for one in row:
            whole.paste(one, (x, 24 + gap + r * (SHOWN_HEIGHT + gap)))
            x += one.width + gap
    FOLDER.mkdir(parents=True, exist_ok=True)
    whole.save(FOLDER / f"{name}.png", optimize=True)


@pytest.fixture
def marines(desk, open_page):
    """A device of the marines in the first round of a fight in which somebody is wounded."""
    session = desk.build.new_session("doom2016", "doom2016_first_fight")
    session.command({"type": "see", "document": session.header.table}, CAMERA)
    session.command({"type": "status", "shuffled_here": False}, JUDGE)
    session.command({"type": "reveal", "card": "bravo"}, JUDGE)
    desk.state.match.play(session)
    for figure in ("bravo", "imp-1"):
        session.command({"type": "damage", "figure": figure, "amount": 2}, JUDGE)
    page = open_page(f"{desk.address}/#join={desk.state.door.devices.invite(Role.PLAYER, side='marines').token}")
    page.wait_for_selector('body[data-role="player"]')
    return page


@pytest.mark.timeout(600)
@pytest.mark.parametrize("view", [view.name for view in VIEWS])
def test_views_of_a_match(marines, desk, open_page, view):
    page = marines
    open_page.expected.append("status of 400")  # the photo shows another table than the match's
    page.goto(f"{desk.address}/#shot=photo-easy-03&from=bravo&to=imp-1")
    page.reload()
    page.wait_for_selector("#card:not([hidden])")
    page.click(f"[data-view={view}]")
    sheet(page, view)


@pytest.mark.timeout(600)
def test_a_choice_on_the_board(marines):
    page = marines
    page.click("[data-view=initiative]")
    settled(page)
    page.locator("#prompts .button:not(.primary)").first.click()
    page.wait_for_selector("#choice-board:not([hidden]), #choices .button")
    sheet(page, "choosing")


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("mission", "second", "choice"),
    [("doom2004_knee_deep_sample", "ready", "Move"), ("roads_first_skirmish", "start phase", "walks")],
)
def test_a_match_on_the_drawn_board(desk, open_page, tmp_path, mission, second, choice):
    """The widest board and the table without a grid: at rest, the table large, a choice on it."""
    matches = KeptMatches(tmp_path)
    show = MatchShow(desk.state.match.play, desk.state.match.announce, lambda view: None)
    desk.build.put(desk.state, archive=matches, matches=MatchMenu(matches, show.change))
    session = desk.state.matches.begin("Friday", mission, {}, on_sample_table=True)
    desk.state.matches.play_on(session, "drawing")
    page = open_page(f"{desk.address}/#join={desk.state.door.devices.invite(Role.OWNER).token}")
    page.wait_for_selector('body[data-role="owner"]:not([inert])')
    page.click("[data-view=initiative]")
    settled(page)
    name = mission.split("_")[0]
    sheet(page, f"drawn-{name}")
    page.click("[data-view=table]")
    sheet(page, f"drawn-{name}-table")
    page.click("[data-view=initiative]")
    for words in (second, choice):
        page.locator("#prompts .button").filter(has_text=words).first.click()
        settled(page)
    page.wait_for_selector("#choice-board:not([hidden])")
    sheet(page, f"drawn-{name}-choosing")
    guest = open_page(desk.address)
    guest.wait_for_selector("#seat-ask[open]")
    sheet(guest, "who-are-you")
    matches.close()


@pytest.mark.timeout(600)
def test_the_menu_and_the_wall(desk, open_page):
    page = open_page(f"{desk.address}/#join={desk.state.door.devices.invite(Role.OWNER).token}")
    page.wait_for_selector('body[data-role="owner"]')
    page.click("#menu > summary")
    sheet(page, "menu")
    desk.state.watcher.has_live = True
    desk.show_live()
    page.goto(f"{desk.address}/wall")
    page.wait_for_selector("[data-figure]", state="attached")
    sheet(page, "wall")
    open_page.expected.append("status of 404")


@pytest.mark.timeout(600)
def test_the_mission_editor(no_match, open_page):
    page = open_page(f"{no_match[0]}/missions")
    page.wait_for_selector("#form input")
    page.select_option("#beginning", index=1)
    page.wait_for_selector("#board .figure", state="attached")
    sheet(page, "missions")


@pytest.mark.timeout(600)
@pytest.mark.parametrize("step", ["camera", "lens", "save"])
def test_the_set_up(scripted_set_up, step):
    page, _ = scripted_set_up(step)
    sheet(page, f"setup-{step}")


@pytest.mark.timeout(600)
def test_teaching(scripted_teaching):
    page = scripted_teaching.page
    sheet(page, "teach-tile")
    page.click("[data-part-of=figure]")
    sheet(page, "teach-figure")


@pytest.mark.timeout(600)
def test_a_table_without_a_grid(desk, open_page):
    free = beside(__file__, "test_free")
    table = free_table_from_json(to_json(free.DOCUMENT).encode(), "table")
    camera = VirtualFreeCamera(free_sample_scene(table), lambda: 0.0, size_wh=free.SIZE_WH)
    pictures = FreeTablePictures(free_sample_game(table), first_free_rules())
    pictures.read(camera.frame())
    desk.state.readers.read_free(pictures)
    page = open_page(f"{desk.address}/free")
    for name in ("Squire", "Digger 2"):
        page.get_by_role("button", name=name, exact=True).press("Enter")
    page.wait_for_selector("#card h2")
    sheet(page, "free")


@pytest.mark.timeout(600)
def test_the_desk_of_a_tournament(tmp_path, open_page):
    build = beside(str(Path(__file__).parents[1] / "web" / "conftest.py"), "page_builders")
    state = beside(str(Path(__file__).parents[1] / "web" / "desk" / "conftest.py"), "hall_page").make_hall_page(
        tmp_path, build
    )
    server = PageServer(create_desk_app(state), host="127.0.0.1", port=0, devices=30)
    server.start()
    address = f"http://127.0.0.1:{server.port}"
    state.door.addresses = (address,)
    page = open_page(f"{address}/#join={state.door.devices.invite(Role.OWNER).token}")
    page.locator("[data-call]").first.click()
    page.wait_for_selector("#frozen:not([hidden])")
    sheet(page, "desk")
    page.goto(f"{address}/public")
    sheet(page, "desk-public")
    state.hub.close()
    server.stop()
    state.hall.store.close()
