"""How likely a move is: how far the way is on this board, and whose turn it is."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.match.game import GameState
from assistant.rules.barriers import Barriers
from assistant.rules.grid import Grid
from assistant.rules.paths import Ranges, StepGraph, chebyshev
from assistant.table.board import Board
from assistant.tracking.values import Cells

_STOPS = frozenset({"wall", "obstacle", "impassable", "door"})

STEP_COST = 0.35
"""Each step makes a move less likely by a third: of two ways to tell look-alikes apart, the shorter is the likelier."""

EXTRA_STEP_COST, MOST_EXTRA = 1.0, 4.0
"""Beyond the points of movement; from four steps on it was a mistake or no move at all, however far."""

NO_WAY_COST = 2.5
"""Through a wall: about one move in twelve, be it a mistake, a teleporter, a card or a table that is tidied up."""

NOT_ACTIVE_COST, OTHER_SIDE_COST = 1.5, 0.7
"""Others than the active figure are moved, too: pushed, displaced, tidied up."""

PUT_BACK_GAIN = 0.5
"""Lifted for a look and put back is commoner than one look-alike put exactly on another's place."""


@dataclass(frozen=True, slots=True)
class ActiveFigure:
    """Who is to move: the active figure, its side and the points of movement it has left; None where not known."""

    figure: str | None = None
    side: str | None = None
    points: int | None = None


NOBODYS_TURN = ActiveFigure()


def turn_of(game: GameState) -> ActiveFigure:
    """Whose turn it is in a match of any game."""
    figure, points = game.mover()
    return ActiveFigure(figure, game.side_to_act(), points)


class StepDistances:
    """The shortest ways of one board, figures passed over and closed doors in the way."""

    def __init__(self, board: Board) -> None:
        grid = Grid(board)
        self._cells = board.cells
        self._ranges = Ranges(StepGraph.over(Barriers.of(grid, _STOPS), grid.inside), board.cells)

    def steps(self, start: Cells, goal: Cells) -> int | None:
        """The fewest steps in eight directions; None where no way leads there."""
        if not self._cells.issuperset((*start, *goal)):
            return None
        return self._ranges.between(start, goal)


def compute_move_cost(
    ways: StepDistances, turn: ActiveFigure, who: tuple[str, str], start: Cells, goal: Cells
) -> float:
    """How unlikely it is that this figure went there, in natural logarithms of odds; 0 is nothing unusual.

    Args:
        ways: the board.
        turn: who is to move.
        who: the figure's name and side.
        start: where it stood.
        goal: where it may stand now.
    """
    figure, side = who
    if start == goal:
        return -PUT_BACK_GAIN
    cost = 0.0
    if turn.figure is not None and figure != turn.figure:
        cost += NOT_ACTIVE_COST
    if turn.side is not None and side != turn.side:
        cost += OTHER_SIDE_COST
    steps = ways.steps(start, goal)
    if steps is None:
        return cost + NO_WAY_COST + STEP_COST * chebyshev(start, goal)
    points = turn.points if figure == turn.figure else None
    extra = 0 if points is None else max(0, steps - points)
    return cost + STEP_COST * steps + min(MOST_EXTRA, EXTRA_STEP_COST * extra)
