"""A tournament of eight tables and three rounds: five judges on phones, one at the desk, players at a tablet.

Table 8 is the whole program with a page for its players; the others are nothing but their links. The broker runs apart
from the desk, so that the desk can be killed.
"""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import hall_builders as halls
import pytest
from hall_programs import Program, running_desk, running_table
from page_waits import choose_file
from playwright.sync_api import Page, expect

TABLES = [f"table-{n}" for n in range(1, 9)]
PLAYERS = [
    f"{first} {last}" for last in ("Abel", "Bach") for first in ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal")
]
JUDGES = ("Jo", "Max", "Kim", "Lea")
SLOW_S = -1800
REFUSED = [*(f"status of {status}" for status in (400, 403, 409)), "ERR_"]
"""Pages' messages when a step is refused, as it should be, or while the desk is killed."""


@dataclass
class Day:
    """The hall with everybody in it."""

    folder: Path
    broker: halls.Broker
    open_page: Callable[..., Page]
    tables: dict[str, halls.FakeTable] = field(default_factory=dict)
    desk: Program | None = None

    def ask(self, path: str, body: Any = None) -> Any:
        assert self.desk is not None
        return self.desk.ask(path, body)

    def joined(self, role: str, name: str, size: str = "phone") -> Page:
        """Return a device that joined the desk in a role, and whose owner gave a name."""
        assert self.desk is not None
        link = self.ask("invitations", {"role": role})["url"].partition("#")[2]
        page = self.open_page(f"{self.desk.address}/#{link}", size)
        page.wait_for_selector(f'body[data-role="{role}"]')
        page.locator("#judge").evaluate("(node, name) => { node.value = name; }", name)
        return page

    def call(self, table: str, question: str) -> str:
        """Call a judge at a table; return the call's id, once the desk has it."""
        call = self.tables[table].open_call(question)
        halls.wait_for(lambda: any(one["id"] == call for one in self.ask("hall")["calls"]))
        return call


@pytest.fixture
def day(tmp_path: Path, open_page: Callable[..., Page]) -> Iterator[Day]:
    if halls.MOSQUITTO is None:
        pytest.skip(halls.NO_MOSQUITTO)
    broker = halls.make_broker(tmp_path / "hall", TABLES)
    broker.start()
    made = Day(tmp_path, broker, open_page)
    open_page.expected += REFUSED  # type: ignore[attr-defined]
    made.desk = running_desk(tmp_path / "hall", tmp_path / "desk")
    for name in TABLES[:7]:
        made.tables[name] = halls.FakeTable(name)
        made.tables[name].join(broker.codes[name], tmp_path / name, ahead_s=SLOW_S if name == "table-3" else 0)
    yield made
    for table in made.tables.values():
        table.leave()
    made.desk.end()
    broker.stop()


@pytest.fixture
def eighth(day: Day, tmp_path: Path) -> Iterator[Program]:
    table = running_table(tmp_path / "hall" / "codes" / "table-8.txt", tmp_path / "table-8")
    yield table
    assert table.end() == 0


def pairings(number: int, tables: range = range(1, 9)) -> str:
    """Return a list as a pairing program writes it: tables are numbers."""
    turned = PLAYERS[number:] + PLAYERS[:number]
    rows = [f"{number},{n},{turned[2 * n - 2]},{turned[2 * n - 1]}" for n in tables]
    return "\n".join(["Round,Table,Player 1,Player 2", *rows])


def choose_list(page: Page, name: str, content: bytes) -> None:
    choose_file(page, "#bring", [{"name": name, "mimeType": "text/csv", "buffer": content}])


def bring(page: Page, number: int) -> None:
    """Import a whole round, after a look at the list's changes."""
    choose_list(page, f"round-{number}.csv", pairings(number).encode())
    expect(page.locator("#list-lines")).to_contain_text(f"Round {number} is new: 8 games")
    page.locator("#list-take").click()
    expect(page.locator(f"[data-round='{number}'] tbody tr")).to_have_count(8)


