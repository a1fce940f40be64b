"""Where the figures of a match stand on the board that a camera shows for the first time: after a restart, above all.

A match keeps its cells under the names that they had when it was told of them. The printed lines of both boards tell
how those are called now. Where most figures stand elsewhere, another table was laid, and nothing is recalled.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from assistant.table.board import Board, EdgeKind
from assistant.table.lattice import Point
from assistant.table.observation import Observation
from assistant.tracking.alignment import SAME, Renaming
from assistant.tracking.values import Cells

LIKE_BOARD_SHARE = 0.6
"""Share of the lines of the smaller board that must fit: a tile may be missed, and be there again."""

LIKE_TABLE_SHARE = 0.5
"""Share of the match's figures that must be seen in their places."""

MOST_PAIRS = 4_000_000
"""Pairs of lines that are compared at most; a camera sees some hundred lines."""

_Points = npt.NDArray[np.int64]


def relocalize(match: Board, seen: Observation) -> Mapping[str, Cells]:
    """The cells of the match's figures on the board that is seen; empty where it is another board, or another table."""
    change = find_board_renaming(seen.board, match)
    if change is None:
        return {}
    places = {figure.id: change.cells(figure.cells) for figure in match.figures}
    kinds = {figure.id: figure.kind for figure in match.figures}
    shown = {tuple(sorted(figure.cells)): figure.kind for figure in seen.figures}
    found = sum(cells in shown and shown[cells] in (None, kinds[name]) for name, cells in places.items())
    return places if found and found >= LIKE_TABLE_SHARE * len(places) else {}


def find_board_renaming(before: Board, now: Board) -> Renaming | None:
    """How cells of ``now`` are called in ``before``, by their printed lines; None where they are not one board."""
    if before.cells == now.cells and before.edges == now.edges:
        return SAME
    if len(before.edges) * len(now.edges) > MOST_PAIRS:
        return None
    votes, change = max((_find_best_shift(before, now, quarters) for quarters in range(4)), key=lambda vote: vote[0])
    least = LIKE_BOARD_SHARE * min(len(before.edges), len(now.edges))
    return change if votes and votes >= least else None


def _find_best_shift(before: Board, now: Board, quarters: int) -> tuple[int, Renaming]:
    """The shift for which most lines of ``now``, turned, fall on lines of their kind, and how many do."""
    there = _group_lines(before, Renaming())
    shifts = [
        (there[look][:, None] - starts[None]).reshape(-1, 2)
        for look, starts in _group_lines(now, Renaming(quarters)).items()
        if look in there
    ]
    if not shifts:
        return 0, SAME
    found, counts = np.unique(np.concatenate(shifts), axis=0, return_counts=True)
    x, y = found[int(counts.argmax())].tolist()
    return int(counts.max()), Renaming(quarters, (x, y))


def _group_lines(board: Board, change: Renaming) -> dict[tuple[EdgeKind, bool], _Points]:
    """Where the renamed lines of each kind and direction begin, (N, 2)."""
    starts: dict[tuple[EdgeKind, bool], list[Point]] = {}
    for edge, kind in board.edges.items():
        renamed = change.edge(edge)
        starts.setdefault((kind, renamed.is_horizontal), []).append(renamed.start)
    return {look: np.array(points, dtype=np.int64) for look, points in starts.items()}
