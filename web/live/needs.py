"""What the live table and the stream need of the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from assistant.app.live.live_picture import LivePicture
from assistant.app.live.shelf import ShotShelf
from assistant.app.live.strip_on_page import StripOnPage
from assistant.app.live.table_correction import TableCorrection
from assistant.app.live.watcher import Watcher
from assistant.app.problems import ProblemList
from assistant.documents.table_event import Person
from assistant.match.session import Session
from web.live.ports import TakePicture
from web.people.devices import DeviceList
from web.serving.events import EventHub
from web.serving.parts import FeatureNeeds


class LivePage(Protocol):
    """What the live table and the stream need of the page."""

    hub: EventHub
    shelf: ShotShelf
    shown: LivePicture
    watcher: Watcher
    strip: StripOnPage | None
    devices: DeviceList
    problem_list: ProblemList
    match: Session | None
    match_run: int
    take_frame: TakePicture | None

    def now_s(self) -> float:
        """The clock, seconds since 1970."""

    def note_by_hand(self, said: TableCorrection, person: Person) -> None:
        """Keeps what a person said of the table against the camera."""

    @property
    def free_news(self) -> Mapping[str, object] | None:
        """The newest picture of a table without a grid; None where there is none."""

    @property
    def has_live(self) -> bool:
        """Whether a camera watches the table."""

    @property
    def version(self) -> str:
        """The version of the server."""


live_page = FeatureNeeds[LivePage]("live")
