"""Drives the LED strip from the initiative order, and shows the same pixels on the page."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from assistant.table.tracker import TrackerView
from hardware.light import LightSettings, light_frame
from hardware.virtual import VirtualStrip
from web.state import PageState

FRAMES_PER_S = 4
"""Enough to see breathing and flicker on the page without filling a club's wireless network."""


@dataclass
class StripLights:
    """Paints the tracker's light frames onto a virtual strip and tells the page.

    Args:
        tracker: the initiative order at this moment.
        settings: how the strip is driven.
        state: the page.
    """

    tracker: Callable[[], TrackerView]
    settings: LightSettings
    state: PageState
    clock_s: Callable[[], float] = time.monotonic
    _stopping: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.strip = VirtualStrip(self.settings.pixel_count)

    def start(self) -> None:
        """Begins to shine."""
        threading.Thread(target=self._run, name="strip", daemon=True).start()

    def stop(self) -> None:
        """Goes dark at the next step."""
        self._stopping.set()

    def step(self) -> None:
        """Shows one light frame; the page gets what the strip holds, with the strip's gamma undone."""
        self.strip.show(light_frame(self.tracker(), self.clock_s(), self.settings))
        self.state.show_strip(self.strip.frame.on_screen(self.settings.gamma), is_virtual=True)

    def _run(self) -> None:
        while not self._stopping.wait(1 / FRAMES_PER_S):
            self.step()
