"""What thoughts need of the page."""

from __future__ import annotations

from typing import Protocol

from assistant.app.live.shelf import ShotShelf
from web.serving.parts import FeatureNeeds


class WhatIfPage(Protocol):
    """What thoughts need of the page."""

    shelf: ShotShelf


whatif_page = FeatureNeeds[WhatIfPage]("whatif")
