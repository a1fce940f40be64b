"""From a view to light on the virtual strip, and the button back; cables pulled and strips gone deaf."""

from __future__ import annotations

import logging
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.table.tracker import TrackerEntry, TrackerView
from hardware.light import MAX_PIXELS, LightSettings
from hardware.messages import (
    Ack,
    ButtonAction,
    Bye,
    Configure,
    FrameReader,
    Hello,
    Ping,
    Pixels,
    Received,
    Seen,
    encode,
)
from hardware.strip import open_strip
from hardware.transports.virtual import VirtualStrip

messages = st.one_of(
    st.sampled_from([Hello(), Ping(), Bye(), Ack()]),
    st.builds(Seen, st.integers(0, 255)),
    st.builds(Configure, st.integers(0, 65_535), st.integers(0, 65_535)),
    st.builds(Pixels, st.integers(0, 3), st.booleans(), st.integers(0, 400), st.just(b"\x01\x02\x03" * 20)),
)
VIEW = TrackerView(order=tuple(TrackerEntry(f"f{n}", n % 2, 3, 4) for n in range(5)), active=2, round=1)


@pytest.fixture
def table(rig):
    return rig.Rig()


def test_view_becomes_light_on_the_strip(table):
    table.strip.show(VIEW)
    table.run(1)
    assert table.is_lit_with(VIEW)


def test_new_view_is_on_the_strip_within_40_ms(table):
    table.strip.show(TrackerView())
    table.run(1)
    table.strip.show(VIEW)
    table.run(0.04)
    assert sum(map(any, table.device.frame.pixels)) > 20


def test_strip_is_redrawn_while_nothing_happens(table):
    table.strip.show(VIEW)
    table.run(1)
    seen = set()
    for _ in range(100):
        table.run(0.01)
        seen.add(table.device.frame)
    assert 20 < len(seen) <= 41


def test_length_and_limit_of_the_strip_are_believed(rig):
    table = rig.Rig(LightSettings(pixel_count=60, limit_ma=1000), pixel_count=100, limit_ma=300)
    table.strip.show(VIEW)
    table.run(1)
    assert table.device.frame.pixel_count == 100
    assert 100 < table.device.frame.current_ma <= 300


def test_strip_is_configured_for_ever(table):
    table.strip.show(VIEW)
    table.strip.configure(25, 500)
    table.run(1)
    assert table.device.frame.pixel_count == table.strip.frame.pixel_count == 25


@pytest.mark.parametrize("action", list(ButtonAction))
def test_button_is_reported_once(table, action):
    table.run(1)
    table.device.press(action)
    table.run(1)
    assert table.presses == [action]


def test_presses_in_a_row_all_arrive_in_order(table):
    table.run(1)
    for action in (ButtonAction.PRESSED, ButtonAction.RELEASED, ButtonAction.PRESSED):
        table.device.press(action)
    table.run(1)
    assert table.presses == [ButtonAction.PRESSED, ButtonAction.RELEASED, ButtonAction.PRESSED]


def test_unplugged_strip_comes_back_with_the_newest_picture_and_two_log_lines(table, caplog):
    caplog.set_level(logging.INFO)
    table.strip.show(TrackerView())
    table.run(1)
    caplog.clear()
    table.device.unplug()
    table.run(5)
    assert table.strip.status.state == "searching"
    assert table.strip.status.problem
    table.strip.show(VIEW)
    table.device.plug_in()
    table.run(3)
    assert table.strip.status.state == "lit"
    assert sum(map(any, table.device.frame.pixels)) > 20
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]


def test_deaf_strip_is_given_up_and_found_again(table):
    table.strip.show(VIEW)
    table.run(1)
    table.device.is_deaf = True
    table.run(4)
    assert table.strip.status.state != "lit"
    table.device.is_deaf = False
    table.run(8)
    assert table.strip.status.state == "lit"
    assert table.is_lit_with(VIEW)


def test_host_that_stops_leaves_no_frozen_picture(table):
    table.strip.show(VIEW)
    table.run(1)
    shown = table.device.frame
    table.clock.now_s += 3.1
    assert table.device.frame != shown
    assert {pixel for pixel in table.device.frame.pixels if any(pixel)} == {(8, 8, 16)}


def test_host_that_pauses_too_long_is_met_again(table):
    table.strip.show(VIEW)
    table.run(1)
    table.clock.now_s += 3.5
    table.run(1)
    assert table.is_lit_with(VIEW)


def test_host_that_leaves_on_purpose_leaves_the_dark(table):
    table.strip.show(VIEW)
    table.run(1)
    table.strip.close()
    table.clock.now_s += 10
    assert not any(table.device.frame.rgb)


@given(pieces=st.lists(st.binary(max_size=80) | st.builds(encode, messages, st.integers(0, 255)), max_size=30))
def test_virtual_strip_takes_anything_and_answers_only_in_messages(pieces):
    device = VirtualStrip(lambda: 5.0)
    reader = FrameReader()
    for piece in pieces:
        device.write(piece)
        assert all(isinstance(item, Received) for item in reader.feed(device.read()))
        assert device.frame.pixel_count <= MAX_PIXELS


def test_own_thread_lights_the_strip_and_ends():
    strip = open_strip("virtual", LightSettings(pixel_count=40))
    strip.show(VIEW)
    strip.start()
    end_s = time.monotonic() + 10
    while not any(strip.frame.rgb) and time.monotonic() < end_s:
        time.sleep(0.01)
    assert sum(map(any, strip.frame.pixels)) > 20
    strip.close()
