"""A whole small tournament at a real desk: four tables, three rounds, calls, an appeal, results out.

Table two is the whole program with a player's page, as people start it; the others are nothing but their links.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hall_builders as halls
import pytest
from hall_builders import JUDGE
from hall_programs import Program, running_table
from page_waits import choose_file
from playwright.sync_api import Page, expect

NAMES = ["one", "two", "three", "four"]
PLAYERS = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal"]


@dataclass
class RunningDesk:
    """The program as an organiser starts it, and the broker that it started."""

    process: subprocess.Popen[str]
    address: str
    link: str
    broker: halls.Broker


@pytest.fixture
def hall_desk(tmp_path: Path) -> Iterator[RunningDesk]:
    if halls.MOSQUITTO is None:
        pytest.skip(halls.NO_MOSQUITTO)
    broker = halls.make_broker(tmp_path / "hall", NAMES)
    place = ["--host", "127.0.0.1", "--port", "0", "--data", str(tmp_path / "data"), "--delay", "0"]
    program = [sys.executable, "-c", "from assistant.cli import main; main()", "desk", str(tmp_path / "hall"), *place]
    process = subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stderr is not None
    address = process.stdout.readline().strip()
    link = re.search(r"http\S+", process.stderr.readline())
    assert link is not None, process.stderr.read()
    yield RunningDesk(process, address, link.group(), broker)
    process.terminate()
    assert process.wait(20) == 0
    process.stdout.close()
    process.stderr.close()


@pytest.fixture
def joined_tables(hall_desk: RunningDesk, tmp_path: Path) -> Iterator[Callable[..., list[halls.FakeTable]]]:
    """Creates connected tables with those names."""
    made: list[halls.FakeTable] = []

    def join(*names: str) -> list[halls.FakeTable]:
        for name in names:
            made.append(halls.FakeTable(name))
            made[-1].join(hall_desk.broker.codes[name], tmp_path / f"table-{name}")
        return made

    yield join
    for table in made:
        table.leave()


@pytest.fixture
def tables(joined_tables: Callable[..., list[halls.FakeTable]]) -> list[halls.FakeTable]:
    return joined_tables(*NAMES)


@pytest.fixture
def second(hall_desk: RunningDesk, tmp_path: Path) -> Iterator[Program]:
    """``sightline run`` at table two."""
    table = running_table(hall_desk.broker.configuration.parent / "codes" / "two.txt", tmp_path / "table-two")
    yield table
    assert table.end() == 0


def pairings(number: int) -> str:
    """Return a list as a pairing program writes it, with the words of chess."""
    turned = PLAYERS[number:] + PLAYERS[:number]
    rows = [f"{number},{name},{turned[2 * n]},{turned[2 * n + 1]},*" for n, name in enumerate(NAMES)]
    return "\n".join(["Round,Board,White,Black,Result", *rows])


def bring(page: Page, number: int) -> None:
    """Hand a list in."""
    file = {"name": f"round-{number}.csv", "mimeType": "text/csv", "buffer": pairings(number).encode()}
    choose_file(page, "#bring", [file])
    page.locator("#list-take").click()
    expect(page.locator(f"[data-round='{number}'] tbody tr")).to_have_count(4)


@pytest.mark.timeout(180)
def test_a_small_tournament_from_pairings_to_results(
    hall_desk: RunningDesk,
    second: Program,
    joined_tables: Callable[..., list[halls.FakeTable]],
    open_page: Callable[..., Page],
    picture: Any,
) -> None:
    _, third, _ = joined_tables("one", "three", "four")
    invitation = second.ask("invitations", {"role": "player"})
    page = open_page(hall_desk.link)
    player = open_page(f"{second.address}/#{invitation['url'].partition('#')[2]}")
    player.wait_for_selector('body[data-role="player"]')
    player.get_by_role("navigation", name="Views").get_by_role("button", name="Judge").click()
    expect(page.locator("#tables .online")).to_have_count(4)
    expect(page.locator("#no-calls")).to_be_visible()
    for number in (1, 2, 3):
        bring(page, number)
        page.locator(f"[data-run='{number}']").click()
        expect(page.locator(f"[data-clock='round-{number}']")).to_contain_text(re.compile(r"1(49|50):\d\d"))
        if number == 2:
            judge_calls(page, player, third, picture)
        for name in NAMES:
            page.locator(f"[data-round='{number}'] [data-pair='{name}'] select").select_option("1-0")
            expect(page.locator(f"[data-round='{number}'] [data-pair='{name}'] select")).to_have_value("1-0")
    picture(page, "desk-results")
    results = page.request.get(f"{hall_desk.address}/api/v1/hall/rounds.csv").text()
    assert results.splitlines()[0] == "Round,Table,Player 1,Player 2,Player 1 Score,Player 2 Score,Result"
    assert len(results.splitlines()) == 13
    assert results.count(",1-0") == 12
    public = open_page(f"{hall_desk.address}/public")
    expect(public.locator("[data-round='3'] tbody tr")).to_have_count(4)
    assert public.request.get(f"{hall_desk.address}/api/v1/hall").status == 403


def judge_calls(page: Page, player: Page, third: halls.FakeTable, picture: Any) -> None:
    """Two calls: one is ruled on, appealed, ruled on anew, spoken and closed, the other closed at its table."""
    player.get_by_role("button", name="Call a judge").click()
    expect(page.locator("[data-call]")).to_have_count(1)
    older = page.locator("[data-call]").get_attribute("data-call")
    younger = third.open_call("Was that a move?")
    expect(page.locator("[data-call]")).to_have_count(2)
    assert page.locator("[data-call]").first.get_attribute("data-call") == older
    page.locator(f"[data-call='{older}']").click()
    expect(page.locator("#call-title")).to_have_text("two: open")
    page.locator("#ruling").fill("The line touches the wall.")
    page.locator("#extension").fill("5")
    page.locator("#judge").fill("Jo")
    page.locator("#ruling-form > .acts .main").click()
    expect(page.locator("#call-title")).to_contain_text("ruled")
    expect(player.get_by_role("heading", name="Ruled")).to_be_visible()
    expect(page.locator("[data-clock='round-2-two']").first).to_contain_text(re.compile(r"15[45]:\d\d"))
    player.get_by_text("Not agreed? Appeal").click()
    player.get_by_label("Grounds of the appeal").fill("It ends before.")
    player.get_by_role("button", name="Appeal", exact=True).click()
    expect(page.locator("#call-title")).to_contain_text("appealed")
    expect(page.locator("#call-facts")).to_contain_text("It ends before.")
    picture(page, "desk-appeal")
    page.locator("#extension").fill("0")
    page.locator("#ruling").fill("Upheld.")
    page.locator("#ruling-form > .acts .main").click()
    expect(page.locator("#speak")).to_be_enabled()
    page.locator("#speak").click()
    expect(page.locator("#call-facts")).to_contain_text("Shown at the table")
    expect(player.get_by_role("alert").filter(has_text="Upheld.")).to_be_visible()
    page.locator("#close-call").click()
    expect(page.locator("[data-call]")).to_have_count(1)
    expect(player.get_by_role("heading", name="Closed")).to_be_visible()
    page.locator(f"[data-call='{younger}']").click()
    expect(page.locator("#call-question")).to_contain_text("Was that a move?")
    third.do("ruled", younger, JUDGE, ruling="Yes.")
    third.do("closed", younger, JUDGE)
    expect(page.locator("[data-call]")).to_have_count(0)


@pytest.mark.timeout(120)
def test_a_table_that_goes_is_shown_offline_and_comes_back(
    hall_desk: RunningDesk, tables: list[halls.FakeTable], open_page: Callable[..., Page], tmp_path: Path
) -> None:
    page = open_page(hall_desk.link)
    expect(page.locator("#tables .online")).to_have_count(4)
    tables[0].leave()
    expect(page.locator("[data-table='one']")).to_have_class(re.compile("stopped"))
    tables[0].join(hall_desk.broker.codes["one"], tmp_path / "table-one")
    expect(page.locator("#tables .online")).to_have_count(4)


@pytest.mark.timeout(120)
def test_a_table_that_falls_silent_is_shown_offline_within_ten_seconds(
    hall_desk: RunningDesk, tables: list[halls.FakeTable], open_page: Callable[..., Page]
) -> None:
    page = open_page(hall_desk.link)
    expect(page.locator("#tables .online")).to_have_count(4)
    silent, began_s = tables[2], time.monotonic()
    assert silent.link is not None
    silent.link._is_closing = True  # it hangs: its connection stays open, so that the broker has nothing to tell
    expect(page.locator("[data-table='three']")).to_have_class(re.compile("offline"), timeout=12_000)
    assert time.monotonic() - began_s < 10
    expect(page.locator("#tables .online")).to_have_count(3)


def test_a_stranger_is_asked_for_a_code(hall_desk: RunningDesk, open_page: Callable[..., Page], picture: Any) -> None:
    page = open_page(hall_desk.address)
    expect(page.locator("#join-form")).to_be_visible()
    expect(page.locator("#hall")).to_be_hidden()
    assert page.request.get(f"{hall_desk.address}/api/v1/hall/rounds.csv").status == 403
