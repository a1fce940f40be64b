"""Which figure is which after a move: the likeliest assignment of all newcomers to all that are missing, at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from assistant.match.identity.values import Cells, Sighting
from assistant.match.identity.ways import Turn, Ways, move_cost

OTHER_KIND_COST, UNKNOWN_KIND_COST = 6.0, 1.0
"""A kind is read wrongly now and then, above all where a figure is half hidden; that none is read is commoner."""

FROM_BOX_COST = 5.0
"""Figures come onto the table far less often than they are moved on it."""

NOT_SHOWN_COST = 2.0
"""For a figure that a person put where the camera sees none: it may have been moved, but nothing shows that it left."""

STRANGER_COST = 14.0
"""A figure that is none of the roster: only where nobody else is left."""

WRONG_SIZE_COST = 60.0
"""A small base never becomes a large one."""

ASK_BELOW = 1.2
"""An answer that is less than 3.3 times as likely as the next is asked about; ``tests/match`` measures what that gives."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A figure that a newcomer may be: one that was lifted (``cells``: from where), or one of the box (no cells)."""

    id: str
    kind: str
    side: str
    cells: Cells
    is_shown: bool = True

    @property
    def group(self) -> tuple[str, str]:
        """What tells candidates apart: those of one kind that come out of the box are all the same until then."""
        return ("box", self.kind) if not self.cells else ("figure", self.id)


@dataclass(frozen=True, slots=True)
class Match:
    """Who a newcomer is, and who else it may be.

    Args:
        newcomer: the sighting.
        candidate: the likeliest figure; None for a stranger.
        rivals: others that are nearly as likely, the likeliest first.
    """

    newcomer: Sighting
    candidate: Candidate | None
    rivals: tuple[Candidate, ...]


def matched(newcomers: Sequence[Sighting], candidates: Sequence[Candidate], ways: Ways, turn: Turn) -> list[Match]:
    """Each newcomer with its figure, such that the whole is as likely as it can be; ties go to the first candidate."""
    costs = _costs(newcomers, candidates, ways, turn)
    chosen, best = _assigned(costs)
    found = []
    for row, newcomer in enumerate(newcomers):
        column = chosen[row]
        if column >= len(candidates):
            found.append(Match(newcomer, None, ()))
            continue
        rivals = _rivals(costs, candidates, row, column, best)
        found.append(Match(newcomer, candidates[column], rivals))
    return found


def _costs(
    newcomers: Sequence[Sighting], candidates: Sequence[Candidate], ways: Ways, turn: Turn
) -> npt.NDArray[np.float64]:
    """How unlikely each pair is, (newcomers, candidates and a stranger for each newcomer)."""
    strangers = len(newcomers)
    costs = np.full((len(newcomers), len(candidates) + strangers), STRANGER_COST)
    for row, newcomer in enumerate(newcomers):
        for column, candidate in enumerate(candidates):
            costs[row, column] = _cost(newcomer, candidate, ways, turn)
    return costs


def _cost(newcomer: Sighting, candidate: Candidate, ways: Ways, turn: Turn) -> float:
    cost = 0.0
    if newcomer.kind != candidate.kind:
        cost += OTHER_KIND_COST if newcomer.kind else UNKNOWN_KIND_COST
    if not candidate.cells:
        return cost + FROM_BOX_COST
    if len(candidate.cells) != len(newcomer.cells):
        cost += WRONG_SIZE_COST
    if not candidate.is_shown:
        cost += NOT_SHOWN_COST
    return cost + move_cost(ways, turn, (candidate.id, candidate.side), candidate.cells, newcomer.cells)


def _assigned(costs: npt.NDArray[np.float64]) -> tuple[list[int], float]:
    rows, columns = linear_sum_assignment(costs)
    return [int(column) for column in columns], float(costs[rows, columns].sum())


def _rivals(
    costs: npt.NDArray[np.float64], candidates: Sequence[Candidate], row: int, column: int, best: float
) -> tuple[Candidate, ...]:
    """The candidates that this newcomer may be without making the whole much less likely."""
    rivals: list[tuple[float, int]] = []
    seen = {candidates[column].group}
    for other, candidate in enumerate(candidates):
        if candidate.group in seen or costs[row, other] > best + STRANGER_COST + ASK_BELOW:
            continue
        seen.add(candidate.group)
        loss = _loss_if(costs, row, other) - best
        if loss < ASK_BELOW:
            rivals.append((loss, other))
    return tuple(candidates[other] for _, other in sorted(rivals))


def _loss_if(costs: npt.NDArray[np.float64], row: int, column: int) -> float:
    """The cost of the best assignment that contains this pair."""
    rest = np.delete(np.delete(costs, row, axis=0), column, axis=1)
    return float(costs[row, column]) + (_assigned(rest)[1] if len(rest) else 0.0)
