"""A real Chromium on the real program; tests skip with a reason without one."""

from __future__ import annotations

import base64
import importlib.util
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from flask import Flask
from page_texts import wrong_on
from page_waits import COUNTS_QUESTIONS, STILL, choose_file
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from assistant.app.live.shots import ReadPicture, SetUp
from assistant.app.matches.archive import KeptMatches, load_shipped_mission
from assistant.app.matches.choice import MatchShow
from assistant.app.matches.match_menu import MatchMenu
from assistant.documents import board_document
from assistant.errors import PhotoUnreadable
from assistant.match.session import Session
from assistant.table.board import Board
from assistant.table.roster import DoorSpec, Roster
from assistant.table.tiles import TileSet
from assistant.translations.messages import said
from web.app import create_app
from web.parts import Parts, new_parts
from web.people.devices import DeviceList
from web.people.door import PARTS
from web.people.keeping import AttemptLog
from web.serving.events import EventHub
from web.serving.roles import Role
from web.serving.server import PageServer

ROOT = Path(__file__).parents[2]
SCENES = ROOT / "tests" / "data" / "scenes"
PAGE_BUILDERS = ROOT / "tests" / "web" / "page_builders.py"
SCREENSHOTS = ROOT / "out" / "screenshots"
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The one without a window first: the others draw a frame around every page, at thrice the processor time."""
CHROMIUM = next((found for found in map(shutil.which, BROWSERS) if found), None)
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-fake-device-for-media-stream",  # a camera that shows a test picture, as a phone's
    "--use-fake-ui-for-media-stream",
)
SIZES = {"tablet": (1280, 800), "phone": (390, 844)}
PHONE_PX = 600
"""Screens narrower than this are phones'."""
PATIENCE_MS = 20_000
NO_WORDS = re.compile(r"^(null|undefined|NaN)$|\[object |\bundefined\b|\bNaN\b")
"""Output of a script without content."""
"""Limit for expected changes, which take less than a second; a busy machine is no failure."""

expect.set_options(timeout=PATIENCE_MS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test in the browser that fails is tried once more.

    Of a thousand real pages beside two other workers one comes late, and no change should be refused for it. What held
    only the second time is named as RERUN at the end: a finding as a failure is, to be brought about and mended.
    """
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker(pytest.mark.flaky(reruns=1))


@dataclass
class Running:
    """The program as a user starts it."""

    process: subprocess.Popen[str]
    address: str
    owner_link: str
    folder: Path

    def new_owner_link(self) -> str:
        """Return a new owner's link from ``sightline owner``: the first one works once, and a test may be retried."""
        program = [sys.executable, "-c", "from assistant.cli import main; main()", "owner", "--data", str(self.folder)]
        told = subprocess.run(program, capture_output=True, text=True, check=True)
        return re.search(r"http\S+", told.stdout + told.stderr).group()  # type: ignore[union-attr]


@pytest.fixture(scope="session")
def launch() -> Iterator[Callable[..., Browser]]:
    """Starts a browser, with further arguments of its command line."""
    if CHROMIUM is None:
        pytest.skip("there is no Chromium here; install the package chromium")
    with sync_playwright() as playwright:
        yield lambda *more: playwright.chromium.launch(executable_path=CHROMIUM, args=[*ARGUMENTS, *more])


@pytest.fixture(scope="session")
def browser(launch: Callable[..., Browser]) -> Iterator[Browser]:
    started = launch()
    yield started
    started.close()


SEEDED = "import assistant.app.matches.archive as kept; kept.new_seed = lambda: 'a'; "
"""Put before the program, it gives the same dice and shuffles to every match that is begun."""

CALM = f"import runpy; runpy.run_path({str(Path(__file__).with_name('calm_camera.py'))!r}); "
"""Put before the program, its simulated camera takes fewer pictures a second, and the machine has time for the test."""

HANDS = f"import runpy; runpy.run_path({str(Path(__file__).with_name('table_hands.py'))!r}); "
"""Put before the program, it lets a hand reach into the simulated table when the signal USR1 comes."""


def begin(folder: Path, *arguments: str, before: str = "") -> Running:
    """Start the program on a free port and read its address; its simulated camera is slow."""
    program = [sys.executable, "-c", CALM + before + "from assistant.cli import main; main()"]
    place = ["--port", "0", "--host", "127.0.0.1", "--data", str(folder)]
    command = [*program, *arguments, *place]
    # A separate session, so that pausing it affects nobody else.
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, start_new_session=True)
    assert process.stdout is not None
    assert process.stderr is not None
    address = process.stdout.readline().strip()
    if not address:
        pytest.fail(f"the program ended at once: {process.stderr.read()}")
    owner = re.search(r"http\S+", process.stderr.readline())
    return Running(process, address, owner.group() if owner else "", folder)


