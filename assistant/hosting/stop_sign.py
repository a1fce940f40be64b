"""How the program is told to stop, from a signal or from another thread."""

from __future__ import annotations

import time
from collections.abc import Callable

LOOK_FOR_STOP_S = 0.1
"""How soon the program notices that it was told to stop."""

MEANWHILE_EVERY_S = 30.0


class StopSign:
    """Somebody waits at it until somebody else puts it up."""

    def __init__(self) -> None:
        self._is_up = False

    def wait(self, meanwhile: Callable[[], None]) -> None:
        """Returns when somebody asked to stop; does something small every half minute until then."""
        # Not an event: one that is set from a signal handler may find its lock taken by the very wait it would end,
        # and a signal that comes just before a wait without an end is not seen.
        due_s = time.monotonic() + MEANWHILE_EVERY_S
        while not self._is_up:
            time.sleep(LOOK_FOR_STOP_S)
            if time.monotonic() >= due_s:
                meanwhile()
                due_s = time.monotonic() + MEANWHILE_EVERY_S

    def put_up(self) -> None:
        """Lets ``wait`` return; safe to call from a signal handler."""
        self._is_up = True
