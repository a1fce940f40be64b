"""What every conversation with a strip has in common: bytes in, bytes and events out, no port and no clock inside."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from hardware.light import LightFrame
from hardware.messages import ButtonAction


@dataclass(frozen=True, slots=True)
class StripIdentity:
    """What a strip says about itself; None where its protocol cannot tell.

    ``kind`` is the id of its kind; ``remembers_length`` says that it can be told its length and limit for ever.
    """

    kind: str
    version: str | None = None
    pixel_count: int | None = None
    limit_ma: int | None = None
    remembers_length: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Ready:
    """The strip has answered and takes pictures from now on."""

    identity: StripIdentity


@dataclass(frozen=True, slots=True)
class ButtonPress:
    """Somebody touched the button on the strip."""

    action: ButtonAction


StripEvent = Ready | ButtonPress


class Driver(Protocol):
    """One end of a conversation with a strip.

    ``receive`` and ``outgoing`` raise a ``StripError`` when the strip does not answer or not as it
    should; the conversation is over then.
    """

    @property
    def is_ready(self) -> bool:
        """Whether the strip takes pictures."""

    @property
    def wants_frame(self) -> bool:
        """Whether a picture that is handed over now would go out at once."""

    @property
    def shown(self) -> LightFrame | None:
        """The picture that the strip shows as far as its protocol can tell, or None."""

    def show(self, frame: LightFrame) -> None:
        """Hands over the newest picture; an older one that has not gone out yet is dropped."""

    def receive(self, data: bytes, now_s: float) -> list[StripEvent]:
        """What the bytes from the strip mean."""

    def outgoing(self, now_s: float) -> bytes:
        """The bytes to write now, in one go; none when there is nothing to say."""

    def farewell(self) -> bytes:
        """The bytes with which to leave on purpose."""


@runtime_checkable
class RemembersLength(Protocol):
    """A driver whose strip can be told its length for ever."""

    def configure(self, pixel_count: int, limit_ma: int) -> None:
        """Tells the strip how long it is and how much it may draw (0: no limit)."""
