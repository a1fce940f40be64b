"""What stands on the board: doors and figures judged together, with what else may be there.

Every place was judged by itself. Here they exclude each other: no two bases share a cell, no door stands under a
base, and the box holds only so many doors. What lost, but not by far, is kept as a rival or as a maybe.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from assistant.table.lattice import Cell
from assistant.table.roster import Roster
from vision.board_view import BoardView
from vision.doors import DoorSighting, judge_doors
from vision.figures import FigureSighting, judge_figures
from vision.looks import told_by_look
from vision.occupancy import Occupancy, find_occupancy
from vision.patches import patch_source

ACCEPT = 0.5
"""What is rather there than not is reported."""

_RIVALS = 3
_MAYBES = 6
"""So many of the likeliest things that were not reported are kept: each doubles the tables that may be."""

_LEAST_CHANCE = 0.03


@dataclass(frozen=True, eq=False)
class Standing:
    """What stands there.

    Args:
        doors: the doors, the surest first.
        figures: the figures with their rivals, the surest first; no two share a cell.
        maybe_doors: edges on which rather no door stands.
        maybe_figures: figures that rather do not stand there; none shares a cell with one that does.
        occupancy: what the network said of every cell.
    """

    doors: tuple[DoorSighting, ...]
    figures: tuple[FigureSighting, ...]
    maybe_doors: tuple[DoorSighting, ...]
    maybe_figures: tuple[FigureSighting, ...]
    occupancy: Occupancy


@dataclass(frozen=True, eq=False)
class PlaceEvidence:
    """What is thought of every place by itself, before one excludes the other.

    Args:
        doors: every edge on which a door may stand, the surest first.
        figures: every figure that may stand somewhere; many exclude each other.
        occupancy: what the network said of every cell.
    """

    doors: Sequence[DoorSighting]
    figures: Sequence[FigureSighting]
    occupancy: Occupancy


def find_standing(board: BoardView, roster: Roster) -> Standing:
    """The doors and figures on the board."""
    return choose_standing(judge_places(board, roster), roster)


def judge_places(board: BoardView, roster: Roster) -> PlaceEvidence:
    """What one photo tells of every place by itself."""
    source = patch_source(board, roster)
    with ThreadPoolExecutor(1) as second_core:
        judged_doors = second_core.submit(judge_doors, source, roster.doors)
        occupancy = find_occupancy(source)
        figures = told_by_look(judge_figures(board, roster, occupancy), board, roster)
    return PlaceEvidence(judged_doors.result(), figures, occupancy)


def choose_standing(places: PlaceEvidence, roster: Roster) -> Standing:
    """What stands there, all places together."""
    figures, maybe_figures = without_overlap(places.figures)
    under = {cell: index for index, figure in enumerate(figures) for cell in figure.cells}
    doors = [door for door in places.doors if not _is_under_a_base(door, under)]
    there = [door for door in doors if door.confidence >= ACCEPT][: roster.doors.count]
    maybe = [door for door in doors if door.confidence < ACCEPT and door.confidence >= _LEAST_CHANCE]
    return Standing(
        tuple(there), tuple(figures), tuple(maybe[:_MAYBES]), tuple(maybe_figures[:_MAYBES]), places.occupancy
    )


def _is_under_a_base(door: DoorSighting, under: dict[Cell, int]) -> bool:
    a, b = door.edge.cells
    return a in under and under[a] == under.get(b)


def without_overlap(found: Sequence[FigureSighting]) -> tuple[list[FigureSighting], list[FigureSighting]]:
    """The best sightings, and the best of those that are rather not there; large bases before small of equal odds."""
    taken: dict[Cell, int] = {}
    kept: list[FigureSighting] = []
    maybe: list[FigureSighting] = []
    rivals: dict[int, list[FigureSighting]] = {}
    for figure in sorted(found, key=lambda f: (-f.log_odds * len(f.cells) ** 0.5, f.cells)):
        over = sorted({taken[cell] for cell in figure.cells if cell in taken})
        if over:
            # Whoever would stand in the place of two figures says nothing about either.
            if len(over) == 1 and _differs(figure, kept[over[0]]):
                rivals.setdefault(over[0], []).append(figure)
        elif figure.confidence >= ACCEPT:
            taken.update(dict.fromkeys(figure.cells, len(kept)))
            kept.append(figure)
        elif figure.confidence >= _LEAST_CHANCE and not any({*figure.cells} & {*m.cells} for m in maybe):
            maybe.append(figure)
    free = [m for m in maybe if taken.keys().isdisjoint(m.cells)]
    return [replace(f, rivals=_best_rivals(f, rivals.get(i, ()))) for i, f in enumerate(kept)], free


def _differs(rival: FigureSighting, figure: FigureSighting) -> bool:
    """Whether the table would be another one with it."""
    return rival.cells != figure.cells or _kind(rival) != _kind(figure)


def _kind(figure: FigureSighting) -> str | None:
    return figure.model.kind if figure.model else None


def _best_rivals(figure: FigureSighting, rivals: Iterable[FigureSighting]) -> tuple[FigureSighting, ...]:
    seen: set[tuple[tuple[Cell, ...], str | None]] = set()
    best = []
    for rival in sorted(rivals, key=lambda f: -f.log_odds):
        if (rival.cells, _kind(rival)) not in seen and rival.log_odds <= figure.log_odds:
            seen.add((rival.cells, _kind(rival)))
            best.append(rival)
    return tuple(best[:_RIVALS])
