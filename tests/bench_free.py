"""How well tables without a grid are read: ``python -m tests.bench_free LIST...``.

Each list is one of ``sightline simulate --free``. Of every photo it is counted who was found, how far his middle is
from the truth, whether contact is right among bases less than 15 mm apart, where models look, and whether rulings that
are stated as sure (0.9 or more) are so on the true table: sight, cover, contact and the number of steps begun, for
pairs of different sides drawn at random, always the same.
"""

from __future__ import annotations

import json
import math
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path

import click
import numpy as np

from assistant import documents
from assistant.match.games import rule_set
from assistant.rules.free_distance import is_in_contact
from assistant.rules.free_doubt import judge_free_stability, same_answer
from assistant.rules.ruleset import FreeRules
from assistant.rules.ruling import Ruling
from assistant.table.free_sighting import FreeSighting
from assistant.table.free_table import FreeFigure, FreeTable
from assistant.table.roster import Roster
from vision.free.reading import FreeTableReader
from vision.photo import decode_photo

SURE = 0.9
FOUND_MM, NEAR_MM = 8.0, 15.0
TURNED_DEG = 15.0


@dataclass
class Tally:
    """What came of some photos."""

    counts: Counter[str] = field(default_factory=Counter)
    errors_mm: list[tuple[str, float, float]] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


def judge(folder: Path, entry: dict[str, str], rules: FreeRules, pairs: int, tally: Tally) -> None:
    """Reads one photo and counts what came of it."""
    files = {name: (folder / entry[name]).read_bytes() for name in entry}
    roster, truth = documents.roster_from_json(files["roster"]), documents.free_table_from_json(files["truth"])
    reader = FreeTableReader(
        documents.free_table_from_json(files["free_table"]),
        roster,
        documents.table_from_json(files["table"]),
        documents.camera_from_json(files["camera"]),
    )
    begun_s = time.perf_counter()
    seen = reader.read(decode_photo(files["photo"])).sighting
    tally.seconds.append(time.perf_counter() - begun_s)
    found = _found(seen, truth, roster)
    _count_places(seen, truth, roster, found, tally)
    _count_contacts(seen, truth, found, tally)
    _count_rulings(seen, truth, found, rules, pairs, (tally, entry["photo"]))


def _found(seen: FreeSighting, truth: FreeTable, roster: Roster) -> dict[str, str]:
    """The seen figure for each model that was found: the nearest with a base of its size and rim."""
    shapes = {f.id: (f.base_shape, f.base_size_mm, f.ring) for f in roster.figures}
    kinds = {f.kind: shapes[f.id] for f in roster.figures}
    near = sorted(
        (math.dist(seen.seen_at(a), _place(b)), a.id, b.id)
        for a in seen.table.figures
        for b in truth.figures
        if kinds.get(a.id.partition("~")[0], shapes.get(a.id)) == shapes[b.id]
    )
    found: dict[str, str] = {}
    for apart_mm, name, model in near:
        if apart_mm <= FOUND_MM and model not in found and name not in found.values():
            found[model] = name
    return found


def _place(figure: FreeFigure) -> tuple[float, float]:
    return float(figure.center_mm[0]), float(figure.center_mm[1])


def _count_places(seen: FreeSighting, truth: FreeTable, roster: Roster, found: dict[str, str], tally: Tally) -> None:
    box = {figure.id: figure for figure in roster.figures}
    for model in truth.figures:
        look = "bare" if box[model.id].ring is None else "painted"
        tally.counts[f"{look} models"] += 1
        if model.id not in found:
            continue
        tally.counts[f"{look} found"] += 1
        name = found[model.id]
        spot = seen.spots[name]
        tally.errors_mm.append((look, math.dist(seen.seen_at(seen.table.figure(name)), _place(model)), spot.error_mm))
        if box[model.id].mark:
            tally.counts["marked"] += 1
            if spot.facing_error_deg is not None:
                off = abs((float(seen.table.figure(name).facing_deg - model.facing_deg) + 180) % 360 - 180)
                tally.counts["facing told"] += 1
                tally.counts["facing wrong"] += off > TURNED_DEG
    nobody = set(seen.spots) - set(found.values())
    tally.counts["nobody there"] += len(nobody)
    tally.counts["nobody there, stated at 0.9"] += sum(seen.spots[name].confidence >= SURE for name in nobody)


