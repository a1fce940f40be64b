"""Shows the LED strip on the page: its pixels, and its problems."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from assistant.app.problems import ProblemList, Publish
from assistant.errors import StripLost
from assistant.table.tracker import TrackerView
from assistant.translations.messages import Said, said
from hardware.link import LinkStatus
from hardware.port import AUTO
from hardware.registry import light_kind
from hardware.strip import TrackerStrip
from hardware.transports.virtual import PORT_NAME

FRAMES_PER_S = 4
"""Rate per second: shows breathing and flicker on the page without filling a club's wireless network."""


@dataclass
class StripOnPage:
    """Copies the strip's pixels to the page.

    Args:
        strip: the strip, virtual or real.
        port: the requested port.
        problems: the list in which ``strip`` is reported.
        publish: sends events to the pages.
    """

    strip: TrackerStrip
    port: str
    problems: ProblemList
    publish: Publish
    shown: Mapping[str, Any] | None = None
    """The strip as every page shows it: its pixels as CSS colours, and whether it is virtual."""
    _was_lit: bool = False
    _view: TrackerView = field(default_factory=TrackerView)
    _changing: threading.Lock = field(default_factory=threading.Lock)
    _hand: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "strip-change"))
    _stopping: threading.Event = field(default_factory=threading.Event)

    def start(self) -> None:
        """Light the strip and start showing it."""
        self.strip.start()
        threading.Thread(target=self._run, name="strip-on-page", daemon=True).start()

    def show(self, view: TrackerView) -> None:
        """Show the newest turn order on the strip."""
        with self._changing:
            self._view = view
            self.strip.show(view)

    def take(self, strip: TrackerStrip, port: str) -> None:
        """Change to another strip that is not started yet, and return immediately.

        The old one goes dark before the search for the new one, because both may be on one port.
        """

        def change() -> None:
            old.close()
            strip.start()

        with self._changing:
            old, self.strip, self.port = self.strip, strip, port
            self._was_lit = False
            strip.show(self._view)
            self.problems.clear("strip")
            self._show_pixels([], is_virtual=False)
            self._hand.submit(change)

    def search_now(self) -> None:
        """Search every port for the strip immediately."""
        self.strip.search_now()

    @property
    def lit_sentence(self) -> Said | None:
        """The kind and address of the lit light, or None if none is lit."""
        return _tell_lit(self.strip.status)

    def close(self) -> None:
        self._stopping.set()
        self._hand.shutdown()
        self.strip.close()

    def step(self) -> None:
        """Copy one frame to the page, with the strip's gamma undone for a screen.

        A table without a strip has no fault. It reports a strip that was lit before, one whose port a person named, and
        a board that is plugged in but cannot be opened.
        """
        with self._changing:
            status = self.strip.status
            is_expected = self.port != AUTO or (status.is_shut and status.address is not None)
            if status.state == "lit":
                self._was_lit = True
                self.problems.clear("strip", _tell_lit(status))
                pixels = self.strip.frame.on_screen(self.strip.settings.gamma)
                self._show_pixels(pixels, is_virtual=self.port == PORT_NAME)
            elif status.problem is not None and (self._was_lit or is_expected):
                self.problems.report("strip", StripLost(status.problem))

    def _show_pixels(self, pixels: Sequence[tuple[int, int, int]], *, is_virtual: bool) -> None:
        shown = {"pixels": [f"#{r:02x}{g:02x}{b:02x}" for r, g, b in pixels], "is_virtual": is_virtual}
        if shown != self.shown:
            self.shown = shown
            self.publish("strip", shown)

    def _run(self) -> None:
        while not self._stopping.wait(1 / FRAMES_PER_S):
            self.step()


def _tell_lit(status: LinkStatus) -> Said | None:
    if status.state != "lit" or status.identity is None or status.address is None:
        return None
    name = Said(light_kind(status.identity.kind).name)
    return said("It is lit: {kind}, {address}.", kind=name, address=status.address)
