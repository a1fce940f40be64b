"""Spawn spaces, blasts, scatter, blow-through and damaging obstacles of DOOM (2004)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from assistant.games.doom2004.rules.centers import CenterTable
from assistant.rules.moves import Footprint, MoveGround
from assistant.rules.paths import EIGHT_DIRECTIONS
from assistant.table.board import Figure
from assistant.table.lattice import Cell


def find_hidden_spaces(table: CenterTable, viewers: Iterable[Figure], spaces: Iterable[Cell]) -> frozenset[Cell]:
    """Return the spaces that no viewer sees. Closed doors block sight, figures of the other side do not.

    The option ``spawn_los_marines`` decides whether viewers block each other's sight. Source: “Paso 2: generación”
    (seed 002).
    """
    watching = tuple(viewers)
    block = table.options["spawn_los_marines"] == "block"
    hidden = set(spaces)
    for viewer in watching:
        mates = [cell for other in watching if other is not viewer for cell in other.cells] if block else []
        hidden -= set(table.seen_spaces(viewer, hidden, mates))
    return frozenset(hidden)


class Blast(NamedTuple):
    """The area of an explosion: spaces, and the figures on them. It hits each figure once."""

    spaces: frozenset[Cell]
    figures: tuple[str, ...]


def blast(table: CenterTable, center: Cell, radius: int) -> Blast:
    """Return the spaces within ``radius`` steps of a space, round walls, closed doors and blocking obstacles."""
    frame = table.frame
    rings = islice(table.steps.rings(frame.bit(center)), radius + 1)
    spaces = frozenset(cell for ring in rings for cell in frame.places(ring))
    hit = sorted(figure.id for figure in table.board.figures if not spaces.isdisjoint(figure.cells))
    return Blast(spaces, tuple(hit))


def scatter(table: CenterTable, target: Cell, direction: Cell, distance: int) -> Cell | None:
    """Return where a missed shot lands, or None if an obstacle stops it and it fizzles.

    Args:
        table: the board.
        target: the space that the attacker aimed at.
        direction: the diagram's step ``(dx, dy)``, with the card aligned to the compass.
        distance: the diagram's number of spaces.

    Raises:
        ValueError: the direction is not one of the eight.
    """
    if direction not in EIGHT_DIRECTIONS:
        raise ValueError(f"a shot scatters in one of the eight directions, not {list(direction)}")
    here = target
    for _ in range(distance):
        if not table.steps.may_step(here, *direction):
            return None
        here = (here[0] + direction[0], here[1] + direction[1])
    return here


def turn_direction(direction: Cell, quarter_turns: int) -> Cell:
    """Return a direction of the card's diagram after quarter turns clockwise, which align it with the compass.

    Source: “Turn it so that the compass rose on the card is facing the same direction as the compass rose token on
    the board” (seed 004, p. 11).
    """
    x, y = direction
    for _ in range(quarter_turns % 4):
        x, y = -y, x
    return (x, y)


def blow_through(table: CenterTable, last: Cell, done: Iterable[str]) -> tuple[tuple[Cell, str], ...]:
    """Return the figures beside the last attacked space, each with its space, without those already attacked."""
    board = table.board
    spent = set(done)
    near = sorted(cell for cell in board.figure_at if table.are_adjacent((last,), (cell,)))
    return tuple((cell, board.figure_at[cell].id) for cell in near if board.figure_at[cell].id not in spent)


def count_obstacle_wounds(path: Sequence[Footprint], damaging: frozenset[Cell], *, stayed: bool = False) -> int:
    """Count the wounds from damaging obstacles on a move. Armour does not help.

    Each obstacle space that the figure enters is a wound. A figure of several spaces takes at most one a move.

    Args:
        path: the placements of the move in order, the start first.
        damaging: the spaces with damaging obstacles.
        stayed: whether the figure spent its whole turn where the path ends. On an obstacle that adds a wound.
    """
    if not path:
        return 0
    entered = sum(len(damaging.intersection(after).difference(before)) for before, after in pairwise(path))
    if len(path[0]) > 1:
        entered = min(entered, 1)
    return entered + (stayed and not damaging.isdisjoint(path[-1]))


def find_fewest_wounds(
    ground: MoveGround, start: Footprint, end: Footprint, points: int, damaging: frozenset[Cell]
) -> int | None:
    """Return the fewest wounds from damaging obstacles on a move of exactly ``points`` points, or None if impossible.

    Args:
        ground: the figure's ground; every step costs one point.
        start: the placement at the start.
        end: the placement at the end, its cells in any order.
        points: the cost of the move.
        damaging: the spaces with damaging obstacles.
    """
    # Invariant: after n rounds ``reached`` holds every placement that takes exactly n points, with its fewest wounds.
    # A placement may come back at a higher cost, so nothing is dropped between rounds.
    reached = {start: 0}
    for _ in range(points):
        following: dict[Footprint, int] = {}
        for here, wounds in reached.items():
            for stride in ground.strides(here):
                there = stride.placement
                total = wounds + len(damaging.intersection(there).difference(here))
                following[there] = min(total, following.get(there, total))
        reached = following
    found = [wounds for there, wounds in reached.items() if set(there) == set(end)]
    if not found:
        return None
    return min(found) if len(start) == 1 else min(1, *found)
