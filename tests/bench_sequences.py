"""Measure how well a watched table is followed: ``python -m tests.bench_sequences [--sequences N] [--seed S]``.

Simulated tables of all kinds of difficulty, hands that move figures (one, two in one reach, swaps of look-alikes, put
back), a fault of the camera now and then. Every frame goes through the program's own watching: markers, reader,
follower of identities. Counted after each reach or fault, once the program says that the table is as it shows it:

- placed: figures on the cells where they stand, whatever they are taken for;
- named: figures under the name that they had at the beginning, after all reaches;
- strayed: names that changed from one quiet frame to the next, while nobody touched the table;
- asked: questions of the program, which are answered as somebody would who knows who is who; ``--silent`` leaves them
  open.

``--set-right`` begins as an evening begins: people have set right what the first reading got wrong.
"""

from __future__ import annotations

import textwrap
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import click
import cv2
import msgspec
import numpy as np

from assistant import documents
from assistant.app.live.game_files import ReadableGame
from assistant.app.live.table_correction import TableCorrection
from assistant.errors import SightlineError
from assistant.table.observation import LatticePose
from assistant.tracking.values import Cells, IdentityQuestion
from calibration.arrays import BgrImage
from tests.live_films import Film, Take, film_of
from tests.live_pace import page, watch_over
from vision.live.frames import Frame
from vision.photo.decoding import decode_photo
from vision.simulation.compose import random_scene
from vision.simulation.dataset import bucket_of
from vision.simulation.reaches import endless_moves
from vision.simulation.scene import Scene
from vision.tiles.lattice_fit import Lattice, cells_in
from vision.tiles.prints import load_prints, prints_from_images

SHARED = Path(__file__).resolve().parents[2] / "shared" / "scenes" / "dev"

FRAMES_PER_S = 4.0
"""Frame rate. A live table is read more than four times as often; rendered films are kept (``tests/live_films.py``)."""

SETTLING_FRAMES = 4
"""Frames after the hand is gone in which the reading may still settle."""

SHEET_WH, SHEET_COLUMNS = (640, 360), 3
"""Size of a picture of a mistake, and the number of pictures side by side."""

SHEET_MARGIN = 1.35
"""By how much the shown part is larger than the board: figures lean out over it."""

SHORTEST_LONGEST = (60, 300)
"""Frames of a sequence; ten reaches take 250."""


@dataclass
class FrameByFrame:
    """A camera that hands out the frame that was put into it."""

    frame: Frame | None = None
    name: str = "film"

    def next_frame(self, timeout_s: float) -> Frame | None:
        """Return the frame, once."""
        frame, self.frame = self.frame, None
        return frame

    def close(self) -> None:
        """Nothing is held."""


@dataclass(frozen=True)
class People:
    """People's actions besides moving figures: correct the first reading, and answer questions."""

    set_right: bool = False
    answer: bool = True


