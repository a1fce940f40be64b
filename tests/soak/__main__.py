"""``make soak``: an eight-hour day at the table in twenty minutes, with a fault every second.

    python -m tests.soak OUT [--minutes M] [--no-browser] [--seed N]

A real ``sightline run`` watches a simulated room through a network camera and lights a simulated strip on a serial
cable; a browser shows its page, notes are written into its match, and rulings are asked for. Every second a fault
befalls the camera, the strip, the disk, the network, the browser or the power. A referee that knows the true table
judges every ruling that is stated as sure. ``OUT/soak.md`` holds the results, ``OUT/faults.txt`` every fault with its
time, ``OUT/wrong-N`` what a wrong ruling was made of; the exit status is 1 if a goal is missed.
"""

from __future__ import annotations

import random
import re
import shutil
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import click

from assistant.app.care.starts import UP_S
from tests.soak import faults
from tests.soak.browser import TabletBrowser
from tests.soak.cable import StripCable
from tests.soak.faults import Trouble
from tests.soak.ledger import Ledger
from tests.soak.program import NoAnswer, Program
from tests.soak.referee import Referee
from tests.soak.room import Room

DAY_S = 8 * 3600
REACH_EVERY_S = 120.0
"""In the day that is played, from one reach into the table to the next."""

LEAST_REACH_EVERY_S = 5.0
BACK_S = 10.0
PATIENCE_S = 20.0
"""A part that is not back by then is given up, and counts as not back."""

POWER_SHARE = 0.25
"""Share of the time, at its beginning, in which power cuts may happen; then the program runs on.

Its memory is measured in the last half, with full caches.
"""

POWER_CHANCE = 1 / 30
"""In each second in which it may."""

BACK_SHARE, MOST_GROWTH_MB = 0.95, 20.0
FILLED_S = 600.0
SETTLED_S = 180.0
LOOK_S = 0.2


@dataclass
class Spell:
    """One fault that befell a part, and how long the part took to be back after it."""

    trouble: Trouble
    begun_s: float
    ended_s: float | None = None
    back_s: float | None = None


@dataclass
class Day:
    """Everything that takes part."""

    program: Program
    room: Room
    cable: StripCable
    browser: TabletBrowser
    chance: random.Random
    spells: list[Spell] = field(default_factory=list)
    open: dict[str, Spell] = field(default_factory=dict)
    crashes: list[str] = field(default_factory=list)
    memory_mb: list[tuple[float, float]] = field(default_factory=list)
    """The second of the day, and the program's memory then; since its last start."""

    _is_power_due: bool = False

    def run(self, seconds: float) -> None:
        """Cause a fault every second, and check recoveries."""
        begun_s = due_s = time.monotonic()
        while (now_s := time.monotonic()) < begun_s + seconds:
            with_power = now_s < begun_s + POWER_SHARE * seconds
            if now_s >= due_s:
                due_s += 1.0
                self._strike(with_power=with_power, now_s=now_s)
                self.memory_mb.append((now_s - begun_s, self.program.held_mb()))
            self._look(now_s)
            time.sleep(LOOK_S)
        until_s = time.monotonic() + PATIENCE_S
        while self.open and time.monotonic() < until_s:
            self._look(time.monotonic())
            time.sleep(LOOK_S)

    def _strike(self, *, with_power: bool, now_s: float) -> None:
        """Choose a part that is well, and a fault of it."""
        if "power" in self.open:
            return
        has_come_up = now_s > self.program.started_s + UP_S + 5
        self._is_power_due = with_power and has_come_up and (self._is_power_due or self.chance.random() < POWER_CHANCE)
        if self._is_power_due and self.open:
            return  # no power cut during another fault: their effects would be indistinguishable
        kinds = [
            faults.camera_troubles(self.room, self.program),
            faults.strip_troubles(self.cable),
            faults.disk_troubles(self.program),
            faults.page_troubles(self.program),
        ]
        kinds += [faults.browser_troubles(self.browser)] if self.browser.is_there else []
        if self._is_power_due:
            self._is_power_due, kinds = False, [faults.power_troubles(self.program)]
        self.chance.shuffle(kinds)
        free = (kind for kind in kinds if kind[0].part not in self.open and self._is_well(kind[0].part))
        found = next(free, None)
        if found is None:
            return
        trouble = self.chance.choice(found)
        with suppress(OSError):
            trouble.begin()
        spell = Spell(trouble, now_s)
        self.spells.append(spell)
        self.open[trouble.part] = spell

    def _look(self, now_s: float) -> None:
        """End the faults that are over and notes which parts are back."""
        for part, spell in list(self.open.items()):
            if spell.ended_s is None:
                if now_s >= spell.begun_s + spell.trouble.lasts_s:
                    with suppress(OSError):
                        spell.trouble.end()
                    spell.ended_s = time.monotonic()
            elif self._is_well(part):
                spell.back_s = time.monotonic() - spell.ended_s
                del self.open[part]
            elif now_s > spell.ended_s + PATIENCE_S and part != "power":
                del self.open[part]
        cut = self.open.get("power")
        if self.program.has_crashed and (cut is None or cut.ended_s is not None):
            self.crashes.append(f"{time.strftime('%H:%M:%S')} the program ended by itself")
            self.program.start()
            self.program.wait_until_up()

    def _is_well(self, part: str) -> bool:
        if part == "browser":
            return self.browser.well_since_s is not None
        try:
            if part == "disk":
                self.program.ask("/match/commands", {"type": "note", "text": "is there room again?"}, timeout_s=3.0)
            now = self.program.ask("/now", timeout_s=3.0)
        except NoAnswer:
            return False
        if part == "power":
            return True
        wrong = {problem["part"] for problem in now["problems"]}
        if part == "camera":
            is_shown = now["live"] is not None and now["live"]["holding"] in ("now", "moving")
            return is_shown and not wrong & {"camera", "table"}
        return part not in wrong


