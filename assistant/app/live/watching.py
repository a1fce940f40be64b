"""Which watching a table has: one at a time, begun anew with the camera opened again, and given up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from assistant.app.live.game_files import ReadableGame
from assistant.app.live.reader import GameReader
from assistant.app.live.table_watch import TableWatch
from assistant.app.live.watched_table import WatchedTable
from assistant.errors import CannotDo
from assistant.translations.messages import said

STOP_WATCH_S = 10.0
"""A reading that is under way on a slow machine ends within this."""


class TablePage(Protocol):
    """Shows one table after the other: each has its own documents, and a camera or none."""

    def read_by(self, reader: GameReader, *, has_live: bool) -> None:
        """Reads photos by other documents from now on; a camera watches the table or does not."""

    def watch_table(self, table: WatchedTable | None) -> None:
        """Lets people ask the watched table and set it right, while a camera watches one."""


@dataclass
class Watching:
    """The watching of a table, if anything watches it.

    Args:
        page: the page that shows the table.
    """

    page: TablePage
    watch: TableWatch | None = None
    _make: Callable[[], TableWatch] | None = None

    def made_by(self, make: Callable[[], TableWatch]) -> None:
        """Makes the watching of the table, and knows from now on how it is made anew; it is not started yet."""
        self._make = make
        self.watch = make()
        self.page.watch_table(self.watch.table)

    def start(self) -> None:
        """Begins to watch the table, if anything watches it."""
        if self.watch is not None:
            self.watch.start()

    def again(self) -> None:
        """Opens the camera again and reads everything anew.

        Raises:
            CannotDo: the watching before does not end.
        """
        if self._make is None:
            return
        self._end()
        self.made_by(self._make)
        self.start()

    def let_go(self) -> None:
        """Stops watching, so that somebody else can have the camera.

        Raises:
            CannotDo: the watching does not end.
        """
        self._end()
        self.watch = None
        self.page.watch_table(None)

    def use(self, game: ReadableGame, make: Callable[[], TableWatch] | None) -> None:
        """Reads by another game from now on, and watches its camera instead of the one before.

        Args:
            game: the documents to read by.
            make: makes the watching; None where photos are handed in.

        Raises:
            CannotDo: the watching before does not end.
        """
        self.let_go()
        self.page.read_by(GameReader(game), has_live=make is not None)
        if make is not None:
            self.made_by(make)
            self.start()

    def close(self) -> bool:
        """Ends the watching; whether no picture is being read any more."""
        return self.watch is None or self.watch.stop()

    def _end(self) -> None:
        if self.watch is not None and not self.watch.stop(STOP_WATCH_S):
            raise CannotDo(said("the camera before is still busy; try again in a moment"))
