"""The stability of a ruling: the probability that a table consistent with a photo gives the same answer.

A photo leaves doubts, each with mutually exclusive variants. Choosing one variant of every doubt gives a table. Its
chance is the product of theirs, since doubts are independent. For pieces that depend on each other, the photo's worlds
form one doubt with all of these pieces in each variant. A table that contradicts itself, such as two figures on one
cell, is left out, and the others share its chance.

A dozen doubts make thousands of tables, so they are counted in bulk:

1. Tables that differ only in names outside the question count as one possibility. Doubts that claim a common place
are joined into one **component**, which lists every consistent way to settle them. Components are independent again.
2. A **node** is a set of tables: the remaining ways of each component. The likeliest node comes first.
3. If further figures and doors can only hinder, two answers bound all others: one with the pieces that all ways share,
and one with every piece of any way. If both equal the ruling's, two questions settle the whole node.
4. Otherwise a binary search finds the piece at which the answer turns, and the node is split on whether that piece is
present. This is the pivotal variable of network reliability: bounds from a monotone structure function, then
factoring on one element (Satyanarayana and Chang 1983).
5. After ``MAX_ASKED`` questions, tables are sampled from the remaining nodes with a fixed seed.

Pieces are the bits of an integer here, and a way to settle a component is the set of its pieces.
"""

from __future__ import annotations

import math
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from heapq import heappop, heappush
from itertools import accumulate
from random import Random
from typing import NamedTuple

from assistant.rules.ruling import Ruling, Verdict
from assistant.table.board import Board, Door, Figure
from assistant.table.doubt import Doubt, DoubtfulBoard, add_pieces
from assistant.table.lattice import Cell, Edge

Ask = Callable[[Board, Figure, Figure], Verdict]
"""The bare answer for an attacker and a defender in any places on a board."""

MAX_JOINT = 4_096
"""Limit of the ways to settle one component. Further, less likely ways count as a different answer."""

MANY_ASKED, NEGLIGIBLE = 128, 0.002
"""Number of questions after which a remaining chance below this threshold counts as a different answer.

With fifty faint doubts, most tables settle three or more of them against the board, at one in a million each.
"""

MAX_ASKED = 512
"""Number of questions before sampling starts, 0.15 to 0.3 ms each. A photo with a dozen doubts takes some 20."""

DRAWN = 128
"""Number of tables sampled from the remaining nodes.

If a tenth of the chance remains, the share is then known to half a percent (one standard deviation).
"""

_SEED = 20_161

_Pieces = int
"""A set of figures and doors: bit ``i`` is the piece with the number ``i``."""


def judge_stability(ask: Ask, table: DoubtfulBoard, ruling: Ruling, *, only_hinders: bool) -> Ruling:
    """Return the ruling with its stability.

    Tables without the attacker or the defender count as a different answer. Doubts about the ground are taken one at a
    time, separately from those about pieces.

    Args:
        ask: the ruling's question, with the same named corner or space, if any.
        table: the ruling's table, with its doubts.
        ruling: the ruling on the board.
        only_hinders: whether no further figure or door improves an answer for the attacker under these rules.
    """
    if not table.independent and not table.ground_doubts:
        return ruling
    by_pieces = 1.0
    if table.independent:
        by_pieces = _Counting(ask, ruling, _possibilities_of(table, only_hinders=only_hinders)).share()
    by_ground = math.prod(
        1 - math.fsum(ground.chance for ground in others if _on_ground(ask, ground.board, ruling) != ruling.verdict)
        for others in table.other_grounds
    )
    return replace(ruling, stability=by_pieces * max(0.0, by_ground))


def answer_on(ask: Ask, board: Board, ruling: Ruling) -> Verdict | None:
    """Return the ruling's answer on another board, or None if one of its two figures is not there."""
    attacker, defender = (board.figure_by_id.get(name) for name in (ruling.attacker, ruling.defender))
    return None if attacker is None or defender is None else ask(board, attacker, defender)


def _on_ground(ask: Ask, board: Board | None, ruling: Ruling) -> Verdict | None:
    return None if board is None else answer_on(ask, board, ruling)


