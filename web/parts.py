"""The parts of a running page. The wiring makes them once, and every route reads them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from importlib.metadata import version

from flask import current_app

from assistant import run_clock
from assistant.app.care.misread import MisreadPictures
from assistant.app.live.last_tiles import LastTiles
from assistant.app.live.live_picture import LivePicture
from assistant.app.live.reader import GameReader
from assistant.app.live.shelf import ShotShelf
from assistant.app.live.shots import Shot
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
from assistant.errors import CannotDo, StoreError
from assistant.translations.messages import said
from web.judge.papers import Papers
from web.people.devices import DeviceList
from web.people.door import PARTS, FrontDoor
from web.rulings.asked import AskedRuling, AskedRulings
from web.serving.events import EventHub

VERSION = version("sightline")
"""The server's version. A page of another version reloads."""


@dataclass(frozen=True)
class Parts:
    """All parts of a page, None for those that this table lacks.

    Args:
        hub: sends events to the pages.
        door: the page's addresses, and the devices at the page.
        problems: all problems at the table.
        shelf: keeps pictures.
        readers: read photos, of a table with cells or without a grid.
        watcher: the camera over the table, if one watches it.
        shown: the camera's picture on every page.
        last_tiles: where the tiles of the table's last picture lay.
        match: the match on every page.
        asked: the last rulings.
        look_back: the pictures of the last minutes.
        now_s: the clock, seconds since 1970.
        referee: keeps the calls of judges.
        archive: keeps whole matches.
        matches: begins and continues matches.
        desk: guides through the set-up.
        strip: the light that shows the turns.
        light: lists the kinds of light and switches between lights.
        teaching: reads tiles, figures and doors for teaching.
        box: reads whole boxes from photos of many tiles.
        demo: guides visitors through the demo.
        papers: caches reports of calls.
        call_bounds: limits the open calls.
        reports: keeps reports of wrong readings.
    """

    hub: EventHub
    door: FrontDoor
    problems: ProblemList
    shelf: ShotShelf
    readers: TableReaders
    watcher: Watcher
    shown: LivePicture
    last_tiles: LastTiles
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
    reports: MisreadPictures | None = None

    def asked_in_match(self) -> tuple[AskedRuling, ...]:
        """Return this match's rulings on the watched table, the oldest first.

        Rulings of an earlier match, or on another match's table, settle nothing here.
        """
        if not self.match.is_watched:
            return ()
        return tuple(one for one in self.asked if one.asked_at_s >= self.match.since_s)

    def note(self, keep: Callable[[Referee], None]) -> None:
        """Record something done by hand, for a later call of a judge.

        The action stands even if the record fails. The page then shows the disk's problem.
        """
        if self.referee is None:
            return
        try:
            keep(self.referee)
        except StoreError as problem:
            self.problems.report("disk", problem)

    def complete_reports(self, complete: Callable[[MisreadPictures], bool]) -> bool:
        """Complete reports of wrong readings by a correction. Return whether there is one.

        The correction stands even if the report cannot be written. The page then shows the disk's problem.
        """
        try:
            return self.reports is not None and complete(self.reports)
        except StoreError as problem:
            self.problems.report("disk", problem)
            return False


class NoReports(CannotDo):
    """The table has no data folder."""

    http_status = 409
    sentence = said("This table keeps no reports of wrong readings.")


def kept_reports() -> MisreadPictures:
    """Return the table's reports of wrong readings.

    Raises:
        NoReports: the table keeps none.
    """
    reports = parts().reports
    if reports is None:
        raise NoReports
    return reports


def new_parts(
    reader: GameReader,
    hub: EventHub,
    devices: DeviceList,
    *,
    now_s: Callable[[], float] = run_clock.now_s,
    last_tiles: LastTiles | None = None,
) -> Parts:
    """Return every table's parts, without a camera, a strip or a disk."""
    last_tiles = LastTiles() if last_tiles is None else last_tiles
    problems, look_back, match = ProblemList(hub.publish, now_s), LookBack(), ShownMatch(hub.publish, now_s=now_s)
    match.on_other_table = look_back.begin_anew
    shelf = ShotShelf()

    def keep(shot: Shot) -> None:
        look_back.keep(shot)
        last_tiles.keep(shot)

    shelf.tell = keep
    return Parts(
        hub=hub,
        door=FrontDoor(devices, match=lambda: match.session, seats_changed=match.seats_changed),
        problems=problems,
        shelf=shelf,
        readers=TableReaders(reader, shelf, hub.publish, look_back.keep),
        watcher=Watcher(problems),
        shown=LivePicture(shelf, hub.publish, hub.boot, now_s),
        last_tiles=last_tiles,
        match=match,
        asked=AskedRulings(hub, shelf, now_s),
        look_back=look_back,
        now_s=now_s,
    )


def with_referee(parts: Parts, referee: Referee) -> Parts:
    """Return the page with judges: every step of a call goes to all pages, and manual steps are recorded."""

    def tell(event: TableEvent, call: Call | None) -> None:
        if call is not None:
            news = {"id": call.id, "type": event.type, "seq": call.seq, "ruling": call.ruling}
            parts.hub.publish("call", news)

    judged = replace(parts, referee=referee)
    referee.book.subscribe(tell)
    parts.match.note_by_hand = lambda receipt: judged.note(lambda referee: referee.note_step(receipt))
    return judged


def parts() -> Parts:
    """Return the page's parts for the current request."""
    found: Parts = current_app.extensions[PARTS]
    return found
