"""What people at the table have said of it, and what is left in doubt after that."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

from assistant.errors import BoardError
from assistant.table.board import Board, Door, Figure
from assistant.table.doubt import Doubt, Variant
from assistant.table.lattice import Cell, Edge
from assistant.translations.messages import said

DoorEdges = tuple[Edge, ...]
"""The edges that a standing door closes, sorted."""


@dataclass(frozen=True)
class Statements:
    """What was said: it holds whatever a camera shows.

    Args:
        doors: doors that stand there.
        no_doors: places where no door stands.
        figures: the cells on which just that figure stands of which the board says so.
        nobody: cells on which nobody stands.
    """

    doors: frozenset[DoorEdges] = frozenset()
    no_doors: frozenset[DoorEdges] = frozenset()
    figures: frozenset[tuple[Cell, ...]] = frozenset()
    nobody: frozenset[Cell] = frozenset()

    def with_door(self, edges: DoorEdges) -> Statements:
        """The same, and a door stands there."""
        return replace(self, doors=self.doors | {edges}, no_doors=self.no_doors - {edges})

    def without_door(self, edges: DoorEdges) -> Statements:
        """The same, and no door stands there."""
        return replace(self, doors=self.doors - {edges}, no_doors=self.no_doors | {edges})

    def forgetting_door(self, edges: DoorEdges) -> Statements:
        """The same without what was said of a door there: the world has changed."""
        return replace(self, doors=self.doors - {edges}, no_doors=self.no_doors - {edges})

    def with_figure(self, cells: tuple[Cell, ...]) -> Statements:
        """The same, and whoever stands there by the board does."""
        return replace(self.forgetting(cells), figures=self.forgetting(cells).figures | {cells})

    def with_nobody(self, cells: tuple[Cell, ...]) -> Statements:
        """The same, and nobody stands there."""
        left = self.forgetting(cells)
        return replace(left, nobody=left.nobody | {*cells})

    def forgetting(self, cells: tuple[Cell, ...]) -> Statements:
        """The same without what was said of who stands on these cells: the world has changed there."""
        figures = frozenset(each for each in self.figures if set(each).isdisjoint(cells))
        return replace(self, figures=figures, nobody=self.nobody.difference(cells))

    def on(self, board: Board) -> StatedBoard:
        """What was said, beside the board that it was said of."""
        return StatedBoard(self, board)


@dataclass(frozen=True)
class StatedBoard:
    """A board as people set it right, with what they said of it."""

    told: Statements
    board: Board

    def settle(self, doubt: Doubt) -> Doubt | None:
        """What is left of a doubt: the variants that agree with what was said; None where only one is, or none fits.

        The first variant of what is left is what the board says.
        """
        if not self._speaks_of(doubt):
            return doubt
        left = [variant for variant in doubt.variants if self._agrees(doubt, variant)]
        now = next((variant for variant in left if self._is_so(doubt, variant)), None)
        if now is None or len(left) == 1:
            return None
        ordered = [now, *(variant for variant in left if variant is not now)]
        total = math.fsum(variant.chance for variant in ordered)
        about = (*(figure.id for figure in now.figures), *(door.id for door in now.doors))
        return Doubt(about, tuple(replace(variant, chance=variant.chance / total) for variant in ordered))

    @cached_property
    def _figures(self) -> dict[tuple[Cell, ...], Figure]:
        return {figure.cells: figure for figure in self.board.figures}

    def _speaks_of(self, doubt: Doubt) -> bool:
        told = self.told
        edges = {edges_of(door) for variant in doubt.variants for door in variant.doors}
        cells = {cell for variant in doubt.variants for figure in variant.figures for cell in figure.cells}
        said_of = told.nobody.union(*told.figures)
        return not edges.isdisjoint(told.doors | told.no_doors) or not cells.isdisjoint(said_of)

    def _agrees(self, doubt: Doubt, variant: Variant) -> bool:
        """Whether a variant is as people said, as far as the doubt is about that."""
        stands = {edges_of(door) for door in variant.doors}
        spoken = {edges_of(door) for each in doubt.variants for door in each.doors}
        if not stands.isdisjoint(self.told.no_doors) or not (self.told.doors & spoken) <= stands:
            return False
        there = {figure.cells: figure.kind for figure in variant.figures}
        taken = {cell for cells in there for cell in cells}
        return taken.isdisjoint(self.told.nobody) and all(
            there.get(cells) == figure.kind if figure.id in doubt.names else taken.isdisjoint(cells)
            for cells, figure in self._figures.items()
            if cells in self.told.figures
        )

    def _is_so(self, doubt: Doubt, variant: Variant) -> bool:
        """Whether the board says the very same as a variant, of all that the doubt is about."""
        spoken = doubt.names
        figures = {figure for figure in self.board.figures if figure.id in spoken}
        doors = {door for door in self.board.doors if door.id in spoken}
        return figures == {*variant.figures} and doors == {*variant.doors}


def check_door(board: Board, edges: DoorEdges) -> None:
    """Makes sure that a door can stand on these edges: each parts two cells of the board, and no other door is there.

    Raises:
        BoardError: it cannot.
    """
    taken = {edge for door in board.doors for edge in door.edges}
    if not edges or not board.cells.issuperset(cell for edge in edges for cell in edge.cells):
        raise BoardError(said("a door stands between two spaces of the board; choose such a place"))
    if not taken.isdisjoint(edges):
        raise BoardError(said("a door stands there already; choose another place"))


def edges_of(door: Door) -> DoorEdges:
    """The edges of a door, sorted."""
    return tuple(sorted(door.edges))
