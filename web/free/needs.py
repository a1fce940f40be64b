"""What the page of a table without a grid needs of the running page."""

from __future__ import annotations

from typing import Protocol

from web.free.ports import FreeTableDesk
from web.serving.parts import FeatureNeeds


class FreePage(Protocol):
    """What the page of a table without a grid needs of the running page."""

    free: FreeTableDesk | None


free_page = FeatureNeeds[FreePage]("free")
