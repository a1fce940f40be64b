"""Measure how well a whole box is taught from a few photos: ``python -m tests.bench_box OUT --seed N``.

Renders boxes of two-sided tiles with two kinds of door, tokens and cards, laid loosely on wood, cloth and a mat under a
phone held by hand, and 40 figures of ten kinds lined up beside a tile. A person of the script teaches them by photos
and taps, through the same desk as the page: looks at what is framed and sets it right, names figures and doors, saves.
Then tables are rendered with that box and read with what was taught. Nothing of a box is known to the reader but the
size of a cell. A person's time is counted: 20 s a photo, 5 s a tap, and the program's own time.

Photos are kept in OUT and taken again from there. ``--only-tiles`` leaves out figures and tables. ``--fonts FOLDER``
prints names on the tiles, each box in a font and at a size of its own, and counts what is proposed.
"""

from __future__ import annotations

import json
import math
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import click
import numpy as np

sys.path.insert(0, str(Path(__file__).parent / "loaders"))

from box_figures import line_up_scene, random_figures
from loose_box import Layout, TwoSidedBox, lay_out_loosely, loose_scene, random_box, turned_over
from printed_names import random_print, with_names

from assistant.app.side_process import WorkHere
from assistant.app.teaching.box import SURE, BoxSide, BoxTeacher, TileCutOff
from assistant.app.teaching.library import TaughtGames, TeachingTable
from assistant.app.teaching.line_ups import LineUps, NamedGroup
from assistant.app.teaching.values import ConfirmedTile
from assistant.documents import roster_from_json
from assistant.kept_files import write_file
from assistant.table.board import EdgeKind
from assistant.table.camera import NO_MARKERS
from assistant.table.lattice import Edge
from assistant.table.roster import Roster
from assistant.table.tiles import TileSide
from tests.bench_teaching import Counts
from vision.photo.decoding import decode_photo
from vision.reading import TableReader
from vision.simulation.compose import random_scene
from vision.simulation.dataset import take_photo
from vision.simulation.figures import BodyLook
from vision.simulation.scene import PlacedFigure, Scene
from vision.simulation.tile_art import CELL_MM
from vision.teaching.box_pairs import BatchSides, read_batch
from vision.teaching.box_tiles import BoxPhoto, FoundTile
from vision.teaching.edge_network import KINDS as CYCLE
from vision.teaching.line_up import LinedUp, LineUp
from vision.teaching.tile_reading import TileReading, move_edge, rotate_reading
from vision.tiles.prints import load_prints

TABLES = ("wood", "cloth", "neoprene")
PHOTO_S, TAP_S = 20.0, 5.0
"""A person's time for a photo and for a tap."""

SURE_KIND = 0.9
"""Confidence from which a wrong figure on a table counts as a sure mistake."""

NAME_TAPS, SAVE_TAPS, BASE_TAPS, LINE_UP_PHOTOS, MOST_AGAIN = 3, 3, 4, 3, 2

Cast = tuple[Roster, Mapping[str, BodyLook]]
FLATS = ("door token", "door token", "other door token", "card", "token", "token")


@dataclass
class BoxScore:
    """Counts over boxes."""

    counts: Counts = field(default_factory=Counts)
    sides: int = 0
    found: int = 0
    exact: int = 0
    false: int = 0
    paired: int = 0
    others: dict[str, list[int]] = field(default_factory=dict)
    doubtful: int = 0
    wrong: int = 0
    wrong_framed: int = 0
    names: dict[str, int] = field(default_factory=lambda: {"right": 0, "wrong": 0, "framed": 0})


@dataclass(frozen=True)
class Way:
    """How a box is photographed: batches, photos per side, width in pixels; and the tables to read with it."""

    batches: int
    times: int
    wide: int
    tables: int
    only_tiles: bool
    fonts: Path | None = None


def kept_photo(path: Path, scene: Scene) -> bytes:
    """Return the photo of a scene, rendered unless an earlier run left it there."""
    if not path.exists():
        write_file(path, take_photo(scene)[0])
    return path.read_bytes()


