"""How sure a ruling is: the share of the tables consistent with a photo in which the answer is the same.

The doubts of an observation are independent, and each is settled by one of its variants; a table that
contradicts itself, with two figures on one cell, is none. The tables are counted exactly, not one by one: where
further figures and doors can only hinder, and the answer is the same with none of those in doubt and with all of
them at once, it is the same in between. Only where that takes too long are tables drawn at random, always the same
ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from random import Random
from typing import NamedTuple

from assistant.rules.rulesets import Verdict
from assistant.rules.ruling import Ruling
from assistant.table.board import Board, Door, Figure
from assistant.table.doubt import DoubtfulBoard, Variant, with_pieces
from assistant.table.lattice import Cell, Edge

Ask = Callable[[Board, Figure, Figure], Verdict]
"""The bare answer for an attacker and a defender, wherever they stand on a board."""

MAX_JOINT = 4_096
"""Ways in which doubts that get into each other's way can be settled together; more are not listed."""

MAX_ASKED = 2_048
"""Tables asked about before drawing begins: under half a second, and some twenty times what photos come to."""

DRAWN = 1_024
"""Tables drawn at random; the share is then known to 1.6 % (one standard deviation) at worst."""

_SEED = 20_161


def with_stability(ask: Ask, table: DoubtfulBoard, ruling: Ruling, *, only_hinders: bool) -> Ruling:
    """The ruling with its stability.

    Args:
        ask: what ruled, about the same corner or space where one was named.
        table: what it ruled on.
        ruling: the ruling.
        only_hinders: under these rules no further figure or door makes an answer better for the attacker.
    """
    if not table.doubts:
        return ruling
    return replace(ruling, stability=share_of_same(ask, table, ruling, only_hinders=only_hinders))


def share_of_same(ask: Ask, table: DoubtfulBoard, ruling: Ruling, *, only_hinders: bool) -> float:
    """The share, by chance, of the tables in which range, line of sight and cover are those of the ruling.

    Tables on which one of the two figures does not stand are counted among the others. See ``with_stability``.
    """
    doubts = _possible(table)
    try:
        knots = _by_nearness(_knots(doubts), table.board, ruling)
        counting = _Counting(ask, ruling, table.ground, only_hinders)
        return max(0.0, 1.0 - counting.other_share(_Node(1.0), knots))
    except _TooMany:
        return _drawn_share(ask, table, ruling, doubts)


class _TooMany(Exception):
    """There are more tables than are counted."""


class _Way(NamedTuple):
    """One way in which some doubts are settled together."""

    chance: float
    figures: tuple[Figure, ...]
    doors: tuple[Door, ...]

    @property
    def places(self) -> set[Cell | Edge]:
        """Where nothing else can be."""
        return {*(c for f in self.figures for c in f.cells), *(e for d in self.doors for e in d.edges)}


_Knot = tuple[_Way, ...]
"""Every way in which doubts that get into each other's way may be settled; no two knots do."""


class _Node(NamedTuple):
    """Some knots settled: the chance of it, and what then stands on the ground."""

    chance: float
    figures: tuple[Figure, ...] = ()
    doors: tuple[Door, ...] = ()

    def settled(self, way: _Way) -> _Node:
        return _Node(self.chance * way.chance, self.figures + way.figures, self.doors + way.doors)


