"""The ruling card on the page: word, icon and line style, lines in the rule's order, reasons, doubts, sharing."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from assistant.table.doubt import Doubt, Variant
from assistant.translations.catalogue import languages

PAIRS = {"clear": ("bravo", "skull-1"), "cover": ("foxtrot", "imp-1"), "blocked": ("bravo", "imp-1")}


def open_card(
    open_page, desk, verdict: str = "blocked", size: str = "tablet", **more: Any
) -> tuple[Page, dict[str, Any]]:
    """Return the page with the answer about two figures, and that answer as the server gave it."""
    shooter, target = PAIRS[verdict]
    page = open_page("about:blank", size, **more)
    with page.expect_response("**/rulings?*") as answer:
        page.goto(f"{desk.photo_link}&from={shooter}&to={target}")
    expect(page.locator("#card")).to_be_visible()
    return page, answer.value.json()


@pytest.mark.parametrize("size", ["tablet", "phone"])
def test_the_verdict_shows_by_word_icon_and_line_style(desk, open_page, picture, size):
    told = {}
    for verdict in PAIRS:
        page, card = open_card(open_page, desk, verdict, size)
        assert card["verdict"] == verdict
        head = page.locator("#card .verdict")
        style = head.evaluate("node => getComputedStyle(node).borderTopStyle")
        told[verdict] = (page.locator("#headline").inner_text(), head.locator("path").get_attribute("d"), style)
        facts = [row.inner_text().split("\n") for row in page.locator("#card .fact").all()]
        assert facts == [[fact["name"], fact["value"]] for fact in card["facts"]]
        picture(page, f"{size}-card-{verdict}")

    for each in zip(*told.values(), strict=True):
        assert len(set(each)) == 3  # three words, three icons, three line styles
    assert [words for words, _, _ in told.values()] == ["Clear shot", "Shot into cover", "No line of sight"]


@pytest.mark.parametrize("verdict", PAIRS)
def test_lines_are_drawn_in_the_order_of_the_rule_with_every_legal_origin(desk, open_page, verdict):
    page, card = open_card(open_page, desk, verdict)
    lines = page.locator("#overlay .sight")
    assert lines.count() == len(card["lines"])
    delays = page.evaluate(
        """[...document.querySelectorAll('#overlay .sight')].map(node => [
            node.classList.contains('sight') && node.classList.contains('cover') ? 'cover' : 'sight',
            parseFloat(getComputedStyle(node.querySelector('.ray')).animationDelay)])"""
    )
    steps = sorted(delay for _, delay in delays)
    if verdict == "blocked":
        assert steps[0] == 0  # the nearest miss first, all others behind it
        assert len(set(steps[1:])) == 1
        assert steps[1] > 0
    else:
        assert len(set(steps)) == len(steps)
        sight = [delay for purpose, delay in delays if purpose == "sight"]
        assert max(sight) < min([delay for purpose, delay in delays if purpose == "cover"], default=99)

    assert page.locator(".layer.answer .choice").count() == len(card["origins"])
    assert page.locator(".layer.answer .choice.shut").count() == sum(not one["is_clear"] for one in card["origins"])
    assert page.locator(".layer.answer .mark.origin").count() == (card["origin"] is not None)
    stopped = [line for line in card["lines"] if line["stop"]]
    assert page.locator(".layer.answer .mark.stop").count() == (1 if verdict == "blocked" else len(stopped))


def test_reduced_motion_shows_all_lines_at_once(desk, open_page):
    page, card = open_card(open_page, desk, "clear", reduced_motion="reduce")
    moving = page.evaluate(
        """[...document.querySelectorAll('#overlay .sight *, #overlay .mark')].map(node => {
            const { animationDuration, animationDelay } = getComputedStyle(node);
            return Math.max(parseFloat(animationDuration), parseFloat(animationDelay)); })"""
    )
    assert len(moving) > len(card["lines"])
    assert max(moving) <= 0.01


@pytest.mark.parametrize("language", languages())
def test_reasons_sources_and_house_rules_are_in_the_readers_language(desk, open_page, picture, language):
    page = open_page("about:blank")
    page.request.post(f"{desk.address}/api/v1/language", data={"language": language}, headers={"X-Sightline": "1"})
    with page.expect_response("**/rulings?*") as answer:
        page.goto(f"{desk.photo_link}&from=bravo&to=imp-1")
    card = answer.value.json()
    expect(page.locator("#card")).to_be_visible()
    listed = [
        [row.locator(part).inner_text() for part in ("> :first-child", "cite b", "cite .says")]
        for row in page.locator("#card > .reasons > li").all()
    ]
    assert listed == [[reason["text"], reason["source"], reason["says"]] for reason in card["reasons"]]
    letters = re.findall(r"[^\W\d_]{2,}", " ".join(f"{source} {says}" for _, source, says in listed))
    assert all(bool(re.match("[а-яё]", word.lower())) == (language == "ru") for word in letters)

    page.locator("#card summary").nth(1).click()
    house = page.locator("#card details").nth(1).locator("li > span")
    assert house.all_inner_texts() == [reason["text"] for reason in card["house"]]
    assert len(card["house"]) == 3
    picture(page, f"tablet-card-house-{language}")


def test_what_would_flip_the_answer_is_reported_when_it_is_asked(desk, open_page, picture):
    page, _ = open_card(open_page, desk, "cover", "phone")
    with page.expect_response("**/changes?*") as answer:
        page.locator("#card summary").first.click()
    changes = [change["text"] for change in answer.value.json()["changes"]]

    assert changes
    expect(page.locator("#card details[open] li")).to_have_text(changes)
    page.locator("#card details[open] li").last.scroll_into_view_if_needed()
    picture(page, "phone-card-flips")


SHARE_OF_BAR = """() => {
    const bar = document.querySelector('.stability .bar-of');
    return bar?.clientWidth && bar.firstChild.getBoundingClientRect().width / bar.getBoundingClientRect().width;
}"""


@pytest.mark.parametrize("size", ["tablet", "phone"])
def test_an_answer_that_is_not_sure_says_how_sure_and_why(desk, open_page, picture, size):
    shot = desk.build.true_shot("easy-03")
    there = Variant(0.75, (shot.board.figure("imp-1"),))
    seen = replace(shot.read.observation, doubts=(Doubt(("imp-1",), (there, Variant(0.25))),))
    desk.state.shelf.put(replace(shot, id="photo-unsure", read=replace(shot.read, observation=seen)))
    page = open_page(f"{desk.address}/#shot=photo-unsure&from=bravo&to=imp-1", size)
    expect(page.locator(".stability b")).to_have_text("75 % sure from this picture.")
    expect(page.locator(".stability .bar-of")).to_be_visible()
    bar = page.wait_for_function(SHARE_OF_BAR).json_value()

    assert bar == pytest.approx(0.75, abs=0.02)
    expect(page.locator("#card .doubt").first).to_contain_text("If Imp 1 were not there (25 % likely)")
    picture(page, f"{size}-card-unsure")


def test_the_doubts_of_an_answer_as_good_as_sure_stay_folded(desk, open_page):
    shot = desk.build.true_shot("easy-03")
    there = Variant(0.97, (shot.board.figure("imp-1"),))
    seen = replace(shot.read.observation, doubts=(Doubt(("imp-1",), (there, Variant(0.03))),))
    desk.state.shelf.put(replace(shot, id="photo-nearly", read=replace(shot.read, observation=seen)))
    page = open_page(f"{desk.address}/#shot=photo-nearly&from=bravo&to=imp-1", "tablet")
    expect(page.locator(".stability b")).to_have_text("97 % sure from this picture.")
    point = page.locator("#card .doubt").first
    expect(point).to_be_hidden()
    page.locator("#card").get_by_text("In doubt: 1").click()
    expect(point).to_be_visible()


def test_a_sure_answer_needs_no_word_about_it(desk, open_page):
    page, card = open_card(open_page, desk)

    assert card["stability"]["share"] == 1
    expect(page.locator(".stability")).to_have_count(0)


SHARES = """Object.defineProperty(navigator, 'share', { configurable: true,
    value: async (told) => { window.shared = told; } })"""
COPIES = """Object.defineProperty(navigator, 'share', { configurable: true, value: undefined });
Object.defineProperty(navigator, 'clipboard', { configurable: true,
    value: { writeText: async (text) => { window.shared = { text }; } } })"""
REFUSES = COPIES.replace("window.shared = { text };", "throw new Error('not allowed');")


@pytest.mark.parametrize(("browser_can", "hint"), [(SHARES, ""), (COPIES, "Copied."), (REFUSES, "by hand")])
def test_the_answer_is_shared_as_text_with_its_link(desk, open_page, browser_can, hint):
    page, card = open_card(open_page, desk)
    page.evaluate(browser_can)
    page.click("#share")
    expect(page.locator("#hint")).to_contain_text(hint)
    if browser_can is REFUSES:
        return

    text = page.evaluate("window.shared.text")
    assert text.startswith("No line of sight. Bravo cannot see Imp 1.")
    assert all(reason["text"] in text and reason["source"] in text for reason in card["reasons"])
    assert text.endswith(f"{desk.address}/#shot=photo-easy-03&from=bravo&to=imp-1")
    other = open_page(text.rsplit("\n", 1)[1], "phone")
    expect(other.locator("#headline")).to_have_text("No line of sight")


PLAIN_HTTP = """for (const name of ["share", "clipboard"]) {
    Object.defineProperty(navigator, name, { configurable: true, value: undefined });
}"""
"""A browser's features for a page from another machine over plain HTTP."""


