"""No tile is reported where the photo shows a marker."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from vision.scene.missing_tiles import find_missing_tiles
from vision.scene.tile_choice import place_tiles
from vision.tiles.placements import cells_of, cells_under_markers


def test_the_cells_under_the_markers_that_were_seen(photographed: Any) -> None:
    board, markers = photographed.reading.seen.board, photographed.reader.markers
    seen = [marker for marker in markers.markers if marker.id in board.view.markers_seen]
    middles = board.lattice.lattice_from_table(np.array([np.mean(marker.corners_mm, axis=0) for marker in seen]))
    cells = cells_under_markers(board.lattice, board.view, markers)
    assert {(int(column), int(row)) for column, row in np.floor(middles)} <= cells
    assert all(np.hypot(*(middles - np.add(cell, 0.5)).T).min() < 2 for cell in cells)
    assert board.cells.isdisjoint(cells)


def test_a_marker_that_was_not_seen_may_lie_under_a_tile(photographed: Any) -> None:
    board, markers = photographed.reading.seen.board, photographed.reader.markers
    assert cells_under_markers(board.lattice, replace(board.view, markers_seen=()), markers) == frozenset()


def test_a_tile_does_not_lie_on_a_marker(photographed: Any, without_one: Any) -> None:
    board, known, missed = without_one
    bare = frozenset([min(cells_of(missed, photographed.prints))])
    sought = find_missing_tiles(board, known, {}, photographed.prints, bare)
    for placement in (*sought.found, *sought.possible):
        assert bare.isdisjoint(cells_of(placement, photographed.prints))


def test_a_tile_that_keypoints_propose_does_not_lie_on_a_marker(photographed: Any) -> None:
    board, placements = photographed.reading.seen.board, photographed.reading.seen.placements
    candidates = [p.candidate for p in placements if p.candidate is not None]
    bare = frozenset([min(cells_of(placements[0], photographed.prints))])
    placed = place_tiles(board.photo, board.view, (board.lattice, candidates), photographed.prints, bare=bare)
    assert placed
    assert all(bare.isdisjoint(cells_of(one, photographed.prints)) for one in placed)