def end(running: Running) -> int:
    """Stop the program as a service manager does; return its exit status."""
    running.process.send_signal(signal.SIGTERM)
    status = running.process.wait(timeout=30)
    for stream in (running.process.stdout, running.process.stderr):
        if stream is not None:
            stream.close()
    return status


def owner_of(running: Running, browser: Browser) -> dict[str, Any]:
    """Return the cookies of the owner's device at a running program, for a page's ``storage_state``."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(running.owner_link)
    page.wait_for_selector('body[data-role="owner"]', timeout=280_000)  # it reads its models first
    cookies: dict[str, Any] = dict(context.storage_state())
    context.close()
    return cookies


@pytest.fixture(scope="session")
def programs() -> SimpleNamespace:
    """Start and stop programs for tests that need their own, and join as their owner."""
    return SimpleNamespace(begin=begin, end=end, owner_of=owner_of)


@pytest.fixture(scope="session")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """The program set up for the development scene easy-03, without a camera."""
    scene = SCENES / "dev" / "easy-03"
    options = {"table": "table", "lens": "camera", "roster": "roster"}
    documents = [f"--{option}={scene / name}.json" for option, name in options.items()]
    running = begin(
        tmp_path_factory.mktemp("run"), "run", *documents, f"--tiles={SCENES / 'tiles-dev'}", "--strip=virtual"
    )
    yield running
    assert end(running) == 0


@pytest.fixture(scope="session")
def shot_link(photos: Running, browser: Browser) -> str:
    """The link to the scene's photo, handed in once; reading it takes seconds."""
    context = browser.new_context()
    photo = (SCENES / "dev" / "easy-03" / "photo.jpg").read_bytes()
    headers = {"X-Sightline": "1", "Content-Type": "image/jpeg"}
    answer = context.request.post(f"{photos.address}/api/v1/shots", data=photo, headers=headers, timeout=150_000)
    shot = answer.json()["shot"]
    context.close()
    return f"{photos.address}/#shot={shot}"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """The demo on its simulated table; it watches all the time, so it ends with the tests that need it."""
    running = begin(tmp_path_factory.mktemp("demo"), "demo", "--no-tour")
    yield running
    assert end(running) == 0


@pytest.fixture(scope="module")
def set_up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Running, Path]]:
    """The program at the beginning of its set-up, and its data folder."""
    folder = tmp_path_factory.mktemp("setup")
    running = begin(folder, "setup", "--no-browser", "--strip=virtual")
    yield running, folder
    assert end(running) == 0


def told_by(line: ConsoleMessage) -> str:
    """Return a line of a page's console, with the file that it is about."""
    return f"{line.text} {line.location.get('url', '')}".strip()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens an address on a device of its own; a script error or a refused file fails the test.

    Its worker, which keeps the page's frame, is left out as on every tablet that came by plain HTTP; a test of what is
    kept asks for it by ``service_workers="allow"``.

    What a test brings about itself it names in ``expected``, by some of its words: such a line may come late.
    """
    contexts: list[Any] = []
    faults: list[str] = []
    expected: list[str] = []

    def open_on(address: str, size: str | tuple[int, int] = "tablet", **more: Any) -> Page:
        width, height = SIZES[size] if isinstance(size, str) else size
        more = {"service_workers": "block", **more}
        context = browser.new_context(
            viewport={"width": width, "height": height}, has_touch=True, is_mobile=width < PHONE_PX, **more
        )
        contexts.append(context)
        context.add_init_script(COUNTS_QUESTIONS)
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.on("pageerror", lambda problem: faults.append(f"{problem} {problem.stack}"))
        page.on("console", lambda line: faults.append(told_by(line)) if line.type == "error" else None)
        page.goto(address)
        return page

    open_on.expected = expected  # type: ignore[attr-defined]
    yield open_on
    for context in contexts:
        context.close()
    assert [fault for fault in faults if not any(words in fault for words in expected)] == []


@dataclass
class Desk:
    """A page over a scene with a known truth, served in this process, and as fast as the page itself."""

    state: Any
    server: PageServer
    build: ModuleType

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server.port}"

    @property
    def photo_link(self) -> str:
        """The link to the scene's photo."""
        return f"{self.address}/#shot=photo-easy-03"

    def show_live(self, number: int = 0) -> None:
        """Let the camera show the scene now."""
        shot = self.build.live_copy(self.build.true_shot("easy-03"), f"live-{number}")
        self.state.shown.show(replace(shot, taken_at_s=self.state.now_s()))


