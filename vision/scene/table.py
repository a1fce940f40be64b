"""Doors and figures of one table as one scene: what the photo says of every place in, what stands there out.

The evidence of a place is the chance by the photo alone that somebody stands there, and who; it becomes log odds that
are uncapped and know nothing of other places. One calibration a family, a scale and a shift, makes them chances that
hold (Platt, Probabilistic Outputs for Support Vector Machines, 1999). What excludes each other, and what the box
holds, is the scene's to weigh (``scene.model``); all chances that are reported are those of its worlds.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from assistant.table.lattice import Cell, Edge
from assistant.table.roster import Roster
from vision.evidence.doors import DoorSighting
from vision.evidence.figures import FigureSighting
from vision.learned import MOST_LOG_ODDS, learned_document, log_odds_of
from vision.scene.model import Hypothesis, TableScene
from vision.scene.solve import Worlds, find_worlds, likeliest

_MOST_WAYS, _LEFT_OUT = 64, 0.005
"""Ways of one group that are reported, and the most chance that the others may have: else it would be lost."""

Sighting = FigureSighting | DoorSighting

_DOORS = "doors"
"""The kind of all doors; no figure's kind is a tuple, and none is called so."""

_LEAST_ABSENCE = math.exp(-MOST_LOG_ODDS)
"""Nothing is surer by the photo alone than that: the sightings of one place may come to more than 1."""


class Platt(NamedTuple):
    """The calibration of one family: log odds times a scale, and a shift."""

    scale: float
    shift: float

    def __call__(self, log_odds: float) -> float:
        return self.scale * log_odds + self.shift


class Calibration(NamedTuple):
    """The calibration of all families.

    Args:
        small: of somebody on one cell whose kind is rather known.
        large: of somebody on several.
        plain: of somebody whose kind is rather not known, on any cells.
        doors: of doors.
        kinds: the scale of the logarithms of the shares that the kinds of one place have.
        stranger: least share of somebody whose kind no ring or look tells.
    """

    small: Platt
    large: Platt
    plain: Platt
    doors: Platt
    kinds: float
    stranger: float


@cache
def calibration() -> Calibration:
    """Return the shipped numbers, from ``vision/data/calibration.json``."""
    document = learned_document("calibration.json")
    small, large, plain, doors = (Platt(*document[name]) for name in ("small", "large", "plain", "doors"))
    return Calibration(small, large, plain, doors, float(document["kinds"]), float(document["stranger"]))


class TableWay(NamedTuple):
    """One way in which places that depend on each other are settled, with its chance."""

    chance: float
    figures: tuple[FigureSighting, ...]
    doors: tuple[DoorSighting, ...]


