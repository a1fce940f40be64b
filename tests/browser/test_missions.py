"""The mission editor in use: a box filled in by typing and tapping, stored, saved to a file, played."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from page_waits import choose_file, settled
from playwright.sync_api import Locator, Page, Route, expect

KEY_S = 0.35
"""Time for a key on a phone, typed by an occasional user."""
TAP_S = 2.5
"""A tap with finding where."""
LOOK_UP_S = 5.0
"""Finding a number on a card of the box, for every field that is filled in."""
MOST_MINUTES = 20


class Hand:
    """A person's hand: types, taps, and tells how long that takes at human speed."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def type(self, place: Locator, text: str) -> None:
        place.fill(text)
        self.seconds += LOOK_UP_S + TAP_S + KEY_S * len(text)

    def tap(self, place: Locator) -> None:
        place.click()
        self.seconds += TAP_S


def put(page: Page, hand: Hand, button: Locator, *cells: str) -> None:
    """Tap a place of the form, then its spaces on the board."""
    hand.tap(button)
    for cell in cells:
        hand.tap(page.locator("#board").get_by_role("button", name=f"Space {cell}", exact=True))
    if page.locator("#picking").is_visible():
        hand.tap(page.locator("#picked"))


def open_editor(open_page, address: str, size: str = "tablet") -> Page:
    page = open_page(f"{address}/missions", size)
    expect(page.get_by_label("Begin with")).to_have_value("box")
    return page


DEMONS = {
    "imp": ("4", "2", "4", "5"),
    "possessed": ("3", "1", "3", "4"),
    "cacodemon": ("7", "2", "4", "5"),
    "pinky": ("7", "3", "5", "1"),
}
FIELDS = ("Health", "Stagger", "Speed", "Range")
MARINES = {"alpha": "A1", "bravo": "A2", "charlie": "A3", "delta": "A4"}


def fill_the_box(page: Page, hand: Hand, verdict: Locator) -> None:
    hand.type(page.get_by_label("Name of the mission"), "Our box")
    form = page.locator("#form")
    for name, cell in MARINES.items():
        marine = form.locator("details", has=page.get_by_text(name, exact=True)).first
        hand.tap(marine.locator("summary").first)
        hand.tap(marine.get_by_text(f"More about {name}"))
        put(page, hand, marine.get_by_role("button", name=re.compile("^Cells")), cell)
        hand.tap(marine.locator("summary").first)
    for name, numbers in DEMONS.items():
        demon = form.locator("details", has=page.get_by_text(name, exact=True)).first
        hand.tap(demon.locator("summary").first)
        if name == "imp":
            expect(verdict).to_contain_text("this field is missing")
        for field, number in zip(FIELDS[:3], numbers[:3], strict=True):
            hand.type(demon.get_by_label(field, exact=True), number)
        attack = demon.get_by_role("group", name="Attack", exact=True)
        hand.tap(attack.get_by_text("More about Attack"))
        hand.type(attack.get_by_label("Range", exact=True), numbers[3])
        hand.tap(demon.locator("summary").first)


@pytest.mark.parametrize("size", ["tablet", "phone"])
def test_the_first_match_of_ones_own_box_takes_less_than_twenty_minutes(no_match, open_page, picture, tmp_path, size):
    address, state = no_match
    hand, page = Hand(), open_editor(open_page, address, size)
    verdict = page.locator("#verdict")
    expect(verdict).to_contain_text("Still to do")
    fill_the_box(page, hand, verdict)
    expect(verdict).to_have_text("The mission is sound and can be played.")
    picture(page, f"{size}-missions-sound")
    hand.tap(page.get_by_role("button", name="Save the mission"))
    expect(verdict).to_contain_text("Saved as Our box")

    with page.expect_download() as saved:
        page.get_by_role("button", name="Save to a file").click()
    file = tmp_path / "our-box.json"
    saved.value.save_as(file)
    assert json.loads(file.read_text())["format"] == "sightline.mission/1"

    hand.tap(page.get_by_role("link", name="New match"))
    dialog = page.get_by_role("dialog", name="New match")
    dialog.get_by_label("Game and mission").select_option(
        dialog.locator("option", has_text="Our box").get_attribute("value")
    )
    hand.type(dialog.get_by_label("Name of the match"), "Friday")
    hand.tap(dialog.get_by_role("button", name="Begin the match"))
    expect(page.get_by_role("button", name="Turns")).to_be_visible()
    game = state.match.session.timeline.game
    assert game.piece("alpha").cells == ((0, 0),)
    assert game.setup.demons[0].health == 4
    assert hand.seconds < MOST_MINUTES * 60, f"{hand.seconds / 60:.1f} minutes"


