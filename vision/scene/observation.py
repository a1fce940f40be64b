"""Build an observation from the results of the stages: names, places, and the board for the rules."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from assistant.table.board import UNKNOWN_SIDE, Board, Door, Figure
from assistant.table.doubt import Doubt, Variant, independent_doubts
from assistant.table.lattice import Cell, connected_groups
from assistant.table.observation import (
    CameraSighting,
    FallenFigure,
    LightSighting,
    Observation,
    SeenDoor,
    SeenFigure,
    SeenTile,
)
from assistant.table.roster import Roster, RosterFigure
from vision.evidence.doors import DoorSighting
from vision.evidence.figures import FigureSighting
from vision.evidence.hidden_print import QuietDifference
from vision.scene.ground_doubts import LatticeChange, SeenGround, ground_doubts, moved_edge, printed_terrain
from vision.scene.table import BEYOND_DOUBT, TableWay
from vision.tiles.board_view import BoardView
from vision.tiles.lattice_fit import Lattice, normalize_lattice, relabel
from vision.tiles.placements import Pose, TilePlacement, cells_of, confidence_of, lying_chance
from vision.tiles.prints import TilePrints

UNKNOWN_KIND = "figure"
"""The kind on the board of a figure of unknown kind."""

_LEAST_NOTHING = 0.1
"""Least chance that neither a maybe nor any of its rivals is there. Greater sums are scaled down."""


@dataclass(frozen=True, eq=False)
class StageResults:
    """The results of the stages, in their working lattice."""

    board: BoardView
    placements: Sequence[TilePlacement]
    doors: Sequence[DoorSighting]
    figures: Sequence[FigureSighting]
    maybe_doors: Sequence[DoorSighting] = ()
    maybe_figures: Sequence[FigureSighting] = ()
    unknown_tiles: Sequence[frozenset[Cell]] = ()
    possible_tiles: Sequence[TilePlacement] = ()
    hidden_tiles: Sequence[frozenset[Cell]] = ()
    worlds: Sequence[Sequence[TableWay]] = ()
    covered: frozenset[Cell] = frozenset()
    lain_across: Mapping[Cell, float] = field(default_factory=dict)
    """The cells that a fallen figure rather lies across than not, and the chance."""
    sizes: Roster | None = None
    """The roster with the sizes of bases that the photo shows."""
    quiet: QuietDifference | None = None
    """The difference of photo and print where the photo shows the print alone."""
    assumed: frozenset[tuple[Cell, ...]] = frozenset()
    """Places of figures that nobody sees. A watched table assumes a figure there while one is missing."""


def observation_of(seen: StageResults, prints: TilePrints, roster: Roster) -> Observation:
    """Return the observation of one photo, in the normalised lattice."""
    lattice, change = normalize_lattice(seen.board.lattice, seen.board.cells)
    reports = _report_figures(seen, roster, change, _ground(seen.placements, prints))
    doors = sorted(seen.doors, key=lambda door: moved_edge(door.edge, change))
    board = _board(seen, prints, change, doors, reports)
    doubts = _doubts(seen, roster, change, board, doors, reports)
    return Observation(
        camera=camera_sighting(seen.board),
        grid=lattice.grid,
        tiles=tuple(_seen_tile(p, pose, prints) for p, pose in zip(seen.placements, seen.board.poses, strict=True)),
        doors=tuple(_seen_door(door, seen.board.lattice) for door in doors),
        figures=tuple(figure.seen for figure in reports),
        board=board,
        doubts=doubts,
        ground_doubts=ground_doubts(
            SeenGround(seen.placements, seen.unknown_tiles, seen.possible_tiles, seen.hidden_tiles),
            prints,
            change,
            board,
        ),
        unknown_tiles=tuple(tuple(sorted(relabel(cell, change) for cell in group)) for group in seen.unknown_tiles),
        worlds=_worlds(seen.worlds, board, roster, change, doubts),
        covered=tuple(sorted(relabel(cell, change) for cell in seen.covered)),
        fallen=_fallen(seen.lain_across, change),
    )


def _fallen(lain_across: Mapping[Cell, float], change: LatticeChange) -> tuple[FallenFigure, ...]:
    """Return each group of touching cells as one fallen figure."""
    groups = [
        (sorted(relabel(cell, change) for cell in group), max(lain_across[cell] for cell in group))
        for group in connected_groups(lain_across)
    ]
    return tuple(FallenFigure(tuple(cells), chance) for cells, chance in sorted(groups))


def camera_sighting(board: BoardView) -> CameraSighting:
    """Return how the pose was found. For a pose by the tiles alone, also the certainty of focal length and light."""
    view, paper = board.view, board.paper
    if not view.tiles_seen:
        return CameraSighting(view.reprojection_px, view.markers_seen, marker_scale=view.marker_scale)
    light = None
    if paper is not None and paper.uncertainty is not None:
        light = LightSighting("paper" if paper.sheets else "prints", paper.uncertainty)
    return CameraSighting(view.reprojection_px, view.markers_seen, view.tiles_seen, view.focal_uncertainty, light)


def _seen_tile(placement: TilePlacement, pose: Pose, prints: TilePrints) -> SeenTile:
    side = prints.prints[placement.print_index].side
    return SeenTile(side.id, pose.center_mm, pose.rotation_deg, confidence_of(placement))


def _seen_door(door: DoorSighting, lattice: Lattice) -> SeenDoor:
    a, b = lattice.table_from_lattice(np.array([door.edge.start, door.edge.end], dtype=float))
    return SeenDoor((float(a[0]), float(a[1])), (float(b[0]), float(b[1])), door.confidence)


@dataclass(frozen=True)
class _FigureReport:
    """A figure in three forms: as a sighting, in the observation, and on the board."""

    sighting: FigureSighting
    seen: SeenFigure
    figure: Figure


def _ground(placements: Iterable[TilePlacement], prints: TilePrints) -> dict[Cell, float]:
    """Return each cell's chance that its tile, or a rival of it, lies there."""
    return {cell: lying_chance(placement) for placement in placements for cell in cells_of(placement, prints)}


