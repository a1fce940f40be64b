"""Doubts about the ground: other prints, missing tiles, possible tiles beside the board, and gaps in it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count, product
from typing import NamedTuple

from assistant.table.board import EDGE_STRENGTH, Board, EdgeKind
from assistant.table.doubt import GroundDoubt, GroundVariant
from assistant.table.lattice import Cell, Edge, connected_groups, edge_between, grow, sides
from vision.tiles.lattice_fit import relabel
from vision.tiles.placements import TilePlacement, cells_of, confidence_of, lying_chance, span_of
from vision.tiles.prints import TilePrints

_LEAST_CHANCE = 0.01
"""Least chance to report. On most tables every other print is a thousand times less likely."""

_LEAST_MORE = 0.05
"""Least chance of a reported tile beside the board. Among all arrangements of the box, one always comes close to
that."""

_UNKNOWN_MATTERS = 0.5
"""Chance that an unknown tile matters: its print is unknown, so a line of sight through it is as likely open as
closed."""

LatticeChange = tuple[int, int, int]
"""How cells are renamed (see ``lattice_fit.relabel``)."""


def printed_terrain(
    placements: Iterable[TilePlacement], prints: TilePrints, change: LatticeChange
) -> tuple[dict[Edge, EdgeKind], frozenset[Cell]]:
    """Return the printed lines of some tiles, the stronger of two on one edge, and the difficult cells."""
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
    """The visible ground in the lattice of the placements.

    Args:
        placements: the tiles, with the candidate prints in their places.
        unknown: groups of cells beside the board that look printed.
        possible: candidate tiles beside the board, with their log odds.
        hidden: groups of cells beside the board where something may hide a tile.
    """

    placements: Sequence[TilePlacement]
    unknown: Sequence[frozenset[Cell]] = ()
    possible: Sequence[TilePlacement] = ()
    hidden: Sequence[frozenset[Cell]] = ()


def ground_doubts(seen: SeenGround, prints: TilePrints, change: LatticeChange, board: Board) -> tuple[GroundDoubt, ...]:
    """Return the doubts about the board's ground.

    Args:
        seen: the visible ground.
        prints: the tile set.
        change: how the cells are renamed.
        board: the board of the tiles.
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
    """Yield doubts beside the board: unknown tiles, and the likeliest of the tiles that share a cell."""
    groups = [frozenset(relabel(cell, change) for cell in group) for group in seen.unknown]
    longest_cells = max((max(one.size_cells) for one in prints.prints), default=1)
    hidden = (frozenset(relabel(cell, change) for cell in group) for group in seen.hidden)
    for gap in (*hidden, *_gaps(board.cells, longest_cells)):
        groups += [left for left in [gap.difference(*groups)] if left]
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


def _gaps(cells: frozenset[Cell], longest_cells: int) -> Iterator[frozenset[Cell]]:
    """Yield the cells of a hidden tile between each two neighbouring parts of a board, the smallest part first.

    Players lay a board in one piece. If it was read in several, something hides the tile that joins them.
    """
    parts = sorted(connected_groups(cells), key=lambda part: (len(part), min(part)))
    while len(parts) > 1:
        part = parts.pop(0)
        away = next(by for by in count(1) if any(not grow(part, by).isdisjoint(other) for other in parts))
        near = next(other for other in parts if not grow(part, away).isdisjoint(other))
        reach = max(away - 1, longest_cells)
        first, last = span_of(part | near, 0)
        within = frozenset(product(range(first[0], last[0]), range(first[1], last[1])))
        yield (grow(part, reach) & grow(near, reach) & within) - cells
        parts[parts.index(near)] = near | part


def _more(
    tile: TilePlacement, placements: Sequence[TilePlacement], prints: TilePrints, change: LatticeChange
) -> Iterator[GroundVariant]:
    """Yield a candidate tile beside the board and its alternatives there.

    Tiles that make the same board count as one.
    """
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
    """Return a tile of no set."""
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
    """Yield the other prints of a tile, and its absence, if likely enough and different on the board."""
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
    """Return the edges that are sides of some cells."""
    return {edge: edges[edge] for edge in sorted({side for cell in cells for side in sides(cell)}) if edge in edges}
