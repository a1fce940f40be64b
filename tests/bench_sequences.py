"""How well a watched table is followed: ``python -m tests.bench_sequences [--sequences N] [--seed S]``.

Simulated tables of all kinds of difficulty, hands that move figures (one, two in one reach, swaps of look-alikes, put
back), a fault of the camera now and then; every frame goes through the reader that judges changed cells only and
through the follower of identities. Counted after each reach, when the hand is gone:

- placed: figures on the cells where they stand, whatever they are taken for;
- named: figures under the name that they had at the beginning, after all reaches;
- strayed: names that changed from one quiet frame to the next, while nobody touched the table.

``--set-right`` begins as an evening begins: people have set right what the first reading got wrong.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import click
import cv2
import msgspec
import numpy as np

from assistant import documents
from assistant.match.identity.alignment import on_lattice
from assistant.match.identity.corrections import placed, renamed
from assistant.match.identity.following import begun, followed
from assistant.match.identity.state import Followed
from assistant.match.identity.values import Cells
from assistant.table.observation import Grid, Observation
from assistant.table.roster import Roster
from tests.live_films import Film, Take, film_of
from vision.lattice_fit import Lattice
from vision.live.frames import Frame
from vision.live.incremental import LiveReader
from vision.photo import decode_photo
from vision.prints import load_prints, prints_from_images
from vision.reading import TableReader
from vision.simulation.compose import random_scene
from vision.simulation.dataset import bucket_of
from vision.simulation.reaches import endless_moves
from vision.simulation.scene import Scene

SHARED = Path(__file__).resolve().parents[2] / "shared" / "scenes" / "dev"

FRAMES_PER_S = 4.0
"""A live table is looked at more than four times as often; what is rendered once is kept (``tests/live_films.py``)."""

SETTLING_FRAMES = 4
"""Frames after the hand is gone in which the reading may still settle."""

SHORTEST_LONGEST = (60, 300)
"""Frames of a sequence; ten reaches take 250."""


@dataclass
class Course:
    """How the following of one table went."""

    roster: Roster
    is_set_right: bool
    count: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    table: Followed | None = None
    names: dict[str, str] = field(default_factory=dict)
    quiet: int = 0
    before: dict[str, Cells] = field(default_factory=dict)

    def look(self, reader: LiveReader, frame: Frame) -> Observation:
        start = time.process_time()
        look = reader.look(frame).look
        self.table = begun(look, self.roster) if self.table is None else followed(self.table, look)
        self.seconds.append(time.process_time() - start)
        return self.table.reference

    def judge(self, truth: dict[str, Cells], *, is_busy: bool) -> None:
        """Compares what is believed with the truth, once the table has been quiet for a while."""
        assert self.table is not None
        self.quiet = 0 if is_busy else self.quiet + 1
        believed = {figure.id: figure.cells for figure in self.table.board().figures}
        if self.quiet > SETTLING_FRAMES and self.before:
            self.count["strayed"] += sum(believed.get(name) != cells for name, cells in self.before.items())
            self.count["quiet"] += len(self.before)
        self.before = believed if self.quiet >= SETTLING_FRAMES else {}
        if self.quiet == SETTLING_FRAMES:
            if not self.names:
                self._begin(truth, believed)
            else:
                self._after_reach(truth, believed)

    def _begin(self, truth: dict[str, Cells], believed: dict[str, Cells]) -> None:
        if self.is_set_right:
            self._set_right(truth)
            assert self.table is not None
            believed = {figure.id: figure.cells for figure in self.table.board().figures}
            self.before = believed
        by_place = {cells: name for name, cells in believed.items()}
        self.names = {name: by_place[cells] for name, cells in truth.items() if cells in by_place}

    def _set_right(self, truth: dict[str, Cells]) -> None:
        assert self.table is not None
        by_place = {cells: name for name, cells in truth.items()}
        for track in list(self.table.tracks.values()):
            if track.cells not in by_place:
                self.table = placed(self.table, track.id, None)
        for cells, name in by_place.items():
            there = next((t for t in self.table.tracks.values() if t.cells == cells), None)
            if there is not None:
                self.table = renamed(self.table, there.id, name)
        for cells, name in by_place.items():
            is_on_board = self.table.ground.cells.issuperset(cells)  # a tile may have been missed
            if is_on_board and all(t.cells != cells for t in self.table.tracks.values()):
                self.table = placed(self.table, name, cells)

    def _after_reach(self, truth: dict[str, Cells], believed: dict[str, Cells]) -> None:
        self.count["reaches"] += 1
        self.count["figures"] += len(truth)
        self.count["placed"] += len(set(truth.values()) & set(believed.values()))
        self.count["ghosts"] += len(set(believed.values()) - set(truth.values()))
        alike = [name for name in self.names if name in truth]
        self.count["known"] = len(alike)
        self.count["named"] = sum(believed.get(self.names[name]) == truth[name] for name in alike)
        self.count["asked"] = max(self.count["asked"], len(self.table.questions) if self.table else 0)


def in_grid(cells: Cells, grid: Grid, other: Grid) -> Cells:
    """The cells of one lattice under their names in another one that lies on it."""
    lattice = Lattice(grid.origin_mm, grid.angle_deg, grid.cell_mm)
    middles = lattice.table_from_lattice(np.array(cells, dtype=float) + 0.5)
    found = (on_lattice((float(x), float(y)), other) for x, y in middles)
    return tuple(sorted((int(np.floor(x)), int(np.floor(y))) for x, y in found))


def scene_of(seed: int) -> Scene:
    """The table of a seed; seeds in a row are of all difficulties in turn."""
    return random_scene(seed, bucket_of("mixed", seed), name=f"sequence-{seed}")


def frames_of(seed: int) -> int:
    """How long the sequence of a seed is, in frames: all lengths from the shortest to the longest are there."""
    shortest, longest = SHORTEST_LONGEST
    return shortest + 37 * seed % (longest - shortest + 1)


def sequence_film(films: Path, seed: int, *, with_faults: bool) -> Film:
    """The film of a seed's sequence, rendered if it is not there yet."""
    scene = scene_of(seed)
    moves = endless_moves(scene, seed, first_s=3.0, every_s=6.0)
    times_s = [index / FRAMES_PER_S for index in range(frames_of(seed))]
    take = Take(scene, moves, times_s, faults_seed=seed if with_faults else None)
    return film_of(films / f"{seed}{'-faults' if with_faults else ''}", take)