@pytest.mark.timeout(600)
def test_a_day_of_eight_tables_three_rounds_and_six_judges(day: Day, eighth: Program, picture: Any) -> None:
    organiser = day.joined("owner", "Olga", "tablet")
    phones = {name: day.joined("judge", name) for name in JUDGES}
    head = day.joined("head_judge", "Hana")
    player = day.open_page(
        f"{eighth.address}/#{eighth.ask('invitations', {'role': 'player'})['url'].partition('#')[2]}"
    )
    player.wait_for_selector('body[data-role="player"]')
    player.get_by_role("navigation", name="Views").get_by_role("button", name="Judge").click()
    expect(organiser.locator("#tables .online")).to_have_count(8)

    lists_tell_first_what_they_change(day, organiser)
    early = day.call("table-1", "deck check before the clock")
    published_by_a_button(day, organiser, player)
    time_reaches_every_clock(day, organiser, early, player)
    a_judge_claims_on_a_phone_and_rules(day, phones, organiser)
    an_appeal_goes_to_the_head_judge(day, phones["Jo"], head)
    players_hand_their_result_in(player, organiser)
    finish_round(day, organiser, 1)

    play_round(day, organiser, 2)
    penalties_follow_the_player(day, phones["Kim"])
    a_hall_is_searched_and_narrowed(day, organiser, picture)
    finish_round(day, organiser, 2)

    play_round(day, organiser, 3)
    a_table_without_a_desk_says_so(day, player, phones["Lea"])
    evidence_says_who_signed(day, eighth)
    finish_round(day, organiser, 3)
    assert day.ask("hall")["calls"] == []
    assert (
        len(
            day.open_page(f"{day.desk.address}/public")
            .request.get(f"{day.desk.address}/api/v1/public")
            .json()["rounds"]
        )
        == 3
    )


def play_round(day: Day, page: Page, number: int) -> None:
    bring(page, number)
    page.locator(f"[data-run='{number}']").click()
    expect(page.locator(f"[data-run='{number}']")).to_have_text("Stop the clock")
    expect(page.locator(f"[data-clock='round-{number}']")).to_contain_text(re.compile(r"1(49|50):\d\d"))


def finish_round(day: Day, page: Page, number: int) -> None:
    """Enter the missing results, and close the remaining calls."""
    for one in day.ask("hall")["calls"]:
        if one["state"] == "ruled":
            day.ask(f"hall/calls/{one['id']}/steps", {"type": "close"})
    (now,) = (one for one in day.ask("hall")["rounds"] if one["number"] == number)
    for pair in now["pairings"]:
        if pair["result"] == "*":
            day.ask("hall/results", {"round": number, "table": pair["table"], "result": "1-0"})
    page.locator("[data-chip='open']").click()
    expect(page.locator("#tables-shown")).to_have_text("0 of 8 shown")
    page.locator("[data-chip='open']").click()


def lists_tell_first_what_they_change(day: Day, page: Page) -> None:
    """Check that a list shows its changes; a doubtful one is refused, a partial one may leave the rest."""
    choose_list(page, "twice.csv", b"Round,Table,Player 1,Player 2\n1,1,Ada,Bo\n1,2,Ada,Di\n")
    expect(page.locator("#rounds-said")).to_contain_text("lists “Ada” at two tables, 1 and 2")
    choose_list(page, "pairings.xlsx", b"PK\x03\x04 rest of a workbook")
    expect(page.locator("#rounds-said")).to_contain_text("This is an Excel workbook. Save the list as CSV UTF-8.")
    choose_list(page, "strange.csv", b"Round,Table,Player 1,Player 2\n1,99,Ada,Bo\n")
    expect(page.locator("#list-lines")).to_contain_text("No table of the hall is called: 99")
    page.locator("#list-cancel").click()
    assert day.ask("hall")["rounds"] == []
    choose_list(page, "round-1.csv", pairings(1).encode())
    page.locator("#list-take").click()
    expect(page.locator("[data-round='1'] tbody tr")).to_have_count(8)
    choose_list(page, "partial.csv", b"Round,Table,Player 1,Player 2\n1,1,Zoe,Yan\n")
    expect(page.locator("#list-lines")).to_contain_text("Round 1: 7 games go: 2, 3, 4, 5, 6, 7, 8")
    page.locator("#list-keep").click()
    expect(page.locator("#list-check")).to_be_hidden()
    expect(page.locator("[data-round='1'] tbody tr")).to_have_count(8)
    choose_list(page, "round-1.csv", pairings(1).encode())
    expect(page.locator("#list-lines")).to_contain_text("Round 1: 1 games change: 1")
    page.locator("#list-take").click()
    expect(page.locator("[data-pair='1']")).to_contain_text(PLAYERS[1])


