"""Measure delay and cost of watching a table: ``python -m tests.bench_live OUT [--part P] [--minutes M]``.

A minute of the simulated table with hands, at 1080p and 30 frames a second, is rendered once and kept in ``OUT/film``;
rendering costs ten times what watching does. It is played in two ways:

- ``pace``: on a clock that advances by the processor time of the watching itself, so that other load on the machine
  makes no difference. It gives the delay on a machine with one core for the watching.
- ``latency``: by the wall clock, from a capturing process as a camera would be, to the program's own thread. On a busy
  machine that says nothing.

Timed is from the first frame in which the hand is off the board to the event that tells the table rightly.
``memory`` plays the film over and over as fast as the reader takes it. ``still`` and ``ratio`` watch a table on which
nothing happens: its share of a core, and its cost against bare decoding.
"""

from __future__ import annotations

import itertools
import json
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import click
import cv2

from assistant.app.live.believed_table import LOOK_EVERY_S
from assistant.app.setup.sample import sample_game
from assistant.settings import Settings
from assistant.wiring.watching import open_table_with_cells
from calibration.arrays import BgrImage
from tests.live_films import Film, Shown, Take, decoded, film_of
from tests.live_pace import Playing, TimedHub, latencies_ms, page, reaches_of, summary, watch_over
from vision.live.frames import Frame
from vision.simulation.reaches import endless_moves
from vision.simulation.sample import sample_scene
from vision.simulation.virtual_camera import VirtualCamera
from vision.sources.captured import CapturedSource
from vision.sources.capturing import CaptureRequest
from vision.sources.names import SourceName
from vision.sources.opening import PAINTING
from vision.sources.virtual import VirtualTable

SIZE_WH, FRAMES_PER_S = (1920, 1080), 30.0
FILM_S = 70
SETTLE_S = 180.0
STARTING_S = 20.0
"""Time that a capturing process may take to start, with the first reading."""

LEAST_GROWTH_FRAMES = 3000
"""Frames after which whatever is filled once is filled."""

STILL_FRAMES, REACH_FRAMES = 24, 100
"""Frames that are shown over and over: of a still table, and of one reach into it."""

PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


def bench_film(out: Path) -> Film:
    """Return the film of the sample table, rendered if it is not there yet."""
    scene = sample_scene()
    moves = endless_moves(scene, scene.seed, first_s=4.0, every_s=6.0)
    times_s = [number / FRAMES_PER_S for number in range(round(FILM_S * FRAMES_PER_S))]
    return film_of(out / "film", Take(scene, moves, times_s, SIZE_WH))


def memory_mb() -> float:
    """Return the memory use of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE_BYTES / 2**20


def pace(film: Film) -> dict[str, float]:
    """Return the latencies on a clock that goes on by processor time."""
    playing = Playing.of(film, sample_game())
    for _ in playing.steps():
        pass
    return summary(latencies_ms(playing.hub.told, reaches_of(film, sample_scene())))


@dataclass(frozen=True)
class FilmOrder(CaptureRequest):
    """The wish for a film to be played by a capturing process, from a moment of the monotonic clock on."""

    film: Film | None = None
    begun_s: float = 0.0

    def opener(self) -> FilmOpener:
        assert self.film is not None
        return FilmOpener(self.film, self.begun_s)


@dataclass
class FilmOpener:
    """Opens a film as if it were a camera."""

    film: Film
    begun_s: float
    identity: str = "film"

    def ask(self, wish: object) -> None:
        """A film does as it does."""

    def open(self) -> FilmDevice:
        return FilmDevice(self.film, self.begun_s)


@dataclass
class FilmDevice:
    """A film that is played: its first frames again and again until it begins, its last ones when it is over."""

    film: Film
    begun_s: float
    _ahead: Iterator[tuple[Shown, bytes]] = field(init=False)

    def __post_init__(self) -> None:
        frames = list(self.film.jpegs())
        waiting = itertools.cycle(frames[: int(FRAMES_PER_S)])
        count = int((self.begun_s - time.monotonic()) * FRAMES_PER_S)
        before = [
            (replace_time(shown, -number / FRAMES_PER_S), jpeg)
            for number, (shown, jpeg) in zip(range(count, 0, -1), waiting, strict=False)
        ]
        self._ahead = itertools.chain(before, frames, self._after(frames[-int(FRAMES_PER_S) :]))

    def read(self) -> BgrImage:
        """Return the next picture, when it is due."""
        shown, jpeg = next(self._ahead)
        time.sleep(max(0.0, self.begun_s + shown.time_s - time.monotonic()))
        return decoded(jpeg)

    def close(self) -> None:
        """Nothing is held."""

    def _after(self, last: list[tuple[Shown, bytes]]) -> Iterator[tuple[Shown, bytes]]:
        end_s = last[-1][0].time_s
        for number, (shown, jpeg) in enumerate(itertools.cycle(last), start=1):
            yield replace_time(shown, end_s + number / FRAMES_PER_S), jpeg


def replace_time(shown: Shown, time_s: float) -> Shown:
    return Shown(time_s, shown.size_bytes, shown.table, shown.is_busy, shown.is_reached)


def latency(film: Film) -> dict[str, float]:
    """Return the latencies by the wall clock, with the film played by a capturing process."""
    game = sample_game()
    hub = TimedHub(time.monotonic)
    begun_s = time.monotonic() + STARTING_S
    source = CapturedSource(FilmOrder(SourceName("virtual"), patience=PAINTING, film=film, begun_s=begun_s))
    state = page(game, hub)
    hub.table = watch_over(source, game, state)
    state.watcher.start()
    try:
        time.sleep(STARTING_S + film.contents.frames[-1].time_s + 2.0)
    finally:
        state.watcher.close(10.0)
    told = [replace(each, time_s=each.time_s - begun_s) for each in hub.told]
    return summary(latencies_ms(told, reaches_of(film, sample_scene())))


def memory(film: Film, minutes: float) -> dict[str, float]:
    """Return the memory while the film plays for ``minutes``, as fast as the reader takes it."""
    passes = max(2, round(60 * minutes / film.contents.frames[-1].time_s))
    playing = Playing.of(film, sample_game(), passes=passes)
    held: list[tuple[int, float]] = []
    for begun_s, _ in playing.steps():
        if not held or begun_s >= 60 * len(held):
            held.append((playing.source.sequence, memory_mb()))
    filled = [mb for frames, mb in held if frames >= LEAST_GROWTH_FRAMES] or [held[-1][1]]
    middle = filled[len(filled) // 2]
    return {
        "minutes": playing.clock() / 60,
        "frames": playing.source.sequence,
        "start_mb": filled[0],
        "middle_mb": middle,
        "end_mb": memory_mb(),
        "growth_mb": memory_mb() - middle,
    }


def still(seconds: float) -> dict[str, float]:
    """Return the processor time on a still table, as a share of one core; the camera's own process is not counted."""
    table = VirtualTable(SIZE_WH, FRAMES_PER_S, 0.0, time.monotonic())
    game, name = sample_game(), SourceName("virtual")
    state, source = page(game), CapturedSource(CaptureRequest(name, table=table, patience=PAINTING))
    state.watcher.open(lambda: (source, open_table_with_cells(Settings(), name, game, state)[1]))
    state.watcher.start()
    try:
        until_s = time.monotonic() + SETTLE_S
        while state.shown.holding != "now":
            if time.monotonic() > until_s:
                raise click.ClickException(f"the table did not settle within {SETTLE_S:.0f} s")
            time.sleep(0.1)
        time.sleep(2.0)
        frames, processor_s, begun_s = source.sequence, time.process_time(), time.monotonic()
        time.sleep(seconds)
        wall_s = time.monotonic() - begun_s
        share = (time.process_time() - processor_s) / wall_s
        return {"core_share": share, "frames_per_s": (source.sequence - frames) / wall_s}
    finally:
        state.watcher.close(10.0)


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
        """Nothing is held."""


