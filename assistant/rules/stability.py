"""How sure a ruling is: the share of the tables consistent with a photo on which the answer is the same.

A photo leaves doubts, each with variants that exclude one another. Choosing one variant of every doubt gives a table;
its chance is the product of theirs, since doubts are independent. A table that contradicts itself, as with two figures
on one cell, is left out, and the others share its chance.

A dozen doubts make thousands of tables, so they are counted in bulk:

1. Doubts that claim a common place exclude some of each other's variants. They are joined into one **component**, which
   lists every consistent way to settle them. Components are independent again.
2. ``_Counting`` settles components one by one, depth first, and carries the chance of the way it took.
3. Where further figures and doors can only hinder, the answer with no piece in doubt and the answer with all of them at
   once enclose every answer between. If both are the ruling's, the whole subtree is settled by two questions.
4. Otherwise a binary search finds the component at which the answer turns, and that one is split first. This is the
   pivotal variable of network reliability: bounds from a monotone structure function, then factoring on one element
   (Satyanarayana and Chang 1983).
5. Beyond ``MAX_ASKED`` questions tables are drawn at random instead, always the same ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from random import Random
from typing import NamedTuple

from assistant.rules.ruling import Ruling, Verdict
from assistant.table.board import Board, Door, Figure
from assistant.table.doubt import DoubtfulBoard, add_pieces
from assistant.table.lattice import Cell, Edge

Ask = Callable[[Board, Figure, Figure], Verdict]
"""The bare answer for an attacker and a defender, wherever they stand on a board."""

MAX_JOINT = 4_096
"""Cap on the ways to settle one component. Listing more takes longer than drawing tables."""

MAX_ASKED = 1_024
"""Questions asked before tables are drawn, 0.15 to 0.3 ms each. A photo with a dozen doubts takes some 20."""

MANY_ASKED, NEGLIGIBLE = 128, 1e-4
"""Number of questions after which subtrees below this chance count as another answer without a question.

