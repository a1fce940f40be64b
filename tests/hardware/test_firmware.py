"""The firmware's real binary on the bench: its pin, its answers, and its robustness."""

from __future__ import annotations

import random
import struct
from collections import Counter
from itertools import pairwise

import pytest

from hardware.driver import ButtonPress, Ready
from hardware.light import LightFrame
from hardware.messages import (
    END,
    Ack,
    Bye,
    Configure,
    Damaged,
    FrameReader,
    Hello,
    Nak,
    Ping,
    Pixels,
    Pong,
    Received,
    Refusal,
    Welcome,
    encode,
)
from hardware.messages import ButtonAction as Action
from hardware.protocols.own_driver import OwnDriver

BOTH_BUILDS = pytest.mark.parametrize("build", ["plain_firmware", "arduino_firmware"])


def ask(bench, *messages, wait_s=0.03, seq=1):
    """Send messages one after the other and returns the strip's answers."""
    reader = FrameReader()
    list(reader.feed(bench.read()))
    answers = []
    for message in messages:
        bench.write(encode(message, seq))
        bench.run(wait_s)
        answers += reader.feed(bench.read())
        seq += 1
    return [(item.seq, item.message) if isinstance(item, Received) else item for item in answers]


def meet(bench, pixel_count=60, limit_ma=0):
    ask(bench, Hello(), Configure(pixel_count, limit_ma), wait_s=0.05)
    bench.frames()
    bench.pulses()


def picture(seed, pixel_count=60):
    return random.Random(seed).randbytes(3 * pixel_count)


@pytest.fixture
def table(bench, workbench):
    """Driver and firmware joined, and met, without a limit on the current."""
    joined = workbench.Table(bench, OwnDriver(250_000, bench.now_s))
    joined.run_until(lambda: joined.driver.is_ready)
    joined.driver.configure(60, 0)
    joined.run_until(lambda: len(joined.events) > 1)
    bench.frames()
    bench.pulses()
    return joined


def show(table, frame, **limits):
    table.driver.show(frame)
    return table.run_until(lambda: table.driver.shown is frame, **limits)


# -- output of the pin --------------------------------------------------------------------------------


@BOTH_BUILDS
def test_bits_keep_the_datasheet_of_the_leds(build, request, workbench, bench_library):
    bench = workbench.FirmwareBench(bench_library, request.getfixturevalue(build))
    bench.run(0.1)
    meet(bench)
    for seed in range(5):
        assert ask(bench, Pixels(1, True, 0, picture(seed))) == [(1, Ack())]
    pulses = bench.pulses()
    bench.close()
    # Worldsemi WS2812B, first edition: 0.4/0.8/0.85/0.45 us, each +-150 ns.
    assert 250 <= pulses.zero_high_ns[0] <= pulses.zero_high_ns[1] <= 550
    assert 650 <= pulses.one_high_ns[0] <= pulses.one_high_ns[1] <= 950
    assert 700 <= pulses.zero_low_ns[0] <= pulses.zero_low_ns[1] <= 1000
    assert 300 <= pulses.one_low_ns[0] <= pulses.one_low_ns[1] <= 600
    # Between two bytes it may be low longer, but far from the 50 us that older LEDs take for the end.
    assert pulses.longest_gap_ns < 5_000
    # Newer LEDs need 280 us of low between two pictures.
    assert pulses.shortest_latch_ns >= 280_000
    assert pulses.odd_count == 0
    assert pulses.bit_count == 5 * 1440


def test_latch_is_kept_when_pictures_come_faster_than_leds_can_take_them(workbench, bench_library, build_firmware):
    bench = workbench.FirmwareBench(bench_library, build_firmware(1_000_000), baud_rate=1_000_000)
    bench.run(0.1)
    meet(bench, pixel_count=1)
    for n in range(20):
        bench.write(encode(Pixels(n, True, 0, picture(n, 1)), n + 1))
    bench.run(0.1)
    shown = [rgb for _, rgb in bench.frames()]
    pulses = bench.pulses()
    bench.close()
    assert shown == [picture(n, 1) for n in range(20)]
    assert 280_000 <= pulses.shortest_latch_ns < 320_000


