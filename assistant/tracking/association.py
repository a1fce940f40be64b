"""Which figure is which after a move: the likeliest assignment of all newcomers to all missing figures at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from assistant.match.game import GameState
from assistant.rules.barriers import Barriers
from assistant.rules.grid import Grid
from assistant.rules.paths import Ranges, StepGraph, chebyshev
from assistant.table.board import Board
from assistant.tracking.values import Cells, Sighting, Span, rank_spans

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


OTHER_KIND_COST, UNKNOWN_KIND_COST = 6.0, 2.0
"""A kind is read wrongly now and then, above all where a figure is half hidden. That none is read is commoner, and
nothing unusual for figures without a coloured ring."""

CHANGED_KIND_COST = 3.0
"""A figure that stands where it stood is read as before; where another kind is read, rather another figure came."""

FROM_BOX_COST, FROM_ASIDE_COST = 12.0, 8.0
"""Figures come onto the table far less often than they are moved on it; one that left it may come back."""

OUT_OF_TURN_COST = 6.0
"""A hand carries one figure at a time: what was lifted first is put down first."""

STILL_STOOD_COST = 8.0
"""A figure that was still seen in its place is not the one that had come elsewhere by then."""

NOT_SHOWN_COST = 2.0
"""For a figure that a person put where the camera sees none: it may have been moved, but nothing shows that it left."""

STRANGER_COST, UNKNOWN_STRANGER_COST = 20.0, 13.0
"""A figure that is none of the roster, where nobody else is left; if its kind is not seen, before any of the box."""

PUT_BACK_AGAIN_COST = 3.5
"""One figure is often lifted and put back; that others of its kind are moved, or put back, in the same reach is rare:
then they rather changed places."""

NEVER_COST = 60.0
"""A small base never becomes a large one, and what comes out of the box is of the kind that is seen."""

ASK_BELOW = 1.2
"""An answer that is less than 3.3 times as likely as the next is asked about (measured in ``tests/match``)."""


@dataclass(frozen=True, slots=True)
class AssociationCandidate:
    """A figure that a newcomer may be.

    Args:
        id: its name.
        kind: what it is.
        side: whose it is.
        cells: where it was; empty for one that is not on the table.
        is_known: whether it was on the table already, if it is not there now.
        is_kind_seen: whether its kind was ever seen; else it may turn out to be another.
        has_ring: whether the camera should tell its kind by the ring.
        left: when it left its cells; None where it was not seen to leave.
    """

    id: str
    kind: str
    side: str
    cells: Cells
    is_known: bool = False
    is_kind_seen: bool = True
    has_ring: bool = True
    left: Span | None = None

    @property
    def group(self) -> tuple[str, str]:
        """What tells candidates apart: those of one kind that come out of the box are all the same until then."""
        return ("figure", self.id) if self.cells or self.is_known else ("box", self.kind)


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A figure that was not there before, and when it came."""

    sighting: Sighting
    came: Span


@dataclass(frozen=True, slots=True)
class Association:
    """Who a newcomer is, and who else it may be.

    Args:
        newcomer: who came.
        candidate: the likeliest figure; None for a stranger.
        rivals: others that are nearly as likely, the likeliest first.
    """

    newcomer: Newcomer
    candidate: AssociationCandidate | None
    rivals: tuple[AssociationCandidate, ...]


def associate(
    newcomers: Sequence[Newcomer], candidates: Sequence[AssociationCandidate], ways: StepDistances, turn: ActiveFigure
) -> list[Association]:
    """Each newcomer with its figure, such that the whole is as likely as it can be; ties go to the first candidate."""
    costs = _compute_costs(newcomers, candidates, ways, turn)
    chosen, best = _assign(costs)
    found = []
    for row, newcomer in enumerate(newcomers):
        column = chosen[row]
        if column >= len(candidates):
            found.append(Association(newcomer, None, ()))
            continue
        rivals = _find_rivals(costs, candidates, row, column, best)
        found.append(Association(newcomer, candidates[column], rivals))
    return found


def _compute_costs(
    newcomers: Sequence[Newcomer], candidates: Sequence[AssociationCandidate], ways: StepDistances, turn: ActiveFigure
) -> npt.NDArray[np.float64]:
    """How unlikely each pair is, (newcomers, candidates and a stranger for each newcomer)."""
    costs = np.full((len(newcomers), len(candidates) + len(newcomers)), STRANGER_COST)
    for row, newcomer in enumerate(newcomers):
        if not newcomer.sighting.kind:
            costs[row] = UNKNOWN_STRANGER_COST
        for column, candidate in enumerate(candidates):
            costs[row, column] = _compute_cost(newcomer.sighting, candidate, ways, turn)
    costs[:, : len(candidates)] += _compute_time_costs(newcomers, candidates)
    costs[:, : len(candidates)] += _compute_put_back_costs(newcomers, candidates)
    return costs