def loaded(path: Path) -> ModuleType:
    """Return a module beside the tests, which are no package; loaded once."""
    name = f"sightline_tests_{path.stem}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


@pytest.fixture(scope="session")
def script() -> ModuleType:
    """The scripted set-up of ``set_up_script.py``."""
    return loaded(Path(__file__).with_name("set_up_script.py"))


@pytest.fixture(scope="session")
def desk_app() -> Flask:
    """An application of whichever desk it is given: it is made, and its pages are compiled, once."""
    return create_app(loaded(PAGE_BUILDERS).page_state())


@pytest.fixture
def desk(desk_app: Flask) -> Iterator[Desk]:
    """A table with a match, a photo on the shelf and no camera."""
    build = loaded(PAGE_BUILDERS)
    state = build.page_state(boot="desk", max_streams=80)
    state.match.play(build.sample_session())
    state.shelf.put(build.true_shot("easy-03"))
    desk_app.extensions[PARTS] = state
    server = PageServer(desk_app, host="127.0.0.1", port=0, devices=20)
    server.start()
    made = Desk(state, server, build)
    yield made
    made.state.hub.close()
    made.server.stop()


@pytest.fixture(scope="session")
def still() -> Callable[[Page], None]:
    """Waits until nothing on a page moves any more, no longer."""

    def wait(page: Page) -> None:
        page.evaluate(STILL)

    return wait


