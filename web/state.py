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
from assistant.rules.ruling import Ruling
from web.live.ports import Holding, LiveTable
from web.people.devices import DeviceList
from web.rulings.rulebook import RuleBook
from web.scene.shelf import ShotShelf
from web.scene.shot import MatchArchive, PhotoReader, Shot
from web.serving.events import EventHub
from web.setup.ports import SetUpDesk
from web.teach.ports import TeachingDesk

STATE_KEY = "sightline"

SEEN_EVERY_S = 1.0
"""How often tablets are told that the table is still so: often enough for the age that they show."""

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
    """A ruling that somebody asked for: on which shot, about whom, by which rules, and what came of it."""

    id: str
    shot: str
    ruleset: str
    attacker: str
    defender: str
    answer: tuple[float | None, bool, bool | None]
    asked_at_s: float

    def is_about(self, other: AskedRuling) -> bool:
        """Whether the other one asked the same and got the same answer, on whatever picture."""
        return replace(self, id=other.id, shot=other.shot, asked_at_s=other.asked_at_s) == other


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
    names: Sequence[str] = ()
    """Addresses with a name instead of a number, while the name is told on the network."""
    now_s: Callable[[], float] = time.time
    shelf: ShotShelf = field(default_factory=ShotShelf)
    match: Session | None = None
    archive: MatchArchive | None = None
    desk: SetUpDesk | None = None
    """Leads through the set-up; None where the table cannot be set up from the page."""
    teaching: TeachingDesk | None = None
    """Reads tiles, figures and doors that are shown to it; None where nothing can be taught."""
    live: LiveTable | None = None
    holding: Holding = "waiting"
    seen_at_s: float = 0.0
    """When the camera last saw the table so, seconds since 1970."""
    strip: Mapping[str, Any] | None = None
    asked: deque[AskedRuling] = field(default_factory=lambda: deque(maxlen=KEPT_RULINGS))
    reading: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(1))
    """One photo at a time: two would both take twice as long and starve the pages on a small machine."""
    remedies: dict[str, Callable[[], None]] = field(default_factory=dict)
    """What the one button of a problem does, by the part that has it; each returns at once."""
    watches: set[str] = field(default_factory=set)
    """The parts that somebody looks after, so that no news of them is good news."""
    authority_pem: bytes | None = None
    """The certificate by which devices may trust this page; None where the page made none."""
    take_frame: Callable[[bytes], None] | None = None
    """Takes a JPEG that a phone sends as the table's camera; None where no source waits for one."""
    take_photo: Callable[[bytes], None] | None = None
    """Takes a photo that a person took as the table's camera; it holds until the next."""
    _problems: dict[str, Problem] = field(default_factory=dict)

    @property
    def shown_addresses(self) -> list[str]:
        """What stands beside the QR code: first what tablets can open, by number and by name."""
        far = [address for address in self.addresses if "//127.0.0.1" not in address]
        return [*(far or self.addresses), *self.names]

    @property
    def invite_address(self) -> str | None:
        """The address in the QR code, in numbers: a phone that knows no local names opens it, too."""
        return next(iter(self.shown_addresses), None)

    @property
    def version(self) -> str:
        """The version of the server; a page of another one reloads."""
        return version("sightline")

    def show_live(self, shot: Shot) -> None:
        """Puts a new picture of the camera before everybody."""
        self.shelf.put(shot)
        self.hub.publish("live", self.live_now(shot))

    def live_now(self, shot: Shot) -> dict[str, Any]:
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
        if self.live is None:
            return []
        return [*(question.id for question in self.live.questions), *(note.id for note in self.live.notes)]

    def hold(self, holding: Holding, now_s: float) -> None:
        """Says how the live table that is shown stands to the one that is there; tells everybody what is news."""
        # A clock that is put back makes news as well, else nothing would be told until it has caught up.
        is_news = holding != self.holding or (holding == "now" and abs(now_s - self.seen_at_s) >= SEEN_EVERY_S)
        self.holding = holding
        if not is_news:
            return
        if holding == "now":
            self.seen_at_s = now_s
        shot = self.shelf.latest_live()
        if shot is not None:
            self.hub.publish("live", self.live_now(shot))

    def show_strip(self, pixels: Sequence[tuple[int, int, int]], *, is_virtual: bool) -> None:
        """Shows the pixels of the LED strip, exactly, as a screen has to colour them."""
        strip = {"pixels": [f"#{r:02x}{g:02x}{b:02x}" for r, g, b in pixels], "is_virtual": is_virtual}
        if strip != self.strip:
            self.strip = strip
            self.hub.publish("strip", strip)

    def note_ruling(self, shot: Shot, ruling: Ruling, *, is_follow_up: bool = False) -> None:
        """Keeps who asked what with its picture and tells everybody; the same question again is kept once.

        Who asks again wants it on the wall again. A page that follows the camera asks on each picture
        (``is_follow_up``); that is told only where the answer has become another.
        """
        answer = (ruling.range, ruling.line_of_sight, ruling.cover)
        asked = AskedRuling(
            secrets.token_hex(6), shot.id, ruling.ruleset, ruling.attacker, ruling.defender, answer, self.now_s()
        )
        known = [last for last in self.asked if last.is_about(asked) and (is_follow_up or last.shot == shot.id)]
        if not known:
            self.shelf.keep(shot)
            self.asked.append(asked)
            known = [asked]
        elif is_follow_up:
            return
        self.hub.publish("ruling", {"id": known[-1].id, "shot": known[-1].shot})

    def play(self, session: Session) -> None:
        """Shows a match; every step is told to everybody, and each device asks for what it may know."""

        def tell(receipt: Receipt) -> None:
            self.hub.publish("match", {"seq": receipt.seq, "title": str(receipt.title)})

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
