"""Doubts that a photo leaves: the other tables that would have looked much the same.

Most are about pieces, the figures and doors on the board. If a tile may be another one, or an unknown tile lies beside
the board, the ground itself is in doubt: its cells and printed lines.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from assistant.errors import BadValue, BoardError
from assistant.table.board import Board, Door, EdgeKind, Figure
from assistant.table.lattice import Cell, Edge, sides
from assistant.translations.messages import said

SUM_TOLERANCE = 1e-6
"""Tolerance on the sum of the chances of variants, for numbers that were rounded in between."""

OPEN_CHANCE = 0.05
"""Smallest chance of a wrong board at which a doubt is worth another look. There are many fainter doubts."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A possibility with its chance: the figures and doors that replace those in doubt."""

    chance: float
    figures: tuple[Figure, ...] = ()
    doors: tuple[Door, ...] = ()

    def __post_init__(self) -> None:
        if not 0 < self.chance <= 1:  # also false for NaN
            raise BadValue(said("a chance must be above 0 and at most 1"), field="chance")


@dataclass(frozen=True, slots=True)
class Doubt:
    """A doubt of the camera: exactly one variant is true.

    Args:
        about: the figures and doors of the board that each variant replaces; empty for a possible piece that is not on
            the board.
        variants: the first is the board's; their chances add up to 1.
    """

    about: tuple[str, ...]
    variants: tuple[Variant, ...]

    def __post_init__(self) -> None:
        if len(set(self.about)) < len(self.about):
            raise BadValue(said("the same name is there twice"), field="about")
        if not self.variants:
            raise BadValue(said("a doubt needs the variants that are possible"), field="variants")
        total = math.fsum(variant.chance for variant in self.variants)
        if abs(total - 1) > SUM_TOLERANCE:
            raise BadValue(
                said("the chances of the variants must add up to 1, not to {total}", total=float(total)),
                field="variants",
            )

    @property
    def is_open(self) -> bool:
        """Whether it is worth another look."""
        return 1 - self.variants[0].chance >= OPEN_CHANCE

    @property
    def names(self) -> frozenset[str]:
        """The names of the board's pieces in doubt, and of those that only a variant has."""
        return frozenset(self.about).union(piece.id for v in self.variants for piece in _pieces(v))


@dataclass(frozen=True, slots=True)
class GroundVariant:
    """Another possibility for some cells.

    Args:
        chance: its probability, above 0 and at most 1.
        cells: which of the cells belong to the board.
        edges: the lines printed around them.
        difficult: which of the cells are difficult.
        tile: the tile side there; None for no tile, or one outside the set.
    """

    chance: float
    cells: frozenset[Cell]
    edges: Mapping[Edge, EdgeKind] = field(default_factory=dict)
    difficult: frozenset[Cell] = frozenset()
    tile: str | None = None

    def __post_init__(self) -> None:
        if not 0 < self.chance <= 1:  # also false for NaN
            raise BadValue(said("a chance must be above 0 and at most 1"), field="chance")


@dataclass(frozen=True, slots=True)
class GroundDoubt:
    """Cells of the board, or beside it, that may differ. With the remaining chance the board is right.

    Args:
        cells: the cells.
        variants: the other possibilities; their chances add up to 1 at most.
        tile: the tile side there on the board, or None.
    """

    cells: frozenset[Cell]
    variants: tuple[GroundVariant, ...]
    tile: str | None = None

    def __post_init__(self) -> None:
        total = math.fsum(variant.chance for variant in self.variants)
        if total > 1 + SUM_TOLERANCE:
            raise BadValue(
                said("the chances of the variants must add up to 1, not to {total}", total=float(total)),
                field="variants",
            )

    def applied(self, board: Board, variant: GroundVariant) -> Board | None:
        """Return a variant's board without pieces that lose their ground, or None if it contradicts itself."""
        cells = (board.cells - self.cells) | variant.cells
        round_it = {edge for cell in self.cells for edge in sides(cell)}
        edges = {edge: kind for edge, kind in board.edges.items() if edge not in round_it}
        try:
            return replace(
                board,
                cells=cells,
                figures=tuple(figure for figure in board.figures if cells.issuperset(figure.cells)),
                doors=tuple(door for door in board.doors if all(not cells.isdisjoint(e.cells) for e in door.edges)),
                edges=edges | dict(variant.edges),
                difficult=(board.difficult - self.cells) | variant.difficult,
            )
        except BoardError:
            return None


class OtherGround(NamedTuple):
    """A board with other ground, and its chance. The board is None if it contradicts itself."""

    chance: float
    board: Board | None


class DoubtChoice(NamedTuple):
    """A doubt, and the variant assumed to be true."""

    doubt: Doubt
    variant: Variant


def apply_choices(board: Board, choices: Iterable[DoubtChoice]) -> Board | None:
    """Return the board with these variants, or None if it contradicts itself, as with two figures on one cell.

    Pieces without a choice keep their order. Those of variants follow.
    """
    chosen = tuple(choices)
    gone = frozenset(name for choice in chosen for name in choice.doubt.about)
    figures = (f for choice in chosen for f in choice.variant.figures)
    return add_pieces(_remove(board, gone), figures, (d for choice in chosen for d in choice.variant.doors))