@dataclass
class Course:
    """The results for one table."""

    game: ReadableGame
    people: People
    count: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    _source: FrameByFrame = field(default_factory=FrameByFrame)
    _quiet: int = 0
    _is_judged: bool = False
    _last: tuple[dict[str, Cells], dict[str, Cells]] | None = None
    _asked: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._page = page(self.game)
        self._table = watch_over(self._source, self.game, self._page)

    def see(self, image: BgrImage, index: int, time_s: float) -> str:
        """Show the program a frame; return its state of the table then."""
        start_s = time.process_time()
        self._source.frame = Frame(image, index, time_s, self._source.name)
        self._page.watcher.step()
        self.seconds.append(time.process_time() - start_s)
        return self._page.shown.holding

    def judge(self, table: dict[str, Cells], grid: LatticePose, holding: str, *, is_busy: bool) -> None:
        """Compare the belief with the truth, as soon as the program is sure or the next hand comes."""
        seen = self._table
        if seen.board is None or seen.reference_grid is None:
            return
        if is_busy:
            self._over()
            return
        self._quiet += 1
        truth = {name: in_grid(cells, grid, seen.reference_grid) for name, cells in table.items()}
        before, self._last = self._last, (truth, self._believed())
        if self._is_judged and before is not None:
            self.count["quiet"] += len(before[1])
            self.count["strayed"] += sum(self._last[1].get(name) != cells for name, cells in before[1].items())
        elif self._quiet >= SETTLING_FRAMES and holding == "now":
            self._settled()

    def end(self) -> None:
        """Judge the end of the film."""
        self._over()

    def _over(self) -> None:
        """End the quiet time: judge unsure tables in their present state."""
        if self._quiet >= SETTLING_FRAMES and not self._is_judged:
            self.count["unsure"] += 1
            self._settled()
        self._quiet, self._is_judged, self._last = 0, False, None

    def _settled(self) -> None:
        assert self._last is not None
        truth = self._last[0]
        self._is_judged = True
        self._answer(truth)
        if not self.names:
            self._begin(truth)
        else:
            self._compare(truth, self._believed())
        self._last = (truth, self._believed())

    def _believed(self) -> dict[str, Cells]:
        board = self._table.board
        return {} if board is None else {figure.id: figure.cells for figure in board.figures}

    def _begin(self, truth: dict[str, Cells]) -> None:
        if self.people.set_right:
            self._set_right(truth)
        by_place = {cells: name for name, cells in self._believed().items()}
        self.names = {name: by_place[cells] for name, cells in truth.items() if cells in by_place}

    def _set_right(self, truth: dict[str, Cells]) -> None:
        by_place = {cells: name for name, cells in truth.items()}
        for name, cells in self._believed().items():
            if cells not in by_place:
                self._say(TableCorrection(figures={name: None}))
        for cells, name in by_place.items():
            there = next((each for each, place in self._believed().items() if place == cells), None)
            self._say(TableCorrection(figures={name: cells}) if there is None else TableCorrection(names={there: name}))

    def _answer(self, truth: dict[str, Cells]) -> None:
        """Answer the open questions with the true identities."""
        by_place = {cells: name for name, cells in truth.items()}
        for question in self._table.questions:
            self._asked.add(question.id)
            really = by_place.get(self._believed().get(question.figure, ()))
            answer = None if really is None else self._name(question, really)
            if self.people.answer and answer is not None:
                self._say(TableCorrection(answers={question.id: answer}))
        self.count["asked"] = len(self._asked)

    def _name(self, question: IdentityQuestion, really: str) -> str | None:
        """Return the candidate that a person would choose, or None without the right one."""
        kinds = {figure.id: figure.kind for figure in self.game.roster.figures}
        if really in self.names:
            return self.names[really] if self.names[really] in question.candidates else None
        return next((each for each in question.candidates if kinds.get(each) == kinds[really]), None)

    def _say(self, correction: TableCorrection) -> None:
        """Send a correction, if the program can take it: no figure can stand on a tile that it does not see."""
        try:
            self._table.correct(correction)
        except SightlineError:
            self.count["refused"] += 1

    def _compare(self, truth: dict[str, Cells], believed: dict[str, Cells]) -> None:
        self.count["reaches"] += 1
        self.count["figures"] += len(truth)
        self.count["placed"] += len(set(truth.values()) & set(believed.values()))
        self.count["ghosts"] += len(set(believed.values()) - set(truth.values()))
        alike = [name for name in self.names if name in truth]
        self.count["known"] = len(alike)
        self.count["named"] = sum(believed.get(self.names[name]) == truth[name] for name in alike)
        places = {cells: name for name, cells in truth.items()}
        missed = [f"{name} missed" for cells, name in places.items() if cells not in believed.values()]
        ghosts = [f"{name} seen on {cells}" for name, cells in believed.items() if cells not in places]
        others = [
            f"{name} called otherwise"
            for name in alike
            if believed.get(self.names[name]) != truth[name] and truth[name] in believed.values()
        ]
        self.wrong.append(f"frame {len(self.seconds) - 1}: " + ", ".join([*missed, *ghosts, *others]))


def in_grid(cells: Cells, grid: LatticePose, other: LatticePose) -> Cells:
    """Return the cells of one lattice by their names in another on top of it."""
    return tuple(sorted(cells_in(lattice_of(other), cells, lattice_of(grid))))


def lattice_of(grid: LatticePose) -> Lattice:
    """Return the lattice that an observation tells as a grid."""
    return Lattice(grid.origin_mm, grid.angle_deg, grid.cell_mm)


def scene_of(seed: int) -> Scene:
    """Return the table of a seed; consecutive seeds cover all difficulties in turn."""
    return random_scene(seed, bucket_of("mixed", seed), name=f"sequence-{seed}")


