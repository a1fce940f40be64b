"""Doubts about the ground: tiles that may be others, or away, and tiles that may lie beside the board."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from assistant.table.board import EDGE_STRENGTH, Board, EdgeKind
from assistant.table.doubt import GroundDoubt, GroundVariant
from assistant.table.lattice import Cell, Edge, edge_between, sides
from vision.tiles.lattice_fit import relabel
from vision.tiles.placements import TilePlacement, cells_of, confidence_of, lying_chance
from vision.tiles.prints import TilePrints

_LEAST_CHANCE = 0.01
"""Least chance to report: at most tables some other print is a thousand times less likely."""

_LEAST_MORE = 0.05
"""A tile beside the board is reported from this chance on: of all ways to lay the box one always comes near to that."""

_UNKNOWN_MATTERS = 0.5
"""Nobody knows what is printed on a tile that is in no set: a line of sight through it is as likely open as closed."""

LatticeChange = tuple[int, int, int]
"""How cells are renamed, see ``lattice_fit.relabel``."""


def printed_terrain(
    placements: Iterable[TilePlacement], prints: TilePrints, change: LatticeChange
) -> tuple[dict[Edge, EdgeKind], frozenset[Cell]]:
    """Return the lines that are printed on some tiles, of two on one edge the stronger, and the difficult cells."""
    edges: dict[Edge, EdgeKind] = {}
    difficult: set[Cell] = set()
    for placement in placements:
        side = prints.prints[placement.print_index].side
        difficult |= {relabel(placement.cell_of(side, cell), change) for cell in side.difficult}
        for printed, kind in side.edges.items():
            edge = moved_edge(placement.edge_of(side, printed), change)
            if edge not in edges or EDGE_STRENGTH[kind] > EDGE_STRENGTH[edges[edge]]:
                edges[edge] = kind
    return dict(sorted(edges.items())), frozenset(difficult)


def moved_edge(edge: Edge, change: LatticeChange) -> Edge:
    """Return the name of an edge in the normalised lattice."""
    a, b = edge.cells
    return edge_between(relabel(a, change), relabel(b, change))


class SeenGround(NamedTuple):
    """What the photo shows of the ground, in the lattice of the placements.

    Args:
        placements: the tiles, with the prints that may lie in their places.
        unknown: groups of cells beside the board that look printed.
        possible: tiles that may lie beside the board, with their log odds.
    """

    placements: Sequence[TilePlacement]
    unknown: Sequence[frozenset[Cell]] = ()
    possible: Sequence[TilePlacement] = ()


def ground_doubts(seen: SeenGround, prints: TilePrints, change: LatticeChange, board: Board) -> tuple[GroundDoubt, ...]:
    """What the ground may be besides what the board says.

    Args:
        seen: what the photo shows of it.
        prints: the tile set.
        change: how the cells are renamed.
        board: the board that the tiles make.
    """
    found = []
    for index, placement in enumerate(seen.placements):
        cells = frozenset(relabel(cell, change) for cell in cells_of(placement, prints))
        others = [*seen.placements[:index], *seen.placements[index + 1 :]]
        variants = tuple(_variants_of(placement, others, cells, prints, change, board))
        if variants:
            found.append(GroundDoubt(cells, variants, _name(placement, prints)))
    return (*found, *_beside(seen, prints, change, board))


def _beside(seen: SeenGround, prints: TilePrints, change: LatticeChange, board: Board) -> Iterator[GroundDoubt]:
    """What may lie beside the board: of the tiles that share a cell the likeliest, and what is in no set."""
    groups = [frozenset(relabel(cell, change) for cell in group) for group in seen.unknown]
    taken: frozenset[Cell] = frozenset()
    for tile in sorted(seen.possible, key=lambda tile: (-confidence_of(tile), tile.print_index, tile.corner)):
        cells = frozenset(relabel(cell, change) for cell in cells_of(tile, prints))
        if lying_chance(tile) < _LEAST_MORE or cells & taken:
            continue
        here = [group for group in groups if group & cells]
        groups = [group for group in groups if not group & cells]
        taken |= cells.union(*here)
        strange = (_strange(cells.union(*here), (1 - lying_chance(tile)) * _UNKNOWN_MATTERS, board) for _ in here[:1])
        yield GroundDoubt(cells.union(*here), (*_more(tile, seen.placements, prints, change), *strange))
    for group in groups:
        yield GroundDoubt(group, (_strange(group, _UNKNOWN_MATTERS, board),))


def _more(
    tile: TilePlacement, placements: Sequence[TilePlacement], prints: TilePrints, change: LatticeChange
) -> Iterator[GroundVariant]:
    """A tile that may lie beside the board, and what may lie just there instead; those that make one board as one."""
    found: list[GroundVariant] = []
    cells = frozenset(relabel(cell, change) for cell in cells_of(tile, prints))
    for one in (tile, *tile.rivals):
        chance = confidence_of(tile) * (1 if one is tile else math.exp(one.log_odds))
        edges, difficult = printed_terrain([*placements, one], prints, change)
        variant = GroundVariant(chance, cells, _round(cells, edges), difficult & cells, _name(one, prints))
        same = [known for known in found if replace(known, chance=chance) == variant]
        if same:
            found.remove(same[0])
            variant = replace(variant, chance=chance + same[0].chance)
        found.append(variant)
    yield from found


def _strange(cells: frozenset[Cell], chance: float, board: Board) -> GroundVariant:
    """Return a tile that is in no set."""
    return GroundVariant(chance, cells, _round(cells, board.edges))


def _name(placement: TilePlacement, prints: TilePrints) -> str:
    return prints.prints[placement.print_index].side.id


def _variants_of(
    placement: TilePlacement,
    others: Sequence[TilePlacement],
    cells: frozenset[Cell],
    prints: TilePrints,
    change: LatticeChange,
    board: Board,
) -> Iterator[GroundVariant]:
    """The tile as another print, and no tile at all, where either is likely enough and would make another board."""
    lies = lying_chance(placement)
    together = 1 + sum(math.exp(rival.log_odds) for rival in placement.rivals)
    for rival in placement.rivals:
        chance = lies * math.exp(rival.log_odds) / together
        edges, difficult = printed_terrain([*others, rival], prints, change)
        round_it = _round(cells, edges)
        is_same = round_it == _round(cells, board.edges) and difficult & cells == board.difficult & cells
        if chance >= _LEAST_CHANCE and not is_same:
            yield GroundVariant(chance, cells, round_it, difficult & cells, _name(rival, prints))
    if 1 - lies >= _LEAST_CHANCE:
        edges, _ = printed_terrain(others, prints, change)
        yield GroundVariant(1 - lies, frozenset(), _round(cells, edges))


def _round(cells: Iterable[Cell], edges: Mapping[Edge, EdgeKind]) -> dict[Edge, EdgeKind]:
    """Those of the edges that are sides of some cells."""
    return {edge: edges[edge] for edge in sorted({side for cell in cells for side in sides(cell)}) if edge in edges}
