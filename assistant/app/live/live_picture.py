"""The published picture of the watched table, how it relates to the real table, and its age."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from assistant.app.live.shelf import ShotShelf
from assistant.app.live.shots import Shot
from assistant.app.problems import Publish
from assistant.run_clock import now_s
from assistant.tracking.values import Cells, IdentityQuestion, IllegalMove

Holding = Literal["waiting", "now", "moving", "old", "frozen"]
"""How the shown table relates to the real one: nothing was seen yet (``waiting``), they agree (``now``), something
moves or has not settled (``moving``), the camera does not show it (``old``), or a person holds it (``frozen``)."""

SEEN_EVERY_S = 1.0
"""Seconds between two messages that nothing has changed: often enough for the age that tablets show."""


@dataclass
class LivePicture:
    """The newest picture of the camera, as every page shows it. Each change is published.

    Only ``BelievedTable`` writes here, and it alone keeps the believed table.

    Args:
        shelf: keeps the pictures.
        publish: sends events to the pages.
        boot: identifies this run of the program, so that no two pictures share a name.
        now_s: the clock, seconds since 1970.
    """

    shelf: ShotShelf
    publish: Publish
    boot: str
    now_s: Callable[[], float] = now_s
    holding: Holding = "waiting"
    seen_at_s: float = 0.0
    """Time of the camera's last confirmation of the shown table, in seconds since 1970."""
    questions: tuple[IdentityQuestion, ...] = ()
    notes: tuple[IllegalMove, ...] = ()
    fallen: Mapping[str, Cells] = field(default_factory=dict)
    looks: dict[str, Shot] = field(default_factory=dict)
    """For each figure the newest picture without a question about it, by which people tell look-alikes apart."""
    _looks_from: str = ""
    _count: int = 0

    def next_name(self) -> str:
        """Return the name of a new picture. Browsers cache pictures by name."""
        self._count += 1
        return f"live-{self.boot}-{self._count}"

    def ask(
        self,
        questions: tuple[IdentityQuestion, ...],
        notes: tuple[IllegalMove, ...],
        fallen: Mapping[str, Cells] | None = None,
    ) -> None:
        """Set the questions, notes and fallen figures that people see from the next message on."""
        self.questions, self.notes, self.fallen = questions, notes, fallen or {}

    def show(self, shot: Shot) -> None:
        """Show a new picture."""
        self.shelf.put(shot)
        self.publish("live", self.news(shot))

    def hold(self, holding: Holding) -> None:
        """Set how the shown table relates to the real one, and publish a change."""
        now_s = self.now_s()
        # A clock that was set back is news too. Otherwise nothing would be published until it has caught up.
        is_news = holding != self.holding or (holding == "now" and abs(now_s - self.seen_at_s) >= SEEN_EVERY_S)
        self.holding = holding
        if not is_news:
            return
        shot = self.shelf.latest_live()
        if holding == "now":
            self.seen_at_s = now_s
            if shot is not None:
                self._remember_looks(shot)
        if shot is not None:
            self.publish("live", self.news(shot))

    def news(self, shot: Shot) -> Mapping[str, Any]:
        """Return the message about a picture. A page computes its age from our clock, not its own."""
        now_s = self.now_s()
        seen_at_s = max(min(shot.taken_at_s, now_s), self.seen_at_s)
        return {
            "shot": shot.id,
            "taken_at_s": round(seen_at_s, 3),
            "now_s": round(now_s, 3),
            "holding": self.holding,
            "asks": [
                *(question.id for question in self.questions),
                *(note.id for note in self.notes),
                *(f"fallen-{name}" for name in self.fallen),
            ],
        }

    def _remember_looks(self, shot: Shot) -> None:
        """Remember a picture of the still table for every figure without an open question."""
        if shot.id == self._looks_from:
            return
        self._looks_from = shot.id
        doubted = {name for question in self.questions for name in question.candidates}
        self.looks |= {figure.id: shot for figure in shot.board.figures if figure.id not in doubted}
        self.shelf.keep_looked({each.id: each for each in self.looks.values()}.values())