def test_waveform_decoded_edge_by_edge_gives_the_same_picture(bench, workbench):
    meet(bench)
    bench.edges()
    ask(bench, Pixels(1, True, 0, picture(7)))
    assert workbench.decode_edges(bench.edges()) == picture(7)
    assert [rgb for _, rgb in bench.frames()] == [picture(7)]


@pytest.mark.parametrize("pixel_count", [1, 8, 60, 80, 81, 144, 300])
def test_pictures_of_every_length_arrive(table, pixel_count):
    frame = LightFrame(picture(pixel_count, pixel_count))
    show(table, frame)
    assert [rgb for _, rgb in table.bench.frames()] == [frame.rgb.ljust(180, b"\0")]


def test_random_pictures_arrive_unharmed_and_ninety_a_second(table):
    start_s = table.bench.now_s
    for seed in range(100):
        frame = LightFrame(picture(seed))
        show(table, frame)
        assert [rgb for _, rgb in table.bench.frames()] == [frame.rgb]
    assert 100 / (table.bench.now_s - start_s) >= 90
    assert table.bench.lost_count == 0


@pytest.mark.parametrize("baud_rate", [115_200, 250_000])
def test_both_rates_are_set_within_the_tolerance_of_the_line(build_firmware, workbench, bench_library, baud_rate):
    bench = workbench.FirmwareBench(bench_library, build_firmware(baud_rate), baud_rate=baud_rate)
    bench.run(0.1)
    # Two clocks may differ by 4 % before the last bit of a character is misread.
    assert bench.own_baud_rate == pytest.approx(baud_rate, rel=0.022)
    assert (1, Welcome(1, 1, 0, 60, 400)) in ask(bench, Hello())
    bench.close()


# -- nothing is lost, nothing wrong is shown --------------------------------------------------------


def test_no_byte_is_lost_while_the_strip_is_written(bench):
    meet(bench)
    for n in range(30):
        bench.write(encode(Pixels(n, True, 0, picture(n)), n + 1))
    bench.run(0.5)
    assert [rgb for _, rgb in bench.frames()] == [picture(n) for n in range(30)]
    assert bench.lost_count == 0


def test_picture_in_pieces_is_shown_only_when_whole(bench):
    meet(bench)
    rgb = picture(3)
    assert ask(bench, Pixels(1, False, 0, rgb[:90])) == [(1, Ack())]
    assert bench.frames() == []
    assert ask(bench, Pixels(1, True, 30, rgb[90:])) == [(1, Ack())]
    assert [shown for _, shown in bench.frames()] == [rgb]


@pytest.mark.parametrize(
    ("message", "refusal"),
    [
        (Pixels(2, True, 30, picture(1, 30)), Refusal.INCOMPLETE),
        (Pixels(1, True, 31, picture(1, 30)), Refusal.INCOMPLETE),
        (Pixels(1, True, 300, picture(1, 1)), Refusal.UNKNOWN),
        (Ack(), Refusal.UNKNOWN),
    ],
)
def test_what_does_not_fit_is_refused_and_not_shown(bench, message, refusal):
    meet(bench)
    ask(bench, Pixels(1, False, 0, picture(1, 30)))
    assert ask(bench, message) == [(1, Nak(refusal))]
    assert bench.frames() == []


def test_restart_in_the_middle_of_a_picture_shows_no_half_of_it(bench):
    meet(bench)
    ask(bench, Pixels(1, False, 0, picture(1, 30)))
    bench.reset()
    bench.run(0.02)
    ask(bench, Hello())
    bench.frames()
    assert ask(bench, Pixels(1, True, 30, picture(1, 30))) == [(1, Nak(Refusal.INCOMPLETE))]
    assert bench.frames() == []