def _report_figures(
    seen: StageResults, roster: Roster, change: LatticeChange, ground: Mapping[Cell, float]
) -> list[_FigureReport]:
    """Return the figures by place. If there are too many of a kind, the least sure become another kind."""
    in_box = Counter(figure.kind for figure in roster.figures)
    left = Counter(in_box)
    kept: list[tuple[FigureSighting, SeenFigure]] = []
    for sighting in sorted(seen.figures, key=lambda f: -f.confidence):
        model = left_in_box(sighting, left)
        if model is not None:
            left[model.kind] -= 1
        named = replace(sighting, model=model)
        stands = min((ground.get(cell, 1.0) for cell in named.cells), default=1.0)
        figure = _seen_figure(named, model, in_box, seen.board, change)
        # A figure is no surer than the tile under it.
        kept.append((named, replace(figure, confidence=min(figure.confidence, stands))))
    kept.sort(key=lambda pair: (pair[1].cells, pair[1].center_mm))
    names = _names([figure for _, figure in kept], roster)
    sides = {figure.kind: figure.side for figure in roster.figures}
    return [
        _FigureReport(sighting, figure, _figure(name, sighting, figure.cells, sides))
        for (sighting, figure), name in zip(kept, names, strict=True)
    ]


def left_in_box(sighting: FigureSighting, left: Mapping[str, int]) -> RosterFigure | None:
    """Return the likeliest model still left in the box, or None if no model is likelier."""
    rivals = (rival for rival in sighting.rivals if rival.cells == sighting.cells)
    for candidate in (sighting, *rivals):
        if candidate.model is None or left[candidate.model.kind] > 0:
            return candidate.model
    return None


def _figure(name: str, sighting: FigureSighting, cells: tuple[Cell, ...], sides: Mapping[str, str]) -> Figure:
    kind = sighting.kind or UNKNOWN_KIND
    return Figure(name, kind, sides.get(kind, UNKNOWN_SIDE), cells)


