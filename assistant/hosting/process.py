"""Control of a program that runs all evening: how it stops, and how it returns memory to the system."""

from __future__ import annotations

import ctypes
import sys
import time
from collections.abc import Callable

LOOK_FOR_STOP_S = 0.1
"""Seconds between two checks for a stop."""

MEANWHILE_EVERY_S = 30.0

MOST_ARENAS = 2
"""Number of glibc heaps for all threads. The default is eight a core, and each heap keeps its peak size: some 100 MB
for a picture, in ever more threads."""

_M_ARENA_MAX = -8
"""The parameter's number in glibc's ``malloc.h``."""


class StopSign:
    """A stop signal: one thread waits for it until another, or a signal handler, raises it."""

    def __init__(self) -> None:
        self._is_up = False

    def wait(self, meanwhile: Callable[[], None]) -> None:
        """Wait until the sign is up, calling ``meanwhile`` every half minute."""
        # Not an Event: a signal handler that sets one may find its lock held by the very wait that it should end, and a
        # signal just before an endless wait gets lost.
        due_s = time.monotonic() + MEANWHILE_EVERY_S
        while not self._is_up:
            time.sleep(LOOK_FOR_STOP_S)
            if time.monotonic() >= due_s:
                meanwhile()
                due_s = time.monotonic() + MEANWHILE_EVERY_S

    def put_up(self) -> None:
        """Make ``wait`` return. This is safe in a signal handler."""
        self._is_up = True


def share_heaps() -> None:
    """Limit all threads to two heaps. Call it before there are many threads. Does nothing without glibc."""
    if (libc := _glibc()) is not None:
        libc.mallopt(_M_ARENA_MAX, MOST_ARENAS)


def give_back_memory() -> None:
    """Return free memory to the system, which takes 2 to 20 ms. Does nothing without glibc."""
    if (libc := _glibc()) is not None:
        libc.malloc_trim(0)


def _glibc() -> ctypes.CDLL | None:
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None)
    return libc if hasattr(libc, "gnu_get_libc_version") else None