@dataclass
class _Counting:
    """Walks through the ways in which the knots may be settled, most of them at once."""

    ask: Ask
    ruling: Ruling
    ground: Board
    only_hinders: bool
    asked: int = 0

    def other_share(self, node: _Node, knots: Sequence[_Knot]) -> float:
        """The chance of all tables below a node with another answer than the ruling's."""
        same = self._all_the_same(node, knots)
        if same is not None:
            return 0.0 if same else node.chance
        first, *rest = knots
        return math.fsum(self.other_share(node.settled(way), rest) for way in first)

    def _all_the_same(self, node: _Node, knots: Sequence[_Knot]) -> bool | None:
        """Whether every table below a node has the ruling's answer; None if it cannot be told at once."""
        names = {figure.id for figure in (*self.ground.figures, *node.figures)}
        missing = {self.ruling.attacker, self.ruling.defender} - names
        if missing:
            may_come = any(figure.id in missing for knot in knots for way in knot for figure in way.figures)
            return None if may_come else False
        if not knots:
            return self._answer(node) == _answer_of(self.ruling)
        if not self.only_hinders:
            return None
        # With nothing in doubt there, and with everything at once: what lies between is between.
        free = self._answer(_Node(0, *_with_common(node, knots)))
        if free is None or free != self._answer(_Node(0, *_with_all(node, knots, self._attacker_side(node)))):
            return None
        return free == _answer_of(self.ruling)

    def _answer(self, node: _Node) -> Verdict | None:
        self.asked += 1
        if self.asked > MAX_ASKED:
            raise _TooMany
        board = with_pieces(self.ground, node.figures, node.doors)
        if board is None:
            return None
        return self.ask(board, board.figure(self.ruling.attacker), board.figure(self.ruling.defender))

    def _attacker_side(self, node: _Node) -> str:
        figures = (*self.ground.figures, *node.figures)
        return next(figure.side for figure in figures if figure.id == self.ruling.attacker)


def _answer_of(ruling: Ruling) -> Verdict:
    return Verdict(ruling.range, ruling.line_of_sight, ruling.cover)


def _possible(table: DoubtfulBoard) -> list[_Knot]:
    """For each doubt its variants that contradict nothing that is sure, their chances adding up to 1."""
    ground = table.ground
    return [
        _evened(_Way(v.chance, v.figures, v.doors) for v in doubt.variants if _fits(ground, v))
        for doubt in table.doubts
    ]


def _fits(ground: Board, variant: Variant) -> bool:
    return with_pieces(ground, variant.figures, variant.doors) is not None


def _evened(ways: Iterable[_Way]) -> _Knot:
    found = tuple(ways)
    total = math.fsum(way.chance for way in found)
    return tuple(way._replace(chance=way.chance / total) for way in found)


def _knots(doubts: Sequence[_Knot]) -> list[_Knot]:
    """The doubts, those put together that get into each other's way.

    Raises:
        _TooMany: too many do.
    """
    groups: list[tuple[set[Cell | Edge], list[_Knot]]] = []
    for doubt in doubts:
        places, members = set[Cell | Edge]().union(*(way.places for way in doubt)), [doubt]
        apart = [group for group in groups if group[0].isdisjoint(places)]
        for reached, others in groups:
            if not reached.isdisjoint(places):
                places, members = places | reached, others + members
        groups = [*apart, (places, members)]
    return [_joined(members) for _, members in groups]


def _joined(doubts: Sequence[_Knot]) -> _Knot:
    """Every way to settle all of these at once."""
    if math.prod(len(doubt) for doubt in doubts) > MAX_JOINT:
        raise _TooMany
    return _evened(way for chosen in product(*doubts) if (way := _together(chosen)) is not None)


def _together(chosen: Sequence[_Way]) -> _Way | None:
    """Ways that may all be so, as one; None if two of them claim the same place."""
    places = [way.places for way in chosen]
    if len(set().union(*places)) < sum(map(len, places)):
        return None
    figures = tuple(figure for way in chosen for figure in way.figures)
    doors = tuple(door for way in chosen for door in way.doors)
    return _Way(math.prod(way.chance for way in chosen), figures, doors)


