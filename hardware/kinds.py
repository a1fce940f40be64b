"""What describes a kind of light: how it is called, how it is reached, and who speaks with it.

Each file in ``hardware.protocols`` describes its light in a value ``LIGHT``; ``hardware.registry`` finds them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from hardware.driver import Driver


@dataclass(frozen=True, slots=True)
class Start:
    """What a conversation knows when it begins.

    ``baud_rate`` is the line's, 0 on a network; ``pixel_count`` is the length of a strip that cannot tell its own.
    """

    now_s: float
    baud_rate: int
    pixel_count: int


@dataclass(frozen=True, slots=True)
class BySerial:
    """A light on a serial port.

    ``baud_rates`` are tried in this order; ``hears`` tells whether the bytes that a device has said unasked may be
    this light's greeting.
    """

    baud_rates: tuple[int, ...]
    hears: Callable[[bytes], bool]


@dataclass(frozen=True, slots=True)
class ByNetwork:
    """A light that is a host on the network: pictures go to it as datagrams, questions as HTTP requests.

    The host is asked over and over, and what it answers is what its driver receives: its text as one line, or an
    empty line where it is there but has nothing to say. A driver sends no picture before it has heard its host.

    ``scheme`` begins its addresses (``wled://192.168.1.40``); ``service`` is the mDNS service by which it announces
    itself, None where it does not; ``told_port`` reads out of an answer to which port pictures go, where it can be
    set in the light.
    """

    scheme: str
    picture_port: int
    question: str
    service: str | None = None
    told_port: Callable[[bytes], int | None] | None = None

    baud_rates: ClassVar[tuple[int, ...]] = (0,)


@dataclass(frozen=True, slots=True)
class LightKind:
    """A kind of light.

    ``id`` is what settings call it, ``name`` what a sentence does, ``about`` one line for people who choose; the last
    two are messages, translated where they are shown.
    ``is_sure`` says that its answers prove what it is; a light without is believed only when no other fits.
    """

    id: str
    name: str
    about: str
    reach: BySerial | ByNetwork
    begin: Callable[[Start], Driver]
    is_sure: bool = True

    @property
    def is_awaited(self) -> bool:
        """Whether nothing is said to it before it has greeted; a host on the network is asked instead."""
        return isinstance(self.reach, BySerial)

    def is_greeting(self, heard: bytes) -> bool:
        """Whether what a device has said unasked may be this light's greeting."""
        return isinstance(self.reach, BySerial) and self.reach.hears(heard)