@pytest.fixture
def picture(still: Callable[[Page], None]) -> Callable[[Page, str], None]:
    """Keeps a screenshot as build output, to be looked at."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)

    def keep(page: Page, name: str) -> None:
        still(page)
        seen = page.locator("body").inner_text().split("\n")
        assert not [line for line in seen if NO_WORDS.search(line)], "a value without words stands on the page"
        session = page.context.new_cdp_session(page)
        # A file that is larger and takes a fifth of the time: hundreds are made.
        taken = session.send("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True})
        session.detach()
        (SCREENSHOTS / f"{name}.png").write_bytes(base64.b64decode(taken["data"]))

    return keep


@pytest.fixture
def scripted_set_up(desk: Desk, open_page: Any, script: ModuleType) -> Any:
    """Opens the set-up as its owner, in the step that is named."""

    def open_in(step: str, size: str = "tablet", **more: Any) -> tuple[Page, Any]:
        scripted = script.ScriptedDesk(script.set_up_state(step=step))
        desk.build.put(desk.state, desk=scripted)
        page = open_page(f"{desk.address}/setup#join={desk.state.door.devices.invite(Role.OWNER).token}", size, **more)
        page.wait_for_selector(f'[data-step="{step}"]:not([hidden])')
        return page, scripted

    return open_in


@pytest.fixture
def scripted_teaching(desk: Desk, open_page: Any, script: ModuleType) -> Iterator[Any]:
    """The teaching page with a tile on its bench; reading and keeping take as long as `held` is not set."""
    teaching = script.ScriptedTeaching()
    desk.build.put(desk.state, teaching=teaching)
    page = open_page(f"{desk.address}/#join={desk.state.door.devices.invite(Role.OWNER).token}", bypass_csp=True)
    page.wait_for_selector('body[data-role="owner"]')
    page.goto(f"{desk.address}/setup/teach")
    picture = {"name": "tile.jpg", "mimeType": "image/jpeg", "buffer": teaching.photo}
    choose_file(page, "#tile-photo", picture)
    page.wait_for_selector("#workbench:not([hidden])")
    yield SimpleNamespace(page=page, picture=picture, held=teaching.held, kept=teaching.kept)
    teaching.held.set()


@pytest.fixture
def evening(
    tmp_path: Path, open_page: Callable[..., Page], request: pytest.FixtureRequest, violations: Callable[[Page], Any]
) -> Iterator[Callable[[str, str, str], Any]]:
    """Three people at a new match, each with a device: from an empty data folder, over the set-up.

    Called with the mission, with what the second tablet and the phone play, whether axe and two devices in other
    languages look on, and whether the camera is to watch a mission that brings a table of its own. Its dice are the
    same each time.
    """
    person = loaded(Path(__file__).with_name("person.py"))
    running = begin(tmp_path / "data", "setup", "--no-browser", "--strip=virtual", before=SEEDED + HANDS)

    def meet(
        mission: str, tablet_plays: str, phone_plays: str, *, is_looked_over: bool = False, is_watched: bool = False
    ) -> Any:
        owner = person.Person(open_page(running.owner_link), "owner")
        person.set_up_table(owner, "Kitchen")
        person.begin_match(owner, mission, is_watched=is_watched)
        tablet = person.Person(open_page(running.address, bypass_csp=True), "tablet")  # axe is put in as a script
        person.invite(owner, tablet, tablet_plays)
        phone = person.Person(open_page(running.address, "phone", bypass_csp=True), "phone")  # comes late and watches
        person.invite(owner, phone, phone_plays, watches=True)
        met.extend((owner, tablet, phone))
        if not is_looked_over:
            return person.Evening(owner, tablet, phone, reaches_in)
        lookers = {}
        for language, size in (("ru", "phone"), ("es", "tablet")):
            looker = person.Person(open_page(f"{running.address}/?lang={language}", size), language)
            if size == "tablet":
                looker.page.set_viewport_size({"width": 640, "height": 400})  # a tablet at 200 %
            looker.page.locator('[data-view="initiative"]').press("Enter")
            lookers[looker] = partial(wrong_on, language=language)
        return person.Evening(owner, tablet, phone, reaches_in, violations, lookers)

    def reaches_in() -> None:
        running.process.send_signal(signal.SIGUSR1)

    met: list[Any] = []
    yield meet
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    for one in met:
        one.page.screenshot(path=SCREENSHOTS / f"{request.node.name}-{one.name}.png")  # how it ended, or where it stuck
    open_page.expected.append("ERR_")  # type: ignore[attr-defined]  # pages ask on while the program ends
    assert end(running) == 0


@pytest.fixture(scope="session")
def people() -> ModuleType:
    """The module ``person.py``: people's actions on the page."""
    return loaded(Path(__file__).with_name("person.py"))


OTHERWISE = ("everything else",)


def taps_in_readme(game: str) -> dict[tuple[str, ...], int]:
    """Return the taps that the page's README tells of a game, by the kinds of steps of each row."""
    lines = (ROOT / "web" / "README.md").read_text().splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    head = next(place for place, row in enumerate(rows) if row[0] == "taps at most")
    column = rows[head].index(game)
    table = [row for row in rows[head + 2 :] if len(row) == len(rows[head]) and row[column].isdecimal()]
    return {tuple(row[0].split(", ")): int(row[column]) for row in table}


@pytest.fixture
def taps_told() -> Callable[[str, Any], None]:
    """Keeps how many taps each kind of step took at most, and holds them against the table of the page's README."""

    def keep(game: str, evening: Any) -> None:
        rows = [f"| {kind} | {taps} | {evening.done[kind]} |" for kind, taps in sorted(evening.most_taps.items())]
        table = "\n".join([f"| {game} | taps at most | times |", "| --- | --- | --- |", *rows, *evening.refusals])
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        (SCREENSHOTS / f"taps-{game}.md").write_text(table + "\n")
        counted: dict[tuple[str, ...], int] = {}
        told = taps_in_readme(game)
        for kind, taps in evening.most_taps.items():
            row = next((row for row in told if kind in row), OTHERWISE)
            counted[row] = max(counted.get(row, 0), taps)
        assert all(taps <= told[row] for row, taps in counted.items()), f"web/README.md tells fewer taps: {counted}"
        moves = next(row for row in told if "move" in row)
        assert counted[moves] == told[moves], "web/README.md tells more taps than a move takes"

    return keep


