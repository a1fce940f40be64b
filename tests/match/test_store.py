"""The store: acknowledged events are there, and every failure is one sentence without damage."""

from __future__ import annotations

import errno
import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from assistant.documents import header_line, match_from_lines, match_lines
from assistant.errors import DocumentError, StoreError, UnknownName
from assistant.match.actor import JUDGE, TABLE
from assistant.match.missions import new_header
from assistant.match.session import Session
from assistant.store import FULL, Store

WRITER = Path(__file__).with_name("write_until_killed.py")
KILLS_QUICK, KILLS_ALL = 30, 1_000
KILLS_A_MATCH = 50


@pytest.fixture
def kept(build: ModuleType, tmp_path: Path) -> Any:
    """A new match in a store of its own, with the store."""
    store = Store(tmp_path / "data")
    header = new_header(build.mission(build.TUTORIAL), match_id="m", seed="s", created_t=0, options={})
    journal = store.create("m", header_line(header.document()))
    session = Session(header, journal=journal, clock_ms=build.counting_clock())
    yield store, session
    store.close()


def hurt(session: Session, count: int = 1) -> None:
    if session.seq == 0:
        session.command({"type": "status"}, TABLE)
    for _ in range(count):
        session.command({"type": "damage", "figure": "alpha", "amount": 1}, TABLE)


def reopened(folder: Path) -> Session:
    with Store(folder) as store:
        stored = store.load("m")
        return Session.resumed(stored.lines, journal=None, clock_ms=lambda: 0, snapshot=stored.snapshot)


def test_a_match_is_there_again_after_closing_with_and_without_a_snapshot(kept: Any, tmp_path: Path) -> None:
    store, session = kept
    hurt(session, 3)
    store.keep_snapshot("m", session.snapshot())
    hurt(session, 2)
    store.close()
    assert reopened(tmp_path / "data").timeline.game == session.timeline.game


def test_two_servers_never_share_a_data_folder(kept: Any, tmp_path: Path) -> None:
    store, _ = kept
    with pytest.raises(StoreError, match="Another Sightline"):
        Store(tmp_path / "data")
    store.close()
    Store(tmp_path / "data").close()


@pytest.mark.skipif(sys.platform == "win32", reason="flock is of POSIX")
def test_a_disk_without_locks_is_not_taken_for_another_sightline(monkeypatch, tmp_path: Path) -> None:
    def no_locks(*_: Any) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", no_locks)
    with pytest.raises(StoreError, match="on a disk without file locks"):
        Store(tmp_path)


def test_the_database_waits_for_the_disk_at_every_commit(kept: Any) -> None:
    store, _ = kept
    assert store._db.execute("PRAGMA synchronous").fetchone() == (2,), "2 is FULL"
    assert store._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_names_are_taken_once_and_unknown_ones_refused(kept: Any) -> None:
    store, _ = kept
    with pytest.raises(StoreError, match="is taken"):
        store.create("m", b"{}")
    with pytest.raises(UnknownName):
        store.load("n")
    store.append("m", 1, b"a")
    with pytest.raises(StoreError, match="already"):
        store.append("m", 1, b"b")


def test_a_match_is_exported_and_imported_whole(kept: Any) -> None:
    store, session = kept
    hurt(session, 4)
    data = store.exported("m")
    store.imported(data, "copy")
    assert store.exported("copy") == data
    assert store.matches() == ("copy", "m")
    with pytest.raises(StoreError, match="is taken"):
        store.imported(data, "copy")


def test_a_tampered_match_is_not_imported_at_all(kept: Any) -> None:
    store, session = kept
    hurt(session, 4)
    lines = store.exported("m").splitlines()
    for spoilt in (
        [*lines[:2], *lines[3:]],
        [*lines[:3], lines[3].replace(b'"amount":1', b'"amount":9'), *lines[4:]],
        [*lines[:-1], lines[-1][:-20]],
        [lines[0].replace(b"doom2016", b"doom2004"), *lines[1:]],
    ):
        with pytest.raises(DocumentError):
            store.imported(match_lines(spoilt), "copy")
    assert store.matches() == ("m",)


class Failing:
    """A connection whose commits fail like SQLite's, that many times."""

    def __init__(self, db: sqlite3.Connection, message: str, count: int, code: int) -> None:
        self._db, self._message, self.count, self._code = db, message, count, code

    def __getattr__(self, name: str) -> Any:
        return getattr(self._db, name)

    def execute(self, statement: str, *values: Any) -> Any:
        if statement == "COMMIT" and self.count:
            self.count -= 1
            problem = sqlite3.OperationalError(self._message)
            problem.sqlite_errorcode = self._code
            raise problem
        return self._db.execute(statement, *values)


@pytest.mark.parametrize(
    ("code", "sentence"),
    [(sqlite3.SQLITE_FULL, str(FULL)), (sqlite3.SQLITE_IOERR, "repeat the step"), (sqlite3.SQLITE_READONLY, "rights")],
)
def test_a_write_that_fails_loses_nothing_and_can_be_repeated(
    kept: Any, tmp_path: Path, code: int, sentence: str
) -> None:
    store, session = kept
    hurt(session, 2)
    store._db = Failing(store._db, "no", 3, code)
    for _ in range(3):
        with pytest.raises(StoreError, match=sentence):
            hurt(session)
    hurt(session)
    store.close()
    assert reopened(tmp_path / "data").timeline.game.piece("alpha").harm == 3


