"""What the Table view needs of the page."""

from __future__ import annotations

from typing import Protocol

from assistant.app.live.shelf import ShotShelf
from assistant.app.live.table_correction import TableCorrection
from assistant.app.turns import ReadingTurns
from assistant.documents.table_event import Person
from web.live.ports import TakePicture
from web.serving.parts import FeatureNeeds
from web.table.ports import PhotoReader


class TableNeeds(Protocol):
    """What the Table view needs of the page."""

    reader: PhotoReader
    reading: ReadingTurns
    shelf: ShotShelf
    take_frame: TakePicture | None
    take_photo: TakePicture | None

    def note_by_hand(self, said: TableCorrection, person: Person) -> None:
        """Keeps what a person said of the table against the camera."""

    def now_s(self) -> float:
        """The clock, seconds since 1970."""


table_page = FeatureNeeds[TableNeeds]("table")