class _Way(NamedTuple):
    """One way to settle a component."""

    pieces: _Pieces
    chance: float


class _Component(NamedTuple):
    """Ways to settle some doubts that claim common places. No two components claim the same place.

    Args:
        ways: the ways.
        chance: their total chance.
        shared: the pieces common to all ways.
        every: the pieces of any way.
    """

    ways: tuple[_Way, ...]
    chance: float
    shared: _Pieces
    every: _Pieces

    @classmethod
    def of(cls, ways: Sequence[_Way]) -> _Component:
        shared, every, chance = -1, 0, 0.0
        for pieces, one in ways:
            shared &= pieces
            every |= pieces
            chance += one
        return cls(tuple(ways), chance, shared, every)

    def split(self, piece: _Pieces) -> tuple[_Component, _Component]:
        """Return the ways without a piece, and those with it."""
        return (
            self.of([way for way in self.ways if not way.pieces & piece]),
            self.of([way for way in self.ways if way.pieces & piece]),
        )

    def drawn(self, rng: Random) -> _Pieces:
        """Return the pieces of one way, drawn at random."""
        if len(self.ways) == 1:
            return self.ways[0].pieces
        left = rng.random() * self.chance
        for pieces, chance in self.ways:
            left -= chance
            if left < 0:
                return pieces
        return self.ways[-1].pieces


class _Possibilities:
    """The possible pieces on one table, for questions about any of its figures.

    Args:
        table: the table.
        only_hinders: whether figures and doors can only hinder, so that their names and kinds do not matter.
    """

    def __init__(self, table: DoubtfulBoard, *, only_hinders: bool) -> None:
        self.table = table
        self.only_hinders = only_hinders
        self.pieces: list[Figure | Door] = []
        self._number: dict[object, int] = {}
        self._clashes: list[_Pieces] = []
        self._clashing: _Pieces = 0
        self._joined: dict[tuple[int, frozenset[str]], _Component] = {}
        self._groups = _group_doubts(table.independent)
        self._names = [frozenset[str]().union(*(doubt.names for doubt in doubts)) for doubts in self._groups]

    def components(self, named: frozenset[str]) -> list[_Component]:
        """Return the components, for a question about these figures."""
        found = []
        for index, doubts in enumerate(self._groups):
            key = (index, named & self._names[index])
            if key not in self._joined:
                self._joined[key] = self._join(doubts, key[1])
            found.append(self._joined[key])
        return found

    def named(self, name: str) -> _Pieces:
        """Return the pieces that are a figure of this name."""
        return sum(1 << n for n, piece in enumerate(self.pieces) if isinstance(piece, Figure) and piece.id == name)

    def hindering(self, pieces: _Pieces, attacker_side: str) -> _Pieces:
        """Return the pieces without bodies in a place where another hinders as much or more; a friend never hinders."""
        for number in _listed(pieces & self._clashing):
            own = self.pieces[number]
            for other in _listed(pieces & self._clashes[number]):
                there = self.pieces[other]
                if isinstance(own, Figure) and isinstance(there, Figure) and own.cells == there.cells:
                    is_foe_there = there.side != attacker_side
                    if own.side == attacker_side or (is_foe_there and other < number):
                        pieces ^= 1 << number
                        break
        return pieces

    def board(self, pieces: _Pieces) -> Board:
        """Return the sure part of the board with these pieces; bodies of several possibilities may overlap on it."""
        there = [self.pieces[number] for number in _listed(pieces)]
        figures = [piece for piece in there if isinstance(piece, Figure)]
        return self.table.ground.with_fitting(figures, [piece for piece in there if isinstance(piece, Door)])

    def _join(self, doubts: Sequence[Doubt], asked: frozenset[str]) -> _Component:
        """Return every consistent way to settle all of these doubts, with its chance among consistent ways."""
        ways: dict[_Pieces, float] = {0: 1.0}
        lost = 0.0
        for doubt in doubts:
            variants = self._variants(doubt, asked)
            more: dict[_Pieces, float] = {}
            for pieces, chance in ways.items():
                clash = pieces  # the same body from two doubts would be there twice
                for number in _listed(pieces & self._clashing):
                    clash |= self._clashes[number]
                for added, share in variants.items():
                    if not clash & added:
                        both = pieces | added
                        more[both] = more.get(both, 0.0) + chance * share
            kept = sorted(more.items(), key=lambda way: -way[1])
            ways = dict(kept[:MAX_JOINT])
            lost += math.fsum(chance for _, chance in kept[MAX_JOINT:])
        whole = math.fsum(ways.values()) + lost
        return _Component.of([_Way(pieces, chance / whole) for pieces, chance in ways.items()])

    def _variants(self, doubt: Doubt, asked: frozenset[str]) -> dict[_Pieces, float]:
        """Return the variants that the sure part of the board allows; their chances add up to 1."""
        found: dict[_Pieces, float] = {}
        for variant in doubt.variants:
            if add_pieces(self.table.ground, variant.figures, variant.doors) is not None:
                pieces = self._numbered((*variant.figures, *variant.doors), asked)
                found[pieces] = found.get(pieces, 0.0) + variant.chance
        total = math.fsum(found.values())
        return {pieces: chance / total for pieces, chance in found.items()}

    def _numbered(self, pieces: Iterable[Figure | Door], asked: frozenset[str]) -> _Pieces:
        found = 0
        for piece in pieces:
            if not self.only_hinders or (isinstance(piece, Figure) and piece.id in asked):
                found |= 1 << self._number_of(piece, piece)
            elif isinstance(piece, Figure):
                found |= 1 << self._number_of((piece.cells, piece.side), piece)
            else:
                found |= 1 << self._number_of((piece.edges, piece.open), piece)
        return found

    def _number_of(self, key: object, piece: Figure | Door) -> int:
        number = self._number.get(key)
        if number is None:
            number = self._number[key] = len(self.pieces)
            places = set(_places(piece))
            own = sum(1 << n for n, other in enumerate(self.pieces) if not places.isdisjoint(_places(other)))
            for other in _listed(own):
                self._clashes[other] |= 1 << number
            self._clashes.append(own)
            self._clashing |= own | (1 << number if own else 0)
            # A figure outside the question stands for all pieces that hinder in the same way.
            self.pieces.append(piece if key is piece else replace(piece, id=f"?{number}"))
        return number


