"""What the set-up needs of the page."""

from __future__ import annotations

import threading
from typing import Protocol

from web.scene.shelf import ShotShelf
from web.serving.parts import FeatureNeeds
from web.setup.ports import LightDesk, SetUpDesk


class SetUpPage(Protocol):
    """What the set-up needs of the page."""

    desk: SetUpDesk | None
    light: LightDesk | None
    reading: threading.Semaphore
    shelf: ShotShelf


setup_page = FeatureNeeds[SetUpPage]("setup")
