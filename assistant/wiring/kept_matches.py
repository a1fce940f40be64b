"""Matches in the data folder: begun, gone on with, and given a snapshot now and then."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from importlib import resources
from pathlib import Path

from assistant.documents import header_line, match_from_lines
from assistant.errors import StoreError, UnknownName
from assistant.match.chance import new_seed
from assistant.match.header import Header
from assistant.match.missions import Mission, mission_from_toml, new_header
from assistant.match.session import Session
from assistant.store import Store

SNAPSHOT_EVERY = 50
"""Events between two snapshots: few enough for a quick start, so many that they cost nothing while playing."""

log = logging.getLogger(__name__)


def shipped_missions() -> tuple[str, ...]:
    """The names of the missions that come with the program, sorted."""
    folder = resources.files("assistant") / "data" / "missions"
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml")))


def shipped_mission(name: str) -> Mission:
    """The mission of that name.

    Raises:
        UnknownName: none of that name comes with the program.
    """
    if name not in shipped_missions():
        raise UnknownName(f"there is no mission “{name}”; choose one of {', '.join(shipped_missions())}")
    return mission_from_toml((resources.files("assistant") / "data" / "missions" / f"{name}.toml").read_bytes(), name)


def now_ms() -> int:
    """Milliseconds since 1970, UTC."""
    return time.time_ns() // 1_000_000


class KeptMatches:
    """The matches of one data folder; each running one is there once, whoever asks for it.

    Args:
        folder: the data folder; only one program at a time may have it open.
        clock_ms: milliseconds since 1970, UTC.

    Raises:
        StoreError: the folder cannot be used, or another program has it open.
    """

    def __init__(self, folder: Path, clock_ms: Callable[[], int] = now_ms) -> None:
        self.store = Store(folder)
        self._clock_ms = clock_ms
        self._running: dict[str, Session] = {}

    def newest(self) -> str | None:
        """The name of the match that was begun last; None if there is none.

        Raises:
            DocumentError: what is kept of a match was changed.
        """
        headers = {name: match_from_lines(line, name).header for name, line in self.store.headers().items()}
        return max(headers, key=lambda name: (headers[name].get("created_t", 0), name), default=None)

    def begin(self, match_id: str, mission: Mission, options: Mapping[str, str]) -> Session:
        """A new match under a name that is free.

        Raises:
            StoreError: the name is taken, or nothing can be written.
            DocumentError: the mission is not what its rule set asks for, or the name is empty or too long.
        """
        created_t = self._clock_ms()
        made = new_header(mission, match_id=match_id, seed=new_seed(), created_t=created_t, options=options)
        header = Header.read(made.document())  # what cannot be read back is refused before it is kept
        session = Session(header, journal=self.store.journal(match_id), clock_ms=self._clock_ms)
        self.store.create(match_id, header_line(header.document()))
        return self._followed(match_id, session)

    def go_on(self, match_id: str) -> Session:
        """The match of that name, as it stood after its last event.

        Raises:
            UnknownName: there is none.
            DocumentError: what is kept of it was changed.
            StoreError: it cannot be read.
        """
        if match_id in self._running:
            return self._running[match_id]
        stored = self.store.load(match_id)
        journal = self.store.journal(match_id)
        session = Session.resumed(stored.lines, journal=journal, clock_ms=self._clock_ms, snapshot=stored.snapshot)
        session.wake()
        return self._followed(match_id, session)

    def close(self) -> None:
        """Keeps a last snapshot of every running match and lets other programs have the folder."""
        for match_id, session in self._running.items():
            self._keep_snapshot(match_id, session)
        self.store.close()

    def _followed(self, match_id: str, session: Session) -> Session:
        self._running[match_id] = session

        def snapshot_now_and_then(receipt: object) -> None:
            if session.seq % SNAPSHOT_EVERY == 0:
                self._keep_snapshot(match_id, session)

        session.subscribe(snapshot_now_and_then)
        return session

    def _keep_snapshot(self, match_id: str, session: Session) -> None:
        state = session.snapshot()
        if state is None:
            return
        try:
            self.store.keep_snapshot(match_id, state)
        except StoreError as problem:
            # The events are kept; only the next start takes a little longer.
            log.warning("no snapshot of the match %s: %s", match_id, problem)
