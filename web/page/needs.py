"""What the page's own frame needs of the rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from assistant.match.session import Session
from web.free.ports import FreeTableDesk
from web.people.devices import DeviceList
from web.serving.parts import FeatureNeeds
from web.table.ports import PhotoReader
from web.tour.ports import DemoGuide


class FrontPage(Protocol):
    """What the page's own frame needs of the rest."""

    reader: PhotoReader
    devices: DeviceList
    match: Session | None
    match_run: int
    demo: DemoGuide | None
    free: FreeTableDesk | None
    addresses: Sequence[str]
    authority_pem: bytes | None

    @property
    def version(self) -> str:
        """The version of the server."""

    @property
    def has_live(self) -> bool:
        """Whether a camera watches the table."""


front_page = FeatureNeeds[FrontPage]("page")
