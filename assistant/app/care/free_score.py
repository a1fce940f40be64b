"""Compares the reading of a table without a grid with the real table."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations

from assistant.rules.free_distance import is_in_contact
from assistant.table.free_sighting import FreeSighting, FreeSpot
from assistant.table.free_table import FreeFigure, FreeTable
from assistant.table.roster import Roster, kind_of

MOVED_MM = 2.0
"""A person with a ruler finds a middle no better; what is nearer than this is nobody's mistake."""

TURNED_DEG = 15.0
"""As exactly as a person tells where a model looks."""


def list_free_mistakes(right: FreeTable, roster: Roster, read: FreeSighting) -> Iterator[str]:
    """Every difference between a table that was read and the right one, a line each, for developers.

    Two figures are one and the same where the middle of one lies within the other's base, the nearest first.

    Args:
        right: the right table.
        roster: the models of the box; a figure is named by its model's id, or as its kind with a number.
        read: what was read.
    """
    found = _paired(right, read.table)
    taken = {figure.id for figure in found.values()}
    for figure in right.figures:
        if figure.id not in found:
            yield f"missed {figure.id} {_at(figure)}"
            continue
        seen = found[figure.id]
        yield from _mistakes(figure, seen, read.spots.get(seen.id, FreeSpot(0.0)), roster)
    yield from (f"false {figure.id} {_at(figure)}" for figure in read.table.figures if figure.id not in taken)
    for a, b in combinations([figure for figure in right.figures if figure.id in found], 2):
        touch = is_in_contact(found[a.id], found[b.id])
        if touch != is_in_contact(a, b):
            yield f"{a.id} and {b.id} {'do not touch' if touch else 'touch'}"


def _mistakes(right: FreeFigure, seen: FreeFigure, spot: FreeSpot, roster: Roster) -> Iterator[str]:
    """What is wrong about one figure that was found."""
    kind, read_kind = _kind(right, roster), _kind(seen, roster)
    if None not in (kind, read_kind) and kind != read_kind and kind not in spot.kinds:
        yield f"{read_kind} {_at(seen)} is {kind}"
    off_mm = _apart_mm(right, seen)
    if off_mm > MOVED_MM:
        yield f"moved {right.id} {_at(right)}, read {off_mm:.1f} mm off"
    if right.elevation_mm != seen.elevation_mm:
        yield f"{right.id} stands {float(right.elevation_mm):g} mm high, read at {float(seen.elevation_mm):g} mm"
    turned_deg = abs((float(right.facing_deg - seen.facing_deg) + 180) % 360 - 180)
    if spot.facing_error_deg is not None and turned_deg > TURNED_DEG:
        yield f"{right.id} looks {turned_deg:.0f} degrees off"


def _paired(right: FreeTable, read: FreeTable) -> dict[str, FreeFigure]:
    """The figure that was read for each figure of the right table, by its name."""
    near = sorted(
        ((_apart_mm(a, b), a.id, b) for a in right.figures for b in read.figures if _is_same_place(a, b)),
        key=lambda pair: pair[:2],
    )
    found: dict[str, FreeFigure] = {}
    taken: set[str] = set()
    for _, name, figure in near:
        if name not in found and figure.id not in taken:
            found[name] = figure
            taken.add(figure.id)
    return found


def _is_same_place(a: FreeFigure, b: FreeFigure) -> bool:
    return _apart_mm(a, b) < float(min(a.base_mm, b.base_mm)) / 2


def _apart_mm(a: FreeFigure, b: FreeFigure) -> float:
    return math.dist(_place(a), _place(b))


def _place(figure: FreeFigure) -> tuple[float, float]:
    return float(figure.center_mm[0]), float(figure.center_mm[1])


def _at(figure: FreeFigure) -> str:
    return "({:.0f}, {:.0f})".format(*_place(figure))


def _kind(figure: FreeFigure, roster: Roster) -> str | None:
    """The kind of model by its name; None for a name that a person made up."""
    kinds = {model.id: model.kind for model in roster.figures}
    kind = kinds.get(figure.id, kind_of(figure.id))
    return kind if kind in kinds.values() else None