def growth_mb(memory_mb: list[tuple[float, float]], seconds: float) -> float:
    """Return how much more memory the program keeps at the end of the last half, which has no restart.

    A reading needs some 100 MB and gives them back within half a minute, so what is kept is the least of each minute.
    """
    by_minute: dict[int, float] = {}
    for at_s, mb in memory_mb:
        if at_s >= seconds / 2 and mb > 0:
            minute = int(at_s // 60)
            by_minute[minute] = min(mb, by_minute.get(minute, mb))
    kept = [mb for _, mb in sorted(by_minute.items())]
    third = max(1, len(kept) // 3)
    return statistics.median(kept[-third:]) - statistics.median(kept[:third]) if kept else 0.0


@dataclass(frozen=True)
class Goal:
    """A measured figure and its target."""

    name: str
    found: str
    wanted: str
    is_met: bool


def goals_of(day: Day, referee: Referee, lost: list[int], ledger: Ledger, seconds: float) -> list[Goal]:
    """Return the goals of a soak with their results."""
    crashes = crashes_of(day)
    ended = [spell for spell in day.spells if spell.ended_s is not None]
    back = [spell.back_s for spell in ended if spell.back_s is not None and spell.back_s <= BACK_S]
    share = len(back) / max(1, len(ended))
    grown = growth_mb(day.memory_mb, seconds)
    verdicts = referee.found
    return [
        Goal("wrong rulings told as sure", f"{len(verdicts.wrong)} of {verdicts.sure}", "0", not verdicts.wrong),
        Goal("acknowledged events lost", f"{len(lost)} of {len(ledger.acknowledged)}", "0", not lost),
        Goal("crashes", str(len(crashes)), "0", not crashes),
        Goal(f"back within {BACK_S:.0f} s", f"{share:.1%} of {len(ended)}", f"{BACK_SHARE:.0%}", share >= BACK_SHARE),
        growth_goal(grown, seconds),
    ]


def growth_goal(grown_mb: float, seconds: float) -> Goal:
    """Return the memory goal; a day too short for full caches proves nothing."""
    wanted = f"under {MOST_GROWTH_MB:.0f} MB"
    if seconds < FILLED_S:
        return Goal("growth", f"{grown_mb:.1f} MB, not judged: too short a day", wanted, True)
    return Goal("growth", f"{grown_mb:.1f} MB", wanted, grown_mb < MOST_GROWTH_MB)


def crashes_of(day: Day) -> list[str]:
    """Return unexpected exits and uncaught errors, in the program and on its page."""
    return [*day.crashes, *crashes_in(day.program.log), *(f"browser: {words}" for words in day.browser.errors)]


def crashes_in(log: str) -> list[str]:
    """Return the last lines of every traceback in the program's output.

    What Python's tracker of shared memory says of a piece that it does not know is none of the program's: it speaks
    when a piece could not be made at all, as no file can grow on a full disk.
    """
    found = re.findall(r"Traceback.*?\n(?=\S)[^\n]*", log, re.DOTALL)
    return [words.strip().splitlines()[-1] for words in found if "multiprocessing/resource_tracker.py" not in words]


def table_of(day: Day, goals: list[Goal], referee: Referee, seconds: float) -> str:
    """Return the table of a soak, as Markdown."""
    by_kind: dict[tuple[str, str], list[Spell]] = defaultdict(list)
    for spell in day.spells:
        by_kind[spell.trouble.part, spell.trouble.name].append(spell)
    verdicts = referee.found
    answers = sorted(verdicts.answer_ms) or [0.0]
    lines = [
        f"# A day at the table, {DAY_S // 3600} hours in {seconds / 60:.1f} minutes",
        "",
        "| goal | found | wanted | |",
        "| --- | ---: | ---: | --- |",
        *(f"| {g.name} | {g.found} | {g.wanted} | {'met' if g.is_met else 'MISSED'} |" for g in goals),
        "",
        f"{len(day.spells)} faults, {day.program.starts - 1} starts after a power cut, {verdicts.sure} sure and "
        f"{verdicts.unsure} unsure answers, {verdicts.refused} questions refused or unanswered "
        f"({dict(verdicts.refusals)}); an answer took {statistics.median(answers):.0f} ms, "
        f"95 % under {answers[int(0.95 * (len(answers) - 1))]:.0f} ms.",
        "",
        "| part | fault | times | back after, median s | longest s | not back |",
        "| --- | --- | ---: | ---: | ---: | ---: |",
    ]
    for (part, name), spells in sorted(by_kind.items()):
        back = sorted(spell.back_s for spell in spells if spell.back_s is not None)
        missing = sum(spell.ended_s is not None and spell.back_s is None for spell in spells)
        told = (f"{statistics.median(back):.1f}", f"{back[-1]:.1f}") if back else ("–", "–")
        lines.append(f"| {part} | {name} | {len(spells)} | {told[0]} | {told[1]} | {missing or ''} |")
    lines += ["", *(f"- wrong: {words}" for words in verdicts.wrong)]
    lines += [f"- crash, {times} times: {words}" for words, times in Counter(crashes_of(day)).most_common()]
    return "\n".join(lines) + "\n"


def faults_of(day: Day) -> str:
    """Return every fault with the time of the day at which it began, and the seconds until it ended and was back."""
    day_from_monotonic_s = time.time() - time.monotonic()
    lines = []
    for spell in day.spells:
        begun = time.strftime("%H:%M:%S", time.localtime(spell.begun_s + day_from_monotonic_s))
        lasted = "never ended" if spell.ended_s is None else f"ended after {spell.ended_s - spell.begun_s:.1f} s"
        back = "not back" if spell.back_s is None else f"back after {spell.back_s:.1f} s more"
        lines.append(f"{begun} {spell.trouble.part}: {spell.trouble.name}, {lasted}, {back}\n")
    return "".join(lines)


def _settled(program: Program) -> None:
    """Wait until the table is read for the first time."""
    until_s = time.monotonic() + SETTLED_S
    while True:
        with suppress(NoAnswer):
            live = program.ask("/now")["live"]
            if live is not None and live["holding"] == "now":
                return
        if time.monotonic() > until_s:
            raise click.ClickException(f"the table was not read within {SETTLED_S:.0f} s; see program.log")
        time.sleep(0.5)


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--minutes", default=20.0, show_default=True, help="How long the day takes.")
@click.option("--browser/--no-browser", "with_browser", default=True, help="Whether a browser shows the page.")
@click.option("--seed", default=1, show_default=True, help="Which faults befall it.")
def main(out: Path, minutes: float, with_browser: bool, seed: int) -> None:
    """Play a day at the table with a fault every second."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    seconds = 60 * minutes
    room = Room(max(LEAST_REACH_EVERY_S, REACH_EVERY_S * seconds / DAY_S))
    cable = StripCable(out.absolute() / "strip")
    program = Program(out, [f"--camera=http://127.0.0.1:{room.port}/video", f"--strip={out.absolute() / 'strip'}"])
    browser = TabletBrowser(f"http://127.0.0.1:{program.port}")
    browser.is_there = browser.is_there and with_browser
    ledger, referee = Ledger(program), Referee(program, room, out)
    ends: list[Callable[[], None]] = [room.end, cable.end]
    for one in (room, cable):
        one.start()
    program.start()
    try:
        program.wait_until_up()
        _settled(program)
        for one in (browser, ledger, referee):
            one.start()
        ends += [ledger.end, referee.end, browser.end]
        day = Day(program, room, cable, browser, random.Random(seed))
        day.run(seconds)
    finally:
        for end in reversed(ends):
            end()
        status = program.stop()
    if status != 0:
        day.crashes.append(f"it ended with the status {status}")
    ledger.join(15.0)
    goals = goals_of(day, referee, ledger.lost(out / "data"), ledger, seconds)
    table = table_of(day, goals, referee, seconds)
    (out / "soak.md").write_text(table)
    (out / "faults.txt").write_text(faults_of(day))
    click.echo(table)
    raise SystemExit(0 if all(goal.is_met for goal in goals) else 1)


if __name__ == "__main__":
    main()
