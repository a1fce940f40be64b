"""Choose figures and doors together: the likeliest set that can be true at once, by an integer program.

A place is the cells of a base with all sightings on them. At most one base stands on a cell, no door stands under a
base, and the box limits each kind and the doors. A figure too many of its kind becomes the next likely one of its
place, or one of unknown kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool
from scipy.optimize import Bounds, LinearConstraint, milp

from assistant.table.lattice import Cell, Edge
from assistant.table.roster import Roster
from calibration.arrays import Numbers
from vision.evidence.doors import DoorSighting
from vision.evidence.figures import FigureSighting
from vision.learned import BARELY_LIKELY, log_odds_of

_UNNAMED = 50.0
"""Penalty for choosing an unknown kind without evidence, as a divisor of the worth."""

_Bar = tuple[str, Cell | Edge | str]
"""A resource with a limited number of claims: a cell, an edge under a base, a kind, the doors."""


_DOORS: _Bar = ("doors", "")


class Chosen(NamedTuple):
    """The figures and doors that stand there, the surest first."""

    figures: list[FigureSighting]
    doors: list[DoorSighting]


class _Option(NamedTuple):
    """Something that may be chosen: what it is worth, and what it claims."""

    thing: FigureSighting | DoorSighting
    worth: float
    claims: frozenset[_Bar]


def choose_together(figures: Sequence[FigureSighting], doors: Sequence[DoorSighting], roster: Roster) -> Chosen:
    """The figures and doors with the greatest worth together; sightings may exclude each other."""
    options = [*_figure_options(figures), *_door_options(doors)]
    if not options:
        return Chosen([], [])
    in_box = Counter(figure.kind for figure in roster.figures)
    limits = dict.fromkeys((bar for option in options for bar in option.claims), 1)
    limits |= {bar: in_box[str(bar[1])] for bar in limits if bar[0] == "kind"}
    limits[_DOORS] = roster.doors.count
    taken = _solve(options, limits)
    found = [option.thing for option, is_taken in zip(options, taken, strict=True) if is_taken]
    return Chosen(
        sorted((f for f in found if isinstance(f, FigureSighting)), key=lambda f: (-f.confidence, f.cells)),
        sorted((d for d in found if isinstance(d, DoorSighting)), key=lambda d: (-d.confidence, d.edge)),
    )


def _figure_options(figures: Sequence[FigureSighting]) -> list[_Option]:
    """For each place on which rather somebody stands than nobody: who it may be."""
    places: dict[tuple[Cell, ...], list[FigureSighting]] = {}
    for figure in figures:
        places.setdefault(figure.cells, []).append(figure)
    options = []
    for cells, there in places.items():
        best = max(there, key=lambda f: f.log_odds)
        if best.log_odds <= 0:
            continue
        # A larger base is seen on more cells, and its parts look like smaller ones.
        worth = best.log_odds * len(cells) ** 0.5
        space: set[_Bar] = {("cell", cell) for cell in cells}
        space.update(("edge", edge) for edge in _edges_under(cells))
        for figure in there:
            of_kind: set[_Bar] = set() if figure.model is None else {("kind", figure.model.kind)}
            # However unlikely the kind is: that somebody stands there is not in question.
            less = 1 + best.log_odds - figure.log_odds
            stated = figure if figure is best else replace(figure, log_odds=max(figure.log_odds, BARELY_LIKELY))
            options.append(_Option(stated, worth / less, frozenset(space | of_kind)))
        if all(figure.model is not None for figure in there):
            options.append(
                _Option(replace(best, model=None, log_odds=BARELY_LIKELY), worth / _UNNAMED, frozenset(space))
            )
    return options


def _edges_under(cells: Sequence[Cell]) -> list[Edge]:
    """The edges between two cells of a base, on which no door can stand."""
    there = {*cells}
    down = [Edge((c, r + 1), (c + 1, r + 1)) for c, r in cells if (c, r + 1) in there]
    return down + [Edge((c + 1, r), (c + 1, r + 1)) for c, r in cells if (c + 1, r) in there]


def _door_options(doors: Sequence[DoorSighting]) -> list[_Option]:
    likely = ((door, log_odds_of(door.confidence)) for door in doors)
    return [_Option(d, odds, frozenset({("edge", d.edge), _DOORS})) for d, odds in likely if odds > 0]


def _solve(options: Sequence[_Option], limits: Mapping[_Bar, int]) -> Bool[Numbers, " n"]:
    """Which of the options make the greatest worth together."""
    index = {bar: i for i, bar in enumerate(limits)}
    claims = np.zeros((len(limits), len(options)))
    for column, option in enumerate(options):
        claims[[index[bar] for bar in option.claims], column] = 1
    solved = milp(
        -np.array([option.worth for option in options]),
        integrality=np.ones(len(options), dtype=np.int64),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(claims, ub=np.array(list(limits.values()), dtype=float)),
    )
    assert solved.x is not None, "to choose nothing is always possible"
    taken: Numbers = np.round(solved.x) == 1
    return taken
