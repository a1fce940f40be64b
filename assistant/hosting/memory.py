"""The memory of a program that runs for an evening: what it has let go of goes back to the system."""

from __future__ import annotations

import ctypes
import sys

MOST_ARENAS = 2
"""glibc's own choice is eight a core, a heap each for the threads that meet there. Reading a picture takes and frees
some 100 MB in ever other threads: each heap keeps the most that ever passed through it."""

_M_ARENA_MAX = -8
"""Its number in glibc's ``malloc.h``."""


def share_heaps() -> None:
    """Lets all threads share two heaps; to be called before there are many. Only glibc knows how, others need not."""
    if (libc := _glibc()) is not None:
        libc.mallopt(_M_ARENA_MAX, MOST_ARENAS)


def give_back_memory() -> None:
    """Gives free memory back to the system, in some 2 to 20 ms. Only glibc knows how, others need not."""
    if (libc := _glibc()) is not None:
        libc.malloc_trim(0)


def _glibc() -> ctypes.CDLL | None:
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None)
    return libc if hasattr(libc, "gnu_get_libc_version") else None
