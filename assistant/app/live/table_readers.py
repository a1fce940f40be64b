"""The readers for this program's one table, which may change while it runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from assistant.app.live.free_pictures import FreeTablePictures
from assistant.app.live.free_shots import FreeShot
from assistant.app.live.reader import GameReader
from assistant.app.live.shelf import ShotShelf
from assistant.app.problems import Publish
from assistant.app.turns import ReadingTurns

TakePicture = Callable[[bytes], object]
"""Accepts a JPEG in place of a picture from the table's camera."""


@dataclass
class TableReaders:
    """The readers of uploaded photos and of a phone's pictures.

    Args:
        reader: reads photos of a table with cells.
        shelf: keeps those pictures.
        publish: sends events to the pages.
        keep: keeps each picture of a table without a grid, so that a judge can look back.
    """

    reader: GameReader
    shelf: ShotShelf
    publish: Publish
    keep: Callable[[FreeShot], None]
    turns: ReadingTurns = field(default_factory=ReadingTurns)
    """Reads one photo at a time, whether a person or the camera sends it."""
    free: FreeTablePictures | None = None
    """The reader of a table without a grid, or None if the table has cells."""
    take_frame: TakePicture | None = None
    """Callback for the next picture from a phone that acts as the camera, or None if no source waits for one."""
    take_photo: TakePicture | None = None
    """Callback for a photo, which stays until the next."""

    def read_by(self, reader: GameReader) -> None:
        """Switch to another table, and forget the camera's pictures of the last one."""
        self.reader = reader
        self.shelf.forget_live()

    def read_free(self, pictures: FreeTablePictures | None) -> None:
        """Start reading a table without a grid, or stop with None."""

        def show(shot: FreeShot) -> None:
            self.keep(shot)
            self.publish("free", {"shot": shot.id, "source": shot.source})

        self.free = pictures
        if pictures is not None:
            pictures.tell_to(show)