def _seen_figure(
    sighting: FigureSighting,
    model: RosterFigure | None,
    in_box: Mapping[str, int],
    board: BoardView,
    change: LatticeChange,
) -> SeenFigure:
    x, y = board.frame.table_from_frame(np.array([sighting.center_px]))[0]
    return SeenFigure(
        id=model.id if model is not None and in_box[model.kind] == 1 else None,
        kind=model.kind if model else None,
        ring=model.ring if model else None,
        center_mm=(float(x), float(y)),
        cells=_moved_cells(sighting, change),
        confidence=sighting.confidence,
    )


def _board(
    seen: StageResults,
    prints: TilePrints,
    change: LatticeChange,
    doors: Iterable[DoorSighting],
    figures: Sequence[_FigureReport],
) -> Board:
    edges, difficult = printed_terrain(seen.placements, prints, change)
    return Board(
        cells=frozenset(relabel(cell, change) for cell in seen.board.cells),
        edges=edges,
        doors=tuple(Door(f"door-{n}", (moved_edge(d.edge, change),)) for n, d in enumerate(doors, start=1)),
        figures=tuple(report.figure for report in figures),
        difficult=difficult,
        cell_mm=prints.tile_set.cell_mm,
    )


def _names(figures: Iterable[SeenFigure], roster: Roster) -> list[str]:
    """Return the names of the figures on the board: their own name, or kind and number."""
    taken = {figure.id for figure in roster.figures}
    count: Counter[str] = Counter()
    names = []
    for figure in figures:
        kind = figure.kind or UNKNOWN_KIND
        name = figure.id
        while name is None or (figure.id is None and name in taken):
            count[kind] += 1
            name = f"{kind}~{count[kind]}"
        names.append(name)
    return names


def _doubts(
    seen: StageResults,
    roster: Roster,
    change: LatticeChange,
    board: Board,
    doors: Sequence[DoorSighting],
    figures: Sequence[_FigureReport],
) -> tuple[Doubt, ...]:
    """Return the doubts: doors and figures that may be absent, elsewhere, or additionally present."""
    sides = {figure.kind: figure.side for figure in roster.figures}
    doubts = []
    for report in figures:
        if report.seen.confidence < BEYOND_DOUBT:
            doubts.append(_figure_doubt(report, change, sides))
    for door, sighting in zip(board.doors, doors, strict=True):
        if sighting.confidence < BEYOND_DOUBT:
            there, away = Variant(sighting.confidence, (), (door,)), Variant(1 - sighting.confidence)
            doubts.append(Doubt((door.id,), (there, away)))
    for number, sighting in enumerate(seen.maybe_doors, start=1):
        door = Door(f"door?{number}", (moved_edge(sighting.edge, change),))
        doubts.append(Doubt((), (Variant(1 - sighting.confidence), Variant(sighting.confidence, (), (door,)))))
    for number, maybe in enumerate(seen.maybe_figures, start=1):
        doubts.append(_maybe_doubt(f"figure?{number}", maybe, change, sides))
    return tuple(doubts)


def _worlds(
    groups: Sequence[Sequence[TableWay]], board: Board, roster: Roster, change: LatticeChange, doubts: Iterable[Doubt]
) -> tuple[Doubt, ...]:
    """Return the independent doubts: one for each group of places, and those of all other places."""
    namer = _Namer(board, {figure.kind: figure.side for figure in roster.figures}, change)
    worlds = (_world(group, namer) for group in groups)
    return independent_doubts([world for world in worlds if _is_on(board, world)], doubts)


def _is_on(board: Board, world: Doubt) -> bool:
    """Return whether the board has the first variant's pieces, and no other piece that a variant names.

    A figure kept under a hand may take the only place of its kind in the box, and the board says another kind then.
    """
    names = {*(figure.id for figure in board.figures), *(door.id for door in board.doors)}
    return {*world.variants[0].figures} <= {*board.figures} and world.names & names == {*world.about}


