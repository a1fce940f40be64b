"""The first minute of the demo, and what everybody sees at once: dice, a hit, a death, a move seen by the camera."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import pytest
from page_waits import settled
from playwright.sync_api import expect

from assistant.app.matches.demo_stage import DemoGame
from assistant.documents import board_document
from assistant.match.actor import CAMERA, JUDGE, TABLE


@dataclass
class Guide:
    """Stands in for the demo's stage: a hand moves the medic by one space."""

    desk: object
    games: tuple[DemoGame, ...] = (
        DemoGame("doom2016", "DOOM: The Board Game (2016)", is_shown=True),
        DemoGame("roads", "Roads of the Apocalypse", is_shown=False),
    )
    chosen: str = ""
    is_played: bool = True

    def choose(self, game):
        self.chosen = game

    def attack(self):
        figure = self.desk.state.match.session.timeline.game.standing()[0].id
        self.desk.state.match.session.command({"type": "damage", "figure": figure, "amount": 2}, TABLE)
        return figure

    def let_move(self):
        desk = self.desk
        shot = desk.build.live_copy(desk.build.true_shot("easy-03"), "live-moved")
        desk.state.shown.show(replace(shot, corrected=with_a_step(shot.board), taken_at_s=desk.state.now_s()))


def with_a_step(board):
    """Return the board after a figure's move to a free adjacent space."""
    free = board.cells - board.blocking - set(board.figure_at)
    walker = next(
        figure
        for figure in board.figures
        if len(figure.cells) == 1 and (figure.cells[0][0] + 1, figure.cells[0][1]) in free
    )
    (column, row), *_ = walker.cells
    return replace(
        board, figures=tuple(replace(f, cells=((column + 1, row),)) if f is walker else f for f in board.figures)
    )


@pytest.fixture
def demo_page(desk):
    """A demo whose table a camera watches."""
    desk.state.watcher.has_live = True
    desk.build.put(desk.state, demo=Guide(desk))
    desk.show_live()
    desk.state.shown.hold("now")
    return desk


@pytest.mark.parametrize(("size", "language"), [("tablet", "en"), ("phone", "ru"), ("phone", "es")])
def test_the_tour_leads_from_two_taps_to_a_move_and_a_blow(demo_page, open_page, picture, size, language):
    page = open_page(f"{demo_page.address}/?lang={language}", size)
    words = page.locator("#tour-text")
    expect(page.locator("#tour-games button")).to_have_count(2)
    picture(page, f"{size}-tour-0-{language}")
    page.locator("#tour-on").tap()
    expect(page.locator("#tour-on")).to_be_hidden()
    for place in (0, -1):
        page.locator("[data-figure]").nth(place).focus()
        page.keyboard.press("Enter")
        settled(page)
    expect(page.locator("#card")).to_be_visible()
    expect(page.locator("#tour-on")).to_be_visible()
    picture(page, f"{size}-tour-1-{language}")
    before = words.inner_text()
    page.locator("#tour-on").tap()  # a hand comes; then the camera sees the move
    expect(page.locator("#tour-on")).to_be_visible()
    expect(words).not_to_have_text(before)
    picture(page, f"{size}-tour-2-{language}")
    page.locator("#tour-on").tap()
    expect(page.locator("#happened-blows li")).to_have_text(re.compile("−2"))
    picture(page, f"{size}-tour-3-{language}")
    page.locator("#tour-on").tap()
    expect(page.locator("#tour")).to_be_hidden()
    page.reload()
    expect(page.locator("#tour")).to_be_hidden()


def test_the_tour_is_skipped_with_one_tap_and_another_game_chosen_with_one(demo_page, open_page, picture):
    page = open_page(demo_page.address)
    page.get_by_role("button", name="Roads of the Apocalypse").tap()
    expect(page.locator("#tour-text")).to_contain_text("on its way")
    assert demo_page.state.demo.chosen == "roads"
    page.set_viewport_size({"width": 640, "height": 400})  # a tablet at 200 %
    assert page.locator("#stage").bounding_box()["height"] > 80, "the table is still seen"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    picture(page, "tablet-tour-200")
    page.get_by_role("button", name="Skip").tap()
    expect(page.get_by_role("region", name="A simulated table")).to_be_hidden()


def test_the_first_page_of_the_demo_asks_one_thing(demo_page, open_page):
    page = open_page(demo_page.address)
    expect(page.locator("#tour-on")).to_be_visible()
    expect(page.locator("#told")).to_be_hidden()  # no one here did what it reports, so no one undoes it
    expect(page.locator("#panel")).to_be_hidden()
    page.get_by_role("button", name="Skip").tap()
    expect(page.locator("#panel")).to_be_visible()
    expect(page.locator("#told")).to_be_visible()


def test_on_a_phone_the_tour_leaves_room_for_what_may_be_done(demo_page, open_page):
    page = open_page(f"{demo_page.address}/?lang=ru", "phone")
    expect(page.locator("#tour-on")).to_be_visible()
    assert page.locator("#tour").bounding_box()["height"] < page.viewport_size["height"] / 3
    page.locator("[data-view=initiative]").tap()
    page.locator("#prompts button").first.tap(trial=True)
    page.locator("#clock-stop").tap(trial=True)  # below, and nothing lies over them
    page.locator("[data-view=history]").tap()
    page.locator("#history .entry").first.tap(trial=True)
    page.locator("#redo").scroll_into_view_if_needed()
    listed, redo = page.locator("#history").bounding_box(), page.locator("#redo").bounding_box()
    assert listed["height"] >= page.locator("#history li").first.bounding_box()["height"], "a whole step is seen"
    assert redo["y"] >= listed["y"] + listed["height"], "no step lies under the buttons"


