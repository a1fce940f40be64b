"""The running page, as the wiring puts it together and speaks to it.

No feature sees this object: each names what it needs of it in a ``…Page`` of its own, and the application factory
gives it that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version

from assistant import run_clock
from assistant.app.live.free_shots import FreeShot
from assistant.app.live.live_picture import LivePicture
from assistant.app.live.shelf import ShotShelf
from assistant.app.live.strip_on_page import StripOnPage
from assistant.app.live.table_correction import TableCorrection
from assistant.app.live.watcher import Watcher
from assistant.app.matches.archive import KeptMatches
from assistant.app.matches.match_menu import MatchMenu
from assistant.app.problems import Problem, ProblemList, Remedy
from assistant.app.tournament.look_back import LookBack
from assistant.app.tournament.referee import Referee
from assistant.app.turns import ReadingTurns
from assistant.documents.call import Call, FreeCorrection
from assistant.documents.table_event import Person, TableEvent
from assistant.errors import SightlineError, StoreError
from assistant.match.session import Receipt, Session
from assistant.translations.messages import Said
from web.free.ports import FreeTableDesk
from web.live.ports import TakePicture
from web.people.devices import DeviceList
from web.people.reachable import Reachable
from web.rulings.asked import AskedRulings
from web.serving.events import EventHub
from web.setup.ports import LightDesk, SetUpDesk
from web.table.ports import PhotoReader
from web.teach.ports import TeachingDesk
from web.tour.ports import DemoGuide


@dataclass
class PageState(Reachable):
    """The running page.

    Args:
        reader: reads uploaded photos.
        hub: tells the tablets.
        devices: who is at the table.
        addresses: the addresses of the page, the one to show first.
        names: addresses with a name instead of a number, while the name is told on the network.
        now_s: the clock, seconds since 1970.
        shelf: keeps pictures.
        match: the match that is played.
        archive: keeps whole matches.
        matches: begins matches and goes on with them; None where none are kept.
        match_run: how many matches were shown one after the other; a page of another one reloads.
        referee: keeps the calls of judges; None where none are kept.
        look_back: the last minutes of pictures.
        desk: leads through the set-up; None where the table cannot be set up from the page.
        light: lists the kinds of light and takes another one; None where no light can be chosen.
        teaching: reads tiles, figures and doors that are shown to it; None where nothing can be taught.
        free: reads a table without a grid; None where the table has tiles.
        demo: leads visitors through the demo; None where this is none, or shows no tour.
        reading: whose photo is read now.
        authority_pem: the certificate by which devices may trust this page; None where the page made none.
        take_frame: takes a JPEG that a phone sends as the table's camera; None where no source waits for one.
        take_photo: takes a photo that a person took as the table's camera; it holds until the next.
        strip: the light of the turns; None where none is driven.
    """

    reader: PhotoReader
    hub: EventHub
    devices: DeviceList
    addresses: Sequence[str] = ()
    names: Sequence[str] = ()
    now_s: Callable[[], float] = run_clock.now_s
    shelf: ShotShelf = field(default_factory=ShotShelf)
    match: Session | None = None
    archive: KeptMatches | None = None
    matches: MatchMenu | None = None
    match_run: int = 0
    referee: Referee | None = None
    look_back: LookBack = field(default_factory=LookBack)
    desk: SetUpDesk | None = None
    light: LightDesk | None = None
    teaching: TeachingDesk | None = None
    free: FreeTableDesk | None = None
    demo: DemoGuide | None = None
    reading: ReadingTurns = field(default_factory=ReadingTurns)
    authority_pem: bytes | None = None
    take_frame: TakePicture | None = None
    take_photo: TakePicture | None = None
    strip: StripOnPage | None = None
    shown: LivePicture = field(init=False)
    watcher: Watcher = field(init=False)
    asked: AskedRulings = field(init=False)
    problem_list: ProblemList = field(init=False)

    def __post_init__(self) -> None:
        self._leave_match: Callable[[], None] = lambda: None
        self.shelf.tell = self.look_back.keep
        self.shown = LivePicture(self.shelf, self.hub.publish, self.hub.boot, self.now_s)
        self.asked = AskedRulings(self.hub, self.shelf, self.now_s)
        self.problem_list = ProblemList(self.hub.publish, self.now_s)
        self.watcher = Watcher(self.problem_list)

    @property
    def free_news(self) -> Mapping[str, object] | None:
        """The newest picture of a table without a grid; None where there is none."""
        shot = None if self.free is None else self.free.latest
        return None if shot is None else _free_news(shot)

    @property
    def can_be_set_up(self) -> bool:
        """Whether the table can be set up from the page."""
        return self.desk is not None

    @property
    def version(self) -> str:
        """The version of the server; a page of another one reloads."""
        return version("sightline")

    def read_by(self, reader: PhotoReader) -> None:
        """Reads photos by other documents from now on.

        What a camera showed before was another table, and is shown no more.
        """
        self.reader = reader
        self.shelf.forget_live()

    @property
    def has_live(self) -> bool:
        """Whether a camera (real or simulated) watches the table."""
        return self.watcher.has_live

    def play(self, session: Session) -> None:
        """Shows a match; every step is told to everybody, and each device asks for what it may know."""

        def tell(receipt: Receipt) -> None:
            self.hub.publish("match", {"seq": receipt.seq, "title": str(receipt.title)})
            if self.referee is not None and session.system.is_by_hand(receipt.type):
                self._keep_note(lambda referee: referee.note_step(receipt))

        self._leave_match()
        self.match = session
        self._leave_match = session.subscribe(tell)
        self.match_run += 1

    def judged_by(self, referee: Referee) -> None:
        """Lets judges be called from now on; whatever is done with a call is told to everybody."""

        def tell(event: TableEvent, call: Call | None) -> None:
            if call is not None:
                news = {"id": call.id, "type": event.type, "seq": call.seq, "ruling": call.ruling}
                self.hub.publish("call", news)

        referee.book.subscribe(tell)
        self.referee = referee

    def read_free(self, desk: FreeTableDesk | None) -> None:
        """Reads a table without a grid from now on, or none any more; a judge looks back at its pictures."""

        def show(shot: FreeShot) -> None:
            self.look_back.keep(shot)
            self.hub.publish("free", _free_news(shot))

        self.free = desk
        if desk is not None:
            desk.tell_to(show)

    def note_free(self, kind: FreeCorrection, subject: str, person: Person) -> None:
        """Keeps what a person did to terrain, or said of a base in doubt, for a judge who may be called later."""
        self._keep_note(lambda referee: referee.note_free(kind, subject, person))

    def note_by_hand(self, said: TableCorrection, person: Person) -> None:
        """Keeps what a person said of the table against the camera, for a judge who may be called later."""
        self._keep_note(lambda referee: referee.note_table(said, person))

    def _keep_note(self, keep: Callable[[Referee], None]) -> None:
        """What was said holds all the same where it cannot be kept; the page says so."""
        if self.referee is None:
            return
        try:
            keep(self.referee)
        except StoreError as problem:
            self.report("disk", problem)

    def announce_match(self) -> None:
        """Tells every page that another match is shown from now on."""
        seq = 0 if self.match is None else self.match.seq
        self.hub.publish("match", {"seq": seq, "title": "", "run": self.match_run})

    @property
    def problems(self) -> list[Problem]:
        """Everything that is wrong now, the oldest first."""
        return self.problem_list.problems

    @property
    def remedies(self) -> dict[str, Remedy]:
        """What the one button of a problem does, by the part that has it."""
        return self.problem_list.remedies

    @property
    def watches(self) -> set[str]:
        """The parts that somebody looks after."""
        return self.problem_list.watches

    @property
    def told(self) -> dict[str, Said]:
        """How a part is with which nothing is wrong, where there is more to say than that."""
        return self.problem_list.told

    def look_after(self, part: str) -> None:
        """Says that somebody looks after a part, so that no news of it is good news."""
        self.problem_list.look_after(part)

    def offer(self, part: str, act: Remedy) -> None:
        """Puts what can be done behind the button of a part."""
        self.problem_list.offer(part, act)

    def report(self, part: str, error: SightlineError) -> None:
        """Says what is wrong with one part."""
        self.problem_list.report(part, error)

    def clear(self, part: str, how: Said | None = None) -> None:
        """Says that nothing is wrong with one part any more, and how it is, where there is more to say."""
        self.problem_list.clear(part, how)


def _free_news(shot: FreeShot) -> dict[str, object]:
    return {"shot": shot.id, "source": shot.source}
