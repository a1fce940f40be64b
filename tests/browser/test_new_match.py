"""A match begun on the page: mission, name and house rules, visible on everybody's page."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from assistant.match.actor import JUDGE
from assistant.match.games import game_named
from web.serving.roles import Role


@pytest.mark.parametrize("size", ["tablet", "phone"])
def test_a_match_is_begun_on_the_page_and_every_other_page_shows_it(no_match, open_page, picture, violations, size):
    address, state = no_match
    other = open_page(address)
    page = open_page(address, size)
    page.get_by_role("button", name="New match").first.click()
    dialog = page.get_by_role("dialog", name="New match")
    dialog.get_by_label("Game and mission").select_option("doom2004_knee_deep_sample")
    dialog.get_by_label("Name of the match").fill("Friday")
    dialog.get_by_text("House rules").click()
    picture(page, f"{size}-new-match")
    assert violations(page) == []
    dialog.get_by_role("button", name="Begin the match").click()

    expect(
        page.get_by_role("button", name=re.compile("sprint")).first
    ).to_be_visible()  # nothing is begun a second time
    expect(other.get_by_role("button", name="Turns")).to_be_visible()
    assert state.match.session.header.id == "Friday"
    assert state.match.session.timeline.game.ground


NO_ANSWER = """(how) => {
  const real = window.fetch;
  window.fetch = async (place, options) => {
    const answer = await real(place, options);
    if (options?.method !== "POST" || !String(place).includes("/matches")) return answer;
    if (how === "cut off") throw new TypeError("Failed to fetch");
    return new Promise(() => {});
  };
}"""
"""The match begins, but the answer never comes, or is cut off by a reload of the page."""


@pytest.mark.parametrize("how", ["held", "cut off"])
def test_the_match_opens_also_where_the_news_of_it_is_sooner_than_the_answer(no_match, open_page, how):
    address, _ = no_match
    page = open_page(address)
    page.get_by_role("button", name="New match").first.click()
    page.evaluate(NO_ANSWER, how)
    page.get_by_role("dialog", name="New match").get_by_role("button", name="Begin the match").click()
    expect(page.get_by_role("group", name="What may be done now")).to_be_visible()


def asked_for(page: Page) -> Locator:
    """Return the form for a new match, opened from the menu."""
    page.get_by_label("Settings", exact=True).click()
    page.get_by_role("button", name="New match").click()
    return page.get_by_role("dialog", name="New match")


def test_a_name_that_is_taken_is_reported_in_the_form(no_match, open_page):
    address, state = no_match
    state.matches.begin("Friday", "roads_bridge_sample", {}, on_sample_table=True)
    dialog = asked_for(open_page(address))
    dialog.get_by_label("Name of the match").fill("Friday")
    open_page.expected.append("409")
    dialog.get_by_role("button", name="Begin the match").click()
    expect(dialog.get_by_role("alert")).to_contain_text("Choose another name")


def test_a_mission_of_the_game_that_is_played_is_offered_first(no_match, open_page):
    address, state = no_match
    state.matches.begin("Friday", "roads_bridge_sample", {}, on_sample_table=True)
    chosen = asked_for(open_page(address)).get_by_label("Game and mission").locator("option:checked")
    expect(chosen.locator("xpath=..")).to_have_attribute("label", game_named("roads").title)


def test_each_mission_says_how_large_it_is_and_the_smallest_board_stands_first(no_match, open_page):
    address, state = no_match
    state.matches.begin("Friday", "doom2004_simulated_alarm", {}, on_sample_table=True)
    dialog = asked_for(open_page(address))
    missions, about = dialog.get_by_label("Game and mission"), dialog.locator("#new-match-game")
    missions.select_option("doom2004_knee_deep_sample")
    expect(about).to_contain_text("12 × 4 spaces, 5 figures at the start, 2 sides")
    missions.select_option("roads_first_skirmish")
    expect(about).to_contain_text("60 × 50 cm, 4 figures at the start, 2 sides")
    of_2016 = missions.locator("optgroup").filter(has_text="Tutorial").locator("option")
    expect(of_2016.first).to_have_text("First fight")  # its size stands below, once
    expect(of_2016.last).to_have_text("First fight at the simulated table (under a camera only)")


def test_the_name_of_a_new_match_has_no_seconds_and_is_never_one_that_is_taken(no_match, open_page):
    address, state = no_match
    state.matches.begin("Friday", "doom2016_sample_table", {}, on_sample_table=True)

    def suggested():
        page = open_page(address)
        page.clock.set_fixed_time("2026-03-07T19:05:33")
        dialog = asked_for(page)
        expect(dialog.get_by_label("Game and mission")).to_be_enabled()
        return dialog.get_by_label("Name of the match").input_value()

    first = suggested()
    assert re.fullmatch(r"Sample table Mar 7 \d\d\.05", first)
    state.matches.begin(first, "doom2016_sample_table", {}, on_sample_table=True)
    assert suggested() == f"{first} - 2"


def test_a_mission_is_named_once_and_a_running_match_says_where_it_stays(no_match, open_page):
    address, state = no_match
    state.matches.begin("Friday", "doom2004_sample_table", {}, on_sample_table=True)
    dialog = asked_for(open_page(address))
    mission, about = dialog.get_by_label("Game and mission"), dialog.locator("#new-match-game")
    expect(mission).to_be_enabled()
    expect(about).to_contain_text("9 × 11 spaces")
    expect(mission.locator("option:checked")).to_have_text("Sample table 2004")
    expect(mission.locator("optgroup").first).to_have_attribute("label", game_named("doom2004").title)
    expect(dialog).to_contain_text("The match that runs now stays in the menu")


def test_where_the_rules_lack_a_number_the_program_is_suggested_in_sight(no_match, open_page):
    address, state = no_match
    dialog = open_page(f"{address}/#new-match").get_by_role("dialog", name="New match")
    dialog.get_by_label("Game and mission").select_option("roads_first_skirmish")
    expect(dialog.get_by_label("the roll of a shot")).to_have_value("on_4")
    dialog.get_by_label("the roll of armour").select_option("by_hand")
    dialog.get_by_label("Name of the match").fill("Friday")
    dialog.get_by_role("button", name="Begin the match").click()
    expect(dialog).to_be_hidden()
    options = state.match.session.header.options
    assert (options.get("shot_roll"), options.get("armour_roll", "by_hand")) == ("on_4", "by_hand")


def test_the_board_stays_what_the_player_chose_when_the_mission_changes(no_match, open_page):
    address, state = no_match
    state.matches.begin("Friday", "doom2004_simulated_alarm", {}, on_sample_table=True)
    dialog = asked_for(open_page(address))
    drawn, missions = dialog.get_by_role("radio", name="The drawn board"), dialog.get_by_label("Game and mission")
    missions.select_option("doom2004_knee_deep_sample")
    drawn.check()
    missions.select_option("doom2004_simulated_alarm")
    expect(dialog.get_by_text("This mission has no drawn board")).to_be_visible()
    missions.select_option("doom2004_knee_deep_sample")
    expect(drawn).to_be_checked()
    expect(dialog.get_by_text("This mission has no drawn board")).to_be_hidden()


def test_a_link_to_a_new_match_opens_its_form_while_another_is_played(no_match, open_page):
    address, state = no_match
    state.matches.begin("Friday", "doom2016_tutorial_sample", {}, on_sample_table=True)
    expect(open_page(f"{address}/#new-match").get_by_role("dialog", name="New match")).to_be_visible()
    page = open_page(f"{address}/#first-match")
    page.wait_for_selector("[data-new-match]:not([inert])", state="attached")
    expect(page.get_by_role("dialog", name="New match")).to_be_hidden()


def test_leaving_the_table_asks_first_and_says_what_is_lost(no_match, open_page):
    address, state = no_match
    open_page.expected.append("/api/v1/match")  # the menu asks for a match, and none is played
    page = open_page(f"{address}/#join={state.door.devices.invite(Role.OWNER).token}")
    page.wait_for_selector('body[data-role="owner"]:not([inert])')
    page.get_by_label("Settings", exact=True).click()
    leave = page.get_by_role("button", name="Leave the table")
    expect(leave).to_be_hidden()
    page.get_by_text("Leave", exact=True).click()
    expect(page.get_by_text("no longer the owner's")).to_be_visible()
    leave.click()
    expect(page.locator("body")).not_to_have_attribute("data-role", "owner")


def test_a_match_is_gone_on_with_from_the_list(no_match, open_page):
    address, state = no_match
    for name in ("Friday", "Saturday"):
        state.matches.begin(name, "doom2016_tutorial_sample", {}, on_sample_table=True)
    page = open_page(address)
    page.get_by_label("Settings", exact=True).click()
    page.get_by_role("button", name="Go on with the match Friday").click()
    page.wait_for_load_state()
    expect(page.get_by_role("button", name="Turns")).to_be_visible()
    assert state.match.session.header.id == "Friday"
    assert state.match.run == 3


def test_a_match_that_is_played_is_called_otherwise_and_goes_on(no_match, open_page):
    address, state = no_match
    state.matches.begin("Friday", "doom2016_tutorial_sample", {}, on_sample_table=True)
    state.match.session.command({"type": "status"}, JUDGE)
    page = open_page(address)
    page.get_by_label("Settings", exact=True).click()
    page.get_by_label("Rename the match Friday").click()
    page.get_by_role("textbox", name="New name of the match Friday").fill("Saturday")
    with page.expect_navigation():  # every page is loaded anew
        page.get_by_role("button", name="Use this name").click()
    expect(page.locator("#match-round")).to_have_text("Round 1")
    page.get_by_label("Settings", exact=True).click()
    expect(page.locator("#match-list .running")).to_have_text(re.compile("Saturday.*Running now"))
    assert state.archive.store.matches() == ("Saturday",)
    state.match.session.command({"type": "note", "text": "still kept"}, JUDGE)
    assert state.archive.store.event_counts()["Saturday"] == state.match.session.seq


@pytest.mark.parametrize("size", ["tablet", "phone"])
def test_a_match_is_ended_by_one_way_that_asks_again_and_tells_its_story(
    no_match, open_page, picture, violations, size
):
    address, state = no_match
    state.matches.begin("Friday", "doom2016_tutorial_sample", {}, on_sample_table=True)
    page = open_page(address, size)
    page.get_by_role("navigation", name="Views").get_by_role("button", name="Turns").click()

    def ending():
        page.get_by_text("More actions").click()
        page.get_by_role("group", name="More actions").get_by_role("button", name="End the match").click()
        return page.get_by_role("dialog", name="End the match")

    dialog = ending()
    dialog.get_by_role("button", name="Go on playing").click()
    assert state.match.session.timeline.game.winner is None
    page.get_by_text("More actions").click()
    dialog = ending()
    dialog.get_by_role("radio", name="Marines").check()
    dialog.get_by_role("textbox").fill("It is late")
    picture(page, f"{size}-end-match")
    assert violations(page) == []
    dialog.get_by_role("button", name="End the match").click()
    story = page.get_by_role("dialog", name="The story of the match")
    expect(story).to_contain_text("Winner: Marines")
    expect(story).to_contain_text("It is late")
    assert state.match.session.timeline.game.winner == "marines"
    page.keyboard.press("Escape")
    clocks = page.get_by_role("group", name="Clocks")
    expect(clocks.get_by_role("button")).to_be_disabled()  # they report its duration, and cannot be stopped
    expect(clocks).not_to_contain_text("Stop the clocks")
    expect(clocks.get_by_text("Time limits", exact=True)).to_be_hidden()


def test_a_match_ends_without_a_winner_and_the_next_one_is_the_first_thing_to_tap(no_match, open_page, picture):
    address, state = no_match
    state.matches.begin("Friday", "doom2016_tutorial_sample", {}, on_sample_table=True)
    page = open_page(address)
    page.get_by_role("navigation", name="Views").get_by_role("button", name="Turns").click()
    page.get_by_text("More actions").click()
    page.get_by_role("group", name="More actions").get_by_role("button", name="End the match").click()
    dialog = page.get_by_role("dialog", name="End the match")
    dialog.get_by_role("radio", name="Nobody: we stop here").check()
    dialog.get_by_role("button", name="End the match").click()
    expect(page.get_by_role("dialog", name="The story of the match")).to_contain_text("Nobody has won")
    page.keyboard.press("Escape")
    assert state.match.session.timeline.game.winner == ""
    expect(page.locator("#acting")).to_have_text("The match is over")
    picture(page, "tablet-nobody-won")
    again, story = page.get_by_role("button", name="Play again"), page.locator("#story-of-end")
    assert again.bounding_box()["y"] < story.bounding_box()["y"]
    again.click()
    dialog = page.get_by_role("dialog", name="New match")
    expect(dialog.locator("#new-match-mission option:checked")).to_have_text("Tutorial")


def test_a_form_says_what_it_lacks_in_the_words_of_the_page(no_match, open_page):
    address, _ = no_match
    page = open_page(f"{address}/?lang=ru#new-match")
    name = page.locator("#new-match-name")
    expect(name).to_be_enabled()
    name.fill("")
    page.locator("#new-match-begin").click()
    expect(page.get_by_role("alert").filter(has_text="Сначала заполните")).to_be_visible()
    expect(name).to_be_focused()
    name.fill("Пятница")
    expect(page.locator(".unfit")).to_have_count(0)
