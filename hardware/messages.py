"""Sightline's own protocol as values and bytes: COBS frames with a CRC-16, in both directions.

A frame is ``COBS(type seq body crc) 00``; the tables byte by byte stand in ``hardware/README.md``. The
firmware holds the other end (``hardware/firmware/strip``), the virtual strip a third one.
"""

from __future__ import annotations

import enum
import struct
from binascii import crc_hqx
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from typing import ClassVar, Self, get_args

from hardware.framing import stuffed, unstuffed

PROTOCOL_VERSION = 1
MAX_MESSAGE_BYTES = 254
MESSAGE_PIXELS = 80
END = b"\0"


class Refusal(enum.IntEnum):
    """Why the strip did not do what a message asked for."""

    DAMAGED = 1
    UNKNOWN = 2
    OVER_LIMIT = 3
    INCOMPLETE = 4
    HELLO_FIRST = 5


class ButtonAction(enum.IntEnum):
    """What happened to the button on the strip."""

    PRESSED = 1
    RELEASED = 2
    HELD = 3


@dataclass(frozen=True, slots=True)
class _Message:
    """A message whose body is packed by ``form`` (big-endian); the fields stand in the order of the body."""

    code: ClassVar[int]
    form: ClassVar[struct.Struct] = struct.Struct(">")

    @property
    def body(self) -> bytes:
        """The bytes behind type and sequence number."""
        return self.form.pack(*astuple(self))

    @classmethod
    def from_body(cls, body: bytes) -> Self:
        """The message that these bytes stand for.

        Raises:
            ValueError: they do not fit.
        """
        if len(body) != cls.form.size:
            raise ValueError(f"a {cls.__name__} message has {cls.form.size} bytes, not {len(body)}")
        return cls(*cls.form.unpack(body))


@dataclass(frozen=True, slots=True)
class Hello(_Message):
    """Host: I speak this version; answered by Welcome."""

    code = 0x01
    form = struct.Struct(">B")
    protocol_version: int = PROTOCOL_VERSION


@dataclass(frozen=True, slots=True)
class Pixels(_Message):
    """Host: colours from pixel ``first`` on, of picture number ``picture``; answered by Ack or Nak.

    A picture starts with ``first`` 0 and goes on without holes; with ``is_shown`` it is complete, and
    the answer comes after it was written to the LEDs.
    """

    code = 0x02
    form = struct.Struct(">BBHH")
    picture: int
    is_shown: bool
    first: int
    rgb: bytes

    @property
    def body(self) -> bytes:
        """The bytes behind type and sequence number."""
        return self.form.pack(self.picture, self.is_shown, self.first, fletcher16(self.rgb)) + self.rgb

    @classmethod
    def from_body(cls, body: bytes) -> Self:
        """The message that these bytes stand for.

        Raises:
            ValueError: they do not fit.
        """
        if len(body) < cls.form.size or (len(body) - cls.form.size) % 3:
            raise ValueError(f"{len(body)} bytes are no whole pixels")
        picture, flags, first, check = cls.form.unpack_from(body)
        rgb = body[cls.form.size :]
        if check != fletcher16(rgb):
            raise ValueError("the colours do not fit their check")
        return cls(picture, bool(flags & 1), first, rgb)


@dataclass(frozen=True, slots=True)
class Ping(_Message):
    """Host: I am here; answered by Pong."""

    code = 0x03


@dataclass(frozen=True, slots=True)
class Seen(_Message):
    """Host: the button event of that number has arrived; not answered."""

    code = 0x04
    form = struct.Struct(">B")
    number: int


@dataclass(frozen=True, slots=True)
class Configure(_Message):
    """Host: so long is the strip and so much may it draw (0: no limit); kept for ever, answered by Welcome."""

    code = 0x05
    form = struct.Struct(">HH")
    pixel_count: int
    limit_ma: int


