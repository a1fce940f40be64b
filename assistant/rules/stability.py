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
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import NamedTuple

from assistant.rules.ruling import Ruling, Verdict
from assistant.table.board import Board, Door, Figure
from assistant.table.doubt import DoubtfulBoard, Variant, add_pieces
from assistant.table.lattice import Cell, Edge

Ask = Callable[[Board, Figure, Figure], Verdict]
"""The bare answer for an attacker and a defender, wherever they stand on a board."""

MAX_JOINT = 4_096
"""Ways in which doubts that get into each other's way can be settled together; more are not listed."""

MAX_ASKED = 1_024
"""Tables asked about before drawing begins, 0.15 to 0.3 ms each; a photo with a dozen doubts comes to some 20."""

MANY_ASKED, NEGLIGIBLE = 128, 1e-4
"""After so many tables those that are together unlikelier are not asked about any more but counted as having another
answer: where fifty things may be there after all, most tables have three or more of them, each of one in a million."""

DRAWN = 600
"""Tables drawn at random; the share is then known to 2 % (one standard deviation) at worst."""

_SEED = 20_161


def measure_stability(ask: Ask, table: DoubtfulBoard, ruling: Ruling, *, only_hinders: bool) -> float:
    """The share, by chance, of the tables in which range, line of sight and cover are those of the ruling.

    Tables on which one of the two figures does not stand are counted among the others.

    Args:
        ask: what ruled, about the same corner or space where one was named.
        table: what it ruled on.
        ruling: the ruling.
        only_hinders: under these rules no further figure or door makes an answer better for the attacker.
    """
    doubts = _list_possible(table)
    try:
        knots = _sort_by_nearness(_group_doubts(doubts), table.board, ruling)
        counting = _Counting(ask, ruling, _answer_of(ruling), table.ground, only_hinders)
        return max(0.0, 1.0 - counting.other_share(_Node(1.0), knots))
    except _TooMany:
        return _sample_share(ask, table, ruling, doubts)


class _TooMany(Exception):
    """There are more tables than are counted."""


class _Settlement(NamedTuple):
    """One way in which some doubts are settled together."""

    chance: float
    figures: tuple[Figure, ...]
    doors: tuple[Door, ...]

    @property
    def places(self) -> set[Cell | Edge]:
        """Where nothing else can be."""
        return {*(c for f in self.figures for c in f.cells), *(e for d in self.doors for e in d.edges)}


_Knot = tuple[_Settlement, ...]
"""Every way in which doubts that get into each other's way may be settled; no two knots do."""


class _Node(NamedTuple):
    """Some knots settled: the chance of it, and what then stands on the ground."""

    chance: float
    figures: tuple[Figure, ...] = ()
    doors: tuple[Door, ...] = ()

    def settled(self, way: _Settlement) -> _Node:
        return _Node(self.chance * way.chance, self.figures + way.figures, self.doors + way.doors)


