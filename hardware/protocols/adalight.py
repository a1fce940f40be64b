"""Adalight, the protocol of most hobby sketches and programs. The strip answers nothing.

A frame is ``Ada``, the pixel count less one (two bytes, high first), a check byte, then red, green and
blue of each pixel. Adafruit's sketch sends ``Ada`` and a line end at its start and every idle second,
and goes dark after 15 s without a picture.
"""

from __future__ import annotations

from assistant.translations.messages import message
from hardware.driver import Driver, Ready, StripEvent, StripIdentity
from hardware.kinds import BySerial, LightKind
from hardware.light import LightFrame

KIND = "adalight"
GREETINGS = (b"Ada\n", b"Ada\r\n")
FURTHER_RATES = (500_000, 1_000_000, 460_800, 921_600, 2_000_000, 230_400)
"""Rates of sold and self-built sketches besides Adafruit's 115,200, the most common first."""

# An Uno cannot listen while it writes. Measured: pictures less than 2 ms apart lose every second one at 60 LEDs. Each
# further LED takes 33 us more.
REST_S = 0.002
REST_FREE_PIXELS = 60
PIXEL_WRITE_S = 33e-6


def greets_like_adalight(heard: bytes) -> bool:
    """Return whether a device has sent “Ada”, as Adalight sketches and WLED do at their start."""
    return any(greeting in heard for greeting in GREETINGS)


def adalight_frame(frame: LightFrame) -> bytes:
    """Return the frame with header and check byte."""
    high, low = divmod(frame.pixel_count - 1, 256)
    return b"Ada" + bytes((high, low, high ^ low ^ 0x55)) + frame.rgb


def rest_s(byte_count: int, pixel_count: int, baud_rate: int) -> float:
    """Return the least time from the first byte of a picture to the next picture."""
    return byte_count * 10 / baud_rate + REST_S + PIXEL_WRITE_S * max(0, pixel_count - REST_FREE_PIXELS)


def next_frame(driver: Driver, now_s: float, baud_rate: int) -> bytes:
    """Return the frame of the driver's next picture, or nothing. Keep the driver busy while the strip writes."""
    picture = driver.next_picture(now_s)
    if picture is None:
        return b""
    data = adalight_frame(picture)
    driver.keep_busy(now_s + rest_s(len(data), picture.pixel_count, baud_rate))
    return data


class AdalightDriver(Driver):
    """The host's end of Adalight."""

    def __init__(self, baud_rate: int, pixel_count: int) -> None:
        super().__init__()
        self._baud_rate = baud_rate
        self._pixel_count = pixel_count

    def receive(self, data: bytes, now_s: float) -> list[StripEvent]:
        """Report ready at the first call, and nothing afterwards.

        A restarted strip gets its picture within a second.
        """
        if self.is_ready:
            return []
        self.is_ready = True
        return [Ready(StripIdentity(KIND))]

    def outgoing(self, now_s: float) -> bytes:
        return next_frame(self, now_s, self._baud_rate)

    def farewell(self) -> bytes:
        return adalight_frame(LightFrame(bytes(3 * self._pixel_count)))


LIGHT = LightKind(
    KIND,
    message("an Adalight strip"),
    message("an Adalight sketch, bought or built, by USB"),
    BySerial((115_200,), greets_like_adalight, FURTHER_RATES),
    lambda start: AdalightDriver(start.baud_rate, start.pixel_count),
    is_sure=False,
)
