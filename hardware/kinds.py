"""A kind of light: its name, how to reach it, and its driver.

Each file in ``hardware.protocols`` describes its light in a value ``LIGHT``; ``hardware.registry`` finds them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from hardware.driver import Driver


@dataclass(frozen=True, slots=True)
class Start:
    """The facts at the start of a conversation.

    ``baud_rate`` is 0 on a network; ``pixel_count`` holds for a strip that cannot report its own length.
    """

    now_s: float
    baud_rate: int
    pixel_count: int


@dataclass(frozen=True, slots=True)
class BySerial:
    """A light on a serial port.

    ``baud_rates`` are tried in this order; ``hears`` decides whether a device's first bytes may be this light's
    greeting. ``further_rates`` are listened at as well where somebody names this kind.
    """

    baud_rates: tuple[int, ...]
    hears: Callable[[bytes], bool]
    further_rates: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ByNetwork:
    """A host on the network: it gets pictures as datagrams and questions as HTTP requests.

    The questions repeat, and the driver receives each answer as one line, an empty one if the host has nothing to
    say. A driver sends no picture before it has heard its host.

    ``scheme`` begins its addresses (``wled://192.168.1.40``); ``service`` is the mDNS service that it announces, if
    any; ``told_port`` reads the port for pictures out of an answer, if people can set it in the light.
    """

    scheme: str
    picture_port: int
    question: str
    service: str | None = None
    told_port: Callable[[bytes], int | None] | None = None

    baud_rates: ClassVar[tuple[int, ...]] = (0,)
    further_rates: ClassVar[tuple[int, ...]] = ()


@dataclass(frozen=True, slots=True)
class LightKind:
    """A kind of light.

    Settings use ``id``, sentences ``name``, lists ``about``; the last two are messages, translated where shown.
    ``is_sure``: its answers prove its kind. A kind without such answers counts only if no other fits.
    """

    id: str
    name: str
    about: str
    reach: BySerial | ByNetwork
    begin: Callable[[Start], Driver]
    is_sure: bool = True

    @property
    def is_awaited(self) -> bool:
        """Whether the link waits for its greeting before it writes; it asks a host on the network instead."""
        return isinstance(self.reach, BySerial)

    def is_greeting(self, heard: bytes) -> bool:
        """Return whether a device's first bytes may be this light's greeting."""
        return isinstance(self.reach, BySerial) and self.reach.hears(heard)
