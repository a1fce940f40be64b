"""The attack view in a real Chromium: whole attacks of all three systems by tapping, the clocks, saved matches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from page_waits import settled
from playwright.sync_api import expect

from assistant.match.actor import JUDGE


def offered(page: Any, type_: str, place: int = 0) -> Any:
    return page.locator(f'[data-offer="{type_}"]').nth(place)


def choose(page: Any, attacker: str, defender: str) -> None:
    for figure in (attacker, defender):
        page.locator(
            f'#attack-ground [data-figure="{figure}"] > :not(text, title)'
        ).first.click()  # its base, not its letters


def attack_view(page: Any) -> None:
    page.click('[data-view="attack"]')
    page.wait_for_selector("#attack-ground [data-figure]")


@pytest.mark.parametrize("size", ["tablet", "phone"])
def test_an_attack_of_2016_is_tapped_from_two_figures_to_its_damage(play, tables, open_page, picture, size):
    address, session = play("doom2016_tutorial_sample")
    session.command({"type": "see", "document": tables.corridor(13, 3)}, JUDGE)
    session.command({"type": "status", "shuffled_here": False}, JUDGE)
    session.command({"type": "reveal", "card": "invader"}, JUDGE)
    session.command({"type": "activate_kind", "kind": "imp"}, JUDGE)
    session.command({"type": "activate", "figure": "imp-1"}, JUDGE)
    page = open_page(address, size)
    attack_view(page)
    choose(page, "imp-1", "alpha")
    page.wait_for_selector('[data-offer="attack"] .amounts li')
    picture(page, f"{size}-attack-plan")

    for die in offered(page, "attack").locator(".die").all():
        die.locator(".face").last.click()
    offered(page, "attack").get_by_role("button", name="Use these dice").click()
    offered(page, "defend").click()
    page.wait_for_selector('[data-offer="resolve"]')
    modify = offered(page, "modify")
    modify.get_by_label("Which one").fill("Rage")
    modify.get_by_role("button", name="More: Damage").click()
    modify.get_by_role("button", name="Do it").click()
    page.wait_for_selector(".attack-steps .change")
    assert page.locator("#attack-rolled li").count() == 2
    assert "Rage" in page.inner_text("#attack-steps")
    picture(page, f"{size}-attack-steps")

    before = session.timeline.game.piece("alpha").harm
    offered(page, "resolve").click()
    expect(offered(page, "resolve")).to_have_count(0)
    hurt = session.timeline.game.piece("alpha").harm
    page.click("#undo")
    page.wait_for_selector('[data-offer="resolve"]')
    assert session.timeline.game.piece("alpha").harm == before
    assert hurt >= before


def test_who_falls_while_somebody_plans_to_shoot_is_let_go_without_a_refusal(aiming):
    page, session = aiming
    offered(page, "attack").first.wait_for()
    session.command({"type": "frag", "figure": "zombie-1"}, JUDGE)
    expect(page.locator("#attack-to")).to_have_value("")
    expect(page.locator("#attack-from")).to_have_value("red-marine")
    expect(page.locator("#attack-hint")).to_contain_text("zombie-1")
    session.command({"type": "note", "text": "and on"}, JUDGE)
    expect(page.locator("#attack-hint")).to_have_text("Now tap the target.")
    expect(offered(page, "attack")).to_have_count(0)


@pytest.fixture
def aiming(play, tables, open_page):
    """The page of a 2004 marine with a zombie in range of its pistol and an order to aim, and the match behind it."""
    address, session = play("doom2004_knee_deep_sample")
    for command in (
        {"type": "see", "document": tables.corridor(12, 4)},
        {"type": "begin"},
        {"type": "action", "action": "ready"},
        {"type": "order", "order": "aim"},
    ):
        session.command(command, JUDGE)
    page = open_page(address)
    attack_view(page)
    choose(page, "red-marine", "zombie-1")
    return page, session


def test_dice_that_are_typed_stay_when_somebody_else_does_something(aiming):
    page, session = aiming
    way = page.locator('[data-offer="attack"]', has_text="pistol")
    way.locator(".die").first.wait_for()
    faces = " ".join(die.locator(".face").first.inner_text() for die in way.locator(".die").all())
    line = way.get_by_label("Or type them in this order")
    line.fill(faces)
    with page.expect_response("**/api/v1/match/attack?*"):
        session.command({"type": "pause"}, JUDGE)
    settled(page)

    assert line.input_value() == faces
    assert way.get_by_role("button", name="Use these dice").is_enabled()


def test_an_attack_of_2004_is_typed_and_rolled_again(aiming, picture):
    page, session = aiming
    way = page.locator('[data-offer="attack"]', has_text="pistol")
    with page.expect_response("**/api/v1/match/attack?*"):
        way.get_by_label("Use the order to aim").check()
    faces = [die.locator(".face").first.inner_text() for die in way.locator(".die").all()]
    way.get_by_label("Or type them in this order").fill(" ".join(faces))
    way.get_by_role("button", name="Use these dice").click()
    again = offered(page, "reroll")
    again.get_by_label("Reroll").first.check()
    picture(page, "tablet-attack-reroll")
    again.get_by_role("button", name="The program rolls").click()
    page.wait_for_selector('[data-offer="reroll"]', state="detached")
    assert session.timeline.game.pending.rerolled
    offered(page, "resolve").click()
    page.wait_for_function("() => !document.querySelector('[data-offer=resolve]')")


def test_a_shot_of_roads_is_ducked_and_a_fight_is_rolled(play, tables, open_page, picture):
    address, session = play("roads_bridge_sample")
    session.command({"type": "see", "document": tables.free(session)}, JUDGE)
    for type_ in ("begin", "next", "next"):
        session.command({"type": type_}, JUDGE)
    page = open_page(address)
    attack_view(page)
    choose(page, "crossbow", "old-man")
    picture(page, "tablet-attack-shot")
    duck = page.locator('[data-offer="react"]', has_text="ducks")
    duck.locator(".face", has_text="6").click()
    duck.get_by_role("button", name="Use these dice").click()
    shot = offered(page, "shoot")
    page.wait_for_selector("#attack-steps .change")
    shot.get_by_role("spinbutton", name="The shooter's roll").fill("20")
    shot.get_by_role("button", name="More: Hits").click()
    shot.get_by_role("button", name="Do it").click()
    wound = offered(page, "wound")
    wound.get_by_role("button", name="More: Wounds after armour").click()
    wound.get_by_role("button", name="Do it").click()
    page.wait_for_selector('[data-offer="wound"]', state="detached")
    assert session.timeline.game.piece("old-man").harm == 1


def test_the_clocks_run_stop_and_are_limited(play, open_page, picture):
    address, session = play("doom2016_tutorial_sample")
    session.command({"type": "status"}, JUDGE)
    page = open_page(address)
    page.click('[data-view="initiative"]')
    page.wait_for_selector(".clock.on")
    page.click("#clock-limits summary")
    page.get_by_role("spinbutton", name="Minutes a turn").fill("0.5")
    page.get_by_role("button", name="Set limits").click()
    page.wait_for_selector(".clock .left")
    assert session.timeline.clock.turn_limit_s == 30
    picture(page, "tablet-clocks")
    page.click("#clock-stop")
    page.wait_for_selector('#clock-stop[aria-pressed="true"]')
    assert not session.timeline.clock.running


def test_a_match_is_saved_from_the_menu(play, open_page):
    address, session = play("doom2016_tutorial_sample")
    session.command({"type": "status"}, JUDGE)
    page = open_page(address)
    page.click("#menu > summary")
    page.get_by_role("link", name="Save the match evening to a file").click()
    page.wait_for_selector("#match-import-answer:has-text('This match is not over')")
    open_page.expected.append(f"status of 409 (CONFLICT) {address}/api/v1/matches/evening")
    session.command({"type": "declare", "winner": "marines"}, JUDGE)
    page.get_by_role("link", name="Save the match evening to a file").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Open the dice and close “evening” for good").click()
    assert saved.value.suggested_filename == "evening.jsonl"
    assert Path(saved.value.path()).read_bytes().startswith(b'{"format":"sightline.match/1"')


ENGLISH = """() => [document.body.innerText, ...[...document.querySelectorAll('[aria-label], [placeholder]')]
    .filter(node => node.checkVisibility()).map(node => node.getAttribute('aria-label') ?? node.placeholder)]
    .join('\\n').split('\\n').filter(line => /[A-Za-z]{3,}/.test(line))"""
OWN_NAMES = ("Sightline", "Knights", "Diggers", "Sample", "Red door")
"""The program's name, and a mission's names of sides, cards and places."""


@pytest.mark.parametrize(
    ("mission", "pair", "begin"),
    [
        ("doom2016_tutorial_sample", ("imp-1", "alpha"), ("status", "reveal", "activate_kind", "activate")),
        ("doom2004_knee_deep_sample", ("red-marine", "zombie-1"), ("begin", "action", "order")),
        ("roads_bridge_sample", ("crossbow", "old-man"), ("begin", "next", "next")),
    ],
)
def test_a_russian_page_of_a_match_has_no_english_and_no_ids(play, tables, open_page, mission, pair, begin):
    more = {
        "status": {"shuffled_here": False},
        "reveal": {"card": "invader"},
        "activate_kind": {"kind": "imp"},
        "activate": {"figure": "imp-1"},
        "action": {"action": "ready"},
        "order": {"order": "aim"},
    }
    address, session = play(mission)
    table = tables.free(session) if mission.startswith("roads") else tables.corridor(13, 4)
    session.command({"type": "see", "document": table}, JUDGE)
    for type_ in begin:
        session.command({"type": type_, **more.get(type_, {})}, JUDGE)
    page = open_page(address, locale="ru-RU")
    english: list[str] = []
    for view in ("initiative", "figures", "history", "attack"):
        page.click(f"[data-view={view}]")
        settled(page)
        english += page.evaluate(ENGLISH)
    attack_view(page)
    choose(page, *pair)
    page.wait_for_selector("[data-offer]")
    english += page.evaluate(ENGLISH)

    assert [line for line in english if not any(name in line for name in OWN_NAMES)] == []
