"""A film played to the program that watches, on a clock that runs by processor time.

What other programs do on the machine does not count: the clock goes on by what the watching itself costs, and by what
it waits for the next frame. As with a camera, a frame that is passed over while another one is judged is lost.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from assistant.app.live.believed_table import BelievedTable
from assistant.app.live.frame_reader import LiveFrameReader, MarkerCheck
from assistant.app.live.game_files import ReadableGame
from assistant.app.live.reader import GameReader
from assistant.table.board import Board
from calibration.watching import DriftWatcher
from tests.live_films import Cells, Film, decoded
from vision.live.frames import Frame
from vision.live.incremental import LiveReader
from vision.reading import TableReader
from vision.simulation.scene import Scene
from vision.sources.supply import Supply, content_mark
from web.parts import Parts, new_parts
from web.people.devices import DeviceList
from web.people.keeping import AttemptLog
from web.serving.events import EventHub
from web.serving.roles import Role

Places = frozenset[tuple[str, Cells]]


class ProcessorClock:
    """A clock that advances with this thread's work and its waits."""

    def __init__(self) -> None:
        self._waited_s = -time.thread_time()

    def __call__(self) -> float:
        return time.thread_time() + self._waited_s

    def wait_until(self, time_s: float) -> None:
        """Let the time pass until then."""
        self._waited_s += max(0.0, time_s - self())

    def set_to(self, time_s: float) -> None:
        """Undo the time that other work has used since then."""
        self._waited_s -= self() - time_s


@dataclass
class FilmSource:
    """A film as a camera of its own process would hand it out: the newest frame wins."""

    film: Film
    clock: ProcessorClock
    passes: int = 1
    name: str = "film"
    is_over: bool = False
    sequence: int = 0
    _supply: Supply = field(default_factory=lambda: Supply(0.0))

    def __post_init__(self) -> None:
        self._stored = self._played()
        self._ahead = next(self._stored, None)

    def _played(self) -> Iterator[tuple[float, bytes]]:
        """Yield the frames of all passes and their times."""
        lasts_s = 2 * self.film.contents.frames[-1].time_s - self.film.contents.frames[-2].time_s
        for number in range(self.passes):
            yield from ((number * lasts_s + shown.time_s, jpeg) for shown, jpeg in self.film.jpegs())

    def next_frame(self, timeout_s: float) -> Frame | None:
        """Return the newest due frame, waiting for one if needed. Decoding it is the capturing process's work."""
        begun_s = self.clock()
        if self._ahead is None:
            self.is_over = True
            return None
        newest = self._ahead
        while self._ahead is not None and self._ahead[0] <= begun_s:
            newest, self._ahead = self._ahead, next(self._stored, None)
        if newest is self._ahead:
            self._ahead = next(self._stored, None)
        image = decoded(newest[1])
        self.clock.set_to(begun_s)
        self.clock.wait_until(newest[0])
        self._supply = self._supply.after(content_mark(image), newest[0])
        self.sequence += 1
        return Frame(image.copy(), self.sequence, newest[0], self.name)

    def close(self) -> None:
        """Nothing is held."""


@dataclass(frozen=True)
class Told:
    """An event on the stream: its time of publication, and the belief then."""

    time_s: float
    places: Places


class TimedHub(EventHub):
    """A stream of events that remembers each table and its time."""

    def __init__(self, clock_s: Callable[[], float]) -> None:
        super().__init__(boot="b", max_streams=2)
        self.clock_s = clock_s
        self.table: BelievedTable | None = None
        self.told: list[Told] = []

    def publish(self, kind: str, body: Mapping[str, Any]) -> int:
        number = super().publish(kind, body)
        board = None if self.table is None else self.table.board
        if kind == "live" and board is not None:
            self.told.append(Told(self.clock_s(), places_of(board)))
        return number


def page(game: ReadableGame, hub: EventHub | None = None) -> Parts:
    devices = DeviceList(Role.PLAYER, AttemptLog(), time.time)
    hub = hub or EventHub(boot="b", max_streams=2)
    return new_parts(GameReader(game), hub, devices)