@pytest.fixture
def on_table(desk):
    """The match of the sample table, which has seen the scene."""
    board = desk.build.true_shot("easy-03").board
    desk.state.match.session.command({"type": "see", "document": board_document(board)}, CAMERA)
    return desk


KEEP_WHAT_IS_SHOWN = """() => {
    const place = document.getElementById('happened');
    window.blowsShown = [];
    new MutationObserver(() => {
        if (!place.checkVisibility()) return;
        const blows = [...place.querySelectorAll('#happened-blows li')];
        window.blowsShown.push(...blows.map((blow) => `${blow.className}: ${blow.textContent}`));
    }).observe(place, { attributes: true, childList: true, subtree: true });
}"""
"""Keeps every visible blow, however briefly it shows: a busy machine looks at two pages at different times."""


def test_a_hit_and_a_death_are_seen_on_tablet_and_big_screen_at_once(on_table, open_page, picture):
    session = on_table.state.match.session
    pages = tablet, wall = open_page(on_table.address), open_page(f"{on_table.address}/wall")

    def is_seen_after(amount, blow):
        session.command({"type": "damage", "figure": "brute-1", "amount": amount}, TABLE)
        for page in pages:
            page.wait_for_function("blow => window.blowsShown.includes(blow)", arg=blow)
            expect(page.get_by_role("status", name="What happened last")).to_be_visible()

    for page in pages:
        # The script for blows loads after the first look. It treats earlier events as known.
        page.locator("#happened[data-seq]").wait_for(state="attached")
        page.evaluate(KEEP_WHAT_IS_SHOWN)
    before = session.seq
    is_seen_after(1, "hurt: Brute 1 −1")
    picture(wall, "wall-hit")
    is_seen_after(60, "fell: Brute 1 falls")
    picture(tablet, "tablet-fell")
    for page in pages:
        bar, blow = page.locator("#told").bounding_box(), page.locator("#happened-blows li").bounding_box()
        assert bar["y"] <= blow["y"] <= blow["y"] + blow["height"] <= bar["y"] + bar["height"], "beside its words"
    session.command({"type": "undo", "to": before}, TABLE)
    for page in pages:
        expect(page.locator("#happened")).to_be_hidden()  # and it is calm again


def test_the_clocks_stop_and_run_by_one_large_tap(on_table, open_page, picture):
    page = open_page(on_table.address, "phone")
    page.locator("[data-view=initiative]").tap()
    expect(page.locator("#clock-stop")).to_be_visible()
    large = page.locator("#clock-stop").bounding_box()
    assert large["width"] > 240
    assert large["height"] >= 48
    picture(page, "phone-clock")
    before = page.locator("#clock-stop").get_attribute("aria-pressed")
    page.locator("#clock-stop").tap()
    expect(page.locator("#clock-stop")).not_to_have_attribute("aria-pressed", before)


def let_the_brute_act(session):
    """Continue until the invader's card comes and the brute acts."""
    while session.timeline.game.turn is None or session.timeline.game.turn.side != "invader":
        if session.timeline.game.turn is not None:
            session.command({"type": "end"}, JUDGE)
        session.command({"type": "reveal"}, JUDGE)
    session.command({"type": "activate_kind", "kind": "brute"}, JUDGE)
    session.command({"type": "activate", "figure": "brute-1"}, JUDGE)


def test_a_move_that_the_camera_saw_is_confirmed_with_one_tap(on_table, open_page, picture):
    session = on_table.state.match.session
    let_the_brute_act(session)
    ends = session.way({"type": "move"}, TABLE)["ask"]["picks"]
    end = min(ends, key=lambda pick: pick["cost"])
    cells = tuple((column, row) for column, row in end["value"])
    shot = on_table.build.live_copy(on_table.build.true_shot("easy-03"), "live-seen")
    figures = tuple(replace(one, cells=cells) if one.id == "brute-1" else one for one in shot.board.figures)
    on_table.state.watcher.has_live = True
    on_table.state.shown.show(
        replace(shot, corrected=replace(shot.board, figures=figures), taken_at_s=on_table.state.now_s())
    )
    page = open_page(on_table.address)
    page.wait_for_selector("[data-figure]")
    page.locator("[data-view=initiative]").tap()
    seen = page.get_by_role("button", name=f"Brute 1 moved {end['cost']}: right?")
    expect(seen).to_be_visible()
    picture(page, "tablet-seen-move")
    seen.tap()
    expect(seen).to_be_hidden()
    assert session.timeline.game.piece("brute-1").cells == tuple(sorted(cells))


def test_a_match_takes_its_table_from_the_camera_when_somebody_is_to_move(desk, open_page):
    desk.state.watcher.has_live = True
    desk.show_live()
    session = desk.state.match.session
    let_the_brute_act(session)
    assert not session.timeline.game.ground
    page = open_page(desk.address)
    page.wait_for_selector("[data-figure]")
    page.locator("[data-view=initiative]").tap()
    page.get_by_role("button", name=re.compile("^Move")).tap()
    expect(page.get_by_role("heading", name="Where to?")).to_be_visible()
    spaces = page.get_by_role("group", name="The camera's picture: tap your choice").get_by_role("button")
    expect(spaces.first).to_be_visible()
    assert session.timeline.game.ground
