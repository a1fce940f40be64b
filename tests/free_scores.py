"""Scores of a reading of a table without a grid against the truth; ``bench_free`` sums them over photos."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from assistant.rules.free_distance import is_in_contact
from assistant.rules.free_flips import judge_free_stability, same_answer
from assistant.rules.ruleset import FreeRules
from assistant.rules.ruling import Ruling
from assistant.table.free_sighting import FreeSighting
from assistant.table.free_table import FreeFigure, FreeTable
from assistant.table.plane import nearest_between
from assistant.table.roster import Roster

SURE = 0.9
FOUND_MM, NEAR_MM = 8.0, 15.0
TURNED_DEG = 15.0

LOOKS = ("ring", "bare", "round", "rectangle", "ring round", "ring rectangle", "bare round", "bare rectangle")


@dataclass(frozen=True)
class Truth:
    """The true table, and the roster of its box."""

    table: FreeTable
    roster: Roster


def judged(seen: FreeSighting, truth: Truth, rules: FreeRules, pairs: int) -> dict[str, Any]:
    """Return the right and wrong parts of a sighting, as a document; ``pairs`` 0 rules on all of them."""
    found = _found(seen, truth)
    nobody = sorted(set(seen.spots) - set(found.values()))
    return {
        "models": [_model(model, seen, truth, found) for model in truth.table.figures],
        "nobody": [seen.spots[name].confidence for name in nobody],
        "maybes": [_maybe_is_right(place, seen, truth, found) for place in range(len(seen.maybes))],
        "near": list(_near_pairs(seen, truth, found)),
        "rulings": list(_rulings(seen, truth, found, rules, pairs)),
    }


def _found(seen: FreeSighting, truth: Truth) -> dict[str, str]:
    """Return the seen figure for each model that was found: the nearest with a base of its size and rim."""
    shapes = {f.id: (f.base_shape, f.base_size_mm, f.ring) for f in truth.roster.figures}
    kinds = {f.kind: shapes[f.id] for f in truth.roster.figures}
    near = sorted(
        (math.dist(seen.seen_at(a), _place(b)), a.id, b.id)
        for a in seen.table.figures
        for b in truth.table.figures
        if kinds.get(a.id.partition("~")[0], shapes.get(a.id)) == shapes[b.id]
    )
    found: dict[str, str] = {}
    for apart_mm, name, model in near:
        if apart_mm <= FOUND_MM and model not in found and name not in found.values():
            found[model] = name
    return found


def _place(figure: FreeFigure) -> tuple[float, float]:
    return float(figure.center_mm[0]), float(figure.center_mm[1])


def _model(model: FreeFigure, seen: FreeSighting, truth: Truth, found: Mapping[str, str]) -> dict[str, Any]:
    box = {figure.id: figure for figure in truth.roster.figures}[model.id]
    told: dict[str, Any] = {
        "id": model.id,
        "rim": "bare" if box.ring is None else "ring",
        "shape": box.base_shape,
        "found": model.id in found,
        "is_marked": bool(box.mark),
    }
    if model.id in found:
        figure, spot = seen.table.figure(found[model.id]), seen.spots[found[model.id]]
        told |= {"off_mm": math.dist(seen.seen_at(figure), _place(model)), "error_mm": spot.error_mm}
        told |= {"confidence": spot.confidence, "kinds": len(spot.kinds)}
        if box.mark and spot.facing_error_deg is not None:
            told["turned_deg"] = abs((float(figure.facing_deg - model.facing_deg) + 180) % 360 - 180)
    return told


def _maybe_is_right(number: int, seen: FreeSighting, truth: Truth, found: Mapping[str, str]) -> list[float | bool]:
    """Return the chance of an unseen figure in a place, and whether one is there."""
    maybe = seen.maybes[number]
    lost = [model for model in truth.table.figures if model.id not in found]
    return [maybe.chance, any(math.dist(_place(maybe.figure), _place(model)) < FOUND_MM for model in lost)]


def _near_pairs(seen: FreeSighting, truth: Truth, found: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Yield for each two near bases whether they touch, and whether and how surely the reading says so."""
    for a, b in combinations(truth.table.figures, 2):
        if a.elevation_mm == b.elevation_mm and _gap_mm(a, b) < NEAR_MM:
            pair: dict[str, Any] = {"ids": [a.id, b.id], "touch": is_in_contact(a, b), "gap_mm": _gap_mm(a, b)}
            if a.id in found and b.id in found:
                names = found[a.id], found[b.id]
                pair["told"] = is_in_contact(*map(seen.table.figure, names))
                alike = [is_in_contact(*map(table.figure, names)) for table in seen.lookalikes_with(*names)]
                pair["stability"] = sum(touch == pair["told"] for touch in alike) / len(alike)
            yield pair


def _gap_mm(a: FreeFigure, b: FreeFigure) -> float:
    (ax, ay), (bx, by) = nearest_between(a.core_mm, b.core_mm)
    return math.hypot(float(ax - bx), float(ay - by)) - float(a.radius_mm + b.radius_mm)


