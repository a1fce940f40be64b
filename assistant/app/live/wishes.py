"""What people want of a watched table, brought from their threads to the one that watches."""

from __future__ import annotations

import queue
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotInTime

from assistant.app.live.table_memory import TableCorrection
from assistant.errors import CannotDo, SightlineError
from assistant.translations.messages import said

ANSWER_S = 10.0

Wish = TableCorrection | bool
"""To set something right, or to hold the table as it is (True) and let it go again (False)."""


class TableBusy(CannotDo):
    """A correction could not be made in time."""


class Wishes:
    """Wishes in the order in which they were made; each is carried out by whoever hears it."""

    def __init__(self) -> None:
        self._open: queue.SimpleQueue[tuple[Wish, Future[None]]] = queue.SimpleQueue()

    def ask(self, wish: Wish) -> None:
        """Returns when the wish was carried out.

        Raises:
            TableBusy: nobody heard it in time.
            SightlineError: it cannot be carried out.
        """
        done: Future[None] = Future()
        self._open.put((wish, done))
        try:
            done.result(ANSWER_S)
        except NotInTime:
            raise TableBusy(said("the table is still being read; try again in a moment")) from None

    def hear(self, do: Callable[[Wish], None]) -> None:
        """Carries out what was asked for since the last time."""
        while not self._open.empty():
            wish, done = self._open.get()
            try:
                do(wish)
            except SightlineError as problem:
                done.set_exception(problem)
            else:
                done.set_result(None)
