"""A board without a greeting that nobody has named a strip is not restarted repeatedly."""

from __future__ import annotations

import pytest

from hardware.link import LEFT_ALONE_S, StripLink
from hardware.port import PortPlace
from hardware.transports.serial_port import SerialFinder

PRINTER = PortPlace("/dev/ttyUSB0", 0x1A86, 0x7523)


class SilentPort:
    """An open port without a peer. Writing to it is a fault."""

    def read(self):
        return b""

    def close(self):
        pass


class Openings(SerialFinder):
    """Notes when which port was opened."""

    def __init__(self, choice, places, clock):
        super().__init__(choice, lambda: places)
        self.at_s, self.clock = [], clock

    def open(self, place, baud_rate):
        self.at_s.append(self.clock())
        return SilentPort()


@pytest.fixture
def watched(rig):
    def watch(choice):
        clock, places = rig.Clock(0.0), [PRINTER]
        finder = Openings(choice, places, clock)
        return StripLink(finder, clock), clock, finder, places

    return watch


def run(link, clock, seconds):
    for _ in range(round(seconds / 0.1)):
        link.step()
        clock.now_s += 0.1


def test_a_guessed_board_is_opened_once_at_each_rate_and_then_left_alone_for_a_minute(watched):
    link, clock, finder, _ = watched("auto")
    run(link, clock, LEFT_ALONE_S)
    assert len(finder.at_s) == 2
    run(link, clock, LEFT_ALONE_S)
    assert len(finder.at_s) == 4


def test_a_board_that_was_unplugged_is_tried_again_at_once(watched):
    link, clock, finder, places = watched("auto")
    run(link, clock, 20)
    places.clear()
    run(link, clock, 3)
    places.append(PRINTER)
    run(link, clock, 3)
    assert len(finder.at_s) == 3


def test_a_board_that_was_left_alone_is_tried_at_once_when_somebody_asks(watched):
    link, clock, finder, _ = watched("auto")
    run(link, clock, 20)
    assert len(finder.at_s) == 2
    link.search_now()
    run(link, clock, 3)
    assert len(finder.at_s) == 3


def test_a_board_that_somebody_named_is_tried_on_and_on(watched):
    link, clock, finder, _ = watched("usb:1a86:7523")
    run(link, clock, LEFT_ALONE_S)
    assert len(finder.at_s) >= 10
