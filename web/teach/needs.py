"""What teaching needs of the page."""

from __future__ import annotations

from typing import Protocol

from assistant.app.turns import ReadingTurns
from web.serving.parts import FeatureNeeds
from web.teach.ports import TeachingDesk


class TeachPage(Protocol):
    """What teaching needs of the page."""

    teaching: TeachingDesk | None
    reading: ReadingTurns

    @property
    def can_be_set_up(self) -> bool:
        """Whether the table can be set up from the page."""


teach_page = FeatureNeeds[TeachPage]("teach")
