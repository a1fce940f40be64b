"""Identifies figures after a move: the likeliest assignment of all newcomers to all missing figures at once.

Every cost is a negative log likelihood ratio: 0 for the commonest case, 0.7 for one half as likely, 2.3 for a tenth.
Moves count as independent, so costs add up and the cheapest assignment is the likeliest one. This is the linear
assignment problem. `scipy.optimize.linear_sum_assignment` solves it exactly (D. F. Crouse, "On implementing 2D
rectangular assignment algorithms", 2016). Each newcomer has its own column for a stranger, so an assignment always
exists.

Trap: the cost of a single pair says nothing about doubt. A cheap rival may leave another newcomer without a figure, and
an expensive one may free a cheap one. So the log odds of a rival are the cost of the best assignment *with* that pair,
less the cost of the best one of all (`_find_rivals`).
"""

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
"""Cost of each step, which makes a move less likely by a third, so the shorter path decides between look-alikes."""

EXTRA_STEP_COST, MOST_EXTRA = 1.0, 4.0
"""Cost of a step beyond the points, and its limit: from four steps on it was a mistake or not a move, at any
distance."""

NO_WAY_COST = 2.5
"""Cost of a path through a wall: about one move in twelve, by mistake, teleporter, card, or tidying up."""

NOT_ACTIVE_COST, OTHER_SIDE_COST = 1.5, 0.7
"""Costs of moving a figure other than the active one, and one of another side: people push, displace and tidy up."""

PUT_BACK_GAIN = 0.5
"""Gain for putting a figure back: lifting one for a look is commoner than putting a look-alike exactly on its place."""


@dataclass(frozen=True, slots=True)
class ActiveFigure:
    """The active figure, its side and its remaining movement points, or None if unknown.

    While the table is being laid out for its first round (``is_laid``), no movement breaks a rule.
    """

    figure: str | None = None
    side: str | None = None
    points: int | None = None
    is_laid: bool = False


NOBODYS_TURN = ActiveFigure()


def turn_of(game: GameState) -> ActiveFigure:
    """Return the active figure of a match, for any game."""
    figure, points = game.mover()
    return ActiveFigure(figure, game.side_to_act(), points, is_laid=game.round == 0)


class StepDistances:
    """Shortest paths on one board, blocked by closed doors but not by figures."""

    def __init__(self, board: Board) -> None:
        grid = Grid(board)
        self._cells = board.cells
        self._ranges = Ranges(StepGraph.over(Barriers.of(grid, _STOPS), grid.inside), board.cells)

    def steps(self, start: Cells, goal: Cells) -> int | None:
        """Return the fewest steps in eight directions, or None if there is no path."""
        if not self._cells.issuperset((*start, *goal)):
            return None
        return self._ranges.between(start, goal)


def compute_move_cost(
    paths: StepDistances, turn: ActiveFigure, who: tuple[str, str], start: Cells, goal: Cells
) -> float:
    """Return the cost of a figure's move, in natural log odds. ``who`` is its name and side."""
    figure, side = who
    if start == goal:
        return -PUT_BACK_GAIN
    cost = 0.0
    if turn.figure is not None and figure != turn.figure:
        cost += NOT_ACTIVE_COST
    if turn.side is not None and side != turn.side:
        cost += OTHER_SIDE_COST
    steps = paths.steps(start, goal)
    if steps is None:
        return cost + NO_WAY_COST + STEP_COST * chebyshev(start, goal)
    points = turn.points if figure == turn.figure else None
    extra = 0 if points is None else max(0, steps - points)
    return cost + STEP_COST * steps + min(MOST_EXTRA, EXTRA_STEP_COST * extra)


OTHER_KIND_COST, UNKNOWN_KIND_COST = 6.0, 2.0
"""Costs of a wrong and of an unknown kind. A wrong kind is rare, mostly for half-hidden figures. An unknown one is
commoner, and normal without a ring."""

CHANGED_KIND_COST = 3.0
"""Surcharge for another kind on the same cells. An unmoved figure is read as before, so more likely another one
came."""

FROM_BOX_COST, FROM_ASIDE_COST = 12.0, 8.0
"""Costs of a figure from the box and of one that left the table. Figures enter far less often than they move."""

OUT_OF_TURN_COST = 6.0
"""Cost of a contradiction in time: a hand carries one figure at a time, so the first one lifted is the first put
down."""

STILL_STOOD_COST = 8.0
"""Cost of a figure that was still visible in its place when the newcomer had already arrived."""

NOT_SHOWN_COST = 2.0
"""Cost for a figure that only a person placed: it may have moved, but nothing shows that it left."""

