"""From what the stages saw to an observation: names, places, and the board as the rules see it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assistant.table.board import EDGE_STRENGTH, Board, Door, EdgeKind, Figure
from assistant.table.lattice import Cell, Edge, edge_between
from assistant.table.observation import CameraSighting, Observation, SeenDoor, SeenFigure, SeenTile
from assistant.table.roster import Roster, RosterFigure
from vision.board_view import BoardView
from vision.doors import DoorSighting
from vision.figures import FigureSighting
from vision.lattice_fit import Lattice, normalized, relabel
from vision.prints import TilePrints
from vision.tiles import Placement, confidence_of, pose_of

UNKNOWN_SIDE = "unknown"
"""The side of a figure of unknown kind: nobody's, so that it can be asked about against either side."""

UNKNOWN_KIND = "figure"
"""What a figure of unknown kind is called by in a board."""

Change = tuple[int, int, int]
"""How cells are renamed, see ``lattice_fit.relabel``."""


@dataclass(frozen=True, eq=False)
class Seen:
    """What the stages saw, in the lattice that they worked in."""

    board: BoardView
    placements: Sequence[Placement]
    doors: Sequence[DoorSighting]
    figures: Sequence[FigureSighting]


def observation_of(seen: Seen, prints: TilePrints, roster: Roster) -> Observation:
    """The observation of one photo, in the normalised lattice."""
    view = seen.board.view
    lattice, change = normalized(seen.board.lattice, seen.board.cells)
    figures = _seen_figures(seen, roster, change)
    doors = sorted(seen.doors, key=lambda door: _moved_edge(door.edge, change))
    return Observation(
        camera=CameraSighting(view.reprojection_px, view.markers_seen),
        grid=lattice.grid,
        tiles=tuple(_seen_tile(p, seen.board.lattice, prints) for p in seen.placements),
        doors=tuple(_seen_door(door, seen.board.lattice) for door in doors),
        figures=tuple(figures),
        board=_board(seen, prints, roster, change, doors, figures),
    )


def _seen_tile(placement: Placement, lattice: Lattice, prints: TilePrints) -> SeenTile:
    pose = pose_of(placement, lattice, prints)
    side = prints.prints[placement.print_index].side
    return SeenTile(side.id, pose.center_mm, pose.rotation_deg, confidence_of(placement))


def _seen_door(door: DoorSighting, lattice: Lattice) -> SeenDoor:
    a, b = lattice.table_from_lattice(np.array([door.edge.start, door.edge.end], dtype=float))
    return SeenDoor((float(a[0]), float(a[1])), (float(b[0]), float(b[1])), door.confidence)


def _seen_figures(seen: Seen, roster: Roster, change: Change) -> list[SeenFigure]:
    """The figures by place; more of a kind than the box holds are left out, the least sure first."""
    in_box = Counter(figure.kind for figure in roster.figures)
    left = Counter(in_box)
    kept: list[tuple[FigureSighting, RosterFigure | None]] = []
    for sighting in sorted(seen.figures, key=lambda f: -f.confidence):
        if sighting.model is not None and left[sighting.model.kind] <= 0:
            continue
        if sighting.model is not None:
            left[sighting.model.kind] -= 1
        kept.append((sighting, sighting.model))
    found = [_seen_figure(sighting, model, in_box, seen.board, change) for sighting, model in kept]
    return sorted(found, key=lambda figure: (figure.cells, figure.center_mm))


def _seen_figure(
    sighting: FigureSighting, model: RosterFigure | None, in_box: Mapping[str, int], board: BoardView, change: Change
) -> SeenFigure:
    x, y = board.frame.table_from_frame(np.array([sighting.center_px]))[0]
    return SeenFigure(
        id=model.id if model is not None and in_box[model.kind] == 1 else None,
        kind=model.kind if model else None,
        ring=model.ring if model else None,
        center_mm=(float(x), float(y)),
        cells=tuple(sorted(relabel(cell, change) for cell in sighting.cells)),
        confidence=sighting.confidence,
    )


def _board(
    seen: Seen,
    prints: TilePrints,
    roster: Roster,
    change: Change,
    doors: Iterable[DoorSighting],
    figures: Sequence[SeenFigure],
) -> Board:
    edges: dict[Edge, EdgeKind] = {}
    difficult: set[Cell] = set()
    for placement in seen.placements:
        side = prints.prints[placement.print_index].side
        difficult |= {relabel(placement.cell_of(side, cell), change) for cell in side.difficult}
        for printed, kind in side.edges.items():
            edge = _moved_edge(placement.edge_of(side, printed), change)
            if edge not in edges or EDGE_STRENGTH[kind] > EDGE_STRENGTH[edges[edge]]:
                edges[edge] = kind
    return Board(
        cells=frozenset(relabel(cell, change) for cell in seen.board.cells),
        edges=dict(sorted(edges.items())),
        doors=tuple(Door(f"door-{n}", (_moved_edge(d.edge, change),)) for n, d in enumerate(doors, start=1)),
        figures=_named(figures, roster),
        difficult=frozenset(difficult),
        cell_mm=prints.tile_set.cell_mm,
    )


def _named(figures: Iterable[SeenFigure], roster: Roster) -> tuple[Figure, ...]:
    """The figures on the board by their own name or by kind and number, in the order of their places."""
    sides = {figure.kind: figure.side for figure in roster.figures}
    taken = {figure.id for figure in roster.figures}
    count: Counter[str] = Counter()
    named = []
    for figure in figures:
        if not figure.cells:
            continue
        kind = figure.kind or UNKNOWN_KIND
        name = figure.id
        while name is None or (figure.id is None and name in taken):
            count[kind] += 1
            name = f"{kind}~{count[kind]}"
        named.append(Figure(name, kind, sides.get(kind, UNKNOWN_SIDE), figure.cells))
    return tuple(named)


def _moved_edge(edge: Edge, change: Change) -> Edge:
    """An edge in the renamed lattice, by the two cells that it parts."""
    a, b = (relabel(cell, change) for cell in edge.cells)
    return edge_between(a, b)
