"""The occupants of the board: doors and figures judged together, with their rivals.

Every place was judged by itself. Here they exclude each other (``scene.table``): no two bases share a cell, no door
stands under a base, and the box limits each kind. A candidate that was not chosen stays as a rival of the chosen one,
or as a figure that may be there after all: a candidate left out could not make a ruling less sure.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from assistant.table.lattice import Cell
from assistant.table.roster import Roster
from vision.evidence.doors import DoorSighting, judge_doors
from vision.evidence.figures import FigureSighting, judge_figures
from vision.evidence.looks import apply_looks
from vision.evidence.occupancy import Occupancy, find_occupancy
from vision.evidence.patches import patch_source
from vision.learned import log_odds_of
from vision.scene.door_faces import apply_door_faces
from vision.scene.same_kind import apply_same_kind
from vision.scene.table import Settled, TableWay, scene_of, settle
from vision.tiles.board_view import BoardView

ACCEPT = 0.5
"""What is rather there than not is reported."""

LEAST_CHANCE = 0.002
"""Least chance to report a candidate by itself: below it there would be thirty doors on a photo. Together these add up
to at least 1 in 20 on 35 ray-traced photos, so faint doors count for the likeliest one near by; figures to half."""

_NEAR_CELLS = 3
"""Group size in cells for merging faint doors: a sight line passes them together."""

_RIVALS = 4
_LEAST_RIVAL = 0.01
"""Most rivals kept in a place, and their least chance; the rest is redistributed."""


@dataclass(frozen=True, eq=False)
class Standing:
    """What stands there.

    Args:
        doors: the doors, the surest first.
        figures: the figures with their rivals, the surest first; no two share a cell.
        maybe_doors: edges on which rather no door stands.
        maybe_figures: figures that rather do not stand there, with rivals; none shares a cell with one that does, or
            with another of them.
        occupancy: what the network said of every cell.
        worlds: how places with figures that depend on each other may be settled (``scene.table``).
    """

    doors: tuple[DoorSighting, ...]
    figures: tuple[FigureSighting, ...]
    maybe_doors: tuple[DoorSighting, ...]
    maybe_figures: tuple[FigureSighting, ...]
    occupancy: Occupancy
    worlds: Sequence[Sequence[TableWay]] = ()


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
    """Return the doors and figures on the board."""
    return choose_standing(judge_places(board, roster), roster)


def judge_places(board: BoardView, roster: Roster) -> PlaceEvidence:
    """What one photo tells of every place by itself."""
    source = patch_source(board, roster)
    with ThreadPoolExecutor(1) as second_core:
        judged_doors = second_core.submit(judge_doors, source, roster.doors)
        occupancy = find_occupancy(source, roster)
        by_look = apply_looks(judge_figures(board, roster, occupancy), board, roster)
        figures = apply_same_kind(by_look, board, roster)
    doors = apply_door_faces(judged_doors.result(), board, roster.doors)
    return PlaceEvidence(doors, figures, occupancy)


def choose_standing(places: PlaceEvidence, roster: Roster) -> Standing:
    """What stands there, all places together."""
    return standing_of(settle(scene_of(places.figures, places.doors, roster)), places.occupancy)


def standing_of(settled: Settled, occupancy: Occupancy) -> Standing:
    """Return the occupants as the page has them: each figure with its rivals, and what may be there after all."""
    order = sorted(range(len(settled.figures)), key=lambda i: (-settled.figures[i].log_odds, settled.figures[i].cells))
    figures, absence = [settled.figures[i] for i in order], [settled.absence[i] for i in order]
    taken = {cell: index for index, figure in enumerate(figures) for cell in figure.cells}
    rivals: dict[int, list[FigureSighting]] = {}
    maybe: list[FigureSighting] = []
    for other in sorted(settled.other_figures, key=lambda f: (-f.log_odds, f.cells)):
        over = {taken[cell] for cell in other.cells if cell in taken}
        if over:
            rivals.setdefault(max(over), []).append(other)
        elif other.confidence >= LEAST_CHANCE:
            maybe.append(other)
    named = [
        replace(figure, rivals=_against_absence(figure, rivals.get(index, ()), absent))
        for index, (figure, absent) in enumerate(zip(figures, absence, strict=True))
    ]
    doors = sorted(settled.doors, key=lambda door: (-door.confidence, door.edge))
    open_doors = [door for door in settled.other_doors if not _is_under_a_base(door, taken)]
    maybe_doors, maybe_figures = tuple(gathered(open_doors)), tuple(_apart(maybe))
    return Standing(tuple(doors), tuple(named), maybe_doors, maybe_figures, occupancy, settled.worlds)


def _against_absence(
    figure: FigureSighting, others: Iterable[FigureSighting], absent: float
) -> tuple[FigureSighting, ...]:
    """Return the likeliest rivals of a figure, their log odds against nobody in its place."""
    seen = {(figure.cells, figure.kind)}
    best: list[FigureSighting] = []
    for other in others:
        if (other.cells, other.kind) not in seen and other.confidence >= _LEAST_RIVAL and len(best) < _RIVALS:
            seen.add((other.cells, other.kind))
            best.append(other)
    nobody = max(absent, _LEAST_RIVAL / 100)
    return tuple(replace(rival, log_odds=math.log(rival.confidence / nobody)) for rival in best)


def gathered(maybe: Iterable[DoorSighting]) -> list[DoorSighting]:
    """The doors that may be there, the likeliest first; the faint ones near each other as one, where it is likeliest.

    No chance is lost: each faint door adds its own to the one that stands for its group.
    """
    kept: list[DoorSighting] = []
    faint: dict[tuple[int, int], list[DoorSighting]] = {}
    for door in maybe:
        if door.confidence >= LEAST_CHANCE:
            kept.append(door)
        else:
            x, y = door.edge.start
            faint.setdefault((x // _NEAR_CELLS, y // _NEAR_CELLS), []).append(door)
    for near in faint.values():
        likeliest = max(near, key=lambda door: (door.confidence, door.edge))
        kept.append(replace(likeliest, confidence=math.fsum(door.confidence for door in near)))
    return sorted((door for door in kept if door.confidence > 0), key=lambda door: (-door.confidence, door.edge))


def _is_under_a_base(door: DoorSighting, under: dict[Cell, int]) -> bool:
    a, b = door.edge.cells
    return a in under and under[a] == under.get(b)


def _apart(maybe: Iterable[FigureSighting]) -> list[FigureSighting]:
    """The likeliest that share no cell, with the others as rivals of the likeliest in whose place they would stand.

    What is too unlikely for a rival still makes it likelier that somebody stands there.
    """
    first: dict[Cell, int] = {}
    kept: list[FigureSighting] = []
    over: list[list[FigureSighting]] = []
    for figure in maybe:
        before = [first[cell] for cell in figure.cells if cell in first]
        if before:
            over[min(before)].append(figure)
        else:
            first.update(dict.fromkeys(figure.cells, len(kept)))
            kept.append(figure)
            over.append([])
    found = []
    for figure, others in zip(kept, over, strict=True):
        rivals = _best_rivals(figure, others)
        rest = math.fsum(other.confidence for other in others) - math.fsum(rival.confidence for rival in rivals)
        odds = log_odds_of(min(figure.confidence + max(rest, 0.0), ACCEPT))
        found.append(replace(figure, log_odds=max(odds, figure.log_odds), rivals=rivals))
    return found


def _best_rivals(figure: FigureSighting, rivals: Iterable[FigureSighting]) -> tuple[FigureSighting, ...]:
    """Return the likeliest of them, none of them likelier than the figure is."""
    seen: set[tuple[tuple[Cell, ...], str | None]] = set()
    best = []
    for rival in sorted(rivals, key=lambda f: -f.log_odds):
        if rival.confidence >= _LEAST_RIVAL and (rival.cells, rival.kind) not in seen:
            seen.add((rival.cells, rival.kind))
            best.append(replace(rival, log_odds=min(rival.log_odds, figure.log_odds)))
    return tuple(best[:_RIVALS])
