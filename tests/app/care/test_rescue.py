"""A damaged match file: the program opens it, keeps the readable part, and fills the rest from the evening's export."""

from __future__ import annotations

import datetime
import random
import sqlite3
from contextlib import closing

import pytest

from assistant.app.care.evening import KEPT, EveningExport, export_all, list_exports, newest_export
from assistant.app.care.rescue import open_matches
from assistant.app.matches.archive import KeptMatches, load_shipped_mission
from assistant.match.actor import TABLE
from assistant.store import DATABASE, DamagedStore, Store

STEPS = 60


@pytest.fixture
def folder(tmp_path):
    """A data folder with two matches, one of many steps, and its last export."""
    kept = KeptMatches(tmp_path)
    for name in ("early", "late"):
        session = kept.begin(name, load_shipped_mission("doom2016_sample_table"), {})
        session.command({"type": "status"}, TABLE)
    for _ in range(STEPS):
        session.command({"type": "stun", "figure": "ranger-1", "on": True}, TABLE)
        session.command({"type": "stun", "figure": "ranger-1", "on": False}, TABLE)
    kept.close()
    with closing(sqlite3.connect(tmp_path / DATABASE)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return tmp_path


def overwrite(path, start: int, count: int = 4096) -> None:
    with path.open("r+b") as file:
        file.seek(start)
        file.write(random.Random(1).randbytes(count))


def test_a_whole_file_is_opened_as_it_is(folder):
    matches, rescued = open_matches(folder)
    assert rescued is None
    matches.close()


@pytest.mark.parametrize("place", ["header", "middle", "end", "cut", "empty of pages", "no database"])
def test_the_program_opens_with_what_can_be_read(folder, place):
    path = folder / DATABASE
    size = path.stat().st_size
    match place:
        case "header":
            overwrite(path, 0, 100)
        case "middle":
            overwrite(path, size // 2 // 4096 * 4096, 8192)
        case "end":
            overwrite(path, size - 4096)
        case "cut":
            path.write_bytes(path.read_bytes()[: size // 2])
        case "empty of pages":
            path.write_bytes(b"SQLite format 3\0" + bytes(size - 16))
        case _:
            path.write_bytes(b"\xff" * 5000)
    with pytest.raises(DamagedStore):
        Store(folder)
    matches, rescued = open_matches(folder)
    try:
        assert "The damaged file is kept as sightline.db.damaged-" in str(rescued)
        for name in matches.store.matches():
            assert matches.go_on(name).seq >= 0
        matches.begin("new", load_shipped_mission("doom2016_sample_table"), {})
    finally:
        matches.close()
    assert list(folder.glob("sightline.db.damaged-*"))
    again, rescued = open_matches(folder)
    assert rescued is None
    again.close()


def test_a_part_that_is_damaged_costs_no_other_match(folder):
    path = folder / DATABASE
    overwrite(path, path.stat().st_size - 2 * 4096, 4096)
    matches, _ = open_matches(folder)
    assert set(matches.store.matches()) == {"early", "late"}
    assert matches.go_on("early").seq == 2  # with the waking of its clocks
    assert matches.go_on("late").seq > 0
    matches.close()


def test_the_export_of_the_evening_brings_everything_back(folder):
    with Store(folder) as store:
        export_all(store, folder, datetime.date(2026, 11, 26))
    (folder / DATABASE).write_bytes(b"\xff" * 5000)
    matches, rescued = open_matches(folder)
    assert f"2 matches with {2 + 2 * STEPS} steps" in str(rescued)
    assert matches.go_on("late").seq == 2 + 2 * STEPS
    matches.close()


def test_of_a_match_the_longer_form_stays(folder):
    with Store(folder) as store:
        export_all(store, folder, datetime.date(2026, 11, 26))
    kept = KeptMatches(folder)
    kept.go_on("early").command({"type": "stun", "figure": "ranger-1", "on": True}, TABLE)
    kept.close()
    path = folder / DATABASE
    overwrite(path, path.stat().st_size - 2 * 4096, 4096)
    matches, _ = open_matches(folder)
    assert matches.go_on("late").seq == 2 + 2 * STEPS
    assert matches.go_on("early").seq >= 1
    matches.close()


def test_it_exports_once_an_evening_and_at_the_end_and_keeps_a_week(folder):
    with Store(folder) as store:
        times = [datetime.datetime(2026, 11, day, hour) for day in range(1, 10) for hour in (12, 21, 22, 23)]
        export = EveningExport(store, folder, lambda: times[0])
        done = 0
        while times:
            done += export.look()
            times = times[1:] if len(times) > 1 else []
            if times:
                export.now = lambda at=times[0]: at
        assert done == 9
        assert len(list_exports(folder)) == KEPT
        export.now = lambda: datetime.datetime(2026, 11, 20, 15)
        export.close()
    assert list_exports(folder)[-1].name == "sightline-2026-11-20.zip"
    assert list_exports(folder)[-1].stat().st_mode & 0o077 == 0
    assert set(newest_export(folder)) == {"early", "late"}


def test_a_damaged_export_is_left_out(folder):
    with Store(folder) as store:
        export_all(store, folder, datetime.date(2026, 11, 25))
    (folder / "exports" / "sightline-2026-11-26.zip").write_bytes(b"PK\x03\x04nonsense")
    assert set(newest_export(folder)) == {"early", "late"}
