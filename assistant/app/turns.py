"""Turns for reading photos: one at a time, a short queue, and one photo per person."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from assistant.errors import CannotDo
from assistant.translations.messages import said

MOST_WAITING = 6
"""Largest number of waiting photos. Each blocks a thread of the page. The other threads answer everybody else."""


class ReadingBusy(CannotDo):
    """Too many photos wait to be read."""

    sentence = said("Other photos are being read. Try again in a few seconds.")


class ReadingTurns:
    """Admits one photo reading at a time, since two would each take twice as long and starve the pages.

    The camera waits as long as necessary (``with turns:``). A photo is read in its person's turn.

    Args:
        most_waiting: largest number of photos being read or waiting.
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
            ReadingBusy: a photo of theirs, or too many of others, are already waiting.
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
