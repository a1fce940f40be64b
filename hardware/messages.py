"""Sightline's own protocol as values and bytes: COBS frames with a CRC-16, in both directions.

A frame is ``COBS(type seq body crc) 00``; ``hardware/README.md`` has the tables byte by byte. The firmware
(``hardware/firmware/strip``) and the virtual strip implement the other end.
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
    """Why the strip rejected a message."""

    DAMAGED = 1
    UNKNOWN = 2
    OVER_LIMIT = 3
    INCOMPLETE = 4
    HELLO_FIRST = 5


class ButtonAction(enum.IntEnum):
    """A change of the button on the strip."""

    PRESSED = 1
    RELEASED = 2
    HELD = 3


@dataclass(frozen=True, slots=True)
class _Message:
    """A message with a body in the big-endian ``form``. The fields are in the order of the body."""

    code: ClassVar[int]
    form: ClassVar[struct.Struct] = struct.Struct(">")

    @property
    def body(self) -> bytes:
        """The bytes after type and sequence number."""
        return self.form.pack(*astuple(self))

    @classmethod
    def from_body(cls, body: bytes) -> Self:
        """Return the message in these bytes. Raise ``ValueError`` if they do not fit."""
        if len(body) != cls.form.size:
            raise ValueError(f"a {cls.__name__} message has {cls.form.size} bytes, not {len(body)}")
        return cls(*cls.form.unpack(body))


@dataclass(frozen=True, slots=True)
class Hello(_Message):
    """Host: I speak this version. Answer: Welcome."""

    code = 0x01
    form = struct.Struct(">B")
    protocol_version: int = PROTOCOL_VERSION


@dataclass(frozen=True, slots=True)
class Pixels(_Message):
    """Host: colours from pixel ``first`` on, of picture number ``picture``. Answer: Ack or Nak.

    A picture starts with ``first`` 0 and continues without gaps. ``is_shown`` completes it. That answer comes after the
    strip has written the LEDs.
    """

    code = 0x02
    form = struct.Struct(">BBHH")
    picture: int
    is_shown: bool
    first: int
    rgb: bytes

    @property
    def body(self) -> bytes:
        return self.form.pack(self.picture, self.is_shown, self.first, fletcher16(self.rgb)) + self.rgb

    @classmethod
    def from_body(cls, body: bytes) -> Self:
        if len(body) < cls.form.size or (len(body) - cls.form.size) % 3:
            raise ValueError(f"{len(body)} bytes are no whole pixels")
        picture, flags, first, check = cls.form.unpack_from(body)
        rgb = body[cls.form.size :]
        if check != fletcher16(rgb):
            raise ValueError("the colours do not fit their check")
        return cls(picture, bool(flags & 1), first, rgb)


@dataclass(frozen=True, slots=True)
class Ping(_Message):
    """Host: I am here. Answer: Pong."""

    code = 0x03


@dataclass(frozen=True, slots=True)
class Seen(_Message):
    """Host: the button event of that number has arrived. No answer."""

    code = 0x04
    form = struct.Struct(">B")
    number: int


@dataclass(frozen=True, slots=True)
class Configure(_Message):
    """Host: the strip's length and current limit (0: none), to store. Answer: Welcome."""

    code = 0x05
    form = struct.Struct(">HH")
    pixel_count: int
    limit_ma: int


@dataclass(frozen=True, slots=True)
class Bye(_Message):
    """Host: I leave. The strip goes dark and answers Ack."""

    code = 0x06


@dataclass(frozen=True, slots=True)
class Welcome(_Message):
    """Strip: my facts, as the answer to Hello, and unasked (sequence number 0) without a host."""

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
    """Strip: rejected. Sequence number 0 means an unreadable message."""

    code = 0x83
    form = struct.Struct(">B")
    reason: int


@dataclass(frozen=True, slots=True)
class Pong(_Message):
    """Strip: pictures shown, messages damaged, bytes lost; each modulo 65536."""

    code = 0x84
    form = struct.Struct(">HHH")
    shown_count: int
    damaged_count: int
    lost_bytes: int


@dataclass(frozen=True, slots=True)
class Button(_Message):
    """Strip: a button event, repeated until Seen."""

    code = 0x85
    form = struct.Struct(">BB")
    number: int
    action: int


Message = Hello | Pixels | Ping | Seen | Configure | Bye | Welcome | Ack | Nak | Pong | Button
_KIND_BY_CODE: dict[int, type[Message]] = {kind.code: kind for kind in get_args(Message)}


@dataclass(frozen=True, slots=True)
class Received:
    """An intact message with its sequence number."""

    seq: int
    message: Message


@dataclass(frozen=True, slots=True)
class Damaged:
    """Bytes that are no message."""


def fletcher16(data: bytes) -> int:
    """Return Return Fletcher's checksum modulo 255, a second check of colours, independent of the CRC.

    With it a randomly damaged picture passes once in 2^32, not once in 2^16. On a bad cable that is the difference
    between one wrong light an hour and none in years.
    """
    low = high = 0
    for byte in data:
        low += byte
        high += low
    return (high % 255) << 8 | low % 255


def encode(message: Message, seq: int) -> bytes:
    """Return the frame of a message, with its end byte."""
    plain = bytes((message.code, seq)) + message.body
    if len(plain) + 2 > MAX_MESSAGE_BYTES:
        raise ValueError(f"a message of {len(plain)} bytes does not fit a frame")
    framed = stuffed(plain + crc_hqx(plain, 0xFFFF).to_bytes(2, "big"))
    return framed + END


def decode(frame: bytes) -> Received | Damaged:
    """Return the message in a frame without its end byte."""
    try:
        plain = unstuffed(frame)
        if len(plain) < 4 or crc_hqx(plain, 0xFFFF) != 0:
            return Damaged()
        message = _KIND_BY_CODE[plain[0]].from_body(plain[2:-2])
    except (KeyError, ValueError):
        return Damaged()
    return Received(plain[1], message)


class FrameReader:
    """Finds frames in any stream, from any point of it."""

    def __init__(self) -> None:
        self._partial = bytearray()
        self._is_flooded = False

    def feed(self, data: bytes) -> Iterator[Received | Damaged]:
        """Yield the messages that these bytes complete, in order."""
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
        # A stream without end bytes must not fill the memory.
        self._is_flooded = self._is_flooded or len(self._partial) + len(piece) > MAX_MESSAGE_BYTES + 2
        if not self._is_flooded:
            self._partial += piece
