"""What the live table and the stream need of the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from assistant.app.live.table_memory import TableCorrection
from assistant.documents.table_event import Person
from assistant.match.session import Session
from web.live.ports import TakePicture
from web.live.shown import ShownTable
from web.people.devices import DeviceList
from web.problems.problem_list import ProblemList
from web.scene.shelf import ShotShelf
from web.serving.events import EventHub
from web.serving.parts import FeatureNeeds


class LivePage(Protocol):
    """What the live table and the stream need of the page."""

    hub: EventHub
    shelf: ShotShelf
    shown: ShownTable
    devices: DeviceList
    problem_list: ProblemList
    match: Session | None
    match_run: int
    has_live: bool
    take_frame: TakePicture | None

    def now_s(self) -> float:
        """The clock, seconds since 1970."""

    def note_by_hand(self, said: TableCorrection, person: Person) -> None:
        """Keeps what a person said of the table against the camera."""

    @property
    def free_news(self) -> Mapping[str, object] | None:
        """The newest picture of a table without a grid; None where there is none."""

    @property
    def version(self) -> str:
        """The version of the server."""


live_page = FeatureNeeds[LivePage]("live")
