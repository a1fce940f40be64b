"""What the desk's page needs: the desk itself, the clock, and how far behind the public view is."""

from __future__ import annotations

from typing import Protocol

from assistant.app.problems import ProblemList
from web.desk.ports import HallDesk
from web.desk.ready import ReadyHall
from web.serving.events import EventHub
from web.serving.parts import FeatureNeeds


class DeskPage(Protocol):
    """What the routes of the desk need."""

    hall: HallDesk
    hub: EventHub
    problem_list: ProblemList
    delay_s: float
    ready: ReadyHall

    def rounds_changed(self) -> None:
        """Tells every page that rounds, results or clocks are otherwise."""

    def now_s(self) -> float:
        """The clock, seconds since 1970."""


desk_page = FeatureNeeds[DeskPage]("desk")
