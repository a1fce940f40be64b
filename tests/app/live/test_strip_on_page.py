"""The page's messages about the strip, and when there are none."""

from __future__ import annotations

import pytest

from assistant.app.live.strip_on_page import StripOnPage
from assistant.errors import PortBusy
from assistant.translations.messages import said
from hardware.light import LightSettings
from hardware.port import PortPlace
from hardware.strip import TrackerStrip
from hardware.transports.serial_port import SerialFinder

UNO = PortPlace("/dev/ttyACM0", 0x2341, 0x0043)


class Page:
    """Keeps the reports."""

    def __init__(self):
        self.told = []

    def report(self, part, problem):
        self.told.append((part, str(problem)))


class Shut(SerialFinder):
    """Ports that may not be opened."""

    def open(self, place, baud_rate):
        raise PortBusy(said("the port {address} may not be opened", address=place.address))


def told_of(port, finder):
    strip = TrackerStrip(finder, LightSettings(), clock=lambda: 0.0)
    page = Page()
    strip.step()
    StripOnPage(strip, port, page, lambda kind, body: None).step()
    return page.told


def test_a_board_without_permission_is_reported_even_if_nobody_named_it():
    assert told_of("auto", Shut("auto", lambda: [UNO])) == [("strip", "the port /dev/ttyACM0 may not be opened")]


def test_a_table_without_any_board_is_no_fault():
    assert told_of("auto", Shut("auto", list)) == []


@pytest.mark.parametrize("port", ["/dev/no-such-port", "socket://127.0.0.1:1"])
def test_a_port_that_somebody_named_is_reported_when_it_cannot_be_opened(port):
    (told,) = told_of(port, SerialFinder(port, list))
    assert told == ("strip", f"The port {port} cannot be opened. Plug the strip in or choose another port.")