class Settled(NamedTuple):
    """What stands on a table; every chance is that by all of its worlds.

    Args:
        figures: the figures of the likeliest table.
        doors: its doors.
        other_figures: all other figures that were thought of.
        other_doors: all other doors.
        absence: of each figure of the likeliest table the chance that nobody stands on any of its cells.
        worlds: how each group of places with figures may be settled, but for the largest: the likeliest table's way
            first. Groups are independent; the chances of one add up to 1.
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
    fitted: Calibration | None = None,
) -> TableScene[Sighting]:
    """Return the scene of one table.

    Args:
        figures: everybody who may stand somewhere, by the photo alone; those on the same cells exclude each other.
        doors: every edge on which a door may stand.
        roster: the box.
        fitted: the calibration, by default the shipped one.
    """
    by = fitted or calibration()
    box: dict[object, int] = {("kind", kind): n for kind, n in Counter(f.kind for f in roster.figures).items()}
    places: dict[tuple[Cell, ...], list[FigureSighting]] = {}
    for figure in figures:
        places.setdefault(figure.cells, []).append(figure)
    hypotheses: list[Hypothesis[Sighting]] = []
    for cells, there in places.items():
        claimed = frozenset[object]({*cells, *_edges_under(cells)})
        for figure, log_odds in _log_odds_of_place(_Place.of(there), by):
            kind = None if figure.kind is None else ("kind", figure.kind)
            hypotheses.append(Hypothesis(figure, log_odds, claimed, kind))
    for door in doors:
        hypotheses.append(Hypothesis(door, by.doors(log_odds_of(door.confidence)), frozenset([door.edge]), _DOORS))
    return TableScene(hypotheses, {**box, _DOORS: roster.doors.count})


class _Place(NamedTuple):
    """What the photo says of one place.

    Args:
        there: everybody who may stand on the same cells.
        known: the likeliest of each known kind.
        best: the chance of the likeliest kind.
        others: that of all other known kinds together.
        left_open: that of somebody of no known kind.
        by_looks: whether looks that were taught tell the share of each kind.
    """

    there: Sequence[FigureSighting]
    known: Sequence[FigureSighting]
    best: float
    others: float
    left_open: float
    by_looks: bool

    @classmethod
    def of(cls, there: Sequence[FigureSighting]) -> _Place:
        known = _of_each_kind(there)
        best = max((figure.confidence for figure in known), default=0.0)
        others = math.fsum(figure.confidence for figure in known) - best
        left_open = math.fsum(figure.confidence for figure in there if figure.model is None)
        by_looks = any(figure.model is not None and figure.model.look is not None for figure in known)
        return cls(there, known, best, others, left_open, by_looks)

    @property
    def somebody(self) -> float:
        """The chance of anybody; without looks the other kinds share what is left open."""
        return self.best + self.left_open + (self.others if self.by_looks else 0.0)

    @property
    def log_odds(self) -> float:
        """The log odds of anybody."""
        return log_odds_of(min(self.somebody, 1 - _LEAST_ABSENCE))


def _log_odds_of_place(place: _Place, by: Calibration) -> Iterator[tuple[FigureSighting, float]]:
    """Yield the log odds of each against nobody on the same cells; somebody of no known kind is always thought of.

    By rings, the likeliest kind and what is left open are all that speaks for anybody: the other kinds share what is
    left open. Looks that were taught tell the share of each kind.
    """
    there, known, best, others, left_open, by_looks = place
    of_kind = by.small if len(there[0].cells) == 1 else by.large
    odds = (of_kind if best >= left_open else by.plain)(place.log_odds)
    part = min(1.0, left_open / others) if others and left_open and not by_looks else 1.0
    weights = [(f.confidence if f.confidence == best else part * f.confidence) ** by.kinds for f in known]
    unknown = left_open if by_looks else left_open - part * others
    stranger = max(unknown / place.somebody, by.stranger) if known else 1.0
    for figure, weight in zip(known, weights, strict=True):
        yield figure, odds + math.log(weight / math.fsum(weights) * (1 - stranger))
    yield replace(next((f for f in there if f.model is None), there[0]), model=None), odds + math.log(stranger)


def _of_each_kind(there: Iterable[FigureSighting]) -> list[FigureSighting]:
    """The likeliest sighting of each known kind; rings of one kind are no rivals, so it has the chance of all."""
    found: dict[str, FigureSighting] = {}
    for figure in there:
        if figure.model is not None:
            other = found.get(figure.model.kind)
            both = figure.confidence + (other.confidence if other else 0.0)
            likelier = figure if other is None or figure.log_odds > other.log_odds else other
            found[figure.model.kind] = replace(likelier, log_odds=log_odds_of(both)) if other else figure
    return list(found.values())


def _edges_under(cells: Sequence[Cell]) -> list[Edge]:
    """Return the edges between two cells of a base, on which no door can stand."""
    there = {*cells}
    down = [Edge((c, r + 1), (c + 1, r + 1)) for c, r in cells if (c, r + 1) in there]
    return down + [Edge((c + 1, r), (c + 1, r + 1)) for c, r in cells if (c + 1, r) in there]


def settle(scene: TableScene[Sighting]) -> Settled:
    """Return the likeliest table, and the chances of everything in it and of all else."""
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
    """The groups with figures, each with its likeliest ways, unless these leave out much or the likeliest table."""
    found = []
    for group in worlds:
        things = {index: scene.hypotheses[index].thing for index in group.indices}
        if all(isinstance(thing, DoorSighting) for thing in things.values()):
            continue
        now = sum(1 << index for index in best.intersection(group.indices))
        ways = sorted(group.ways[:_MOST_WAYS], key=lambda way: way.so != now)
        whole = math.fsum(way.chance for way in ways)
        if ways[0].so == now and whole >= 1 - _LEFT_OUT:
            found.append([_way_of(way.chance / whole, [things[i] for i in group.indices if i in way]) for way in ways])
    return found


def _way_of(chance: float, things: Sequence[Sighting]) -> TableWay:
    figures = tuple(thing for thing in things if isinstance(thing, FigureSighting))
    return TableWay(chance, figures, tuple(thing for thing in things if isinstance(thing, DoorSighting)))


def _absence(scene: TableScene[Sighting], worlds: Iterable[Worlds], cells: Iterable[Cell]) -> float:
    """Return the chance that nobody stands on any of these cells."""
    over = {index for cell in cells for index in scene.by_place.get(cell, ())}
    absent = 1.0
    for group in worlds:
        if mine := sum(1 << index for index in over.intersection(group.indices)):
            absent *= math.fsum(way.chance for way in group.ways if not way.so & mine)
    return absent