@dataclass
class _Counting:
    """Walks through the ways in which the knots may be settled, most of them at once."""

    ask: Ask
    ruling: Ruling
    wanted: Verdict
    ground: Board
    only_hinders: bool
    asked: int = 0

    def other_share(self, node: _Node, knots: Sequence[_Knot]) -> float:
        """The chance of all tables below a node with another answer than the ruling's, never told too small."""
        if self._is_missing(node):
            may_come = any(self._places_it(knot) for knot in knots)
            return self._split(node, knots, 0) if may_come else node.chance
        if self.asked > MANY_ASKED and node.chance < NEGLIGIBLE:
            return node.chance
        return self._counted(node, knots)

    def _counted(self, node: _Node, knots: Sequence[_Knot]) -> float:
        """The same for a node on which both figures stand."""
        if not knots:
            return 0.0 if self._answer(node) == self.wanted else node.chance
        if not self.only_hinders:
            return self._split(node, knots, 0)
        best, worst = self._between(node, knots, 0), self._between(node, knots, len(knots))
        if best is None or worst is None:
            return self._split(node, knots, 0)
        if not _is_as_good(best, self.wanted) or not _is_as_good(self.wanted, worst):
            return node.chance
        return 0.0 if best == worst else self._split(node, knots, self._deciding(node, knots, best))

    def _split(self, node: _Node, knots: Sequence[_Knot], index: int) -> float:
        """The same, way by way of one of the knots."""
        rest = [*knots[:index], *knots[index + 1 :]]
        return math.fsum(self.other_share(node.settled(way), rest) for way in knots[index])

    def _deciding(self, node: _Node, knots: Sequence[_Knot], best: Verdict) -> int:
        """A knot that changes the answer when those before it hinder as much as they can, and those after it do not."""
        same, other = 0, len(knots)
        while other - same > 1:
            middle = (same + other) // 2
            if self._between(node, knots, middle) == best:
                same = middle
            else:
                other = middle
        return same

    def _between(self, node: _Node, knots: Sequence[_Knot], count: int) -> Verdict | None:
        """The answer where so many of the knots hinder as much as they can, and the others as little; None for none."""
        side = next(f.side for f in (*self.ground.figures, *node.figures) if f.id == self.ruling.attacker)
        bodies, edges = _find_common(knots[count:])
        all_bodies, all_edges = _collect_all(knots[:count], side)
        figures = [Figure(f"?{i}", "", of, cells) for i, (cells, of) in enumerate([*bodies, *all_bodies])]
        doors = [Door("?", tuple(sorted(edges | all_edges)))] if edges or all_edges else []
        return self._answer(_Node(0, (*node.figures, *figures), (*node.doors, *doors)))

    def _is_missing(self, node: _Node) -> bool:
        names = {figure.id for figure in (*self.ground.figures, *node.figures)}
        return not {self.ruling.attacker, self.ruling.defender} <= names

    def _places_it(self, knot: _Knot) -> bool:
        return any(figure.id in (self.ruling.attacker, self.ruling.defender) for way in knot for figure in way.figures)

    def _answer(self, node: _Node) -> Verdict | None:
        self.asked += 1
        if self.asked > MAX_ASKED:
            raise _TooMany
        board = add_pieces(self.ground, node.figures, node.doors)
        if board is None:
            return None
        return self.ask(board, board.figure(self.ruling.attacker), board.figure(self.ruling.defender))


def answer_on(ask: Ask, board: Board, ruling: Ruling) -> Verdict | None:
    """The answer to the question of a ruling on another board; None where one of its two figures is not there."""
    attacker, defender = (board.figure_by_id.get(name) for name in (ruling.attacker, ruling.defender))
    return None if attacker is None or defender is None else ask(board, attacker, defender)


def _is_as_good(a: Verdict, b: Verdict) -> bool:
    """Whether one answer is at least as good for the attacker as another: in range, sight and cover."""
    is_as_near = b.range is None or (a.range is not None and a.range <= b.range)
    return is_as_near and (a.line_of_sight, not a.cover) >= (b.line_of_sight, not b.cover)


def _answer_of(ruling: Ruling) -> Verdict:
    return Verdict(ruling.range, ruling.line_of_sight, ruling.cover)


def _list_possible(table: DoubtfulBoard) -> list[_Knot]:
    """For each doubt its variants that contradict nothing that is sure, their chances adding up to 1."""
    ground = table.ground
    return [
        _normalize(_Settlement(v.chance, v.figures, v.doors) for v in doubt.variants if _fits(ground, v))
        for doubt in table.doubts
    ]


def _fits(ground: Board, variant: Variant) -> bool:
    return add_pieces(ground, variant.figures, variant.doors) is not None


def _normalize(ways: Iterable[_Settlement]) -> _Knot:
    found = tuple(ways)
    total = math.fsum(way.chance for way in found)
    return tuple(way._replace(chance=way.chance / total) for way in found)


