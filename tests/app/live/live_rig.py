"""A watched table without waiting: the simulated camera on a manual clock, with the real reader behind it."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assistant.app.live.believed_table import BelievedTable
from assistant.app.live.frame_reader import LiveFrameReader, MarkerCheck
from assistant.app.live.game_files import ReadableGame
from assistant.app.live.live_picture import Holding
from assistant.app.live.reader import GameReader
from assistant.app.live.recorder import Recorder
from assistant.errors import PicturesStopped
from assistant.table.board import Board
from assistant.table.lattice import Cell
from assistant.table.observation import LatticePose
from calibration.watching import DriftWatcher
from vision.live.frames import Frame, FrameSource
from vision.live.incremental import LiveReader
from vision.reading import TableReader
from vision.simulation.moves import ScriptedMove
from vision.simulation.scene import Scene, on_table
from vision.simulation.virtual_camera import VirtualCamera
from vision.sources.supply import Supply, SupplyState, content_mark
from web.parts import Parts, new_parts
from web.people.devices import DeviceList
from web.people.keeping import AttemptLog
from web.serving.events import EventHub
from web.serving.roles import Role

SIZE_WH = (960, 540)
FRAMES_PER_S = 5.0

Places = frozenset[tuple[str, tuple[Cell, ...]]]


class Clock:
    """A clock in seconds that advances only when a test says so."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def lone_moves(scene: Scene, *, seed: int, first_s: float = 4.0, every_s: float = 9.0) -> Iterator[ScriptedMove]:
    """Reaches that each put one small figure on a free cell, for ever."""
    rng = np.random.default_rng(seed)
    now = scene
    for number in itertools.count():
        walkers = [placed for placed in now.figures if len(placed.cells) == 1]
        free = sorted(now.cells.difference(*(placed.cells for placed in now.figures)))
        chosen, cell = walkers[int(rng.integers(len(walkers)))], free[int(rng.integers(len(free)))]
        move = ScriptedMove(chosen.figure.id, (cell,), first_s + number * every_s, duration_s=2.4)
        yield move
        now = move.done_on(now)


@dataclass
class SteppedSource:
    """The simulated camera a frame at a time, its supply judged as that of a real one."""

    camera: VirtualCamera
    clock: Clock
    step_s: float = 1 / FRAMES_PER_S
    name: str = "virtual"
    sequence: int = 0
    supply: Supply = field(default_factory=lambda: Supply(0.0))

    def next_frame(self, timeout_s: float) -> Frame | None:
        self.clock.now_s += self.step_s
        image = self.camera.frame()
        before = self.supply
        self.supply = before.after(content_mark(image), self.clock.now_s)
        if self.supply is before:
            if self.supply.at(self.clock.now_s) is not SupplyState.FRESH:
                raise PicturesStopped
            return None
        self.sequence += 1
        return Frame(image, self.sequence, self.clock.now_s, self.name)

    def close(self) -> None:
        pass


@dataclass
class Watch:
    """A watcher without its thread, and the page that it shows the table on."""

    page: Parts

    @property
    def table(self) -> BelievedTable:
        table = self.page.watcher.believed
        assert table is not None
        return table

    @property
    def source(self) -> Any:
        return self.page.watcher.source

    def step(self) -> Holding:
        """Take one frame; return how the shown table then compares to the real one."""
        self.page.watcher.step()
        return self.page.shown.holding


def page(game: ReadableGame) -> Parts:
    devices = DeviceList(Role.PLAYER, AttemptLog(), time.time)
    return new_parts(GameReader(game), EventHub(boot="b", max_streams=2), devices)


def watch_over(source: FrameSource, game: ReadableGame, clock: Clock, recorder: Recorder | None = None) -> Watch:
    """Return the real watching of a table, but for the thread."""
    reader = LiveReader(TableReader(game.prints, game.roster, game.markers, game.lens), game.prints, game.roster)
    markers = MarkerCheck(DriftWatcher(game.markers, game.lens))
    return put_together(source, reader, game, markers, recorder, now_s=clock)


def put_together(
    source: FrameSource,
    reader: Any,
    game: ReadableGame,
    markers: MarkerCheck | None = None,
    recorder: Recorder | None = None,
    now_s: Callable[[], float] = time.time,
) -> Watch:
    """Return the watching of a table on a page of its own, through any reader."""
    state = page(game)
    state.shown.now_s = now_s
    frames = LiveFrameReader(reader, state.readers.turns, markers)
    table = BelievedTable(frames, game.setup, state.shown, recorder or Recorder())
    state.watcher.open(lambda: (source, table))
    return Watch(state)


@dataclass
class Rig:
    """A simulated table, its camera, and the program that watches it."""

    scene: Scene
    camera: VirtualCamera
    clock: Clock
    watch: Watch

    @classmethod
    def of(cls, scene: Scene, game: ReadableGame, *, moves: Iterator[ScriptedMove] | None = None, recorder=None) -> Rig:
        clock = Clock()
        camera = VirtualCamera(scene, clock, moves=moves, size_wh=SIZE_WH)
        return cls(scene, camera, clock, watch_over(SteppedSource(camera, clock), game, clock, recorder))

    def run(self, seconds: float) -> Iterator[Holding]:
        """Step for that many seconds; yield the state after each step."""
        until_s = self.clock.now_s + seconds
        while self.clock.now_s < until_s:
            yield self.watch.step()

    def settle(self, within_s: float = 10.0) -> float:
        """Step until the shown table agrees with the real one; return the time it took."""
        begun_s = self.clock.now_s
        for holding in self.run(within_s):
            if holding == "now" and self.is_right():
                return self.clock.now_s - begun_s
        raise AssertionError(
            f"still {self.watch.page.shown.holding} after {within_s} s; wrong: {self.seen() ^ self.true()}; "
            f"problems: {[str(problem.error) for problem in self.watch.page.problems.problems]}"
        )

    def is_right(self) -> bool:
        return self.seen() == self.true()

    def seen(self) -> Places:
        """Return the figures that are believed to stand, by kind, in the scene's own lattice."""
        board = self.watch.table.board
        return places(board) if board is not None else frozenset()

    def true(self) -> Places:
        """Return the figures that stand, by kind, under the names of the watched lattice."""
        return self._renamed(places(self.camera.standing.board))

    def _renamed(self, standing: Places) -> Places:
        reference = self.watch.table.reference_grid
        if reference is None:
            return standing
        return frozenset(
            (kind, tuple(sorted(in_lattice(reference, self.scene.grid, cell) for cell in cells)))
            for kind, cells in standing
        )


def places(board: Board) -> Places:
    return frozenset((figure.kind, tuple(sorted(figure.cells))) for figure in board.figures)


def in_lattice(grid: LatticePose, scene_grid: LatticePose, cell: Cell) -> Cell:
    """Return a cell of the scene's lattice as another lattice on the same table calls it."""
    x, y = on_table(scene_grid, np.array([[cell[0] + 0.5, cell[1] + 0.5]]))[0] - np.array(grid.origin_mm)
    turn = np.radians(grid.angle_deg)
    column = (np.cos(turn) * x + np.sin(turn) * y) / grid.cell_mm
    row = (np.cos(turn) * y - np.sin(turn) * x) / grid.cell_mm
    return int(np.floor(column)), int(np.floor(row))
