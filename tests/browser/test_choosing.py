"""Steps of a match by touch, as a person sees them: questions, glowing spaces, dice, and the number of taps."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from assistant.match.actor import JUDGE

MOST_TAPS = 3
"""For a move, an attack with dice of the program, and the end of a turn."""

MOST_CARDS = 14
MANY_CARDS = f"""(list) => list.replaceChildren(...Array.from({{ length: {MOST_CARDS} }}, (_, number) => {{
    const card = document.createElement('button');
    card.className = 'button playing-card';
    card.textContent = `Card ${{number}}`;
    return card;
}}))"""
IS_SEEN = """(one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return [top + 4, bottom - 4].every((y) => one.contains(document.elementFromPoint((left + right) / 2, y)));
}"""


def board(page: Page) -> Locator:
    """Return the picture on which something is chosen."""
    return page.get_by_role("group", name="The table: tap your choice")


def prompts(page: Page) -> Locator:
    """Return the buttons of the possible actions."""
    return page.get_by_role("group", name="What may be done now")


class Taps:
    """A finger that counts."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.count = 0

    def __call__(self, place: Locator) -> None:
        place.click()
        self.count += 1

    def prompt(self, name: str | re.Pattern[str]) -> None:
        """Press a possible action."""
        self(prompts(self.page).get_by_role("button", name=name).first)

    def on_board(self, name: str | re.Pattern[str]) -> None:
        """Tap a figure or a space on the table."""
        self(self.page.get_by_role("group", name="The table: tap your choice").get_by_role("button", name=name).first)


@pytest.fixture
def imp_acts(play, tables, open_page):
    """The page of a match of 2016 in which an imp acts in a corridor, before three marines."""

    def begin(size: str = "tablet", language: str = "en") -> tuple[Page, Any]:
        address, session = play("doom2016_tutorial_sample")
        for command in (
            {"type": "see", "document": tables.corridor(13, 3)},
            {"type": "status", "shuffled_here": False},
            {"type": "reveal", "card": "invader"},
            {"type": "activate_kind", "kind": "imp"},
            {"type": "activate", "figure": "imp-1"},
        ):
            session.command(command, JUDGE)
        page = open_page(f"{address}/?lang={language}", size)
        page.locator('[data-view="initiative"]').click()
        return page, session

    return begin


def say_who_rolls(page: Page, who: str) -> None:
    page.locator("#menu > summary").click()
    page.get_by_label("Who rolls").select_option(who)
    page.keyboard.press("Escape")


@pytest.mark.parametrize("size", ["tablet", "phone"])
def test_a_figure_moves_in_two_taps(imp_acts, picture, violations, size):
    page, session = imp_acts(size)
    before, taps = session.timeline.game.piece("imp-1").cells, Taps(page)
    taps.prompt(re.compile("Move"))
    expect(page.get_by_role("heading", name="Where to?")).to_be_visible()
    spaces = board(page).get_by_role("button")
    expect(spaces.first).to_have_accessible_name(re.compile(r"[A-Z]\d+, points: \d"))
    picture(page, f"{size}-choose-space")
    assert violations(page) == []
    taps.on_board(re.compile("points: 2"))
    expect(page.get_by_role("button", name="Move: 2 points left")).to_be_visible()
    assert session.timeline.game.piece("imp-1").cells != before
    assert session.timeline.game.turn.movement == session.timeline.game.demon_setup("imp").speed - 2
    assert taps.count <= MOST_TAPS


@pytest.mark.parametrize("size", ["tablet", "phone"])
def test_an_attack_is_rolled_in_two_taps_and_its_turn_ended_in_one(imp_acts, picture, violations, size):
    page, session = imp_acts(size)
    say_who_rolls(page, "The program")
    taps = Taps(page)
    taps.prompt("Attack")
    expect(page.get_by_role("heading", name="Whom?")).to_be_visible()
    picture(page, f"{size}-choose-target")
    assert violations(page) == []
    taps.on_board("Alpha")
    expect(page.get_by_role("button", name=re.compile("reveal a defence card"))).to_be_visible()
    assert session.timeline.game.pending.defender == "alpha"
    assert taps.count <= MOST_TAPS

    taps.prompt(re.compile("reveal a defence card"))
    taps.prompt(re.compile("Apply .* damage|No damage to"))
    taps.count = 0
    taps.prompt(re.compile("End the activation"))
    expect(page.get_by_role("button", name="Activate Imp 2")).to_be_visible()
    assert taps.count == 1


