"""Two programs that save into one data folder at once: each finds what the other saved."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from assistant import kept_files
from assistant.app.teaching.library import TaughtGames
from assistant.errors import StoreError
from assistant.kept_files import ChangeLock

ROOT = Path(__file__).parents[3]

TEACH = """
import sys
from pathlib import Path
from assistant.app.teaching.library import TaughtGames
from assistant.table.roster import RosterFigure
games = TaughtGames(Path(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
for _ in range(15):
    with games.keeping:
        name = games.free_id("box", "imp")
        games.keep_figure("box", RosterFigure(name, "imp", "demons", (1, 1), 22.0, 30.0))
"""

HOLD = """
import sys
from pathlib import Path
from assistant.kept_files import ChangeLock
with ChangeLock(Path(sys.argv[1])):
    print("ready", flush=True)
    sys.stdin.readline()
"""


def started(script: str, path: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", script, str(path)]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def test_two_programs_that_teach_into_one_roster_lose_no_figure(tmp_path: Path) -> None:
    programs = [started(TEACH, tmp_path) for _ in range(2)]
    for program in programs:
        assert program.stdin is not None
        program.stdin.write("go\n")
        program.stdin.flush()
    for program in programs:
        program.communicate()
        assert program.returncode == 0

    roster = TaughtGames(tmp_path).roster("box")

    assert roster is not None
    assert len({figure.id for figure in roster.figures}) == 30


def test_a_program_that_goes_on_saving_is_waited_for_and_then_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "profiles" / ".lock"
    path.parent.mkdir()
    holder = started(HOLD, path)
    monkeypatch.setattr(kept_files, "_WAIT_S", 0.1)
    begun_s = time.monotonic()
    with pytest.raises(StoreError, match="Wait until it is done"), ChangeLock(path):
        pass
    assert time.monotonic() - begun_s >= 0.1
    holder.communicate("go\n")

    lock = ChangeLock(path)
    with lock, lock:  # the thread that holds it may take it again
        pass
    with ChangeLock(path):
        pass
