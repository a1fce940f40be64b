"""The believed table as an observation, which the page draws and rulings are computed on."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from assistant.table.board import Board, Door, Figure
from assistant.table.doubt import Doubt, GroundDoubt, GroundVariant, Variant, independent_doubts
from assistant.table.lattice import Edge
from assistant.table.observation import LatticePose, Observation, SeenFigure
from assistant.table.statements import StatedBoard
from assistant.tracking.alignment import SAME, Renaming, find_renaming
from assistant.tracking.state import TrackedTable
from assistant.tracking.values import Cells

_EITHER = 0.5
"""Probability of a figure's name where the camera shows another kind: its track speaks for the name, its ring against
it."""


def estimate_table(table: TrackedTable) -> Observation:
    """Return the last reading with tracked figure names, in the table's fixed lattice."""
    reading, change, board = table.last[0], _renaming_of(table), table.board()
    stated = table.statements.on(board)
    names = {track.shown_by.cells: track.id for track in table.tracks.values() if track.shown_by is not None}
    misnamed = _find_misnamed(table, board)
    doubts = tuple(_list_open_doubts(reading, stated, change, misnamed))
    ground_doubts = tuple(_rename_ground(doubt, change) for doubt in reading.ground_doubts)
    worlds = tuple(_list_open_worlds(reading, stated, change, misnamed))
    renamed = _renamed(reading, change, names, board)
    return replace(renamed, doubts=doubts, ground_doubts=ground_doubts, worlds=independent_doubts(worlds, doubts))


def reading_in_place(table: TrackedTable) -> Observation:
    """Return the last reading with its own figures and doors, without its doubts, in the table's fixed lattice."""
    reading, board = table.last
    return _renamed(reading, _renaming_of(table), {}, board)


def _renaming_of(table: TrackedTable) -> Renaming:
    return find_renaming(table.reference, table.last[0]) or SAME


def _renamed(reading: Observation, change: Renaming, names: Mapping[Cells, str], board: Board) -> Observation:
    """Return a reading in the table's fixed lattice, with that board and without doubts."""
    return replace(
        reading,
        grid=rename_lattice(change, reading.grid),
        figures=tuple(_rename_figure(figure, change, names) for figure in reading.figures),
        board=board,
        doubts=(),
        ground_doubts=(),
        covered=change.cells(reading.covered),
        worlds=(),
    )


def rename_lattice(change: Renaming, grid: LatticePose) -> LatticePose:
    """Return the same lattice on the table, with its cells renamed by the change."""
    if change == SAME:
        return grid
    angle_deg = grid.angle_deg - 90 * change.quarters
    c, s = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    x, y = change.shift
    origin_mm = (
        grid.origin_mm[0] - grid.cell_mm * (c * x - s * y),
        grid.origin_mm[1] - grid.cell_mm * (s * x + c * y),
    )
    return LatticePose(origin_mm, angle_deg, grid.cell_mm)


def _rename_figure(figure: SeenFigure, change: Renaming, names: Mapping[Cells, str]) -> SeenFigure:
    cells = change.cells(figure.cells)
    return replace(figure, cells=cells, id=names.get(cells, figure.id))


def _list_open_doubts(
    reading: Observation, stated: StatedBoard, change: Renaming, misnamed: Mapping[str, Figure]
) -> Iterator[Doubt]:
    """Yield the doubts under the board's names, without those that a person settled.

    Args:
        reading: the camera's last reading, with its doubts.
        stated: the board with people's statements.
        change: renames the cells of the reading.
        misnamed: the figures that the camera shows as another kind, as it shows them.
    """
    board = stated.board
    found = list(_list_named(reading.doubts, reading, board, change))
    doubted = {name for doubt in found for name in doubt.about}
    certain = (board.figure_by_id[name] for name in misnamed if name not in doubted)
    found += [Doubt((figure.id,), (Variant(1.0, (figure,)),)) for figure in certain]
    for doubt in found:
        shown = next((misnamed[name] for name in doubt.about if name in misnamed), None)
        left = stated.settle(doubt if shown is None else _against_ring(doubt, shown))
        if left is not None and len(left.variants) > 1:
            yield left


def _list_open_worlds(
    reading: Observation, stated: StatedBoard, change: Renaming, misnamed: Mapping[str, Figure]
) -> Iterator[Doubt]:
    """Yield the worlds of dependent places likewise, without those that name a figure shown as another kind."""
    for world in _list_named(reading.worlds, reading, stated.board, change):
        left = stated.settle(world) if misnamed.keys().isdisjoint(world.names) else None
        if left is not None and len(left.variants) > 1:
            yield left


