"""Turns for reading photos: one at a time, a short queue, and one photo a person."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from assistant.errors import CannotDo
from assistant.translations.messages import said

MOST_WAITING = 6
"""Limit of waiting photos: each holds a thread of the page, and the other threads answer everybody else."""


class ReadingBusy(CannotDo):
    """Too many photos wait to be read."""

    sentence = said("Other photos are being read. Try again in a few seconds.")


class ReadingTurns:
    """Lets one photo be read at a time: two would both take twice as long and starve the pages on a small machine.

    The camera waits for as long as it takes (``with turns:``); a photo is read in its person's turn.

    Args:
        most_waiting: how many photos may be read or wait.
    """

    def __init__(self, most_waiting: int = MOST_WAITING) -> None:
        self._most_waiting = most_waiting
        self._reading = threading.Lock()
        self._waiting: set[str] = set()
        self._guard = threading.Lock()

    def __enter__(self) -> None:
        self._reading.acquire()

    def __exit__(self, *_: object) -> None:
        self._reading.release()

    @contextmanager
    def turn_of(self, who: str) -> Iterator[None]:
        """Hold the turn of a person's photo.

        Raises:
            ReadingBusy: a photo of theirs, or too many of others, wait already.
        """
        with self._guard:
            if who in self._waiting:
                raise ReadingBusy(said("Your last photo is still being read. Wait for it, then send the next."))
            if len(self._waiting) >= self._most_waiting:
                raise ReadingBusy
            self._waiting.add(who)
        try:
            with self:
                yield
        finally:
            with self._guard:
                self._waiting.discard(who)
