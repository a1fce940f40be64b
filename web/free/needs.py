"""What the page of a table without a grid needs of the running page."""

from __future__ import annotations

from typing import Protocol

from assistant.documents.call import FreeCorrection
from assistant.documents.table_event import Person
from web.free.ports import FreeTableDesk
from web.serving.parts import FeatureNeeds


class FreePage(Protocol):
    """What the page of a table without a grid needs of the running page."""

    free: FreeTableDesk | None

    def note_free(self, kind: FreeCorrection, subject: str, person: Person) -> None:
        """Keeps what a person did to terrain, or said of a base in doubt, for a judge who may be called later."""


free_page = FeatureNeeds[FreePage]("free")