def test_over_plain_http_the_answer_is_copied_all_the_same(desk, open_page):
    page = open_page("about:blank")
    page.add_init_script(PLAIN_HTTP)
    page.goto(f"{desk.photo_link}&from=bravo&to=imp-1")
    page.click("#share")
    expect(page.locator("#hint")).to_have_text("Copied. Paste it where you like.")
    assert page.evaluate("document.activeElement.textContent") == "Share"
    page.evaluate("document.getElementById('panel').append(document.createElement('textarea'))")
    page.locator("#panel textarea").focus()
    page.keyboard.press("Control+V")

    text = page.locator("#panel textarea").input_value()
    assert text.startswith(page.locator("#headline").inner_text())
    assert text.endswith(f"{desk.photo_link}&from=bravo&to=imp-1")


@pytest.mark.parametrize(("size", "language"), [("tablet", "en"), ("phone", "ru")])
def test_two_claims_stand_side_by_side_with_what_the_house_would_have_to_play(desk, open_page, picture, size, language):
    page, _ = open_card(open_page, desk, "cover", size, locale=language)
    with page.expect_response("**/claims*") as answer:
        page.locator("#card details", has=page.locator(".claims")).locator("summary").click()
    yes, no = answer.value.json()["claims"]
    assert (yes["holds"], no["holds"]) == (True, False)
    shown = page.locator("#card .claim")
    expect(shown).to_have_count(2)
    for place, claim in enumerate((yes, no)):
        expect(shown.nth(place)).to_contain_text(claim["words"])
        expect(shown.nth(place)).to_contain_text(claim["answer"])
        expect(shown.nth(place).locator("li")).to_have_count(len(claim["under"]))
    shown.last.scroll_into_view_if_needed()
    picture(page, f"{size}-{language}-claims")


@pytest.mark.parametrize("size", ["tablet", "phone"])
def test_lines_that_the_picture_hides_are_shown_from_above_and_large_by_a_tap(desk, open_page, picture, size):
    page = open_page(f"{desk.photo_link}&from=charlie&to=foxtrot", size)
    above = page.get_by_role("button", name="Seen from above")
    expect(above.locator(".sight").first).to_be_attached()
    assert above.locator(".sight").count() == page.locator("#overlay .sight").count() > 0
    assert above.locator("[data-label]").count() == page.locator("[data-figure]").count() > 1
    assert above.locator("[role], [tabindex]").count() == 0, "the button alone takes taps"
    above.scroll_into_view_if_needed()
    picture(page, f"{size}-above")
    for is_plan in ("true", "false"):
        above.tap()
        expect(page.locator("#as-plan")).to_have_attribute("aria-pressed", is_plan)
        expect(page.locator("#overlay .sight").first).to_be_attached()
    one = open_page(f"{desk.photo_link}&from=bravo&to=imp-1", size)
    expect(one.locator("#card")).to_be_visible()
    expect(one.get_by_role("button", name="Seen from above")).to_have_count(0)