@dataclass(frozen=True, slots=True)
class Bye(_Message):
    """Host: I leave; the strip goes dark and answers by Ack."""

    code = 0x06


@dataclass(frozen=True, slots=True)
class Welcome(_Message):
    """Strip: who I am; the answer to Hello, and unasked (sequence number 0) while no host is there."""

    code = 0x81
    form = struct.Struct(">BBBHHB")
    protocol_version: int
    firmware_major: int
    firmware_minor: int
    pixel_count: int
    limit_ma: int
    message_pixels: int = MESSAGE_PIXELS


@dataclass(frozen=True, slots=True)
class Ack(_Message):
    """Strip: done."""

    code = 0x82


@dataclass(frozen=True, slots=True)
class Nak(_Message):
    """Strip: not done; sequence number 0 where the message could not be read."""

    code = 0x83
    form = struct.Struct(">B")
    reason: int


@dataclass(frozen=True, slots=True)
class Pong(_Message):
    """Strip: pictures shown, messages that came damaged, bytes lost; each counted modulo 65536."""

    code = 0x84
    form = struct.Struct(">HHH")
    shown_count: int
    damaged_count: int
    lost_bytes: int


@dataclass(frozen=True, slots=True)
class Button(_Message):
    """Strip: something happened to the button; repeated until Seen."""

    code = 0x85
    form = struct.Struct(">BB")
    number: int
    action: int


Message = Hello | Pixels | Ping | Seen | Configure | Bye | Welcome | Ack | Nak | Pong | Button
_KIND_BY_CODE: dict[int, type[Message]] = {kind.code: kind for kind in get_args(Message)}


@dataclass(frozen=True, slots=True)
class Received:
    """A message that came whole, with its sequence number."""

    seq: int
    message: Message


@dataclass(frozen=True, slots=True)
class Damaged:
    """Something came that is no message."""


def fletcher16(data: bytes) -> int:
    """Fletcher's checksum modulo 255: a second check of colours, of another kind than the CRC.

    With it a picture damaged at random passes once in 2^32, not once in 2^16: on a bad cable that is
    the difference between one wrong light an hour and none in years.
    """
    low = high = 0
    for byte in data:
        low += byte
        high += low
    return (high % 255) << 8 | low % 255


def encode(message: Message, seq: int) -> bytes:
    """The frame for a message, its end byte included."""
    plain = bytes((message.code, seq)) + message.body
    if len(plain) + 2 > MAX_MESSAGE_BYTES:
        raise ValueError(f"a message of {len(plain)} bytes does not fit a frame")
    framed = stuffed(plain + crc_hqx(plain, 0xFFFF).to_bytes(2, "big"))
    return framed + END


def decode(frame: bytes) -> Received | Damaged:
    """What a frame (without its end byte) says."""
    try:
        plain = unstuffed(frame)
        if len(plain) < 4 or crc_hqx(plain, 0xFFFF) != 0:
            return Damaged()
        message = _KIND_BY_CODE[plain[0]].from_body(plain[2:-2])
    except (KeyError, ValueError):
        return Damaged()
    return Received(plain[1], message)


class FrameReader:
    """Finds frames in a stream that may start anywhere and hold anything."""

    def __init__(self) -> None:
        self._partial = bytearray()
        self._is_flooded = False

    def feed(self, data: bytes) -> Iterator[Received | Damaged]:
        """What has become complete with these bytes, in order."""
        *ended, rest = data.split(END)
        for piece in ended:
            self._keep(piece)
            frame, is_flooded = bytes(self._partial), self._is_flooded
            self._partial.clear()
            self._is_flooded = False
            if is_flooded:
                yield Damaged()
            elif frame:
                yield decode(frame)
        self._keep(rest)

    def _keep(self, piece: bytes) -> None:
        # A stream without an end byte must not fill the memory.
        self._is_flooded = self._is_flooded or len(self._partial) + len(piece) > MAX_MESSAGE_BYTES + 2
        if not self._is_flooded:
            self._partial += piece
