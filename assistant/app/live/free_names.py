"""Carries figure names from one picture of a free table to the next, and measures moves."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping
from dataclasses import dataclass, replace

from assistant.rules.free_distance import is_in_contact
from assistant.table.free_sighting import FreeSighting
from assistant.table.free_table import FreeFigure, FreeTable
from assistant.table.roster import kind_of

STILL_ERRORS, STILL_MM = 4.0, 1.0
"""A figure did not move if it is within this multiple of both errors of its former place, plus these millimetres."""


@dataclass(frozen=True)
class SeenMove:
    """A measured move between two pictures."""

    figure: str
    start_mm: tuple[float, float]
    end_mm: tuple[float, float]
    length_mm: float
    error_mm: float
    steps: float
    touches: tuple[str, ...] = ()
    """The enemies in contact after the move, as after a charge."""


def renamed_after(before: FreeSighting | None, seen: FreeSighting) -> FreeSighting:
    """Rename the figures of a sighting to their names of the picture before.

    Within a kind, the nearest pairs match first. A surplus figure gets a new number.
    """
    if before is None:
        return seen
    pairs = sorted(
        (math.dist(before.seen_at(old), seen.seen_at(new)), old.id, new.id)
        for old in before.table.figures
        for new in seen.table.figures
        if kind_of(old.id) == kind_of(new.id)
    )
    names: dict[str, str] = {}
    for _, old, new in pairs:
        if new not in names and old not in names.values():
            names[new] = old
    taken = set(names.values())
    for figure in seen.table.figures:
        if figure.id not in names:
            names[figure.id] = free_name(kind_of(figure.id), taken)
            taken.add(names[figure.id])
    return renamed(seen, names)


def renamed(seen: FreeSighting, names: Mapping[str, str]) -> FreeSighting:
    """Rename some figures of a sighting."""

    def name(old: str) -> str:
        return names.get(old, old)

    figures = tuple(replace(figure, id=name(figure.id)) for figure in seen.table.figures)
    return replace(
        seen,
        table=replace(seen.table, figures=figures),
        spots={name(old): spot for old, spot in seen.spots.items()},
        seen_mm={name(old): place for old, place in seen.seen_mm.items()},
    )


def seen_by_match(table: FreeTable, seen: FreeSighting) -> FreeSighting:
    """Return the match's table with figures at their seen places, and the picture's terrain.

    Within a kind, the nearest pairs match first. A figure that the picture does not show stays where it was, because a
    hand over the table hides figures but removes none. Figures unknown to the match and possible unseen figures are
    left out.
    """
    named = renamed_after(FreeSighting(table), seen)
    figures = tuple(_place(figure, named) for figure in table.figures)
    return replace(named, table=replace(table, terrain=named.table.terrain, figures=figures), maybes=())


def _place(figure: FreeFigure, named: FreeSighting) -> FreeFigure:
    """Move a figure of the match to its seen place. Its facing changes only if it was seen too."""
    shown, spot = named.table.figure_by_id.get(figure.id), named.spots.get(figure.id)
    if shown is None:
        return figure
    moved = replace(figure, center_mm=shown.center_mm, elevation_mm=shown.elevation_mm)
    tells = shown.base_size_mm is not None or (spot is not None and spot.facing_error_deg is not None)
    return replace(moved, facing_deg=shown.facing_deg) if tells else moved


def measured_moves(before: FreeSighting | None, seen: FreeSighting) -> tuple[SeenMove, ...]:
    """Return the moves between two sightings with the same names."""
    if before is None:
        return ()
    moves = []
    for figure in seen.table.figures:
        old = before.table.figure_by_id.get(figure.id)
        if old is None:
            continue
        start, end = before.seen_at(old), seen.seen_at(figure)
        errors = [s.spots[figure.id].error_mm for s in (before, seen) if figure.id in s.spots]
        length, error = math.dist(start, end), math.hypot(*errors)
        if length > STILL_ERRORS * error + STILL_MM:
            steps = length / float(seen.table.step_mm)
            enemies = (other for other in seen.table.figures if other.side != figure.side)
            touched = tuple(other.id for other in enemies if is_in_contact(figure, other))
            moves.append(SeenMove(figure.id, start, end, length, error, steps, touched))
    return tuple(moves)


def free_name(kind: str, taken: Container[str]) -> str:
    """Return an unused name for a figure of a kind."""
    number = 1
    while f"{kind}~{number}" in taken:
        number += 1
    return f"{kind}~{number}"