def published_by_a_button(day: Day, page: Page, player: Page) -> None:
    """Check that pairings are public when a judge publishes them, with exact clocks everywhere."""
    public = day.open_page(f"{day.desk.address}/public")
    expect(public.locator("#rounds")).to_contain_text("No pairings are published yet.")
    page.locator("[data-publish='1']").click()
    expect(page.locator("[data-publish='1']")).to_have_text("Withdraw the pairings")
    expect(public.locator("[data-round='1'] tbody tr")).to_have_count(8, timeout=15_000)
    expect(player.locator("#seat-players")).to_have_text(f"{PLAYERS[15]} – {PLAYERS[0]}")
    page.locator("[data-run='1']").click()
    expect(player.locator("#round-chip")).to_contain_text(re.compile(r"Round 1 · 1(49|50):\d\d left"))
    shown = public.request.get(f"{day.desk.address}/api/v1/public").json()["rounds"][0]["left_s"]
    assert abs(shown - day.ask("hall")["rounds"][0]["left_s"]) < 5


def time_reaches_every_clock(day: Day, page: Page, early: str, player: Page) -> None:
    """Check clocks: numbered tables, a call before the clock, a table half an hour slow, the queue's clock."""
    slow = day.call("table-3", "from a slow clock")
    queue = [one["id"] for one in day.ask("hall")["calls"]]
    assert queue == [early, slow], "a slow clock does not jump the queue"
    assert all(one["waits_s"] < 120 for one in day.ask("hall")["calls"])
    for call, minutes in ((early, 5), (slow, 7)):
        page.locator(f"[data-call='{call}']").click()
        expect(page.locator(f"[data-call='{call}'][aria-current]")).to_be_visible()
        page.locator("#ruling").fill("Go on.")
        page.locator("#extension").fill(str(minutes))
        page.locator("#ruling-form .main").first.click()
        expect(page.locator("#call-title")).to_contain_text("ruled")
    expect(page.locator("[data-clock='round-1-1']").first).to_contain_text(re.compile(r"15[45]:\d\d"))
    expect(page.locator("[data-clock='round-1-3']").first).to_contain_text(re.compile(r"15[67]:\d\d"))
    expect(page.locator("[data-clock='round-1-2']").first).to_contain_text(re.compile(r"1(49|50):\d\d"))