def test_picture_over_the_limit_is_refused(bench):
    meet(bench, limit_ma=500)
    assert ask(bench, Pixels(1, True, 0, b"\xff" * 180)) == [(1, Nak(Refusal.OVER_LIMIT))]
    assert bench.frames() == []
    # 440 mA above the 60 that the dark strip draws are 5610 steps of 20/255 mA.
    assert ask(bench, Pixels(1, True, 0, b"\x1f" * 180)) == [(1, Ack())]


def test_damaged_message_is_refused_and_the_next_one_read(bench):
    meet(bench)
    spoilt = bytearray(encode(Pixels(1, True, 0, picture(1)), 9))
    spoilt[50] ^= 0x10
    bench.write(bytes(spoilt))
    assert ask(bench, Ping(), wait_s=0.05, seq=4) == [(0, Nak(Refusal.DAMAGED)), (4, Pong(0, 1, 0))]
    assert bench.frames() == []


def test_bad_line_shows_no_wrong_pixel_and_is_back_within_a_second(table, workbench):
    table.line = workbench.BadLine(5, flipped=0.01, dropped=0.01)
    before = LightFrame(picture(1000))
    show(table, before)
    table.bench.frames()
    for seed in range(40):
        frame = LightFrame(picture(seed))
        assert show(table, frame) < 1
        assert {rgb for _, rgb in table.bench.frames()} <= {frame.rgb, before.rgb}
        before = frame
    assert table.line.damage_count > 100


# -- first speaker, and lost peers --------------------------------------------------------------------


def test_strip_greets_until_a_host_speaks(bench):
    bench.read()
    bench.run(2)
    greetings = [item.message for item in FrameReader().feed(bench.read())]
    assert len(greetings) == 4
    assert set(greetings) == {Welcome(1, 1, 0, 60, 400)}
    ask(bench, Hello())
    bench.run(1)
    assert bench.read() == b""


def test_stranger_is_not_obeyed(bench):
    assert ask(bench, Pixels(1, True, 0, picture(1)), wait_s=0.02) == [(1, Nak(Refusal.HELLO_FIRST))]
    assert picture(1) not in [rgb for _, rgb in bench.frames()]