Where fifty faint doubts are open, most tables settle three or more of them against the board, at one in a million each.
"""

DRAWN = 600
"""Tables drawn at random. The share is then known to 2 % (one standard deviation) at worst."""

_SEED = 20_161


def judge_stability(ask: Ask, table: DoubtfulBoard, ruling: Ruling, *, only_hinders: bool) -> Ruling:
    """The ruling with its stability.

    Tables on which the attacker or the defender is missing count as another answer. Doubts about the ground are taken
    one at a time and apart from those about pieces.

    Args:
        ask: what ruled, about the same corner or space where one was named.
        table: what it ruled on, with its doubts.
        ruling: the ruling on the board.
        only_hinders: under these rules no further figure or door makes an answer better for the attacker.
    """
    if not table.doubts and not table.ground_doubts:
        return ruling
    by_pieces = _measure(ask, table, ruling, only_hinders=only_hinders) if table.doubts else 1.0
    by_ground = math.prod(
        1 - math.fsum(ground.chance for ground in others if _on_ground(ask, ground.board, ruling) != ruling.verdict)
        for others in table.other_grounds
    )
    return replace(ruling, stability=by_pieces * max(0.0, by_ground))


def _on_ground(ask: Ask, board: Board | None, ruling: Ruling) -> Verdict | None:
    return None if board is None else answer_on(ask, board, ruling)


def _measure(ask: Ask, table: DoubtfulBoard, ruling: Ruling, *, only_hinders: bool) -> float:
    doubts = _list_possible(table)
    try:
        components = _sort_by_nearness(_group_doubts(doubts), table.board, ruling)
        counting = _Counting(ask, ruling, table.ground, only_hinders)
        return max(0.0, 1.0 - counting.other_share(_Node(1.0), components))
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


_Component = tuple[_Settlement, ...]
"""Every consistent way to settle doubts that claim common places. Two components never claim the same place."""


class _Node(NamedTuple):
    """Some components settled: the chance of that, and the pieces that it puts on the ground."""

    chance: float
    figures: tuple[Figure, ...] = ()
    doors: tuple[Door, ...] = ()

    def settled(self, way: _Settlement) -> _Node:
        return _Node(self.chance * way.chance, self.figures + way.figures, self.doors + way.doors)


@dataclass
class _Counting:
    """Depth-first walk through the ways to settle all components.

    Invariant: ``other_share`` of a node is at least the true chance of another answer below it and at most the node's
    own chance. Every shortcut errs upwards, so a ruling is never called surer than it is.
    """

    ask: Ask
    ruling: Ruling
    ground: Board
    only_hinders: bool
    asked: int = 0

    def other_share(self, node: _Node, components: Sequence[_Component]) -> float:
        """The chance of all tables below a node on which the answer is not the ruling's."""
        wanted = self.ruling.verdict
        if self._is_missing(node):
            # Nobody can be asked about yet: go on only if a component left may still place both figures.
            return self._split(node, components, 0) if any(map(self._places_it, components)) else node.chance
        if self.asked > MANY_ASKED and node.chance < NEGLIGIBLE:
            return node.chance
        if not components:
            return 0.0 if self._answer(node) == wanted else node.chance
        ends = (0, len(components))
        best, worst = (self._between(node, components, n) if self.only_hinders else None for n in ends)
        if best is None or worst is None:  # no bounds, or the stand-in pieces contradict the board
            return self._split(node, components, 0)
        if not _is_as_good(best, wanted) or not _is_as_good(wanted, worst):
            return node.chance  # the ruling's answer lies outside the bounds, so no table below has it
        # Equal bounds hold for all between. They are then the wanted answer: it lies between them.
        return 0.0 if best == worst else self._split(node, components, self._pivot(node, components, best))

    def _split(self, node: _Node, components: Sequence[_Component], index: int) -> float:
        rest = [*components[:index], *components[index + 1 :]]
        return math.fsum(self.other_share(node.settled(way), rest) for way in components[index])

    def _pivot(self, node: _Node, components: Sequence[_Component], best: Verdict) -> int:
        """The component at which the answer turns, when those before it hinder fully and those after it least.

        Binary search: the answer is the best with none that hinders fully, and another with all of them. The trap: it
        may turn more than once, as when the range grows before sight is lost. Any turn will do, since the pivot only
        sets the order in which components are settled.
        """
        same, other = 0, len(components)
        while other - same > 1:
            middle = (same + other) // 2
            if self._between(node, components, middle) == best:
                same = middle
            else:
                other = middle
        return same

    def _between(self, node: _Node, components: Sequence[_Component], count: int) -> Verdict | None:
        """The answer where the first ``count`` components hinder as much as they can, and the others as little.

        Most means every piece of every way at once, which is no table by itself but worse than any. Least means the
        pieces that all ways have in common. None where the stand-ins contradict the board.
        """
        side = next(f.side for f in (*self.ground.figures, *node.figures) if f.id == self.ruling.attacker)
        bodies, edges = _find_common(components[count:])
        all_bodies, all_edges = _collect_all(components[:count], side)
        figures = [Figure(f"?{i}", "", of, cells) for i, (cells, of) in enumerate([*bodies, *all_bodies])]
        doors = [Door("?", tuple(sorted(edges | all_edges)))] if edges or all_edges else []
        return self._answer(_Node(0, (*node.figures, *figures), (*node.doors, *doors)))

    def _is_missing(self, node: _Node) -> bool:
        names = {figure.id for figure in (*self.ground.figures, *node.figures)}
        return not {self.ruling.attacker, self.ruling.defender} <= names

    def _places_it(self, component: _Component) -> bool:
        pair = (self.ruling.attacker, self.ruling.defender)
        return any(figure.id in pair for way in component for figure in way.figures)

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


def _list_possible(table: DoubtfulBoard) -> list[_Component]:
    """For each doubt the variants that the sure part of the board allows, their chances adding up to 1."""
    ground = table.ground
    return [
        _normalize(
            _Settlement(v.chance, v.figures, v.doors)
            for v in doubt.variants
            if add_pieces(ground, v.figures, v.doors) is not None
        )
        for doubt in table.doubts
    ]