@dataclass(frozen=True)
class Photographer:
    """Takes the photos of one batch from random positions."""

    box: TwoSidedBox
    laid: Mapping[str, Layout]
    seed: int
    table: str
    wide: int
    out: Path

    def take(self, side: str, number: int) -> tuple[bytes, Scene]:
        """Return the photo of that number of side ``A`` or ``B``, and its scene."""
        chance = self.seed * 100 + number * 2 + (side == "B")
        wh = (self.wide, self.wide * 3 // 4)
        scene = loose_scene(chance, self.box, self.laid[side], side, self.table, photo_wh=wh)
        return kept_photo(self.out.with_name(f"{self.out.name}{side}{number}.jpg"), scene), scene


def photographer_of(box: TwoSidedBox, layout: Layout, seed: int, table: str, way: Way, out: Path) -> Photographer:
    """Return the photographer of one batch, which is turned over between its sides."""
    over = turned_over(np.random.default_rng([seed, 7]), layout)
    return Photographer(box, {"A": layout, "B": over}, seed, table, way.wide, out)


def true_side(tile: FoundTile, scene: Scene) -> str | None:
    """Return the side of a tile found at that place."""
    middle = tile.corners_px.mean(axis=0)
    nearest = None
    for placed in scene.tiles:
        side = scene.printed.tile_set.side(placed.id)
        left, top, columns, rows = side.bounds
        at = np.array([left + columns / 2, top + rows / 2]) * 25.4 + np.array(placed.misfit_mm)
        pixel = scene.view.project(np.array([[*at, 2.0]]))[0]
        away = float(np.linalg.norm(pixel - middle)) / scene.view.pixels_per_mm((float(at[0]), float(at[1])))
        if away < 30 and (nearest is None or away < nearest[0]):
            nearest = away, side.id
    return nearest and nearest[1]


def score_reading(reading: TileReading, side: TileSide, score: BoxScore) -> None:
    """Compare a reading with the true side, in the turn that fits best."""
    left, top = side.bounds[:2]
    cells = frozenset((c - left, r - top) for c, r in side.cells)
    edges = {Edge.between((a - left, b - top), (c - left, d - top)): k for ((a, b), (c, d)), k in side.edges.items()}
    ground = frozenset((c - left, r - top) for c, r in side.difficult)
    turned = [rotate_reading(reading, turns) for turns in range(4)]
    fitting = [one for one in turned if one.cells == cells]
    if not fitting:
        score.wrong += 1
        for printed in edges.values():
            score.counts.add(None, printed)
        for read in reading.edges.values():
            score.counts.add(read, None)
        return
    score.exact += 1
    best = max(fitting, key=lambda one: sum(kind == edges.get(edge) for edge, kind in one.edges.items()))
    for edge, kind in best.edges.items():
        score.counts.add(kind, edges.get(edge))
        is_doubtful = best.edge_confidence[edge] < 0.8
        score.doubtful += is_doubtful
        if kind != edges.get(edge):
            score.wrong += 1
            score.wrong_framed += is_doubtful
    for cell in cells:
        score.counts.add("difficult" if cell in best.difficult else None, "difficult" if cell in ground else None)


@dataclass
class PersonTime:
    """A person's time, and the program's own processor time."""

    photos: int = 0
    taps: int = 0
    program_s: float = 0.0

    @property
    def minutes(self) -> float:
        return (PHOTO_S * self.photos + TAP_S * self.taps + self.program_s) / 60


class Recorded(WorkHere):
    """Reads photos on call, and keeps the readings for the comparison with the truth."""

    def __init__(self, person: PersonTime) -> None:
        super().__init__()
        self.seen: list[Any] = []
        self._person = person

    def __call__(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        begun = time.process_time()
        try:
            found = super().__call__(work, *args, **kwargs)
        finally:
            self._person.program_s += time.process_time() - begun
            self._person.photos += 1
        self.seen.append(found)
        return found


@dataclass(frozen=True)
class Trial:
    """One box that is taught: on which table, where its photos are kept and what is taught, and a person's time."""

    seed: int
    table: str
    box: TwoSidedBox
    out: Path
    games: TaughtGames
    person: PersonTime = field(default_factory=PersonTime)
    names: Mapping[str, str] = field(default_factory=dict)
    """What is printed on each side, as the name to propose."""


@dataclass(frozen=True)
class Batch:
    """Photos of one batch, fronts first, as they were read, and their scenes."""

    number: int
    seen: Sequence[BoxPhoto]
    scenes: Sequence[Scene]
    fronts: int


def teach_box(seed: int, table: str, count: int, way: Way, out: Path) -> dict[str, Any]:
    """Teaches a whole box and says how well."""
    box, names = random_box(seed, count), {}
    if way.fonts is not None:
        kind, numbers = random_print(seed, sorted(way.fonts.rglob("*.[ot]tf")), box.tiles)
        box = with_names(box, kind, numbers)
        names = {f"{tile}{side}": kind.name(numbers[tile] + side) for tile in box.tiles for side in "AB"}
    rng = np.random.default_rng([seed, 1])
    trial = Trial(seed, table, box, out, TaughtGames(Path(tempfile.mkdtemp(prefix="bench-box-"))), names=names)
    person = trial.person
    desk = BoxTeacher(trial.games, _no_markers, reader := Recorded(person))
    read, mended = BoxScore(sides=2 * count), BoxScore(sides=2 * count)
    for batch in range(way.batches):
        layout = lay_out_loosely(rng, box, box.tiles[batch :: way.batches], FLATS if batch == 0 else FLATS[-1:])
        photographer = photographer_of(box, layout, seed * 10 + batch, table, way, out / f"{seed}-{table}-{batch}")
        if batch:
            desk.next_batch()
            person.taps += 1
        begin, scenes, fronts = len(reader.seen), [], 0
        for side in "AB":
            number = 0
            # Where the desk asks for a photo again, a person takes one more.
            while number < way.times or (isinstance(desk.problem, TileCutOff) and number < way.times + MOST_AGAIN):
                photo, scene = photographer.take(side, number)
                desk.add_photo(photo, is_turned=side == "B")
                desk.wait()
                scenes.append(scene)
                number += 1
            fronts = fronts or number
        laid = Batch(batch, reader.seen[begin:], scenes, fronts)
        _score_batch(box, laid, read)
        _look_through(trial, desk, laid, mended)
    person.taps += SAVE_TAPS
    desk.keep("home", may_replace=False)
    document = {
        "seed": seed,
        "table": table,
        "sides": f"{read.found} of {read.sides}",
        "exact": read.exact,
        "false": read.false,
        "pairs": f"{read.paired} of {count}",
        "edges": read.counts.line(),
        "others": read.others,
        "doubtful": read.doubtful,
        "wrong": read.wrong,
        "wrong_framed": read.wrong_framed,
        "edges_after_taps": mended.counts.line(),
        "names": mended.names,
        "tiles_minutes": round(person.minutes, 1),
    }
    if not way.only_tiles:
        cast = random_figures(seed)
        document |= teach_figures(trial, cast)
        document |= read_tables(trial, cast, way.tables)
    return document | {
        "photos": person.photos,
        "taps": person.taps,
        "program_s": round(person.program_s, 1),
        "minutes": round(person.minutes, 1),
    }


def _no_markers() -> TeachingTable:
    return TeachingTable(NO_MARKERS, None)


def _score_batch(box: TwoSidedBox, batch: Batch, score: BoxScore) -> None:
    """Compare the readings of one batch with the truth."""
    sides, names = _named(batch)
    for one in (one for pair in sides.pairs for one in (pair.front, pair.back) if one is not None):
        name = names[id(one)]
        if name is None:
            score.false += 1
            continue
        score.found += 1
        score_reading(one.reading, box.printed.tile_set.side(name), score)
    for pair in sides.pairs:
        front, back = (None if one is None else names[id(one)] for one in (pair.front, pair.back))
        score.paired += front is not None and back is not None and front[:-1] == back[:-1]
    _count_others(batch.seen[0], batch.scenes[0], score)


def _named(batch: Batch) -> tuple[BatchSides, dict[int, str | None]]:
    """Return the sides of one batch, and which true one each is."""
    seen = batch.seen
    scene_of = {id(t.corners_px): scene for photo, scene in zip(seen, batch.scenes, strict=True) for t in photo.tiles}
    sides = read_batch(seen[: batch.fronts], seen[batch.fronts :])
    return sides, {
        id(one): true_side(one.seen, scene_of[id(one.photos[0].corners_px)])
        for one in (*sides.fronts, *sides.backs)
        if one is not None
    }


def _look_through(trial: Trial, desk: BoxTeacher, batch: Batch, score: BoxScore) -> None:
    """Play a person who opens each framed side of a batch and corrects lines and difficult ground."""
    sides, names = _named(batch)
    person = trial.person
    by_key = {f"{batch.number}-f-{index}": names.get(id(one)) for index, one in enumerate(sides.fronts)}
    by_key |= {f"{batch.number}-b-{index}": names.get(id(one)) for index, one in enumerate(sides.backs)}
    for side in (one for one in desk.sides() if one.key in by_key):
        name = by_key[side.key]
        if name is None:
            person.taps += 2
            desk.drop(side.key)
            continue
        truth = trial.box.printed.tile_set.side(name)
        _count_name(trial, side, name, score)
        reading = side.reading
        if side.is_doubtful:
            person.taps += 2
            turned = _true_print(reading, truth)
            if turned is not None:
                edges, difficult = dict(reading.edges), set(reading.difficult)
                for edge, kind in turned[0].items():
                    if reading.edge_confidence[edge] < SURE and edges[edge] != kind:
                        person.taps += (CYCLE.index(kind) - CYCLE.index(edges[edge])) % len(CYCLE)
                        edges[edge] = kind
                for cell in reading.cells:
                    if reading.difficult_confidence[cell] < SURE and (cell in difficult) != (cell in turned[1]):
                        person.taps += 1
                        difficult ^= {cell}
                reading = replace(reading, edges=edges, difficult=frozenset(difficult))
                desk.correct(side.key, _confirmed(desk, side.key, side.name, reading))
        score_reading(reading, truth, score)


def _count_name(trial: Trial, side: BoxSide, true_id: str, score: BoxScore) -> None:
    """Count a side's name, if names are printed. A wrong one is not framed."""
    if trial.names:
        is_right = side.name == trial.names[true_id]
        score.names["framed" if side.is_name_doubtful else "right" if is_right else "wrong"] += 1


def _true_print(
    reading: TileReading, side: TileSide
) -> tuple[dict[Edge, EdgeKind | None], frozenset[tuple[int, int]]] | None:
    """Return the true lines and ground of a side in the frame of its reading, or None for another shape."""
    left, top = side.bounds[:2]
    cells = frozenset((c - left, r - top) for c, r in side.cells)
    best: tuple[int, dict[Edge, EdgeKind | None], frozenset[tuple[int, int]]] | None = None
    for turns in range(4):
        if rotate_reading(reading, turns).cells != cells:
            continue

        def back(point: tuple[int, int], size: tuple[int, int], turns: int = turns) -> tuple[int, int]:
            for _ in range(turns):
                point, size = (point[1], size[0] - point[0]), (size[1], size[0])
            return point

        size = (max(c for c, _ in cells) + 1, max(r for _, r in cells) + 1)
        edges = {
            Edge.between(back((a - left, b - top), size), back((c - left, d - top), size)): kind
            for ((a, b), (c, d)), kind in side.edges.items()
        }
        ground = frozenset(
            (math.floor((x0 + x1) / 2), math.floor((y0 + y1) / 2))
            for c, r in side.difficult
            for (x0, y0), (x1, y1) in [
                (back((c - left, r - top), size), back((c - left + 1, r - top + 1), size)),
            ]
        )
        whole = {edge: edges.get(edge) for edge in reading.edges}
        fits = sum(kind == whole[edge] for edge, kind in reading.edges.items())
        if best is None or fits > best[0]:
            best = fits, whole, ground
    return None if best is None else best[1:]


def _confirmed(desk: BoxTeacher, key: str, name: str, reading: TileReading) -> ConfirmedTile:
    """Return a person's corrections of a side, counted from the corner of its picture."""
    cells = desk.draft(key).cells
    right = min(c for c, _ in cells) - min(c for c, _ in reading.cells)
    down = min(r for _, r in cells) - min(r for _, r in reading.cells)
    edges = {move_edge(edge, right, down): kind for edge, kind in reading.edges.items() if kind is not None}
    ground = frozenset((c + right, r + down) for c, r in reading.difficult)
    return ConfirmedTile("home", name, frozenset(cells), edges, ground)


def teach_figures(trial: Trial, cast: Cast) -> dict[str, Any]:
    """Teach all figures from photos of a line-up; return the found figures and their sizes."""
    person, games = trial.person, trial.games
    line_ups = LineUps(games, _no_markers, reader := Recorded(person))
    draft = None
    scenes = [line_up_scene(trial.seed, trial.box, cast, trial.table, number) for number in range(LINE_UP_PHOTOS)]
    for scene in scenes:
        photo = kept_photo(trial.out / f"{scene.name}-{trial.table}.jpg", scene)
        draft = line_ups.read(photo, None if draft is None else draft.id)
    assert draft is not None
    first: LineUp = reader.seen[0]
    figures = [thing for thing in first.things if thing.kind == "figure"]
    who = _who(figures, scenes[0])
    is_asked = not draft.is_scaled and draft.marked in who
    if is_asked:
        # The page asks for the base of the marked figure. A person measures it to a millimetre.
        base_mm = round(max(who[draft.marked].figure.base_size_mm))
        draft = line_ups.scale(draft.id, draft.marked, base_mm)
        person.taps += BASE_TAPS
    groups = []
    for kind in cast[1]:
        members = tuple(index for index, one in who.items() if one.figure.kind == kind)
        proposed = [group for group in draft.groups if set(members) & set(group.figures)]
        # One tap on the group, one for its name, one for its side; further groups join, and strangers leave.
        strangers = sum(len(set(group.figures) - set(members)) for group in proposed[:1])
        person.taps += NAME_TAPS + max(0, len(proposed) - 1) + 2 * strangers
        if members:
            side = who[members[0]].figure.side
            groups.append(NamedGroup(members, kind, side))
    person.taps += SAVE_TAPS
    line_ups.keep(draft.id, "home", groups)
    taught = roster_from_json(games.profiles.read("roster", "home"))
    true_mm = {one.figure.kind: sorted(one.figure.base_size_mm) for one in scenes[0].figures}
    off_mm = [
        max(abs(a - b) for a, b in zip(sorted(figure.base_size_mm), true_mm[figure.kind], strict=True))
        for figure in taught.figures
    ]
    return {
        "figures_found": f"{len(who)} of {len(scenes[0].figures)}",
        "figures_false": len(figures) - len(who),
        "is_scaled": draft.is_scaled,
        "base_asked": is_asked,
        "base_off_mm": [round(float(value), 1) for value in np.percentile(off_mm, (50, 90))],
    }


def _who(figures: Sequence[LinedUp], scene: Scene) -> dict[int, PlacedFigure]:
    """Return which true figure each thing of a line-up is, the nearest first."""
    places = scene.view.project(np.array([[*placed.center_mm, 4.0] for placed in scene.figures]))
    found: dict[int, PlacedFigure] = {}
    taken: set[int] = set()
    near = []
    for index, thing in enumerate(figures):
        left, top, width, height = thing.box_px
        inside = (places >= (left - 4, top - 4)) & (places <= (left + width + 4, top + height + 4))
        middle = np.array([left + width / 2, top + height / 2])
        for number in np.flatnonzero(inside.all(axis=1)).tolist():
            near.append((float(np.linalg.norm(places[number] - middle)), index, number))
    for _, index, number in sorted(near):
        if index not in found and number not in taken:
            found[index] = scene.figures[number]
            taken.add(number)
    return found


def read_tables(trial: Trial, cast: Cast, count: int) -> dict[str, Any]:
    """Read fresh tables of the box with what was taught, and counts whose kinds are right."""
    games = trial.games
    roster = roster_from_json(games.profiles.read("roster", "home"))
    prints = load_prints(games.profiles.path("tiles", "home"))
    there = found = right = left_open = false = 0
    wrong: list[tuple[str, str | None, float]] = []
    for number in range(count):
        scene = random_scene(trial.seed * 10 + number, "normal", tiles=trial.box.printed, cast=cast)
        photo = kept_photo(trial.out / f"{trial.seed}-table-{number}.jpg", scene)
        reader = TableReader(prints, roster, scene.markers, scene.view.lens)
        seen = reader.read(decode_photo(photo)).observation
        kinds = {frozenset(figure.cells): figure for figure in seen.board.figures}
        left = list(seen.figures)
        for placed in scene.figures:
            there += 1
            near = [one for one in left if math.dist(one.center_mm, placed.center_mm) < CELL_MM / 2]
            if near:
                closest = min(near, key=lambda one: math.dist(one.center_mm, placed.center_mm))
                left.remove(closest)
                figure = kinds[frozenset(closest.cells)]
                found += 1
                right += figure.kind == placed.figure.kind
                left_open += figure.side == "unknown"
                if figure.kind != placed.figure.kind:
                    wrong.append((placed.figure.kind, figure.kind, round(closest.confidence, 3)))
        false += len(left)
        wrong += [("nobody", one.kind, round(one.confidence, 3)) for one in left]
    return {
        "tables": count,
        "table_figures": f"{found} of {there}",
        "table_figures_false": false,
        "kinds_right": f"{right} of {found}",
        "kinds_open": left_open,
        "kinds_sure_wrong": sum(confidence >= SURE_KIND for _, _, confidence in wrong),
        "kinds_wrong": wrong,
    }


def _count_others(seen: BoxPhoto, scene: Scene, score: BoxScore) -> None:
    for kind in ("door", "card", "token", "unclear"):
        counts = score.others.setdefault(kind, [0, 0])
        counts[0] += sum(one.kind == kind for one in seen.others)
        counts[1] += sum(thing.kind.endswith(kind if kind != "door" else "door token") for thing in scene.clutter)
        counts[1] -= sum(thing.kind.endswith("door token") for thing in scene.clutter) if kind == "token" else 0


@click.command()
@click.argument("out", type=click.Path(path_type=Path, file_okay=False))
@click.option("--seed", "seeds", type=int, multiple=True, default=(3901, 3902, 3903))
@click.option("--table", "tables", type=click.Choice(TABLES), multiple=True, default=TABLES)
@click.option("--batches", type=int, default=2)
@click.option("--times", type=int, default=2, help="Photos of each side of a batch.")
@click.option("--wide", type=int, default=3200, help="Width of a photo in pixels.")
@click.option("--count", type=int, default=24, help="Tiles in the box.")
@click.option(
    "--fonts",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Print names in fonts of this folder.",
)
@click.option("--only-tiles", is_flag=True, help="Leave out figures and tables.")
@click.option("--tables", "tables_read", type=int, default=4, help="Tables that are read with what was taught.")
def main(out: Path, seeds: tuple[int, ...], tables: tuple[str, ...], count: int, tables_read: int, **way: Any) -> None:
    """Teaches rendered boxes, one on each table in turn, and prints a line for each."""
    out.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds):
        document = teach_box(seed, tables[number % len(tables)], count, Way(**way, tables=tables_read), out)
        click.echo(json.dumps(document))


if __name__ == "__main__":
    main()
