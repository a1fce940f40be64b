"""The picture of the watched table that everybody sees, how it stands to the real table, and how old it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from assistant.app.live.shelf import ShotShelf
from assistant.app.live.shots import Shot
from assistant.app.problems import Publish
from assistant.run_clock import now_s
from assistant.tracking.values import IdentityQuestion, IllegalMove

Holding = Literal["waiting", "now", "moving", "old", "frozen"]
"""How the shown table stands to the real one: nothing was seen yet; they agree; something moves or has not settled; the
camera does not show it; a person holds it."""

SEEN_EVERY_S = 1.0
"""Time between two messages that nothing has changed: often enough for the age that tablets show."""


@dataclass
class LivePicture:
    """The newest picture of the camera as every page shows it; each change is published.

    Only ``BelievedTable`` writes here; what it believes is its own.

    Args:
        shelf: keeps the pictures.
        publish: reaches the pages.
        boot: names this run of the program, so that no two pictures have one name.
        now_s: the clock, seconds since 1970.
    """

    shelf: ShotShelf
    publish: Publish
    boot: str
    now_s: Callable[[], float] = now_s
    holding: Holding = "waiting"
    seen_at_s: float = 0.0
    """When the camera last confirmed the shown table, seconds since 1970."""
    questions: tuple[IdentityQuestion, ...] = ()
    notes: tuple[IllegalMove, ...] = ()
    looks: dict[str, Shot] = field(default_factory=dict)
    """By figure, the newest picture without a question about it, by which people tell look-alikes apart."""
    _looks_from: str = ""
    _count: int = 0

    def next_name(self) -> str:
        """Return a new picture's name; browsers keep pictures by their names."""
        self._count += 1
        return f"live-{self.boot}-{self._count}"

    def ask(self, questions: tuple[IdentityQuestion, ...], notes: tuple[IllegalMove, ...]) -> None:
        """Put these questions and note of the table before people, from the next message on."""
        self.questions, self.notes = questions, notes

    def show(self, shot: Shot) -> None:
        """Show a new picture."""
        self.shelf.put(shot)
        self.publish("live", self.news(shot))

    def hold(self, holding: Holding) -> None:
        """Note how the shown table stands to the real one, and publish it if that is news."""
        now_s = self.now_s()
        # A clock that is put back makes news as well, else nothing would be published until it has caught up.
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
        """Return the message about a picture; a page counts its age by our clock, not by its own."""
        now_s = self.now_s()
        seen_at_s = max(min(shot.taken_at_s, now_s), self.seen_at_s)
        return {
            "shot": shot.id,
            "taken_at_s": round(seen_at_s, 3),
            "now_s": round(now_s, 3),
            "holding": self.holding,
            "asks": [*(question.id for question in self.questions), *(note.id for note in self.notes)],
        }

    def _remember_looks(self, shot: Shot) -> None:
        """Take a picture of the still table for every figure that no question is about."""
        if shot.id == self._looks_from:
            return
        self._looks_from = shot.id
        doubted = {name for question in self.questions for name in question.candidates}
        self.looks |= {figure.id: shot for figure in shot.board.figures if figure.id not in doubted}
        self.shelf.keep_looked({each.id: each for each in self.looks.values()}.values())
