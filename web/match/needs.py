"""What the match and the list of matches need of the page."""

from __future__ import annotations

from typing import Protocol

from assistant.app.matches.archive import KeptMatches
from assistant.app.matches.desk import MatchDesk
from assistant.match.session import Session
from web.scene.shelf import ShotShelf
from web.serving.parts import FeatureNeeds


class MatchPage(Protocol):
    """What the match and the list of matches need of the page."""

    match: Session | None
    archive: KeptMatches | None
    matches: MatchDesk | None
    shelf: ShotShelf


match_page = FeatureNeeds[MatchPage]("match")
