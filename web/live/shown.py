"""What everybody is shown of the table that a camera watches, and how old that is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assistant.app.live.page import Holding
from assistant.app.live.shots import Shot
from web.live.looks import LastLooks
from web.live.ports import LiveTable
from web.scene.shelf import ShotShelf
from web.serving.events import EventHub

SEEN_EVERY_S = 1.0
"""How often tablets are told that the table is still so: often enough for the age that they show."""


@dataclass
class ShownTable:
    """The live table as the page shows it; every change is told to everybody.

    Args:
        hub: tells the tablets.
        shelf: keeps the pictures.
        now_s: the clock, seconds since 1970.
        watched: the table itself, while a camera watches it.
    """

    hub: EventHub
    shelf: ShotShelf
    now_s: Callable[[], float]
    watched: LiveTable | None = None
    holding: Holding = "waiting"
    seen_at_s: float = 0.0
    """When the camera last saw the table so, seconds since 1970."""
    strip: Mapping[str, Any] | None = None
    looks: LastLooks = field(init=False)
    """How the figures looked when nobody doubted who they are."""

    def __post_init__(self) -> None:
        self.looks = LastLooks(self.shelf)

    def show(self, shot: Shot) -> None:
        """Puts a new picture of the camera before everybody."""
        self.shelf.put(shot)
        self.hub.publish("live", self.news(shot))

    def news(self, shot: Shot) -> dict[str, Any]:
        """What a page is told of the camera: its picture, when the table was last seen so, and how that stands now.

        The page counts the age by the server's clock.
        """
        now_s = self.now_s()
        seen_at_s = max(min(shot.taken_at_s, now_s), self.seen_at_s)
        return {
            "shot": shot.id,
            "taken_at_s": round(seen_at_s, 3),
            "now_s": round(now_s, 3),
            "holding": self.holding,
            "asks": self._open_asks(),
        }

    def _open_asks(self) -> list[str]:
        """The ids of what the people at the live table are asked and told."""
        if self.watched is None:
            return []
        return [*(question.id for question in self.watched.questions), *(note.id for note in self.watched.notes)]

    def hold(self, holding: Holding, now_s: float) -> None:
        """Says how the live table that is shown stands to the one that is there; tells everybody what is news."""
        # A clock that is put back makes news as well, else nothing would be told until it has caught up.
        is_news = holding != self.holding or (holding == "now" and abs(now_s - self.seen_at_s) >= SEEN_EVERY_S)
        self.holding = holding
        if not is_news:
            return
        shot = self.shelf.latest_live()
        if holding == "now":
            self.seen_at_s = now_s
            if shot is not None and self.watched is not None:
                self.looks.take(shot, {name for question in self.watched.questions for name in question.candidates})
        if shot is not None:
            self.hub.publish("live", self.news(shot))

    def show_strip(self, pixels: Sequence[tuple[int, int, int]], *, is_virtual: bool) -> None:
        """Shows the pixels of the LED strip, exactly, as a screen has to colour them."""
        strip = {"pixels": [f"#{r:02x}{g:02x}{b:02x}" for r, g, b in pixels], "is_virtual": is_virtual}
        if strip != self.strip:
            self.strip = strip
            self.hub.publish("strip", strip)
