"""Every way to another place in DOOM 2016 is measured: random targets against a plain calculation written apart.

The calculation knows the sentences of seed 001 and the default house options, and shares nothing with the rules but the
board: cells, edges between two cells, and who stands where.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from loading import beside
from msgspec.structs import replace

from assistant.errors import InputError
from assistant.games.doom2016.match.invader import Summon
from assistant.games.doom2016.match.moving import Displace, MoveAndDisplace
from assistant.games.doom2016.match.setup import InvasionGroup, Portal
from assistant.games.doom2016.match.state import Activation
from assistant.match.chance import Chance
from assistant.match.games import system_of
from assistant.match.ground import board_of
from assistant.match.steps import See
from assistant.table.board import Board
from assistant.table.lattice import Cell, edge_between

MISSIONS = beside(__file__, "random_missions2016")

FEW, MANY = 150, int(os.environ.get("TARGETS", "20000"))
POINTS = 6

AROUND = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]

Place = frozenset[Cell]


class Plain:
    """The board by the sentences of the seed, for one mover."""

    def __init__(self, game: Any, mover: str) -> None:
        self.board: Board = board_of(game)
        self.mover = game.pieces[mover]
        self.others = {c: p for p in game.standing() if p.id != mover for c in p.cells}
        self.closed = {edge for door in self.board.doors if not door.open for edge in door.edges}

    def parts(self, a: Cell, b: Cell, *, red: bool) -> bool:
        """Return whether a line parts two cells side by side: walls and doors always, red lines for small figures."""
        edge = edge_between(a, b)
        if a not in self.board.cells or b not in self.board.cells or edge in self.closed:
            return True
        kind = self.board.edges.get(edge)
        if kind == "wall":
            return True
        solid = kind is None and bool({a, b} & self.board.blocking)
        return red and (kind in ("obstacle", "impassable") or solid)

    def are_neighbours(self, a: Cell, b: Cell, *, red: bool) -> bool:
        """«Две клетки соседние, если они имеют общий угол или общую сторону»; past a corner by one of two detours."""
        dx, dy = b[0] - a[0], b[1] - a[1]
        if max(abs(dx), abs(dy)) != 1:
            return False
        if not (dx and dy):
            return not self.parts(a, b, red=red)
        corners = ((a[0] + dx, a[1]), (a[0], a[1] + dy))
        return any(not self.parts(a, c, red=red) and not self.parts(c, b, red=red) for c in corners)

    def steps(self, place: Place) -> Iterator[tuple[int, Place]]:
        if len(place) == 1:
            yield from self._small_steps(next(iter(place)))
        else:
            yield from self._large_steps(place)

    def _small_steps(self, here: Cell) -> Iterator[tuple[int, Place]]:
        for dx, dy in AROUND:
            there = (here[0] + dx, here[1] + dy)
            if there in self.board.cells and self.are_neighbours(here, there, red=True):
                enemy = there in self.others and self.others[there].side != self.mover.side
                yield 1 + (there in self.board.difficult) + enemy, frozenset([there])

    def _large_steps(self, place: Place) -> Iterator[tuple[int, Place]]:
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            crossed = ((c, (c[0] + dx, c[1] + dy)) for c in place)
            if not any(self.parts(a, b, red=False) for a, b in crossed):
                yield 1, frozenset((x + dx, y + dy) for x, y in place)
        if len(place) in (2, 6):
            for turned in self.turned(place):
                onto = [self.others[cell] for cell in turned if cell in self.others]
                keeps_half = 2 * len(turned & place) >= len(place)
                # The house option “what a turn must avoid”: walls, doors and large figures under its final place.
                if keeps_half and turned <= self.board.cells and all(len(piece.cells) == 1 for piece in onto):
                    yield 1, turned

    def turned(self, place: Place) -> Iterator[Place]:
        columns, rows = {x for x, _ in place}, {y for _, y in place}
        wide, high = len(rows), len(columns)
        for x in range(min(columns) - wide, max(columns) + 1):
            for y in range(min(rows) - high, max(rows) + 1):
                yield frozenset((x + i, y + j) for i in range(wide) for j in range(high))

    def is_whole(self, place: Place) -> bool:
        """Return whether no wall or closed door runs under a base."""
        pairs = ((a, b) for a in place for b in place if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1)
        return place <= self.board.cells and not any(self.parts(a, b, red=False) for a, b in pairs)

    def cheapest(self, points: int) -> dict[Place, int]:
        """Return the cost of every place within so many points."""
        best = {frozenset(self.mover.cells): 0}
        waiting = list(best)
        while waiting:
            here = waiting.pop()
            for cost, there in self.steps(here):
                total = best[here] + cost
                fits = len(there) == 1 or self.is_whole(there)
                if fits and total <= points and total < best.get(there, points + 1):
                    best[there] = total
                    waiting.append(there)
        return best

    def may_end(self, place: Place) -> bool:
        """«она не может закончить движение на этой клетке»; a large figure ends on small ones, not on a large one."""
        under = [self.others[cell] for cell in place if cell in self.others]
        return not under if len(place) == 1 else all(len(piece.cells) == 1 for piece in under)

    def nearest_empty(self, start: Cell, taken: set[Cell]) -> set[Cell]:
        """Return the empty cells in the fewest steps of a small figure."""
        ring, seen = {start}, {start}
        while ring:
            empty = {cell for cell in ring if cell not in taken and cell not in self.board.blocking}
            if empty:
                return empty
            ring = {
                there
                for x, y in ring
                for dx, dy in AROUND
                for there in [(x + dx, y + dy)]
                if there in self.board.cells and there not in seen and self.are_neighbours((x, y), there, red=True)
            }
            seen |= ring
        return set()


def games(seed: str) -> Iterator[tuple[Any, Random]]:
    """Matches on random boards, each with the chance of its own."""
    system = system_of("doom2016")
    number = 0
    while True:
        rng = Random(f"{seed}/{number}")
        start = MISSIONS.random_start(rng)
        options = {"displaced_nowhere": "fragged"}
        game = See(document=dict(start.table)).apply(system.start(start.setup, options, seed))
        yield replace(game, phase="activation", round=1), rng
        number += 1


def is_legal(step: Any, game: Any) -> bool:
    try:
        step.settle(game, Chance("x")).check(game)
    except InputError:
        return False
    return True


def places_for(plain: Plain, rng: Random, reach: dict[Place, int]) -> Iterator[Place]:
    """Targets inside the reach and outside it."""
    inside = sorted(reach, key=sorted)
    for _ in range(4):
        yield rng.choice(inside)
        columns, rows = ({cell[axis] for cell in plain.mover.cells} for axis in (0, 1))
        wide, high = rng.choice([(len(columns), len(rows)), (len(rows), len(columns))])
        x, y = rng.choice(sorted(plain.board.cells))
        yield frozenset((x + i, y + j) for i in range(wide) for j in range(high))


def try_moves(count: int, wanted: Callable[[Any], bool]) -> tuple[int, int]:
    """Try that many moves of such figures; return the numbers of legal and illegal ones."""
    told = [0, 0]
    for game, rng in games("moves"):
        for piece in [one for one in game.standing() if one.cells and wanted(one)]:
            points = rng.randint(1, POINTS)
            turn = Activation(side=piece.side, figure=piece.id, kind=piece.kind, movement=points)
            acting = replace(game, turn=turn)
            plain = Plain(acting, piece.id)
            reach = plain.cheapest(points)
            for place in places_for(plain, rng, reach):
                if place == frozenset(piece.cells):
                    continue
                legal = place in reach and plain.may_end(place)
                step = MoveAndDisplace(figure=piece.id, cells=tuple(sorted(place)))
                assert is_legal(step, acting) is legal, (piece, sorted(place), points, reach.get(place))
                told[not legal] += 1
                if sum(told) >= count:
                    return told[0], told[1]
    raise AssertionError("the boards never end")


def try_displaced(count: int) -> tuple[int, int]:
    """Try small figures under a large one's final place, and their owners' choices of cells."""
    told = [0, 0]
    for game, rng in games("displaced"):
        for large in [one for one in game.standing() if len(one.cells) > 1]:
            plain = Plain(replace(game, turn=Activation(side=large.side, figure=large.id, movement=POINTS)), large.id)
            for place in sorted((p for p in plain.cheapest(POINTS) if plain.may_end(p)), key=sorted):
                if not any(cell in plain.others for cell in place):
                    continue
                turn = Activation(side=large.side, figure=large.id, kind=large.kind, movement=POINTS)
                move = MoveAndDisplace(figure=large.id, cells=tuple(sorted(place)))
                acting = replace(game, turn=turn)
                after = move.settle(acting, Chance("x")).apply(acting)
                if after.winner is not None or not after.to_displace:
                    continue
                name = after.to_displace[0]
                taken = {cell for piece in after.standing() for cell in piece.cells}
                near = Plain(after, name).nearest_empty(after.displaced_from[name][0], taken)
                for cell in (*near, rng.choice(sorted(plain.board.cells))):
                    legal = cell in near
                    assert is_legal(Displace(figure=name, cells=(cell,)), after) is legal, (name, cell, near)
                    told[not legal] += 1
                    if sum(told) >= count:
                        return told[0], told[1]
    raise AssertionError("the boards never end")


def try_summoned(count: int) -> tuple[int, int]:
    """Try one demon out of a portal, on random cells."""
    told = [0, 0]
    for game, rng in games("summoned"):
        free = [one for one in game.pieces.values() if one.kind == "imp" and not one.on_table]
        if not free:
            continue
        cells = sorted(board_of(game).cells)
        for _ in range(6):
            portal = Portal(id="p", color="blue", cell=rng.choice(cells))
            setup = replace(game.setup, invasion=(InvasionGroup(portal="blue", demons={"imp": 1}),))
            summoning = replace(game, setup=setup, portals=(portal,), summons_due=("p",))
            plain = Plain(summoning, free[0].id)
            cell = rng.choice([c for c in cells if abs(c[0] - portal.cell[0]) < 3 and abs(c[1] - portal.cell[1]) < 3])
            near = cell == portal.cell or plain.are_neighbours(portal.cell, cell, red=False)
            legal = near and cell not in plain.others and cell not in plain.board.blocking
            step = Summon(portal="p", group=0, cells={free[0].id: (cell,)})
            assert is_legal(step, summoning) is legal, (portal, cell)
            told[not legal] += 1
            if sum(told) >= count:
                return told[0], told[1]
    raise AssertionError("the boards never end")


WAYS: dict[str, Callable[[int], tuple[int, int]]] = {
    "marine": lambda count: try_moves(count, lambda piece: piece.side == "marines"),
    "small demon": lambda count: try_moves(count, lambda piece: piece.side != "marines" and len(piece.cells) == 1),
    "large demon": lambda count: try_moves(count, lambda piece: len(piece.cells) > 1),
    "displaced": try_displaced,
    "summoned": try_summoned,
}


@pytest.mark.parametrize("way", WAYS)
def test_each_way_is_measured(way: str) -> None:
    inside, outside = WAYS[way](FEW)
    assert inside > FEW // 10
    assert outside > FEW // 10


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_each_way_is_measured_with_many_targets(way: str) -> None:
    inside, outside = WAYS[way](MANY)
    assert inside + outside == MANY