WCAG = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")


@pytest.fixture(scope="session")
def violations() -> Callable[[Page], list[tuple[str, list[Any], str]]]:
    """Asks axe about a page: each rule of WCAG 2.2 A and AA that is broken, where, and what is wrong there.

    Only that leaves the browser: all that axe looked at is megabytes, and reading them took longer than the looking.
    """
    axe = Axe().axe_script

    def look(page: Page) -> list[tuple[str, list[Any], str]]:
        if not page.evaluate("'axe' in window"):
            page.evaluate(axe)
        found = page.evaluate(
            """async tags => (await axe.run({runOnly: {type: 'tag', values: tags}, resultTypes: ['violations']}))
            .violations.map(rule => [rule.id, rule.nodes.map(node => node.target), rule.nodes[0].failureSummary])""",
            list(WCAG),
        )
        return [(rule, places, summary) for rule, places, summary in found]

    return look


class NoCamera:
    """A table known from the match alone."""

    setup = SetUp(
        name="none", roster=Roster((), DoorSpec(0, 1, 30.0, 2.0)), tiles=TileSet("none", 25.4, 64, 2.0, ()), sources={}
    )

    def read(self, photo: bytes) -> ReadPicture:
        raise PhotoUnreadable(said("there is no camera here"))


def corridor(width: int, height: int) -> dict[str, Any]:
    cells = frozenset((x, y) for x in range(width) for y in range(height))
    return board_document(Board(cells, {}))


@pytest.fixture
def no_match(tmp_path: Path) -> Iterator[tuple[str, Parts]]:
    """A table without a camera and without a match, served to judges; its address and the page's state."""
    kept = KeptMatches(tmp_path / "data")
    hub = EventHub(boot="test", max_streams=8)
    state = new_parts(NoCamera(), hub, DeviceList(Role.JUDGE, AttemptLog(), time.time))  # type: ignore[arg-type]
    stage = MatchShow(state.match.play, state.match.announce, lambda view: None)
    state = replace(state, archive=kept, matches=MatchMenu(kept, stage.change))
    server = PageServer(create_app(state), host="127.0.0.1", port=0, devices=4)
    server.start()
    yield f"http://127.0.0.1:{server.port}", state
    for close in (hub.close, server.stop, kept.close):
        close()


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Callable[[str], tuple[str, Session]]]:
    """Serves a new match of a shipped mission to judges; its address and the match."""
    opened: list[Callable[[], object]] = []

    def serve(mission: str) -> tuple[str, Session]:
        kept = KeptMatches(tmp_path / "data")
        session = kept.begin("evening", load_shipped_mission(mission), {})
        hub = EventHub(boot="test", max_streams=4)
        devices = DeviceList(Role.JUDGE, AttemptLog(), time.time)
        state = replace(new_parts(NoCamera(), hub, devices), archive=kept)  # type: ignore[arg-type]
        state.match.play(session)
        server = PageServer(create_app(state), host="127.0.0.1", port=0, devices=4)
        server.start()
        opened.extend((hub.close, server.stop, kept.close))
        return f"http://127.0.0.1:{server.port}", session

    yield serve
    for close in opened:
        close()


def free_table(session: Session) -> dict[str, Any]:
    figures = [
        {
            "id": fighter["id"],
            "side": fighter["side"],
            "center_mm": fighter["center_mm"],
            "base_mm": 25,
            "height_mm": 30,
            "elevation_mm": 0,
            "facing_deg": 0,
            "stats": {name: fighter[name] for name in ("mobility", "toughness", "spirit", "combat")},
        }
        for fighter in session.header.setup["fighters"]
    ]
    return {
        "format": "sightline.free-table/1",
        "step_mm": 50,
        "size_mm": [1200, 900],
        "terrain": [],
        "figures": figures,
    }


@pytest.fixture
def tables() -> SimpleNamespace:
    """Tables for matches without a camera: a bare corridor of cells, a free table with the models where they begin."""
    return SimpleNamespace(corridor=corridor, free=free_table)
