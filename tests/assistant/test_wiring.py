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

import numpy as np
import pytest

from assistant.errors import BadValue, CameraLost, TooFewMarkers
from assistant.settings import Settings, setting_names
from assistant.wiring.addresses import own_names, page_addresses
from assistant.wiring.game_files import GameFiles, game_from_files
from assistant.wiring.live import TableWatch
from assistant.wiring.reader import GameReader, shown
from assistant.wiring.simulated import sample_game, simulated_camera
from vision.photo import decode_photo
from web.attempts import AttemptLog
from web.devices import DeviceList
from web.events import EventHub
from web.roles import Role
from web.rulebook import RuleBook
from web.state import PageState


@pytest.fixture(scope="module")
def sample():
    return sample_game()


@pytest.fixture
def state(sample):
    devices = DeviceList(Role.PLAYER, AttemptLog(), time.time)
    return PageState(GameReader(sample), RuleBook(), EventHub(boot="b", max_streams=2), devices, has_live=True)


class Frames:
    """A camera that hands out prepared frames and faults."""

    def __init__(self, *frames):
        self.frames = list(frames)

    def frame(self):
        frame = self.frames.pop(0)
        if isinstance(frame, Exception):
            raise frame
        return frame


def test_the_sample_table_is_watched_and_shown(sample, state):
    shots = []
    watch = TableWatch(simulated_camera(), GameReader(sample), state, on_shot=shots.append)

    assert watch.step()
    assert len(shots[0].board.figures) >= 5
    assert state.shelf.latest_live() is shots[0]
    assert [event.kind for event in state.hub.events_after(0, 0)] == ["live"]


def test_a_fault_of_the_camera_is_told_and_cleared(sample, state):
    blank = np.full((720, 1280, 3), 128, np.uint8)
    good = simulated_camera().frame()
    watch = TableWatch(Frames(CameraLost("gone; plug it in"), blank, good), GameReader(sample), state)

    assert not watch.step()
    assert [problem.part for problem in state.problems] == ["camera"]
    assert not watch.step()
    assert [problem.part for problem in state.problems] == ["table"]
    assert isinstance(state.problems[0].error, TooFewMarkers)
    assert watch.step()
    assert state.problems == []


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_mistake_that_ends_the_watching_is_told_on_the_page(sample, state):
    watch = TableWatch(Frames(ZeroDivisionError("ours")), GameReader(sample), state)
    watch.start()

    assert watch.stop(wait_s=10)
    assert "start the program again" in str(state.problems[0].error)


def test_a_large_photo_is_shown_smaller_but_measured_in_its_own_pixels():
    picture = shown(np.zeros((3000, 4000, 3), np.uint8))

    assert (picture.width_px, picture.height_px) == (4000, 3000)
    assert decode_photo(picture.jpeg).shape == (1536, 2048, 3)


def test_named_documents_take_the_place_of_the_samples(sample, dev_scenes):
    folder = dev_scenes / "easy-03"
    game = game_from_files(GameFiles(table=folder / "table.json", roster=folder / "roster.json"), sample)

    assert {marker.id for marker in game.markers.markers} == {112, 15, 131, 77}
    assert game.lens is None  # another table without a camera file: the lens is estimated
    assert game.prints is sample.prints
    assert game.sources["roster"].endswith("roster.json")
    assert game_from_files(GameFiles(), sample) is sample


@pytest.mark.parametrize("wrong", [{"port": 70_000}, {"port": -1}, {"devices": 0}, {"devices": 1000}])
def test_a_setting_out_of_its_range_is_named(wrong):
    with pytest.raises(BadValue, match=next(iter(wrong))):
        Settings(**wrong)


def test_the_port_is_not_5000_and_every_setting_says_what_it_does():
    assert Settings().port != 5000
    assert setting_names()[0] == "host"
    for setting in fields(Settings):
        assert setting.metadata["sentence"].endswith(".")


@pytest.mark.parametrize(
    ("host", "addresses"),
    [("127.0.0.1", ("http://127.0.0.1:8642",)), ("::1", ("http://[::1]:8642",))],
)
def test_the_address_is_one_that_can_be_opened(host, addresses):
    assert page_addresses(host, 8642) == addresses
    assert page_addresses("0.0.0.0", 8642)[0] == "http://127.0.0.1:8642"
    assert "localhost" in own_names()
    assert any(name.endswith(".local") for name in own_names())


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
        begun = time.monotonic()
        process.send_signal(number)
        output, errors = process.communicate(timeout=20)
        took_s = time.monotonic() - begun
    finally:
        process.kill()
        process.wait()

    assert setup["is_simulated"] is True
    assert (process.returncode, output) == (0, "")
    assert "Traceback" not in errors
    assert took_s < 2


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["run", "--table", "absent.json"], 2, "absent.json"),
        (["run", "--tiles", "absent"], 2, "absent"),
        (["demo", "--port", "70000"], 2, "port"),
        (["demo", "--guests", "owner"], 2, "guests"),
    ],
)
def test_a_wrong_argument_ends_with_one_sentence(tmp_path, arguments, status, words):
    process = begin(tmp_path, *arguments)
    output, errors = process.communicate(timeout=60)

    assert (process.returncode, output) == (status, "")
    assert words in errors
    assert len(errors.strip().splitlines()) == 1
