"""What judges need of the page."""

from __future__ import annotations

from typing import Protocol

from assistant.app.tournament.look_back import LookBack
from assistant.app.tournament.referee import Referee
from assistant.match.session import Session
from web.live.shown import ShownTable
from web.rulings.asked import AskedRulings
from web.rulings.rulebook import RuleBook
from web.scene.shelf import ShotShelf
from web.serving.parts import FeatureNeeds


class JudgePage(Protocol):
    """What judges need of the page."""

    referee: Referee | None
    look_back: LookBack
    asked: AskedRulings
    shelf: ShotShelf
    rules: RuleBook
    shown: ShownTable
    match: Session | None

    def now_s(self) -> float:
        """The clock, seconds since 1970."""


judge_page = FeatureNeeds[JudgePage]("judge")
