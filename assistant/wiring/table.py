"""Assembles the whole table: camera, reader, strip, page."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial

from assistant.app.care.evening import EveningExport
from assistant.app.care.misread import MisreadPictures
from assistant.app.care.reports import KeptReports
from assistant.app.care.rescue import open_matches
from assistant.app.care.starts import SafeMode, safe_settings
from assistant.app.live.free_pictures import FreeTablePictures
from assistant.app.live.free_stage import FreeStage
from assistant.app.live.game_files import FreeGame, GameFiles, ReadableGame, first_free_rules
from assistant.app.live.last_tiles import LastTiles
from assistant.app.live.reader import GameReader
from assistant.app.live.recorder import require_new
from assistant.app.live.recovery_actions import RecoveryActions
from assistant.app.live.simulated_hands import SimulatedHands
from assistant.app.live.strip_on_page import StripOnPage
from assistant.app.live.tuio import ToldTable, TuioTeller, standing_freely, standing_on_cells, tuio_address
from assistant.app.live.watcher import OpenWatch, Watcher, source_of
from assistant.app.matches.archive import KeptMatches
from assistant.app.matches.choice import (
    ANY_MATCH,
    MatchChoice,
    MatchShow,
    choose_match,
    demo_matches,
    find_demo,
    open_sample_match,
)
from assistant.app.matches.demo_stage import DemoStage
from assistant.app.matches.disk_check import DiskCheck
from assistant.app.matches.match_menu import MatchMenu
from assistant.app.matches.next_button import NextButton
from assistant.app.matches.shown_match import ShownMatch
from assistant.app.setup.cameras import PHOTOS, VIRTUAL
from assistant.app.setup.free_ground import keep_ground
from assistant.app.setup.light import LightChooser
from assistant.app.setup.opening import Opening, Wanted, opening_of
from assistant.app.setup.sample import free_sample_game, sample_game
from assistant.app.setup.wizard import SetUpWizard
from assistant.app.side_process import SideProcess
from assistant.app.teaching.box import PHOTO_LIMIT_S, BoxTeacher
from assistant.app.teaching.library import TaughtGames
from assistant.app.teaching.teacher import Teacher, find_table_to_teach
from assistant.app.tournament.call_book import CallBook
from assistant.app.tournament.membership import Membership
from assistant.app.tournament.referee import Referee
from assistant.app.tournament.table_key import TableKey
from assistant.hosting.announcement import table_name
from assistant.match.games import DemoTable
from assistant.match.session import Session
from assistant.profiles import Profiles
from assistant.rules.ruleset import FreeRules
from assistant.settings import Settings
from assistant.store import Store
from assistant.wiring.front import Front, device_list, front_of
from assistant.wiring.tournament import membership_of
from assistant.wiring.watching import open_table_with_cells
from hardware.light import LightSettings
from hardware.port import AUTO
from hardware.strip import OnButton, TrackerStrip, open_strip, strip_port
from hardware.transports.virtual import PORT_NAME
from vision.sources.captured import CapturedSource
from vision.sources.names import SourceName, source_name
from vision.sources.virtual import LetMove
from web.app import create_app
from web.parts import Parts, new_parts, with_referee
from web.serving.events import STREAMS_A_DEVICE, EventHub

AT_ONCE_S = 3.0
"""Head start in seconds: hands usually wait before their first move, but a reader who asked for one sees it at once."""


@dataclass(frozen=True)
class TableShown:
    """What a table that is not a real one shows.

    Args:
        is_simulated: whether it is simulated.
        demo: the game of the demo, if it is a demo.
        is_safe: whether everything that can make a start fail is left out.
        tour_of: the id of the demo's game, if the demo is guided.
    """

    is_simulated: bool
    demo: DemoTable | None = None
    is_safe: bool = False
    tour_of: str | None = None

    @property
    def has_camera(self) -> bool:
        """Whether a simulated camera watches it. A demo that no camera can read is played on the drawn table."""
        return self.is_simulated and (self.demo is None or self.demo.seed is not None)


@dataclass
class OpenTable:
    """A running table. ``close`` stops everything that ``open_table`` started."""

    page: Parts
    front: Front
    lights: StripOnPage
    matches: KeptMatches
    remedies: RecoveryActions
    disk: DiskCheck
    desk: SetUpWizard
    membership: Membership | None
    exports: EveningExport
    tuio: TuioTeller | None = None

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses of the page, the one to open on this machine first."""
        return tuple(self.page.door.addresses)

    def close(self) -> bool:
        """Stop streams, watching, lights, the page and the matches. Return whether no picture is still being read."""
        self.page.hub.close()
        for part in (
            self.remedies,
            self.disk,
            self.front,
            self.lights,
            self.membership,
            self.exports,
            self.matches,
            self.desk,
            self.tuio,
            self.page.teaching,
            self.page.box,
        ):
            if part is not None:
                part.close()
        return self.page.watcher.close()