class Newcomer(Hand):
    """A person new to the form, who goes wherever the page reports something missing, and fills it in."""

    def fill_in(self, page: Page) -> None:
        verdict = page.locator("#verdict")
        for step in range(60):
            expect(page.locator("#verdict.sound").or_(page.locator("#to-fault:not([hidden])"))).to_be_visible()
            if page.locator("#to-fault").is_hidden():
                return
            before = verdict.inner_text()
            self.tap(page.locator("#to-fault"))
            expect(page.locator("#to-fault:focus")).to_have_count(
                0
            )  # the page unfolds the field's group and scrolls there
            field = page.locator(":focus")
            expect(field).to_be_in_viewport()
            if field.get_attribute("type") == "number":
                self.type(field, "3")
            elif field.get_attribute("id") == "title":
                self.type(field, "Our box")
            else:  # names that people choose, each with a word of its own
                self.type(field, f"figure-{step}")
                row = field.locator("xpath=ancestor::fieldset[1]")
                self.tap(row.locator("button.add"))
                self.type(row.locator(".entry input").last, "red")
            expect(verdict).not_to_have_text(before)
        raise AssertionError(f"after 60 fields: {verdict.inner_text()}")


def tap_places(page: Page, hand: Hand) -> int:
    """Place every figure of a free table, one tap each; return their number."""
    form, board = page.locator("#form"), page.locator("#board")
    folded = form.locator("details:not([open]) > summary")
    while folded.count():
        folded.first.click()
    places = form.locator("button.place")
    for nth in range(places.count()):
        hand.tap(places.nth(nth))
        board.scroll_into_view_if_needed()
        board.click(position={"x": 40 + 50 * (nth % 2), "y": 30 + 30 * nth})
        hand.seconds += TAP_S
        if page.locator("#picked").is_visible():
            hand.tap(page.locator("#picked"))
    return places.count()


@contextmanager
def form_replaced(page: Page) -> Iterator[None]:
    """Wait after the body until another mission's form is shown: the words of two missions may be equal."""
    page.locator("#form > *").first.evaluate("field => field.dataset.ofMissionBefore = 'yes'")
    yield
    expect(page.locator("[data-of-mission-before]")).to_have_count(0)


@pytest.mark.parametrize(
    "case",
    [("doom2016", "tablet", "en"), ("doom2004", "phone", "es"), ("roads", "phone", "ru"), ("roads", "tablet", "es")],
)
def test_the_page_leads_a_newcomer_through_the_box_of_every_game(no_match, open_page, picture, tmp_path, case):
    (address, state), (game, size, language) = no_match, case
    hand, page = Newcomer(), open_page(f"{address}/missions?lang={language}", size)
    expect(page.locator("#to-fault")).to_be_visible()
    hand.tap(page.locator("#game"))
    with form_replaced(page):
        page.locator("#game").select_option(game)
    hand.fill_in(page)
    if game == "roads":
        assert tap_places(page, hand) == 4
        for side in ("side-0", "side-1"):
            expect(page.locator(f"#board .figure.{side}")).to_have_count(2)
    picture(page, f"{size}-{language}-missions-newcomer-{game}")

    with page.expect_download() as saved:
        page.locator("#export").click()
    file = tmp_path / "our-box.json"
    saved.value.save_as(file)
    with form_replaced(page):
        page.locator("#beginning").select_option(index=0)
    with form_replaced(page):
        choose_file(page, "#import", file)
    expect(page.locator("#title")).to_have_value("Our box")
    expect(page.locator("#verdict.sound")).to_be_visible()
    expect(page.locator("#keep")).to_be_enabled()
    hand.tap(page.locator("#keep"))
    expect(page.locator("#verdict")).to_contain_text("Our box")

    hand.tap(page.locator("header a[href$=new-match]"))
    own = page.locator("#new-match-mission option", has_text="Our box")
    page.locator("#new-match-mission").select_option(own.get_attribute("value"))
    hand.type(page.locator("#new-match-name"), "Friday")
    hand.tap(page.locator("#new-match-form button[type=submit]"))
    expect(page.locator("#new-match")).to_be_hidden()
    assert state.match.session.header.ruleset == game
    assert hand.seconds < MOST_MINUTES * 60, f"{hand.seconds / 60:.1f} minutes"


