"""Pictures handed from the capturing process to ours through shared memory; the newest one wins.

There are two slots. The writer fills the one that was not filled last and then says so; the reader copies the one that
was filled last and looks whether it was being filled anew meanwhile. Nothing is ever locked, so a writer may be ended
at any moment.
"""

from __future__ import annotations

from dataclasses import dataclass
from multiprocessing.shared_memory import SharedMemory
from typing import NamedTuple, cast

import numpy as np
from jaxtyping import UInt8, UInt64

from calibration.arrays import BgrImage, Integers, Levels

MAX_BYTES = 3840 * 2160 * 3
"""Room for one picture of a 4K camera. Only what is written to takes memory."""

SLOTS = 2
_HEAD_WORDS = 8
"""64-bit words before the slots and before the pixels of each."""


class Newest(NamedTuple):
    """The newest picture (H, W, 3), its number, and when it came, in seconds of the writer's monotonic clock."""

    image_bgr: BgrImage
    number: int
    monotonic_s: float


@dataclass(frozen=True)
class Counts:
    """What the writer counted since it began: pictures given, and pictures that arrived damaged."""

    pictures: int
    damaged: int


class SharedPictures:
    """A place for pictures that two processes see.

    Args:
        name: the name of a place that another process made; None makes a new one, which ``remove`` gives back.
    """

    def __init__(self, name: str | None = None) -> None:
        slot_bytes = 8 * _HEAD_WORDS + MAX_BYTES
        size_bytes = 8 * _HEAD_WORDS + SLOTS * slot_bytes
        self._memory = SharedMemory(name, create=name is None, size=size_bytes if name is None else 0)
        whole = np.frombuffer(cast(memoryview, self._memory.buf), np.uint8)
        starts = [8 * _HEAD_WORDS + slot * slot_bytes for slot in range(SLOTS)]
        self._head = _words(whole, 0)
        self._heads = [_words(whole, start) for start in starts]
        self._times = [head.view(np.float64) for head in self._heads]
        self._pixels = [whole[start + 8 * _HEAD_WORDS :][:MAX_BYTES] for start in starts]

    @property
    def name(self) -> str:
        """The name under which another process finds this place."""
        return self._memory.name

    @property
    def counts(self) -> Counts:
        """What the writer counted."""
        return Counts(int(self._head[0]), int(self._head[1]))

    def put(self, image_bgr: BgrImage, monotonic_s: float) -> None:
        """Makes a picture the newest one.

        Raises:
            ValueError: it is larger than any slot.
        """
        height, width = image_bgr.shape[:2]
        if image_bgr.size > MAX_BYTES:
            raise ValueError(f"{width}x{height} pixels do not fit")
        number = int(self._head[0]) + 1
        slot = number % SLOTS
        head = self._heads[slot]
        head[0] = 0  # nobody may take what is being written
        self._pixels[slot][: image_bgr.size].reshape(image_bgr.shape)[...] = image_bgr
        head[1], head[2] = width, height
        self._times[slot][3] = monotonic_s
        head[0] = number
        self._head[0] = number

    def count_damaged(self) -> None:
        """Counts a picture that arrived damaged and was thrown away."""
        self._head[1] += 1

    def newest_after(self, number: int) -> Newest | None:
        """The newest picture if its number is beyond that one, copied; None while there is no newer one."""
        while (newest := int(self._head[0])) > number:
            slot = newest % SLOTS
            head = self._heads[slot]
            width, height = int(head[1]), int(head[2])
            monotonic_s = float(self._times[slot][3])
            image = self._pixels[slot][: width * height * 3].reshape(height, width, 3).copy()
            if int(head[0]) == newest:  # else it was written over while we copied, and a newer one is there
                return Newest(image, newest, monotonic_s)
        return None

    def close(self) -> None:
        """Lets go of the place; it stays for the other process."""
        self._head = np.zeros(_HEAD_WORDS, np.uint64)
        self._heads, self._times, self._pixels = [], [], []
        self._memory.close()

    def __del__(self) -> None:
        # Memory that is still looked into cannot be closed: what looks into it goes first.
        if "_memory" in self.__dict__:
            self.close()

    def remove(self) -> None:
        """Gives the memory back to the system."""
        self.close()
        self._memory.unlink()


def _words(whole: UInt8[Levels, " n"], start: int) -> UInt64[Integers, " 8"]:
    return whole[start : start + 8 * _HEAD_WORDS].view(np.uint64)
