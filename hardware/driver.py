"""Conversations with strips: bytes in, bytes and events out, no port, clock or thread inside."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar

from hardware.light import LightFrame
from hardware.messages import ButtonAction


@dataclass(frozen=True, slots=True)
class StripIdentity:
    """A strip's own facts, None if its protocol cannot report them.

    ``kind`` is the id of its kind. ``remembers_length``: it stores its length and current limit.
    """

    kind: str
    version: str | None = None
    pixel_count: int | None = None
    limit_ma: int | None = None
    remembers_length: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Ready:
    """The strip answered and now takes pictures."""

    identity: StripIdentity


@dataclass(frozen=True, slots=True)
class ButtonPress:
    """Somebody touched the button on the strip."""

    action: ButtonAction


StripEvent = Ready | ButtonPress


class Driver(ABC):
    """The host's end of a conversation with a strip.

    A light implements ``receive``, ``outgoing`` and ``farewell``, sets ``is_ready`` once the strip takes pictures, and
    sends the result of ``next_picture``. ``receive`` and ``outgoing`` raise a ``StripError`` when the strip does not
    answer correctly. The conversation is then over.
    """

    refresh_s: ClassVar[float] = 1.0
    """Interval after which an unchanged picture is repeated, before the strip misses its host."""

    def __init__(self) -> None:
        self.is_ready = False
        self._newest: LightFrame | None = None
        self._shown: LightFrame | None = None
        self._sent_s = 0.0
        self._busy_until_s = float("-inf")

    @property
    def wants_frame(self) -> bool:
        """Whether a frame handed over now would soon go out."""
        return self.is_ready and self._newest is None

    @property
    def shown(self) -> LightFrame | None:
        """The picture on the strip, as far as its protocol can know."""
        return self._shown if self.is_ready else None

    def show(self, frame: LightFrame) -> None:
        """Hand over the newest picture. An older unsent one is dropped."""
        self._newest = frame

    def configure(self, pixel_count: int, limit_ma: int) -> bool:
        """Store length and current limit (0: none) in the strip. Return False if this kind stores neither."""
        return False

    @abstractmethod
    def receive(self, data: bytes, now_s: float) -> list[StripEvent]:
        """Return the events in the bytes from the strip."""

    @abstractmethod
    def outgoing(self, now_s: float) -> bytes:
        """Return the bytes to write now, in one go, often none."""

    @abstractmethod
    def farewell(self) -> bytes:
        """Return the bytes for a deliberate goodbye."""

    def is_busy(self, now_s: float) -> bool:
        """Return whether the strip is still busy with the last picture."""
        return now_s < self._busy_until_s

    def keep_busy(self, until_s: float) -> None:
        """Hold back the next picture until that time."""
        self._busy_until_s = until_s

    def next_picture(self, now_s: float) -> LightFrame | None:
        """Return the picture to send now: a new one at once, the shown one again after ``refresh_s``."""
        if self.is_busy(now_s):
            return None
        picture, self._newest = self._newest or self._shown, None
        if picture is None or (picture == self._shown and now_s - self._sent_s < self.refresh_s):
            return None
        self._shown, self._sent_s = picture, now_s
        return picture

    def doubt_picture(self) -> None:
        """Send the picture again, since the strip may show something else."""
        self._newest = self._newest or self._shown
        self._shown = None