def test_silent_host_leaves_a_calm_pattern_and_no_frozen_picture(bench):
    meet(bench)
    ask(bench, Pixels(1, True, 0, picture(1)))
    bench.frames()
    bench.run(2.8)
    assert bench.frames() == []
    patterns = []
    for _ in range(5):
        bench.run(1)
        patterns += [rgb for _, rgb in bench.frames()]
    lit = {n // 3 for rgb in patterns for n, value in enumerate(rgb) if value}
    assert lit == set(range(0, 60, 8))
    peaks = [max(rgb) for rgb in patterns]
    assert 2 <= min(peaks) < max(peaks) <= 24
    assert max(abs(a - b) for a, b in pairwise(peaks)) <= 2


def test_pattern_without_a_host_keeps_the_limit_of_a_long_strip(bench):
    meet(bench, pixel_count=300, limit_ma=320)
    patterns = []
    for _ in range(9):
        bench.run(1)
        patterns += [LightFrame(rgb) for _, rgb in bench.frames()]
    assert max(max(frame.rgb) for frame in patterns) > 0
    assert max(frame.current_ma for frame in patterns) <= 320


def test_short_picture_leaves_nothing_lit_behind_it(bench):
    meet(bench, limit_ma=400)
    assert ask(bench, Pixels(1, True, 0, bytes([25]) * 150)) == [(1, Ack())]
    bench.frames()
    assert ask(bench, Pixels(2, True, 0, bytes([255]) * 12)) == [(1, Ack())]
    assert [rgb for _, rgb in bench.frames()] == [bytes([255]) * 12 + bytes(168)]


def test_host_that_says_bye_leaves_the_dark(bench):
    meet(bench)
    ask(bench, Pixels(1, True, 0, picture(1)))
    bench.frames()
    ask(bench, Bye())
    bench.run(5)
    assert [rgb for _, rgb in bench.frames()] == [bytes(180)]


def test_length_and_limit_outlive_a_restart(bench):
    meet(bench, pixel_count=144, limit_ma=1500)
    bench.reset()
    bench.run(0.1)
    assert ask(bench, Hello()) == [(1, Welcome(1, 1, 0, 144, 1500))]


KEPT_BYTES = 6
"""Length, limit and their check, two bytes each."""


def test_settings_with_any_bit_flipped_are_not_believed(bench):
    meet(bench, pixel_count=144, limit_ma=1500)
    whole = bench.kept(KEPT_BYTES)
    assert whole[:4] == struct.pack("<HH", 144, 1500)
    for bit in range(8 * KEPT_BYTES):
        spoiled = int.from_bytes(whole, "little") ^ 1 << bit
        assert settings_after_a_start_with(bench, spoiled.to_bytes(KEPT_BYTES, "little")) == (60, 400), f"bit {bit}"
    assert settings_after_a_start_with(bench, whole) == (144, 1500)


@pytest.mark.parametrize("settings", [(0, 0), (301, 0), (100, 99), (100, 1), (0xFFFF, 0xFFFF)])
def test_settings_that_cannot_be_are_not_believed_with_a_right_check(bench, settings):
    body = struct.pack("<HH", *settings)
    assert settings_after_a_start_with(bench, body + struct.pack("<H", check_of(body))) == (60, 400)


@pytest.mark.parametrize("fill", [0x00, 0xFF])
def test_an_empty_memory_holds_no_settings(bench, fill):
    assert settings_after_a_start_with(bench, bytes([fill]) * KEPT_BYTES) == (60, 400)


def settings_after_a_start_with(bench, kept: bytes) -> tuple[int, int]:
    bench.keep(kept)
    bench.reset()
    bench.run(0.02)
    [(_, welcome)] = ask(bench, Hello())
    return welcome.pixel_count, welcome.limit_ma


def check_of(body: bytes) -> int:
    """CRC-16/MCRF4XX, which avr-libc calls CCITT: computed here by another way than in the firmware."""
    check = 0xFFFF
    for byte in body:
        check ^= byte
        for _ in range(8):
            check = check >> 1 ^ (0x8408 if check & 1 else 0)
    return check


@pytest.mark.parametrize("settings", [(0, 0), (301, 0), (100, 99)])
def test_settings_that_cannot_be_are_not_taken(bench, settings):
    meet(bench)
    assert ask(bench, Configure(*settings)) == [(1, Welcome(1, 1, 0, 60, 0))]


def test_watchdog_wakes_a_firmware_that_hangs(bench):
    meet(bench)
    bench.hang()
    bench.read()
    bench.run(0.6)
    assert [item.message for item in FrameReader().feed(bench.read())][:1] == [Welcome(1, 1, 0, 60, 0)]


def test_driver_meets_a_restarted_strip_again_and_restores_the_picture(table):
    frame = LightFrame(picture(1))
    show(table, frame)
    table.bench.frames()
    table.bench.reset()
    table.run_until(lambda: frame.rgb in [rgb for _, rgb in table.bench.frames()], timeout_s=1)
    table.run_until(lambda: table.driver.shown is frame)
    assert [type(event) for event in table.events[2:]] == [Ready]


def test_reset_button_in_the_middle_of_things_leaves_the_boot_loader_in_peace(table):
    for seed in range(3):
        show(table, LightFrame(picture(seed)))
    table.driver.show(LightFrame(picture(9)))
    table.step()
    table.bench.reset(1.4)
    reset_s, sent_s = table.bench.now_s, []
    table.bench.frames()
    say = table.driver.outgoing

    def outgoing(now_s):
        out = say(now_s)
        if out:
            sent_s.append(now_s - reset_s)
        return out

    table.driver.outgoing = outgoing
    table.run_until(lambda: table.driver.shown == LightFrame(picture(9)), timeout_s=3)
    # Three tries without a byte back, then nothing: as measured, bytes after 0.4 s can erase a page of the program.
    assert [at_s for at_s in sent_s if 0.3 < at_s < 1.4] == []
    assert table.bench.frames()[-1][1] == picture(9)


def test_idle_driver_keeps_the_strip_from_feeling_alone(table):
    frame = LightFrame(picture(1))
    show(table, frame)
    table.bench.frames()
    for _ in range(5000):
        table.step(0.001)
    assert table.bench.frames() == []
    assert table.driver.counters.shown_count == 1


# -- the button ---------------------------------------------------------------------------------------


def bounce(table, seed, is_down):
    """Move the contact as cheap buttons do: up to 10 ms of sparks, then still."""
    chances = random.Random(seed)
    for _ in range(chances.randrange(1, 12)):
        table.bench.set_button(chances.random() < 0.5)
        table.step(chances.uniform(0.0001, 0.0008))
    table.bench.set_button(is_down)


def presses(table):
    return [event.action for event in table.events if isinstance(event, ButtonPress)]


def test_bouncing_presses_arrive_once_each_while_pictures_are_shown(table):
    for seed in range(8):
        for is_down in (True, False):
            bounce(table, seed, is_down)
            for n in range(5):
                frame = LightFrame(picture(1000 * seed + 10 * n + is_down))
                show(table, frame)
                assert [rgb for _, rgb in table.bench.frames()] == [frame.rgb]
    assert presses(table) == [Action.PRESSED, Action.RELEASED] * 8
    assert table.bench.lost_count == 0


def test_press_arrives_within_40_ms(table):
    table.bench.set_button(True)
    assert table.run_until(lambda: presses(table)) < 0.04


@pytest.mark.parametrize("spark_s", [0.001, 0.005, 0.012])
def test_sparks_are_no_presses(table, spark_s):
    for _ in range(5):
        table.bench.set_button(True)
        table.step(spark_s)
        table.bench.set_button(False)
        for _ in range(30):
            table.step(0.001)
    assert presses(table) == []


def test_button_held_is_reported_once(table):
    table.bench.set_button(True)
    for _ in range(2000):
        table.step(0.001)
    table.bench.set_button(False)
    for _ in range(100):
        table.step(0.001)
    assert presses(table) == [Action.PRESSED, Action.HELD, Action.RELEASED]


def test_button_held_while_power_comes_on_says_nothing(bench, workbench):
    bench.set_button(True)
    bench.reset()
    joined = workbench.Table(bench, OwnDriver(250_000, bench.now_s))
    for _ in range(1000):
        joined.step(0.001)
    bench.set_button(False)
    for _ in range(100):
        joined.step(0.001)
    assert presses(joined) == []
    bench.set_button(True)
    joined.run_until(lambda: presses(joined))
    assert presses(joined) == [Action.PRESSED]


def test_event_is_repeated_until_it_is_seen(bench):
    meet(bench)
    bench.read()
    bench.set_button(True)
    bench.run(0.45)
    told = [item for item in FrameReader().feed(bench.read()) if isinstance(item, Received)]
    assert Counter(told) == {told[0]: len(told)}
    assert 4 <= len(told) <= 5


def test_press_without_a_host_is_forgotten(bench):
    bench.set_button(True)
    bench.run(0.1)
    bench.set_button(False)
    bench.run(0.1)
    answers = ask(bench, Hello(), wait_s=0.5)
    assert answers == [(1, Welcome(1, 1, 0, 60, 400))]


def test_garbage_before_the_first_word_does_no_harm(bench):
    bench.write(random.Random(3).randbytes(3000).replace(END, b"") + b"\x80\xff")
    bench.run(0.2)
    bench.write(END)
    assert (1, Welcome(1, 1, 0, 60, 400)) in ask(bench, Hello())
    assert Damaged() not in FrameReader().feed(bench.read())