def a_judge_claims_on_a_phone_and_rules(day: Day, phones: dict[str, Page], organiser: Page) -> None:
    """Check that a judge on a phone hears a call, claims it, rules, and the table gets its time back."""
    jo, other = phones["Jo"], phones["Max"]
    jo.locator("#alerts").click()
    rang = int(jo.locator("#alerts").get_attribute("data-rang") or 0)
    for table in ("table-4", "table-5", "table-6", "table-7"):
        day.call(table, f"question at {table}")
    expect(jo.locator("#alerts")).to_have_attribute(
        "data-rang", re.compile(rf"^{rang + 1}|{rang + 2}|{rang + 3}|{rang + 4}$")
    )
    expect(jo).to_have_title(re.compile(r"^\(4\) "))
    states = jo.locator("[data-call]").evaluate_all("nodes => nodes.map((node) => node.classList.contains('ruled'))")
    assert states == sorted(states), "open calls stand before ruled ones"
    call = next(one["id"] for one in day.ask("hall")["calls"] if one["table"] == "table-4")
    jo.locator(f"[data-call='{call}']").click()
    expect(jo.locator("#call-title")).to_have_text("table-4: open")
    expect(jo.locator("#call-title")).to_be_in_viewport()
    jo.locator("#claim").click()
    expect(jo.locator("#on-way")).to_have_text("Jo is on the way")
    expect(other.locator(f"[data-call='{call}']")).to_contain_text("Jo is on the way")
    other.locator(f"[data-call='{call}']").click()
    expect(other.locator("#claim")).to_be_hidden()
    expect(other.locator("#take-over")).to_be_visible()
    jo.locator("#to-ruling").click()
    jo.locator("#ruling").fill("No line of sight.")
    jo.locator("#penalty-player").select_option(index=0)
    jo.locator("#infraction").fill("Slow play")
    jo.locator("#penalty-add").click()
    jo.locator("#ruling-form > .acts .main").click()
    expect(jo.locator("#call-title")).to_have_text("table-4: ruled")
    expect(jo.locator("#call-facts")).to_contain_text("Warning, Slow play")
    for table in ("table-5", "table-6", "table-7"):
        rest = next(one["id"] for one in day.ask("hall")["calls"] if one["table"] == table)
        day.ask(f"hall/calls/{rest}/steps", {"type": "rule", "ruling": "So it is.", "name": "Olga"})


def an_appeal_goes_to_the_head_judge(day: Day, jo: Page, head: Page) -> None:
    """Check that the head judge alone decides an appeal, and that the first ruling and its penalty stay visible."""
    call = next(one["id"] for one in day.ask("hall")["calls"] if one["table"] == "table-4")
    day.tables["table-4"].do("appealed", call, grounds="The wall ends before.")
    expect(jo.locator("#call-title")).to_have_text("table-4: appealed")
    jo.locator("#ruling").fill("Upheld.")
    jo.locator("#ruling-form > .acts .main").click()
    expect(jo.locator("#call-said")).to_have_text("Only the head judge rules on an appeal.")
    head.locator(f"[data-call='{call}']").click()
    expect(head.locator("#call-title")).to_have_text("table-4: appealed")
    head.locator("#ruling").fill("Upheld.")
    head.locator("#ruling-form > .acts .main").click()
    expect(head.locator("#empty-question")).to_contain_text("Does it stay, or is there none?")
    head.locator("#empty-before").click()
    expect(head.locator("#call-title")).to_have_text("table-4: ruled")
    for words in ("No line of sight.", "Upheld.", "Jo (a judge)", "Hana (a judge)", "The wall ends before.", "open"):
        expect(head.locator("#call-facts")).to_contain_text(words)
    (penalty,) = day.ask("hall/penalties")["penalties"]
    assert (penalty["level"], penalty["stands"], penalty["round"]) == ("warning", True, 1)


def players_hand_their_result_in(player: Page, organiser: Page) -> None:
    """Both players agree at their tablet."""
    player.locator("[data-player='first'][data-result='1-0']").click()
    expect(player.locator("#seat-result")).to_contain_text("It counts when both say so.")
    expect(organiser.locator("[data-pair='8'] select")).to_have_value("*")
    player.locator("[data-player='second'][data-result='1-0']").click()
    expect(organiser.locator("[data-pair='8'] select")).to_have_value("1-0")
    expect(player.locator("#seat-result")).to_have_text("Result: 1-0")


def penalties_follow_the_player(day: Day, kim: Page) -> None:
    """Check that a player's earlier penalties appear beside a new call, at any table."""
    (penalty,) = day.ask("hall/penalties")["penalties"]
    (now,) = (one for one in day.ask("hall")["rounds"] if one["number"] == 2)
    place = next(p["place"] for p in now["pairings"] if penalty["player"] in (p["first"], p["second"]))
    call = day.call(place, "again")
    kim.locator(f"[data-call='{call}']").click()
    expect(kim.locator("#history")).to_contain_text(f"{penalty['player']}: Warning – Slow play")
    kim.locator("#escalate").click()
    expect(kim.locator(f"[data-call='{call}']")).to_contain_text("for the head judge")
    kim.locator("#ruling").fill("Play faster.")
    kim.locator("#ruling-form > .acts .main").click()
    expect(kim.locator("#call-title")).to_contain_text("ruled")
    kim.locator("#close-call").click()
    expect(kim.locator("#call-title")).to_contain_text("closed")