def looped(*, is_moving: bool) -> list[bytes]:
    """Return the pictures that are shown over and over: of a still table, or of one reach that moves a figure."""
    clock_s, scene = [0.0], sample_scene()
    moves = endless_moves(scene, scene.seed, first_s=0.2, every_s=4.0) if is_moving else None
    camera = VirtualCamera(scene, lambda: clock_s[0], moves=moves, size_wh=SIZE_WH)
    jpegs = []
    for _ in range(REACH_FRAMES if is_moving else STILL_FRAMES):
        clock_s[0] += 1 / FRAMES_PER_S
        jpegs.append(cv2.imencode(".jpg", camera.frame(), [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes())
    return jpegs


def ratio(steps: int, jpegs: list[bytes]) -> dict[str, float]:
    """Processor time of decoding and watching these pictures over that of decoding alone; so often the loop looks."""
    game, source = sample_game(), Decoding(jpegs)
    state = page(game)
    watch_over(source, game, state)
    for _ in range(60):
        state.watcher.step()
        if state.shown.holding == "now":
            break
    begun_s, frames = time.process_time(), source.decoded
    for _ in range(steps):
        state.watcher.step()
    watching_s, frames = time.process_time() - begun_s, source.decoded - frames
    begun_s = time.process_time()
    for _, jpeg in zip(range(frames), itertools.cycle(jpegs), strict=False):
        decoded(jpeg)
    decoding_s = time.process_time() - begun_s
    per_frame_ms = 1000 * decoding_s / frames
    core_share = watching_s * FRAMES_PER_S / frames
    return {"ratio": watching_s / decoding_s, "decoding_ms": per_frame_ms, "core_share_with_decoding": core_share}


PER_SIDE = ("ratio", "still", "pace", "latency", "memory")


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option(
    "--minutes", default=5.0, show_default=True, help="How many minutes of frames the memory is measured over."
)
@click.option("--part", type=click.Choice(PER_SIDE), multiple=True, help="Only some of it.")
def main(out: Path, minutes: float, part: tuple[str, ...]) -> None:
    """Time the watching of a table."""
    cv2.setNumThreads(1)
    out.mkdir(parents=True, exist_ok=True)
    wanted = part or PER_SIDE
    figures: dict[str, Any] = {}

    def tell(title: str, found: dict[str, float]) -> None:
        figures[title] = found
        click.echo(f"{title}: " + ", ".join(f"{name} {value:.4g}" for name, value in found.items()))

    goal = "hand gone to event (median under 300 ms, 95 % under 500 ms)"
    if "ratio" in wanted:
        tell("loop against bare decoding (under 2)", ratio(200, looped(is_moving=False)))
    if "still" in wanted:
        tell("still table (under 0.35 of a core)", still(20.0))
    if "pace" in wanted:
        tell(f"{goal}, by processor time", pace(bench_film(out)))
    if "latency" in wanted:
        tell(f"{goal}, by the wall clock", latency(bench_film(out)))
    if "memory" in wanted:
        tell(f"memory over {minutes:g} minutes of frames", memory(bench_film(out), minutes))
    (out / "live.json").write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
