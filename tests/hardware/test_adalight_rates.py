"""Adalight strips at other rates than Adafruit's: the greeting tells the rate, or the port's name does."""

from __future__ import annotations

import pytest

from hardware.light import LightFrame
from hardware.link import LISTEN_S, StripLink
from hardware.port import PortPlace
from hardware.protocols.adalight import FURTHER_RATES
from hardware.strip import split_rate


class Sketch:
    """A sketch at one rate: at any other its greeting is noise, and pictures are lost."""

    def __init__(self, rate: int, *, greets: bool = True) -> None:
        self.rate, self.greets = rate, greets
        self.opened: list[int] = []
        self.taken = b""
        self.now_s = 0.0

    def places(self) -> list[PortPlace]:
        return [PortPlace("/dev/ttyUSB0")]

    def open(self, place: PortPlace, baud_rate: int) -> Sketch:
        self.opened.append(baud_rate)
        return self

    def read(self) -> bytes:
        if not self.greets:
            return b""
        return b"Ada\n" if self.opened[-1] == self.rate else b"\xf8\x00\x80"

    def write(self, data: bytes) -> None:
        if self.opened[-1] == self.rate:
            self.taken += data

    def close(self) -> None:
        return


def lit_after(sketch: Sketch, most_s: float = 120.0, **more: object) -> float | None:
    """Return the seconds until the sketch has a picture, or None if it stays dark."""
    link = StripLink(sketch, lambda: sketch.now_s, pixel_count=3, **more)
    link.show(LightFrame(bytes(9)))
    while sketch.now_s < most_s:
        link.step()
        if sketch.taken.startswith(b"Ada\x00\x02"):
            return sketch.now_s
        sketch.now_s += 0.05
    return None


@pytest.mark.parametrize("rate", [115_200, *FURTHER_RATES])
def test_a_strip_that_greets_is_found_at_the_usual_rates(rate):
    sketch = Sketch(rate)
    found_s = lit_after(sketch, kind="adalight")
    assert found_s is not None
    assert found_s < (len(FURTHER_RATES) + 1) * (LISTEN_S + 2)
    assert sketch.opened[-1] == rate


def test_a_strip_that_says_nothing_gets_pictures_at_the_usual_rate_in_the_end():
    assert lit_after(Sketch(115_200, greets=False), kind="adalight") is not None


@pytest.mark.parametrize("rate", [57_600, 460_800, 2_000_000])
def test_a_strip_that_says_nothing_at_another_rate_takes_the_rate_of_its_port(rate):
    assert lit_after(Sketch(rate, greets=False), kind="adalight", baud_rate=rate) is not None


@pytest.mark.parametrize(
    ("port", "parts"),
    [
        ("/dev/ttyUSB0@500000", ("/dev/ttyUSB0", 500_000)),
        ("COM5@1000000", ("COM5", 1_000_000)),
        ("auto@460800", ("auto", 460_800)),
        ("usb:1a86:7523@2000000", ("usb:1a86:7523", 2_000_000)),
        ("/dev/ttyUSB0", ("/dev/ttyUSB0", 0)),
        ("wled://user@192", ("wled://user@192", 0)),
        ("rfc2217://host:4000@500000", ("rfc2217://host:4000@500000", 0)),
    ],
)
def test_a_port_may_name_its_rate(port, parts):
    assert split_rate(port) == parts