def _listed(pieces: _Pieces) -> Iterator[int]:
    """Yield the numbers of some pieces."""
    while pieces:
        low = pieces & -pieces
        yield low.bit_length() - 1
        pieces ^= low


def _places(piece: Figure | Door) -> tuple[Cell, ...] | tuple[Edge, ...]:
    """Return the places that the piece occupies exclusively."""
    return piece.cells if isinstance(piece, Figure) else piece.edges


def _group_doubts(doubts: Iterable[Doubt]) -> list[list[Doubt]]:
    """Group the doubts by the places that they claim: two groups have none in common."""
    groups: list[tuple[set[Cell | Edge], list[Doubt]]] = []
    for doubt in doubts:
        places: set[Cell | Edge] = {cell for v in doubt.variants for figure in v.figures for cell in figure.cells}
        places.update(edge for v in doubt.variants for door in v.doors for edge in door.edges)
        members = [doubt]
        apart = [group for group in groups if group[0].isdisjoint(places)]
        for reached, others in groups:
            if not reached.isdisjoint(places):
                places, members = places | reached, others + members
        groups = [*apart, (places, members)]
    return [members for _, members in groups]


_last: _Possibilities | None = None


def _possibilities_of(table: DoubtfulBoard, *, only_hinders: bool) -> _Possibilities:
    """Return the possibilities of a table. The last one is cached: people ask about many pairs of one table."""
    # One read and one write of the whole value: at worst, two threads compute it twice.
    global _last  # noqa: PLW0603
    last = _last
    if last is None or last.table is not table or last.only_hinders != only_hinders:
        last = _last = _Possibilities(table, only_hinders=only_hinders)
    return last


