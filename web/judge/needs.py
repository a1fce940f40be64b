"""What judges need of the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from assistant.app.live.free_shots import AskedFree
from assistant.app.live.live_picture import LivePicture
from assistant.app.live.shelf import ShotShelf
from assistant.app.tournament.look_back import LookBack
from assistant.app.tournament.referee import Referee
from assistant.match.session import Session
from assistant.rules.ruleset import FreeRules
from web.rulings.asked import AskedRulings
from web.serving.parts import FeatureNeeds


class JudgedPlane(Protocol):
    """A table without a grid, as far as judges need it."""

    @property
    def rules(self) -> FreeRules:
        """The rules that are asked."""

    @property
    def asked(self) -> Sequence[AskedFree]:
        """The last rulings that were asked for, the oldest first."""


class JudgePage(Protocol):
    """What judges need of the page."""

    referee: Referee | None
    look_back: LookBack
    asked: AskedRulings
    shelf: ShotShelf
    shown: LivePicture
    match: Session | None

    @property
    def free(self) -> JudgedPlane | None:
        """The table without a grid, where there is one."""

    def now_s(self) -> float:
        """The clock, seconds since 1970."""


judge_page = FeatureNeeds[JudgePage]("judge")