def open_table(
    settings: Settings, files: GameFiles, *, is_simulated: bool, choice: MatchChoice = ANY_MATCH, is_safe: bool = False
) -> OpenTable:
    """Assemble the table and start it.

    Args:
        settings: the settings of the running table.
        files: the documents for reading pictures.
        is_simulated: whether a simulated camera watches a sample table.
        choice: the match to play; by default the demo's own or, on a real table, the one begun last.
        is_safe: whether to leave out everything that can make a start fail; the page says so.

    Raises:
        DocumentError: a given document cannot be used.
        BadValue: no camera has the name in the settings.
        PhotoUnreadable: the recording for playback does not exist.
        PortTaken: the page's port is in use.
        StoreError: matches cannot be stored in the data folder, or the recording's file already exists.
        UnknownName: there is no demo of that game.
    """
    with ExitStack() as if_it_fails:
        matches, rescued = open_matches(settings.data)
        if_it_fails.callback(matches.close)
        is_demo = is_simulated and choice.is_any
        if is_safe:
            shown = TableShown(is_simulated=False, is_safe=True)
            table = _start(safe_settings(settings), GameFiles(), matches, None, shown)
        else:
            session = open_sample_match(matches, choice.game) if is_demo else choose_match(matches, choice)
            demo = find_demo(choice.game) if is_demo else None
            tour_of = session.header.ruleset if session is not None and is_demo and choice.has_tour else None
            table = _start(settings, files, matches, session, TableShown(is_simulated, demo, tour_of=tour_of))
        if rescued is not None:
            table.page.problems.report("matches", rescued)
        if_it_fails.pop_all()
    return table


