"""How well and how fast photos are read: ``python tests/bench_vision.py OUT [--scenes N] [--seed S]``.

Scores the ray-traced dev scenes (where ``../shared`` is there) and freshly simulated ones, by bucket, with Wilson
intervals; draws how far the stated confidence of figures and doors can be trusted; times the stages.
"""

from __future__ import annotations

import importlib.util
import json
import math
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import click
import numpy as np
from matplotlib.figure import Figure

from assistant import documents
from assistant.errors import SightlineError
from vision.photo import decode_photo
from vision.prints import TilePrints, load_prints
from vision.reading import TableReader
from vision.simulation.dataset import write_scenes

SHARED = Path(__file__).resolve().parents[2] / "shared" / "scenes"
BINS = 10


class Read(NamedTuple):
    """One photo's counts of ``score.py``, its confidences with whether they were right, and its time."""

    bucket: str
    counts: dict[str, Any]
    trusted: list[tuple[float, bool]]
    seconds: float


def scorer() -> ModuleType:
    spec = importlib.util.spec_from_file_location("score", SHARED / "score.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def readings(list_path: Path, score: ModuleType) -> Iterator[Read]:
    prints: dict[Path, TilePrints] = {}
    for entry in json.loads(list_path.read_text()):
        path = {key: list_path.parent / entry[key] for key in ("photo", "table", "camera", "tiles", "roster", "truth")}
        if path["tiles"] not in prints:
            prints = {path["tiles"]: load_prints(path["tiles"])}
        reader = TableReader(
            prints[path["tiles"]],
            documents.roster_from_json(path["roster"].read_bytes()),
            documents.table_from_json(path["table"].read_bytes()),
            documents.camera_from_json(path["camera"].read_bytes()),
        )
        truth = json.loads(path["truth"].read_text())
        data = path["photo"].read_bytes()
        start = time.perf_counter()
        try:
            observation = documents.observation_document(reader.read(decode_photo(data)).observation)
        except SightlineError as problem:
            observation = documents.error_document(problem)
        seconds = time.perf_counter() - start
        yield Read(entry["bucket"], score.score_scene(truth, observation), trusted(truth, observation), seconds)


def trusted(truth: dict[str, Any], observation: dict[str, Any]) -> list[tuple[float, bool]]:
    """The confidence of each figure seen, and whether one of that kind stands there."""
    return [
        (
            figure["confidence"],
            any(
                math.dist(figure["center_mm"], t["center_mm"]) < 12.7 and t["kind"] == figure["kind"]
                for t in truth["figures"]
            ),
        )
        for figure in observation.get("figures", [])
    ]


def wilson(right: int, count: int) -> tuple[float, float]:
    """The 95 % interval of a rate (Wilson 1927)."""
    if count == 0:
        return 0.0, 1.0
    z, rate = 1.96, right / count
    middle = (rate + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(rate * (1 - rate) / count + z * z / (4 * count * count))
    return middle - half, middle + half


def report(name: str, reads: list[Read], score: ModuleType) -> None:
    for bucket in (*dict.fromkeys(read.bucket for read in reads), "overall"):
        chosen = [read for read in reads if bucket in (read.bucket, "overall")]
        rows = [{**read.counts, "name": ""} for read in chosen]
        summary = score.summary(rows)
        perfect = sum(row["perfect"] for row in rows)
        low, high = wilson(perfect, len(rows))
        tiles = np.sum([row["tile"] for row in rows], axis=0)
        tile_low, tile_high = wilson(int(tiles[0]), int(tiles[1]))
        click.echo(
            f"{name:10} {bucket:8} n={len(rows):3}  grid {summary['grid_mm']:.2f} mm  "
            f"tiles {summary['tile_recall']:.3f} [{tile_low:.3f}, {tile_high:.3f}]  doors F1 {summary['door_f1']:.3f}  "
            f"figures F1 {summary['figure_f1']:.3f}  kind {summary['kind_accuracy']:.3f}  "
            f"no mistake {perfect}/{len(rows)} [{low:.2f}, {high:.2f}]  "
            f"time median {np.median([read.seconds for read in chosen]):.2f} s"
        )


def draw_trust(reads: list[Read], path: Path) -> float:
    """Draws stated confidence against the share that was right; the expected calibration error."""
    pairs = np.array([pair for read in reads for pair in read.trusted], dtype=float).reshape(-1, 2)
    which = np.minimum((pairs[:, 0] * BINS).astype(int), BINS - 1)
    error = 0.0
    figure = Figure(figsize=(5, 5))
    axes = figure.subplots()
    axes.plot([0, 1], [0, 1], color="grey", linestyle="--")
    for index in np.unique(which):
        inside = pairs[which == index]
        stated, right = inside.mean(axis=0)
        error += len(inside) / len(pairs) * abs(stated - right)
        low, high = wilson(int(inside[:, 1].sum()), len(inside))
        axes.plot([stated, stated], [low, high], color="tab:blue")
        axes.plot(stated, right, "o", color="tab:blue")
        axes.annotate(str(len(inside)), (stated, right), textcoords="offset points", xytext=(6, -4), fontsize=8)
    axes.set(xlabel="stated confidence", ylabel="share that was right", title=f"figures: calibration error {error:.3f}")
    figure.savefig(path, dpi=110)
    return error


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--scenes", default=30, show_default=True, help="Freshly simulated scenes.")
@click.option("--seed", default=900_000, show_default=True, help="Seed of the first of them.")
def main(out: Path, scenes: int, seed: int) -> None:
    """Score and time the reading of photos."""
    out.mkdir(parents=True, exist_ok=True)
    score = scorer()
    fresh = out / f"scenes-{seed}-{scenes}"
    if not (fresh / "list.json").exists():
        for name in write_scenes(fresh, seed=seed, count=scenes, bucket="mixed"):
            click.echo(f"made {name}")
    everything: list[Read] = []
    for name, list_path in (("dev", SHARED / "dev" / "list.json"), ("simulated", fresh / "list.json")):
        reads = list(readings(list_path, score))
        report(name, reads, score)
        everything += reads
    error = draw_trust(everything, out / "calibration.png")
    click.echo(f"figures: expected calibration error {error:.3f}; picture in {out / 'calibration.png'}")


if __name__ == "__main__":
    main()
