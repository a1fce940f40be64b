"""What the page knows: one object that the wiring fills and the views read."""

from __future__ import annotations

import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from typing import Any

from flask import current_app

from assistant.errors import SightlineError
from assistant.match.session import Receipt, Session
from web.devices import DeviceList
from web.events import EventHub
from web.ports import PhotoReader, Shot
from web.rulebook import RuleBook
from web.shelf import ShotShelf

STATE_KEY = "sightline"

KEPT_RULINGS = 24
"""As many as there are photos on the shelf: a ruling is shown on its picture."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong at the table; its error is worded for each reader."""

    part: str
    error: SightlineError
    since_s: float


@dataclass(frozen=True, slots=True)
class AskedRuling:
    """A ruling that somebody asked for: on which shot, about whom, by which rules."""

    id: str
    shot: str
    ruleset: str
    attacker: str
    defender: str
    asked_at_s: float


@dataclass
class PageState:
    """The running page.

    Args:
        reader: reads uploaded photos.
        rules: answers.
        hub: tells the tablets.
        devices: who is at the table.
        has_live: whether a camera (real or simulated) watches the table.
        addresses: the addresses of the page, the one to show first.
    """

    reader: PhotoReader
    rules: RuleBook
    hub: EventHub
    devices: DeviceList
    has_live: bool = False
    addresses: Sequence[str] = ()
    now_s: Callable[[], float] = time.time
    shelf: ShotShelf = field(default_factory=ShotShelf)
    match: Session | None = None
    strip: Mapping[str, Any] | None = None
    asked: deque[AskedRuling] = field(default_factory=lambda: deque(maxlen=KEPT_RULINGS))
    reading: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(1))
    """One photo at a time: two would both take twice as long and starve the pages on a small machine."""
    _problems: dict[str, Problem] = field(default_factory=dict)

    @property
    def version(self) -> str:
        """The version of the server; a page of another one reloads."""
        return version("sightline")

    def show_live(self, shot: Shot) -> None:
        """Puts a new picture of the camera before everybody."""
        self.shelf.put(shot)
        self.hub.publish("live", {"shot": shot.id, "taken_at_s": round(shot.taken_at_s, 3)})

    def show_strip(self, pixels: Sequence[tuple[int, int, int]], *, is_virtual: bool) -> None:
        """Shows the pixels of the LED strip, exactly, as a screen has to colour them."""
        strip = {"pixels": [f"#{r:02x}{g:02x}{b:02x}" for r, g, b in pixels], "is_virtual": is_virtual}
        if strip != self.strip:
            self.strip = strip
            self.hub.publish("strip", strip)

    def note_ruling(self, shot: Shot, ruleset: str, attacker: str, defender: str) -> None:
        """Keeps who asked what with its picture and tells everybody; the same question again is not news."""
        self.shelf.keep(shot)
        asked = AskedRuling(secrets.token_hex(6), shot.id, ruleset, attacker, defender, self.now_s())
        last = self.asked[-1] if self.asked else None
        if last is None or replace(last, id=asked.id, asked_at_s=asked.asked_at_s) != asked:
            self.asked.append(asked)
            self.hub.publish("ruling", {"id": asked.id, "shot": shot.id})

    def play(self, session: Session) -> None:
        """Shows a match; every step is told to everybody, and each device asks for what it may know."""

        def tell(receipt: Receipt) -> None:
            self.hub.publish("match", {"seq": receipt.seq, "title": receipt.title})

        self.match = session
        session.subscribe(tell)

    @property
    def problems(self) -> list[Problem]:
        """Everything that is wrong now, the oldest first."""
        return sorted(self._problems.values(), key=lambda problem: problem.since_s)

    def report(self, part: str, error: SightlineError) -> None:
        """Says what is wrong with one part; the same sentence again is not news."""
        known = self._problems.get(part)
        if known is None or str(known.error) != str(error):
            since_s = self.now_s() if known is None else known.since_s
            self._problems[part] = Problem(part, error, since_s)
            self.hub.publish("problems", {})

    def clear(self, part: str) -> None:
        """Says that nothing is wrong with one part any more."""
        if self._problems.pop(part, None) is not None:
            self.hub.publish("problems", {})


def page_state() -> PageState:
    """The state of the application that answers the current request."""
    state: PageState = current_app.extensions[STATE_KEY]
    return state