def _start(
    settings: Settings, files: GameFiles, matches: KeptMatches, session: Session | None, shown: TableShown
) -> OpenTable:
    require_new(settings.record)
    sample = sample_game(shown.demo, is_still=shown.tour_of is not None)
    wanted = Wanted(files, settings.setup, settings.camera, shown.has_camera)
    opening = Opening(sample, None, sample) if shown.is_safe else opening_of(wanted, Profiles(settings.data), sample)
    free = None if opening.free is None else _free_pictures(settings, opening.free, is_kept=not files.free_table)

    # Make the parts that page, camera, match and light share, then each of these, and the page last.
    page = _shared_parts(settings, opening)
    watcher, match, problems = page.watcher, page.match, page.problems
    port = strip_port(settings.strip, settings.kind, default=PORT_NAME if shown.is_simulated else AUTO)
    on_button = NextButton(lambda: match.session)
    lights = StripOnPage(strip_of(settings, port, on_button), port, problems, page.hub.publish)
    chooser = LightChooser(
        lights, lambda port, kind: strip_of(replace(settings, kind=kind), port, on_button), settings.kind
    )
    box = frozenset(figure.id for figure in sample.roster.figures)
    hands = SimulatedHands(partial(_ask_simulation, watcher), box, demo_matches())
    free_stage = FreeStage(watcher, page.readers.read_free, free_sample_game, shown.is_simulated, own=free)
    stage = MatchShow(match.play, match.announce, lights.show, partial(_follow, hands, free_stage))
    desk = _desk(settings, page, free_stage)
    demo = shown.tour_of and DemoStage(
        matches,
        partial(_watch_demo, settings, page),
        stage.change,
        partial(_let_move, watcher, free_stage),
        lambda: match.session,
        shown.tour_of,
    )
    membership = membership_of(settings, page)
    kept, to_teach = TaughtGames(settings.data), partial(find_table_to_teach, settings.data, opening.game)
    referee = _referee(settings, matches.store, membership, match)
    page = replace(
        with_referee(page, referee),
        archive=matches,
        matches=MatchMenu(matches, stage.change),
        desk=desk,
        strip=lights,
        light=chooser,
        teaching=Teacher(kept, to_teach, SideProcess()),
        reports=MisreadPictures(KeptReports(settings.data), page.now_s),
        box=BoxTeacher(kept, to_teach, SideProcess(PHOTO_LIMIT_S)),
        demo=demo or None,
    )
    front = front_of(settings, page.door, create_app(page))

    # The port is ours. Open the camera and start everything.
    if shown.is_safe:
        problems.report("safe", SafeMode())
    if free is not None:
        page.readers.read_free(free)
    source = opening.source
    if source is not None and free is not None:
        watcher.open(_free_watch(source, free))
    elif source is not None:
        watcher.open(_cells(settings, source, opening.watched, page))
    if session is not None:
        stage.show(session)
    if membership is not None:
        membership.start(referee, matches.store.frozen_parts)
    front.start()
    lights.start()
    watcher.start()
    tuio = _tuio(settings, page)
    remedies, disk = _remedies(settings, page, lights), DiskCheck(settings.data, problems)
    disk.start()
    exports = EveningExport(matches.store, settings.data)
    exports.start()
    return OpenTable(page, front, lights, matches, remedies, disk, desk, membership, exports, tuio)


def _follow(hands: SimulatedHands, free_stage: FreeStage, session: Session) -> Callable[[], None]:
    """Let the simulated table follow a match, with or without a grid. Return a function that stops this."""
    return free_stage.follow(session) or hands.follow(session)


def _cells(settings: Settings, source: SourceName, game: ReadableGame, page: Parts) -> OpenWatch:
    return lambda: open_table_with_cells(settings, source, game, page)


def _free_pictures(settings: Settings, game: FreeGame, *, is_kept: bool) -> FreeTablePictures:
    """Return the pictures of a table without a grid. Drawn terrain is saved with the set-up."""
    pictures = FreeTablePictures(game, first_free_rules())
    if is_kept:
        pictures.keep_ground = partial(keep_ground, Profiles(settings.data), game.name)
    return pictures


def _free_watch(source: SourceName, pictures: FreeTablePictures) -> OpenWatch:
    return lambda: (source_of(source, pictures.game), pictures)


def _use_free(page: Parts, pictures: FreeTablePictures, free_stage: FreeStage, source: str) -> None:
    """Switch to reading a table without a grid, by the rules of the current match.

    Raises:
        CannotDo: the current watch does not end.
    """
    page.watcher.let_go()
    free_stage.own = pictures
    page.readers.read_free(pictures)
    session = page.match.session
    rules = None if session is None else session.timeline.game.rules
    if isinstance(rules, FreeRules):
        pictures.rules = rules
    page.watcher.open(None if source == PHOTOS else _free_watch(source_name(source), pictures))
    page.watcher.start()


def _use_game(page: Parts, game: ReadableGame, open_watch: OpenWatch | None) -> None:
    """Switch to reading pictures of another game, and to watching its table.

    Raises:
        CannotDo: the current watch does not end.
    """
    page.watcher.let_go()
    page.readers.read_by(GameReader(game, page.last_tiles))
    page.watcher.open(open_watch)
    page.watcher.start()


def _watch_demo(settings: Settings, page: Parts, demo: DemoTable) -> None:
    """Start watching the table of a game's demo. One without a grid is watched with its match."""
    game = sample_game(demo, is_still=True)
    _use_game(page, game, None if demo.seed is None else _cells(settings, source_name(VIRTUAL), game, page))


