"""The time of this run: the wall clock's when the program began, and what has passed since.

A wall clock jumps: somebody sets it, or a Raspberry Pi without a battery learns the date from the network minutes after
the start. The durations of the program (a turn, a code's ten minutes, the age of a picture) must not jump with it.
"""

from __future__ import annotations

import time

_COUNTS_SLEEP = getattr(time, "CLOCK_BOOTTIME", None)  # Linux alone tells the time that a laptop slept


def _passed_s() -> float:
    """Return seconds that only ever grow."""
    return time.monotonic() if _COUNTS_SLEEP is None else time.clock_gettime(_COUNTS_SLEEP)


_BEGAN_S = time.time() - _passed_s()


def now_s() -> float:
    """Return seconds since 1970, UTC, by the wall clock of when the program began."""
    return _BEGAN_S + _passed_s()


def now_ms() -> int:
    """Return the same in whole milliseconds."""
    return int(now_s() * 1000)
