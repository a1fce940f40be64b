"""Setting up the table before a match: the camera looks, and the page lists what is missing until it is right."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import cv2
import pytest
from playwright.sync_api import expect

from assistant.app.live.reader import GameReader
from assistant.app.live.shots import Shot
from assistant.app.matches.choice import find_demo
from assistant.app.setup.sample import sample_game
from assistant.match.actor import JUDGE
from vision.simulation.sample import SAMPLE, sample_scene
from vision.simulation.virtual_camera import VirtualCamera

MANY = 8
LEAST_PILL_PX = 14
LEAST_PHOTO = {"tablet": 0.3, "phone": 0.8}
"""Least share of the screen's width for the camera's picture."""


@dataclass
class SimulatedTable:
    """The table of a game's demo, with whatever lies on it at the moment, and the camera over it."""

    state: Any
    game: str

    def __post_init__(self) -> None:
        self.readable = sample_game(find_demo(self.game))
        shown = self.readable.shown
        self.scene = sample_scene(SAMPLE if shown is None else shown.cast)

    def shows(self, **changed: Any) -> None:
        """Has the camera see the table with that changed."""
        camera = VirtualCamera(replace(self.scene, **changed), lambda: 0.0, is_still=True)
        photo = cv2.imencode(".jpg", camera.frame())[1].tobytes()
        read = GameReader(self.readable).read(photo)
        self.state.shown.show(Shot(f"live-{len(changed)}", "live", read, self.readable.setup, self.state.now_s()))
        self.state.shown.hold("now")


@pytest.mark.parametrize(("game", "size"), [("doom2016", "tablet"), ("doom2004", "phone")])
def test_what_is_missing_is_reported_until_the_table_is_right(no_match, open_page, picture, violations, game, size):
    address, state = no_match
    state.watcher.has_live = True
    table = SimulatedTable(state, game)
    state.matches.begin("Friday", f"{game}_sample_table", {}, on_sample_table=False)
    table.shows(doors=table.scene.doors[1:], figures=table.scene.figures[1:])
    page = open_page(address, size)
    page.get_by_role("button", name="Turns").click()

    laying = page.get_by_role("region", name="Set the table up like this")
    expect(laying).to_contain_text("Still different from the mission: 2")
    faults = laying.get_by_role("listitem")
    expect(faults).to_have_count(2)
    expect(faults.filter(has_text="A door is missing")).to_be_visible()
    expect(faults.filter(has_text=re.compile("^Missing: .*, at "))).to_be_visible()
    photo = laying.get_by_role("img", name=re.compile("The table as the camera sees it"))
    expect(photo).to_contain_text("12")  # both faults with their numbers, where they belong
    assert photo.bounding_box()["width"] > LEAST_PHOTO[size] * page.viewport_size["width"]
    picture(page, f"{size}-laying-wrong")
    assert violations(page) == []

    table.shows()
    expect(laying).to_contain_text("The table is set up as in the mission. You can begin.")
    expect(faults).to_have_count(0)
    expect(photo).to_be_hidden()
    picture(page, f"{size}-laying-right")
    page.get_by_role("group", name="What may be done now").get_by_role("button").first.click()
    expect(laying).to_be_hidden()
    expect(page.locator("#match-round")).not_to_have_text("Before the first round")

    state.match.session.command({"type": "damage", "figure": "medic-1", "amount": 2}, JUDGE)
    if game == "doom2016":
        state.match.session.command({"type": "stun", "figure": "medic-1", "on": True}, JUDGE)
    shows_wounds(page, picture, violations, size, beside="stunned" if game == "doom2016" else "6/822")


def test_every_number_on_the_picture_can_be_read_where_many_faults_are_near(no_match, open_page, picture):
    address, state = no_match
    state.watcher.has_live = True
    table = SimulatedTable(state, "doom2016")
    state.matches.begin("Friday", "doom2016_sample_table", {}, on_sample_table=False)
    table.shows(doors=(), figures=())
    page = open_page(address, "phone")
    page.get_by_role("button", name="Turns").click()
    faults = page.get_by_role("region", name="Set the table up like this").get_by_role("listitem")
    circles = page.locator(".fault-number circle")
    expect(circles.last).to_be_visible()
    expect(circles).to_have_count(faults.count())
    assert faults.count() > MANY
    boxes = [circle.bounding_box() for circle in circles.all()]
    middles = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
    wide = boxes[0]["width"]
    assert min(math.dist(one, other) for one, other in combinations(middles, 2)) > 0.9 * wide
    circles.last.scroll_into_view_if_needed()
    picture(page, "phone-laying-many")


