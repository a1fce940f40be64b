"""The match at the table: which one is played, and that it resumes after a restart of the server."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from assistant.app.matches.archive import KeptMatches, load_shipped_mission
from assistant.app.matches.choice import MatchChoice, choose_match, open_sample_match
from assistant.errors import BadValue, DocumentError, StoreError, UnknownName

TUTORIAL = "doom2016_tutorial_sample"


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[KeptMatches]:
    matches = KeptMatches(tmp_path, lambda: 1_000)
    yield matches
    matches.close()


def test_without_a_wish_the_match_begun_last_goes_on(kept: KeptMatches) -> None:
    assert choose_match(kept, MatchChoice()) is None
    choose_match(kept, MatchChoice("a", "roads_bridge_sample"))
    last = choose_match(kept, MatchChoice("b", TUTORIAL))
    assert choose_match(kept, MatchChoice()) is last


def test_a_mission_names_its_match_and_goes_on_when_it_is_there(kept: KeptMatches, tmp_path: Path) -> None:
    begun = choose_match(kept, MatchChoice(mission=TUTORIAL))
    assert begun is not None
    assert begun.header.id == TUTORIAL
    assert choose_match(kept, MatchChoice(mission=TUTORIAL)) is begun
    own = tmp_path / "own.toml"
    own.write_text('ruleset = "roads"\ntitle = "Own"\n[setup]\n')
    with pytest.raises(DocumentError, match="set-up"):
        choose_match(kept, MatchChoice(mission=str(own)))
    assert "own" not in kept.store.matches()


def test_another_mission_does_not_go_on_under_a_name_that_is_taken(kept: KeptMatches) -> None:
    choose_match(kept, MatchChoice("m", TUTORIAL))
    with pytest.raises(StoreError, match="--match"):
        choose_match(kept, MatchChoice("m", "roads_bridge_sample"))
    with pytest.raises(UnknownName, match="Choose one"):
        choose_match(kept, MatchChoice("other"))


@pytest.mark.parametrize("name", ["", "n" * 201])
def test_a_name_that_could_not_be_read_back_is_refused_before_it_is_kept(kept: KeptMatches, name: str) -> None:
    with pytest.raises(BadValue):
        kept.begin(name, load_shipped_mission(TUTORIAL), {})
    assert kept.store.matches() == ()


def test_the_demos_match_begins_once(kept: KeptMatches) -> None:
    begun = open_sample_match(kept)
    assert begun.timeline.game.round == 1
    assert open_sample_match(kept).seq == begun.seq


def program(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", "from assistant.cli import main; main()", *arguments]
    place = ["--port", "0", "--host", "127.0.0.1", "--data", str(folder)]
    pipe = subprocess.PIPE
    return subprocess.Popen([*command, *place], stdout=pipe, stderr=pipe, text=True, env=dict(os.environ))


@contextmanager
def served(folder: Path, *arguments: str, end: int) -> Iterator[str]:
    """Yield the running program's address; send that signal at the end."""
    process = program(folder, *arguments)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.send_signal(end)
        process.communicate(timeout=20)


def asked(address: str, path: str, command: dict[str, Any] | None = None) -> Any:
    data = None if command is None else json.dumps(command).encode()
    headers = {"X-Sightline": "1", "Content-Type": "application/json"}
    request = urllib.request.Request(f"{address}/api/v1{path}", data=data, headers=headers)
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.loads(answer.read())


def test_a_match_is_there_again_after_the_server_was_killed(tmp_path: Path) -> None:
    with served(tmp_path, "run", "--mission", TUTORIAL, end=signal.SIGKILL) as address:
        asked(address, "/match/commands", {"type": "status"})
        before = asked(address, "/match/commands", {"type": "note", "text": "the lights went out"})

    with served(tmp_path, "run", end=signal.SIGTERM) as address:
        after = asked(address, "/match")
        again = asked(address, "/match/commands", {"type": "note", "text": "and came back"})

    assert after["view"]["match"] == before["view"]["match"]
    # The program records its absence, so that no clock counts the time in between.
    assert (after["view"]["seq"], after["view"]["notes"]) == (3, before["view"]["notes"])
    assert after["view"]["history"] == before["view"]["history"]
    assert again["view"]["seq"] == 4


def test_two_servers_do_not_share_a_folder(tmp_path: Path) -> None:
    with served(tmp_path, "run", end=signal.SIGTERM):
        second = program(tmp_path, "demo")
        output, errors = second.communicate(timeout=60)

    assert (second.returncode, output) == (1, "")
    assert "Another Sightline has the data folder" in errors
    assert len(errors.strip().splitlines()) == 1


def test_a_folder_that_cannot_be_one_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    process = program(tmp_path / "file" / "deeper", "run")
    output, errors = process.communicate(timeout=60)

    assert (process.returncode, output) == (1, "")
    assert "The data folder cannot be used" in errors
    assert len(errors.strip().splitlines()) == 1
