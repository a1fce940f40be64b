"""WCAG 2.2 A and AA by axe, targets for thumbs, reduced motion."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from page_waits import settled

from assistant.app.matches.demo_stage import DemoGame
from assistant.app.setup.values import STEPS
from assistant.errors import CameraLost
from assistant.match.actor import JUDGE, TABLE
from assistant.translations.messages import said
from web.page.views import VIEWS
from web.serving.roles import Role

THEMES = ["dark", "light", "contrast"]
SHOWN = [("tablet", "dark"), ("phone", "light"), ("phone", "contrast")]
"""Each theme and each size once: colours do not depend on the size."""


def open_in(theme, open_page, address, size="tablet"):
    """Return a page in that brightness from its first moment, into which axe may be put as a script."""
    page = open_page("about:blank", size, bypass_csp=True)
    page.add_init_script(f"localStorage.setItem('sightline-theme', '{theme}')")
    page.goto(address)
    return page


def with_answer(page, still):
    page.wait_for_selector("[data-figure]", timeout=150_000)
    for name in ("foxtrot", "imp"):
        page.locator(f'[data-figure^="{name}"]').focus()
        page.keyboard.press("Enter")
    page.wait_for_selector("#card:not([hidden])")
    still(page)


@pytest.mark.parametrize(("size", "theme"), SHOWN)
def test_axe_finds_nothing(still, violations, shot_link, open_page, picture, *, size, theme):
    page = open_in(theme, open_page, shot_link, size)
    with_answer(page, still)
    assert violations(page) == []
    picture(page, f"{size}-theme-{theme}")
    page.click("#menu > summary")
    assert violations(page) == []


@pytest.mark.parametrize(("size", "theme"), SHOWN)
def test_axe_finds_nothing_on_any_view(violations, desk, open_page, size, theme):
    desk.state.problems.watches.update({"camera", "disk"})
    desk.state.problems.remedies["camera"] = lambda: None
    desk.state.problems.report("camera", CameraLost(said("the simulated camera is unplugged; plug it in again")))
    desk.state.match.session.command({"type": "damage", "figure": "medic-1", "amount": 4}, TABLE)
    desk.state.match.session.command({"type": "stun", "figure": "medic-1", "on": True}, TABLE)
    page = open_in(theme, open_page, f"{desk.photo_link}&from=bravo&to=imp-1", size)
    page.wait_for_selector("#card:not([hidden])")
    settled(page)
    for view in VIEWS:
        page.click(f"[data-view={view.name}]")
        settled(page)
        assert violations(page) == [], view.name
    page.click("[data-view=table]")
    page.click("#what-if")
    page.select_option("#map", "danger")
    settled(page)
    assert violations(page) == [], "what if"


def light(page, theme):
    """The page in that brightness."""
    page.evaluate("theme => localStorage.setItem('sightline-theme', theme)", theme)
    page.reload()


@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing_on_what_opens_over_the_table(violations, desk, open_page, theme):
    """It covers invitation and devices, a long press's menu, a space's viewers, an attack with its dice, the wall."""
    desk.state.door.devices.join(desk.state.door.devices.invite(Role.PLAYER).token, None, "Ann")
    owner = f"{desk.address}/#join={desk.state.door.devices.invite(Role.OWNER).token}"
    page = open_in(theme, open_page, owner)
    page.wait_for_selector('body[data-role="owner"]')
    page.goto(f"{desk.photo_link}&from=bravo&to=imp-1")
    page.reload()  # an address that differs behind the # alone is the same page
    page.wait_for_selector("#card:not([hidden])")
    page.locator("#card summary").first.click()
    page.wait_for_selector("#card details[open] li")
    page.click("#menu > summary")
    page.click("#invite button")
    page.wait_for_selector("#invitation .code")
    assert violations(page) == [], "the invitation"
    page.keyboard.press("Escape")  # back to the menu
    page.keyboard.press("Escape")
    page.click("#correct")
    assert violations(page) == [], "the menu of a figure"
    page.keyboard.press("Escape")
    page.select_option("#map", "watchers")
    page.wait_for_selector(".watched-cell", state="attached")
    assert violations(page) == [], "who sees a space"
    page.click("#watchers-end")
    page.click("[data-view=attack]")
    page.click("#view-attack button:has-text('Take the table')")
    settled(page)
    assert violations(page) == [], "the attack"
    page.goto(f"{desk.address}/wall")
    settled(page)
    assert violations(page) == [], "the wall"
    open_page.expected.append("status of 404")  # no matches are kept at this table


@pytest.mark.parametrize(("size", "theme"), SHOWN)
def test_axe_finds_nothing_on_the_cover_and_the_question_for_a_side(
    violations, desk, open_page, picture, *, size, theme
):
    session = desk.build.new_session("doom2016", "doom2016_first_fight")
    session.command({"type": "status"}, JUDGE)
    desk.state.match.play(session)
    devices = desk.state.door.devices
    shared = open_in(theme, open_page, f"{desk.address}/#join={devices.invite(Role.OWNER).token}", size)
    shared.wait_for_selector('body[data-role="owner"]')
    shared.click("[data-view=initiative]")
    shared.locator("#hand-round .button").first.tap()
    shared.wait_for_selector("#cover[open]")
    settled(shared)
    assert violations(shared) == [], "the cover"
    mark = shared.locator("#cover-back").evaluate("node => getComputedStyle(node).webkitTapHighlightColor")
    assert mark == "rgba(0, 0, 0, 0)", "no mark of the tapped button lies over the cover"
    picture(shared, f"{size}-{theme}-cover")
    of_last = devices.invite(Role.PLAYER, side="marines", side_of="another match").token
    asked = open_in(theme, open_page, f"{desk.address}/#join={of_last}", size)
    asked.wait_for_selector("#seat-ask[open]")
    settled(asked)
    assert violations(asked) == [], "the question for a side"


@pytest.mark.parametrize(("size", "theme"), [("tablet", "light"), ("phone", "contrast")])
def test_axe_finds_nothing_on_the_new_match(violations, no_match, open_page, size, theme):
    page = open_in(theme, open_page, no_match[0], size)
    page.get_by_role("button", name="New match").first.click()
    page.get_by_role("dialog", name="New match").get_by_text("House rules").click()
    settled(page)
    assert violations(page) == []


@pytest.mark.parametrize(("size", "theme"), SHOWN)
def test_axe_finds_nothing_on_the_tour_with_a_blow_shown_over_it(violations, desk, open_page, size, theme):
    games = (DemoGame("doom2016", "DOOM", is_shown=True), DemoGame("roads", "Roads", is_shown=False))
    desk.build.put(desk.state, demo=SimpleNamespace(games=games, is_played=True))
    page = open_in(theme, open_page, desk.address, size)
    page.wait_for_selector("#tour:not([hidden])")
    assert violations(page) == [], "the games"
    page.wait_for_selector("main[data-seq]")
    page.locator("#tour-on").click()  # news of a demo shows once somebody has begun
    page.add_style_tag(content="#happened * { animation-play-state: paused !important; }")
    desk.state.match.session.command({"type": "damage", "figure": "medic-1", "amount": 2}, TABLE)
    page.wait_for_selector("#happened:not([hidden])")
    for moment_ms in (0, 550, 700, 900, 1100):
        page.locator("#happened").evaluate(
            "(happened, ms) => happened.getAnimations({ subtree: true }).forEach((one) => (one.currentTime = ms))",
            moment_ms,
        )
        assert violations(page) == [], f"the blow after {moment_ms} ms"
    settled(page)
    assert violations(page) == [], "the blow"


@pytest.mark.parametrize(("size", "theme"), [("tablet", "dark"), ("phone", "light"), ("tablet", "contrast")])
def test_axe_finds_nothing_on_any_step_of_the_set_up(violations, scripted_set_up, size, theme):
    page, scripted = scripted_set_up("camera", size, bypass_csp=True)
    light(page, theme)
    page.wait_for_selector('[data-step="camera"]:not([hidden])')
    for step in STEPS:
        page.click(f'[data-go="{step}"]')
        page.wait_for_selector(f'[data-step="{step}"]:not([hidden])')
        settled(page)
        assert violations(page) == [], step
    scripted.solve_lens()
    page.click('[data-go="lens"]')
    page.wait_for_selector("#lens-result:not([hidden])")
    assert violations(page) == [], "the lens that was found"


@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing_on_the_teaching_bench(violations, scripted_teaching, theme):
    page = scripted_teaching.page
    page.evaluate("theme => (document.documentElement.dataset.theme = theme)", theme)
    assert violations(page) == [], "a tile"
    for part in ("figure", "door", "sets"):
        page.click(f"[data-part-of={part}]")
        assert violations(page) == [], part


def test_axe_finds_nothing_on_the_empty_page(violations, photos, open_page):
    assert violations(open_page(photos.address, bypass_csp=True)) == []


@pytest.mark.parametrize("size", ["tablet", "phone"])
def test_every_control_is_large_enough_for_a_thumb(still, shot_link, open_page, size):
    page = open_page(shot_link, size)
    with_answer(page, still)
    page.click("#menu > summary")
    boxes = page.evaluate(
        """[...document.querySelectorAll('button, select, summary, .button, .layers label, input:not(.unseen)')]
        .filter(node => node.offsetParent && !node.matches('input[type=checkbox]'))
        .map(node => [node.id || node.textContent.trim(), node.getBoundingClientRect().height])"""
    )

    assert len(boxes) > 10
    assert [name for name, height in boxes if height < 48] == []


def test_nothing_moves_for_those_who_asked_for_it(still, shot_link, open_page):
    page = open_page(shot_link, reduced_motion="reduce")
    with_answer(page, still)

    longest_s = page.evaluate(
        """Math.max(...[...document.querySelectorAll('#overlay .sight *')]
        .map(node => parseFloat(getComputedStyle(node).animationDuration)))"""
    )
    assert longest_s <= 0.01


def test_the_page_fits_the_phone(still, shot_link, open_page):
    page = open_page(shot_link, "phone")
    with_answer(page, still)

    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
