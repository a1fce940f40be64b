from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request
from dataclasses import fields
from pathlib import Path

import pytest

from assistant.cli.serving import list_other_links
from assistant.errors import BadValue
from assistant.settings import Settings


def test_a_machine_without_a_screen_is_owned_from_a_tablet():
    addresses = ("http://127.0.0.1:8642", "http://192.168.1.5:8642")

    assert list_other_links("http://127.0.0.1:8642/setup#join=abc", addresses) == [
        "http://192.168.1.5:8642/setup#join=abc"
    ]
    assert list_other_links("https://10.0.0.2:1/#join=abc", ("https://10.0.0.2:1",)) == []


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


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_demo_prints_its_address_answers_and_stops_when_told(tmp_path, number):
    process = begin(tmp_path, "demo", "--port", "0", "--host", "127.0.0.1")
    try:
        address = process.stdout.readline().strip()
        with urllib.request.urlopen(f"{address}/api/v1/setup", timeout=20) as answer:
            setup = json.loads(answer.read())
        process.send_signal(number)
        output, errors = process.communicate(timeout=20)
    finally:
        process.kill()
        process.wait()

    assert setup["is_simulated"] is True
    assert (process.returncode, output) == (0, "")
    assert "Traceback" not in errors


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