def _count_contacts(seen: FreeSighting, truth: FreeTable, found: dict[str, str], tally: Tally) -> None:
    for a, b in combinations([model for model in truth.figures if model.id in found], 2):
        gap_mm = math.dist(_place(a), _place(b)) - float(a.radius_mm + b.radius_mm)
        if gap_mm < NEAR_MM and a.elevation_mm == b.elevation_mm:
            touches = is_in_contact(*(seen.table.figure(found[model.id]) for model in (a, b)))
            tally.counts["near pairs"] += 1
            tally.counts["in contact"] += is_in_contact(a, b)
            tally.counts["contact wrong"] += touches != is_in_contact(a, b)


def _count_rulings(
    seen: FreeSighting,
    truth: FreeTable,
    found: dict[str, str],
    rules: FreeRules,
    count: int,
    into: tuple[Tally, str],
) -> None:
    tally, photo = into
    named = {name: model for model, name in found.items()}
    called = replace(seen.table, figures=tuple(f for f in seen.table.figures))
    for attacker, defender in _pairs(called, count):
        ruling = judge_free_stability(rules, seen, rules.rule(called, attacker, defender))
        tally.counts["rulings"] += 1
        if ruling.stability < SURE:
            continue
        tally.counts["rulings stated at 0.9"] += 1
        wrong = "who it is"
        if attacker in named and defender in named:
            wrong = _wrong_about(ruling, rules.rule(truth, named[attacker], named[defender]))
        if wrong:
            tally.counts[f"rulings stated at 0.9 and wrong about {wrong}"] += 1
            tally.wrong.append(f"{photo}: {attacker} to {defender}, stated {ruling.stability:.2f}, wrong about {wrong}")


def _wrong_about(ruling: Ruling, true: Ruling) -> str:
    """What a ruling is wrong about; nothing where it is right."""
    if same_answer(ruling, true):
        return ""
    is_seen = (ruling.line_of_sight, ruling.cover) == (true.line_of_sight, true.cover)
    return "range" if is_seen else "sight"


def _pairs(table: FreeTable, count: int) -> list[tuple[str, str]]:
    pairs = [(a.id, b.id) for a in table.figures for b in table.figures if a.side != b.side]
    random.Random(7).shuffle(pairs)
    return pairs[:count]


def report(tally: Tally) -> Iterator[str]:
    """The figures, a line each."""
    for name, value in sorted(tally.counts.items()):
        yield f"{name}: {value}"
    for look in ("painted", "bare", ""):
        errors = np.array([(error, stated) for of, error, stated in tally.errors_mm if not look or of == look])
        if len(errors):
            median, most = np.percentile(errors[:, 0], [50, 95])
            z = np.percentile(errors[:, 0] / errors[:, 1], 95)
            name = look or "all"
            yield f"base centres, {name}: median {median:.2f} mm, 95 % {most:.2f} mm; 95 % within {z:.1f} stated errors"
    yield f"seconds a photo: median {np.median(tally.seconds):.1f}"
    yield from tally.wrong


@click.command()
@click.argument("lists", type=click.Path(path_type=Path, exists=True), nargs=-1, required=True)
@click.option("--pairs", default=40, help="How many pairs of each table are ruled on.")
def main(lists: Sequence[Path], pairs: int) -> None:
    """Measures the reading of tables without a grid on the photos of LISTS."""
    rules = rule_set("roads", {})
    assert isinstance(rules, FreeRules)
    tally = Tally()
    for path in lists:
        for entry in json.loads(path.read_bytes()):
            judge(path.parent, entry, rules, pairs, tally)
            click.echo(f"{entry['photo']}: {tally.seconds[-1]:.1f} s", err=True)
    for line in report(tally):
        click.echo(line)


if __name__ == "__main__":
    main()
