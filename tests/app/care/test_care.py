"""Checks of a machine, and the file for a fault report."""

from __future__ import annotations

import io
import json
import socket
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from assistant.app.care import examination
from assistant.app.care.diagnostics import pack_diagnostics, without_password
from assistant.app.care.examination import PARTS, examine
from assistant.profiles import Profiles
from assistant.settings import Settings
from assistant.translations.messages import said
from assistant.translations.speech import speech
from hardware.port import PortPlace

CORNERS = ((0, 0), (40, 0), (40, 40), (0, 40))
MARKERS = [{"id": n, "corners_mm": [(x + 300 * n, y) for x, y in CORNERS]} for n in range(4)]
TABLE = json.dumps({"format": "sightline.table/1", "marker_family": "DICT_4X4_50", "markers": MARKERS}).encode()
SETUP = b'{"format":"sightline.setup/1","source":"rtsp://ann:hunter2@10.0.0.5/live?pw=hunter2","table":"home"}'


@pytest.fixture
def settings(tmp_path):
    return Settings(data=tmp_path, port=0)


def found(settings, part):
    return [(finding.state, str(finding.sentence)) for finding in examine(settings) if finding.part == part]


def test_every_part_is_looked_at_on_an_empty_machine(settings):
    findings = examine(settings)

    assert {finding.part for finding in findings} >= set(PARTS) - {"camera"}
    assert all(finding.part in PARTS for finding in findings)
    assert found(settings, "setup") == [("look", "no table was set up yet; run sightline setup")]


def test_a_processor_is_called_as_everybody_calls_it(settings, monkeypatch):
    monkeypatch.setattr(examination.platform, "machine", lambda: "x86_64")

    assert any("on x86_64, cores" in sentence for _, sentence in found(settings, "machine"))


def test_a_damaged_file_of_matches_is_named(settings):
    (settings.data / "sightline.db").write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    ((state, sentence),) = found(settings, "store")

    assert state == "wrong"
    assert sentence.startswith("sightline.db is damaged (")


def test_a_whole_file_of_matches_is_well_and_is_only_read(settings):
    with closing(sqlite3.connect(settings.data / "sightline.db")) as database:
        database.execute("CREATE TABLE one (two)")
    before = (settings.data / "sightline.db").read_bytes()

    assert found(settings, "store") == [("well", "sightline.db is whole")]
    assert (settings.data / "sightline.db").read_bytes() == before


def test_a_port_that_somebody_has_is_reported_with_what_to_do(tmp_path):
    with socket.create_server(("", 0)) as taken:
        port = taken.getsockname()[1]
        ((state, sentence),) = found(Settings(data=tmp_path, port=port), "port")

    assert state == "look"
    assert f"port {port} is taken" in sentence
    assert "--port" in sentence


def test_a_document_that_no_longer_can_be_used_is_named(settings):
    Profiles(settings.data).keep("table", "home", TABLE)
    Profiles(settings.data).keep("setup", "home", SETUP)
    assert found(settings, "setup") == [("well", "kept: home")]

    Profiles(settings.data).path("table", "home").write_bytes(b'{"format":"sightline.table/1"}')
    ((state, sentence),) = found(settings, "setup")
    assert state == "wrong"
    assert sentence.startswith("table home cannot be used")


@pytest.mark.parametrize(
    ("name", "value", "part", "begins"),
    [
        ("network_addresses", list, "network", "this machine is in no network"),
        ("_memory_mb", lambda: 900, "machine", "900 MB of memory is little"),
        (
            "installed",
            lambda package: "4.12" if "headless" in package else None,
            "program",
            "opencv-python-headless is",
        ),
    ],
)
def test_what_is_wrong_is_reported(settings, monkeypatch, name, value, part, begins):
    monkeypatch.setattr(examination, name, value)

    assert any(sentence.startswith(begins) for state, sentence in found(settings, part) if state != "well")


def test_the_file_for_a_report_tells_the_set_up_and_no_secret(settings):
    profiles = Profiles(settings.data)
    profiles.keep("table", "home", TABLE)
    profiles.keep("setup", "home", SETUP)
    environment = {
        "SIGHTLINE_CAMERA": "rtsp://ann:hunter2@10.0.0.5/live",
        "SIGHTLINE_BROKER_PASSWORD": "hunter2",
        "HOME": "/home/ann",
    }
    packed = pack_diagnostics(examine(settings), profiles, environment, speech("en"))

    with zipfile.ZipFile(io.BytesIO(packed)) as file:
        inside = {name: file.read(name) for name in file.namelist()}
    assert set(inside) == {"findings.json", "packages.txt", "settings.json", "table/home.json", "setup/home.json"}
    assert not any(secret in content for content in inside.values() for secret in (b"hunter2", b'/home/ann"'))
    assert json.loads(inside["settings.json"])["SIGHTLINE_CAMERA"] == "rtsp://10.0.0.5/live"
    assert json.loads(inside["setup/home.json"])["source"] == "rtsp://10.0.0.5/live"
    assert json.loads(inside["findings.json"])["format"] == "sightline.diagnostics/1"
    assert b"numpy==" in inside["packages.txt"]


def test_a_set_up_that_is_no_json_gives_no_password_away(settings):
    profiles = Profiles(settings.data)
    profiles.keep("table", "home", TABLE)
    profiles.keep("setup", "home", SETUP).write_bytes(b"{broken http://ann:hunter2@cam/ ")
    packed = pack_diagnostics((), profiles, {}, speech("en"))

    with zipfile.ZipFile(io.BytesIO(packed)) as file:
        assert file.read("setup/home.json") == b"{broken http://cam/ "


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("see http://a:b@c/d and rtsp://e@f", "see http://c/d and rtsp://f"),
        ("http://cam/snap.jpg?user=ann&pwd=hunter2", "http://cam/snap.jpg"),
        ("rtsp://ann:hun@ter2@cam/x", "rtsp://cam/x"),
        ("rtsp://ann:hun/ter2@cam:554/x", "rtsp://cam:554/x"),
        ("http://cam/live#auth=hunter2", "http://cam/live"),
    ],
)
def test_a_password_is_left_out_wherever_an_address_holds_it(text, left):
    assert without_password(text) == left
    packed = pack_diagnostics(
        [examination.Symptom("camera", "wrong", said("{camera} does not answer", camera=text))],
        Profiles(Path("/nowhere")),
        {"SIGHTLINE_CAMERA": text, "SIGHTLINE_DATA": "/home/ann/games", "HOME": "/home/ann"},
        speech("en"),
    )
    with zipfile.ZipFile(io.BytesIO(packed)) as file:
        settings = json.loads(file.read("settings.json"))
        (finding,) = json.loads(file.read("findings.json"))["findings"]
    assert settings == {"SIGHTLINE_CAMERA": left, "SIGHTLINE_DATA": "~/games"}
    assert finding["sentence"] == f"{left} does not answer"


@pytest.mark.parametrize(
    ("places", "told"),
    [
        ([PortPlace("/dev/ttyS0", description="n/a")], ("well", "no LED strip is plugged in")),
        ([PortPlace("COM9", 0x2341, 0x0043, description="Arduino Uno")], ("well", "at COM9: Arduino Uno")),
        ([PortPlace("COM9", 0x1234, 0x5678, description="Scales")], ("look", "COM9 is an unknown board")),
    ],
)
def test_a_computers_own_port_is_no_strip_and_a_strange_one_is_reported(settings, monkeypatch, places, told):
    monkeypatch.setattr(examination, "find_ports", lambda: places)
    ((state, sentence),) = found(settings, "strip")

    assert (state, sentence[: len(told[1])]) == told