def _normalize(ways: Iterable[_Settlement]) -> _Component:
    found = tuple(ways)
    total = math.fsum(way.chance for way in found)
    return tuple(way._replace(chance=way.chance / total) for way in found)


def _group_doubts(doubts: Sequence[_Component]) -> list[_Component]:
    """The components of the doubts: connected where their variants claim a common place.

    Raises:
        _TooMany: a component has more ways than are listed.
    """
    groups: list[tuple[set[Cell | Edge], list[_Component]]] = []
    for doubt in doubts:
        places, members = set[Cell | Edge]().union(*(way.places for way in doubt)), [doubt]
        apart = [group for group in groups if group[0].isdisjoint(places)]
        for reached, others in groups:
            if not reached.isdisjoint(places):
                places, members = places | reached, others + members
        groups = [*apart, (places, members)]
    return [_join(members) for _, members in groups]


def _join(doubts: Sequence[_Component]) -> _Component:
    """Every consistent way to settle all of these at once."""
    if math.prod(len(doubt) for doubt in doubts) > MAX_JOINT:
        raise _TooMany
    return _normalize(way for chosen in product(*doubts) if (way := _combine(chosen)) is not None)


def _combine(chosen: Sequence[_Settlement]) -> _Settlement | None:
    """Ways that hold together, as one; None if two of them claim the same place."""
    places = [way.places for way in chosen]
    if len(set().union(*places)) < sum(map(len, places)):
        return None
    figures = tuple(figure for way in chosen for figure in way.figures)
    doors = tuple(door for way in chosen for door in way.doors)
    return _Settlement(math.prod(way.chance for way in chosen), figures, doors)


def _sort_by_nearness(components: list[_Component], board: Board, ruling: Ruling) -> list[_Component]:
    """Components in the order in which they are split if no bound decides.

    First those that place the two figures, since nobody can be asked about before. Then those whose ways overlap on a
    cell: their stand-ins bound worst. Then from the space between the two outwards: what is near hinders first.
    """
    asked = (ruling.attacker, ruling.defender)
    cells = [cell for name in asked for cell in board.figure(name).cells]
    left, right = min(x for x, _ in cells), max(x for x, _ in cells)
    top, bottom = min(y for _, y in cells), max(y for _, y in cells)

    def distance(component: _Component) -> tuple[bool, bool, int]:
        places_it = any(figure.id in asked for way in component for figure in way.figures)
        near = [c for way in component for f in way.figures for c in f.cells]
        near += [c for way in component for door in way.doors for edge in door.edges for c in edge.cells]
        far = [max(left - x, x - right, top - y, y - bottom, 0) for x, y in near]
        bodies = {f.cells for way in component for f in way.figures}
        overlap = len(set().union(*bodies)) < sum(map(len, bodies))
        return not places_it, not overlap, min(far, default=0)

    return sorted(components, key=distance)


_Body = tuple[tuple[Cell, ...], str]
"""The cells of a stand-in figure and its side: all that hinders."""


def _find_common(components: Sequence[_Component]) -> tuple[set[_Body], set[Edge]]:
    """The bodies and the closed edges that every way of the components has."""
    bodies: set[_Body] = set()
    edges: set[Edge] = set()
    for component in components:
        bodies |= set.intersection(*({(f.cells, f.side) for f in way.figures} for way in component))
        edges |= set.intersection(*(_list_closed(way.doors) for way in component))
    return bodies, edges


def _collect_all(components: Sequence[_Component], attacker_side: str) -> tuple[set[_Body], set[Edge]]:
    """The bodies and closed edges of any way. Of two bodies on the same cells an enemy of the attacker hinders more."""
    sides: dict[tuple[Cell, ...], str] = {}
    edges: set[Edge] = set()
    for way in (way for component in components for way in component):
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
    return answer_on(ask, board, ruling) == ruling.verdict


def _sample_share(ask: Ask, table: DoubtfulBoard, ruling: Ruling, doubts: Sequence[_Component]) -> float:
    """The share among tables drawn at random; 0 if hardly any combination of the doubts is a table.

    Contradictory tables are drawn again (rejection sampling), at most 16 draws for each that counts.
    """
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
