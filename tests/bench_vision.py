"""Measure reading quality and speed: ``python -m tests.bench_vision OUT [--scenes N] [--seed S] [--list L]``.

Scores the ray-traced dev scenes (where ``../shared`` is there) and freshly simulated ones, by bucket, with Wilson
intervals; draws how far confidences and the stability of rulings can be trusted, and a sheet of every mistake with its
probable cause, the truth drawn in green and what was said in red; times the stages and tells the memory. Scenes that
were rendered before are taken as they are, so that a run that was stopped goes on where it ended. ``--list`` reads the
photos of any list with truths: ``python -m tests.bench_vision OUT --no-dev --scenes 0 --list …/list.json``.
"""

from __future__ import annotations

import importlib.util
import inspect
import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import cv2
import numpy as np

import vision.reading
from assistant import documents
from assistant.errors import SightlineError
from assistant.match.games import rule_set
from assistant.rules.pairing import iterate_pairs
from assistant.rules.stability import judge_stability
from assistant.table.board import Board, Figure
from assistant.table.doubt import DoubtfulBoard
from assistant.table.observation import Observation
from tests.vision_charts import Snap, calibration_error, draw_calibration, draw_mistakes, wilson
from tests.vision_marks import Marked, Stated
from vision.photo.decoding import decode_photo
from vision.reading import TableReader
from vision.simulation.compose import random_scene
from vision.simulation.dataset import bucket_of, write_scene
from vision.tiles.prints import TilePrints, load_prints

SHARED = Path(__file__).resolve().parents[2] / "shared" / "scenes"
RULE_SETS = ("doom2016", "doom2004")
SURE = 0.9
WHATS = ("tiles", "doors", "figures")
FILES = ("photo", "table", "camera", "roster", "truth")

WHOLE = "a photo, from its bytes to the observation"
NEXT = "the next photo of an unmoved camera"

Entry = dict[str, Any]


@dataclass
class Result:
    """The results for all photos of one collection."""

    rows: list[Entry] = field(default_factory=list)
    stated: dict[str, list[Stated]] = field(default_factory=lambda: defaultdict(list))
    rulings: dict[str, list[Stated]] = field(default_factory=lambda: defaultdict(list))
    snaps: list[Snap] = field(default_factory=list)
    causes: Counter[str] = field(default_factory=Counter)
    stage_s: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))