def test_a_friend_plays_the_file(no_match, open_page, tmp_path):
    address, state = no_match
    mission = state.matches.workshop.begin("doom2016", "doom2016_tutorial_sample")
    file = tmp_path / "from-a-friend.json"
    file.write_text(json.dumps({"format": "sightline.mission/1", **mission, "title": "From a friend"}))
    page = open_editor(open_page, address)
    choose_file(page, "#import", file)
    expect(page.get_by_label("Name of the mission")).to_have_value("From a friend")
    expect(page.locator("#verdict")).to_have_text("The mission is sound and can be played.")
    page.get_by_role("button", name="Save the mission").click()
    expect(page.locator("#verdict")).to_contain_text("Saved as From a friend")
    assert state.archive.own_missions.load("From a friend").setup == mission["setup"]

    file.write_text("{")
    choose_file(page, "#import", file)
    expect(page.get_by_role("alert")).to_contain_text("This file is not a mission")


def test_spaces_walls_and_doors_are_tapped(no_match, open_page):
    address, _ = no_match
    page = open_editor(open_page, address)
    board = page.locator("#board")
    board.get_by_role("button", name="Space L8").click()
    page.get_by_text("Walls", exact=True).click()
    board.locator('[data-spot="6,0-6,1"]').dispatch_event("click")
    page.get_by_text("Doors", exact=True).click()
    board.locator('[data-spot="6,1-6,2"]').dispatch_event("click")
    expect(board.locator(".line.wall")).to_have_count(1)
    expect(board.locator(".line.door")).to_have_count(1)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save to a file").click()
    table = json.loads(Path(saved.value.path()).read_text())["table"]
    assert [11, 7] not in table["cells"]
    assert table["edges"] == [{"from": [6, 0], "to": [6, 1], "kind": "wall"}]
    assert [door["edges"] for door in table["doors"]] == [[{"from": [6, 1], "to": [6, 2]}]]


def test_the_readers_sentence_stands_at_its_field(no_match, open_page):
    address, _ = no_match
    page = open_editor(open_page, address)
    page.get_by_label("Begin with").select_option("doom2016_tutorial_sample")
    expect(page.locator("#verdict")).to_have_text("The mission is sound and can be played.")
    marine = page.locator("#form [data-path='setup.marines[1]']").first
    marine.locator("summary").first.click()
    marine.get_by_label("Id").fill("")
    expect(marine.locator(".fault")).to_contain_text("this field is missing")
    marine.get_by_label("Id").fill("alpha")
    expect(page.locator("#verdict")).to_contain_text("two figures are called “alpha”")


@pytest.mark.parametrize("game", ["doom2004", "roads"])
def test_every_game_has_its_box_and_its_form(no_match, open_page, picture, violations, game):
    address, _ = no_match
    page = open_editor(open_page, address)
    page.locator("#game").select_option(game)
    expect(page.locator("#verdict")).to_contain_text("Still to do")
    page.get_by_text("Known contents of the box", exact=True).click()
    expect(page.locator("#box-told")).to_contain_text("Unknown contents of the box")
    sample = page.get_by_label("Begin with").locator("option").nth(1)
    expect(sample).to_have_attribute("value", re.compile(f"^{game}"))  # the list of the game before is gone
    page.get_by_label("Begin with").select_option(sample.get_attribute("value"))
    expect(page.locator("#verdict")).to_have_text("The mission is sound and can be played.")
    for box in page.locator("#form > fieldset > .rows > details > summary").all()[:6]:
        box.click()
    expect(page.locator("#verdict")).to_have_text("The mission is sound and can be played.")
    picture(page, f"tablet-missions-{game}")
    assert violations(page) == []


def test_the_editor_speaks_russian(no_match, open_page, picture):
    address, _ = no_match
    page = open_page(f"{address}/missions?lang=ru", "phone")
    expect(page.locator("#verdict")).to_contain_text("Осталось")
    picture(page, "phone-ru-missions")


def test_saved_stays_said_when_an_earlier_check_answers_later(no_match, open_page):
    page = open_editor(open_page, no_match[0])
    with form_replaced(page):
        page.get_by_label("Begin with").select_option("doom2016_tutorial_sample")
    expect(page.locator("#verdict.sound")).to_be_visible()
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/missions/check*", hold)
    with page.expect_request("**/missions/check*"):
        page.get_by_label("Name of the mission").fill("Typed last")
    page.get_by_role("button", name="Save the mission").click()
    expect(page.locator("#verdict")).to_contain_text("Saved as Typed last")
    with page.expect_response("**/missions/check*"):
        held[0].continue_()
    settled(page)
    expect(page.locator("#verdict")).to_contain_text("Saved as Typed last")