def test_a_mission_that_does_not_fit_the_table_is_reported_before_and_after_it_is_begun(no_match, open_page, picture):
    address, state = no_match
    state.watcher.has_live = True
    table = SimulatedTable(state, "doom2016")
    table.shows()
    page = open_page(address)
    page.get_by_role("button", name="New match").first.click()
    dialog = page.get_by_role("dialog", name="New match")
    missions = dialog.get_by_label("Game and mission")
    missions.select_option("doom2016_sample_table")
    warning = dialog.get_by_text("The camera sees a different table")
    expect(warning).to_be_hidden()
    missions.select_option("doom2004_knee_deep_sample")
    expect(warning).to_be_visible()
    picture(page, "tablet-other-table-new")
    dialog.get_by_role("button", name="Begin the match").click()

    views = page.get_by_role("navigation", name="Views")
    for view, part in (("Table", "table"), ("Dice", "attack")):
        views.get_by_role("button", name=view).click()
        told = page.locator(f"#view-{part}").get_by_text("Set it up as the help")
        expect(told).to_be_visible()
        picture(page, f"tablet-other-table-{part}")
    expect(page.locator("#attack-ground .piece")).to_have_count(0)


def test_an_attack_is_offered_beside_the_answer_only_while_the_match_would_take_one(no_match, open_page):
    address, state = no_match
    state.watcher.has_live = True
    table = SimulatedTable(state, "doom2016")
    session = state.matches.begin("Friday", "doom2016_sample_table", {}, on_sample_table=True)
    state.archive.play_on(session, "camera")
    table.shows()
    session.command({"type": "status"}, JUDGE)
    page = open_page(address)
    for name in ("Brute 1", "Medic 1"):
        page.get_by_role("button", name=re.compile(f"^{name}")).press("Enter")
    card = page.get_by_role("article")
    expect(card.get_by_role("heading").first).to_be_visible()
    now = card.get_by_role("button", name="Attack now")
    expect(now).to_have_count(0)

    while session.timeline.game.turn is None:
        session.command({"type": "reveal"}, JUDGE)
        if session.timeline.game.turn.side == "marines":
            session.command({"type": "end"}, JUDGE)
    session.command({"type": "activate_kind", "kind": "brute"}, JUDGE)
    session.command({"type": "activate", "figure": "brute-1"}, JUDGE)
    expect(now).to_be_visible()
    session.command({"type": "end"}, JUDGE)
    expect(now).to_have_count(0)


def shows_wounds(page, picture, violations, size, beside):
    """The picture tells how the medic is, in letters that a phone shows, and leaves an answer to itself.

    ``beside`` is what lies beside the medic: a token in words, or what is left with armour and ammunition.
    """
    page.get_by_role("navigation", name="Views").get_by_role("button", name="Table").click()
    medic = page.get_by_role("button", name=re.compile("^Medic 1"))
    expect(medic).to_have_attribute("aria-description", re.compile(r"^\d+ of \d+"))
    wounds = page.locator('[data-label="medic-1"] .condition.hurt')
    expect(wounds).to_contain_text(re.compile(r"\d+/\d+"))
    expect(wounds).to_contain_text(beside)
    assert wounds.bounding_box()["height"] >= LEAST_PILL_PX
    picture(page, f"{size}-wounds")
    assert violations(page) == []
    for name in ("Medic 1", "Brute 1" if size == "tablet" else "Mancubus 1"):
        page.get_by_role("button", name=re.compile(f"^{name}")).press("Enter")
    expect(page.locator("#card")).to_be_visible()
    expect(wounds).to_be_visible()
    picture(page, f"{size}-wounds-answered")
