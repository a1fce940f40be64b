"""Plays a match into a store and prints the number of each event once it is acknowledged, until it is killed.

Run as ``python write_until_killed.py FOLDER SEED``; the match goes on where the last run was stopped.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

try:
    import match_builders as build
    import match_players as players
except ImportError:
    # Loaded by the tests, which have both under names of their own.
    import sightline_tests_match_builders as build
    import sightline_tests_match_players as players

from assistant.documents import header_line
from assistant.match.missions import new_header
from assistant.match.session import Session
from assistant.store import Store

MATCH = "m"
SNAPSHOT_EVERY = 20


def clock_ms() -> int:
    return time.time_ns() // 1_000_000


def opened(store: Store) -> Session:
    """Return the match of the store, begun if there is none."""
    if MATCH not in store.matches():
        header = new_header(build.mission(build.TUTORIAL), match_id=MATCH, seed="kill", created_t=0, options={})
        journal = store.create(MATCH, header_line(header.document()))
        return Session(header, journal=journal, clock_ms=clock_ms)
    stored = store.load(MATCH)
    return Session.resumed(stored.lines, journal=store.journal(MATCH), clock_ms=clock_ms, snapshot=stored.snapshot)


def write(folder: Path, seed: int, tell: Callable[[str], None]) -> None:
    """Play forever; report ``ready``, then the number of each event once it is acknowledged."""
    whims = random.Random(seed)
    with Store(folder) as store:
        session = opened(store)
        session.subscribe(lambda receipt: tell(str(receipt.seq)))
        match = build.Played(session, build.Lines())
        tell("ready")
        while True:
            if match.game.winner is not None:
                match.do("undo", by=build.JUDGE, to=0)
            players.take_a_step(match, whims)
            if session.seq % SNAPSHOT_EVERY == 0:
                snapshot = session.snapshot()
                if snapshot is not None:
                    store.keep_snapshot(MATCH, snapshot)


def forked(folder: Path, seed: int) -> tuple[int, IO[str]]:
    """Fork a process that writes; return its id and its output.

    It is forked, not started anew, because a thousand starts of Python would take most of an hour.
    """
    heard, told = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(heard)
        try:
            write(folder, seed, lambda word: os.write(told, word.encode() + b"\n"))
        finally:
            os._exit(1)
    os.close(told)
    return process, os.fdopen(heard)


def print_line(word: str) -> None:
    """Print one line on standard output, unbuffered."""
    sys.stdout.write(word + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]), print_line)
