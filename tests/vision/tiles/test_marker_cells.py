"""No tile is reported where the photo shows a marker."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from calibration.markers import MarkerSighting
from vision.reading import TableReader, TilePose
from vision.scene.missing_tiles import find_missing_tiles
from vision.scene.tile_choice import place_tiles
from vision.tiles.placements import cells_of, cells_under_markers


@pytest.fixture
def sightings(photographed: Any) -> list[MarkerSighting]:
    board, markers = photographed.reading.seen.board, photographed.reader.markers
    return [
        MarkerSighting(marker.id, board.view.image_from_table(marker.corners_mm))
        for marker in markers.markers
        if marker.id in board.view.markers_seen
    ]


def test_the_cells_under_the_markers_that_were_seen(photographed: Any, sightings: list[MarkerSighting]) -> None:
    board = photographed.reading.seen.board
    middles = board.lattice.lattice_from_table(
        np.array([board.view.table_from_image(one.corners_px).mean(axis=0) for one in sightings])
    )
    cells = cells_under_markers(board.lattice, board.view, sightings)
    assert {(int(column), int(row)) for column, row in np.floor(middles)} <= cells
    assert all(np.hypot(*(middles - np.add(cell, 0.5)).T).min() < 2 for cell in cells)
    assert board.cells.isdisjoint(cells)


def test_a_marker_that_was_moved_covers_the_cells_where_it_lies(
    photographed: Any, sightings: list[MarkerSighting]
) -> None:
    """A tile was read on it, since only markers at the places of the table's file counted."""
    board, moved = photographed.reading.seen.board, sightings[0]
    to_mm = board.lattice.table_from_lattice(np.array([[0.5, 0.5]]))
    corners_mm = board.view.table_from_image(moved.corners_px)
    there = MarkerSighting(moved.id, board.view.image_from_table(corners_mm - corners_mm.mean(axis=0) + to_mm))
    assert (0, 0) in cells_under_markers(board.lattice, board.view, [there])


def test_a_tile_does_not_lie_on_a_marker(photographed: Any, without_one: Any) -> None:
    board, known, missed = without_one
    bare = frozenset([min(cells_of(missed, photographed.prints))])
    sought = find_missing_tiles(board, known, {}, photographed.prints, bare)
    for placement in (*sought.found, *sought.possible):
        assert bare.isdisjoint(cells_of(placement, photographed.prints))


def test_a_tile_that_keypoints_propose_does_not_lie_on_a_marker(photographed: Any) -> None:
    board, placements = photographed.reading.seen.board, photographed.reading.seen.placements
    candidates = [p.candidate for p in placements if p.candidate is not None]
    bare = cells_of(placements[0], photographed.prints)
    placed = place_tiles(board.photo, board.view, (board.lattice, candidates), photographed.prints, bare=bare)
    assert placed
    assert all(bare.isdisjoint(cells_of(one, photographed.prints)) for one in placed)


def test_a_clear_tile_stays_under_a_marker_on_its_corner(photographed: Any) -> None:
    """The whole tile was hidden, and the print beside the marker could be read as another one."""
    board, placements = photographed.reading.seen.board, photographed.reading.seen.placements
    candidates = [p.candidate for p in placements if p.candidate is not None]
    bare = frozenset(min(cells_of(placement, photographed.prints)) for placement in placements)
    placed = place_tiles(board.photo, board.view, (board.lattice, candidates), photographed.prints, bare=bare)
    clearest = max(placements, key=lambda placement: placement.strength)
    assert clearest.key in {placement.key for placement in placed}


def test_a_known_tile_that_shows_clear_print_beside_a_marker_stays(photographed: Any) -> None:
    board, placements = photographed.reading.seen.board, photographed.reading.seen.placements
    reader = TableReader(
        photographed.prints, photographed.reader.roster, photographed.reader.markers, photographed.reading.view.lens
    )
    known = [TilePose(board.lattice, placement) for placement in placements]
    corner = np.array([min(cells_of(placements[0], photographed.prints))]) + 0.1
    corners_mm = board.lattice.table_from_lattice(corner + np.array([[0, 0], [0.3, 0], [0.3, 0.3], [0, 0.3]]))
    reader._sightings = [MarkerSighting(0, board.view.image_from_table(corners_mm))]
    assert reader._bare_cells(board.photo, board.view, board.lattice, ())
    assert not reader._bare_cells(board.photo, board.view, board.lattice, known)
