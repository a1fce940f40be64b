"""What the set-up needs of the page."""

from __future__ import annotations

from typing import Protocol

from assistant.app.live.shelf import ShotShelf
from assistant.app.turns import ReadingTurns
from web.serving.parts import FeatureNeeds
from web.setup.ports import LightDesk, SetUpDesk


class SetUpPage(Protocol):
    """What the set-up needs of the page."""

    desk: SetUpDesk | None
    light: LightDesk | None
    reading: ReadingTurns
    shelf: ShotShelf


setup_page = FeatureNeeds[SetUpPage]("setup")
