"""The parts of a running page, which the wiring makes once and every route reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from importlib.metadata import version

from flask import current_app

from assistant import run_clock
from assistant.app.live.live_picture import LivePicture
from assistant.app.live.reader import GameReader
from assistant.app.live.shelf import ShotShelf
from assistant.app.live.strip_on_page import StripOnPage
from assistant.app.live.table_readers import TableReaders
from assistant.app.live.watcher import Watcher
from assistant.app.matches.archive import KeptMatches
from assistant.app.matches.demo_stage import DemoStage
from assistant.app.matches.match_menu import MatchMenu
from assistant.app.matches.shown_match import ShownMatch
from assistant.app.problems import ProblemList
from assistant.app.setup.light import LightChooser
from assistant.app.setup.wizard import SetUpWizard
from assistant.app.teaching.box import BoxTeacher
from assistant.app.teaching.teacher import Teacher
from assistant.app.tournament.call_bounds import CallBounds
from assistant.app.tournament.look_back import LookBack
from assistant.app.tournament.referee import Referee
from assistant.documents.call import Call
from assistant.documents.table_event import TableEvent
from assistant.errors import StoreError
from web.judge.papers import Papers
from web.people.devices import DeviceList
from web.people.door import PARTS, FrontDoor
from web.rulings.asked import AskedRuling, AskedRulings
from web.serving.events import EventHub

VERSION = version("sightline")
"""The version of the server; a page of another one reloads."""


@dataclass(frozen=True)
class Parts:
    """Everything that a page is made of; None for what this table does not have.

    Args:
        hub: sends events to the pages.
        door: the addresses of the page, and the devices that came in.
        problems: everything that is wrong at the table.
        shelf: keeps pictures.
        readers: read photos, of a table with cells or without a grid.
        watcher: the camera over the table, if one watches it.
        shown: the camera's picture as every page shows it.
        match: the match that every page shows.
        asked: the last rulings.
        look_back: the pictures of the last minutes.
        now_s: the clock, seconds since 1970.
        referee: keeps the calls of judges.
        archive: keeps whole matches.
        matches: begins matches and goes on with them.
        desk: leads through the set-up.
        strip: the light of the turns.
        light: lists the kinds of light and takes another one.
        teaching: reads tiles, figures and doors to teach.
        box: reads whole boxes from photos of many tiles.
        demo: leads visitors through the demo.
        papers: keeps reports of calls once they are made.
        call_bounds: bounds the open calls.
    """

    hub: EventHub
    door: FrontDoor
    problems: ProblemList
    shelf: ShotShelf
    readers: TableReaders
    watcher: Watcher
    shown: LivePicture
    match: ShownMatch
    asked: AskedRulings
    look_back: LookBack
    now_s: Callable[[], float]
    referee: Referee | None = None
    archive: KeptMatches | None = None
    matches: MatchMenu | None = None
    desk: SetUpWizard | None = None
    strip: StripOnPage | None = None
    light: LightChooser | None = None
    teaching: Teacher | None = None
    box: BoxTeacher | None = None
    demo: DemoStage | None = None
    papers: Papers = field(default_factory=Papers)
    call_bounds: CallBounds = field(default_factory=CallBounds)

    def asked_in_match(self) -> tuple[AskedRuling, ...]:
        """Return the rulings of this match on the table that a camera watches, the oldest first.

        Those of an earlier match, or of a table that this match is not played on, settle nothing here.
        """
        if not self.match.is_watched:
            return ()
        return tuple(one for one in self.asked if one.asked_at_s >= self.match.since_s)

    def note(self, keep: Callable[[Referee], None]) -> None:
        """Keep something that a person did by hand, for a judge who may be called later.

        It holds even where it cannot be kept; the page then shows the problem of the disk.
        """
        if self.referee is None:
            return
        try:
            keep(self.referee)
        except StoreError as problem:
            self.problems.report("disk", problem)


def new_parts(
    reader: GameReader, hub: EventHub, devices: DeviceList, *, now_s: Callable[[], float] = run_clock.now_s
) -> Parts:
    """Return the parts that every table has, not connected to a camera, a strip or a disk."""
    problems, look_back, match = ProblemList(hub.publish, now_s), LookBack(), ShownMatch(hub.publish, now_s=now_s)
    match.on_other_table = look_back.begin_anew
    shelf = ShotShelf()
    shelf.tell = look_back.keep
    return Parts(
        hub=hub,
        door=FrontDoor(devices, match=lambda: match.session, seats_changed=match.seats_changed),
        problems=problems,
        shelf=shelf,
        readers=TableReaders(reader, shelf, hub.publish, look_back.keep),
        watcher=Watcher(problems),
        shown=LivePicture(shelf, hub.publish, hub.boot, now_s),
        match=match,
        asked=AskedRulings(hub, shelf, now_s),
        look_back=look_back,
        now_s=now_s,
    )


def with_referee(parts: Parts, referee: Referee) -> Parts:
    """Return the page with judges: every step of a call goes to all pages, and steps by hand are noted."""

    def tell(event: TableEvent, call: Call | None) -> None:
        if call is not None:
            news = {"id": call.id, "type": event.type, "seq": call.seq, "ruling": call.ruling}
            parts.hub.publish("call", news)

    judged = replace(parts, referee=referee)
    referee.book.subscribe(tell)
    parts.match.note_by_hand = lambda receipt: judged.note(lambda referee: referee.note_step(receipt))
    return judged


def parts() -> Parts:
    """Return the parts of the page that answers the current request."""
    found: Parts = current_app.extensions[PARTS]
    return found
