from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from dataclasses import fields
from pathlib import Path

import pytest

from assistant.cli import run
from assistant.cli.options import DEMO_DATA
from assistant.cli.serving import list_other_links
from assistant.errors import BadValue
from assistant.settings import Settings


def test_a_machine_without_a_screen_is_owned_from_a_tablet():
    addresses = ("http://127.0.0.1:8642", "http://192.168.1.5:8642")

    assert list_other_links("http://127.0.0.1:8642/setup#join=abc", addresses) == [
        "http://192.168.1.5:8642/setup#join=abc"
    ]
    assert list_other_links("https://10.0.0.2:1/#join=abc", ("https://10.0.0.2:1",)) == []


def test_the_demo_keeps_its_matches_apart_from_those_of_real_tables(monkeypatch):
    opened = {}
    monkeypatch.delenv("SIGHTLINE_DATA", raising=False)
    monkeypatch.setattr("assistant.cli.running.serve", lambda options, **_: opened.update(options))

    assert run(["demo"]) == 0
    assert opened["data"] == DEMO_DATA
    assert Settings().data != DEMO_DATA
    assert run(["demo", "--data", "here"]) == 0
    assert opened["data"] == Path("here")


@pytest.mark.parametrize("wrong", [{"port": 70_000}, {"port": -1}, {"devices": 0}, {"devices": 1000}])
def test_a_setting_out_of_its_range_is_named(wrong):
    with pytest.raises(BadValue, match=next(iter(wrong))):
        Settings(**wrong)


def test_the_port_is_not_5000_and_every_setting_says_what_it_does():
    assert Settings().port != 5000
    assert fields(Settings)[0].name == "host"
    for setting in fields(Settings):
        assert setting.metadata["sentence"].endswith(".")


def begin(tmp_path: Path, *arguments: str) -> subprocess.Popen[str]:
    program = [sys.executable, "-c", "from assistant.cli import main; main()", *arguments, "--data", str(tmp_path)]
    return subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ))


def own(tmp_path: Path) -> str:
    """Return the output of ``sightline owner``."""
    program = [sys.executable, "-c", "from assistant.cli import main; main()", "owner", "--data", str(tmp_path)]
    return subprocess.run(program, stdout=subprocess.PIPE, text=True, timeout=60, check=True).stdout


def join(address: str, token: str) -> None:
    """Join as the owner, with a link."""
    body = json.dumps({"code": token}).encode()
    headers = {"X-Sightline": "1", "Content-Type": "application/json"}
    asked = urllib.request.Request(f"{address}/api/v1/join", body, headers)
    with urllib.request.urlopen(asked, timeout=20) as answer:
        assert json.loads(answer.read())["role"] == "owner"


def test_a_demo_is_stopped_without_a_trace_before_it_is_up(tmp_path):
    process = begin(tmp_path, "demo", "--port", "0", "--host", "127.0.0.1")
    deadline_s = time.monotonic() + 60
    while not (tmp_path / "sightline.db").exists() and time.monotonic() < deadline_s:
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=60)

    assert process.returncode == 0
    assert "leaked" not in errors


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_demo_prints_its_address_answers_and_stops_on_a_signal(tmp_path, number):
    process = begin(tmp_path, "demo", "--port", "0", "--host", "127.0.0.1")
    try:
        address = process.stdout.readline().strip()
        with urllib.request.urlopen(f"{address}/api/v1/setup", timeout=20) as answer:
            setup = json.loads(answer.read())
        owned = own(tmp_path)
        join(address, owned.partition("#join=")[2].strip())
        process.send_signal(number)
        output, errors = process.communicate(timeout=20)
    finally:
        process.kill()
        process.wait()

    assert setup["is_simulated"] is True
    assert (process.returncode, output) == (0, "")
    assert "Traceback" not in errors
    assert "leaked" not in errors
    assert f"{address}/#join=" in owned
    assert run(["owner", "--data", str(tmp_path)]) == 1  # it runs no more


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["run", "--table", "absent.json"], 2, "absent.json"),
        (["run", "--tiles", "absent"], 2, "absent"),
        (["demo", "--port", "70000"], 2, "port"),
        (["demo", "--guests", "owner"], 2, "guests"),
        (["run", "--camera", "webcam"], 2, "usb:0"),
        (["run", "--camera", "replay:absent.slrec"], 2, "absent.slrec"),
    ],
)
def test_a_wrong_argument_ends_with_one_sentence(tmp_path, arguments, status, words):
    process = begin(tmp_path, *arguments)
    output, errors = process.communicate(timeout=60)

    assert (process.returncode, output) == (status, "")
    assert words in errors
    assert len(errors.strip().splitlines()) == 1
