"""A very wide board: as large as the screen allows, fully readable, without overlaps."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from math import hypot
from pathlib import Path
from typing import Any

import pytest
from page_waits import settled
from playwright.sync_api import Page, expect

from assistant.app.matches.archive import KeptMatches
from assistant.app.matches.choice import MatchShow
from assistant.app.matches.match_menu import MatchMenu
from web.serving.roles import Role

SIZES = {(1180, 820): 50, (1024, 768): 42, (768, 1024): 50, (390, 844): 20}
"""Screens, and the width of a space that there is room for, in pixels."""

LEAST_WORD_PX = 11

BOXES = """([picture, selector]) => [...document.querySelectorAll(`${picture} ${selector}`)]
    .filter((one) => getComputedStyle(one).display !== "none" && one.getClientRects().length)
    .map((one) => one.getBoundingClientRect())
    .map(({ left, top, width, height }) => [left, top, width, height])"""
"""Returns the screen rectangles of a picture's shapes."""


@pytest.fixture
def begun(desk: Any, open_page: Callable[..., Page], tmp_path: Path) -> Iterator[Callable[[str, int, int], Page]]:
    """A mission on its drawn board on a screen of that size, before the first round."""
    matches = KeptMatches(tmp_path)
    show = MatchShow(desk.state.match.play, desk.state.match.announce, lambda view: None)
    desk.build.put(desk.state, archive=matches, matches=MatchMenu(matches, show.change))

    def open_on(mission: str, width: int, height: int) -> Page:
        session = desk.state.matches.begin("Friday", mission, {}, on_sample_table=True)
        desk.state.matches.play_on(session, "drawing")
        page = open_page("about:blank", "phone" if width < 640 else "tablet")
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"{desk.address}/#join={desk.state.door.devices.invite(Role.OWNER).token}")
        page.wait_for_selector('body[data-role="owner"]:not([inert])')
        expect(page.locator("#view-initiative")).to_be_visible()  # without a camera a device begins where its turn is
        return page

    yield open_on
    matches.close()


@pytest.fixture
def knee_deep(begun: Callable[[str, int, int], Page]) -> Callable[[int, int], Page]:
    """The red marine's turn on the widest shipped board, drawn, on a screen of that size."""

    def open_on(width: int, height: int) -> Page:
        page = begun("doom2004_knee_deep_sample", width, height)
        page.get_by_role("button", name=re.compile("ready")).first.click()
        expect(page.locator("#prompts").get_by_role("button", name="Attack", exact=True)).to_be_visible()
        settled(page)
        return page

    return open_on


def boxes(page: Page, picture: str, selector: str) -> list[list[float]]:
    found: list[list[float]] = page.evaluate(BOXES, [picture, selector])
    return found


def overlap(one: list[float], other: list[float]) -> float:
    """Return the overlap of two boxes in pixels; 0 if they are apart."""
    wide = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    high = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    return max(0.0, min(wide, high))


@pytest.mark.parametrize(("screen", "space_px"), SIZES.items())
def test_a_wide_board_is_as_large_as_the_screen_allows(knee_deep, picture, screen, space_px):
    page = knee_deep(*screen)
    spaces = boxes(page, "#now-picture", ".area.cell")
    assert spaces[0][2] >= space_px
    frame = page.locator("#now-table").bounding_box()
    assert [x for x, *_ in spaces if x < frame["x"]] == [], "the whole board is seen"
    assert [x for x, _, w, _ in spaces if x + w > frame["x"] + frame["width"] + 1] == []
    picture(page, f"wide-board-{screen[0]}")
    if screen[0] > 640:  # a phone looks at where the figures are
        assert frame["height"] <= 1.4 * (max(y + h for _, y, _, h in spaces) - min(y for _, y, _, _ in spaces)), (
            "no empty frame"
        )
    words = boxes(page, "#now-picture", ".lying-word")
    assert len(words) >= 4
    assert min(height for *_, height in words) >= LEAST_WORD_PX
    assert [one for i, one in enumerate(words) for other in words[:i] if overlap(one, other) > 2] == []
    order = page.get_by_role("list", name="Order of turns").bounding_box()
    assert order["y"] >= frame["y"] + frame["height"], "the order of turns stands below"


