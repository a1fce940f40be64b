"""The clock of this run: wall time at start plus elapsed monotonic time.

A wall clock jumps: somebody sets it, or a Raspberry Pi without a battery gets the date from the network minutes after
the start. Durations in the program (a turn, a code's ten minutes, the age of a picture) must not jump with it.
"""

from __future__ import annotations

import time

_COUNTS_SLEEP = getattr(time, "CLOCK_BOOTTIME", None)  # only Linux offers a clock that includes time asleep


def _passed_s() -> float:
    """Return monotonic seconds, including time asleep where the system can count it."""
    return time.monotonic() if _COUNTS_SLEEP is None else time.clock_gettime(_COUNTS_SLEEP)


_BEGAN_S = time.time() - _passed_s()


def now_s() -> float:
    """Return this run's clock in seconds since 1970, UTC: wall time at start plus elapsed monotonic time."""
    return _BEGAN_S + _passed_s()


def now_ms() -> int:
    """Return `now_s` in whole milliseconds."""
    return int(now_s() * 1000)
