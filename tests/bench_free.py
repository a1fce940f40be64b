"""Measure how well tables without a grid are read: ``python -m tests.bench_free OUT --seed 52000 --count 100``.

The simulated tables of these seeds are made in OUT where they are not there yet; ``--list`` measures on other photos
with truths. Beside OUT's pictures stands what came of each, so that a run that was ended goes on where it was; what
other sources read is read again. Said is who was found, how far his middle is from the truth, whether contact is right
among bases less than 15 mm apart, where models look, and whether rulings that are stated as sure (0.9 or more) are so
on the true table: sight, cover, contact and the number of steps begun.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from assistant import documents
from assistant.kept_files import write_file
from assistant.match.games import rule_set
from assistant.rules.ruleset import FreeRules
from tests.free_scores import Truth, judged, report
from vision.free.reading import FreeTableReader
from vision.photo.decoding import decode_photo
from vision.simulation.dataset import write_free_scene
from vision.simulation.free_compose import random_free_scene

SOURCES = ("assistant", "calibration", "vision", "tests/free_scores.py")


def scenes(out: Path, seed: int, count: int) -> Iterator[tuple[Path, dict[str, str]]]:
    """Yield the folder and the files of each simulated table, made where they are not there yet."""
    for number in range(seed, seed + count):
        entry = out / f"free-{number}" / "entry.json"
        if not entry.exists():
            files = write_free_scene(out, random_free_scene(number))
            write_file(entry, json.dumps(files).encode())
        yield out, json.loads(entry.read_bytes())


def listed(lists: Sequence[Path]) -> Iterator[tuple[Path, dict[str, str]]]:
    """Yield the folder and the files of each photo of some lists."""
    for path in lists:
        for entry in json.loads(path.read_bytes()):
            yield path.parent, entry


def sources_digest() -> str:
    """Return a short digest of the sources that read and judge."""
    root, digest = Path(__file__).parent.parent, hashlib.sha256()
    for name in SOURCES:
        for path in sorted((root / name).rglob("*.py")) or [root / name]:
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def read_and_judge(folder: Path, entry: dict[str, str], rules: FreeRules, pairs: int) -> dict[str, object]:
    """Return the result of one photo."""
    files = {name: (folder / entry[name]).read_bytes() for name in ("photo", "table", "camera", "roster", "truth")}
    roster = documents.roster_from_json(files["roster"])
    reader = FreeTableReader(
        documents.free_table_from_json((folder / entry["free_table"]).read_bytes()),
        roster,
        documents.table_from_json(files["table"]),
        documents.camera_from_json(files["camera"]),
    )
    photo = decode_photo(files["photo"])
    begun_s = time.perf_counter()
    seen = reader.read(photo).sighting
    took_s = time.perf_counter() - begun_s
    truth = Truth(documents.free_table_from_json(files["truth"]), roster)
    return {"photo": entry["photo"], "seconds": took_s, **judged(seen, truth, rules, pairs)}


@click.command()
@click.argument("out", type=click.Path(path_type=Path, file_okay=False))
@click.option("--seed", default=52_000, show_default=True, help="Of the first simulated table.")
@click.option("--count", default=100, show_default=True, help="How many simulated tables.")
@click.option("--list", "lists", type=click.Path(path_type=Path, exists=True), multiple=True, help="Other photos.")
@click.option("--pairs", default=0, help="At most so many pairs of each table are ruled on, drawn at random; 0: all.")
def main(*, out: Path, seed: int, count: int, lists: Sequence[Path], pairs: int) -> None:
    """Measure the reading of tables without a grid, with each photo's result stored in OUT."""
    rules = rule_set("roads", {})
    assert isinstance(rules, FreeRules)
    digest = sources_digest()
    results = []
    for number, (folder, entry) in enumerate(listed(lists) if lists else scenes(out, seed, count), 1):
        kept = out / "read" / f"{digest}-{pairs}" / f"{folder.name}-{entry['photo'].replace('/', '-')}.json"
        if not kept.exists():
            write_file(kept, json.dumps(read_and_judge(folder, entry, rules, pairs)).encode())
        results.append(json.loads(kept.read_bytes()))
        there, found = len(results[-1]["models"]), sum(one["found"] for one in results[-1]["models"])
        click.echo(f"{number}: {entry['photo']}, {found} of {there} found, {results[-1]['seconds']:.1f} s", err=True)
    for line in report(results):
        click.echo(line)


if __name__ == "__main__":
    main()
