"""Pictures from the capturing process to ours through shared memory. The newest wins.

There are two slots and no lock, so a writer may be killed at any moment. The writer fills the older slot and then
publishes its number. The reader copies the newest slot and then checks that the writer has not refilled it.
"""

from __future__ import annotations

from dataclasses import dataclass
from multiprocessing.shared_memory import SharedMemory
from typing import NamedTuple, cast

import numpy as np
from jaxtyping import UInt8, UInt64

from calibration.arrays import BgrImage, Integers, Levels

MAX_BYTES = 3840 * 2160 * 3
"""Room for one picture of a 4K camera. Unwritten memory costs nothing."""

SLOTS = 2
_HEAD_WORDS = 8
"""64-bit words before the slots and before the pixels of each."""


class Newest(NamedTuple):
    """The newest picture (H, W, 3), its number, and its time in seconds of the writer's monotonic clock."""

    image_bgr: BgrImage
    number: int
    monotonic_s: float


@dataclass(frozen=True)
class Counts:
    """The writer's counts since its start: delivered pictures, and damaged arrivals."""

    pictures: int
    damaged: int


class SharedPictures:
    """Picture memory shared by two processes. None as name creates a new one, which ``remove`` releases."""

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
        """Its name for the other process."""
        return self._memory.name

    @property
    def counts(self) -> Counts:
        return Counts(int(self._head[0]), int(self._head[1]))

    def put(self, image_bgr: BgrImage, monotonic_s: float) -> None:
        """Publish a picture as the newest one.

        Raises:
            ValueError: it is larger than any slot.
        """
        height, width = image_bgr.shape[:2]
        if image_bgr.size > MAX_BYTES:
            raise ValueError(f"{width}x{height} pixels do not fit")
        number = int(self._head[0]) + 1
        slot = number % SLOTS
        head = self._heads[slot]
        head[0] = 0  # no reader may take a half-written picture
        self._pixels[slot][: image_bgr.size].reshape(image_bgr.shape)[...] = image_bgr
        head[1], head[2] = width, height
        self._times[slot][3] = monotonic_s
        head[0] = number
        self._head[0] = number

    def count_damaged(self) -> None:
        """Count a damaged picture that was dropped."""
        self._head[1] += 1

    def newest_after(self, number: int) -> Newest | None:
        """Return a copy of the newest picture if its number is higher, else None."""
        while (newest := int(self._head[0])) > number:
            slot = newest % SLOTS
            head = self._heads[slot]
            width, height = int(head[1]), int(head[2])
            monotonic_s = float(self._times[slot][3])
            image = self._pixels[slot][: width * height * 3].reshape(height, width, 3).copy()
            if int(head[0]) == newest:  # else the writer refilled it during the copy, and a newer one is there
                return Newest(image, newest, monotonic_s)
        return None

    def close(self) -> None:
        """Detach. The memory stays for the other process."""
        self._head = np.zeros(_HEAD_WORDS, np.uint64)
        self._heads, self._times, self._pixels = [], [], []
        self._memory.close()

    def __del__(self) -> None:
        # Views into the memory must go first.
        if "_memory" in self.__dict__:
            self.close()

    def remove(self) -> None:
        """Release the memory to the system."""
        self.close()
        self._memory.unlink()


def _words(whole: UInt8[Levels, " n"], start: int) -> UInt64[Integers, " 8"]:
    return whole[start : start + 8 * _HEAD_WORDS].view(np.uint64)
