"""Doors and figures of one table as one scene: evidence for every place in, occupants out.

The evidence of a place is the chance, by the photo alone, of a figure there and of its kind. It becomes uncapped log
odds that ignore other places. One scale and shift per family calibrates them (Platt, Probabilistic Outputs for Support
Vector Machines, 1999). The scene weighs mutual exclusion and the limits of the box (``scene.model``). All reported
chances are those of its worlds.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from assistant.table.lattice import Cell, Edge
from assistant.table.roster import Roster
from vision.evidence.doors import DoorSighting
from vision.evidence.figures import FigureSighting, by_place, of_each_kind
from vision.learned import MOST_LOG_ODDS, learned_document, log_odds_of
from vision.scene.model import Hypothesis, TableScene
from vision.scene.parts import independent_parts
from vision.scene.solve import Worlds, find_worlds, likeliest

BEYOND_DOUBT = 0.995
"""Confidence above which nothing is a doubt. A dozen such figures and doors contain an error on one photo in thirty,
and few of these affect a ruling."""

_EXPLAINED = 1.0
"""Log odds that a door explains of a base of several cells if it hides all of their print. From 0 to 1.5 the tables of
the fit hardly differ (losses 25.5 to 26.0), and print behind a door is no evidence. For a base of one cell a fit finds
nothing to explain."""

Sighting = FigureSighting | DoorSighting

HiddenShares = Mapping[Edge, Mapping[Cell, float]]
"""The share of each cell's print, 0 to 1, that a door on each edge occludes. 0 for a missing edge or cell."""

_DOORS = "doors"
"""The kind of all doors. No figure's kind is a tuple or has this name."""

_LEAST_ABSENCE = math.exp(-MOST_LOG_ODDS)
"""Least chance of absence by the photo alone. The sightings of one place may add up to more than 1."""


class Platt(NamedTuple):
    """The calibration of one family: log odds times a scale, and a shift."""

    scale: float
    shift: float

    def __call__(self, log_odds: float) -> float:
        return self.scale * log_odds + self.shift


class SceneCalibration(NamedTuple):
    """The calibration of all families.

    Args:
        small: for a figure on one cell, its kind probably known.
        large: for a figure on several cells.
        plain: for a figure on one cell, its kind probably unknown.
        doors: for doors.
        kinds: the scale of the log shares of the kinds of one place.
        stranger: least share of a figure whose kind no ring or look reveals.
    """

    small: Platt
    large: Platt
    plain: Platt
    doors: Platt
    kinds: float
    stranger: float


@cache
def calibration() -> SceneCalibration:
    """Return the shipped numbers, from ``vision/data/calibration.json``."""
    document = learned_document("calibration.json")
    small, large, plain, doors = (Platt(*document[name]) for name in ("small", "large", "plain", "doors"))
    return SceneCalibration(small, large, plain, doors, float(document["kinds"]), float(document["stranger"]))


class TableWay(NamedTuple):
    """One outcome of dependent places, with its chance."""

    chance: float
    figures: tuple[FigureSighting, ...]
    doors: tuple[DoorSighting, ...]


class Settled(NamedTuple):
    """The occupants of a table. Every chance sums over all worlds.

    Args:
        figures: the figures of the likeliest table.
        doors: its doors.
        other_figures: all other hypothetical figures.
        other_doors: all other hypothetical doors.
        absence: for each figure of the likeliest table, the chance that all of its cells are empty.
        worlds: the outcomes of dependent places with figures, part by part, the likeliest table's outcome first. Parts
            are independent, or nearly (``scene.parts``). The chances of one part add up to 1. A group whose likeliest
            outcome is beyond doubt has no part.
    """

    figures: list[FigureSighting]
    doors: list[DoorSighting]
    other_figures: list[FigureSighting]
    other_doors: list[DoorSighting]
    absence: list[float]
    worlds: list[list[TableWay]]


def scene_of(
    figures: Iterable[FigureSighting],
    doors: Iterable[DoorSighting],
    roster: Roster,
    fitted: SceneCalibration | None = None,
    hidden: HiddenShares | None = None,
) -> TableScene[Sighting]:
    """Return the scene of one table.

    Args:
        figures: all candidate figures by the photo alone. Those on the same cells exclude each other.
        doors: every edge that allows a door.
        roster: the box.
        fitted: the calibration, by default the shipped one.
        hidden: what each likely door occludes. It explains print that would else speak for a base there.
    """
    by = fitted or calibration()
    box: dict[object, int] = {("kind", kind): n for kind, n in Counter(f.kind for f in roster.figures).items()}
    hypotheses: list[Hypothesis[Sighting]] = []
    for cells, there in by_place(figures).items():
        for figure, log_odds in _log_odds_of_place(there, by):
            kind = None if figure.kind is None else ("kind", figure.kind)
            hypotheses.append(Hypothesis(figure, log_odds, _places_under(cells), kind))
    for door in doors:
        hypotheses.append(Hypothesis(door, by.doors(log_odds_of(door.confidence)), frozenset([door.edge]), _DOORS))
    return TableScene(hypotheses, {**box, _DOORS: roster.doors.count}, dict(_explained(hypotheses, hidden or {})))


def _explained(
    hypotheses: Sequence[Hypothesis[Sighting]], hidden: HiddenShares
) -> Iterator[tuple[tuple[int, int], float]]:
    """Yield a pair term for each base of several cells and each door that occludes print there. Figures come first."""
    doors = [(index, h.thing.edge) for index, h in enumerate(hypotheses) if isinstance(h.thing, DoorSighting)]
    for index, hypothesis in enumerate(hypotheses):
        if isinstance(hypothesis.thing, DoorSighting) or len(hypothesis.thing.cells) == 1:
            continue
        cells = hypothesis.thing.cells
        for door, edge in doors:
            shares = hidden.get(edge, {})
            if share := sum(shares.get(cell, 0.0) for cell in cells) / len(cells):
                yield (index, door), -_EXPLAINED * share


