"""How well a whole box is taught from a handful of photos: ``python -m tests.bench_box OUT --seed N``.

Renders boxes of two-sided tiles with two kinds of door, tokens and cards, laid loosely on wood, cloth and a mat under a
phone held by hand, and reads them as the page does. Nothing of a box is known to the reader but the size of a cell.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
import numpy as np

sys.path.insert(0, str(Path(__file__).parent / "loaders"))

from loose_box import Layout, TwoSidedBox, lay_out_loosely, loose_scene, random_box, turned_over

from assistant.kept_files import write_file
from assistant.table.lattice import Edge
from assistant.table.tiles import TileSide
from tests.bench_teaching import Counts
from vision.photo.decoding import decode_photo
from vision.simulation.dataset import take_photo
from vision.simulation.scene import Scene
from vision.teaching.box_pairs import read_batch
from vision.teaching.box_tiles import BoxPhoto, FoundTile, read_box_photo
from vision.teaching.tile_reading import TileReading, rotate_reading

TABLES = ("wood", "cloth", "neoprene")
FLATS = ("door token", "door token", "other door token", "card", "token", "token")


@dataclass
class BoxScore:
    """What was counted over boxes."""

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


def photos_of(box: TwoSidedBox, layout: Layout, seed: int, table: str, times: int, wide: int) -> dict[str, list[Any]]:
    """The photos of one batch, by side: those and their scenes."""
    rng = np.random.default_rng([seed, 7])
    over = turned_over(rng, layout)
    taken: dict[str, list[Any]] = {"A": [], "B": []}
    for side, laid in (("A", layout), ("B", over)):
        for number in range(times):
            scene = loose_scene(
                seed * 100 + number * 2 + (side == "B"), box, laid, side, table, photo_wh=(wide, wide * 3 // 4)
            )
            taken[side].append((take_photo(scene)[0], scene))
    return taken


def true_side(tile: FoundTile, scene: Scene) -> str | None:
    """The side that lies where a tile was found."""
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
    """Compares a reading with the true side, in the turn that fits best."""
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


@dataclass(frozen=True)
class Way:
    """How a box is photographed: in how many batches, how often each side, and how wide a photo is in pixels."""

    batches: int
    times: int
    wide: int


def teach_box(seed: int, table: str, count: int, way: Way, out: Path) -> dict[str, Any]:
    """Teaches a whole box and says how well."""
    score = BoxScore()
    box = random_box(seed, count)
    rng = np.random.default_rng([seed, 1])
    seconds = 0.0
    score.sides = 2 * count
    for batch in range(way.batches):
        layout = lay_out_loosely(rng, box, box.tiles[batch :: way.batches], FLATS if batch == 0 else FLATS[-1:])
        taken = photos_of(box, layout, seed * 10 + batch, table, way.times, way.wide)
        seconds += _teach_batch(box, taken, score, out / f"{seed}-{table}-{batch}")
    document = {
        "seed": seed,
        "table": table,
        "photos": 2 * way.batches * way.times,
        "sides": f"{score.found} of {score.sides}",
        "exact": score.exact,
        "false": score.false,
        "pairs": f"{score.paired} of {count}",
        "edges": score.counts.line(),
        "others": score.others,
        "doubtful": score.doubtful,
        "wrong": score.wrong,
        "wrong_framed": score.wrong_framed,
        "cpu_s": round(seconds, 1),
    }
    return document


def _teach_batch(box: TwoSidedBox, taken: dict[str, list[Any]], score: BoxScore, out: Path) -> float:
    """Reads one batch and scores it; returns the processor seconds."""
    seconds = 0.0
    scene_of: dict[int, Scene] = {}
    seen: dict[str, list[BoxPhoto]] = {}
    for side, some in taken.items():
        read = seen.setdefault(side, [])
        for number, (photo, scene) in enumerate(some):
            write_file(out.with_name(f"{out.name}{side}{number}.jpg"), photo)
            begun = time.process_time()
            read.append(read_box_photo(decode_photo(photo)))
            seconds += time.process_time() - begun
            scene_of |= {id(tile.corners_px): scene for tile in read[-1].tiles}
        if side == "A":
            _count_others(read[0], some[0][1], score)
    sides = read_batch(seen["A"], seen["B"])
    found = (*sides.fronts, *sides.backs)
    names = {id(one): true_side(one.seen, scene_of[id(one.seen.corners_px)]) for one in found}
    for one in found:
        name = names[id(one)]
        if name is None:
            score.false += 1
            continue
        score.found += 1
        score_reading(one.reading, box.printed.tile_set.side(name), score)
    for pair in sides.pairs:
        front, back = (None if one is None else names[id(one)] for one in (pair.front, pair.back))
        score.paired += front is not None and back is not None and front[:-1] == back[:-1]
    return seconds


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
def main(out: Path, seeds: tuple[int, ...], tables: tuple[str, ...], count: int, **way: int) -> None:
    """Teaches rendered boxes, one on each table in turn, and prints a line for each."""
    for number, seed in enumerate(seeds):
        document = teach_box(seed, tables[number % len(tables)], count, Way(**way), out)
        click.echo(json.dumps(document))


if __name__ == "__main__":
    main()