def _by_nearness(knots: list[_Knot], board: Board, ruling: Ruling) -> list[_Knot]:
    """Those that place the two figures, then the others from the space between them outwards."""
    asked = (ruling.attacker, ruling.defender)
    cells = [cell for name in asked for cell in board.figure(name).cells]
    left, right = min(x for x, _ in cells), max(x for x, _ in cells)
    top, bottom = min(y for _, y in cells), max(y for _, y in cells)

    def distance(knot: _Knot) -> tuple[bool, int]:
        places_it = any(figure.id in asked for way in knot for figure in way.figures)
        near = [c for way in knot for f in way.figures for c in f.cells]
        near += [c for way in knot for door in way.doors for edge in door.edges for c in edge.cells]
        far = [max(left - x, x - right, top - y, y - bottom, 0) for x, y in near]
        return not places_it, min(far, default=0)

    return sorted(knots, key=distance)


def _with_common(node: _Node, knots: Sequence[_Knot]) -> tuple[tuple[Figure, ...], tuple[Door, ...]]:
    """What stands there however the knots are settled."""
    bodies: set[tuple[tuple[Cell, ...], str]] = set()
    edges: set[Edge] = set()
    for knot in knots:
        bodies |= set.intersection(*({(f.cells, f.side) for f in way.figures} for way in knot))
        edges |= set.intersection(*(_closed(way.doors) for way in knot))
    figures = tuple(_somebody(i, cells, side) for i, (cells, side) in enumerate(sorted(bodies)))
    return node.figures + figures, node.doors + _one_door(edges)


def _with_all(node: _Node, knots: Sequence[_Knot], attacker_side: str) -> tuple[tuple[Figure, ...], tuple[Door, ...]]:
    """Everything at once that stands there in any way; where a cell is claimed by several, an enemy of the attacker."""
    sides_by_cells: dict[tuple[Cell, ...], set[str]] = {}
    edges: set[Edge] = set()
    for way in (way for knot in knots for way in knot):
        for figure in way.figures:
            sides_by_cells.setdefault(figure.cells, set()).add(figure.side)
        edges |= _closed(way.doors)
    bodies = {
        cells: max(sides, key=lambda side: (side != attacker_side, side)) for cells, sides in sides_by_cells.items()
    }
    figures = tuple(_somebody(i, cells, side) for i, (cells, side) in enumerate(sorted(bodies.items())))
    return node.figures + figures, node.doors + _one_door(edges)


def _closed(doors: Sequence[Door]) -> set[Edge]:
    return {edge for door in doors if not door.open for edge in door.edges}


def _somebody(index: int, cells: tuple[Cell, ...], side: str) -> Figure:
    return Figure(f"?{index}", "", side, cells)


def _one_door(edges: set[Edge]) -> tuple[Door, ...]:
    return (Door("?", tuple(sorted(edges))),) if edges else ()


def _is_same(ask: Ask, ground: Board, ways: Sequence[_Way], ruling: Ruling) -> bool | None:
    """Whether one table has the answer of the ruling; None if it contradicts itself."""
    way = _together(ways)
    board = None if way is None else with_pieces(ground, way.figures, way.doors)
    if board is None:
        return None
    attacker, defender = (board.figure_by_id.get(name) for name in (ruling.attacker, ruling.defender))
    if attacker is None or defender is None:
        return False
    return ask(board, attacker, defender) == _answer_of(ruling)


def _drawn_share(ask: Ask, table: DoubtfulBoard, ruling: Ruling, doubts: Sequence[_Knot]) -> float:
    """The share among tables drawn at random; 0 if hardly any combination of the doubts is a table."""
    rng, ground = Random(_SEED), table.ground
    known: dict[tuple[int, ...], bool | None] = {}
    seen: list[bool] = []
    for _ in range(DRAWN * 16):
        chosen = tuple(rng.choices(range(len(d)), [way.chance for way in d])[0] for d in doubts)
        if chosen not in known:
            ways = [doubt[index] for doubt, index in zip(doubts, chosen, strict=True)]
            known[chosen] = _is_same(ask, ground, ways, ruling)
        same = known[chosen]
        if same is not None:
            seen.append(same)
        if len(seen) == DRAWN:
            break
    return sum(seen) / len(seen) if seen else 0.0