def follow_simulated(film: Film, seed: int, *, set_right: bool) -> Course:
    """How the table of a film is followed."""
    scene = scene_of(seed)
    printed = scene.printed
    prints = prints_from_images(printed.tile_set, [printed.images[s.id] for s in printed.tile_set.sides])
    reader = LiveReader(TableReader(prints, scene.roster, scene.markers, scene.view.lens), prints, scene.roster)
    course = Course(scene.roster, set_right)
    tables = film.contents.tables
    for index, (shown, image) in enumerate(film.frames()):
        grid = course.look(reader, Frame(image, index, shown.time_s, "film")).grid
        truth = {name: in_grid(cells, scene.grid, grid) for name, cells in tables[shown.table].items()}
        course.judge(truth, is_busy=shown.is_busy)
    return course


def follow_dev() -> Course:
    """The ray-traced sequence: each of its pictures stays for six frames, for nothing is known of what lies between."""
    entries = msgspec.json.decode((SHARED / "sequence-01.json").read_bytes())
    path = {key: (SHARED / entries[0][key]).resolve() for key in ("table", "camera", "tiles", "roster")}
    roster = documents.roster_from_json(path["roster"].read_bytes())
    prints = load_prints(path["tiles"])
    table, lens = (
        documents.table_from_json(path["table"].read_bytes()),
        documents.camera_from_json(path["camera"].read_bytes()),
    )
    reader, course = LiveReader(TableReader(prints, roster, table, lens), prints, roster), Course(roster, False)
    meta = msgspec.json.decode((SHARED / "sequence-01" / "meta.json").read_bytes())
    for number, entry in enumerate(entries):
        truth = msgspec.json.decode((SHARED / entry["truth"]).read_bytes())
        image = decode_photo((SHARED / entry["photo"]).read_bytes())
        own = Grid(tuple(truth["grid"]["origin_mm"]), truth["grid"]["angle_deg"], truth["grid"]["cell_mm"])
        for step in range(6):
            index = 6 * number + step
            grid = course.look(reader, Frame(image.copy(), index, index / FRAMES_PER_S, "replay")).grid
            cells = {f["id"]: in_grid(tuple(map(tuple, f["cells"])), own, grid) for f in truth["figures"]}
            course.judge(cells, is_busy=meta["frames"][number]["hand"])
    return course


def told(name: str, course: Course) -> str:
    c = course.count
    still = float(np.median(course.seconds)) * 1000
    return (
        f"{name:24} reaches {c['reaches']:3}  placed {c['placed']}/{c['figures']}  ghosts {c['ghosts']}  "
        f"named {c['named']}/{c['known']}  strayed {c['strayed']}/{c['quiet']}  asked {c['asked']}  "
        f"frame median {still:.0f} ms, longest {max(course.seconds) * 1000:.0f} ms"
    )


@click.command()
@click.option("--sequences", default=50, show_default=True, help="Simulated tables.")
@click.option("--seed", default=700_000, show_default=True, help="Seed of the first of them.")
@click.option(
    "--films", default=Path("out/films"), type=click.Path(path_type=Path), help="Where rendered films are kept."
)
@click.option("--faults/--no-faults", default=True, show_default=True, help="Whether faults befall the camera.")
@click.option("--set-right", is_flag=True, help="Begin with the first reading set right by hand.")
@click.option("--render-only", is_flag=True, help="Only make the films that are not there yet.")
@click.option("--minutes", default=60.0, show_default=True, help="Stop after the sequence that is under way then.")
def main(
    *, sequences: int, seed: int, films: Path, faults: bool, set_right: bool, render_only: bool, minutes: float
) -> None:
    """Follow watched tables and count what went wrong."""
    cv2.setNumThreads(1)
    end_s = time.monotonic() + 60 * minutes
    if SHARED.is_dir() and not render_only:
        click.echo(told("dev sequence-01", follow_dev()))
    total: Counter[str] = Counter()
    for each in range(seed, seed + sequences):
        if time.monotonic() > end_s:
            break
        film = sequence_film(films, each, with_faults=faults)
        if not render_only:
            course = follow_simulated(film, each, set_right=set_right)
            total.update(course.count)
            total["sequences"] += 1
            click.echo(told(f"seed {each} {bucket_of('mixed', each)}", course))
    if total["sequences"]:
        share = {name: total[name] / max(1, total[of]) for name, of in (("placed", "figures"), ("named", "known"))}
        click.echo(
            f"{total['sequences']} sequences, {total['reaches']} reaches: placed {share['placed']:.4f}, "
            f"named {share['named']:.4f}, strayed {total['strayed']} of {total['quiet']}"
        )


if __name__ == "__main__":
    main()
