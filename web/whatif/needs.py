"""What thoughts need of the page."""

from __future__ import annotations

from typing import Protocol

from web.rulings.rulebook import RuleBook
from web.scene.shelf import ShotShelf
from web.serving.parts import FeatureNeeds


class WhatIfPage(Protocol):
    """What thoughts need of the page."""

    rules: RuleBook
    shelf: ShotShelf


whatif_page = FeatureNeeds[WhatIfPage]("whatif")
