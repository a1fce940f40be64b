"""WLED on the network, bytes and conversation: recorded datagrams, then our driver against a fake on a turned clock."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.errors import NoAnswer, StripLost
from hardware.driver import Ready, StripIdentity
from hardware.light import LightFrame
from hardware.network_hosts import ANSWER_S, SILENCE_S, read_about
from hardware.protocols.ddp import DdpDriver, ddp_datagram
from hardware.protocols.wled_udp import LEAVE_S, TAKE_S, WledUdpDriver, drgb

PACKETS = json.loads((Path(__file__).parent / "network_packets.json").read_text("utf-8"))
RECORDED = LightFrame(bytes.fromhex("ff0000 008000 010203"))


def picture(seed, pixel_count=60):
    return LightFrame(random.Random(seed).randbytes(3 * pixel_count))


class Talk:
    """Driver and host on a manual clock; the host is polled every half second."""

    def __init__(self, fake_wled_host, driver=None, **about):
        self.now_s = 50.0
        self.host = fake_wled_host.FakeWledHost(clock=lambda: self.now_s, **about)
        self.driver = driver or WledUdpDriver(self.now_s)
        self.take = self.host.take
        self.events, self.sent, self.answer = [], [], None
        self._asked_s = self.now_s - 1
        self.is_off = False

    def run(self, seconds, step_s=0.01):
        for _ in range(round(seconds / step_s)):
            data = b""
            if not self.is_off and self.now_s - self._asked_s >= 0.5:
                self._asked_s = self.now_s
                data = (self.answer if self.answer is not None else self.host.info()) + b"\n"
            self.events += self.driver.receive(data, self.now_s)
            out = self.driver.outgoing(self.now_s)
            if out:
                self.sent.append((self.now_s, out))
                if not self.is_off:
                    self.take(out)
            self.now_s += step_s


@pytest.fixture
def talk(fake_wled_host):
    return Talk(fake_wled_host)


@pytest.mark.parametrize("packet", PACKETS["wled"], ids=lambda packet: packet["about"])
def test_the_fake_shows_what_the_recorded_datagrams_say(fake_wled_host, packet):
    host = fake_wled_host.FakeWledHost(300, lambda: now_s)
    now_s = 7.0
    host.take(bytes.fromhex(packet["hex"]))
    assert host.is_live == bool(packet["leave_s"])
    dark = {n: (0, 0, 0) for n in range(300)} | {int(n): tuple(color) for n, color in packet["pixels"].items()}
    assert not host.is_live or dict(enumerate(host.pixels)) == dark
    now_s += packet["leave_s"]
    assert set(host.pixels) == {fake_wled_host.OWN_EFFECT}


@pytest.mark.parametrize("packet", PACKETS["ddp"], ids=lambda packet: packet["about"])
def test_the_fake_shows_what_the_recorded_ddp_datagrams_say(fake_wled_host, packet):
    host = fake_wled_host.FakeWledHost(300, lambda: 7.0)
    host.take_ddp(bytes.fromhex(packet["hex"]))
    lit = {n: pixel for n, pixel in enumerate(host.pixels) if any(pixel)}
    assert lit == {int(n): tuple(color) for n, color in packet["pixels"].items()}


def test_our_datagrams_are_those_recorded():
    recorded = {packet["about"].partition(":")[0]: bytes.fromhex(packet["hex"]) for packet in PACKETS["wled"]}
    assert drgb(RECORDED) == recorded["DRGB, 3 s"]
    assert WledUdpDriver(0).farewell() == recorded["DRGB, 0 s"]
    assert ddp_datagram(RECORDED, 1) == bytes.fromhex(PACKETS["ddp"][0]["hex"])


@pytest.mark.parametrize("pixel_count", [8, 60, 300])
def test_every_length_fits_one_datagram_of_what_wled_takes(pixel_count):
    assert len(drgb(picture(1, pixel_count))) <= 1472
    assert len(ddp_datagram(picture(1, pixel_count), 1)) <= 10 + 1440


def test_wled_is_lit_once_it_says_that_it_shows_our_pictures(talk):
    talk.run(0.4)
    assert talk.events == []
    assert set(talk.host.pixels) == {(0, 0, 0)}
    talk.run(0.4)
    assert talk.events == [Ready(StripIdentity("wled-udp", "0.15.0", 60))]
    talk.driver.show(picture(1))
    talk.run(0.05)
    assert talk.host.rgb == talk.driver.shown.rgb == picture(1).rgb


def test_wled_tells_its_own_limit(fake_wled_host):
    talk = Talk(fake_wled_host, limit_ma=850)
    talk.run(1)
    assert talk.events == [Ready(StripIdentity("wled-udp", "0.15.0", 60, 850))]


def test_nothing_is_sent_before_the_host_has_answered_like_wled(talk):
    talk.answer = b""
    with pytest.raises(NoAnswer, match="address"):
        talk.run(ANSWER_S + 1)
    assert talk.sent == []


@pytest.mark.parametrize(
    "answer", [b"<html>a printer</html>", b'{"leds": 3}', b"[1]", b'{"leds": {"count": true}}', b"7"]
)
def test_a_host_that_is_no_wled_is_reported_and_never_sent_to(talk, answer):
    talk.answer = answer
    with pytest.raises(NoAnswer, match="not like WLED"):
        talk.run(1)
    assert talk.sent == []


def test_wled_that_takes_no_pictures_is_reported_with_the_setting_to_switch(fake_wled_host):
    talk = Talk(fake_wled_host, takes_pictures=False)
    with pytest.raises(NoAnswer, match="Receive UDP realtime"):
        talk.run(TAKE_S + 1)
    assert talk.events == []


def test_wled_whose_setting_is_switched_off_while_playing_is_lost(talk):
    talk.run(1)
    talk.host.takes_pictures = False
    with pytest.raises(StripLost, match="Receive UDP realtime"):
        talk.run(LEAVE_S + 3)


def test_wled_does_not_go_back_to_its_effects_while_nothing_changes(talk):
    talk.run(1)
    talk.driver.show(picture(1))
    for _ in range(200):
        talk.run(0.1)
        assert talk.host.rgb == picture(1).rgb
    assert 35 <= talk.host.shown_count <= 50


def test_five_lost_datagrams_in_a_row_are_not_seen(talk):
    talk.run(1)
    talk.driver.show(picture(1))
    talk.run(0.1)
    talk.take = lambda data: None
    talk.run(2.6)
    assert talk.host.rgb == picture(1).rgb


def test_a_lost_picture_is_made_up_for_within_half_a_second(talk):
    talk.run(1)
    talk.take = lambda data: None
    talk.driver.show(picture(2))
    talk.run(0.1)
    talk.take = talk.host.take
    talk.run(0.51)
    assert talk.host.rgb == picture(2).rgb


def test_leaving_gives_wled_back_to_its_own_effects(talk, fake_wled_host):
    talk.run(1)
    talk.host.take(talk.driver.farewell())
    assert set(talk.host.pixels) == {fake_wled_host.OWN_EFFECT}


def test_a_host_that_dies_leaves_wled_to_its_effects_after_three_seconds(talk, fake_wled_host):
    talk.run(1)
    talk.now_s += LEAVE_S
    assert set(talk.host.pixels) == {fake_wled_host.OWN_EFFECT}


def test_wled_that_is_switched_off_is_lost(talk):
    talk.run(1)
    talk.is_off = True
    with pytest.raises(StripLost, match="stopped answering"):
        talk.run(SILENCE_S + 0.2)
    assert talk.now_s - 51 == pytest.approx(SILENCE_S, abs=0.6)


def test_answers_of_a_stranger_at_the_address_do_not_keep_it_lit(talk):
    talk.run(1)
    talk.answer = b'{"printer": 1}'
    with pytest.raises(StripLost):
        talk.run(SILENCE_S + 0.2)


def test_hasty_views_are_drawn_no_faster_than_wled_can(talk):
    talk.run(1)
    for seed in range(500):
        talk.driver.show(picture(seed))
        talk.run(0.002, 0.001)
    times_s = [at_s for at_s, _ in talk.sent]
    assert min(later - at for at, later in pairwise(times_s)) >= 0.016


def test_ddp_is_lit_at_the_first_sign_of_life_and_keeps_its_numbers(fake_wled_host):
    driver = DdpDriver(60, 50.0)
    talk = Talk(fake_wled_host, driver, pixel_count=24)
    talk.take = talk.host.take_ddp
    talk.run(1)
    assert talk.events == [Ready(StripIdentity("ddp", None, 24))]
    for seed in range(20):
        driver.show(picture(seed, 24))
        talk.run(0.05)
        assert talk.host.rgb == picture(seed, 24).rgb
    numbers = [data[1] for _, data in talk.sent]
    assert numbers[:16] == [*range(1, 16), 1]


def test_ddp_light_that_is_no_wled_is_lit_with_the_length_of_the_settings(fake_wled_host):
    talk = Talk(fake_wled_host, DdpDriver(60, 50.0))
    talk.take, talk.answer = talk.host.take_ddp, b""
    talk.run(1)
    assert talk.events == [Ready(StripIdentity("ddp"))]


def test_ddp_does_not_go_back_while_nothing_changes_and_goes_dark_at_the_end(fake_wled_host):
    driver = DdpDriver(60, 50.0)
    talk = Talk(fake_wled_host, driver)
    talk.take = talk.host.take_ddp
    driver.show(picture(3))
    talk.run(0.1)
    for _ in range(100):
        talk.run(0.1)
        assert talk.host.rgb == picture(3).rgb
    talk.host.take_ddp(driver.farewell())
    assert talk.host.rgb == bytes(180)


def test_ddp_light_is_lost_in_silence_and_never_sent_to_before_it_was_heard(fake_wled_host):
    talk = Talk(fake_wled_host, DdpDriver(60, 50.0))
    talk.take = talk.host.take_ddp
    talk.is_off = True
    with pytest.raises(NoAnswer):
        talk.run(ANSWER_S + 1)
    assert talk.sent == []
    talk = Talk(fake_wled_host, DdpDriver(60, 50.0))
    talk.run(1)
    talk.is_off = True
    with pytest.raises(StripLost):
        talk.run(SILENCE_S + 1)


@given(
    data=st.binary(max_size=300)
    | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(json.dumps).map(str.encode)
)
def test_any_answer_is_read_or_refused(data):
    assert read_about(data) is None


@given(cuts=st.lists(st.integers(0, 200), max_size=4))
def test_an_answer_in_pieces_is_the_same_answer(fake_wled_host, cuts):
    talk = Talk(fake_wled_host)
    line = talk.host.info() + b"\n"
    ends = sorted({0, *(cut % len(line) for cut in cuts), len(line)})
    for start, end in pairwise(ends):
        talk.driver.receive(line[start:end], talk.now_s)
    assert talk.driver.outgoing(talk.now_s) == drgb(LightFrame(bytes(180)))


def test_a_wled_that_another_program_drives_is_named_and_left_alone(talk):
    about = {"leds": {"count": 60}, "ver": "0.15.0", "live": True, "lm": "E1.31", "lip": "192.168.1.9"}
    talk.answer = json.dumps(about).encode()
    with pytest.raises(StripLost, match=r"another program \(E1\.31 192\.168\.1\.9\)"):
        talk.run(20)
    assert talk.sent == []


def test_pictures_of_our_own_run_before_are_waited_out(talk):
    about = {"leds": {"count": 60}, "ver": "0.15.0", "live": True, "lm": "UDP", "lip": "192.168.1.2"}
    talk.answer = json.dumps(about).encode()
    talk.run(3)
    assert talk.sent == []
    talk.answer = None
    talk.run(3)
    assert talk.events == [Ready(StripIdentity("wled-udp", "0.15.0", 60))]