class _Node(NamedTuple):
    """A set of tables: their total chance, and the remaining ways of each component.

    Args:
        chance: the total chance of these tables.
        components: the remaining ways.
        harmless: the number of pieces, the nearest first, that hardly change the answer; the search starts there.
    """

    chance: float
    components: tuple[_Component, ...]
    harmless: int = 0


class _Counting:
    """The walk through the tables for one question.

    Invariant: the chance counted as having the ruling's answer never exceeds the true one, except for the final
    sampling.
    """

    def __init__(self, ask: Ask, ruling: Ruling, possible: _Possibilities) -> None:
        self._ask = ask
        self._ruling = ruling
        self._possible = possible
        self._same = 0.0
        self._left: list[tuple[float, int, _Node]] = []
        self._pushed = 0
        self._known: dict[_Pieces, Verdict] = {}
        names = (ruling.attacker, ruling.defender)
        components = tuple(possible.components(frozenset(names)))
        self._first = _Node(math.prod(component.chance for component in components), components)
        sure = possible.table.ground.figure_by_id
        self._sure = [name for name in names if name in sure]
        self._places = [possible.named(name) for name in names if name not in sure]
        self._place = {number: place for place, number in enumerate(self._by_nearness(components))}

    def share(self) -> float:
        """Return the chance of the tables with the ruling's answer."""
        self._push(self._first)
        while self._left:
            if len(self._known) > MAX_ASKED:
                return min(1.0, self._same + self._chance_left() * self._drawn_share())
            if len(self._known) > MANY_ASKED and self._chance_left() < NEGLIGIBLE:
                break
            self._examine(heappop(self._left)[2])
        return min(1.0, self._same)

    def _chance_left(self) -> float:
        return math.fsum(-chance for chance, _, _ in self._left)

    def _push(self, node: _Node) -> None:
        if node.chance > 0:
            self._pushed += 1
            heappush(self._left, (-node.chance, self._pushed, node))

    def _examine(self, node: _Node) -> None:
        """Settle a node, or put back its parts."""
        shared = every = 0
        for component in node.components:
            shared |= component.shared
            every |= component.every
        lacking = next((places for places in self._places if not shared & places), 0)
        if lacking:  # the question needs the place of both figures first
            if every & lacking:
                self._split(node, 1 << next(_listed(every & lacking)))
        elif every == shared:
            self._same += node.chance * (self._answer(shared) == self._ruling.verdict)
        elif not self._possible.only_hinders:
            self._split(node, 1 << next(_listed(every & ~shared)))
        else:
            self._bound(node, shared, every)

    def _bound(self, node: _Node, shared: _Pieces, every: _Pieces) -> None:
        """Settle or split a node in which pieces can only hinder and both figures have their places."""
        wanted, best = self._ruling.verdict, self._answer(shared)
        most = self._possible.hindering(every, self._side(shared))
        # No table has the ruling's answer if it lies outside the bounds.
        if not _is_as_good(best, wanted) or not _is_as_good(wanted, worst := self._answer(most)):
            return
        if best == worst:
            self._same += node.chance
        else:
            self._split(node, *self._pivot(shared, most & ~shared, best, node.harmless))

    def _split(self, node: _Node, piece: _Pieces, harmless: int = 0) -> None:
        """Put back a node's tables in two parts: without a piece and with it."""
        index = next(i for i, component in enumerate(node.components) if component.every & piece)
        whole = node.components[index]
        before, after = node.components[:index], node.components[index + 1 :]
        for part, known in zip(whole.split(piece), (harmless, 0), strict=True):
            self._push(_Node(node.chance * part.chance / whole.chance, (*before, part, *after), known))

    def _pivot(self, shared: _Pieces, open_pieces: _Pieces, best: Verdict, harmless: int) -> tuple[_Pieces, int]:
        """Return the piece at which the answer turns, with all earlier pieces present and all later ones absent.

        The answer is the best without any piece and different with all of them. Growing steps find an interval with a
        turn, and a binary search finds the turn in it. The trap: the answer may turn more than once, as when the range
        grows before sight is lost. Any turn will do, since the pivot only sets the order.
        """
        ordered = sorted(_listed(open_pieces), key=self._place.__getitem__)
        same = sum(self._place[number] < harmless for number in ordered)
        if self._answer_with(shared, ordered[:same]) != best:
            same = 0  # a split left no choice for some pieces, so more are shared here
        step, other = 1, same + 1
        while other < len(ordered) and self._answer_with(shared, ordered[:other]) == best:
            same, step = other, 2 * step
            other += step
        other = min(other, len(ordered))
        while other - same > 1:
            middle = (same + other) // 2
            if self._answer_with(shared, ordered[:middle]) == best:
                same = middle
            else:
                other = middle
        return 1 << ordered[same], self._place[ordered[same]]

    def _side(self, shared: _Pieces) -> str:
        """Return the side of the attacker."""
        if self._ruling.attacker in self._sure:
            return self._possible.table.ground.figure(self._ruling.attacker).side
        piece = self._possible.pieces[next(_listed(shared & self._places[0]))]
        assert isinstance(piece, Figure)
        return piece.side

    def _by_nearness(self, components: Iterable[_Component]) -> list[int]:
        """Return the open pieces, those nearest to the line between the two figures first: they hinder most often."""
        board = self._possible.table.board
        start, end = (_middle(board.figure(name).cells) for name in (self._ruling.attacker, self._ruling.defender))

        def distance(number: int) -> tuple[float, int]:
            piece = self._possible.pieces[number]
            cells = piece.cells if isinstance(piece, Figure) else [cell for edge in piece.edges for cell in edge.cells]
            return _distance(_middle(cells), start, end), number

        return sorted((n for component in components for n in _listed(component.every)), key=distance)

    def _answer_with(self, shared: _Pieces, more: Iterable[int]) -> Verdict:
        for number in more:
            shared |= 1 << number
        return self._answer(shared)

    def _answer(self, pieces: _Pieces) -> Verdict:
        """Return the answer with exactly these pieces, both figures among them."""
        found = self._known.get(pieces)
        if found is None:
            board = self._possible.board(pieces)
            pair = board.figure(self._ruling.attacker), board.figure(self._ruling.defender)
            found = self._known[pieces] = self._ask(board, *pair)
        return found

    def _drawn_share(self) -> float:
        """Return the share of the ruling's answer in the remaining nodes, estimated from sampled tables."""
        rng = Random(_SEED)
        nodes = [node for _, _, node in sorted(self._left)]
        reached = list(accumulate(node.chance for node in nodes))
        found = 0
        for index in range(DRAWN):
            # Stratified sampling: one table from each equal part of the chance, for less variance.
            node = nodes[min(bisect(reached, (index + rng.random()) / DRAWN * reached[-1]), len(nodes) - 1)]
            pieces = 0
            for component in node.components:
                pieces |= component.drawn(rng)
            if all(pieces & places for places in self._places):
                found += self._answer(pieces) == self._ruling.verdict
        return found / DRAWN


def _middle(cells: Iterable[Cell]) -> tuple[float, float]:
    columns, rows = zip(*cells, strict=True)
    return sum(columns) / len(columns), sum(rows) / len(rows)


def _distance(point: tuple[float, float], start: tuple[float, float], end: tuple[float, float]) -> float:
    """Return the distance of a point from the line between two others."""
    (x, y), (dx, dy) = (point[0] - start[0], point[1] - start[1]), (end[0] - start[0], end[1] - start[1])
    along = min(max((x * dx + y * dy) / ((dx * dx + dy * dy) or 1.0), 0.0), 1.0)
    return math.hypot(x - along * dx, y - along * dy)


def _is_as_good(a: Verdict, b: Verdict) -> bool:
    """Return whether one answer is at least as good for the attacker as another: in range, sight and cover."""
    is_as_near = b.range is None or (a.range is not None and a.range <= b.range)
    return is_as_near and (a.line_of_sight, not a.cover) >= (b.line_of_sight, not b.cover)
