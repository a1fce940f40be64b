"""The attack view before a real Chromium: whole attacks of all three systems by tapping, the clocks, saved matches."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from assistant.app.live.shots import ReadPicture, SetUp
from assistant.app.matches.archive import KeptMatches, load_shipped_mission
from assistant.documents import board_document
from assistant.errors import PhotoUnreadable
from assistant.match.actor import JUDGE
from assistant.match.session import Session
from assistant.table.board import Board
from assistant.table.roster import DoorSpec, Roster
from assistant.table.tiles import TileSet
from assistant.translations.messages import said
from web.app import create_app
from web.people.attempts import AttemptLog
from web.people.devices import DeviceList
from web.rulings.rulebook import RuleBook
from web.serving.events import EventHub
from web.serving.roles import Role
from web.serving.server import PageServer
from web.state import PageState


class NoCamera:
    """A table that is known from the match alone."""

    setup = SetUp(
        name="none", roster=Roster((), DoorSpec(0, 1, 30.0, 2.0)), tiles=TileSet("none", 25.4, 64, 2.0, ()), sources={}
    )

    def read(self, photo: bytes) -> ReadPicture:
        raise PhotoUnreadable(said("there is no camera here"))


def corridor(width: int, height: int) -> dict[str, Any]:
    cells = frozenset((x, y) for x in range(width) for y in range(height))
    return board_document(Board(cells, {}))


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Callable[[str], tuple[str, Session]]]:
    """Serves a new match of a shipped mission to judges; its address and the match."""
    opened: list[Callable[[], object]] = []

    def serve(mission: str) -> tuple[str, Session]:
        kept = KeptMatches(tmp_path / "data")
        session = kept.begin("evening", load_shipped_mission(mission), {})
        hub = EventHub(boot="test", max_streams=4)
        state = PageState(NoCamera(), RuleBook(), hub, DeviceList(Role.JUDGE, AttemptLog(), time.time))
        state.archive = kept
        state.play(session)
        server = PageServer(create_app(state), host="127.0.0.1", port=0, devices=4)
        server.start()
        opened.extend((hub.close, server.stop, kept.close))
        return f"http://127.0.0.1:{server.port}", session

    yield serve
    for close in opened:
        close()


def offered(page: Any, type_: str, place: int = 0) -> Any:
    return page.locator(f'[data-offer="{type_}"]').nth(place)


def choose(page: Any, attacker: str, defender: str) -> None:
    page.locator(f'#attack-ground [data-figure="{attacker}"]').click()
    page.locator(f'#attack-ground [data-figure="{defender}"]').click()


def attack_view(page: Any) -> None:
    page.click('[data-view="attack"]')
    page.wait_for_selector("#attack-ground [data-figure]")


@pytest.mark.parametrize("size", ["tablet", "phone"])
def test_an_attack_of_2016_is_tapped_from_two_figures_to_its_damage(play, open_page, picture, size):
    address, session = play("doom2016_tutorial_sample")
    session.command({"type": "see", "document": corridor(13, 3)}, JUDGE)
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
    offered(page, "attack").get_by_role("button", name="So they lie on the table").click()
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
    page.wait_for_function("() => document.querySelector('#attack-outcome').textContent === ''")
    hurt = session.timeline.game.piece("alpha").harm
    page.click("#attack-undo")
    page.wait_for_selector('[data-offer="resolve"]')
    assert session.timeline.game.piece("alpha").harm == before
    assert hurt >= before


@pytest.fixture
def aiming(play, open_page):
    """The page of a marine of 2004 who has a zombie before its pistol and an order to aim, and the match behind it."""
    address, session = play("doom2004_knee_deep_sample")
    for command in (
        {"type": "see", "document": corridor(12, 4)},
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
    page.wait_for_timeout(200)  # the answer is here; it is drawn now, or never

    assert line.input_value() == faces
    assert way.get_by_role("button", name="So they lie on the table").is_enabled()


def test_an_attack_of_2004_is_typed_and_rolled_again(aiming, picture):
    page, session = aiming
    way = page.locator('[data-offer="attack"]', has_text="pistol")
    with page.expect_response("**/api/v1/match/attack?*"):
        way.get_by_label("Use the order to aim").check()
    faces = [die.locator(".face").first.inner_text() for die in way.locator(".die").all()]
    way.get_by_label("Or type them in this order").fill(" ".join(faces))
    way.get_by_role("button", name="So they lie on the table").click()
    again = offered(page, "reroll")
    again.get_by_label("Roll again").first.check()
    picture(page, "tablet-attack-reroll")
    again.get_by_role("button", name="The program rolls").click()
    page.wait_for_selector('[data-offer="reroll"]', state="detached")
    assert session.timeline.game.pending.rerolled
    offered(page, "resolve").click()
    page.wait_for_function("() => !document.querySelector('[data-offer=resolve]')")


def free_table(session: Session) -> dict[str, Any]:
    figures = [
        {
            "id": fighter["id"],
            "side": fighter["side"],
            "center_mm": fighter["center_mm"],
            "base_mm": 25,
            "height_mm": 30,
            "elevation_mm": 0,
            "facing_deg": 0,
            "stats": {name: fighter[name] for name in ("mobility", "toughness", "spirit", "combat")},
        }
        for fighter in session.header.setup["fighters"]
    ]
    return {
        "format": "sightline.free-table/1",
        "step_mm": 50,
        "size_mm": [1200, 900],
        "terrain": [],
        "figures": figures,
    }


def test_a_shot_of_roads_is_ducked_and_a_fight_is_rolled(play, open_page, picture):
    address, session = play("roads_bridge_sample")
    session.command({"type": "see", "document": free_table(session)}, JUDGE)
    for type_ in ("begin", "next", "next"):
        session.command({"type": type_}, JUDGE)
    page = open_page(address)
    attack_view(page)
    choose(page, "crossbow", "old-man")
    picture(page, "tablet-attack-shot")
    duck = page.locator('[data-offer="react"]', has_text="ducks")
    duck.locator(".face", has_text="6").click()
    duck.get_by_role("button", name="So they lie on the table").click()
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
    page.wait_for_selector(".clock small")
    assert session.timeline.clock.turn_limit_s == 30
    picture(page, "tablet-clocks")
    page.click("#clock-stop")
    page.wait_for_selector('#clock-stop[aria-pressed="true"]')
    assert not session.timeline.clock.running


def test_a_match_is_saved_from_the_menu(play, open_page):
    address, session = play("doom2016_tutorial_sample")
    session.command({"type": "status"}, JUDGE)
    page = open_page(address)
    page.click("#menu summary")
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save the match evening to a file").click()
    assert saved.value.suggested_filename == "evening.jsonl"
    assert Path(saved.value.path()).read_bytes().startswith(b'{"format":"sightline.match/1"')


ENGLISH = """() => [document.body.innerText, ...[...document.querySelectorAll('[aria-label], [placeholder]')]
    .filter(node => node.checkVisibility()).map(node => node.getAttribute('aria-label') ?? node.placeholder)]
    .join('\\n').split('\\n').filter(line => /[A-Za-z]{3,}/.test(line))"""
OWN_NAMES = ("Sightline", "Knights", "Diggers", "Sample")
"""What the program is called, and what a mission calls sides and cards of its own."""


@pytest.mark.parametrize(
    ("mission", "attacker", "defender", "begin"),
    [
        ("doom2016_tutorial_sample", "imp-1", "alpha", ("status", "reveal", "activate_kind", "activate")),
        ("doom2004_knee_deep_sample", "red-marine", "zombie-1", ("begin", "action", "order")),
        ("roads_bridge_sample", "crossbow", "old-man", ("begin", "next", "next")),
    ],
)
def test_a_russian_page_of_a_match_has_no_english_and_no_ids(play, open_page, mission, attacker, defender, begin):
    more = {
        "status": {"shuffled_here": False},
        "reveal": {"card": "invader"},
        "activate_kind": {"kind": "imp"},
        "activate": {"figure": "imp-1"},
        "action": {"action": "ready"},
        "order": {"order": "aim"},
    }
    address, session = play(mission)
    table = free_table(session) if mission.startswith("roads") else corridor(13, 4)
    session.command({"type": "see", "document": table}, JUDGE)
    for type_ in begin:
        session.command({"type": type_, **more.get(type_, {})}, JUDGE)
    page = open_page(address, locale="ru-RU")
    english: list[str] = []
    for view in ("initiative", "figures", "history", "attack"):
        page.click(f"[data-view={view}]")
        page.wait_for_timeout(300)
        english += page.evaluate(ENGLISH)
    attack_view(page)
    choose(page, attacker, defender)
    page.wait_for_selector("[data-offer]")
    english += page.evaluate(ENGLISH)

    assert [line for line in english if not any(name in line for name in OWN_NAMES)] == []
