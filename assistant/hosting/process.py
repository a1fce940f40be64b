"""The process of a program that runs all evening: how it stops, and how it returns memory to the system."""

from __future__ import annotations

import ctypes
import sys
import time
from collections.abc import Callable

LOOK_FOR_STOP_S = 0.1
"""How soon the program notices that it must stop."""

MEANWHILE_EVERY_S = 30.0

MOST_ARENAS = 2
"""Heaps of glibc for all threads. Its own choice is eight a core, and each keeps the most that ever passed through it:
some 100 MB for a picture, in ever other threads."""

_M_ARENA_MAX = -8
"""Its number in glibc's ``malloc.h``."""


class StopSign:
    """One thread waits at it until another, or a signal handler, puts it up."""

    def __init__(self) -> None:
        self._is_up = False

    def wait(self, meanwhile: Callable[[], None]) -> None:
        """Return when the sign is up, and call ``meanwhile`` every half minute until then."""
        # Not an event: a signal handler that sets one may find its lock taken by the very wait that it would end,
        # and a signal just before a wait without an end gets lost.
        due_s = time.monotonic() + MEANWHILE_EVERY_S
        while not self._is_up:
            time.sleep(LOOK_FOR_STOP_S)
            if time.monotonic() >= due_s:
                meanwhile()
                due_s = time.monotonic() + MEANWHILE_EVERY_S

    def put_up(self) -> None:
        """Let ``wait`` return; safe in a signal handler."""
        self._is_up = True


def share_heaps() -> None:
    """Let all threads share two heaps; call it before there are many threads. Does nothing without glibc."""
    if (libc := _glibc()) is not None:
        libc.mallopt(_M_ARENA_MAX, MOST_ARENAS)


def give_back_memory() -> None:
    """Return free memory to the system, in some 2 to 20 ms. Does nothing without glibc."""
    if (libc := _glibc()) is not None:
        libc.malloc_trim(0)


def _glibc() -> ctypes.CDLL | None:
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None)
    return libc if hasattr(libc, "gnu_get_libc_version") else None
