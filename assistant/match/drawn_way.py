"""A way that somebody draws over the board, space by space: its cost, and the reason where it stops.

The steps and their prices are the game's own. This module only chains them, and explains a step that the game does not
allow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from assistant.errors import IllegalStep
from assistant.match.game import Cells, GameState, unknown_figure
from assistant.match.ground import board_of
from assistant.rules.capabilities import WalksSteps
from assistant.rules.moves import Footprint
from assistant.table.board import Board
from assistant.table.lattice import Cell, grow, sides
from assistant.translations.messages import Said, counted, said


class DrawnWay(Struct, frozen=True, kw_only=True):
    """The part of a drawn way that the rules allow.

    Args:
        places: the spaces under the figure after each step, its present ones first.
        cost: the points of movement so far.
        points: the points of movement that the figure has.
        may_end: whether the figure may end its move at the last place.
        refusal: the reason why the way stops early, or None if it reaches its end.
    """

    places: tuple[Cells, ...]
    cost: int
    points: int
    may_end: bool
    refusal: Said | None = None


def count_way(
    game: GameState, figure: str, drawn: Sequence[Cell], may_stop: Callable[[Cells], bool] = lambda place: False
) -> DrawnWay:
    """Follow the drawn spaces with the acting figure, as far as the rules allow.

    Args:
        game: the match.
        figure: the figure.
        drawn: the spaces in order; those under the figure itself do not count.
        may_stop: whether the game lets a move end where the ground alone does not, such as in a friend's space.

    Raises:
        UnknownName: there is no such figure on the board.
        IllegalStep: the match has seen no table, this game counts no spaces, or it is not the figure's turn to move.
    """
    board, rules, mover = board_of(game), game.rules, game.mover()
    if figure not in board.figure_by_id:
        raise unknown_figure(figure)
    if not isinstance(rules, WalksSteps) or mover.figure != figure or not mover.movement:
        raise IllegalStep(said("{figure} has no movement left", figure=figure))
    ground = rules.move_ground(board, figure)
    places = [board.figure(figure).cells]
    cost, refusal = 0, None
    for cell in drawn:
        if cell in places[-1]:
            continue
        steps = [(one.cost, one.placement) for one in ground.strides(places[-1]) if cell in one.placement]
        price, place = min(steps, default=(0, None), key=lambda step: (step[0], sorted(step[1] or ())))
        if place is None:
            refusal = _why_not(board, places[-1], cell, figure)
        elif cost + price > mover.movement:
            more = cost + price - mover.movement
            refusal = counted("{n} point of movement too far", "{n} points of movement too far", more)
        if place is None or refusal is not None:
            break
        places.append(place)
        cost += price
    ended = tuple(tuple(sorted(place)) for place in places)
    ends = cost > 0 and (ground.may_end(places[-1]) or may_stop(ended[-1]))
    return DrawnWay(places=ended, cost=cost, points=mover.movement, may_end=ends, refusal=refusal)


def _why_not(board: Board, place: Footprint, cell: Cell, figure: str) -> Said:
    """Explain why no step leads from a place onto a space, as far as the board shows it."""
    if cell not in board.cells:
        return said("there is no space there")
    if cell not in grow(place):
        return said("a path goes from space to space; draw it without gaps")
    between = [edge for edge in sides(cell) if not set(edge.cells).isdisjoint(place)]
    if any(edge in board.closed_door_at for edge in between):
        return said("the door there is closed")
    if cell in board.blocking or any(edge in board.edges for edge in between):
        return said("a line or an obstacle blocks the way there")
    other = board.figure_at.get(cell)
    if other is not None and other.id != figure:
        return said("{figure} stands in the way", figure=other.id)
    return said("the rules allow no such step; go round the corner")