STRANGER_COST, UNKNOWN_STRANGER_COST = 20.0, 13.0
"""Costs of a figure outside the roster, if nobody else is left. An unknown kind is likelier than a figure from
the box."""

PUT_BACK_AGAIN_COST = 3.5
"""Cost of putting a figure back while others of its kind move in the same reach: they more likely changed places."""

NEVER_COST = 60.0
"""Cost of the impossible: a small base never becomes a large one, and a figure from the box has the kind in view."""

ASK_BELOW = 1.2
"""Log odds, 3.3 to 1, below which an answer becomes a question (``tests/tracking``)."""


@dataclass(frozen=True, slots=True)
class AssociationCandidate:
    """A figure that a newcomer may be.

    Args:
        id: its name.
        kind: its kind.
        side: its side.
        cells: its last cells; empty for one off the table.
        is_known: whether a figure off the table was on it before.
        is_kind_seen: whether the camera ever saw its kind; otherwise it may turn out to be another.
        has_ring: whether a ring should show its kind.
        left: when it left its cells; None if nothing shows that it left.
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
        """A key shared by interchangeable candidates: those of one kind in the box."""
        return ("figure", self.id) if self.cells or self.is_known else ("box", self.kind)


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A new sighting, and its time of arrival."""

    sighting: Sighting
    came: Span


@dataclass(frozen=True, slots=True)
class Association:
    """A newcomer's likeliest figure (None for a stranger), and rivals nearly as likely, the likeliest first."""

    newcomer: Newcomer
    candidate: AssociationCandidate | None
    rivals: tuple[AssociationCandidate, ...]


def associate(
    newcomers: Sequence[Newcomer],
    candidates: Sequence[AssociationCandidate],
    paths: StepDistances,
    turn: ActiveFigure,
) -> list[Association]:
    """Return each newcomer with its figure in the likeliest assignment. Ties go to the first candidate."""
    costs = _compute_costs(newcomers, candidates, paths, turn)
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
    newcomers: Sequence[Newcomer],
    candidates: Sequence[AssociationCandidate],
    paths: StepDistances,
    turn: ActiveFigure,
) -> npt.NDArray[np.float64]:
    """Return the cost of each pair, (newcomers, candidates plus a stranger for each newcomer)."""
    costs = np.full((len(newcomers), len(candidates) + len(newcomers)), STRANGER_COST)
    for row, newcomer in enumerate(newcomers):
        if not newcomer.sighting.kind:
            costs[row] = UNKNOWN_STRANGER_COST
        for column, candidate in enumerate(candidates):
            costs[row, column] = _compute_cost(newcomer.sighting, candidate, paths, turn)
    costs[:, : len(candidates)] += _compute_time_costs(newcomers, candidates)
    costs[:, : len(candidates)] += _compute_put_back_costs(newcomers, candidates)
    return costs


def is_in_place(newcomer: Newcomer, candidate: AssociationCandidate) -> bool:
    """Return whether only a small shift distinguishes the newcomer from the figure in its old place."""
    return candidate.cells == newcomer.sighting.cells and candidate.left == newcomer.came


def _compute_put_back_costs(
    newcomers: Sequence[Newcomer], candidates: Sequence[AssociationCandidate]
) -> npt.NDArray[np.float64]:
    """Return the cost of putting a figure back while others of its kind move, (newcomers, candidates)."""
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
    """Return each pair's contradiction to the times of departure and arrival, (newcomers, candidates)."""
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
                # In an exchange one figure waits aside, so the order of lifting means nothing.
                is_exchange = {newcomers[i].sighting.cells, candidates[j].cells} <= shifted
                turns = 0.0 if is_exchange else abs(rank - other)
                costs[i, j] = OUT_OF_TURN_COST * turns + STILL_STOOD_COST * still_stood
    return costs


def _compute_cost(
    newcomer: Sighting, candidate: AssociationCandidate, paths: StepDistances, turn: ActiveFigure
) -> float:
    cost = _compute_kind_cost(newcomer, candidate)
    if not candidate.cells:
        fresh = FROM_ASIDE_COST if candidate.is_known else FROM_BOX_COST
        return cost + fresh if newcomer.kind in ("", candidate.kind) else NEVER_COST
    if len(candidate.cells) != len(newcomer.cells):
        cost += NEVER_COST
    if candidate.left is None:
        cost += NOT_SHOWN_COST
    return cost + compute_move_cost(paths, turn, (candidate.id, candidate.side), candidate.cells, newcomer.cells)


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
    """Return the other candidates for which the whole assignment is nearly as likely, the likeliest first."""
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
    """Return the cost of the best assignment that contains this pair."""
    rest = np.delete(np.delete(costs, row, axis=0), column, axis=1)
    return float(costs[row, column]) + (_assign(rest)[1] if len(rest) else 0.0)
