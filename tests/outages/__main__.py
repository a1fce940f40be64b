"""``make outages``: kills under load, and every trouble of disk and clock, against a real program.

    python -m tests.outages OUT [--kills N] [--seed N]

``OUT/outages.md`` holds the table; the exit status is 1 if an acknowledged note is lost, a traceback was written, or
the program is not back.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click

from tests.soak.ledger import RANGE, Ledger
from tests.soak.program import NoAnswer, Program

WRITERS = 4
WRITES_EVERY_S = 0.05
SPELL_S = 6.0
BACK_S = 20.0
DISK_MB = 48
STARTS = "failed-starts.json"
DAY_S = 86_400
CLOCK_DAYS = (1, -1, -20_000, 5_000)
TRACEBACK = "Traceback (most recent call last)"


@dataclass(frozen=True)
class Row:
    """The result of a trouble."""

    name: str
    acknowledged: int
    lost: int
    refusals: Mapping[tuple[object, ...], int]
    crashes: int
    back_s: float | None

    @property
    def is_sound(self) -> bool:
        return not self.lost and not self.crashes and self.back_s is not None


@contextmanager
def writing(program: Program) -> Iterator[list[Ledger]]:
    """Four writers at work."""
    ledgers = [Ledger(program, WRITES_EVERY_S, RANGE * n) for n in range(WRITERS)]
    for ledger in ledgers:
        ledger.start()
    try:
        yield ledgers
    finally:
        for ledger in ledgers:
            ledger.end()
        for ledger in ledgers:
            ledger.join(15.0)


def row_of(name: str, program: Program, ledgers: Sequence[Ledger], data: Path, back_s: float | None) -> Row:
    refusals: dict[tuple[object, ...], int] = {}
    for ledger in ledgers:
        for words, times in ledger.refusals.items():
            refusals[words] = refusals.get(words, 0) + times
    return Row(
        name,
        sum(len(ledger.acknowledged) for ledger in ledgers),
        sum(len(ledger.lost(data)) for ledger in ledgers),
        refusals,
        program.log.count(TRACEBACK),
        back_s,
    )


def back_after_s(ledgers: Sequence[Ledger]) -> float | None:
    """Return the seconds until a note is acknowledged again."""
    before, begun_s = sum(len(ledger.acknowledged) for ledger in ledgers), time.monotonic()
    while time.monotonic() < begun_s + BACK_S:
        if sum(len(ledger.acknowledged) for ledger in ledgers) > before:
            return time.monotonic() - begun_s
        time.sleep(0.05)
    return None


def killed(folder: Path, chance: random.Random, kills: int) -> Row:
    """Cut the power again and again while four write; return the result."""
    program, back_s = Program(folder), 0.0
    program.start()
    program.wait_until_up()
    with writing(program) as ledgers, click.progressbar(range(kills), label="kills") as bar:
        for _ in bar:
            time.sleep(chance.uniform(0.05, 1.5))
            program.kill()
            program.data.joinpath(STARTS).unlink(missing_ok=True)  # as if it had run for long: no safe mode
            program.start()
            begun_s = time.monotonic()
            program.wait_until_up()
            back_s = max(back_s, time.monotonic() - begun_s)
    program.stop()
    return row_of(f"killed {kills} times under load", program, ledgers, program.data, back_s)


def on_a_full_disk(folder: Path) -> Row:
    """Return a small disk of its own, which only the program sees, fills up."""
    data = folder / "data"
    data.mkdir()
    mount = f'mount -t tmpfs -o size={DISK_MB}m none {data} && exec "$@"'
    program = Program(folder, launcher=["unshare", "-rm", "sh", "-c", mount, "sh"])

    def within(command: str) -> None:
        enter = ["nsenter", "-t", str(program.pid), "-U", "--preserve-credentials", "-m", "sh", "-c", command]
        subprocess.run(enter, check=False, stderr=subprocess.DEVNULL)

    program.start()
    program.wait_until_up()
    with writing(program) as ledgers:
        time.sleep(2.0)
        within(f"cat /dev/zero > {data}/filled")
        time.sleep(SPELL_S)
        within(f"rm {data}/filled")
        back_s = back_after_s(ledgers)
    within(f"cp -a {data} {folder / 'kept'}")
    program.stop()
    return row_of("the disk is full", program, ledgers, folder / "kept", back_s)


def with_a_read_only_disk(folder: Path) -> Row:
    """Return every file turns read-only in mid-match, as after an error of the disk, and back."""
    program = shimmed(folder)
    program.start()
    program.wait_until_up()
    with writing(program) as ledgers:
        time.sleep(2.0)
        (folder / "readonly").touch()
        time.sleep(SPELL_S)
        (folder / "readonly").unlink()
        back_s = back_after_s(ledgers)
    program.stop()
    return row_of("the disk is read-only", program, ledgers, program.data, back_s)


def with_a_jumping_clock(folder: Path, jump_s: int) -> Row:
    """Return the clock jumps in mid-match, the program starts again under the wrong one, and it jumps back."""
    program, clock = shimmed(folder), folder / "clock"
    program.start()
    program.wait_until_up()
    with writing(program) as ledgers:
        time.sleep(2.0)
        clock.write_text(str(jump_s))
        time.sleep(SPELL_S)
        program.kill()
        program.start()
        program.wait_until_up()
        time.sleep(2.0)
        clock.write_text("0")
        time.sleep(2.0)
        back_s = back_after_s(ledgers)
    program.stop()
    return row_of(f"the clock jumps by {jump_s / DAY_S:+.0f} days", program, ledgers, program.data, back_s)


def without_locks(folder: Path) -> Row:
    """Run on a folder without file locks: the program runs, or gives its reason in a sentence."""
    program = shimmed(folder)
    (folder / "nolocks").touch()
    program.start()
    name = "a folder without locks"
    try:
        program.wait_until_up()
    except NoAnswer:
        words = program.log.strip().splitlines()[-1][:200]
        return Row(f"{name}: ended with “{words}”", 0, 0, {}, program.log.count(TRACEBACK), 0.0)
    with writing(program) as ledgers:
        back_s = back_after_s(ledgers)
        time.sleep(2.0)
    program.stop()
    return row_of(name, program, ledgers, program.data, back_s)


def shimmed(folder: Path) -> Program:
    """Return a program whose disk and clock are troubled by files of its folder."""
    library, source = folder / "shim.so", Path(__file__).parent / "shim.c"
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", str(library), str(source), "-ldl"], check=True)
    return Program(folder, environment={"LD_PRELOAD": str(library), "OUTAGES": str(folder)})


def table_of(rows: Sequence[Row]) -> str:
    lines = [
        "| trouble | acknowledged | lost | refused | tracebacks | back after s | |",
        "| --- |" + " ---: |" * 5 + " --- |",
    ]
    for row in rows:
        back = "–" if row.back_s is None else f"{row.back_s:.1f}"
        refused = sum(row.refusals.values())
        verdict = "sound" if row.is_sound else "NOT SOUND"
        lines.append(
            f"| {row.name} | {row.acknowledged} | {row.lost} | {refused} | {row.crashes} | {back} | {verdict} |"
        )
    lines += ["", "Refused with:", ""]
    said = {(row.name, words): times for row in rows for words, times in row.refusals.items() if words[0]}
    lines += [f"- {name}: {times} x {words[0]} {words[1]}" for (name, words), times in said.items()]
    return "\n".join(lines) + "\n"


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--kills", default=100, show_default=True, help="How often the power goes.")
@click.option("--seed", default=1, show_default=True, help="When it goes.")
def main(out: Path, kills: int, seed: int) -> None:
    """Kill, fill, freeze and mislead a program that people write into."""
    shutil.rmtree(out, ignore_errors=True)
    troubles: list[tuple[str, Callable[[Path], Row]]] = [
        ("full", on_a_full_disk),
        ("read-only", with_a_read_only_disk),
        ("unlocked", without_locks),
        *((f"clock {days}", partial(with_a_jumping_clock, jump_s=days * DAY_S)) for days in CLOCK_DAYS),
        ("killed", lambda folder: killed(folder, random.Random(seed), kills)),
    ]
    rows = []
    for name, trouble in troubles:
        folder = (out / name).absolute()
        folder.mkdir(parents=True)
        click.echo(name, err=True)
        rows.append(trouble(folder))
        (out / "outages.md").write_text(table_of(rows))
    click.echo(table_of(rows))
    sys.exit(0 if all(row.is_sound for row in rows) else 1)


if __name__ == "__main__":
    main()
