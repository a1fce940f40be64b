"""A judge's phone at a desk of many tables: how long a call takes to be found, claimed and ruled on by taps alone.

The tables are nothing but their connections, through a real Mosquitto, to a desk as people start it. The judge has a
phone and a round with pairings for every table.

    python -m tests.tap_desk [--tables 500] [--calls 10]
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent / "loaders"))

import hall_builders as halls
from hall_programs import Program, running_desk
from playwright.sync_api import Page, expect, sync_playwright

from tests.hall_swarm import Swarm

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
PHONE = {"width": 390, "height": 844}
WANTED_S = 20.0


def one_call(page: Page, table: halls.FakeTable, number: int) -> dict[str, float]:
    """Return a call at a table, and the taps of a judge until it is ruled on, in seconds."""
    called_s = time.monotonic()
    call = table.open_call(f"question {number}")
    row = page.locator(f"[data-call='{call}']")
    row.wait_for(timeout=30_000)
    found_s = time.monotonic()
    row.tap()
    expect(page.locator("#call-title")).to_have_text(f"{table.name}: open")
    expect(page.locator("#call-title")).to_be_in_viewport()
    page.locator("#claim").tap()
    expect(page.locator("#on-way")).not_to_be_empty()
    claimed_s = time.monotonic()
    page.locator("#to-ruling").tap()
    page.locator("[data-quick]").last.tap()
    page.locator("#ruling-form > .acts .main").tap()
    expect(page.locator("#call-title")).to_have_text(f"{table.name}: ruled")
    ruled_s = time.monotonic()
    return {
        "heard_s": round(found_s - called_s, 2),
        "claimed_s": round(claimed_s - found_s, 2),
        "ruled_s": round(ruled_s - claimed_s, 2),
        "all_s": round(ruled_s - called_s, 2),
    }


def judge_page(browser: Any, desk: Program) -> Page:
    """Return the page of a phone that joined as a judge, with a name."""
    link = desk.ask("invitations", {"role": "judge"})["url"].partition("#")[2]
    page: Page = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True).new_page()
    page.goto(f"{desk.address}/#{link}")
    page.wait_for_selector('body[data-role="judge"]')
    page.locator("#judge").evaluate("node => { node.value = 'Jo'; }")
    return page


def bring(desk: Program, count: int) -> None:
    """Pairings for every table, by numbers, and a running clock."""
    games = [
        {"table": str(n), "first": f"Player {2 * n}", "second": f"Player {2 * n + 1}"} for n in range(1, count + 1)
    ]
    desk.ask("hall/rounds", {"format": "sightline.rounds/1", "rounds": [{"number": 1, "pairings": games}]})
    desk.ask("hall/rounds/1/clock", {"runs": True})


def run(folder: Path, tables: int, calls: int) -> list[dict[str, float]]:
    """Return the times of some calls, one after the other."""
    width = len(str(tables))
    names = [f"table-{n:0{width}}" for n in range(1, tables + 1)]
    broker = halls.make_broker(folder / "hall", names)
    broker.start()
    desk = running_desk(folder / "hall", folder / "desk")
    callers = [halls.FakeTable(name) for name in names[:: max(1, tables // calls)][:calls]]
    swarm = Swarm([broker.codes[name] for name in names if name not in {one.name for one in callers}])
    for one in callers:
        one.join(broker.codes[one.name], folder / one.name)
    telling = threading.Thread(target=lambda: swarm.run(3600, tells=True, events=False), daemon=True)
    telling.start()
    try:
        halls.wait_for(lambda: sum(one["condition"] == "online" for one in desk.ask("hall")["tables"]) == tables, 120)
        bring(desk, tables)
        with sync_playwright() as playwright:
            program = next(filter(None, map(shutil.which, BROWSERS)), None)
            browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
            page = judge_page(browser, desk)
            expect(page.locator("[data-table]")).to_have_count(tables, timeout=60_000)
            found = [one_call(page, one, number) for number, one in enumerate(callers)]
            browser.close()
    finally:
        swarm.stop()
        telling.join(10)
        for one in callers:
            one.leave()
        desk.end()
        broker.stop()
    return found


def main() -> None:
    """Print each call's times, and ends with 1 if one took too long."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--tables", type=int, default=500)
    asked.add_argument("--calls", type=int, default=10)
    wanted = asked.parse_args()
    if halls.MOSQUITTO is None:
        sys.exit(halls.NO_MOSQUITTO)
    with tempfile.TemporaryDirectory() as folder:
        found = run(Path(folder), wanted.tables, wanted.calls)
    for one in found:
        sys.stdout.write(f"{json.dumps(one)}\n")
    took = [one["all_s"] for one in found]
    facts = {"tables": wanted.tables, "calls": len(took), "p50_s": statistics.median(took), "most_s": max(took)}
    sys.stdout.write(f"{json.dumps(facts)}\n")
    if max(took) > WANTED_S:
        sys.exit(1)


if __name__ == "__main__":
    main()