def _group_doubts(doubts: Sequence[_Knot]) -> list[_Knot]:
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
    return [_join(members) for _, members in groups]


def _join(doubts: Sequence[_Knot]) -> _Knot:
    """Every way to settle all of these at once."""
    if math.prod(len(doubt) for doubt in doubts) > MAX_JOINT:
        raise _TooMany
    return _normalize(way for chosen in product(*doubts) if (way := _combine(chosen)) is not None)


def _combine(chosen: Sequence[_Settlement]) -> _Settlement | None:
    """Ways that may all be so, as one; None if two of them claim the same place."""
    places = [way.places for way in chosen]
    if len(set().union(*places)) < sum(map(len, places)):
        return None
    figures = tuple(figure for way in chosen for figure in way.figures)
    doors = tuple(door for way in chosen for door in way.doors)
    return _Settlement(math.prod(way.chance for way in chosen), figures, doors)


def _sort_by_nearness(knots: list[_Knot], board: Board, ruling: Ruling) -> list[_Knot]:
    """Those that place the two figures, then any whose ways overlap, then from the space between the two outwards."""
    asked = (ruling.attacker, ruling.defender)
    cells = [cell for name in asked for cell in board.figure(name).cells]
    left, right = min(x for x, _ in cells), max(x for x, _ in cells)
    top, bottom = min(y for _, y in cells), max(y for _, y in cells)

    def distance(knot: _Knot) -> tuple[bool, bool, int]:
        places_it = any(figure.id in asked for way in knot for figure in way.figures)
        near = [c for way in knot for f in way.figures for c in f.cells]
        near += [c for way in knot for door in way.doors for edge in door.edges for c in edge.cells]
        far = [max(left - x, x - right, top - y, y - bottom, 0) for x, y in near]
        bodies = {f.cells for way in knot for f in way.figures}
        overlap = len(set().union(*bodies)) < sum(map(len, bodies))
        return not places_it, not overlap, min(far, default=0)

    return sorted(knots, key=distance)


_Body = tuple[tuple[Cell, ...], str]
"""The cells of a figure that is just in the way, and its side."""


def _find_common(knots: Sequence[_Knot]) -> tuple[set[_Body], set[Edge]]:
    """The bodies and the closed edges that are there however the knots are settled."""
    bodies: set[_Body] = set()
    edges: set[Edge] = set()
    for knot in knots:
        bodies |= set.intersection(*({(f.cells, f.side) for f in way.figures} for way in knot))
        edges |= set.intersection(*(_list_closed(way.doors) for way in knot))
    return bodies, edges


def _collect_all(knots: Sequence[_Knot], attacker_side: str) -> tuple[set[_Body], set[Edge]]:
    """All that are there in any way; of two that claim the same cells, an enemy of the attacker."""
    sides: dict[tuple[Cell, ...], str] = {}
    edges: set[Edge] = set()
    for way in (way for knot in knots for way in knot):
        for figure in way.figures:
            if sides.get(figure.cells, attacker_side) == attacker_side:
                sides[figure.cells] = figure.side
        edges |= _list_closed(way.doors)
    return set(sides.items()), edges


def _list_closed(doors: Sequence[Door]) -> set[Edge]:
    return {edge for door in doors if not door.open for edge in door.edges}


def _is_same(ask: Ask, ground: Board, ways: Sequence[_Settlement], ruling: Ruling) -> bool | None:
    """Whether one table has the answer of the ruling; None if it contradicts itself."""
    way = _combine(ways)
    board = None if way is None else add_pieces(ground, way.figures, way.doors)
    if board is None:
        return None
    return answer_on(ask, board, ruling) == _answer_of(ruling)


def _sample_share(ask: Ask, table: DoubtfulBoard, ruling: Ruling, doubts: Sequence[_Knot]) -> float:
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
