"""How soon something is done, on a machine that may do much else meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable

TRIES = 3


def soonest_s(done: Callable[[], object], within_s: float) -> float:
    """How long it took, the shortest of three times; the first that is short enough is the last.

    What waits for something takes long each time, what a busy machine holds up does not.
    """
    took_s = []
    for _ in range(TRIES):
        begun_s = time.monotonic()
        done()
        took_s.append(time.monotonic() - begun_s)
        if took_s[-1] < within_s:
            break
    return min(took_s)