def _let_move(watcher: Watcher, free_stage: FreeStage) -> None:
    """Let the hands start moving the demo's figures."""
    free_stage.let_move()
    _ask_simulation(watcher, LetMove, LetMove(time.monotonic() - AT_ONCE_S))


def _ask_simulation(watcher: Watcher, about: object, wish: object) -> None:
    """Send the simulated camera a request, if one watches a table with cells."""
    source = watcher.source
    if watcher.believed is not None and isinstance(source, CapturedSource) and source.name == VIRTUAL:
        source.ask(about, wish)


def _tuio(settings: Settings, page: Parts) -> TuioTeller | None:
    """Start sending the figures' places to a program, if one is named in the settings."""
    if not settings.tuio:
        return None
    teller = TuioTeller(tuio_address(settings.tuio), partial(_standing, page))
    teller.start()
    return teller


def _standing(page: Parts) -> ToldTable | None:
    """Return the figures' places in the camera's newest picture, with cells or without a grid."""
    if (free := page.readers.free) is not None:
        seen = free.latest
        return None if seen is None or seen.source != "live" else standing_freely(seen, free.game.roster)
    shot = page.shelf.latest_live()
    return None if shot is None else standing_on_cells(shot)


def _referee(settings: Settings, store: Store, membership: Membership | None, match: ShownMatch) -> Referee:
    """Build the judging of this table. In a tournament its calls also go to the desk.

    Raises:
        StoreError: the calls cannot be read, or the table's key cannot be created.
        DocumentError: the stored calls were altered.
    """
    key = TableKey(settings.data)
    if membership is None:
        return Referee(CallBook(store, table_name(settings.data)), key, lambda: match.session)
    book = CallBook(store, membership.join.name, outlet=membership.link)
    book.subscribe(membership.heard)
    return Referee(book, key, lambda: match.session, membership)


def _remedies(settings: Settings, page: Parts, lights: StripOnPage) -> RecoveryActions:
    """Provide the actions behind the buttons of the page's problems."""
    remedies, watcher = RecoveryActions(page.problems), page.watcher
    is_watched = watcher.opened_by is not None
    remedies.offer_watching(watcher.again, is_watched=is_watched, is_recorded=bool(settings.record))
    remedies.offer_strip(lights.search_now, is_expected=lights.port != AUTO)
    return remedies


def _desk(settings: Settings, page: Parts, free_stage: FreeStage) -> SetUpWizard:
    """Build the set-up wizard, through which the page can switch to another table."""

    def use(game: ReadableGame | FreeGame, source: str) -> None:
        free_stage.leave()
        if isinstance(game, FreeGame):
            _use_free(page, _free_pictures(settings, game, is_kept=True), free_stage, source)
            return
        free_stage.own = None
        page.readers.read_free(None)
        _use_game(page, game, None if source == PHOTOS else _cells(settings, source_name(source), game, page))

    return SetUpWizard(settings.data, sample_game(), use, page.watcher.let_go)


def strip_of(settings: Settings, port: str, on_button: OnButton) -> TrackerStrip:
    """Build the strip of the settings at a port, without starting it.

    Raises:
        BadValue: a setting of the strip is out of range, or the port is invalid.
    """
    light = LightSettings(
        pixel_count=settings.pixels,
        brightness=settings.brightness,
        limit_ma=settings.limit_ma,
        palette=settings.palette,
    )
    return open_strip(port, light, kind=settings.kind, on_button=on_button)


def _shared_parts(settings: Settings, opening: Opening) -> Parts:
    """Build the parts of the page that exist before its camera, its light and its match."""
    hub = EventHub(boot=secrets.token_hex(4), max_streams=STREAMS_A_DEVICE * settings.devices)
    devices = device_list(settings)
    last_tiles = LastTiles(settings.data / "last-tiles.json")
    page = new_parts(GameReader(opening.game, last_tiles), hub, devices, last_tiles=last_tiles)
    problems = page.problems
    devices.kept.tell = lambda problem: problems.clear("disk") if problem is None else problems.report("disk", problem)
    return page