def frames_of(seed: int) -> int:
    """Return the length of a seed's sequence in frames, from the shortest to the longest."""
    shortest, longest = SHORTEST_LONGEST
    return shortest + 37 * seed % (longest - shortest + 1)


def sequence_film(films: Path, seed: int, *, with_faults: bool) -> Film:
    """Return the film of a seed's sequence, rendered if it is not there yet."""
    scene = scene_of(seed)
    moves = endless_moves(scene, seed, first_s=3.0, every_s=6.0)
    times_s = [index / FRAMES_PER_S for index in range(frames_of(seed))]
    take = Take(scene, moves, times_s, faults_seed=seed if with_faults else None)
    return film_of(films / f"{seed}{'-faults' if with_faults else ''}", take)


def game_of(scene: Scene) -> ReadableGame:
    """Return the documents by which a simulated table is read."""
    printed = scene.printed
    prints = prints_from_images(printed.tile_set, [printed.images[side.id] for side in printed.tile_set.sides])
    return ReadableGame(scene.name, scene.markers, scene.view.lens, prints, scene.roster, {}, is_simulated=True)


def follow_simulated(film: Film, seed: int, people: People) -> Course:
    """Follow the table of a film."""
    scene = scene_of(seed)
    course = Course(game_of(scene), people)
    tables = film.contents.tables
    for index, (shown, image) in enumerate(film.frames()):
        holding = course.see(image, index, shown.time_s)
        course.judge(tables[shown.table], scene.grid, holding, is_busy=shown.is_busy)
    course.end()
    return course


def follow_dev(people: People) -> Course:
    """Follow the ray-traced sequence: each picture stays for eight frames, without anything in between."""
    entries = msgspec.json.decode((SHARED / "sequence-01.json").read_bytes())
    path = {key: (SHARED / entries[0][key]).resolve() for key in ("table", "camera", "tiles", "roster")}
    game = ReadableGame(
        "sequence-01",
        documents.table_from_json(path["table"].read_bytes()),
        documents.camera_from_json(path["camera"].read_bytes()),
        load_prints(path["tiles"]),
        documents.roster_from_json(path["roster"].read_bytes()),
        {},
    )
    course = Course(game, people)
    meta = msgspec.json.decode((SHARED / "sequence-01" / "meta.json").read_bytes())
    for number, entry in enumerate(entries):
        truth = msgspec.json.decode((SHARED / entry["truth"]).read_bytes())
        image = decode_photo((SHARED / entry["photo"]).read_bytes())
        grid = LatticePose(tuple(truth["grid"]["origin_mm"]), truth["grid"]["angle_deg"], truth["grid"]["cell_mm"])
        cells = {figure["id"]: tuple(map(tuple, figure["cells"])) for figure in truth["figures"]}
        for step in range(8):
            index = 8 * number + step
            holding = course.see(image.copy(), index, index / FRAMES_PER_S)
            course.judge(cells, grid, holding, is_busy=meta["frames"][number]["hand"])
    course.end()
    return course


def told(name: str, course: Course) -> str:
    """Return one line about a table, and one for each mistake."""
    c = course.count
    still_ms = float(np.median(course.seconds)) * 1000
    line = (
        f"{name:24} reaches {c['reaches']:3}  placed {c['placed']}/{c['figures']}  ghosts {c['ghosts']}  "
        f"named {c['named']}/{c['known']}  strayed {c['strayed']}/{c['quiet']}  asked {c['asked']}  "
        f"unsure {c['unsure']}  frame median {still_ms:.0f} ms, longest {max(course.seconds) * 1000:.0f} ms"
    )
    return "\n    ".join([line, *(wrong for wrong in course.wrong if not wrong.endswith(": "))])


