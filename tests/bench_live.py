"""How quick and how costly the watching of a table is: ``python tests/bench_live.py OUT [--minutes M]``.

The simulated camera runs in its own process at 1080p and 30 frames a second, as a real one would; what is timed is the
program that watches. Measured are the time from the first frame without a hand to the event on the stream, the
processor time on a still table, the growth of memory, and the cost of the loop against bare decoding of the same
frames. On a busy machine the times say nothing; the shares of processor time still do.
"""

from __future__ import annotations

import itertools
import json
import os
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np

from assistant.settings import Settings
from assistant.table.board import Board
from assistant.wiring.game_files import Game
from assistant.wiring.live import LOOK_EVERY_S, TableWatch
from assistant.wiring.marker_watch import MarkerWatch
from assistant.wiring.reader import GameReader
from assistant.wiring.simulated import sample_game
from assistant.wiring.table_memory import TableMemory
from assistant.wiring.watching import watch_of
from calibration.watching import Watcher
from vision.live.frames import Frame
from vision.live.incremental import LiveReader
from vision.reading import TableReader
from vision.simulation.reaches import endless_moves
from vision.simulation.sample import sample_scene
from vision.simulation.scene import Scene
from vision.simulation.virtual_camera import VirtualCamera
from vision.sources.captured import CapturedSource
from vision.sources.capturing import Order
from vision.sources.names import SourceName
from vision.sources.opening import PAINTING
from vision.sources.virtual import VirtualTable
from web.attempts import AttemptLog
from web.devices import DeviceList
from web.events import EventHub
from web.roles import Role
from web.rulebook import RuleBook
from web.state import PageState

SIZE_WH, FRAMES_PER_S = (1920, 1080), 30.0
REACH_EVERY_S = 8.0
SETTLE_S = 180.0
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


def page(game: Game) -> PageState:
    devices = DeviceList(Role.PLAYER, AttemptLog(), time.time)
    return PageState(GameReader(game), RuleBook(), EventHub(boot="b", max_streams=2), devices, has_live=True)


def memory_mb() -> float:
    """What this process holds in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE_BYTES / 2**20


@dataclass
class Running:
    """A table that is watched, by the program's own thread, through a camera in a process of its own."""

    watch: TableWatch
    begun_s: float

    @classmethod
    def over(cls, moves_every_s: float) -> Running:
        begun_s = time.monotonic() + 60.0  # painted by then, so that no move is missed
        table = VirtualTable(SIZE_WH, FRAMES_PER_S, moves_every_s, begun_s)
        game = sample_game()
        name = SourceName("virtual")
        watch = watch_of(Settings(), name, game, page(game))
        watch.source = CapturedSource(Order(name, table=table, patience=PAINTING))
        watch.start()
        return cls(watch, begun_s)

    def settle(self) -> None:
        until_s = time.monotonic() + SETTLE_S
        while self.watch.state.holding != "now":
            if time.monotonic() > until_s:
                raise click.ClickException(f"the table did not settle within {SETTLE_S:.0f} s")
            time.sleep(0.1)

    def close(self) -> None:
        self.watch.stop(10.0)


def placed(board: Board) -> frozenset[tuple[str, tuple[tuple[int, int], ...]]]:
    """Which kinds stand where, apart from a shift of the lattice."""
    left, top = min(c for c, _ in board.cells), min(r for _, r in board.cells)
    return frozenset((f.kind, tuple(sorted((c - left, r - top) for c, r in f.cells))) for f in board.figures)


def reaches(scene: Scene) -> Iterator[tuple[float, Scene]]:
    """When each reach of the simulated players is over, in seconds after the beginning, and the table after it."""
    now = scene
    moves = endless_moves(scene, scene.seed, every_s=REACH_EVERY_S)
    for move in moves:
        now = move.done_on(now)
        if not move.hand_stays:
            yield move.end_s, now


@dataclass
class Latency:
    """From the first frame without a hand to the event on the stream."""

    taken_ms: list[float] = field(default_factory=list)
    missed: int = 0

    def report(self) -> dict[str, float]:
        share = statistics.quantiles(self.taken_ms, n=20)[-1] if len(self.taken_ms) > 1 else float("nan")
        median = statistics.median(self.taken_ms) if self.taken_ms else float("nan")
        return {"moves": len(self.taken_ms), "missed": self.missed, "median_ms": median, "p95_ms": share}


