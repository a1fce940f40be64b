"""People settle doubts and questions with one tap in place, and the answer lasts."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect
from said_table import SaidTable

from assistant.table.board import Door
from assistant.table.doubt import Doubt, Variant
from assistant.table.lattice import edge_between
from assistant.table.roster import DoorSpec, Roster, RosterFigure

ROSTER = Roster((RosterFigure("imp-1", "imp", "demons", (1, 1), 22, 30),), DoorSpec(4, 1, 30, 2))


def open_doubtful(desk: Any, open_page: Any, size: str = "tablet", **more: Any) -> Page:
    """Return a photo on which a figure is in doubt, and a door that is not drawn."""
    shot = desk.build.true_shot("easy-03")
    there = Variant(0.75, (shot.board.figure("imp-1"),))
    pairs = ((cell, (cell[0] + 1, cell[1])) for cell in sorted(shot.board.cells))
    edge = next(edge_between(a, b) for a, b in pairs if b in shot.board.cells)
    door = Doubt((), (Variant(0.6), Variant(0.4, doors=(Door("door?1", (edge,)),))))
    seen = replace(shot.read.observation, doubts=(Doubt(("imp-1",), (there, Variant(0.25))), door))
    desk.state.shelf.put(replace(shot, id="photo-unsure", read=replace(shot.read, observation=seen)))
    return open_page(f"{desk.address}/#shot=photo-unsure&from=bravo&to=imp-1", size, **more)


@pytest.mark.parametrize("size", ["tablet", "phone"])
def test_a_doubt_is_settled_on_the_card_where_it_is_reported(desk, open_page, picture, size):
    page = open_doubtful(desk, open_page, size)
    card = page.get_by_role("article")
    expect(card).to_contain_text("If Imp 1 were not there (25 % likely)")
    card.get_by_role("button", name="Imp 1 stands here").hover()
    picture(page, f"{size}-settle-card")
    card.get_by_role("button", name="Imp 1 stands here").click()

    expect(card).not_to_contain_text("Sure:")
    expect(card).not_to_contain_text("If Imp 1")
    expect(page.get_by_role("button", name="Imp 1, imp")).to_be_visible()


def test_nobody_is_there_by_one_tap(desk, open_page):
    page = open_doubtful(desk, open_page)
    page.get_by_role("article").get_by_role("button", name="No figure stands here").click()
    expect(page.get_by_role("button", name="Imp 1, imp")).to_have_count(0)


@pytest.mark.parametrize("size", ["tablet", "phone"])
def test_the_list_of_doubts_settles_each_and_grows_shorter(desk, open_page, picture, size):
    page = open_doubtful(desk, open_page, size)
    page.get_by_text("In doubt: 2").click()
    row = page.get_by_role("listitem").filter(has_text="There may be a door")
    row.get_by_role("button", name="A door stands here").hover()
    picture(page, f"{size}-settle-list")
    row.get_by_role("button", name="A door stands here").click()
    expect(page.get_by_text("In doubt: 1")).to_be_visible()
    expect(page.get_by_text("There may be a door")).to_have_count(0)
    expect(page.locator("#summary")).to_contain_text("1 door")


def test_a_figure_of_a_photo_gets_another_name(desk, open_page):
    page = open_doubtful(desk, open_page)
    page.get_by_role("article").get_by_role("button", name="It is another figure").click()
    chooser = page.get_by_role("dialog", name="Correct it").get_by_role("combobox", name="Who is it?")
    name = chooser.locator("option").nth(1).inner_text()
    chooser.select_option(index=1)
    page.get_by_role("button", name="Use this name").click()
    expect(page.get_by_role("button", name=f"{name}, ").first).to_be_visible()
    expect(page.get_by_role("button", name="Imp 1, imp")).to_have_count(0)


def test_somebody_is_missing_and_a_door_stands_by_keys_alone(desk, open_page):
    page = open_doubtful(desk, open_page)
    page.get_by_role("button", name="Start again").click()
    doors = page.locator(".door").count()
    page.get_by_role("button", name="Correct it").press("Enter")
    page.get_by_role("dialog", name="Correct it").get_by_role("button", name="A door stands here").press("Enter")
    expect(page.locator("#hint")).to_contain_text("Tap the line between two spaces")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(page.locator(".door")).to_have_count(doors + 1)

    page.get_by_role("button", name="Correct it").press("Enter")
    page.get_by_role("button", name="A figure is missing here").press("Enter")
    page.keyboard.press("Enter")
    page.get_by_role("combobox", name="Who is it?").select_option(index=1)
    figures = page.locator("[data-figure]").count()
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator("[data-figure]")).to_have_count(figures + 1)


@dataclass(frozen=True)
class Asked:
    id: str
    figure: str
    candidates: tuple[str, ...]


@dataclass(frozen=True)
class Odd:
    id: str = "note-9"
    kind: str = "no_way"
    figure: str = "imp-1"
    points: int | None = None


@pytest.fixture
def live(desk):
    SaidTable(desk.state, ROSTER)
    desk.show_live()
    desk.state.shown.hold("now")
    return desk


@pytest.mark.parametrize("size", ["tablet", "phone"])
def test_which_one_this_is_is_asked_on_the_picture_with_every_candidates_last_look(live, open_page, picture, size):
    figures = ("imp-1", "bravo")
    live.state.watcher.table.questions = (
        Asked("question-1", "imp-1", figures),
        Asked("question-2", "skull-1", figures),
    )
    page = open_page(live.address, size)
    questions = page.get_by_role("group", name="Questions about the table")
    expect(questions).to_contain_text("Which one is this, on ")
    expect(questions).to_contain_text("More questions after this one: 1")
    expect(page.locator(".spot")).to_have_count(1)  # the place is marked on the picture
    bravo = questions.get_by_role("button", name="Bravo")
    expect(bravo.locator("image")).to_be_attached()  # his cut-out
    picture(page, f"{size}-which-one")
    bravo.click()

    expect(questions).not_to_contain_text("More questions")
    assert live.state.watcher.table.said[0].answers == {"question-1": "bravo"}


def test_a_move_that_looked_odd_is_settled_by_a_tap(live, open_page):
    live.state.watcher.table.notes = (Odd(),)
    page = open_page(live.address)
    questions = page.get_by_role("group", name="Questions about the table")
    expect(questions).to_contain_text("Imp 1 went where no path leads?")
    questions.get_by_role("button", name="The move was right").click()
    expect(questions).to_be_hidden()


@pytest.mark.parametrize("size", ["tablet", "phone"])
def test_a_fallen_figure_is_shown_and_named_until_somebody_takes_it_off(live, open_page, picture, size):
    board = live.state.shelf.latest_live().board
    live.state.watcher.table.fallen = {"imp-1": board.figure("imp-1").cells}
    page = open_page(live.address, size)
    asks = page.get_by_role("group", name="Questions about the table")
    expect(asks).to_contain_text("Imp 1 has fallen over on ")
    expect(page.locator(".spot")).to_have_count(1)
    picture(page, f"{size}-fallen")
    asks.get_by_role("button", name="It is not on the board").click()
    expect(asks).to_be_hidden()
    assert live.state.watcher.table.said[-1].figures == {"imp-1": None}


def test_while_something_moves_the_card_waits_and_no_line_is_drawn(live, open_page, picture):
    page = open_page(live.address)
    page.get_by_role("button", name="Bravo,").press("Enter")
    page.get_by_role("button", name="Imp 1,").press("Enter")
    expect(page.get_by_role("heading", name="No line of sight")).to_be_visible()
    expect(page.locator("#overlay .sight").first).to_be_visible()

    live.state.shown.hold("moving")
    expect(page.get_by_role("heading", name="Wait: moving")).to_be_visible()
    expect(page.get_by_role("article")).to_contain_text("Before that: No line of sight")
    expect(page.locator("#overlay .sight").first).to_be_hidden()
    picture(page, "tablet-wait-moving")

    live.state.shown.hold("now")
    expect(page.get_by_role("heading", name="No line of sight")).to_be_visible()
    expect(page.get_by_role("article")).not_to_contain_text("Something is moving")


def test_no_line_is_drawn_on_a_picture_that_it_was_not_worked_out_on(live, open_page):
    page = open_page(live.address)
    page.get_by_role("button", name="Bravo,").press("Enter")
    page.get_by_role("button", name="Imp 1,").press("Enter")
    lines = page.locator("#overlay .sight")
    expect(lines.first).to_be_visible()

    shot = live.state.shelf.latest_live()
    taken = {cell for figure in shot.board.figures for cell in figure.cells}
    later = live.build.moved_shot(shot, "bravo", min(shot.board.cells - taken), shot.taken_at_s + 1)
    late: list[Route] = []

    def keep(route: Route) -> None:
        late.append(route)

    page.route("**/rulings?*", keep)  # its own answer is long on its way
    live.state.shown.show(later)
    expect(page.locator("#picture")).to_have_attribute("src", re.compile(later.id))
    expect(lines).to_have_count(0)

    for route in late:
        route.abort()
    open_page.expected.append("Failed to load resource")
    page.unroute("**/rulings?*")
    over = replace(shot, id=f"{shot.id}-hand", is_still=False)
    live.state.shown.show(over)  # a hand moves over the same belief as before
    expect(page.get_by_role("heading", name="Wait: moving")).to_be_visible()
    expect(lines).to_have_count(0)
    live.state.shown.show(replace(shot, id=f"{shot.id}-again"))
    expect(page.get_by_role("heading", name="No line of sight")).to_be_visible()
    expect(lines.first).to_be_visible()
