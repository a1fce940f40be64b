"""What the tour needs of the page."""

from __future__ import annotations

from typing import Protocol

from web.serving.parts import FeatureNeeds
from web.tour.ports import DemoGuide


class TourPage(Protocol):
    """What the tour needs of the page."""

    demo: DemoGuide | None


tour_page = FeatureNeeds[TourPage]("tour")