def test_what_lies_out_of_sight_is_named_at_the_edge(begun, picture):
    page = begun("doom2004_knee_deep_sample", 280, 700)
    out_of_sight = page.locator("#now-picture .beyond")
    expect(out_of_sight.first).to_be_visible()
    settled(page)
    picture(page, "wide-board-280")
    expect(out_of_sight).to_have_text([re.compile("Goal: Marines.*→")])
    frame = page.locator("#now-table").bounding_box()
    for left, top, width, height in boxes(page, "#now-picture", ".beyond"):
        assert frame["x"] - 1 <= left
        assert left + width <= frame["x"] + frame["width"] + 1
        assert frame["y"] - 1 <= top
        assert top + height <= frame["y"] + frame["height"] + 1


@pytest.mark.parametrize("screen", SIZES)
def test_where_one_may_end_is_told_from_where_one_passes(knee_deep, picture, screen):
    page = knee_deep(*screen)
    page.get_by_role("button", name="Move: 4 points left").click()
    board = page.get_by_role("group", name="The table: tap your choice")
    expect(board.get_by_role("button", name=re.compile("^B1, points: 1"))).to_be_visible()
    expect(board.get_by_role("button", name=re.compile("^A2"))).to_have_count(0)  # the green marine stands there
    expect(board.locator(".through")).to_have_count(1)
    settled(page)
    picture(page, f"wide-board-move-{screen[0]}")
    signs = boxes(page, "#choice-picture", ".lying .sign")
    numbers = boxes(page, "#choice-picture", ".pick text")
    letters = boxes(page, "#choice-picture", ".piece text")
    covered = [number for number in numbers for sign in (*signs, *letters) if overlap(number, sign) > 6]
    assert covered == [], "the number of a space leaves what lies there in sight"


@pytest.mark.parametrize("screen", SIZES)
def test_a_plate_with_odds_covers_no_figure(knee_deep, picture, screen):
    page = knee_deep(*screen)
    page.locator("#prompts").get_by_role("button", name="Attack", exact=True).click()
    expect(page.get_by_role("heading", name="Whom?")).to_be_visible()
    expect(page.locator("#choice-picture .label.is-target .plate")).to_have_count(3)
    settled(page)
    plates = boxes(page, "#choice-picture", ".label.is-target .plate")
    picture(page, f"wide-board-attack-{screen[0]}")
    frame = page.locator("#choice-picture").bounding_box()
    bases = boxes(page, "#choice-picture", ".piece rect")
    assert [plate for plate in plates for base in bases if overlap(plate, base) > 3] == []
    for left, top, width, height in plates:
        assert left >= frame["x"] - 1
        assert left + width <= frame["x"] + frame["width"] + 1
        assert top >= frame["y"] - 1
        assert top + height <= frame["y"] + frame["height"] + 1
    for plate, words in zip(plates, boxes(page, "#choice-picture", ".label.is-target text:first-of-type"), strict=True):
        assert words[2] <= plate[2], "the words fit their plate"


def tap_table(page: Page, cell: tuple[int, int]) -> None:
    """Tap the middle of a space on the drawing beside the turn."""
    x, y = page.locator("#now-picture").evaluate(
        """(svg, [x, y]) => {
            const at = new DOMPoint(x + 0.5, y + 0.5).matrixTransform(svg.getScreenCTM());
            return [at.x, at.y];
        }""",
        cell,
    )
    page.mouse.click(x, y)