def test_who_rolls_is_asked_once_in_a_match_and_the_menu_changes_it(imp_acts):
    page, session = imp_acts()
    prompts(page).get_by_role("button", name="Attack", exact=True).click()
    board(page).get_by_role("button", name="Alpha").click()
    expect(page.get_by_role("heading", name="Who rolls?")).to_be_visible()
    page.get_by_role("button", name="The program rolls").click()
    expect(page.get_by_role("button", name=re.compile("reveal a defence card"))).to_be_visible()
    for _ in range(2):
        session.command({"type": "undo"}, JUDGE)
        prompts(page).get_by_role("button", name="Attack", exact=True).click()
        board(page).get_by_role("button", name="Bravo").click()
        expect(page.get_by_role("button", name="Bravo: reveal a defence card")).to_be_visible()
    session.command({"type": "undo"}, JUDGE)
    say_who_rolls(page, "Our own dice")
    prompts(page).get_by_role("button", name="Attack", exact=True).click()
    board(page).get_by_role("button", name="Alpha").click()
    expect(page.get_by_role("combobox", name="Attacker")).to_have_value("imp-1")


def test_the_only_target_is_marked_on_the_table_while_more_is_asked(imp_acts, picture):
    page, session = imp_acts()
    for marine in ("bravo", "charlie"):
        session.command({"type": "frag", "figure": marine}, JUDGE)
    Taps(page).prompt("Attack")
    expect(page.get_by_role("heading", name="Who rolls?")).to_be_visible()
    expect(page.locator("#now-picture .aim")).to_have_count(2)  # its outline, and the line towards it
    picture(page, "tablet-aim")
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#now-picture .aim")).to_have_count(0)


def test_what_is_chosen_by_keys_is_the_same(imp_acts):
    page, session = imp_acts()
    say_who_rolls(page, "The program")
    page.get_by_role("button", name=re.compile("Move")).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Where to?")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name=re.compile("Move"))).to_be_visible()
    prompts(page).get_by_role("button", name="Attack", exact=True).press("Enter")
    board(page).get_by_role("button", name="Alpha").press("Enter")
    expect(page.get_by_role("button", name=re.compile("reveal a defence card"))).to_be_visible()
    assert session.timeline.game.pending.defender == "alpha"


def test_an_answer_that_gets_the_focus_stands_above_the_buttons_below(imp_acts):
    page, _ = imp_acts()
    prompts(page).get_by_role("button", name="Attack", exact=True).click()
    question = page.get_by_role("region", name="Whom?")
    expect(question.get_by_role("heading")).to_be_focused()
    question.locator("#choices").evaluate(MANY_CARDS)
    for number in range(MOST_CARDS):
        page.keyboard.press("Tab")
        card = question.get_by_role("button", name=f"Card {number}", exact=True)
        expect(card).to_be_focused()
        assert card.evaluate(IS_SEEN), f"card {number} lies under the buttons"


def test_dice_of_the_table_are_reported_with_both_figures_chosen(imp_acts):
    page, _ = imp_acts()
    prompts(page).get_by_role("button", name="Attack", exact=True).click()
    page.get_by_role("button", name="Our own dice").click()
    expect(page.get_by_role("combobox", name="Attacker")).to_have_value("imp-1")


def test_after_dice_of_the_table_the_turn_goes_on_where_it_was(imp_acts):
    page, session = imp_acts()
    prompts(page).get_by_role("button", name="Attack", exact=True).click()
    page.get_by_role("button", name="Our own dice").click()
    page.get_by_role("combobox", name="Target").select_option("bravo")
    attack = page.locator('[data-offer="attack"]')
    expect(attack).to_be_visible()
    for die in attack.locator(".die").all():
        die.locator(".face").last.click()
    attack.get_by_role("button", name="Use these dice").click()
    expect(page.locator("#view-initiative")).to_be_visible()
    assert session.timeline.game.pending is not None


def test_what_is_besides_prompted_is_found_and_done(imp_acts, picture):
    page, session = imp_acts()
    page.get_by_text("More actions").click()
    more = page.get_by_role("group", name="More actions")
    more.get_by_role("button", name="Stun a figure").click()
    board(page).get_by_role("button", name="Bravo").click()
    page.get_by_text("More actions").click()
    picture(page, "tablet-more")
    expect(page.get_by_role("status", name="What happened last")).to_contain_text("Bravo is stunned")
    assert "stunned" in session.timeline.game.piece("bravo").marks
