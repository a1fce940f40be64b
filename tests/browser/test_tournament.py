"""A whole small tournament at a real desk: four tables, three rounds, calls, an appeal, results out."""

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
from hall_builders import JUDGE, wait_for
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
def tables(hall_desk: RunningDesk, tmp_path: Path) -> Iterator[list[halls.FakeTable]]:
    made = [halls.FakeTable(name) for name in NAMES]
    for table in made:
        table.join(hall_desk.broker.codes[table.name], tmp_path / f"table-{table.name}")
    yield made
    for table in made:
        table.leave()


def pairings(number: int) -> str:
    """A list as a pairing program writes it, with the words of chess."""
    turned = PLAYERS[number:] + PLAYERS[:number]
    rows = [f"{number},{name},{turned[2 * n]},{turned[2 * n + 1]},*" for n, name in enumerate(NAMES)]
    return "\n".join(["Round,Board,White,Black,Result", *rows])


def bring(page: Page, number: int) -> None:
    """Hands a list in."""
    file = {"name": f"round-{number}.csv", "mimeType": "text/csv", "buffer": pairings(number).encode()}
    page.locator("#bring").set_input_files([file])
    expect(page.locator(f"[data-round='{number}'] tbody tr")).to_have_count(4)


@pytest.mark.timeout(180)
def test_a_small_tournament_from_pairings_to_results(
    hall_desk: RunningDesk, tables: list[halls.FakeTable], open_page: Callable[..., Page], picture: Any
) -> None:
    page = open_page(hall_desk.link)
    expect(page.locator("#tables .online")).to_have_count(4)
    expect(page.locator("#no-calls")).to_be_visible()
    for number in (1, 2, 3):
        bring(page, number)
        page.locator(f"[data-round='{number}'] button").click()
        expect(page.locator(f"[data-clock='round-{number}']")).to_contain_text(re.compile(r"1(49|50):\d\d"))
        if number == 2:
            judge_calls(page, tables, picture)
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


def judge_calls(page: Page, tables: list[halls.FakeTable], picture: Any) -> None:
    """Two calls; one is ruled on, appealed, ruled on anew, spoken and closed."""
    first = tables[1].open_call("Does the wall end here?")
    expect(page.locator("[data-call]")).to_have_count(1)  # of two at one instant neither is the older
    second = tables[2].open_call("Was that a move?")
    expect(page.locator("[data-call]")).to_have_count(2)
    assert page.locator("[data-call]").first.get_attribute("data-call") == first
    page.locator(f"[data-call='{first}']").click()
    expect(page.locator("#call-question")).to_contain_text("Does the wall end here?")
    page.locator("#ruling").fill("The line touches the wall.")
    page.locator("#extension").fill("5")
    page.locator("#judge").fill("Jo")
    page.locator("#ruling-form button.main").click()
    expect(page.locator("#call-title")).to_contain_text("ruled")
    assert tables[1].calls[first].ruling == "The line touches the wall."
    expect(page.locator("[data-clock='round-2-two']")).to_contain_text(re.compile(r"15[45]:\d\d"))
    tables[1].do("appealed", first, grounds="It ends before.")
    expect(page.locator("#call-title")).to_contain_text("appealed")
    picture(page, "desk-appeal")
    page.locator("#ruling").fill("Upheld.")
    page.locator("#ruling-form button.main").click()
    expect(page.locator("#speak")).to_be_enabled()
    page.locator("#speak").click()
    expect(page.locator("#call-facts")).to_contain_text("Spoken at the table.")
    page.locator("#close-call").click()
    expect(page.locator("[data-call]")).to_have_count(1)
    assert (tables[1].calls[first].state, tables[1].calls[first].ruling) == ("closed", "Upheld.")
    tables[2].do("ruled", second, JUDGE, ruling="Yes.")
    tables[2].do("closed", second, JUDGE)
    expect(page.locator("[data-call]")).to_have_count(0)
    wait_for(lambda: tables[1].link is not None and tables[1].commands)


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
