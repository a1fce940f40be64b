"""After two failed starts of the real table, the next start is a safe one with a way back."""

from __future__ import annotations

import urllib.request

import pytest

from assistant.app.care.examination import examine
from assistant.app.care.starts import SafeMode, Starts
from assistant.app.live.game_files import GameFiles
from assistant.cli import run, serving
from assistant.errors import BadValue, CannotDo
from assistant.hosting.process import StopSign
from assistant.profiles import Profiles
from assistant.settings import Settings
from assistant.translations.messages import said
from assistant.wiring.table import open_table
from tests.app.care.test_care import SETUP, TABLE


@pytest.fixture
def starts(tmp_path):
    return Starts(tmp_path / "data")


def test_a_start_that_says_nothing_has_failed_and_one_that_came_up_has_not(starts):
    with starts.counted(is_named=False):
        assert starts.failed == 1  # so it stands if the program is killed now
    assert starts.failed == 1
    starts.came_up()
    assert starts.failed == 0


@pytest.mark.parametrize(
    ("problem", "is_named", "counts"),
    [
        (BadValue(said("must be an object")), False, True),  # the stored set-up is unusable
        (BadValue(said("must be an object")), True, False),  # the set-up in this call is unusable
        (CannotDo(said("done")), False, False),  # the port or the data folder is taken
        (RuntimeError("a bug"), True, True),
    ],
)
def test_what_safe_mode_would_not_mend_is_no_failed_start(starts, problem, is_named, counts):
    for _ in range(2):
        with pytest.raises(type(problem)), starts.counted(is_named=is_named):
            raise problem
    assert starts.is_safe_due is counts
    told = [finding.state for finding in examine(Settings(data=starts.folder, port=0)) if finding.part == "program"]
    assert ("wrong" in told) is counts


@pytest.mark.parametrize("content", [b"", b"{}", b"true", b"\xff", b"-3"])
def test_a_damaged_count_is_none(starts, content):
    starts.folder.mkdir()
    (starts.folder / "failed-starts.json").write_bytes(content)
    assert not starts.is_safe_due
    with starts.counted(is_named=False):
        pass
    starts.came_up()
    assert starts.failed == 0


@pytest.fixture
def broken(tmp_path):
    """A data folder whose newest set-up names a table that is gone."""
    profiles = Profiles(tmp_path)
    profiles.keep("table", "home", TABLE)
    setup = profiles.keep("setup", "home", SETUP)
    profiles.path("table", "home").unlink()
    assert setup.exists()
    return tmp_path


def test_after_two_failed_starts_the_table_comes_up_and_says_why_and_then_tries_again(broken, monkeypatch, capsys):
    monkeypatch.setattr(StopSign, "wait", lambda _sign, meanwhile: None)
    monkeypatch.setattr(serving, "stop_on_signals", lambda _sign: None)
    start = ["run", "--host", "127.0.0.1", "--port", "0", "--strip", "auto", "--data", str(broken)]

    assert [run(start), run(start)] == [2, 2]
    assert "home" in capsys.readouterr().err

    assert run(start) == 0
    told = capsys.readouterr().err
    assert str(SafeMode.sentence) in told

    assert run(start) == 2  # the cause is still there, and an ordinary start meets it again


def test_a_table_in_safe_mode_has_no_camera_and_says_so_on_the_page(tmp_path):
    wanted = Settings(host="127.0.0.1", port=0, camera="usb:0", record=str(tmp_path / "film.slrec"), data=tmp_path)
    table = open_table(wanted, GameFiles(), is_simulated=False, is_safe=True)
    try:
        assert table.page.watcher.table is None
        assert table.tuio is None
        assert not (tmp_path / "film.slrec").exists()
        problem = next(problem for problem in table.page.problems.problems if problem.part == "safe")
        assert "start it again" in str(problem.error)
        with urllib.request.urlopen(f"{table.addresses[0]}/", timeout=20) as answer:
            assert answer.status == 200
    finally:
        table.close()