def test_a_tap_on_the_table_begins_what_it_points_at_or_says_why_not(begun):
    """A space in reach moves, a waiting figure says so, an enemy is attacked: every tap has an answer."""
    page = begun("doom2004_knee_deep_sample", 1180, 820)
    actions = page.locator("#prompts")
    expect(page.locator("#now-picture [data-figure]").first).to_be_visible()
    settled(page)
    tap_table(page, (3, 1))
    expect(actions).to_contain_text("Nobody can move now")
    actions.get_by_role("button", name=re.compile("advance")).click()
    expect(actions).not_to_contain_text("Nobody can move now")
    settled(page)
    tap_table(page, (11, 3))  # out of reach: the question shows where the way may lead
    expect(page.locator("#choice-path")).to_contain_text("Move")
    expect(page.locator("#choice-picture")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    settled(page)
    tap_table(page, (3, 1))
    expect(page.get_by_role("status", name="What happened last")).to_contain_text("to D2")
    settled(page)
    enemy = page.locator("#now-picture [data-figure^=zombie]").first.bounding_box()
    page.mouse.click(enemy["x"] + enemy["width"] / 2, enemy["y"] + enemy["height"] / 2)
    expect(page.locator("#choice-path")).to_contain_text("Attack")


NAMES = """picture => {
    const svg = document.querySelector(picture);
    const cell = svg.querySelector(".area.cell").getBoundingClientRect();
    const at = (text) => {
        const { x, y } = new DOMPoint(...text.split(" ").map(Number)).matrixTransform(svg.getScreenCTM());
        return [x, y];
    };
    const away = ({ left, right, top, bottom }, [x, y]) =>
        Math.hypot(Math.max(0, left - x, x - right), Math.max(0, top - y, y - bottom)) / cell.width;
    const words = [...svg.querySelectorAll(".lying-word")];
    return words.map((one) => {
        const box = one.getBoundingClientRect();
        const others = words.filter((other) => other !== one).map((other) => away(box, at(other.dataset.at)));
        const tenths = (side) => Math.round((10 * side) / cell.width) / 10;
        const isShown = !one.classList.contains("no-room");
        const place = [box.left - cell.left, box.top - cell.top].map(tenths);
        const own = away(box, at(one.dataset.at));
        const [left, top, wide, high] = ["x", "y", "width", "height"].map((side) => svg.viewBox.baseVal[side]);
        const [x, y] = one.dataset.at.split(" ").map(Number);
        const isInSight = x >= left && x <= left + wide && y >= top && y <= top + high;
        return { name: one.dataset.name, isShown, isInSight, own, other: Math.min(...others), place };
    });
}"""
"""Each name of a token: whether it is in sight, how far in spaces it is from its token and another, and where."""


@pytest.mark.parametrize("screen", SIZES)
def test_a_name_touches_its_own_token_and_stays_there(knee_deep, screen):
    page = knee_deep(*screen)
    now, table = page.evaluate(NAMES, "#now-picture"), page.locator("#now-picture").bounding_box()
    page.get_by_role("button", name="Move: 4 points left").click()
    expect(page.locator("#choice-picture .pick").first).to_be_visible()
    settled(page)
    choosing = page.evaluate(NAMES, "#choice-picture")
    for names in (now, choosing):
        shown = [one for one in names if one["isShown"]]
        wanted = {one["name"] for one in names if one["isInSight"]} & {"Red key", "Goal: Marines"}
        assert wanted <= {one["name"] for one in shown}, "what is wanted has its name wherever it is in sight"
        assert "Red key" in wanted
        assert screen[0] < 640 or len(wanted) == 2, "only a phone looks at a choice from nearer"
        for one in shown:
            assert one["own"] < 0.55, one
            assert one["own"] < one["other"], one
    if screen[0] > 800:  # a smaller screen looks at a choice from nearer
        assert choosing == now, "a choice moves no name"
        assert screen[0] < 1000 or page.locator("#choice-picture").bounding_box() == table, "and not the board"


@pytest.mark.parametrize("screen", SIZES)
def test_a_plate_is_nearer_its_own_figure_than_another(knee_deep, screen):
    page = knee_deep(*screen)
    page.locator("#prompts").get_by_role("button", name="Attack", exact=True).click()
    expect(page.locator("#choice-picture .label.is-target .plate")).to_have_count(3)
    settled(page)
    targets = boxes(page, "#choice-picture", ".pick.figure > path")
    middles = [(left + width / 2, top + height / 2) for left, top, width, height in targets]

    def away(plate: list[float], at: tuple[float, float]) -> float:
        left, top, width, height = plate
        return hypot(max(0.0, left - at[0], at[0] - left - width), max(0.0, top - at[1], at[1] - top - height))

    for i, plate in enumerate(boxes(page, "#choice-picture", ".label.is-target .plate")):
        nearest = min(range(len(middles)), key=lambda n: away(plate, middles[n]))
        assert nearest == i


def test_a_tapped_space_says_what_it_is_and_what_lies_on_it(begun):
    page = begun("doom2016_first_fight", 1180, 820)
    expect(page.locator("#now-picture [data-figure]").first).to_be_visible()
    settled(page)
    tap_table(page, (2, 0))
    expect(page.locator("#prompts")).to_contain_text("Blocking ground.")
    tap_table(page, (2, 1))
    expect(page.locator("#prompts")).to_contain_text("Health 1.")
