"""What joining and the list of devices need of the page."""

from __future__ import annotations

from typing import Protocol

from assistant.match.session import Session
from web.people.devices import DeviceList
from web.serving.parts import FeatureNeeds


class PeoplePage(Protocol):
    """What joining and the list of devices need of the page."""

    devices: DeviceList
    match: Session | None

    def now_s(self) -> float:
        """The clock, seconds since 1970."""

    @property
    def shown_addresses(self) -> list[str]:
        """What stands beside the QR code."""

    @property
    def invite_address(self) -> str | None:
        """The address in the QR code."""


people_page = FeatureNeeds[PeoplePage]("people")
