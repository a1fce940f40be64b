"""The believed table as an observation, which the page draws and rulings are computed on."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from assistant.table.board import Board, Door, Figure
from assistant.table.doubt import Doubt, GroundDoubt, GroundVariant, Variant
from assistant.table.lattice import Edge
from assistant.table.observation import LatticePose, Observation, SeenFigure
from assistant.tracking.alignment import SAME, Renaming, find_renaming
from assistant.tracking.state import TrackedTable
from assistant.tracking.values import Cells

_EITHER = 0.5
"""Probability of a figure's name where the camera shows another kind: its track speaks for the name, its ring against
it."""


def estimate_table(table: TrackedTable) -> Observation:
    """Return the last reading with tracked figure names, in the table's fixed lattice."""
    reading, change, board = table.last[0], _find_renaming_of(table), table.board()
    stated = table.statements.on(board)
    names = {track.shown_by.cells: track.id for track in table.tracks.values() if track.shown_by is not None}
    misnamed, known = _find_misnamed(table, board), _names_on(reading, board, change)
    named = _list_named(reading.doubts, known, board, change)
    known_worlds = _list_named(reading.worlds, known, board, change)
    unquestioned = (world for world in known_worlds if misnamed.keys().isdisjoint(world.names))
    doubts, worlds = stated.settle_all(_with_misnamed(named, misnamed, board), unquestioned)
    return replace(
        _rename_reading(reading, change, names, board),
        doubts=doubts,
        ground_doubts=tuple(_rename_ground(doubt, change) for doubt in reading.ground_doubts),
        worlds=worlds,
    )


def reading_in_place(table: TrackedTable) -> Observation:
    """Return the last reading with its own figures and doors, without its doubts, in the table's fixed lattice."""
    reading, board = table.last
    return _rename_reading(reading, _find_renaming_of(table), {}, board)


def _find_renaming_of(table: TrackedTable) -> Renaming:
    return find_renaming(table.reference, table.last[0]) or SAME


def _rename_reading(reading: Observation, change: Renaming, names: Mapping[Cells, str], board: Board) -> Observation:
    """Return a reading in the table's fixed lattice, with that board and without doubts."""
    return replace(
        reading,
        grid=rename_lattice(change, reading.grid),
        figures=tuple(_rename_figure(figure, change, names) for figure in reading.figures),
        board=board,
        doubts=(),
        ground_doubts=(),
        covered=change.cells(reading.covered),
        fallen=tuple(replace(lying, cells=change.cells(lying.cells)) for lying in reading.fallen),
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


def _with_misnamed(doubts: Iterable[Doubt], misnamed: Mapping[str, Figure], board: Board) -> Iterator[Doubt]:
    """Yield the doubts, and for each figure that the camera shows as another kind that it may be this one."""
    doubted: set[str] = set()
    for doubt in doubts:
        doubted.update(doubt.about)
        shown = next((misnamed[name] for name in doubt.about if name in misnamed), None)
        yield doubt if shown is None else _against_ring(doubt, shown)
    for name in (name for name in misnamed if name not in doubted):
        certain = Doubt((name,), (Variant(1.0, (board.figure_by_id[name],)),))
        yield _against_ring(certain, misnamed[name])


def _list_named(doubts: Iterable[Doubt], known: _Names, board: Board, change: Renaming) -> Iterator[Doubt]:
    """Yield a reading's doubts under the board's names. Doubts about a piece that the board lacks are left out."""
    taken = {*(figure.id for figure in board.figures), *(door.id for door in board.doors)}
    for doubt in doubts:
        if not known.named.keys() >= set(doubt.about) or not taken.isdisjoint(doubt.names - set(doubt.about)):
            continue
        names = {name: known.named[name] for name in doubt.about}
        variants = tuple(_variant(variant, change, names) for variant in doubt.variants)
        for name in known.better.keys() & names.keys():
            variants = _with_kind_known(variants, known.better[name])
        # A variant may move a figure, and have another one in its place whose kind is now known to be the same.
        if all(len({f.id for f in variant.figures}) == len(variant.figures) for variant in variants):
            yield Doubt(tuple(names.values()), variants)


class _Names(NamedTuple):
    """The board's names for the pieces of a reading, and the figures whose kind the board knows better."""

    named: dict[str, str]
    better: dict[str, Figure]


def _names_on(reading: Observation, board: Board, change: Renaming) -> _Names:
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
    return _Names(named, known_better)


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
        figures = tuple(_of_known_kind(each, figure) for each in variant.figures)
        chances.setdefault((figures, variant.doors), []).append(variant.chance)
    return tuple(Variant(min(1.0, math.fsum(each)), *pieces) for pieces, each in chances.items())


def _of_known_kind(each: Figure, figure: Figure) -> Figure:
    if each.cells == figure.cells:
        return figure
    return replace(each, kind=figure.kind, side=figure.side) if each.id == figure.id else each


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
