"""Our driver's end of the conversation, with hand-written answers of the strip."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.errors import NoAnswer, StripLost, WrongFirmware
from hardware.driver import ButtonPress, Ready, StripIdentity
from hardware.light import LightFrame
from hardware.messages import (
    Ack,
    Button,
    ButtonAction,
    Configure,
    FrameReader,
    Hello,
    Nak,
    Ping,
    Pixels,
    Pong,
    Received,
    Refusal,
    Seen,
    Welcome,
    encode,
)
from hardware.protocols.own_driver import OwnDriver

WELCOME = Welcome(1, 1, 0, 60, 400)


def picture(seed, pixel_count=60):
    return LightFrame(random.Random(seed).randbytes(3 * pixel_count))


class Script:
    """Plays the strip: sends its script and demands the expected messages. Leftovers are an error."""

    def __init__(self):
        self.now_s = 10.0
        self.driver = OwnDriver(250_000, self.now_s)
        self.reader = FrameReader()
        self.said = []

    def wait(self, seconds=0.001):
        self.now_s += seconds
        self.said += [item for item in self.reader.feed(self.driver.outgoing(self.now_s)) if isinstance(item, Received)]

    def waits_in_vain(self):
        for _ in range(40):
            self.wait(0.1)

    def hears(self, kind):
        """Return the next message of the driver, which must be of that kind."""
        if not self.said:
            self.wait()
        assert self.said, f"nothing said, {kind.__name__} expected"
        heard = self.said.pop(0)
        assert isinstance(heard.message, kind), heard
        return heard

    def says(self, message, seq=0):
        self.now_s += 0.001
        return self.driver.receive(encode(message, seq), self.now_s)

    def ends(self):
        self.wait()
        assert self.said == []


@pytest.fixture
def script():
    return Script()


@pytest.fixture
def met(script):
    assert script.says(WELCOME, script.hears(Hello).seq) == [Ready(StripIdentity("sightline", "1.0", 60, 400))]
    return script


def test_picture_goes_out_and_is_shown_when_acknowledged(met):
    met.driver.show(picture(1))
    heard = met.hears(Pixels)
    assert heard.message == Pixels(1, True, 0, picture(1).rgb)
    assert met.driver.shown is None
    met.says(Ack(), heard.seq)
    assert met.driver.shown == picture(1)
    met.ends()


def test_latest_picture_wins(met):
    met.driver.show(picture(1))
    first = met.hears(Pixels)
    for seed in (2, 3, 4):
        met.driver.show(picture(seed))
    met.ends()
    met.says(Ack(), first.seq)
    assert met.hears(Pixels).message.rgb == picture(4).rgb


def test_long_picture_goes_in_pieces_and_only_the_last_shows_it(met):
    met.driver.show(picture(1, 300))
    rgb, shown = b"", []
    while True:
        heard = met.hears(Pixels)
        assert heard.message.first == len(rgb) // 3
        rgb += heard.message.rgb
        shown.append(heard.message.is_shown)
        met.says(Ack(), heard.seq)
        if heard.message.is_shown:
            break
    assert rgb == picture(1, 300).rgb
    assert shown == [False, False, False, True]


def test_same_picture_is_not_sent_twice(met):
    met.driver.show(picture(1))
    met.says(Ack(), met.hears(Pixels).seq)
    met.driver.show(picture(1))
    met.ends()


def test_unanswered_message_is_repeated_with_its_number(met):
    met.driver.show(picture(1, 8))
    first = met.hears(Pixels)
    met.wait(0.2)
    assert met.hears(Pixels).seq == first.seq
    met.says(Ack(), first.seq)
    assert met.driver.shown == picture(1, 8)


def test_strip_that_says_nothing_at_all_is_left_in_peace_for_it_may_be_booting(met):
    met.driver.show(picture(1, 8))
    for _ in range(15):
        met.wait(0.1)
    assert [type(heard.message) for heard in met.said] == [Pixels] * 3
    met.said.clear()
    met.says(WELCOME)
    met.hears(Hello)


def test_single_byte_is_a_sign_of_life_and_the_message_is_repeated(met):
    met.driver.show(picture(1, 8))
    for _ in range(10):
        met.wait(0.1)
    met.said.clear()
    met.driver.receive(b"\x55", met.now_s)
    met.hears(Pixels)


def test_answer_to_something_else_is_no_answer(met):
    met.driver.show(picture(1))
    heard = met.hears(Pixels)
    met.says(Ack(), (heard.seq + 1) % 256)
    met.says(Pong(0, 0, 0), (heard.seq + 7) % 256)
    assert met.driver.shown is None


def test_messages_grow_shorter_on_a_bad_line_and_longer_on_a_quiet_one(met):
    met.driver.show(picture(1))
    heard = met.hears(Pixels)
    lengths = [len(heard.message.rgb) // 3]
    for _ in range(4):
        met.says(Nak(Refusal.DAMAGED))
        heard = met.hears(Pixels)
        lengths.append(len(heard.message.rgb) // 3)
    assert lengths == [60, 40, 20, 10, 8]
    met.says(Ack(), heard.seq)
    for seed in range(1, 40):
        met.driver.show(picture(seed))
        while met.driver.shown != picture(seed):
            heard = met.hears(Pixels)
            met.says(Ack(), heard.seq)
    assert len(heard.message.rgb) == 180


def test_strip_that_misses_the_beginning_gets_the_picture_afresh(met):
    met.driver.show(picture(1, 160))
    met.says(Ack(), met.hears(Pixels).seq)
    met.says(Nak(Refusal.INCOMPLETE), met.hears(Pixels).seq)
    heard = met.hears(Pixels)
    assert (heard.message.first, heard.message.picture) == (0, 2)


@pytest.mark.parametrize("hint", [(WELCOME, 0), (Nak(Refusal.HELLO_FIRST), 5), (Nak(Refusal.OVER_LIMIT), 5)])
def test_strip_that_does_not_know_us_is_met_again_and_gets_its_picture(met, hint):
    met.driver.show(picture(1))
    met.says(Ack(), met.hears(Pixels).seq)
    met.says(*hint)
    assert not met.driver.is_ready
    assert met.says(WELCOME, met.hears(Hello).seq) != []
    assert met.hears(Pixels).message.rgb == picture(1).rgb


def test_button_is_reported_once_and_always_thanked_for(met):
    assert met.says(Button(9, ButtonAction.PRESSED)) == [ButtonPress(ButtonAction.PRESSED)]
    assert met.hears(Seen).message.number == 9
    assert met.says(Button(9, ButtonAction.PRESSED)) == []
    assert met.hears(Seen).message.number == 9
    assert met.says(Button(10, ButtonAction.RELEASED)) == [ButtonPress(ButtonAction.RELEASED)]
    assert met.hears(Seen).message.number == 10


def test_button_of_a_later_make_is_thanked_for_and_ignored(met):
    assert met.says(Button(1, 77)) == []
    assert met.hears(Seen).message.number == 1


def test_idle_line_is_kept_alive(met):
    for _ in range(3):
        met.wait(1.1)
        met.says(Pong(4, 5, 6), met.hears(Ping).seq)
    assert met.driver.counters == Pong(4, 5, 6)


def test_settings_are_sent_and_confirmed(met):
    met.driver.configure(144, 2000)
    heard = met.hears(Configure)
    assert heard.message == Configure(144, 2000)
    assert met.says(Welcome(1, 1, 0, 144, 2000), heard.seq) == [Ready(StripIdentity("sightline", "1.0", 144, 2000))]


def test_other_version_of_the_protocol_is_refused_with_what_to_do(script):
    seq = script.hears(Hello).seq
    with pytest.raises(WrongFirmware, match="Upload the firmware"):
        script.says(Welcome(2, 3, 0, 60, 400), seq)


def test_silence_from_the_start_and_silence_later_are_different_errors(script):
    with pytest.raises(NoAnswer, match="Upload"):
        script.waits_in_vain()


def test_strip_that_falls_silent_is_lost(met):
    met.driver.show(picture(1))
    with pytest.raises(StripLost, match="cable"):
        met.waits_in_vain()


@given(
    pieces=st.lists(
        st.binary(max_size=60)
        | st.tuples(
            st.sampled_from(
                [WELCOME, Ack(), Nak(1), Nak(3), Nak(4), Nak(5), Pong(1, 2, 3), Button(1, 1), Button(3, 9)]
            ),
            st.integers(0, 6),
        ).map(lambda made: encode(*made)),
        max_size=40,
    )
)
def test_driver_takes_anything_and_says_only_what_it_means(pieces):
    driver = OwnDriver(250_000, 0)
    reader = FrameReader()
    for n, piece in enumerate(pieces):
        driver.show(picture(n % 3))
        driver.receive(piece, n / 100)
        for item in reader.feed(driver.outgoing(n / 100)):
            assert isinstance(item, Received)
            if isinstance(item.message, Pixels):
                assert any(item.message.rgb in picture(seed).rgb for seed in range(3))


@pytest.mark.slow
def test_a_million_inputs_do_not_upset_the_driver():
    chances = random.Random(8)
    answers = [WELCOME, Ack(), Nak(1), Nak(4), Nak(5), Pong(1, 2, 3), Button(1, 1)]
    frames = [encode(answer, seq) for answer in answers for seq in range(12)]
    pictures = [picture(seed, 8) for seed in range(3)]
    for _ in range(1000):
        driver = OwnDriver(250_000, 0)
        for n in range(1000):
            data = bytearray(chances.choice(frames))
            if chances.random() < 0.3:
                data[chances.randrange(len(data))] = chances.randrange(256)
            driver.show(pictures[n % 3])
            driver.receive(bytes(data), n / 1000)
            driver.outgoing(n / 1000)
