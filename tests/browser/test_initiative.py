"""The Initiative view: the next step visible on every screen, the table beside the order, quiet clocks."""

from __future__ import annotations

import pytest
from page_waits import settled, until
from playwright.sync_api import Page, expect

from assistant.match.actor import CAMERA, JUDGE, TABLE
from web.serving.roles import Role

SCREENS = [(1180, 820), (1024, 768), (768, 1024), (390, 844)]
ONE_LINE_PX = 60


@pytest.fixture
def marines(desk, open_page):
    """Opens the marines' device with that screen size, in Bravo's turn."""
    session = desk.build.new_session("doom2016", "doom2016_first_fight")
    session.command({"type": "see", "document": session.header.table}, CAMERA)
    session.command({"type": "status", "shuffled_here": False}, JUDGE)
    session.command({"type": "reveal", "card": "bravo"}, JUDGE)
    desk.state.match.play(session)

    def open_on(width: int, height: int, **more) -> Page:
        token = desk.state.door.devices.invite(Role.PLAYER, side="marines").token
        page = open_page("about:blank", "phone" if width < 640 else "tablet", **more)
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"{desk.address}/#join={token}")
        page.wait_for_selector('body[data-role="player"]')
        page.get_by_role("navigation", name="Views").get_by_role("button", name="Turns").click()
        settled(page)
        return page

    return open_on, session


@pytest.mark.parametrize("screen", SCREENS)
def test_the_main_action_stays_in_sight_whatever_is_unfolded(marines, picture, screen):
    page = marines[0](*screen)
    main = page.locator("#prompts .primary")
    expect(main).to_be_in_viewport(ratio=1)
    offered = page.get_by_role("group", name="What may be done now").get_by_role("button")
    for button in offered.all():
        expect(button).to_be_in_viewport(ratio=0.9)
    page.get_by_text("More actions").first.click()
    last = page.get_by_role("group", name="More actions").get_by_role("button").last
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport(ratio=0.5)
    expect(main).to_be_in_viewport(ratio=1)
    picture(page, f"initiative-{screen[0]}")


@pytest.mark.parametrize("screen", SCREENS)
def test_the_table_is_shown_beside_the_order_and_the_clocks_are_one_line(marines, screen):
    page = marines[0](*screen)
    table = page.get_by_role("img", name="The table now")
    expect(table.locator(".piece")).to_have_count(4)
    assert table.bounding_box()["height"] >= 120
    clocks = page.locator("#clock-times").bounding_box()
    assert clocks["height"] <= ONE_LINE_PX
    if screen[0] == 390:  # a thumb meets the actions before the clocks
        assert clocks["y"] > page.get_by_role("list", name="Order of turns").bounding_box()["y"]
    elif screen[0] == 768:  # an open hand needs the space of the order; the figures are on the table
        expect(page.get_by_role("list", name="Order of turns")).to_be_hidden()
        expect(page.locator("#own-hand .playing-card").first).to_be_in_viewport(ratio=0.8)
    else:
        order, board = page.get_by_role("list", name="Order of turns").bounding_box(), table.bounding_box()
        is_beside = order["x"] >= board["x"] + board["width"]
        assert is_beside or order["y"] >= board["y"] + board["height"]
    table.click()
    expect(page.locator("#view-initiative")).to_be_visible()  # a tap on the board never leaves the turn


WHOLE = """() => {
    const buttons = [...document.querySelectorAll("#prompts .button, .besides .button")];
    const cut = buttons.filter((one) => one.scrollWidth > one.clientWidth + 1);
    const broken = [...document.querySelectorAll("#order .name, #prompts .button")].flatMap((one) => {
        const words = document.createTreeWalker(one, NodeFilter.SHOW_TEXT), found = [];
        while (words.nextNode()) {
            for (const { index, 0: word } of words.currentNode.data.matchAll(/[^\\s-]+/g)) {
                const range = document.createRange();
                range.setStart(words.currentNode, index);
                range.setEnd(words.currentNode, index + word.length);
                if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push(word);
            }
        }
        return found;
    });
    return [cut.map((one) => one.textContent), broken];
}"""
"""The buttons that are wider than they show, and the words that are parted."""


@pytest.mark.parametrize("language", ["ru", "es"])
@pytest.mark.parametrize("screen", SCREENS)
def test_no_button_is_cut_and_no_word_is_parted(marines, screen, language):
    page = marines[0](*screen)
    page.goto(f"{page.url.partition('#')[0]}?lang={language}")
    page.locator("[data-view=initiative]").click()
    settled(page)
    assert page.evaluate(WHOLE) == [[], []]
    if screen[0] > 640:
        assert page.locator("#prompts.has-more").count() == 0
        for button in page.locator("#prompts .button").all():
            expect(button).to_be_in_viewport(ratio=1)
    else:
        expect(page.locator("#own-hand .playing-card b").first).to_be_in_viewport(ratio=1)
        top = page.locator(".thumb").bounding_box()["y"]
        title = page.locator("#own-hand .playing-card b").first.bounding_box()
        assert title["y"] + title["height"] <= top, "the panel covers no title of a card"


