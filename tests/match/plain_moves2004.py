"""Movement of DOOM 2004 a second time, as plainly as possible: space by space, no bits, no heap.

It shares only the board with the product. It is slow on purpose, and the match must agree with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from assistant.table.board import Board
from assistant.table.lattice import edge_between

Spot = tuple[int, int]
Base = frozenset[Spot]

AROUND = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
STRAIGHT = [(x, y) for x, y in AROUND if 0 in (x, y)]


def is_barred(board: Board, one: Spot, other: Spot) -> bool:
    """Return whether a wall, line, closed door or the rim separates two spaces that share a side."""
    if one not in board.cells or other not in board.cells or one in board.blocking or other in board.blocking:
        return True
    edge = edge_between(one, other)
    return edge in board.edges or any(edge in door.edges and not door.open for door in board.doors)


def may_step(board: Board, here: Spot, dx: int, dy: int) -> bool:
    """Return whether one space leads to the next; diagonally, one of the two ways round the corner must be free."""
    x, y = here
    there = (x + dx, y + dy)
    if 0 in (dx, dy):
        return not is_barred(board, here, there)
    corners = ((x + dx, y), (x, y + dy))
    return any(not is_barred(board, here, corner) and not is_barred(board, corner, there) for corner in corners)


def is_whole(board: Board, base: Base) -> bool:
    """Return whether a base lies on the board, on no obstacle, and across nothing."""
    if not base <= board.cells or not base.isdisjoint(board.blocking):
        return False
    return not any(
        is_barred(board, (x, y), other) for x, y in base for other in ((x + 1, y), (x, y + 1)) if other in base
    )


def list_steps(board: Board, base: Base) -> Iterator[Base]:
    """Yield every step of one point, as if the figure were alone on the board."""
    if len(base) == 2:
        for leader in base:
            (follower,) = base - {leader}
            for dx, dy in STRAIGHT:
                ahead = (leader[0] + dx, leader[1] + dy)
                if ahead != follower and may_step(board, leader, dx, dy):
                    yield frozenset((ahead, leader))
    for dx, dy in AROUND:
        if len(base) == 2 and 0 in (dx, dy):
            continue
        moved = frozenset((x + dx, y + dy) for x, y in base)
        if all(may_step(board, cell, dx, dy) for cell in base) and is_whole(board, moved):
            yield moved


def find_costs(board: Board, start: Base, enemies: frozenset[Spot], points: int) -> Mapping[Base, int]:
    """Return the points to every placement on the way: friends are passed, enemies and obstacles are not."""
    costs, edge = {start: 0}, [start]
    for cost in range(1, points + 1):
        edge = [
            after
            for base in edge
            for after in list_steps(board, base)
            if after.isdisjoint(enemies | board.blocking) and costs.setdefault(after, cost) == cost
        ]
    return costs


def price_move(
    board: Board, base: Base, others: Mapping[str, tuple[str, Base]], side: str, want: Base, points: int
) -> Any:
    """Return the points of a move to an empty place, or to a friend's with a way on to an empty one; else None.

    ``others`` are the sides and the bases of all other figures by name.
    """
    enemies: frozenset[Spot] = frozenset().union(*(cells for whose, cells in others.values() if whose != side))
    taken: frozenset[Spot] = frozenset().union(*(cells for _, cells in others.values()))
    cost = find_costs(board, base, enemies, points).get(want)
    if cost is None or cost == 0:
        return cost
    if want.isdisjoint(taken):
        return cost
    onward = find_costs(board, want, enemies, points - cost)
    return cost if any(price and end.isdisjoint(taken) for end, price in onward.items()) else None