def board_box(scene: Scene) -> tuple[slice, slice]:
    """Return the rows and columns of the picture that hold the board and its rim, in a sheet's aspect ratio."""
    cells = [cell for tile in scene.tiles for cell in tile.lattice_cells(scene.printed.tile_set.side(tile.id).cells)]
    middles_mm = lattice_of(scene.grid).table_from_lattice(np.array(cells, dtype=float) + 0.5)
    pixels = scene.view.project(np.column_stack([middles_mm, np.zeros(len(cells))]))
    low, high = pixels.min(axis=0), pixels.max(axis=0)
    whole_wh = np.array([scene.view.lens.width_px, scene.view.lens.height_px])
    width, height = np.minimum(SHEET_MARGIN * max((high - low) / SHEET_WH) * np.array(SHEET_WH), whole_wh)
    left, top = np.clip((low + high - (width, height)) / 2, 0, whole_wh - (width, height))
    return slice(int(top), int(top + height)), slice(int(left), int(left + width))


def failures_of(film: Film, box: tuple[slice, slice], name: str, course: Course) -> list[BgrImage]:
    """Return small pictures of the board in the frames with mistakes, each labelled."""
    wrong = dict(each.removeprefix("frame ").split(": ", 1) for each in course.wrong if not each.endswith(": "))
    pictures = []
    for index, (_, image) in enumerate(film.frames()):
        if str(index) in wrong:
            small = cv2.resize(image[box], SHEET_WH, interpolation=cv2.INTER_AREA)
            lines = [f"{name}, frame {index}", *textwrap.wrap(wrong[str(index)], 90)]
            for number, line in enumerate(lines):
                cv2.putText(small, line, (6, 16 + 15 * number), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (0, 255, 255), 1)
            pictures.append(np.asarray(small, np.uint8))
    return pictures


def contact_sheet(pictures: list[BgrImage], path: Path) -> None:
    """Write small pictures side by side, three in a row."""
    blank = np.zeros((SHEET_WH[1], SHEET_WH[0], 3), np.uint8)
    filled = [*pictures, *[blank] * (-len(pictures) % SHEET_COLUMNS)]
    rows = [np.hstack(filled[i : i + SHEET_COLUMNS]) for i in range(0, len(filled), SHEET_COLUMNS)]
    path.parent.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(path), np.vstack(rows))


@click.command()
@click.option("--sequences", default=50, show_default=True, help="Simulated tables.")
@click.option("--seed", default=700_000, show_default=True, help="Seed of the first of them.")
@click.option(
    "--films", default=Path("out/films"), type=click.Path(path_type=Path), help="Where rendered films are kept."
)
@click.option("--faults/--no-faults", default=True, show_default=True, help="Whether faults befall the camera.")
@click.option("--set-right", is_flag=True, help="Begin with the first reading set right by hand.")
@click.option("--silent", is_flag=True, help="Leave the program's questions open.")
@click.option("--render-only", is_flag=True, help="Only make the films that are not there yet.")
@click.option("--minutes", default=60.0, show_default=True, help="Stop after the sequence that is under way then.")
@click.option(
    "--sheet",
    default=Path("out/films/wrong.jpg"),
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where the frames go in which something was wrong.",
)
def main(
    *,
    sequences: int,
    seed: int,
    films: Path,
    faults: bool,
    set_right: bool,
    silent: bool,
    render_only: bool,
    minutes: float,
    sheet: Path,
) -> None:
    """Follow watched tables and count mistakes."""
    cv2.setNumThreads(1)
    end_s, people = time.monotonic() + 60 * minutes, People(set_right=set_right, answer=not silent)
    if SHARED.is_dir() and not render_only:
        click.echo(told("dev sequence-01", follow_dev(people)))
    total: Counter[str] = Counter()
    failures: list[BgrImage] = []
    for each in range(seed, seed + sequences):
        if time.monotonic() > end_s:
            break
        film = sequence_film(films, each, with_faults=faults)
        if not render_only:
            course = follow_simulated(film, each, people)
            total.update(course.count)
            total["sequences"] += 1
            click.echo(told(f"seed {each} {bucket_of('mixed', each)}", course))
            failures += failures_of(film, board_box(scene_of(each)), f"seed {each}", course)
    if failures:
        contact_sheet(failures, sheet)
        click.echo(f"what went wrong is shown in {sheet}")
    if total["sequences"]:
        share = {name: total[name] / max(1, total[of]) for name, of in (("placed", "figures"), ("named", "known"))}
        click.echo(
            f"{total['sequences']} sequences, {total['reaches']} reaches: placed {share['placed']:.4f}, "
            f"named {share['named']:.4f}, strayed {total['strayed']} of {total['quiet']}, asked {total['asked']}"
        )


if __name__ == "__main__":
    main()