def a_hall_is_searched_and_narrowed(day: Day, page: Page, picture: Any) -> None:
    """Closed calls are found, tables by player and state, in up to eight columns."""
    page.locator("#call-search").fill("table-4 r1")
    expect(page.locator("[data-call]")).to_have_text([re.compile("table-4")])  # not the one that is just being closed
    page.locator("[data-call]").click()
    expect(page.locator("#call-title")).to_have_text("table-4: closed")
    expect(page.locator("#call-facts")).to_contain_text("No line of sight.")
    page.locator("#call-search").fill("")
    page.locator("#table-search").fill(PLAYERS[5].lower())
    expect(page.locator("[data-table]")).to_have_count(1)
    page.locator("#table-search").fill("")
    page.locator("#columns").select_option("8")
    expect(page.locator("#hall")).to_have_class(re.compile("wide-tables"))
    tops = page.locator("[data-table]").evaluate_all("nodes => new Set(nodes.map((node) => node.offsetTop)).size")
    assert tops == 1
    picture(page, "desk-day")
    page.locator("#columns").select_option("3")


def a_table_without_a_desk_says_so(day: Day, player: Page, lea: Page) -> None:
    """Check that after a kill of the desk, the table reports it, and whether a call has reached one."""
    assert day.desk is not None
    address = day.desk.address
    day.desk.end(signal.SIGKILL)
    player.get_by_role("button", name="Call a judge").click()
    expect(player.locator("#call-reached")).to_have_text("No desk has this call yet. Wave for a judge.")
    expect(player.locator("#seat-desk")).to_have_text("No desk is there; wave for a judge.", timeout=30_000)
    day.desk = Program(
        ["desk", str(day.folder / "hall"), "--data", str(day.folder / "desk"), "--port", address.rpartition(":")[2]],
        any_port=False,
    )
    expect(player.locator("#call-reached")).to_have_text("The desk has this call.", timeout=30_000)
    expect(lea.locator("[data-call]").filter(has_text="table-8")).to_have_count(1, timeout=30_000)
    lea.locator("[data-call]").filter(has_text="table-8").click()
    lea.locator("#claim").click()
    expect(player.locator("#call-way")).to_have_text("Lea is on the way.")
    lea.locator("#ruling").fill("Yes.")
    lea.locator("#ruling-form > .acts .main").click()
    expect(lea.locator("#call-title")).to_have_text("table-8: ruled")


def evidence_says_who_signed(day: Day, eighth: Program) -> None:
    """Check signatures: without a key, evidence names no signer; the authority vouches for table and desk."""
    authority = str(day.folder / "hall" / "tls" / "authority.pem")
    call = next(one["id"] for one in day.ask("hall")["calls"] if one["table"] == "table-8")
    assert day.desk is not None
    at_table, at_desk = f"{eighth.address}/api/v1/calls/{call}", f"{day.desk.address}/api/v1/hall/calls/{call}"
    for browser, place in ((eighth.browser, at_table), (day.desk.browser, at_desk)):
        file = save(browser, f"{place}/evidence.zip", day.folder / "evidence.zip")
        assert _verify(file) == 3
        assert _verify(file, "--tournament", authority) == 0


def save(browser: Any, address: str, file: Path) -> Path:
    """Take a file away, once everything of it has come."""
    halls.wait_for(lambda: _saved(browser, address, file))
    return file


def _saved(browser: Any, address: str, file: Path) -> bool:
    try:
        with browser.open(address, timeout=20) as answer:
            file.write_bytes(answer.read())
    except OSError:
        return False
    return True


def _verify(file: Path, *more: str) -> int:
    program = [sys.executable, "-c", "from assistant.cli import main; main()", "verify", str(file), *more]
    return subprocess.run(program, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
