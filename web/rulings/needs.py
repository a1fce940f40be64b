"""What rulings need of the page."""

from __future__ import annotations

from typing import Protocol

from web.live.shown import ShownTable
from web.rulings.asked import AskedRulings
from web.scene.shelf import ShotShelf
from web.serving.parts import FeatureNeeds


class RulingsPage(Protocol):
    """What rulings need of the page."""

    shelf: ShotShelf
    asked: AskedRulings
    shown: ShownTable


rulings_page = FeatureNeeds[RulingsPage]("rulings")
