"""What the match and the list of matches need of the page."""

from __future__ import annotations

from typing import Protocol

from assistant.app.live.free_shots import FreeShot
from assistant.app.live.shelf import ShotShelf
from assistant.app.matches.archive import KeptMatches
from assistant.app.matches.match_menu import MatchMenu
from assistant.match.session import Session
from web.serving.parts import FeatureNeeds


class FreePictures(Protocol):
    """Where pictures of a table without a grid are read."""

    @property
    def latest(self) -> FreeShot | None:
        """The newest picture."""


class MatchPage(Protocol):
    """What the match and the list of matches need of the page."""

    match: Session | None
    archive: KeptMatches | None
    matches: MatchMenu | None
    shelf: ShotShelf

    @property
    def free(self) -> FreePictures | None:
        """The table without a grid; None where the table has tiles."""


match_page = FeatureNeeds[MatchPage]("match")
