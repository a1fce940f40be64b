"""A dark door seen from above looks like a gap between tiles: hidden print keeps its edge in doubt."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assistant.table.lattice import list_inner_edges
from assistant.table.roster import DoorSpec
from vision.evidence import doors
from vision.evidence.patches import patch_source
from vision.learned import chance_of_presence

SPEC = DoorSpec(2, 1, 30.0, 2.0)
HIDDEN, CLEAR, ALL_HIDDEN = (0.1, 0.6), (0.9, 0.9), (0.1, 0.2)


@pytest.mark.parametrize(
    ("shift_mm", "print_seen", "is_kept"),
    [(5.0, HIDDEN, True), (25.0, HIDDEN, False), (5.0, CLEAR, False), (5.0, ALL_HIDDEN, False)],
)
def test_an_edge_keeps_its_chance_where_only_a_door_can_hide_the_print(
    photographed: Any,
    monkeypatch: pytest.MonkeyPatch,
    shift_mm: float,
    print_seen: tuple[float, float],
    *,
    is_kept: bool,
) -> None:
    board = photographed.reading.seen.board
    source, edges = patch_source(board, photographed.reader.roster), list_inner_edges(board.cells)
    judged = np.tile([1.0, -9.0, *print_seen, 0.0, 0.0], (len(edges), 1))
    monkeypatch.setattr(doors, "door_features", lambda *_: judged)
    monkeypatch.setattr(doors, "leans_mm", lambda _, middles, __: np.full((len(middles), 2), shift_mm / np.sqrt(2)))
    before = dict(zip(edges, board.openings.prior_log_odds(edges), strict=True))
    shown = [door for door in doors.judge_doors(source, SPEC) if door.is_shown]
    again = dict(zip(edges, doors.door_log_odds(source, edges, SPEC), strict=True))
    assert shown
    for door in shown:
        least = chance_of_presence(before[door.edge])
        assert door.confidence == pytest.approx(least) if is_kept else door.confidence < least
        assert door.confidence == pytest.approx(chance_of_presence(again[door.edge])), "beside an erased door, too"
        assert door.is_hidden == is_kept