def add_pieces(board: Board, figures: Iterable[Figure], doors: Iterable[Door]) -> Board | None:
    """Return the board with further figures and doors, or None if it then contradicts itself."""
    return board.with_more(tuple(figures), tuple(doors))


def check_doubts(board: Board, doubts: Sequence[Doubt], field: str = "doubts") -> None:
    """Check that a field's doubts are about this board, with each piece in one doubt at most.

    Raises:
        BadValue: the field is a path like ``doubts[2].about``.
    """
    pieces = {piece.id for piece in _pieces(board)}
    spoken: set[str] = set()
    for index, doubt in enumerate(doubts):
        where = f"{field}[{index}]"
        unknown = sorted(set(doubt.about) - pieces)
        if unknown:
            raise BadValue(said("there is no “{unknown}” on the board", unknown=unknown[0]), field=f"{where}.about")
        shared = sorted(doubt.names & (spoken | (pieces - {*doubt.about})))
        if shared:
            raise BadValue(
                said("Another doubt names “{shared}”, too. A name belongs to one doubt.", shared=shared[0]), field=where
            )
        if not _says_the_same(board, doubt):
            raise BadValue(said("the first variant must be what the board says"), field=f"{where}.variants[0]")
        spoken |= doubt.names


def doubts_elsewhere(worlds: Iterable[Doubt], doubts: Iterable[Doubt]) -> Iterator[Doubt]:
    """Yield the doubts about places that are in none of the worlds.

    The worlds repeat a doubt about their own places. A figure kept under a hand is in none of them.
    """
    known = [*worlds]
    spoken, about = places_in(known), {name for world in known for name in world.about}
    return (d for d in doubts if not about.issuperset(d.about) or spoken.isdisjoint(places_in([d])))


def independent_doubts(worlds: Sequence[Doubt], doubts: Iterable[Doubt]) -> tuple[Doubt, ...]:
    """Return the worlds of dependent places and the doubts about all other places, or nothing without worlds."""
    return (*worlds, *doubts_elsewhere(worlds, doubts)) if worlds else ()


def places_in(doubts: Iterable[Doubt]) -> set[Cell | Edge]:
    """Return the cells of all figures and the edges of all doors that the doubts name."""
    variants = [variant for doubt in doubts for variant in doubt.variants]
    places: set[Cell | Edge] = {cell for v in variants for figure in v.figures for cell in figure.cells}
    return places.union(edge for v in variants for door in v.doors for edge in door.edges)


@dataclass(frozen=True)
class DoubtfulBoard:
    """The most probable board, with the camera's doubts.

    Args:
        board: the most probable board.
        doubts: the doubts about single pieces, for display.
        ground_doubts: the doubts about the ground.
        worlds: the same doubts with dependent ones combined, each with all of its pieces; empty if all doubts are
            independent.

    Raises:
        BadValue: a doubt is about another board.
    """

    board: Board
    doubts: tuple[Doubt, ...] = ()
    ground_doubts: tuple[GroundDoubt, ...] = ()
    worlds: tuple[Doubt, ...] = ()

    def __post_init__(self) -> None:
        check_doubts(self.board, self.doubts)
        check_doubts(self.board, self.worlds, "worlds")

    @property
    def independent(self) -> tuple[Doubt, ...]:
        """The doubts that are independent of each other, from which a ruling's stability follows."""
        return self.worlds or self.doubts

    @cached_property
    def other_grounds(self) -> tuple[tuple[OtherGround, ...], ...]:
        """For each doubt about the ground, the boards of its variants."""
        return tuple(
            tuple(OtherGround(variant.chance, doubt.applied(self.board, variant)) for variant in doubt.variants)
            for doubt in self.ground_doubts
        )

    def corrected(self, board: Board) -> DoubtfulBoard:
        """Replace the board by a corrected one, keeping the doubts about unchanged pieces and ground."""
        before, now = ({piece.id: piece for piece in _pieces(b)} for b in (self.board, board))
        changed = {name for name in before.keys() | now.keys() if before.get(name) != now.get(name)}
        left = tuple(doubt for doubt in self.doubts if changed.isdisjoint(doubt.names))
        ground_doubts = self.ground_doubts if _is_same_ground(self.board, board) else ()
        worlds = [world for world in self.worlds if changed.isdisjoint(world.names)]
        return DoubtfulBoard(board, left, ground_doubts, independent_doubts(worlds, left))

    @cached_property
    def ground(self) -> Board:
        """The board without any doubtful piece."""
        return _remove(self.board, frozenset(name for doubt in self.independent for name in doubt.about))


def _is_same_ground(a: Board, b: Board) -> bool:
    return (a.cells, a.edges, a.difficult) == (b.cells, b.edges, b.difficult)


def _says_the_same(board: Board, doubt: Doubt) -> bool:
    first = doubt.variants[0]
    figures = {f for f in board.figures if f.id in doubt.about}
    doors = {d for d in board.doors if d.id in doubt.about}
    return figures == {*first.figures} and doors == {*first.doors}


def _pieces(holder: Board | Variant) -> tuple[Figure | Door, ...]:
    return (*holder.figures, *holder.doors)


def _remove(board: Board, names: frozenset[str]) -> Board:
    figures = tuple(figure for figure in board.figures if figure.id not in names)
    return replace(board, figures=figures, doors=tuple(door for door in board.doors if door.id not in names))
