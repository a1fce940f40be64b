"""From a view to light on the virtual strip, and the button back; cables pulled and strips gone deaf."""

from __future__ import annotations

import logging
import time

import pytest

from assistant.table.tracker import TrackerEntry, TrackerView
from hardware.light import LightSettings, light_frame
from hardware.messages import ButtonAction
from hardware.strip import TrackerStrip, open_strip
from hardware.virtual import VirtualFinder, VirtualStrip

VIEW = TrackerView(order=tuple(TrackerEntry(f"f{n}", n % 2, 3, 4) for n in range(5)), active=2, round=1)
SETTINGS = LightSettings(pixel_count=40)


class Clock:
    """A clock that is turned by hand."""

    def __init__(self):
        self.now_s = 1000.0

    def __call__(self):
        return self.now_s


class Rig:
    """A virtual strip, the thing under test, and a clock between them."""

    def __init__(self, settings=SETTINGS, **strip_settings):
        self.clock = Clock()
        self.device = VirtualStrip(self.clock, **{"pixel_count": 40, **strip_settings})
        self.presses = []
        self.strip = TrackerStrip(VirtualFinder(self.device), settings, clock=self.clock, on_button=self.presses.append)

    def run(self, seconds, step_s=0.01):
        for _ in range(round(seconds / step_s)):
            self.strip.step()
            self.clock.now_s += step_s

    def is_lit(self):
        """Whether the strip shows the view as it was at one of the last ten steps."""
        pictures = [light_frame(VIEW, self.clock.now_s - ago / 100, self.strip.settings) for ago in range(1, 11)]
        return self.device.frame in pictures


@pytest.fixture
def rig():
    return Rig()


def test_view_becomes_light_on_the_strip(rig):
    rig.strip.show(VIEW)
    rig.run(1)
    assert rig.is_lit()


def test_new_view_is_on_the_strip_within_40_ms(rig):
    rig.strip.show(TrackerView())
    rig.run(1)
    rig.strip.show(VIEW)
    rig.run(0.04)
    assert sum(map(any, rig.device.frame.pixels)) > 20


def test_strip_is_redrawn_while_nothing_happens(rig):
    rig.strip.show(VIEW)
    rig.run(1)
    seen = set()
    for _ in range(100):
        rig.run(0.01)
        seen.add(rig.device.frame)
    assert 20 < len(seen) <= 41


def test_length_and_limit_of_the_strip_are_believed():
    rig = Rig(LightSettings(pixel_count=60, limit_ma=1000), pixel_count=100, limit_ma=300)
    rig.strip.show(VIEW)
    rig.run(1)
    assert rig.device.frame.pixel_count == 100
    assert 100 < rig.device.frame.current_ma <= 300


def test_strip_is_configured_for_ever(rig):
    rig.strip.show(VIEW)
    rig.strip.configure(25, 500)
    rig.run(1)
    assert rig.device.frame.pixel_count == rig.strip.frame.pixel_count == 25


@pytest.mark.parametrize("action", list(ButtonAction))
def test_button_is_told_once(rig, action):
    rig.run(1)
    rig.device.press(action)
    rig.run(1)
    assert rig.presses == [action]


def test_presses_in_a_row_all_arrive_in_order(rig):
    rig.run(1)
    for action in (ButtonAction.PRESSED, ButtonAction.RELEASED, ButtonAction.PRESSED):
        rig.device.press(action)
    rig.run(1)
    assert rig.presses == [ButtonAction.PRESSED, ButtonAction.RELEASED, ButtonAction.PRESSED]


def test_unplugged_strip_comes_back_with_the_newest_picture_and_two_log_lines(rig, caplog):
    caplog.set_level(logging.INFO)
    rig.strip.show(TrackerView())
    rig.run(1)
    caplog.clear()
    rig.device.unplug()
    rig.run(5)
    assert rig.strip.status.state == "searching"
    assert rig.strip.status.problem
    rig.strip.show(VIEW)
    rig.device.plug_in()
    rig.run(3)
    assert rig.strip.status.state == "lit"
    assert sum(map(any, rig.device.frame.pixels)) > 20
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]


def test_deaf_strip_is_given_up_and_found_again(rig):
    rig.strip.show(VIEW)
    rig.run(1)
    rig.device.is_deaf = True
    rig.run(4)
    assert rig.strip.status.state != "lit"
    rig.device.is_deaf = False
    rig.run(8)
    assert rig.strip.status.state == "lit"
    assert rig.is_lit()


def test_host_that_stops_leaves_no_frozen_picture(rig):
    rig.strip.show(VIEW)
    rig.run(1)
    shown = rig.device.frame
    rig.clock.now_s += 3.1
    assert rig.device.frame != shown
    assert {pixel for pixel in rig.device.frame.pixels if any(pixel)} == {(8, 8, 16)}


def test_host_that_pauses_too_long_is_met_again(rig):
    rig.strip.show(VIEW)
    rig.run(1)
    rig.clock.now_s += 3.5
    rig.run(1)
    assert rig.is_lit()


def test_host_that_leaves_on_purpose_leaves_the_dark(rig):
    rig.strip.show(VIEW)
    rig.run(1)
    rig.strip.close()
    rig.clock.now_s += 10
    assert not any(rig.device.frame.rgb)


def test_own_thread_lights_the_strip_and_ends():
    strip = open_strip("virtual", SETTINGS)
    strip.show(VIEW)
    strip.start()
    end_s = time.monotonic() + 10
    while not any(strip.frame.rgb) and time.monotonic() < end_s:
        time.sleep(0.01)
    assert sum(map(any, strip.frame.pixels)) > 20
    strip.close()