def fill(folder: Path, limit_bytes: int) -> subprocess.CompletedProcess[str]:
    """Run a writer whose files may not exceed that size, which acts like a full disk."""

    def limited() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, limit_bytes))

    command = [sys.executable, str(WRITER), str(folder), "1"]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, preexec_fn=limited, check=False)


def test_a_file_that_may_not_grow_ends_in_one_sentence_and_no_damage(tmp_path: Path) -> None:
    done = fill(tmp_path / "data", 100_000)
    assert done.returncode != 0
    assert "StoreError" in done.stderr.splitlines()[-1]
    acknowledged = [int(word) for word in done.stdout.split() if word.isdigit()]
    assert acknowledged
    assert reopened(tmp_path / "data").seq >= acknowledged[-1]


@pytest.mark.skipif(os.geteuid() != 0 or sys.platform != "linux", reason="mounting a small disk needs rights")
def test_a_full_disk_ends_in_one_sentence_and_no_damage(kept: Any, tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", str(small)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("this system does not let us mount a small disk")
    try:
        _fill_to_the_brim(small, kept[1])
    finally:
        subprocess.run(["umount", str(small)], check=True)


def _fill_to_the_brim(folder: Path, session: Session) -> None:
    with Store(folder / "data") as store:
        store.create("m", header_line(session.header.document()))
        session._journal = store.journal("m")
        with pytest.raises(StoreError, match=str(FULL)):
            write_notes(session, 10_000)
    assert session.seq > 10
    assert reopened(folder / "data").seq == session.seq


def write_notes(session: Session, count: int) -> None:
    for _ in range(count):
        session.command({"type": "note", "text": "x" * 1_000}, JUDGE)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 0.98])
def test_a_database_that_was_cut_short_is_refused_with_a_sentence_or_empty(
    kept: Any, tmp_path: Path, share: float
) -> None:
    store, session = kept
    write_notes(session, 40)
    store.close()
    file = tmp_path / "data" / "sightline.db"
    size = file.stat().st_size
    os.truncate(file, int(size * share))
    if share == 0.0:
        with Store(tmp_path / "data") as again:
            assert again.matches() == ()
        return
    with pytest.raises(StoreError, match="import your last export"):
        Store(tmp_path / "data").load("m")


def test_a_log_that_was_cut_short_still_gives_a_chain_without_a_gap(kept: Any, tmp_path: Path) -> None:
    store, session = kept
    write_notes(session, 30)
    wal = tmp_path / "data" / "sightline.db-wal"
    copies = tmp_path / "copies"
    whole_db, whole_wal = (tmp_path / "data" / "sightline.db").read_bytes(), wal.read_bytes()
    for cut in (0.2, 0.5, 0.9):
        folder = copies / str(cut)
        folder.mkdir(parents=True)
        (folder / "sightline.db").write_bytes(whole_db)
        (folder / "sightline.db-wal").write_bytes(whole_wal[: int(len(whole_wal) * cut)])
        with Store(folder) as again:
            for name in again.matches():
                assert len(match_from_lines(match_lines(again.load(name).lines)).events) <= session.seq
    assert store.matches() == ("m",)


def test_killing_the_writer_at_any_moment_loses_nothing_that_was_acknowledged(
    writer: ModuleType, tmp_path: Path
) -> None:
    assert killed_often(writer, tmp_path / "data", KILLS_QUICK) == 0


@pytest.mark.slow
@pytest.mark.timeout(7_200)
def test_killing_the_writer_a_thousand_times_loses_nothing_that_was_acknowledged(
    writer: ModuleType, tmp_path: Path
) -> None:
    assert killed_often(writer, tmp_path / "data", KILLS_ALL) == 0


def killed_often(writer: ModuleType, folder: Path, kills: int) -> int:
    """Return the number of acknowledged events lost over that many kills at random moments."""
    moments, lost, written = random.Random(7), 0, 0
    for number in range(kills):
        # A fresh match now and then, since the checks below read all of it every time.
        place = folder / str(number // KILLS_A_MATCH)
        if number % KILLS_A_MATCH == 0:
            written = 0
        acknowledged = _killed_once(writer, place, number, moments.uniform(0.0, 0.08))
        session = reopened(place)  # opens the database, checks the chain, folds it
        lost += max(0, acknowledged - session.seq)
        assert session.seq >= written
        written = session.seq
    assert written > 0
    return lost


def _killed_once(writer: ModuleType, folder: Path, seed: int, after_s: float) -> int:
    """Return the last number that a writer acknowledged before it was killed that long after it was ready."""
    process, heard = writer.forked(folder, seed)
    with heard:
        assert heard.readline().strip() == "ready"
        time.sleep(after_s)
        os.kill(process, signal.SIGKILL)
        told = heard.read().split()
    os.waitpid(process, 0)
    return int(told[-1]) if told and told[-1].isdigit() else 0


@pytest.mark.skipif(os.name == "nt", reason="Windows tells rights otherwise")
def test_what_a_side_keeps_to_itself_is_not_for_other_users_of_the_machine(tmp_path):
    with Store(tmp_path / "data") as store:
        store.create("m", b"{}")
        files = sorted((tmp_path / "data").glob("sightline.db*"))
        assert len(files) > 1, "the database and its log"
        assert [file.name for file in files if file.stat().st_mode & 0o077] == []