def with_somebody(scene: TableScene[Sighting], somebody: Iterable[FigureSighting]) -> TableScene[Sighting]:
    """Return the scene with each of these figures of unknown kind at least as likely as it states."""
    hypotheses = list(scene.hypotheses)
    known = {
        hypothesis.thing.cells: index
        for index, hypothesis in enumerate(hypotheses)
        if isinstance(hypothesis.thing, FigureSighting) and hypothesis.thing.model is None
    }
    for figure in somebody:
        index = known.get(figure.cells)
        if index is None:
            hypotheses.append(Hypothesis(figure, figure.log_odds, _places_under(figure.cells)))
        elif hypotheses[index].log_odds < figure.log_odds:
            hypotheses[index] = replace(hypotheses[index], log_odds=figure.log_odds)
    return replace(scene, hypotheses=hypotheses)


def _log_odds_of_place(there: Sequence[FigureSighting], by: SceneCalibration) -> Iterator[tuple[FigureSighting, float]]:
    """Yield each candidate's log odds against empty cells, a figure of unknown kind always included.

    The candidates share the chance of any figure there. So a kind that the box no longer holds leaves it to the others.
    """
    known = [figure for figure in of_each_kind(there) if figure.model is not None]
    left_open = math.fsum(figure.confidence for figure in there if figure.model is None)
    best = max((figure.confidence for figure in known), default=0.0)
    somebody = left_open + math.fsum(figure.confidence for figure in known)
    family = by.large if len(there[0].cells) > 1 else by.small if best >= left_open else by.plain
    odds = family(log_odds_of(min(somebody, 1 - _LEAST_ABSENCE)) + max(figure.beyond for figure in there))
    weights = [figure.confidence**by.kinds for figure in known]
    stranger = max(left_open / somebody, by.stranger) if known else 1.0
    for figure, weight in zip(known, weights, strict=True):
        yield figure, odds + math.log(weight / math.fsum(weights) * (1 - stranger))
    yield replace(next((f for f in there if f.model is None), there[0]), model=None), odds + math.log(stranger)


def _places_under(cells: Sequence[Cell]) -> frozenset[Hashable]:
    """Return the cells of a base, and the edges between two of them, where no door can stand."""
    there = {*cells}
    down = [Edge((c, r + 1), (c + 1, r + 1)) for c, r in cells if (c, r + 1) in there]
    right = [Edge((c + 1, r), (c + 1, r + 1)) for c, r in cells if (c + 1, r) in there]
    return frozenset([*cells, *down, *right])


def settle(scene: TableScene[Sighting]) -> Settled:
    """Return the likeliest table, and the chances of everything in it and beside it."""
    worlds = find_worlds(scene)
    chance: dict[int, float] = {}
    for group in worlds:
        chance |= group.chances()
    best = {*likeliest(scene)}
    settled = Settled([], [], [], [], [], _worlds_of_figures(scene, worlds, best))
    for index, hypothesis in enumerate(scene.hypotheses):
        thing = hypothesis.thing
        if isinstance(thing, DoorSighting):
            doors = settled.doors if index in best else settled.other_doors
            doors.append(replace(thing, confidence=chance[index]))
            continue
        figures = settled.figures if index in best else settled.other_figures
        figures.append(replace(thing, log_odds=log_odds_of(chance[index])))
        if index in best:
            settled.absence.append(_absence(scene, worlds, thing.cells))
    return settled


def _worlds_of_figures(scene: TableScene[Sighting], worlds: Iterable[Worlds], best: set[int]) -> list[list[TableWay]]:
    """Return the outcomes of each part with figures, for all groups whose likeliest table is not beyond doubt."""
    found = []
    for group in worlds:
        if all(isinstance(scene.hypotheses[index].thing, DoorSighting) for index in group.indices):
            continue
        if _chance_of(group, best) < BEYOND_DOUBT:
            whole = independent_parts(scene, group, _mask_of(group, best))
            parts = (_ways_of(scene, part, best) for part in whole)
            found += [ways for ways in parts if any(way.figures for way in ways)]
    return found


def _ways_of(scene: TableScene[Sighting], part: Worlds, best: set[int]) -> list[TableWay]:
    """Return the outcomes of a part, the likeliest table's first, or nothing if they lack that one."""
    now = _mask_of(part, best)
    ways = sorted(part.ways, key=lambda way: way.so != now)
    things = {index: scene.hypotheses[index].thing for index in part.indices}
    each = [_way_of(way.chance, [thing for index, thing in things.items() if index in way]) for way in ways]
    return each if ways[0].so == now else []


def _chance_of(group: Worlds, best: set[int]) -> float:
    now = _mask_of(group, best)
    return math.fsum(way.chance for way in group.ways if way.so == now)


def _mask_of(group: Worlds, best: set[int]) -> int:
    return sum(1 << index for index in best.intersection(group.indices))


def _way_of(chance: float, things: Sequence[Sighting]) -> TableWay:
    figures = tuple(thing for thing in things if isinstance(thing, FigureSighting))
    return TableWay(chance, figures, tuple(thing for thing in things if isinstance(thing, DoorSighting)))


def _absence(scene: TableScene[Sighting], worlds: Iterable[Worlds], cells: Iterable[Cell]) -> float:
    """Return the chance that the cells of one figure are all empty. Its rivals belong to its own part of a group."""
    over = sum(1 << index for index in {i for cell in cells for i in scene.by_place.get(cell, ())})
    return math.prod(
        math.fsum(way.chance for way in part if not way.so & over) for group in worlds for part in group.parts
    )