def scorer() -> ModuleType:
    """Return the scorer beside the scenes."""
    spec = importlib.util.spec_from_file_location("score", SHARED / "score.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class StageTimer:
    """Times functions of other modules during a reading; nested calls count once.

    Args:
        clock_s: the clock.
    """

    def __init__(self, clock_s: Callable[[], float] = time.perf_counter) -> None:
        self._clock_s = clock_s
        self.seconds: dict[str, float] = defaultdict(float)
        self._is_inside = False
        for name, function in inspect.getmembers(vision.reading, inspect.isfunction):
            if function.__module__ != vision.reading.__name__:
                setattr(vision.reading, name, self._timed(name, function))

    def take(self) -> dict[str, float]:
        """Return the seconds since the last time, by function."""
        taken, self.seconds = dict(self.seconds), defaultdict(float)
        return taken

    def _timed(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*arguments: Any, **named: Any) -> Any:
            if self._is_inside:
                return function(*arguments, **named)
            self._is_inside, start = True, self._clock_s()
            try:
                return function(*arguments, **named)
            finally:
                self._is_inside = False
                self.seconds[name] += self._clock_s() - start

        return timed


def measure(entries: Sequence[tuple[Path, Entry]], score: ModuleType, stages: StageTimer) -> Result:
    """Read every photo, twice, and holds the first observation against the truth."""
    result = Result()
    prints: dict[Path, TilePrints] = {}
    for done, (folder, entry) in enumerate(entries, start=1):
        path = {name: folder / entry[name] for name in FILES}
        tiles = folder / entry["tiles"]
        if tiles not in prints:
            prints = {tiles: load_prints(tiles)}
        reader = TableReader(
            prints[tiles],
            documents.roster_from_json(path["roster"].read_bytes()),
            documents.table_from_json(path["table"].read_bytes()),
            documents.camera_from_json(path["camera"].read_bytes()),
        )
        said, observation = _read_twice(reader, path["photo"].read_bytes(), result, stages)
        marked = _marked(path, said, reader)
        truth = marked.truth
        result.rows.append({**score.score_scene(truth, said), "name": entry["name"], "bucket": entry["bucket"]})
        _take_marks(result, marked, entry["name"])
        if observation is not None:
            _take_rulings(result, marked, observation)
        if done % 10 == 0 or done == len(entries):
            perfect = sum(row["perfect"] for row in result.rows)
            click.echo(f"  {done} of {len(entries)} photos read, {perfect} without any mistake", err=True)
    return result


def _marked(path: Mapping[str, Path], said: Entry, reader: TableReader) -> Marked:
    """Return a photo with its truth. If the renderer gives no camera pose, the markers do."""
    photo = decode_photo(path["photo"].read_bytes())
    note = path["photo"].parent / "meta.json"
    meta = {"light": "unknown", **(json.loads(note.read_text()) if note.exists() else {})}
    if "rvec" not in meta:
        view = reader.find_view(photo)
        meta |= {"rvec": view.rvec, "tvec": view.tvec}
    truth, lens, roster = (json.loads(path[name].read_text()) for name in ("truth", "camera", "roster"))
    return Marked(truth, meta, said, lens, roster, photo, {p.side.id: p.size_cells for p in reader.prints.prints})


def _read_twice(
    reader: TableReader, data: bytes, result: Result, stages: StageTimer
) -> tuple[Entry, Observation | None]:
    """Return the document and the observation of a photo; record its reading time, and that of a similar one."""
    stages.take()
    start, start_cpu = time.perf_counter(), time.process_time()
    try:
        photo = decode_photo(data)
        result.stage_s["decode_photo"].append(time.perf_counter() - start)
        observation = reader.read(photo).observation
        said = documents.observation_document(observation)
    except SightlineError as problem:
        return documents.error_document(problem), None
    whole_s = time.perf_counter() - start
    result.stage_s[WHOLE].append(whole_s)
    result.stage_s[f"{WHOLE}, of processor time"].append(time.process_time() - start_cpu)
    parts = stages.take()
    for name, seconds in parts.items():
        result.stage_s[name].append(seconds)
    rest_s = whole_s - sum(parts.values()) - result.stage_s["decode_photo"][-1]
    result.stage_s["markers and all else"].append(rest_s)
    again = cv2.imencode(".jpg", photo, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes()
    start, start_cpu = time.perf_counter(), time.process_time()
    reader.read(decode_photo(again))
    result.stage_s[NEXT].append(time.perf_counter() - start)
    result.stage_s[f"{NEXT}, of processor time"].append(time.process_time() - start_cpu)
    return said, observation


def _take_marks(result: Result, marked: Marked, name: str) -> None:
    for what in WHATS:
        result.stated[what] += marked.stated(what)
    for mistake in marked.mistakes():
        result.causes[mistake.cause.partition(" (")[0]] += 1
        text = f"said: {mistake.said[:40]}\ntrue: {mistake.true}\n{mistake.cause}"
        result.snaps.append(Snap(marked.drawn_crop(mistake), name, text))


def _take_rulings(result: Result, marked: Marked, observation: Observation) -> None:
    """Record how sure each ruling on the read board claims to be, and whether the true board agrees."""
    document = json.dumps(marked.truth).encode()
    true = documents.observation_from_json(document).board
    who = _true_names(marked, observation.board, true)
    for name in RULE_SETS:
        rules: Any = rule_set(name)
        for attacker, defender in iterate_pairs(observation.board):
            ruling = rules.rule(observation.board, attacker.id, defender.id)
            table = DoubtfulBoard(observation.board, observation.doubts)
            sure = judge_stability(rules.verdict, table, ruling, only_hinders=rules.only_hinders).stability
            pair = who.get(attacker.id), who.get(defender.id)
            answer = ruling.verdict
            is_same = None not in pair and rules.verdict(true, *pair) == answer
            result.rulings[name].append(Stated(sure, bool(is_same)))


def _true_names(marked: Marked, read: Board, true: Board) -> dict[str, Figure]:
    """Return the true figure at the place of each read figure, by the read name."""
    at = {frozenset(figure.cells): figure.id for figure in read.figures}
    true_at = {frozenset(figure.cells): figure for figure in true.figures}
    found: dict[str, Figure] = {}
    for i, j in marked.figures:
        seen, there = (
            {tuple(c) for c in doc["figures"][k]["cells"]} for doc, k in ((marked.said, j), (marked.truth, i))
        )
        if frozenset(seen) in at and frozenset(there) in true_at:
            found[at[frozenset(seen)]] = true_at[frozenset(there)]
    return found


def report(name: str, result: Result, score: ModuleType) -> Iterator[str]:
    """Yield the scores by bucket, each rate with its 95 % interval."""
    for bucket in (*dict.fromkeys(row["bucket"] for row in result.rows), "all"):
        rows = [row for row in result.rows if bucket in (row["bucket"], "all")]
        summary = score.summary(rows)
        sums = {key: np.sum([row[key] for row in rows], axis=0) for key in ("tile", "door", "fig", "kind")}
        perfect = sum(row["perfect"] for row in rows)
        yield f"{name}, {bucket}: {len(rows)} photos, grid {summary['grid_mm']:.2f} mm in the median"
        for what, key, f1 in (("tiles", "tile", None), ("doors", "door", "door_f1"), ("figures", "fig", "figure_f1")):
            right, true, said = (int(v) for v in sums[key])
            tail = f"  F1 {summary[f1]:.4f}" if f1 else ""
            yield f"  {what:14} found {_rate(right, true)}  right {_rate(right, said)}{tail}"
        yield f"  {'kind':14} right {_rate(*(int(v) for v in sums['kind']))}"
        yield f"  {'no mistake':14}       {_rate(perfect, len(rows))}"


def report_trust(result: Result) -> Iterator[str]:
    """Yield lines about the reliability of confidences and stabilities, and about the causes of mistakes."""
    for what in WHATS:
        stated = result.stated[what]
        yield f"confidence of {what}: expected calibration error {calibration_error(stated):.3f} over {len(stated)}"
    for name, stated in result.rulings.items():
        sure = [s.is_right for s in stated if s.confidence >= SURE]
        yield (
            f"{name}: rulings stated at {SURE} or more are right {_rate(sum(sure), len(sure))}; "
            f"all {_rate(sum(s.is_right for s in stated), len(stated))}; "
            f"calibration error {calibration_error(stated):.3f}"
        )
    yield "causes: " + ("; ".join(f"{cause} {n}" for cause, n in result.causes.most_common()) or "no mistakes")


def report_time(result: Result) -> Iterator[str]:
    """Yield the median and the 90th percentile of each stage, and the memory."""
    for name, seconds in sorted(result.stage_s.items(), key=lambda item: -float(np.median(item[1]))):
        yield f"  {1000 * np.median(seconds):7.0f} ms  {1000 * np.quantile(seconds, 0.9):7.0f} ms  {name}"
    status = Path("/proc/self/status").read_text(encoding="ascii")
    yield f"memory at most {int(status.partition('VmHWM:')[2].split()[0]) / 1024:.0f} MB, this measuring included"


def _rate(right: int, count: int) -> str:
    low, high = wilson(right, count)
    return f"{right}/{count} = {right / count if count else 1:.4f} [{low:.4f}, {high:.4f}]"


def fresh_scenes(folder: Path, seed: int, count: int) -> Iterator[tuple[Path, Entry]]:
    """Yield scenes of consecutive seeds, all buckets in turn; existing ones are not rendered again."""
    for number in range(count):
        bucket = bucket_of("mixed", number)
        note = folder / f"{bucket}-{seed + number}.json"
        if not note.exists():
            entry = write_scene(folder, random_scene(seed + number, bucket, name=note.stem))
            note.write_text(json.dumps(entry))
            click.echo(f"  {number + 1} of {count} rendered: {note.stem}", err=True)
        yield folder, json.loads(note.read_text())


def listed_scenes(list_path: Path) -> list[tuple[Path, Entry]]:
    """Return the photos of a list, as ``score.py`` takes it."""
    entries = json.loads(list_path.read_text())
    return [(list_path.parent, {"bucket": "all", "name": entry["photo"], **entry}) for entry in entries]


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--scenes", default=30, show_default=True, help="Freshly simulated scenes.")
@click.option("--seed", default=900_000, show_default=True, help="Seed of the first of them.")
@click.option("--dev/--no-dev", default=True, help="Whether the dev scenes are read, too.")
@click.option("--list", "lists", multiple=True, type=click.Path(path_type=Path, exists=True), help="Further photos.")
def main(out: Path, scenes: int, seed: int, dev: bool, lists: tuple[Path, ...]) -> None:
    """Score and time the reading of photos."""
    (out / "scenes").mkdir(parents=True, exist_ok=True)
    score, stages = scorer(), StageTimer()
    collections = {"dev": listed_scenes(SHARED / "dev" / "list.json")} if dev else {}
    collections |= {path.parent.name: listed_scenes(path) for path in lists}
    if scenes:
        collections["simulated"] = list(fresh_scenes(out / "scenes", seed, scenes))
    lines: list[str] = []
    for name, entries in collections.items():
        result = measure(entries, score, stages)
        folder = out / name
        folder.mkdir(exist_ok=True)
        draw_calibration({what: result.stated[what] for what in WHATS}, folder / "confidence.png")
        if result.rulings:
            draw_calibration(result.rulings, folder / "stability.png")
        sheets = draw_mistakes(result.snaps, folder)
        lines += [*report(name, result, score), *report_trust(result), "time, median and 90th percentile:"]
        lines += [*report_time(result), f"{len(result.snaps)} mistakes on {len(sheets)} sheets in {folder}", ""]
    (out / "report.txt").write_text("\n".join(lines), encoding="utf-8")
    click.echo("\n".join(lines))


if __name__ == "__main__":
    main()