def watch_over(source: Any, game: ReadableGame, state: Parts) -> BelievedTable:
    """Return the table of the page, watched through any source, but for the thread."""
    reader = LiveReader(TableReader(game.prints, game.roster, game.markers, game.lens), game.prints, game.roster)
    frames = LiveFrameReader(reader, state.readers.turns, MarkerCheck(DriftWatcher(game.markers, game.lens)))
    table = BelievedTable(frames, game.setup, state.shown)
    state.watcher.open(lambda: (source, table))
    return table


@dataclass
class Playing:
    """A film that is watched."""

    page: Parts
    table: BelievedTable
    source: FilmSource
    clock: ProcessorClock
    hub: TimedHub

    @classmethod
    def of(cls, film: Film, game: ReadableGame, passes: int = 1) -> Playing:
        clock = ProcessorClock()
        hub, source = TimedHub(clock), FilmSource(film, clock, passes)
        state = page(game, hub)
        hub.table = watch_over(source, game, state)
        return cls(state, hub.table, source, clock, hub)

    def steps(self) -> Iterator[tuple[float, str]]:
        """Yield steps at the pace of the program's own loop: each one's start, and the state then."""
        while not self.source.is_over:
            begun_s = self.clock()
            self.page.watcher.step()
            yield begun_s, self.page.shown.holding
            self.clock.wait_until(begun_s + self.table.pace_s)


def places_of(board: Board) -> Places:
    """Return the kinds in their places, up to a shift of the lattice."""
    left, top = min(c for c, _ in board.cells), min(r for _, r in board.cells)
    return frozenset((f.kind, tuple(sorted((c - left, r - top) for c, r in f.cells))) for f in board.figures)


def places_in(scene: Scene, table: dict[str, Cells]) -> Places:
    """Return the same for a film of that scene."""
    left, top = min(c for c, _ in scene.cells), min(r for _, r in scene.cells)
    kinds = {figure.id: figure.kind for figure in scene.roster.figures}
    shifted = ((kinds[name], tuple(sorted((c - left, r - top) for c, r in cells))) for name, cells in table.items())
    return frozenset(shifted)


@dataclass(frozen=True)
class Reach:
    """A reach of a film that changed the table: the time when the hand left the board, and the figures then."""

    free_s: float
    places: Places


def reaches_of(film: Film, scene: Scene) -> list[Reach]:
    """Return the reaches of a film that left the table otherwise than they found it."""
    contents, found = film.contents, []
    before, free_s = contents.frames[0].table, 0.0
    for shown in contents.frames:
        if shown.is_reached:
            free_s = 0.0
        elif not free_s:
            free_s = shown.time_s
        if not shown.is_busy:  # till then the hand may only have gone to fetch the next figure
            if contents.tables[shown.table] != contents.tables[before]:
                found.append(Reach(free_s, places_in(scene, contents.tables[shown.table])))
            before = shown.table
    return found


def latencies_ms(told: list[Told], reaches: list[Reach]) -> list[float]:
    """Return each reach's delay from the hand's leaving to the right table; 0 for earlier, infinite for never."""
    found = []
    for reach, after in zip(reaches, [*reaches[1:], None], strict=True):
        until_s = float("inf") if after is None else after.free_s
        begun_s = reach.free_s - 2.0
        when = [t.time_s for t in told if begun_s < t.time_s < until_s and t.places == reach.places]
        found.append(max(0.0, when[0] - reach.free_s) * 1000 if when else float("inf"))
    return found


def summary(taken_ms: list[float]) -> dict[str, float]:
    """Return the median and the 95 % of latencies."""
    told = [each for each in taken_ms if each != float("inf")]
    share = statistics.quantiles(told, n=20)[-1] if len(told) > 1 else float("nan")
    median = statistics.median(told) if told else float("nan")
    return {"moves": len(taken_ms), "missed": len(taken_ms) - len(told), "median_ms": median, "p95_ms": share}
