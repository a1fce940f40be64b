"""People's statements about the table, and the doubts that remain after them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from assistant.errors import BoardError
from assistant.table.board import Board, Door, Figure
from assistant.table.doubt import Doubt, Variant, doubts_elsewhere, places_in
from assistant.table.lattice import Cell, Edge
from assistant.translations.messages import said

DoorEdges = tuple[Edge, ...]
"""The edges that a standing door closes, sorted."""


@dataclass(frozen=True)
class Statements:
    """People's statements, which a camera does not overrule.

    Args:
        doors: edges with a door.
        no_doors: edges without one.
        figures: the cells of figures that the board has right.
        nobody: cells without a figure.
    """

    doors: frozenset[DoorEdges] = frozenset()
    no_doors: frozenset[DoorEdges] = frozenset()
    figures: frozenset[tuple[Cell, ...]] = frozenset()
    nobody: frozenset[Cell] = frozenset()

    def with_door(self, edges: DoorEdges) -> Statements:
        return replace(self, doors=self.doors | {edges}, no_doors=self.no_doors - {edges})

    def without_door(self, edges: DoorEdges) -> Statements:
        return replace(self, doors=self.doors - {edges}, no_doors=self.no_doors | {edges})

    def forgetting_door(self, edges: DoorEdges) -> Statements:
        """Drop the statements on a door there, because the place has changed."""
        return replace(self, doors=self.doors - {edges}, no_doors=self.no_doors - {edges})

    def with_figure(self, cells: tuple[Cell, ...]) -> Statements:
        return replace(self.forgetting(cells), figures=self.forgetting(cells).figures | {cells})

    def with_nobody(self, cells: tuple[Cell, ...]) -> Statements:
        left = self.forgetting(cells)
        return replace(left, nobody=left.nobody | {*cells})

    def forgetting(self, cells: tuple[Cell, ...]) -> Statements:
        """Drop the statements on figures on these cells, because the place has changed."""
        figures = frozenset(each for each in self.figures if set(each).isdisjoint(cells))
        return replace(self, figures=figures, nobody=self.nobody.difference(cells))

    def on(self, board: Board) -> StatedBoard:
        return StatedBoard(self, board)


@dataclass(frozen=True)
class StatedBoard:
    """A corrected board, with the statements behind it."""

    statements: Statements
    board: Board

    def settle(self, doubt: Doubt) -> Doubt | None:
        """Reduce a doubt to the variants that agree with the statements, the board's first.

        Returns None if none of them is the board's.
        """
        if not self._speaks_of(doubt):
            return doubt
        left = [variant for variant in doubt.variants if self._agrees(doubt, variant)]
        now = next((variant for variant in left if self._is_so(doubt, variant)), None)
        if now is None:
            return None
        ordered = [now, *(variant for variant in left if variant is not now)]
        total = math.fsum(variant.chance for variant in ordered)
        about = (*(figure.id for figure in now.figures), *(door.id for door in now.doors))
        return Doubt(about, tuple(replace(variant, chance=variant.chance / total) for variant in ordered))

    def list_open_doubts(self, doubts: Iterable[Doubt]) -> tuple[Doubt, ...]:
        """Return the doubts that the statements leave open."""
        settled = (self.settle(doubt) for doubt in doubts)
        return tuple(doubt for doubt in settled if doubt is not None and len(doubt.variants) > 1)

    def settle_all(
        self, doubts: Iterable[Doubt], worlds: Iterable[Doubt]
    ) -> tuple[tuple[Doubt, ...], tuple[Doubt, ...]]:
        """Return the doubts and the independent doubts that the statements leave open, as a ``DoubtfulBoard`` has them.

        A place that a statement excludes from a world of dependent places is no doubt of its own either. Where a person
        placed a figure that a world does not name, only the doubts speak.
        """
        known = [world for world in worlds if self._names_all_stated(world) and self.settle(world) is not None]
        left, single = self.list_open_doubts(known), self.list_open_doubts(doubts)
        apart = tuple(doubts_elsewhere(known, single))
        possible = places_in(left)
        single = tuple(doubt for doubt in single if doubt in apart or not possible.isdisjoint(places_in([doubt])))
        return single, (*left, *apart) if known else ()

    def _names_all_stated(self, world: Doubt) -> bool:
        cells = {cell for variant in world.variants for figure in variant.figures for cell in figure.cells}
        placed = (figure for at, figure in self._figures.items() if at in self.statements.figures)
        return all(figure.id in world.names or cells.isdisjoint(figure.cells) for figure in placed)

    @cached_property
    def _figures(self) -> dict[tuple[Cell, ...], Figure]:
        return {figure.cells: figure for figure in self.board.figures}

    def _speaks_of(self, doubt: Doubt) -> bool:
        stated = self.statements
        edges = {edges_of(door) for variant in doubt.variants for door in variant.doors}
        cells = {cell for variant in doubt.variants for figure in variant.figures for cell in figure.cells}
        said_of = stated.nobody.union(*stated.figures)
        return not edges.isdisjoint(stated.doors | stated.no_doors) or not cells.isdisjoint(said_of)

    def _agrees(self, doubt: Doubt, variant: Variant) -> bool:
        """Return whether no statement contradicts a variant, within the scope of the doubt."""
        stands = {edges_of(door) for door in variant.doors}
        spoken = {edges_of(door) for each in doubt.variants for door in each.doors}
        if not stands.isdisjoint(self.statements.no_doors) or not (self.statements.doors & spoken) <= stands:
            return False
        there = {figure.cells: figure.kind for figure in variant.figures}
        taken = {cell for cells in there for cell in cells}
        return taken.isdisjoint(self.statements.nobody) and all(
            there.get(cells) == figure.kind if figure.id in doubt.names else taken.isdisjoint(cells)
            for cells, figure in self._figures.items()
            if cells in self.statements.figures
        )

    def _is_so(self, doubt: Doubt, variant: Variant) -> bool:
        """Return whether the board has exactly a variant's pieces, of those in doubt."""
        spoken = doubt.names
        figures = {figure for figure in self.board.figures if figure.id in spoken}
        doors = {door for door in self.board.doors if door.id in spoken}
        return figures == {*variant.figures} and doors == {*variant.doors}


def check_door(board: Board, edges: DoorEdges) -> None:
    """Check that a door can stand on these edges: each between two cells of the board, without another door.

    Raises:
        BoardError: it cannot stand there.
    """
    taken = {edge for door in board.doors for edge in door.edges}
    if not edges or not board.cells.issuperset(cell for edge in edges for cell in edge.cells):
        raise BoardError(said("A door stands between two spaces of the board. Choose such a place."))
    if not taken.isdisjoint(edges):
        raise BoardError(said("A door stands there already. Choose another place."))


def edges_of(door: Door) -> DoorEdges:
    """Return the edges of a door, sorted: its key in statements."""
    return tuple(sorted(door.edges))
