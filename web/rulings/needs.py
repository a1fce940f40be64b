"""What rulings need of the page."""

from __future__ import annotations

from typing import Protocol

from assistant.app.live.live_picture import LivePicture
from assistant.app.live.shelf import ShotShelf
from web.rulings.asked import AskedRulings
from web.serving.parts import FeatureNeeds


class RulingsPage(Protocol):
    """What rulings need of the page."""

    shelf: ShotShelf
    asked: AskedRulings
    shown: LivePicture


rulings_page = FeatureNeeds[RulingsPage]("rulings")