def _rulings(
    seen: FreeSighting, truth: Truth, found: Mapping[str, str], rules: FreeRules, count: int
) -> Iterator[list[Any]]:
    """Yield for each pair how sure its ruling is, and the error of a sure one."""
    named = {name: model for model, name in found.items()}
    for attacker, defender in _pairs(seen.table, count):
        ruling = judge_free_stability(rules, seen, rules.rule(seen.table, attacker, defender))
        wrong = ""
        if ruling.stability >= SURE:
            wrong = "who it is"
            if attacker in named and defender in named:
                wrong = _wrong_about(ruling, rules.rule(truth.table, named[attacker], named[defender]))
        yield [round(ruling.stability, 3), wrong, f"{attacker} to {defender}" if wrong else ""]


def _wrong_about(ruling: Ruling, true: Ruling) -> str:
    """Return a ruling's error, or empty for a right one."""
    if same_answer(ruling, true):
        return ""
    is_seen = (ruling.line_of_sight, ruling.cover) == (true.line_of_sight, true.cover)
    return "range" if is_seen else "sight"


def _pairs(table: FreeTable, count: int) -> list[tuple[str, str]]:
    pairs = [(a.id, b.id) for a in table.figures for b in table.figures if a.side != b.side]
    random.Random(7).shuffle(pairs)
    return pairs[:count] if count else pairs


def report(results: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the figures of some photos, a line each."""
    models = [model for result in results for model in result["models"]]
    yield f"tables: {len(results)}, models: {len(models)}"
    for look in LOOKS:
        yield from _look_lines(look, [one for one in models if set(look.split()) <= {one["rim"], one["shape"]}])
    yield from _look_lines("all", models)
    nobody = [chance for result in results for chance in result["nobody"]]
    yield f"nobody there: {len(nobody)}, {sum(chance >= SURE for chance in nobody)} of them stated at 0.9 or more"
    maybes = [maybe for result in results for maybe in result["maybes"]]
    yield (
        f"told as a maybe: {len(maybes)}, {sum(there for _, there in maybes)} there, "
        f"{sum(chance for chance, _ in maybes):.1f} expected"
    )
    yield from _facing_lines(models)
    yield from _contact_lines([pair for result in results for pair in result["near"]])
    yield from _ruling_lines(results)
    yield f"seconds a photo: median {np.median([result['seconds'] for result in results]):.1f}"


def _look_lines(look: str, models: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    found = [model for model in models if model["found"]]
    if not found:
        return
    off = np.array([model["off_mm"] for model in found])
    stated = np.array([model["error_mm"] for model in found])
    median, most = np.percentile(off, [50, 95])
    sure = sum(model["confidence"] * max(1, model["kinds"]) >= SURE for model in found)
    yield (
        f"{look}: {len(found)} of {len(models)} found ({len(found) / len(models):.1%}), {sure} at 0.9 or more; middle "
        f"median {median:.2f} mm, 95 % {most:.2f} mm, 95 % within {np.percentile(off / stated, 95):.1f} stated errors"
    )


def _facing_lines(models: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    marked = [model for model in models if model["is_marked"] and model["found"]]
    turned = np.array([model["turned_deg"] for model in marked if "turned_deg" in model])
    if len(turned):
        median, most = np.percentile(turned, [50, 95])
        yield (
            f"facing: stated for {len(turned)} of {len(marked)} with a mark; median {median:.1f}°, 95 % {most:.1f}°, "
            f"{int((turned > TURNED_DEG).sum())} out by more than {TURNED_DEG:.0f}°"
        )


def _contact_lines(near: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    told = [pair for pair in near if "told" in pair]
    right = sum(pair["told"] == pair["touch"] for pair in told)
    sure = [pair for pair in told if pair["stability"] >= SURE]
    wrong = sum(pair["told"] != pair["touch"] for pair in sure)
    yield (
        f"contact: right in {right} of {len(told)} near pairs ({right / max(1, len(told)):.1%}), of which "
        f"{sum(pair['touch'] for pair in told)} touch; {len(near) - len(told)} more with one that was not found; "
        f"{len(sure)} stated at 0.9 or more, {wrong} of them wrong"
    )


def _ruling_lines(results: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    rulings = [ruling for result in results for ruling in result["rulings"]]
    sure = [wrong for stability, wrong, _ in rulings if stability >= SURE]
    wrong = Counter(wrong for wrong in sure if wrong)
    names = ", ".join(f"{count} about {what}" for what, count in sorted(wrong.items())) or "none"
    yield f"rulings: {len(rulings)}, {len(sure)} stated at 0.9 or more, of these wrong: {names}"
    for result in results:
        for stability, what, pair in result["rulings"]:
            if what:
                yield f"{result['photo']}: {pair}, stated {stability:.2f}, wrong about {what}"
