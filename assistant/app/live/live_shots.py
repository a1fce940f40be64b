"""The watched table before everybody: a new picture when there is something new to see, and how it stands."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

from assistant.app.live.page import Holding, Screen
from assistant.app.live.reader import PageView, encode_for_page
from assistant.app.live.shots import ReadPicture, SetUp, Shot
from assistant.run_clock import now_s
from assistant.table.observation import Observation
from assistant.table.statements import Statements
from vision.live.frames import Frame
from vision.live.incremental import FrameReading

PICTURE_EVERY_S = 1.0
"""How often tablets get a new picture of a table on which nothing has changed but what lies over it."""


@dataclass
class LiveShots:
    """Makes pictures for the screen.

    Args:
        screen: shows them.
        setup: the documents that pictures are read by.
        now_s: the clock for people, seconds since 1970.
    """

    screen: Screen
    setup: SetUp
    now_s: Callable[[], float] = now_s
    _watching: str = field(default_factory=lambda: secrets.token_hex(3))
    """Names this watching: another one of this program counts anew, and browsers keep pictures by their names."""
    _count: int = 0
    _due_s: float = float("-inf")
    _was_still: bool = True

    def is_due(self, glance: FrameReading, *, is_still: bool) -> bool:
        """Whether all is still again since the last picture, or something lies over the table for a while."""
        if is_still:
            return not self._was_still
        return not glance.is_current and glance.look.time_s >= self._due_s

    def show(
        self, frame: Frame, glance: FrameReading, believed: Observation, told: Statements, *, is_still: bool = True
    ) -> None:
        """Puts the table as it is believed to be before everybody, on the newest picture.

        ``is_still`` tells whether that picture shows what is believed.
        """
        self._due_s = frame.monotonic_s + PICTURE_EVERY_S
        read = ReadPicture(encode_for_page(frame.image_bgr), believed, PageView(glance.view))
        self._count += 1
        self._was_still = is_still
        name = f"live-{self.screen.boot}-{self._watching}-{self._count}"
        self.screen.show_live(Shot(name, "live", read, self.setup, self.now_s(), told=told, is_still=is_still))

    def hold(self, holding: Holding) -> None:
        """Says how the table that is shown stands to the one that is there."""
        self.screen.hold(holding, self.now_s())
