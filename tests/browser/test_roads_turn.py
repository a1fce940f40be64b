"""A turn of a skirmish on its drawn table: each question appears once, and a tapped place is never lost."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from assistant.app.matches.archive import KeptMatches
from assistant.app.matches.choice import MatchShow
from assistant.app.matches.match_menu import MatchMenu
from assistant.match.actor import JUDGE
from web.serving.roles import Role

PLAN_AT = """([x, y]) => {
    const at = new DOMPoint(x, y).matrixTransform(document.querySelector("#choice-picture").getScreenCTM());
    return [at.x, at.y];
}"""
CUT = """() => {
    const list = document.querySelector("#prompts");
    const last = [...list.querySelectorAll(".button")].at(-1);
    return last.getBoundingClientRect().bottom - list.getBoundingClientRect().bottom;
}"""
"""Returns the pixels of the last action below the edge of the action list."""
SCREEN = {"width": 1024, "height": 768}


@pytest.fixture
def skirmish(desk: Any, open_page: Callable[..., Page], tmp_path: Path) -> Iterator[Callable[..., tuple[Page, Any]]]:
    """The first skirmish on its drawn table after these commands, on an owner's tablet in that language."""
    matches = KeptMatches(tmp_path)
    show = MatchShow(desk.state.match.play, desk.state.match.announce, lambda view: None)
    desk.build.put(desk.state, archive=matches, matches=MatchMenu(matches, show.change))

    def play(*commands: dict[str, Any], language: str = "en") -> tuple[Page, Any]:
        session = desk.state.matches.begin("Friday", "roads_first_skirmish", {}, on_sample_table=True)
        desk.state.matches.play_on(session, "drawing")
        for command in commands:
            session.command(command, JUDGE)
        page = open_page("about:blank")
        page.set_viewport_size(SCREEN)
        page.goto(f"{desk.address}/?lang={language}#join={desk.state.door.devices.invite(Role.OWNER).token}")
        page.wait_for_selector('body[data-role="owner"]:not([inert])')
        expect(page.locator("#view-initiative")).to_be_visible()
        return page, session

    yield play
    matches.close()


def tap_at(page: Page, place_mm: tuple[float, float]) -> None:
    page.mouse.click(*page.evaluate(PLAN_AT, list(place_mm)))


def fighting(*more: dict[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return the squire beside a digger in the melee phase."""
    nexts = [{"type": "next"}] * 3
    place = {"type": "place", "figure": "squire", "center_mm": [375, 200]}
    return (place, *nexts, *more)


FOUGHT = {"type": "fight", "fighters": ["squire", "digger-1"], "rolled_here": False, "rolls": [[3, 4], [5]]}


def test_an_advance_beyond_its_circle_says_how_far_and_asks_again(skirmish, picture):
    """A tap a little beyond a step took “It stays”, without a word."""
    out = {"type": "wound", "figure": "digger-1", "wounds": 2}
    page, session = skirmish(*fighting(FOUGHT, {"type": "strike"}, out))
    page.locator("#prompts").get_by_role("button", name=re.compile("may advance a step")).click()
    expect(page.locator("#choice-picture .reach")).to_be_visible()
    expect(page.get_by_role("button", name="It stays")).to_be_visible()
    tap_at(page, (375 + 70, 200))
    expect(page.locator("#choice-refusal")).to_contain_text("That is 1.4 steps. Squire goes at most 1 step")
    expect(page.locator("#choice-question")).to_contain_text("Where to?")
    picture(page, "roads-advance-too-far")
    tap_at(page, (375 + 40, 200))
    expect(page.locator("#choosing")).to_be_hidden()
    assert session.timeline.game.piece("squire").center_mm == pytest.approx((415, 200), abs=3)


def test_the_sum_of_a_fight_stands_once_over_its_answers(skirmish, picture):
    page, _ = skirmish(*fighting(FOUGHT))
    answers = page.locator("#prompts .button")
    expect(answers).to_have_count(2)
    expect(page.locator("#prompts .reason").first).to_contain_text("Digger 1: 5 + 3 + 3 = 11")
    for answer in answers.all():
        assert "\n" not in answer.inner_text(), "an answer is its words alone"
    picture(page, "roads-fight")


@pytest.mark.parametrize("language", ["en", "ru", "es"])
def test_every_step_of_the_moving_phase_is_in_sight(skirmish, picture, language):
    page, _ = skirmish({"type": "next"}, language=language)
    expect(page.locator("#prompts .button")).to_have_count(5)
    expect(page.locator("#now-picture .area-word")).to_have_count(4)
    picture(page, f"roads-moving-{language}")
    assert page.evaluate(CUT) <= 1, "the end of the phase is cut"


def test_names_of_terrain_lie_apart_on_a_phone(skirmish, picture):
    page, _ = skirmish({"type": "next"}, language="ru")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator("#now-picture .area-word")).to_have_count(4)
    picture(page, "roads-terrain-phone")
    boxes = [word.bounding_box() for word in page.locator("#now-picture .area-word").all()]
    apart = [
        one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
        or one["y"] + 0.7 * one["height"] <= other["y"] or other["y"] + 0.7 * other["height"] <= one["y"]
        for i, one in enumerate(boxes) for other in boxes[i + 1:]
    ]  # fmt: skip
    assert all(apart)


def test_an_arrow_shows_where_a_stupid_model_shuffles_before_the_tap(skirmish, picture):
    """It walked straight on from all its enemies: no drawing showed its front."""
    page, session = skirmish(language="ru")
    while session.timeline.game.active == "knights":
        session.command({"type": "next"}, JUDGE)
    for face in (6, 1):
        session.command({"type": "test", "rolled_here": False, "roll": face}, JUDGE)
    while session.timeline.game.phase != "move":
        session.command({"type": "next"}, JUDGE)
    expect(page.locator("#now-picture .lead")).to_have_count(1)
    picture(page, "roads-shuffle")
    brute, end = (
        page.locator(f"#now-picture {what}").bounding_box() for what in ('[data-figure="brute"]', ".lead circle")
    )
    assert end["x"] < brute["x"], "it faces the Knights"


def test_the_name_of_a_narrow_piece_of_terrain_lies_beside_it(skirmish):
    """Names with heights hid a ruin and a wall."""
    page, _ = skirmish({"type": "next"}, language="ru")
    word = page.locator("#now-picture .area-word", has_text="Стена")
    expect(word).to_have_count(1)
    wall, named = page.locator("#now-picture .area.cover").bounding_box(), word.bounding_box()
    assert named["y"] >= wall["y"] + wall["height"] - 1 or named["y"] + named["height"] <= wall["y"] + 1
