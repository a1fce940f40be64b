"""A dark door seen from above looks like a gap between tiles: hidden print keeps its edge in doubt."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assistant.table.lattice import list_inner_edges
from assistant.table.roster import DoorSpec
from vision.evidence import doors
from vision.evidence.doors import door_views
from vision.evidence.hidden_print import print_maps
from vision.evidence.occupancy import find_occupancy
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
    board, roster = photographed.reading.seen.board, photographed.reader.roster
    source, edges = patch_source(board, roster), list_inner_edges(board.cells)
    maps = print_maps(source)
    views = door_views(source, SPEC, edges)
    geometry = np.tile(np.array([0.0, shift_mm, 30.0, 2.0], np.float32), (len(edges), 1))
    views = views._replace(print_seen=np.tile(print_seen, (len(edges), 1)), geometry=geometry)
    empty = np.tile([1.0, -9.0, print_seen[0], 0.0, 0.0], (len(edges), 1))
    monkeypatch.setattr(doors, "door_features", lambda *_: empty)
    before = dict(zip(edges, board.openings.prior_log_odds(edges), strict=True))
    judged = doors.judge_doors(source, SPEC, views, maps, find_occupancy(source, maps, roster))
    shown = [door for door in judged if door.is_shown]
    assert shown
    for door in shown:
        least = chance_of_presence(before[door.edge])
        assert door.confidence == pytest.approx(least) if is_kept else door.confidence < least
        assert door.is_hidden == is_kept
