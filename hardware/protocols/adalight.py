"""Adalight: what most hobby sketches and programs speak. No answers, so nothing is known of the strip.

A frame is ``Ada``, the pixel count less one (two bytes, high first), a check byte, then red, green and
blue of each pixel. Adafruit's sketch says ``Ada`` and a line end when it starts and every idle second,
and goes dark after 15 s without a picture.
"""

from __future__ import annotations

from assistant.translations.messages import message
from hardware.driver import Ready, StripEvent, StripIdentity
from hardware.kinds import BySerial, LightKind
from hardware.light import LightFrame
from hardware.outbox import Outbox

KIND = "adalight"
GREETINGS = (b"Ada\n", b"Ada\r\n")
REFRESH_S = 1.0
# An Uno cannot listen while it writes: measured, pictures less than 2 ms apart lose every second one at
# 60 LEDs; 33 us more for each LED beyond these.
REST_S = 0.002
REST_FREE_PIXELS = 60
PIXEL_WRITE_S = 33e-6


def greets_like_adalight(heard: bytes) -> bool:
    """Whether a device has said “Ada”, as Adalight sketches and WLED do when they start."""
    return any(greeting in heard for greeting in GREETINGS)


def adalight_frame(frame: LightFrame) -> bytes:
    """The bytes that show a light frame."""
    high, low = divmod(frame.pixel_count - 1, 256)
    return b"Ada" + bytes((high, low, high ^ low ^ 0x55)) + frame.rgb


def rest_s(byte_count: int, pixel_count: int, baud_rate: int) -> float:
    """How long after the first byte of a picture the next one may start."""
    return byte_count * 10 / baud_rate + REST_S + PIXEL_WRITE_S * max(0, pixel_count - REST_FREE_PIXELS)


class AdalightDriver:
    """The host's end of Adalight; see ``hardware.driver.Driver``."""

    def __init__(self, baud_rate: int, pixel_count: int) -> None:
        self._baud_rate = baud_rate
        self._pixel_count = pixel_count
        self._is_ready = False
        self._outbox = Outbox(REFRESH_S)

    @property
    def is_ready(self) -> bool:
        """Whether the strip takes pictures; with Adalight it always seems to."""
        return self._is_ready

    @property
    def wants_frame(self) -> bool:
        """Whether a picture that is handed over now would go out soon."""
        return self._is_ready and self._outbox.is_empty

    @property
    def shown(self) -> LightFrame | None:
        """The picture that was sent last; whether it arrived nobody says."""
        return self._outbox.shown

    def show(self, frame: LightFrame) -> None:
        """Hands over the newest picture."""
        self._outbox.put(frame)

    def receive(self, data: bytes, now_s: float) -> list[StripEvent]:
        """Ready at the first call, nothing afterwards: a strip that restarts gets its picture within a second."""
        if self._is_ready:
            return []
        self._is_ready = True
        return [Ready(StripIdentity(KIND))]

    def outgoing(self, now_s: float) -> bytes:
        """The newest picture when it differs from the last one, or again after a second."""
        picture = self._outbox.take(now_s)
        if picture is None:
            return b""
        data = adalight_frame(picture)
        self._outbox.rest(now_s + rest_s(len(data), picture.pixel_count, self._baud_rate))
        return data

    def farewell(self) -> bytes:
        """A dark picture."""
        return adalight_frame(LightFrame(bytes(3 * self._pixel_count)))


LIGHT = LightKind(
    KIND,
    message("an Adalight strip"),
    message("an Adalight sketch, bought or built, by USB"),
    BySerial((115_200,), greets_like_adalight),
    lambda start: AdalightDriver(start.baud_rate, start.pixel_count),
    is_sure=False,
)
