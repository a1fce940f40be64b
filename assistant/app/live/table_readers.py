"""The readers of the one table of this program, which may change while it runs."""

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
"""Takes a JPEG in place of one from the table's camera."""


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
    """One photo is read at a time, whether a person or the camera brings it."""
    free: FreeTablePictures | None = None
    """Reads a table without a grid; None where the table has cells."""
    take_frame: TakePicture | None = None
    """Takes the next picture of a phone that is the camera; None where no source waits for one."""
    take_photo: TakePicture | None = None
    """The same for a photo, which holds until the next."""

    def read_by(self, reader: GameReader) -> None:
        """Read another table from now on, and forget the camera's pictures of the last one."""
        self.reader = reader
        self.shelf.forget_live()

    def read_free(self, pictures: FreeTablePictures | None) -> None:
        """Read a table without a grid from now on, or none any more."""

        def show(shot: FreeShot) -> None:
            self.keep(shot)
            self.publish("free", {"shot": shot.id, "source": shot.source})

        self.free = pictures
        if pictures is not None:
            pictures.tell_to(show)
