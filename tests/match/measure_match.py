"""Figures of the match: how fast 10,000 events are read and folded, and how soon a command is acknowledged.

Run as ``python tests/match/measure_match.py [FOLDER]``; the folder should lie on the disk that is meant.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import match_builders as build
import match_players as players

from assistant.documents import header_line, match_from_lines
from assistant.match.games import system_of
from assistant.match.header import Header
from assistant.match.missions import new_header
from assistant.match.session import Session, event_from
from assistant.match.timeline import Timeline, fold
from assistant.store import Store

EVENTS = 10_000
COMMANDS = 2_000


def long_match(event_count: int, mission: str = build.TUTORIAL) -> bytes:
    """Return a match of ``event_count`` events: played by chance, taken back when it ends, and played again."""
    match, whims = build.begun(build.mission(mission), seed="long"), random.Random(1)
    while match.session.seq < event_count:
        if match.game.winner is not None:
            match.do("undo", by=build.JUDGE, to=0)
        players.take_a_step(match, whims)
    return match.document()


def folding_s(data: bytes) -> tuple[float, float]:
    """Seconds of the processor for the fold alone, and for reading, checking the chain, decoding and folding."""
    began = time.process_time()
    log = match_from_lines(data)
    header = Header.read(log.header)
    system = system_of(header.ruleset)
    events = [event_from(raw, system) for raw in log.events]
    decoded = time.process_time()
    fold(Timeline(system.start(header.setup, header.options, header.seed), header.clock()), events)
    ended = time.process_time()
    return ended - decoded, ended - began


def acknowledging_ms(folder: Path, count: int) -> list[float]:
    """Milliseconds from each command to its receipt, through a store that waits for the disk."""
    header = new_header(build.mission(build.TUTORIAL), match_id="m", seed="s", created_t=0, options={})
    times_ms = []
    with Store(folder) as store:
        journal = store.create("m", header_line(header.document()))
        match = build.Played(Session(header, journal=journal, clock_ms=build.counting_clock()), build.Lines())
        whims = random.Random(1)
        while len(times_ms) < count:
            if match.game.winner is not None:
                match.do("undo", by=build.JUDGE, to=0)
            seq, began = match.session.seq, time.perf_counter()
            players.take_a_step(match, whims)
            if match.session.seq == seq + 1:
                times_ms.append(1_000 * (time.perf_counter() - began))
    return times_ms


def main(arguments: list[str]) -> None:
    fold_s, all_s = folding_s(long_match(EVENTS))
    sys.stdout.write(f"{EVENTS:,} events: fold {fold_s:.2f} s, with reading and checking the chain {all_s:.2f} s\n")
    with tempfile.TemporaryDirectory(dir=arguments[0] if arguments else None) as folder:
        times_ms = acknowledging_ms(Path(folder), COMMANDS)
    cuts = statistics.quantiles(times_ms, n=100)
    told = f"median {cuts[49]:.1f} ms, 99th percentile {cuts[98]:.1f} ms, most {max(times_ms):.1f} ms"
    sys.stdout.write(f"{COMMANDS:,} commands: {told}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