def _world(group: Sequence[TableWay], namer: _Namer) -> Doubt:
    """Return a group of places as a doubt. Each variant lists all pieces of one world."""
    chances: dict[tuple[tuple[Figure, ...], tuple[Door, ...]], float] = {}
    for way in group:
        pieces = namer.figures(way.figures), tuple(namer.door(door) for door in way.doors)
        chances[pieces] = chances.get(pieces, 0.0) + way.chance
    variants = tuple(Variant(chance, *pieces) for pieces, chance in chances.items())
    first = variants[0]
    return Doubt((*(f.id for f in first.figures), *(door.id for door in first.doors)), variants)


class _Namer:
    """Names pieces as the board does, and gives every other piece a name of its own."""

    def __init__(self, board: Board, sides: Mapping[str, str], change: LatticeChange) -> None:
        self._figures = {figure.cells: figure for figure in board.figures}
        self._doors = {edge: door for door in board.doors for edge in door.edges}
        self._sides = sides
        self._change = change
        self._others: dict[tuple[tuple[Cell, ...], str], str] = {}

    def figures(self, sightings: Iterable[FigureSighting]) -> tuple[Figure, ...]:
        """Return the sorted figures of one world.

        A figure of the board's kind beside its place is that figure, moved.
        """
        found = []
        for sighting in sightings:
            cells, kind = _moved_cells(sighting, self._change), sighting.kind or UNKNOWN_KIND
            there = self._figures.get(cells)
            if there is not None and there.kind == kind:
                found.append(there)
                continue
            name = self._others.setdefault((cells, kind), f"figure?{len(self._others) + 1}*")
            found.append(_figure(name, sighting, cells, self._sides))
        taken = {figure.id for figure in found}
        return tuple(sorted((self._moved(figure, taken) for figure in found), key=lambda figure: figure.cells))

    def _moved(self, figure: Figure, taken: set[str]) -> Figure:
        beside = (self._figures[cells] for cells in self._figures if not set(cells).isdisjoint(figure.cells))
        was = next((one for one in beside if one.kind == figure.kind and one.id not in taken), None)
        if was is None or was.kind == UNKNOWN_KIND or figure.id in self._names:
            return figure
        taken.add(was.id)
        return replace(figure, id=was.id)

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(figure.id for figure in self._figures.values())

    def door(self, sighting: DoorSighting) -> Door:
        edge = moved_edge(sighting.edge, self._change)
        return self._doors.setdefault(edge, Door(f"door?{len(self._doors) + 1}*", (edge,)))


def _maybe_doubt(name: str, maybe: FigureSighting, change: LatticeChange, sides: Mapping[str, str]) -> Doubt:
    """Return the variants: nobody, or one of the possible figures."""
    each = (maybe, *maybe.rivals)
    total = sum(one.confidence for one in each)
    scale = min(1.0, (1 - _LEAST_NOTHING) / total)
    variants = [Variant(1 - scale * total)]
    for number, one in enumerate(each):
        figure = _figure(f"{name}-{number}" if number else name, one, _moved_cells(one, change), sides)
        variants.append(Variant(scale * one.confidence, (figure,)))
    return Doubt((), tuple(variants))


def _figure_doubt(report: _FigureReport, change: LatticeChange, sides: Mapping[str, str]) -> Doubt:
    """Return variants: as seen, each rival, absent. The remainder is split by odds."""
    left = 1 - report.sighting.confidence
    odds = [math.exp(rival.log_odds) for rival in report.sighting.rivals]
    share = left / (1 + sum(odds))
    variants = [Variant(report.seen.confidence, (report.figure,))]
    for number, (rival, rival_odds) in enumerate(zip(report.sighting.rivals, odds, strict=True), start=1):
        is_same = rival.kind == report.seen.kind
        name = report.figure.id if is_same else f"{report.figure.id}?{number}"
        figure = _figure(name, rival, _moved_cells(rival, change), sides)
        variants.append(Variant(share * rival_odds, (figure,)))
    on_another_tile = report.sighting.confidence - report.seen.confidence
    return Doubt((report.figure.id,), (*variants, Variant(share + on_another_tile)))


def _moved_cells(sighting: FigureSighting, change: LatticeChange) -> tuple[Cell, ...]:
    """Return the cells of a figure in the renamed lattice, sorted."""
    return tuple(sorted(relabel(cell, change) for cell in sighting.cells))