def test_health_is_a_bar_and_a_number_in_the_order(marines):
    page = marines[0](1180, 820)
    marines[1].command({"type": "damage", "figure": "bravo", "amount": 8}, TABLE)
    row = page.get_by_role("list", name="Order of turns").get_by_role("listitem").filter(has_text="Bravo")
    expect(row).to_contain_text("2 of 10")
    expect(row.locator(".left.low i")).to_have_attribute("style", "width: 20%;")


def test_a_hit_is_flagged_at_its_figure_until_the_next_step(marines, picture):
    open_on, session = marines
    page = open_on(1180, 820)
    session.command({"type": "damage", "figure": "bravo", "amount": 1}, TABLE)
    flag = page.locator("#now-picture .flag")
    expect(flag).to_have_text("−1")
    picture(page, "initiative-flag")
    box, bar = page.locator("#happened-blows li").bounding_box(), page.locator("#told").bounding_box()
    assert box["y"] + box["height"] <= bar["y"] + bar["height"], "its words lie in the line of the last step"
    session.command({"type": "damage", "figure": "alpha", "amount": 2}, TABLE)
    expect(flag).to_have_text("−2")


SOUNDS = """() => {
    window.sounds = 0;
    const real = window.AudioContext;
    window.AudioContext = class extends real { constructor() { super(); window.sounds += 1; } };
}"""


def test_dice_hits_and_the_own_turn_have_a_sound_with_a_switch_each(marines):
    open_on, session = marines
    page = open_on(1180, 820)
    page.evaluate(SOUNDS)
    page.locator("#menu > summary").click()
    page.get_by_text("Signs and sounds").click()
    switches = [page.get_by_role("checkbox", name=name) for name in ("A sound for dice", "A sound for hits")]
    for switch in switches:
        expect(switch).not_to_be_checked()
    session.command({"type": "damage", "figure": "bravo", "amount": 1}, TABLE)
    expect(page.locator("#happened")).to_be_visible()
    assert page.evaluate("window.sounds") == 0
    switches[1].check()
    until(page, lambda: page.evaluate("window.sounds") == 1)  # it is heard at once
    session.command({"type": "damage", "figure": "alpha", "amount": 1}, TABLE)
    until(page, lambda: page.evaluate("window.sounds") == 2)
    page.reload()
    page.locator("#menu > summary").click()
    page.get_by_text("Signs and sounds").click()
    expect(switches[1]).to_be_checked()
    expect(switches[0]).not_to_be_checked()


def test_large_letters_stay_large_and_nothing_leaves_the_screen(marines):
    page = marines[0](390, 844)
    before = page.locator("#acting").bounding_box()["height"]
    page.locator("#menu > summary").click()
    page.get_by_role("checkbox", name="Large letters").check()
    page.reload()
    settled(page)
    assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "20px"
    assert page.locator("#acting").bounding_box()["height"] > before
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.locator("#prompts .primary")).to_be_in_viewport(ratio=1)


def test_the_rules_and_the_history_are_searched_by_words(marines):
    page = marines[0](1180, 820)
    page.locator("#menu > summary").click()
    page.get_by_role("button", name="The rules in short").click()
    book = page.get_by_role("dialog", name="The rules in short")
    rules = book.get_by_role("list", name="Rules").get_by_role("listitem")
    expect(rules.first).to_be_visible()
    everything = rules.count()
    book.get_by_role("searchbox", name="Search the rules").fill("corner line sight")
    expect(rules.first).to_contain_text("corner")
    assert 0 < rules.count() < everything
    book.get_by_role("searchbox", name="Search the rules").fill("xyzzy")
    expect(book.get_by_text("No rule has these words.")).to_be_visible()
    book.get_by_role("button", name="Close").click()
    expect(page.get_by_role("button", name="The rules in short")).to_be_visible()  # back in the menu

    page.get_by_role("navigation", name="Views").get_by_role("button", name="History").click()
    steps = page.get_by_role("list", name="Steps of the match").get_by_role("listitem")
    whole = steps.count()
    page.get_by_role("searchbox", name="Search in the steps and rulings").fill("bravo")
    expect(steps.first).to_contain_text("Bravo")
    assert 0 < steps.count() < whole


def test_the_big_screen_shows_the_order_beside_the_picture(desk, open_page, picture):
    desk.state.watcher.has_live = True
    desk.show_live()
    page = open_page(f"{desk.address}/wall")
    page.set_viewport_size({"width": 1920, "height": 1080})
    order = page.get_by_role("list", name="Order of turns")
    expect(order.get_by_role("listitem")).not_to_have_count(0)
    settled(page)
    stage, side = page.locator("#stage").bounding_box(), page.locator("#wall-side").bounding_box()
    assert stage["width"] + side["width"] == pytest.approx(1920, abs=1)
    picture(page, "wall-with-order")