def _list_named(doubts: Iterable[Doubt], reading: Observation, board: Board, change: Renaming) -> Iterator[Doubt]:
    """Yield a reading's doubts under the board's names. Doubts about a piece that the board has not are left out."""
    named, known_better = _names_on(reading, board, change)
    taken = {*(figure.id for figure in board.figures), *(door.id for door in board.doors)}
    for doubt in doubts:
        if not named.keys() >= set(doubt.about) or not taken.isdisjoint(doubt.names - set(doubt.about)):
            continue
        names = {name: named[name] for name in doubt.about}
        variants = tuple(_variant(variant, change, names) for variant in doubt.variants)
        for name in known_better.keys() & names.keys():
            variants = _with_kind_known(variants, known_better[name])
        if all(len({f.id for f in variant.figures}) == len(variant.figures) for variant in variants):
            yield Doubt(tuple(names.values()), variants)


def _names_on(reading: Observation, board: Board, change: Renaming) -> tuple[dict[str, str], dict[str, Figure]]:
    """Return the board's names for the pieces of a reading, and the figures that the board knows better."""
    figures = {figure.cells: figure for figure in board.figures}
    doors = {door.edges: door for door in board.doors}
    named: dict[str, str] = {}
    known_better: dict[str, Figure] = {}
    for figure in reading.board.figures:
        now = figures.get(change.cells(figure.cells))
        if now is None:
            continue
        named[figure.id] = now.id
        if (now.kind, now.side) != (figure.kind, figure.side):
            known_better[figure.id] = now
    for door in reading.board.doors:
        stands = doors.get(_edges(door, change))
        if stands is not None and stands.open == door.open:
            named[door.id] = stands.id
    return named, known_better


def _find_misnamed(table: TrackedTable, board: Board) -> dict[str, Figure]:
    """Return the figures that the camera shows as another kind, as it shows them, by name."""
    shown = ((figure, table.tracks[figure.id].shown_by) for figure in board.figures)
    return {
        figure.id: Figure(f"{figure.id}?", seen.kind, figure.side, figure.cells)
        for figure, seen in shown
        if seen is not None and seen.kind not in ("", figure.kind)
    }


def _against_ring(doubt: Doubt, shown: Figure) -> Doubt:
    """Return the doubt with the figure that the camera shows as an equally likely alternative."""
    first, *others = doubt.variants
    called = replace(first, chance=_EITHER * first.chance)
    return replace(doubt, variants=(called, Variant(first.chance - called.chance, (shown,)), *others))


def _with_kind_known(variants: tuple[Variant, ...], figure: Figure) -> tuple[Variant, ...]:
    """Return the variants of a figure whose kind is known, so that only its presence stays open."""
    chances: dict[tuple[tuple[Figure, ...], tuple[Door, ...]], list[float]] = {}
    for variant in variants:
        figures = tuple(figure if each.cells == figure.cells else each for each in variant.figures)
        chances.setdefault((figures, variant.doors), []).append(variant.chance)
    return tuple(Variant(min(1.0, math.fsum(each)), *pieces) for pieces, each in chances.items())


def _rename_ground(doubt: GroundDoubt, change: Renaming) -> GroundDoubt:
    def rename(variant: GroundVariant) -> GroundVariant:
        return replace(
            variant,
            cells=frozenset(change.cells(tuple(variant.cells))),
            edges={change.edge(edge): kind for edge, kind in variant.edges.items()},
            difficult=frozenset(change.cells(tuple(variant.difficult))),
        )

    return GroundDoubt(frozenset(change.cells(tuple(doubt.cells))), tuple(map(rename, doubt.variants)))


def _edges(door: Door, change: Renaming) -> tuple[Edge, ...]:
    return tuple(sorted(map(change.edge, door.edges)))


def _variant(variant: Variant, change: Renaming, names: Mapping[str, str]) -> Variant:
    figures = (replace(f, cells=change.cells(f.cells), id=names.get(f.id, f.id)) for f in variant.figures)
    doors = (replace(d, edges=_edges(d, change), id=names.get(d.id, d.id)) for d in variant.doors)
    return replace(variant, figures=tuple(figures), doors=tuple(doors))
