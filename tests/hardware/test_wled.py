"""WLED by USB: the fake against recorded sessions, then our driver against the fake."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.errors import NoAnswer, StripLost
from hardware.driver import Ready, StripIdentity
from hardware.light import LightFrame
from hardware.protocols.adalight import adalight_frame
from hardware.protocols.wled_serial import WledDriver


def picture(seed, pixel_count=20):
    return LightFrame(random.Random(seed).randbytes(3 * pixel_count))


class Talk:
    """Driver and controller on a line, with a clock turned by hand."""

    def __init__(self, controller):
        self.controller = controller
        self.now_s = 50.0
        self.driver = WledDriver(115_200, self.now_s)
        self.events = []
        self.sent = b""
        self.is_cut = False

    def run(self, seconds, step_s=0.01):
        for _ in range(round(seconds / step_s)):
            self.events += self.driver.receive(b"" if self.is_cut else self.controller.take(), self.now_s)
            out = self.driver.outgoing(self.now_s)
            self.sent += out
            if out and not self.is_cut:
                self.controller.receive(out)
            self.now_s += step_s


@pytest.fixture
def talk(fake_wled):
    return Talk(fake_wled.FakeWled())


def shown(talk):
    return LightFrame(bytes(value for pixel in talk.controller.shown for value in pixel))


def test_fake_answers_like_the_recorded_controller(fake_wled, golden):
    recorded = json.loads((golden / "hardware" / "wled_sessions.json").read_text("utf-8"))
    compared = 0
    for session in recorded["sessions"]:
        controller = fake_wled.WledParser(recorded["leds"])
        for exchange in session:
            controller.log = ""
            controller.receive(bytes.fromhex(exchange["in"]))
            pixels = bytes(value for pixel in controller.pixels for value in pixel)
            got = {"tx": controller.take().hex(), "log": controller.log, "px": pixels.hex()}
            assert got == {name: exchange[name] for name in got}
            compared += 1
    assert compared == 579


def test_wled_is_met_made_live_and_lit(talk):
    talk.run(1)
    assert talk.events == [Ready(StripIdentity("wled", "2605010", 20))]
    talk.driver.show(picture(1))
    talk.run(0.2)
    assert shown(talk) == picture(1) == talk.driver.shown
    assert talk.sent.startswith(b'v{"v":true}\n{"live":true}\nAda\x00\x13\x46')


def test_first_picture_is_not_black(talk):
    talk.driver.show(picture(1))
    talk.run(0.3)
    assert shown(talk) == picture(1)


def test_newest_picture_wins_and_each_leaves_the_line_time(talk):
    talk.run(0.5)
    talk.sent = b""
    for seed in range(100):
        talk.driver.show(picture(seed))
        talk.run(0.01)
    talk.run(0.05)
    assert shown(talk) == picture(99)
    # A picture of 66 bytes takes 5.7 ms at 115200 baud, and 2 ms of rest.
    assert talk.sent.count(b"Ada") <= 101


def test_still_picture_is_sent_again_and_read_back(talk):
    talk.run(0.5)
    talk.driver.show(picture(1))
    talk.run(0.1)
    talk.sent = b""
    talk.run(10)
    assert 9 <= talk.sent.count(adalight_frame(picture(1))) <= 11
    assert 3 <= talk.sent.replace(adalight_frame(picture(1)), b"").count(b"l") <= 5


def test_picture_that_reads_back_differently_is_sent_again_at_once(talk):
    talk.run(0.5)
    talk.driver.show(picture(1))
    while not talk.sent.endswith(b"l"):
        talk.run(0.01)
    talk.controller.take()
    talk.driver.receive(b"[" + b"1," * 19 + b"1]\r\n", talk.now_s)
    assert talk.driver.outgoing(talk.now_s) == adalight_frame(picture(1))


def test_never_a_tpm2_header(talk):
    talk.run(0.5)
    for seed in range(50):
        talk.driver.show(LightFrame(bytes(random.Random(seed).choices(range(0, 190), k=60))))
        talk.run(0.03)
    talk.run(5)
    assert b"\xc9\xda" not in talk.sent


def test_restarted_wled_is_met_again(talk, fake_wled):
    talk.run(0.5)
    talk.driver.show(picture(1))
    talk.run(0.2)
    talk.controller = fake_wled.FakeWled()
    talk.controller._say(b"\x00garbage of the boot loader\r\nAda\r\n")
    talk.run(1)
    assert len(talk.events) == 2
    assert shown(talk) == picture(1)


def test_half_a_picture_left_by_somebody_else_is_completed(talk):
    talk.controller.receive(b"Ada\x00\xc7\x92" + bytes(100))
    talk.run(2)
    assert talk.driver.is_ready


def test_silent_device_is_no_wled(talk):
    talk.is_cut = True
    with pytest.raises(NoAnswer, match="choose the strip's kind"):
        talk.run(5)


def test_wled_that_falls_silent_is_lost(talk):
    talk.run(0.5)
    talk.driver.show(picture(1))
    talk.run(1)
    talk.is_cut = True
    with pytest.raises(StripLost, match="cable"):
        talk.run(8)


def test_old_wled_that_does_not_tell_its_length_is_lit_all_the_same(talk):
    talk.controller.about = {"info": {"leds": {}}}
    talk.run(2)
    assert talk.events == [Ready(StripIdentity("wled", "2605010", None))]


def test_leaving_gives_the_strip_back(talk):
    talk.run(0.5)
    assert talk.controller.is_live
    talk.controller.receive(talk.driver.farewell())
    assert not talk.controller.is_live


@given(
    pieces=st.lists(
        st.binary(max_size=80) | st.sampled_from([b"WLED 1\r\n", b"[1,2]\r\n", b'{"info":', b"Ada\r\n", b"[[\n"])
    )
)
def test_driver_takes_anything(pieces):
    driver = WledDriver(115_200, 0)
    driver.show(picture(1))
    for n, piece in enumerate(pieces):
        driver.receive(piece, n / 100)
        driver.outgoing(n / 100)


@pytest.mark.slow
def test_a_million_inputs_do_not_upset_the_driver():
    chances = random.Random(4)
    words = [
        b"WLED 1\r\n",
        b"[1,2,3]\r\n",
        b'{"info":{"leds":{"count":20}}}\r\n',
        b"Ada\r\n",
        b"[" * 50 + b"\n",
        b"[1e999]\n",
    ]
    for _ in range(1000):
        driver = WledDriver(115_200, 0)
        driver.show(picture(1, 8))
        for n in range(1000):
            data = bytearray(chances.choice(words))
            data[chances.randrange(len(data))] = chances.randrange(256)
            driver.receive(bytes(data), n / 1000)
            driver.outgoing(n / 1000)
