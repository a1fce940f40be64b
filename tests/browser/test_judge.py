"""A player calls a judge: ruling, appeal, closing. The evidence is downloaded and checked by the command."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from page_waits import until
from playwright.sync_api import Route, expect

from assistant.app.matches.archive import KeptMatches
from assistant.app.matches.match_menu import MatchMenu
from assistant.app.tournament.seat import HeardSeat
from assistant.cli import run
from assistant.match.actor import TABLE
from web.serving.roles import Role


@pytest.fixture
def hall(desk, tmp_path):
    """The desk with a store of calls."""
    desk.build.judge(desk.state, desk.build.referee(desk.state, tmp_path / "calls"))
    yield desk
    desk.build.stores.pop().close()


@pytest.fixture
def joined(hall, open_page):
    """Opens the page on a device that joined in a role."""

    def open_as(role, size="tablet", name=""):
        invitation = hall.state.door.devices.invite(role)
        page = open_page(f"{hall.address}/#join={invitation.token}", size)
        page.wait_for_selector(f'body[data-role="{role}"]')
        return page

    return open_as


def to_judge(page):
    page.get_by_role("navigation", name="Views").get_by_role("button", name="Judge").click()


def test_a_call_an_appeal_and_the_evidence_of_both(hall, joined, open_page, picture, tmp_path, capfd):
    open_page.expected.append("status of 409")  # the page asks whether the reason of the first ruling stays
    player, judge = joined(Role.PLAYER), joined(Role.JUDGE)
    hall.show_live(1)
    player.request.post(
        f"{hall.address}/api/v1/shots/photo-easy-03/rulings",
        data={"attacker": "bravo", "defender": "imp-1", "ruleset": "doom2016"},
        headers={"X-Sightline": "1"},
    )
    to_judge(player)
    to_judge(judge)
    player.get_by_role("button", name="Call a judge").click()
    expect(player.get_by_role("heading", name="Open: a judge is called")).to_be_visible()
    assert player.get_by_label("What was decided").count() == 0

    expect(judge.get_by_role("img", name="Picture of the table").first).to_be_visible()
    judge.get_by_role("button", name="Bravo → Imp 1").click()
    picture(judge, "tablet-judge-call")
    judge.get_by_label("What was decided").fill("Bravo does not see it")
    judge.get_by_text("Facts, reason, penalty, time back").click()
    judge.get_by_label("Facts in dispute").fill("Whether the wall is in the way")
    judge.get_by_label("Reason").fill("No line is free")
    judge.get_by_label("Minutes given back in all").fill("3")
    judge.get_by_role("button", name="Save the ruling and play on").click()
    expect(judge.locator("#view-initiative")).to_be_visible()
    to_judge(judge)
    expect(judge.get_by_role("heading", name="Ruled")).to_be_visible()
    judge.get_by_role("button", name="Show the ruling on every device").click()
    expect(player.get_by_role("alert").filter(has_text="Bravo does not see it")).to_be_visible()
    player.get_by_role("button", name="OK").click()

    player.get_by_text("Not agreed? Appeal").click()
    player.get_by_label("Grounds of the appeal").fill("The corner is free")
    player.get_by_role("button", name="Appeal", exact=True).click()
    expect(judge.get_by_role("heading", name="Appealed to the head judge")).to_be_visible()
    judge.get_by_label("What was decided").fill("Upheld")
    judge.get_by_role("button", name="Save the ruling and play on").click()
    expect(judge.locator("#empty-question")).to_contain_text("“No line is free”")
    judge.get_by_role("button", name="As before").click()
    expect(player.locator("#call-facts")).to_contain_text("Ruling 1")
    expect(judge.locator("#view-initiative")).to_be_visible()
    to_judge(judge)
    judge.get_by_role("button", name="Close the call").click()
    expect(player.get_by_role("heading", name="Closed")).to_be_visible()
    picture(player, "tablet-judge-closed")
    assert hall.state.match.session.timeline.clock.extra_s == 180

    player.get_by_text("More: times, papers to take away").click()
    with player.expect_download() as download:
        player.get_by_role("link", name="Evidence").click()
    file = Path(download.value.path())
    key = player.get_by_text("The table signs evidence").locator("b").inner_text()
    assert run(["verify", str(file), "--key", key, "--pdf", str(tmp_path / "call.pdf")]) == 0
    assert (tmp_path / "call.pdf").read_bytes().startswith(b"%PDF")
    assert "1 ruling, computed again, is the same." in capfd.readouterr()[0]


def test_in_a_tournament_a_player_reads_the_clocks_and_a_judge_stops_them(hall, joined):
    link = SimpleNamespace(has_reached_desk=lambda _: True, is_desk_there=True)
    told = {"desk_seat": HeardSeat(), "handing": SimpleNamespace(of=lambda _: None), "sealed": None}
    named = {"join": SimpleNamespace(event="cup", name="table-1"), "frozen_seat": None}
    hall.state.referee.member = SimpleNamespace(**told, **named, link=link, end_bare_call=lambda: None)
    player, judge = joined(Role.PLAYER), joined(Role.JUDGE)
    for page in (player, judge):
        page.get_by_role("navigation", name="Views").get_by_role("button", name="Turns").click()
    expect(player.locator("#clock-word")).to_have_text("Only judges stop the clocks")
    expect(player.locator("#clock-stop")).to_be_disabled()
    expect(player.locator("#clock-limits")).to_be_hidden()
    judge.locator("#clock-stop").click()
    expect(judge.locator("#clock-word")).to_have_text("Start the clocks")
    expect(player.locator("#clock-stop")).to_have_attribute("aria-pressed", "true")


def test_a_move_before_the_call_is_marked_on_the_picture_and_reported(hall, joined, picture):
    before = replace(hall.build.true_shot("easy-03"), id="live-1", source="live", taken_at_s=hall.state.now_s() - 50)
    hall.state.shown.show(before)
    hall.state.shown.show(hall.build.moved_shot(before, "imp-1", (4, 4), hall.state.now_s() - 20))
    judge = joined(Role.JUDGE)
    to_judge(judge)
    judge.get_by_role("button", name="Call a judge").click()
    last = judge.get_by_role("list", name="What was moved last").get_by_role("button")
    expect(last).to_have_count(1)
    expect(last).to_contain_text("Imp 1 stood on E7 and stands on E5.")
    expect(last).to_contain_text(re.compile(r"\d:\d\d before the call"))
    expect(judge.locator("#moment-second .differs")).to_have_count(2)  # where it stood, and where it stands
    picture(judge, "tablet-judge-difference")


def test_a_tap_before_the_view_is_there_calls_all_the_same(hall, open_page):
    """Its script comes after the first look: until then the view takes no taps, instead of losing them."""
    link = f"{hall.address}/#join={hall.state.door.devices.invite(Role.JUDGE).token}"
    before = open_page(link)
    before.wait_for_selector(f'body[data-role="{Role.JUDGE}"]')
    judge = before.context.new_page()
    held: list[Route] = []
    judge.route("**/judge/judge.js*", lambda route: held.append(route))  # noqa: PLW0108  it has to be a function
    with judge.expect_request("**/judge/judge.js*"):
        judge.goto(hall.address)
    to_judge(judge)
    until(judge, lambda: held)
    assert judge.locator("#view-judge").evaluate("view => view.inert")
    held[0].continue_()
    judge.get_by_role("button", name="Call a judge").click()
    expect(judge.get_by_role("heading", name="Open: a judge is called")).to_be_visible()


def test_where_it_stood_before_is_marked_beside_where_it_stands(hall, joined, picture):
    judge = joined(Role.JUDGE, "phone")
    judge.request.post(
        f"{hall.address}/api/v1/shots/photo-easy-03/corrections",
        data={"figures": {"imp-1": None}},
        headers={"X-Sightline": "1"},
    )
    to_judge(judge)
    judge.get_by_role("button", name="Call a judge").click()
    expect(judge.locator("#differences").get_by_text("Imp 1 is not on the board any more.")).to_be_visible()
    expect(judge.locator("#steps-back").get_by_text("Imp 1 is not on the board any more.")).to_be_visible()
    expect(judge.get_by_text(re.compile(r"\d:\d\d.* · Imp 1 was taken off the board"))).to_be_visible()
    picture(judge, "phone-judge-look-back")
    judge.get_by_label("Before", exact=True).select_option(index=1)
    expect(judge.get_by_text("The reading is the same.")).to_be_visible()


@pytest.mark.parametrize(
    ("size", "theme", "language"), [("tablet", "dark", "en"), ("phone", "light", "ru"), ("tablet", "contrast", "es")]
)
def test_a_call_is_whole_for_everybody(violations, hall, open_page, picture, *, size, theme, language):
    """By axe, by the keyboard alone, at twice the size, in a language each."""
    hall.show_live(1)
    link = f"{hall.address}/#join={hall.state.door.devices.invite(Role.JUDGE).token}"
    page = open_page(link, size, bypass_csp=True, locale=language)
    page.wait_for_selector('body[data-role="judge"]')
    page.request.post(
        f"{hall.address}/api/v1/shots/photo-easy-03/rulings",
        data={"attacker": "bravo", "defender": "imp-1", "ruleset": "doom2016"},
        headers={"X-Sightline": "1"},
    )
    page.evaluate("theme => localStorage.setItem('sightline-theme', theme)", theme)
    page.reload()
    page.wait_for_selector("body:not([inert])")  # before that nothing takes the focus
    page.locator("[data-view=judge]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#view-judge")).not_to_have_attribute("inert", "")  # everything that it needs is here
    page.locator("#call-judge").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#call .frozen-ruling")).to_have_count(1)
    page.locator("#call .frozen-ruling").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#moment-first .line").first).to_be_attached()
    assert violations(page) == []
    picture(page, f"{size}-judge-{language}")
    page.set_viewport_size({"width": 640, "height": 400})
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    page.locator("#ruling-words").focus()
    page.keyboard.type("So")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#call-facts")).to_contain_text("So")


@pytest.fixture
def drawn_hall(hall, tmp_path):
    """A match on the drawn board without a camera, after another one under a camera."""
    matches = KeptMatches(tmp_path / "matches")
    hall.build.put(hall.state, archive=matches, matches=MatchMenu(matches, hall.state.match.play))
    hall.show_live(1)
    hall.state.matches.begin("Friday", "doom2016_first_fight", {}, on_sample_table=True)
    yield hall
    matches.close()


@pytest.mark.parametrize(
    ("size", "theme", "language"),
    [("tablet", "dark", "en"), ("phone", "dark", "en"), ("tablet", "light", "ru"), ("phone", "light", "es")],
)
def test_a_call_is_seen_on_every_device_and_settled_by_one_button(
    drawn_hall, open_page, picture, *, size, theme, language
):
    """The stranger's evening: the other player's tablet showed nothing of the call but a number at a tab."""

    def opened(role, **more):
        invitation = drawn_hall.state.door.devices.invite(role, **more)
        page = open_page(f"{drawn_hall.address}/#join={invitation.token}", size, locale=language)
        page.wait_for_selector(f'body[data-role="{role}"]')
        page.evaluate("theme => localStorage.setItem('sightline-theme', theme)", theme)
        page.reload()
        page.locator("[data-view=initiative]").click()
        return page

    invader, owner = opened(Role.INVADER), opened(Role.OWNER)
    wall = open_page(f"{drawn_hall.address}/wall", "tablet", locale=language)
    invader.locator("[data-view=judge]").click()
    picture(invader, f"{size}-judge-before-{language}")
    invader.locator("#judge-question").fill("May the Imp see Alpha over the crate?")
    invader.locator("#call-judge").click()
    for page in (owner, wall):
        expect(page.locator("#call-band-words")).to_have_text("May the Imp see Alpha over the crate?")
        expect(page.locator("#call-band-clocks")).not_to_be_empty()
    picture(owner, f"{size}-judge-band-{language}")
    picture(wall, f"wall-judge-band-{language}")
    picture(invader, f"{size}-judge-caller-{language}")
    owner.locator("#call-look").click()
    expect(owner.locator("#ruling-words")).to_be_in_viewport(ratio=1)
    expect(owner.locator("#ruling-form .primary")).to_be_in_viewport(ratio=1)
    assert owner.locator("#look-back").is_hidden()
    assert owner.locator("#ruling-penalty").is_hidden()
    shown = owner.locator("#call").inner_text()
    assert not re.search(r"UTC|#\d|table-7", shown)
    assert not re.search(r"^\d+\.\s+\d+\.", owner.locator("#last-steps").inner_text())
    picture(owner, f"{size}-judge-form-{language}")
    owner.locator("#ruling-words").fill("It may: the crate is low.")
    owner.locator("#ruling-form .primary").click()
    expect(owner.locator("#view-initiative")).to_be_visible()
    for page in (owner, invader, wall):
        expect(page.locator("#told-title")).to_contain_text("It may: the crate is low.")
        expect(page.locator("#call-band")).to_be_hidden()
    picture(owner, f"{size}-judge-news-{language}")
    picture(invader, f"{size}-judge-ruled-{language}")
    invader.locator("#to-turn").click()
    expect(invader.locator("#view-initiative")).to_be_visible()
    owner.locator("[data-view=judge]").click()
    assert owner.locator("#ruling-words").is_hidden()
    picture(owner, f"{size}-judge-folded-{language}")
    owner.locator("#call-more > summary").click()
    expect(owner.locator("#evidence-zip")).to_be_visible()
    owner.locator("#call-more").scroll_into_view_if_needed()
    picture(owner, f"{size}-judge-more-{language}")


@pytest.mark.parametrize("size", ["tablet", "phone", (768, 1024)], ids=str)
def test_the_history_of_a_match_without_a_camera_is_its_steps_alone(drawn_hall, open_page, picture, size):
    """The stranger saw five lines of steps beside half a page of no answers."""
    page = open_page(drawn_hall.address, size)
    drawn_hall.state.match.session.command({"type": "status"}, TABLE)
    for figure in ("alpha", "bravo") * 8:
        drawn_hall.state.match.session.command({"type": "damage", "figure": figure, "amount": 1}, TABLE)
    page.locator("[data-view=history]").click()
    expect(page.locator("#rulings-column")).to_be_hidden()
    expect(page.locator("#history > li").nth(15)).to_be_attached()
    picture(page, f"{page.viewport_size['width']}-history-drawn")
    listed, view = (page.locator(one).bounding_box() for one in ("#history", "#view-history"))
    assert listed["height"] > view["height"] / 2


def test_a_link_leads_to_the_judge_from_the_page_of_a_table_without_a_grid(hall, open_page):
    open_page.expected.append("status of 409")  # this table has tiles, and the page says so
    page = open_page(f"{hall.address}/free")
    page.wait_for_selector("body:not([inert])")  # it works without a match of such a table, too
    page.get_by_role("link", name="Judge").click()
    expect(page.get_by_role("button", name="Call a judge")).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Call a judge")).to_be_visible()
