"""E1.31 by the letter of ANSI E1.31-2018, with the test's own parser."""

from __future__ import annotations

import pytest

from assistant.errors import NoAnswer
from hardware.light import MAX_PIXELS, LightFrame
from hardware.protocols.e131 import LIGHT, E131Driver
from hardware.registry import light_kind


def number(data: bytes) -> int:
    return int.from_bytes(data, "big")


def channels_of(packet: bytes) -> tuple[int, int, int, bytes]:
    """Universe, sequence number, options and channels of a packet, every field checked (tables 4-1 to 7-1)."""
    assert packet[:4] == bytes((0, 0x10, 0, 0))
    assert packet[4:16] == b"ASC-E1.17\0\0\0"
    for start in (16, 38, 115):  # flags 0x7 and the length from here to the end
        assert packet[start] >> 4 == 7
        assert number(packet[start : start + 2]) & 0xFFF == len(packet) - start
    assert number(packet[18:22]) == 4
    assert len(set(packet[22:38])) > 1
    assert number(packet[40:44]) == 2
    assert packet[44:108].rstrip(b"\0") == b"Sightline"
    assert packet[107] == 0
    assert packet[108] <= 200
    assert packet[109:111] == b"\0\0"
    assert packet[117] == 2
    assert packet[118] == 0xA1
    assert packet[119:123] == bytes((0, 0, 0, 1))
    assert number(packet[123:125]) == len(packet) - 125 <= 513
    assert packet[125] == 0
    return number(packet[113:115]), packet[111], packet[112], packet[126:]


def pictures_of(driver: E131Driver, until_s: float) -> list[tuple[int, int, int, bytes]]:
    """Return every packet of a while in which the host answers."""
    found = []
    for step in range(round(until_s * 1000)):
        driver.receive(b"\n" if step % 2000 == 0 else b"", step / 1000)
        if packet := driver.outgoing(step / 1000):
            found.append(channels_of(packet))
    return found


@pytest.mark.parametrize("pixels", [1, 60, 170, 171, 340, MAX_PIXELS])
def test_a_picture_takes_as_many_universes_as_it_needs(pixels):
    rgb = bytes(n % 251 for n in range(3 * pixels))
    driver = E131Driver(pixels, 0.0)
    driver.show(LightFrame(rgb))
    sent = pictures_of(driver, 0.5)
    assert b"".join(channels for _, _, _, channels in sent) == rgb
    assert [universe for universe, *_ in sent] == [*range(1, -(-pixels // 170) + 1)]
    assert len({sequence for _, sequence, *_ in sent}) == 1


def test_an_unchanged_picture_is_sent_again_before_receivers_miss_it():
    driver = E131Driver(10, 0.0)
    driver.show(LightFrame(bytes(30)))
    sent = pictures_of(driver, 5.0)
    assert 5 <= len(sent) <= 8
    assert [sequence for _, sequence, *_ in sent] == [*range(1, len(sent) + 1)]


def test_the_farewell_is_dark_and_ends_the_stream():
    driver = E131Driver(200, 0.0)
    driver.show(LightFrame(b"\xff" * 600))
    pictures_of(driver, 0.5)
    universe, _, options, channels = channels_of(driver.farewell())
    assert (universe, options, set(channels)) == (1, 0x40, {0})


def test_nothing_is_sent_before_the_host_has_answered():
    driver = E131Driver(10, 0.0)
    driver.show(LightFrame(bytes(30)))
    assert all(driver.outgoing(step / 10) == b"" for step in range(10))
    with pytest.raises(NoAnswer):
        driver.outgoing(60.0)


def test_it_is_one_more_kind_of_light():
    assert light_kind("e131") is LIGHT