def latency(minutes: float) -> tuple[dict[str, float], list[float]]:
    """The latencies of the moves of so many minutes, and the memory after each."""
    running = Running.over(REACH_EVERY_S)
    found, memory = Latency(), []
    try:
        hub, seq = running.watch.state.hub, 0
        before = placed(sample_scene().board)
        for end_s, scene in reaches(sample_scene()):
            over_s = running.begun_s + end_s
            if end_s > 60 * minutes:
                break
            expected = placed(scene.board)
            is_new, before = expected != before, expected
            arrived_s = None
            while arrived_s is None and time.monotonic() < over_s + 5.0:
                for event in hub.events_after(seq, 0.05) or []:
                    seq = event.seq
                    board = running.watch.memory.board
                    if board is not None and event.kind == "live" and placed(board) == expected:
                        arrived_s = arrived_s or time.monotonic()
            if is_new and arrived_s is not None:
                found.taken_ms.append(max(0.0, arrived_s - over_s) * 1000)
            found.missed += is_new and arrived_s is None
            memory.append(memory_mb())
    finally:
        running.close()
    return found.report(), memory


def still(seconds: float) -> dict[str, float]:
    """The processor time on a still table, as a share of one core; the camera's own process is not counted."""
    running = Running.over(0.0)
    try:
        running.settle()
        time.sleep(2.0)
        frames, processor_s, begun_s = running.watch.source.sequence, time.process_time(), time.monotonic()
        time.sleep(seconds)
        wall_s = time.monotonic() - begun_s
        share = (time.process_time() - processor_s) / wall_s
        return {"core_share": share, "frames_per_s": (running.watch.source.sequence - frames) / wall_s}
    finally:
        running.close()


class Decoding:
    """Frames that come as JPEGs at the camera's pace, every one decoded, the newest handed out at the loop's pace."""

    name = "decoding"

    def __init__(self, jpegs: list[bytes]) -> None:
        self._jpegs = itertools.cycle(jpegs)
        self._now_s = 0.0
        self._due_s = 0.0
        self.decoded = 0

    def next_frame(self, timeout_s: float) -> Frame:
        self._now_s += LOOK_EVERY_S
        while self._due_s <= self._now_s:
            image = decoded(next(self._jpegs))
            self._due_s += 1 / FRAMES_PER_S
            self.decoded += 1
        return Frame(image, self.decoded, self._now_s, self.name)

    def close(self) -> None:
        pass


def decoded(jpeg: bytes) -> np.ndarray:
    return cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)


def ratio(steps: int) -> dict[str, float]:
    """Processor time of decoding and watching a still table over that of decoding alone."""
    clock_s = [0.0]
    camera = VirtualCamera(sample_scene(), lambda: clock_s[0], size_wh=SIZE_WH)
    jpegs = []
    for _ in range(24):
        clock_s[0] += 1 / FRAMES_PER_S
        jpegs.append(cv2.imencode(".jpg", camera.frame(), [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes())
    game, source = sample_game(), Decoding(jpegs)
    reader = TableReader(game.prints, game.roster, game.markers, game.lens)
    watch = TableWatch(
        source,
        LiveReader(reader, game.prints, game.roster),
        TableMemory(game.roster),
        page(game),
        game.setup,
        MarkerWatch(Watcher(game.markers, game.lens)),
    )
    for _ in range(60):
        if watch.step() == "now":
            break
    begun_s, frames = time.process_time(), source.decoded
    for _ in range(steps):
        watch.step()
    watching_s, frames = time.process_time() - begun_s, source.decoded - frames
    begun_s = time.process_time()
    for _, jpeg in zip(range(frames), itertools.cycle(jpegs), strict=False):
        decoded(jpeg)
    decoding_s = time.process_time() - begun_s
    per_frame_ms = 1000 * decoding_s / frames
    core_share = watching_s * FRAMES_PER_S / frames
    return {"ratio": watching_s / decoding_s, "decoding_ms": per_frame_ms, "core_share_with_decoding": core_share}


def growth(memory: list[float]) -> dict[str, float]:
    """The memory in the middle and at the end; what is filled once is filled by the middle."""
    middle = memory[len(memory) // 2 :] or [memory_mb()]
    return {"middle_mb": middle[0], "end_mb": middle[-1], "growth_mb": middle[-1] - middle[0]}


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--minutes", default=5.0, show_default=True, help="How long figures are moved.")
@click.option("--part", type=click.Choice(["ratio", "still", "latency"]), multiple=True, help="Only some of it.")
def main(out: Path, minutes: float, part: tuple[str, ...]) -> None:
    """Time the watching of a table."""
    cv2.setNumThreads(1)
    out.mkdir(parents=True, exist_ok=True)
    wanted = part or ("ratio", "still", "latency")
    figures: dict[str, Any] = {}
    if "ratio" in wanted:
        figures["loop against bare decoding (under 2)"] = ratio(200)
    if "still" in wanted:
        figures["still table (under 0.35 of a core)"] = still(20.0)
    if "latency" in wanted:
        taken, memory = latency(minutes)
        figures["hand gone to event (median under 300 ms, 95 % under 500 ms)"] = taken
        figures[f"memory over {minutes:g} minutes"] = growth(memory)
    for title, found in figures.items():
        click.echo(f"{title}: " + ", ".join(f"{name} {value:.3g}" for name, value in found.items()))
    (out / "live.json").write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
