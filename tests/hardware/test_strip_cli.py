"""The commands for finding a strip, trying it and counting its pixels."""

from __future__ import annotations

import threading
import time

import pytest
from click.testing import CliRunner

from assistant.cli import cli, run
from assistant.cli import strip as strip_command
from hardware.light import LightSettings
from hardware.messages import FrameReader
from hardware.patterns import HUES, LAP_S, PixelCount, running_light
from hardware.port import PortPlace
from hardware.registry import light_kinds
from hardware.strip import TrackerStrip
from hardware.transports.mdns import Announced
from hardware.transports.virtual import VirtualFinder, VirtualStrip


@pytest.mark.parametrize("length", [1, 8, 47, 60, 144, 299, 300])
def test_any_length_is_found_in_nine_questions(length):
    known, questions = PixelCount(), 0
    while not known.is_known:
        frame = known.picture(0, LightSettings())
        assert [n + 1 for n, pixel in enumerate(frame.pixels) if any(pixel)] == [known.asked]
        known = known.answered(known.asked <= length)
        questions += 1
    assert known.least == length
    assert questions <= 9


def test_running_light_visits_every_pixel_in_every_color_within_the_limit():
    settings = LightSettings(pixel_count=60, brightness=1, limit_ma=100)
    heads = set()
    for step in range(4 * 120):
        frame = running_light(step * LAP_S / 120 + 1e-6, settings)
        brightest = max(range(60), key=lambda n: sum(frame.pixels[n]))
        heads.add((brightest, tuple(bool(value) for value in frame.pixels[brightest])))
        assert frame.current_ma <= 100
    assert heads == {(n, tuple(bool(value) for value in hue)) for n in range(60) for hue in HUES}


def test_strip_test_counts_with_the_user_and_the_strip_remembers():
    known, answers = PixelCount(), []
    while not known.is_known:
        answers.append("y" if known.asked <= 47 else "n")
        known = known.answered(known.asked <= 47)
    arguments = ["strip", "test", "--port", "virtual", "--seconds", "0.1", "--limit-ma", "700"]
    result = CliRunner().invoke(cli, arguments, input="\n".join(answers) + "\n")
    assert result.exit_code == 0, result.output
    assert "firmware 1.0 with 60 pixels" in result.output
    assert "47 pixels. The strip now remembers its length and the limit of 700 mA." in result.output


def test_strip_test_says_at_once_what_to_do_when_there_is_no_strip(capsys, monkeypatch):
    monkeypatch.setattr(strip_command, "SHUT_S", 0.5)
    start_s = time.monotonic()
    assert run(["strip", "test", "--port", "/dev/no-such-port", "--no-count"]) == 1
    assert time.monotonic() - start_s < strip_command.MEETING_S / 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "/dev/no-such-port cannot be opened. Plug the strip in or choose another port." in said.err


def test_strip_whose_counting_was_broken_off_keeps_its_length_and_limit(monkeypatch):
    made = VirtualStrip(time.monotonic, pixel_count=47, limit_ma=900)
    monkeypatch.setattr(
        strip_command, "open_strip", lambda *_, **__: TrackerStrip(VirtualFinder(made), LightSettings())
    )
    result = CliRunner().invoke(cli, ["strip", "test", "--seconds", "0.1"], input="y\ny\n")
    assert result.exit_code == 1
    made.unplug()
    made.plug_in()
    welcome = next(item.message for item in FrameReader().feed(made.read()))
    assert (welcome.pixel_count, welcome.limit_ma) == (47, 900)


def test_strip_test_refuses_an_address_that_is_none(capsys):
    assert run(["strip", "test", "--port", "ftp://strip"]) == 2
    assert "ftp://" in capsys.readouterr().err


def test_strip_find_leaves_strangers_alone(capsys, monkeypatch):
    strangers = [
        PortPlace("/dev/ttyS0"),
        PortPlace("/dev/ttyACM7", 0x1D50, 0x614E, "printer", None, "3D printer"),
    ]
    monkeypatch.setattr(strip_command, "find_ports", lambda: strangers)
    assert run(["strip", "find"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "/dev/ttyS0: not USB, skipped",
        "/dev/ttyACM7: 3D printer (usb:1d50:614e:printer), unknown board, skipped",
    ]


def test_strip_find_names_a_strip_that_greets(capsys, monkeypatch, cables):
    cable = cables.Cable(VirtualStrip(time.monotonic, pixel_count=144))
    ends = threading.Event()

    def carry():
        while not ends.wait(0.005):
            cable.carry()

    carrier = threading.Thread(target=carry)
    carrier.start()
    place = PortPlace(cable.name, 0x2341, 0x0043, "5573", None, "Arduino Uno")
    monkeypatch.setattr(strip_command, "find_ports", lambda: [place])
    assert run(["strip", "find"]) == 0
    ends.set()
    carrier.join()
    cable.pull()
    expected = f"{cable.name}: Arduino Uno (usb:2341:0043:5573), Sightline's firmware 1.0 with 144 pixels"
    assert capsys.readouterr().out.splitlines() == [expected]


def test_strip_find_without_any_port_says_what_to_do(capsys, monkeypatch):
    monkeypatch.setattr(strip_command, "find_ports", list)
    assert run(["strip", "find"]) == 1
    assert "Plug in the strip's board" in capsys.readouterr().err


def test_strip_find_lists_the_lights_that_announce_themselves(capsys, monkeypatch):
    there = [Announced("Shelf", "192.168.1.40", 80), Announced("Table", "192.168.1.41", 8080)]
    monkeypatch.setattr(strip_command, "announced", lambda service: there)
    assert run(["strip", "find", "--network"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "wled://192.168.1.40: WLED “Shelf”",
        "wled://192.168.1.41:8080: WLED “Table”",
    ]


def test_strip_find_on_a_network_without_lights_says_what_to_do(capsys, monkeypatch):
    monkeypatch.setattr(strip_command, "announced", lambda service: [])
    assert run(["strip", "find", "--network"]) == 1
    assert "No light announces itself" in capsys.readouterr().err


def test_strip_test_lights_a_wled_on_the_network(on_loopback):
    wled = on_loopback(pixel_count=47)
    arguments = ["strip", "test", "--port", f"wled://{wled.address}", "--seconds", "0.1", "--no-count"]
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 0, result.output
    assert "WLED 0.15.0 with 47 pixels" in result.output


def test_strip_kinds_lists_the_registry(capsys):
    assert run(["strip", "kinds"]) == 0
    assert capsys.readouterr().out.splitlines() == [f"{kind.id}: {kind.about}" for kind in light_kinds()]
