"""Adalight: the frame byte for byte, and a sketch that is deaf while it writes its LEDs."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.driver import Ready, StripIdentity
from hardware.light import LightFrame
from hardware.protocols.adalight import AdalightDriver, adalight_frame


def picture(seed, pixel_count=60):
    return LightFrame(random.Random(seed).randbytes(3 * pixel_count))


@pytest.mark.parametrize(
    ("pixel_count", "header"),
    [(8, "416461 00 07 52"), (60, "416461 00 3b 6e"), (256, "416461 00 ff aa"), (300, "416461 01 2b 7f")],
)
def test_header_carries_one_less_than_the_pixels(pixel_count, header):
    frame = picture(1, pixel_count)
    assert adalight_frame(frame) == bytes.fromhex(header) + frame.rgb


@pytest.mark.parametrize("pixel_count", [8, 60, 144, 300])
def test_no_picture_is_lost_by_a_sketch_that_is_deaf_while_it_writes(fake_adalight, pixel_count):
    device = fake_adalight.FakeAdalight(pixel_count)
    driver = AdalightDriver(115_200, pixel_count)
    now_s, sent, line_free_s = 0.0, 0, 0.0
    assert driver.receive(b"Ada\n", now_s) == [Ready(StripIdentity("adalight"))]
    for step in range(3000):
        driver.show(picture(step, pixel_count))
        out = driver.outgoing(now_s)
        if out:
            sent += 1
            line_free_s = device.receive(out, max(now_s, line_free_s))
        now_s += 0.001
    assert device.lost_count == 0
    assert device.shown_count == sent > 25


def test_hasty_host_loses_pictures_on_this_sketch(fake_adalight):
    device = fake_adalight.FakeAdalight(60)
    at_s = 0.0
    for seed in range(20):
        at_s = device.receive(adalight_frame(picture(seed)), at_s)
    assert device.shown_count == 10


def test_strip_does_not_go_dark_while_nothing_changes(fake_adalight):
    device = fake_adalight.FakeAdalight(60)
    driver = AdalightDriver(115_200, 60)
    driver.receive(b"", 0)
    driver.show(picture(1))
    for step in range(400):
        device.take(step / 10)
        out = driver.outgoing(step / 10)
        if out:
            device.receive(out, step / 10)
        assert step == 0 or device.shown == picture(1).rgb
    assert 35 <= device.shown_count <= 42


def test_leaving_darkens_the_strip(fake_adalight):
    device = fake_adalight.FakeAdalight(60)
    driver = AdalightDriver(115_200, 60)
    device.receive(driver.farewell(), 0)
    assert device.shown == bytes(180)


@given(frames=st.lists(st.integers(0, 2**32), max_size=8), garbage=st.binary(max_size=100))
def test_sketch_finds_the_next_picture_after_garbage(fake_adalight, frames, garbage):
    device = fake_adalight.FakeAdalight(8)
    device.receive(garbage.replace(b"A", b""), 0)
    at_s = 1.0
    for seed in frames:
        device.receive(adalight_frame(picture(seed, 8)), at_s)
        at_s += 0.1
    assert device.shown_count == len(frames)
