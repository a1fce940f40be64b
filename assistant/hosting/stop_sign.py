"""How the program is told to stop, from a signal or from another thread."""

from __future__ import annotations

import time

LOOK_FOR_STOP_S = 0.1
"""How soon the program notices that it was told to stop."""


class StopSign:
    """Somebody waits at it until somebody else puts it up."""

    def __init__(self) -> None:
        self._is_up = False

    def wait(self) -> None:
        """Returns when somebody asked to stop."""
        # Not an event: one that is set from a signal handler may find its lock taken by the very wait it would end,
        # and a signal that comes just before a wait without an end is not seen.
        while not self._is_up:
            time.sleep(LOOK_FOR_STOP_S)

    def put_up(self) -> None:
        """Lets ``wait`` return; safe to call from a signal handler."""
        self._is_up = True
