"""The whole table, put together: camera, reader, strip, page."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass

from assistant.app.live.game_files import Game, GameFiles, game_from_files
from assistant.app.live.reader import GameReader
from assistant.app.live.recovery_actions import Remedies
from assistant.app.live.strip_on_page import StripOnPage
from assistant.app.live.table_watch import TableWatch
from assistant.app.matches.archive import KeptMatches
from assistant.app.matches.choice import ANY_MATCH, MatchChoice, follow, sample_match, table_match
from assistant.app.matches.next_button import NextButton
from assistant.app.setup.cameras import PHOTOS
from assistant.app.setup.desk import SetUpDesk
from assistant.app.setup.game_step import game_of, live_source
from assistant.app.setup.sample import sample_game
from assistant.app.teaching.desk import TeachingDesk, table_to_teach
from assistant.errors import CannotDo
from assistant.hosting.disk import DiskWatch
from assistant.match.session import Session
from assistant.profiles import Profiles
from assistant.settings import Settings
from assistant.wiring.front import Front, device_list, front_of
from assistant.wiring.watching import new_recording, watch_of
from hardware.light import LightSettings
from hardware.serial_port import AUTO
from hardware.strip import OnButton, TrackerStrip, open_strip
from hardware.virtual import PORT_NAME
from vision.sources.names import source_name
from web.rulings.rulebook import RuleBook
from web.serving.events import EventHub
from web.serving.roles import Role
from web.serving.server import STREAMS_A_DEVICE
from web.state import PageState

SIMULATED = "virtual"
"""The camera of the demo: the simulated table, which shows the sample game whatever documents are named."""

STOP_WATCH_S = 10.0
"""A reading that is under way on a slow machine ends within this."""

LOOK_FOR_STOP_S = 0.1
"""How soon the program notices that it was told to stop."""

OWNER_LINK_S = 24 * 3600.0
"""The host opens its link when the evening begins; after a day it is of no use any more."""


@dataclass
class OpenTable:
    """A running table; ``close`` stops everything that ``open_table`` started."""

    state: PageState
    front: Front
    addresses: tuple[str, ...]
    watch: TableWatch | None
    lights: StripOnPage
    matches: KeptMatches
    desk: SetUpDesk | None = None
    disk: DiskWatch | None = None
    remedies: Remedies | None = None
    _make_watch: Callable[[], TableWatch] | None = None
    _is_asked_to_stop: bool = False

    def owner_link(self, page: str = "/") -> str:
        """A link by which one device joins as the owner, on that page."""
        invitation = self.state.devices.invite(Role.OWNER, lifetime_s=OWNER_LINK_S)
        return f"{self.addresses[0]}{page}#join={invitation.token}"

    def use(self, settings: Settings, game: Game, source: str) -> None:
        """Reads by another game from now on, and watches its camera instead of the one before.

        Raises:
            CannotDo: the watching before does not end.
        """
        self.let_go()
        self.state.reader = GameReader(game)
        self.state.has_live = source != PHOTOS
        if source != PHOTOS:
            self.made_by(lambda: watch_of(settings, source_name(source), game, self.state))
            self.start_watching()

    def made_by(self, make: Callable[[], TableWatch]) -> None:
        """Makes the watching of the table, and knows from now on how it is made anew; it is not started yet."""
        self._make_watch = make
        self.watch = make()

    def watch_again(self) -> None:
        """Opens the camera again and reads everything anew.

        Raises:
            CannotDo: the watching before does not end.
        """
        if self._make_watch is None:
            return
        if self.watch is not None and not self.watch.stop(STOP_WATCH_S):
            raise CannotDo("the camera before is still busy; try again in a moment")
        self.watch = self._make_watch()
        self.start_watching()

    def start_watching(self) -> None:
        """Begins to watch the table, if anything watches it."""
        if self.watch is not None:
            self.watch.start()

    def let_go(self) -> None:
        """Stops watching, so that somebody else can have the camera.

        Raises:
            CannotDo: the watching does not end.
        """
        if self.watch is not None and not self.watch.stop(STOP_WATCH_S):
            raise CannotDo("the camera before is still busy; try again in a moment")
        self.watch = self.state.live = None

    def wait(self) -> None:
        """Returns when somebody asked to stop."""
        # Not an event: one that is set from a signal handler may find its lock taken by the very wait it would end,
        # and a signal that comes just before a wait without an end is not seen.
        while not self._is_asked_to_stop:
            time.sleep(LOOK_FOR_STOP_S)

    def ask_to_stop(self) -> None:
        """Lets ``wait`` return; safe to call from a signal handler."""
        self._is_asked_to_stop = True

    def close(self) -> bool:
        """Ends streams, watching, lights, the page and the matches; whether no picture is being read any more."""
        self.state.hub.close()
        for part in (self.remedies, self.disk, self.front, self.lights):
            if part is not None:
                part.close()
        self.matches.close()
        if self.desk is not None:
            self.desk.close()
        return self.watch is None or self.watch.stop()


def open_table(
    settings: Settings, files: GameFiles, *, is_simulated: bool, choice: MatchChoice = ANY_MATCH
) -> OpenTable:
    """Puts the table together and starts it.

    Args:
        settings: the settings of the running table.
        files: the documents by which pictures are read.
        is_simulated: whether a simulated camera watches a sample table.
        choice: the match to play; without a wish the demo's own or, on a real table, the one that was begun last.

    Raises:
        DocumentError: a document that was named cannot be used.
        BadValue: no camera is called as the settings say.
        PhotoUnreadable: what is to be played back is not there.
        PortTaken: the page's port is in use.
        StoreError: matches cannot be kept in the data folder, or what is to be recorded is there already.
    """
    with ExitStack() as if_it_fails:
        matches = KeptMatches(settings.data)
        if_it_fails.callback(matches.close)
        is_demo = is_simulated and choice == ANY_MATCH
        session = sample_match(matches) if is_demo else table_match(matches, choice)
        table = _started(settings, files, matches, session, is_simulated=is_simulated)
        if_it_fails.pop_all()
    return table


def _started(
    settings: Settings, files: GameFiles, matches: KeptMatches, session: Session | None, *, is_simulated: bool
) -> OpenTable:
    new_recording(settings)
    sample = sample_game()
    profiles = Profiles(settings.data)
    setup = settings.setup or (None if is_simulated or files.named else profiles.newest("setup"))
    reader = GameReader(game_of(profiles, setup, sample) if setup else game_from_files(files, sample))
    camera = settings.camera or (SIMULATED if is_simulated else live_source(profiles, setup))
    name = source_name(camera) if camera else None
    state = _state(settings, reader, has_live=name is not None)
    state.archive = matches
    state.teaching = TeachingDesk(settings.data, lambda: table_to_teach(settings.data, reader.game))
    port = settings.strip or (PORT_NAME if is_simulated else "auto")
    lights = StripOnPage(strip_of(settings, port, NextButton(state)), port, state)
    front = front_of(settings, state)
    table = OpenTable(state, front, tuple(state.addresses), None, lights, matches)
    if session is not None:
        follow(session, state, lights)
    if name is not None:
        watched = sample if name.kind == SIMULATED else reader.game
        table.made_by(lambda: watch_of(settings, name, watched, state))
    front.start()
    lights.start()
    table.start_watching()
    _offer_remedies(table, settings, port)
    table.desk = state.desk = SetUpDesk(
        settings.data, sample, lambda game, source: table.use(settings, game, source), table.let_go
    )
    return table


def _offer_remedies(table: OpenTable, settings: Settings, port: str) -> None:
    """Puts hands behind the buttons of the page's problems."""
    table.remedies = Remedies(table.state)
    table.remedies.offer_watching(table.watch_again, is_recorded=bool(settings.record))
    table.remedies.offer_strip(table.lights.strip, is_expected=port != AUTO)
    table.disk = DiskWatch(settings.data, table.state)
    table.disk.start()


def strip_of(settings: Settings, port: str, on_button: OnButton) -> TrackerStrip:
    """The strip that the settings describe, at a port; it is not started yet.

    Raises:
        BadValue: a setting of the strip is out of its range, or the port is none.
    """
    light = LightSettings(
        pixel_count=settings.pixels,
        brightness=settings.brightness,
        limit_ma=settings.limit_ma,
        palette=settings.palette,
    )
    return open_strip(port, light, kind=settings.kind, on_button=on_button)


def _state(settings: Settings, reader: GameReader, *, has_live: bool) -> PageState:
    state = PageState(
        reader=reader,
        rules=RuleBook(),
        hub=EventHub(boot=secrets.token_hex(4), max_streams=STREAMS_A_DEVICE * settings.devices),
        devices=device_list(settings),
        has_live=has_live,
    )
    state.devices.kept.tell = lambda problem: state.clear("disk") if problem is None else state.report("disk", problem)
    return state