def is_in_place(newcomer: Newcomer, candidate: AssociationCandidate) -> bool:
    """Whether the newcomer stands where the figure stood and is told from it by nothing but a little shift."""
    return candidate.cells == newcomer.sighting.cells and candidate.left == newcomer.came


def _compute_put_back_costs(
    newcomers: Sequence[Newcomer], candidates: Sequence[AssociationCandidate]
) -> npt.NDArray[np.float64]:
    """What it costs that a figure was put back where it was, while others of its kind were moved in the same reach."""
    came = Counter(newcomer.sighting.kind for newcomer in newcomers)
    costs = np.zeros((len(newcomers), len(candidates)))
    for i, newcomer in enumerate(newcomers):
        for j, candidate in enumerate(candidates):
            if came[newcomer.sighting.kind] > 1 and is_in_place(newcomer, candidate):
                costs[i, j] = PUT_BACK_AGAIN_COST
    return costs


def _compute_time_costs(
    newcomers: Sequence[Newcomer], candidates: Sequence[AssociationCandidate]
) -> npt.NDArray[np.float64]:
    """How much each pair contradicts what was seen when, (newcomers, candidates)."""
    costs = np.zeros((len(newcomers), len(candidates)))
    shifted = {n.sighting.cells for n in newcomers if any(is_in_place(n, candidate) for candidate in candidates)}
    for kind in {candidate.kind for candidate in candidates}:
        rows = [i for i, newcomer in enumerate(newcomers) if newcomer.sighting.kind == kind]
        timed = [(j, c.left) for j, c in enumerate(candidates) if c.kind == kind and c.cells and c.left is not None]
        came = rank_spans([newcomers[i].came for i in rows])
        left = rank_spans([span for _, span in timed])
        for i, rank in zip(rows, came, strict=True):
            for (j, span), other in zip(timed, left, strict=True):
                still_stood = span.after_s >= newcomers[i].came.before_s
                # Who changes places with another one is put aside meanwhile: there is no turn.
                is_exchange = {newcomers[i].sighting.cells, candidates[j].cells} <= shifted
                turns = 0.0 if is_exchange else abs(rank - other)
                costs[i, j] = OUT_OF_TURN_COST * turns + STILL_STOOD_COST * still_stood
    return costs


def _compute_cost(
    newcomer: Sighting, candidate: AssociationCandidate, ways: StepDistances, turn: ActiveFigure
) -> float:
    cost = _compute_kind_cost(newcomer, candidate)
    if not candidate.cells:
        fresh = FROM_ASIDE_COST if candidate.is_known else FROM_BOX_COST
        return cost + fresh if newcomer.kind in ("", candidate.kind) else NEVER_COST
    if len(candidate.cells) != len(newcomer.cells):
        cost += NEVER_COST
    if candidate.left is None:
        cost += NOT_SHOWN_COST
    return cost + compute_move_cost(ways, turn, (candidate.id, candidate.side), candidate.cells, newcomer.cells)


def _compute_kind_cost(newcomer: Sighting, candidate: AssociationCandidate) -> float:
    if newcomer.kind == candidate.kind:
        return 0.0
    if not newcomer.kind:
        return UNKNOWN_KIND_COST if candidate.has_ring else 0.0
    if not candidate.is_kind_seen:
        return UNKNOWN_KIND_COST
    return OTHER_KIND_COST + CHANGED_KIND_COST * (newcomer.cells == candidate.cells)


def _assign(costs: npt.NDArray[np.float64]) -> tuple[list[int], float]:
    rows, columns = linear_sum_assignment(costs)
    return [int(column) for column in columns], float(costs[rows, columns].sum())


def _find_rivals(
    costs: npt.NDArray[np.float64], candidates: Sequence[AssociationCandidate], row: int, column: int, best: float
) -> tuple[AssociationCandidate, ...]:
    """The candidates that this newcomer may be without making the whole much less likely."""
    rivals: list[tuple[float, int]] = []
    seen = {candidates[column].group}
    for other, candidate in enumerate(candidates):
        if candidate.group in seen:
            continue
        seen.add(candidate.group)
        loss = _compute_loss(costs, row, other) - best
        if loss < ASK_BELOW:
            rivals.append((loss, other))
    return tuple(candidates[other] for _, other in sorted(rivals))


def _compute_loss(costs: npt.NDArray[np.float64], row: int, column: int) -> float:
    """The cost of the best assignment that contains this pair."""
    rest = np.delete(np.delete(costs, row, axis=0), column, axis=1)
    return float(costs[row, column]) + (_assign(rest)[1] if len(rest) else 0.0)
