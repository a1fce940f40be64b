"""Tiles: judged by their cells, fitted to the photo, kept while still, reported when unknown."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from assistant import documents
from calibration.arrays import BgrImage
from vision.photo.decoding import decode_photo
from vision.reading import TableReader
from vision.scene.tile_choice import place_tiles
from vision.tiles.candidates import TileCandidate
from vision.tiles.cells import CELL_SHAPE, TileContext, factors, tile_model, turned_prints
from vision.tiles.lattice_fit import Lattice, fit_lattice
from vision.tiles.placements import piece_of, propose_tiles
from vision.tiles.pose import fit_tile_poses, lattice_through
from vision.tiles.prints import TilePrints


@pytest.fixture(scope="module")
def photo(photographed: Any) -> BgrImage:
    """The photo of the simulated table."""
    return decode_photo((photographed.folder / "photo.jpg").read_bytes())


def fresh_reader(photographed: Any, prints: TilePrints) -> TableReader:
    """Return a reader that has seen no photo yet."""
    folder = photographed.folder
    return TableReader(
        prints,
        documents.roster_from_json((folder / "roster.json").read_bytes()),
        documents.table_from_json((folder / "table.json").read_bytes()),
        documents.camera_from_json((folder / "camera.json").read_bytes()),
    )


def test_tiles_are_fitted_to_a_fifth_of_a_millimetre(photographed: Any) -> None:
    seen = {tile.id: tile.center_mm for tile in photographed.reading.observation.tiles}
    off_mm = [math.dist(seen[tile["id"]], tile["center_mm"]) for tile in photographed.truth["tiles"]]
    assert float(np.median(off_mm)) < 0.2


def test_a_first_guess_that_is_off_is_put_right(photographed: Any) -> None:
    board, placements = photographed.reading.seen.board, photographed.reading.seen.placements
    prints = photographed.prints
    x, y = board.lattice.origin_mm
    guess = Lattice((x + 0.5, y - 0.4), board.lattice.angle_deg + 0.1, board.lattice.cell_mm)
    bare = [replace(placement, candidate=None) for placement in placements]
    fitted = fit_tile_poses(board.ground_image, board.frame, bare, guess, prints)
    for tile, pose in zip(fitted, board.poses, strict=True):
        assert math.dist(tile.pose.center_mm, pose.center_mm) < 0.15
    lattice = lattice_through(fitted, guess, prints)
    assert math.dist(lattice.origin_mm, board.lattice.origin_mm) < 0.3


def test_a_tile_that_is_not_in_the_set_is_not_taken_for_another(photographed: Any, photo: BgrImage) -> None:
    prints = photographed.prints
    gone = photographed.reading.observation.tiles[0].id
    kept = tuple(p for p in prints.prints if piece_of(p.side.id) != piece_of(gone))
    rest = TilePrints(replace(prints.tile_set, sides=tuple(p.side for p in kept)), kept)
    observation = fresh_reader(photographed, rest).read(photo).observation
    others = {tile["id"] for tile in photographed.truth["tiles"]} - {gone}
    assert {tile.id for tile in observation.tiles} == others


def test_a_second_photo_of_a_still_table_gives_the_same_tiles(photographed: Any, photo: BgrImage) -> None:
    reader = fresh_reader(photographed, photographed.prints)
    first = reader.read(photo).observation
    noisy = np.clip(photo + np.random.default_rng(1).normal(0, 2, photo.shape), 0, 255).astype(np.uint8)
    second = reader.read(noisy).observation
    assert second.tiles == first.tiles
    assert second.grid == first.grid


def test_a_tile_far_from_those_that_are_clear_is_looked_at_for_a_few_votes(photographed: Any, photo: BgrImage) -> None:
    board, placements = photographed.reading.seen.board, photographed.reading.seen.placements
    clear, faint = (
        TileCandidate(tile.print_index, pose.rotation_deg, pose.center_mm, votes)
        for tile, pose, votes in zip(placements, board.poses, (40.0, 4.0), strict=False)
    )
    steps_mm = board.lattice.axes @ np.array((14, 0))
    far = replace(faint, center_mm=(faint.center_mm[0] + steps_mm[0], faint.center_mm[1] + steps_mm[1]))
    _, proposals = propose_tiles(photo, board.view, board.lattice, [clear, far], photographed.prints)
    assert far in [proposal.candidate for proposal in proposals]


def test_a_tile_that_is_gone_is_not_kept(photographed: Any, photo: BgrImage) -> None:
    reader = fresh_reader(photographed, photographed.prints)
    seen = reader.read(photo).seen
    gone = seen.placements[-1]
    side = photographed.prints.prints[gone.print_index].side
    corners = np.array([(c + i, r + j) for c, r in gone.cells(side) for i in (0, 1) for j in (0, 1)], dtype=float)
    place = seen.board.lattice.table_from_lattice(corners)
    outline = cv2.convexHull(np.round(seen.board.view.image_from_table(place, 2.0)).astype(np.int32))
    covered = cv2.fillConvexPoly(photo.copy(), outline, (70, 70, 70))
    after = {tile.id for tile in reader.read(np.asarray(covered, dtype=np.uint8)).observation.tiles}
    assert side.id not in after


def test_sides_of_a_piece_share_their_name_but_for_the_last_letter() -> None:
    assert piece_of("07A") == piece_of("07B") == "07"
    assert piece_of("hall") == "hall"
    assert piece_of("A") == "A"


def test_cells_that_look_like_the_print_speak_for_it_and_the_others_against() -> None:
    odds = tile_model().cell_log_odds.reshape(CELL_SHAPE)
    rare_and_clear = odds[:, 2, 3, 0]
    assert rare_and_clear[-1] > 2
    assert rare_and_clear[1] < 0
    nothing = factors(np.zeros(0, dtype=int), TileContext(0.0, 0, False, False), tile_model().cell_log_odds)
    assert len(nothing) == len(tile_model().weights)
    assert tile_model().weights @ nothing < 0


def test_rarity_of_a_print_that_is_there_twice_is_nothing(photographed: Any) -> None:
    prints = photographed.prints
    first = prints.prints[0]
    twin = replace(first, side=replace(first.side, id="twin"))
    doubled = TilePrints(replace(prints.tile_set, sides=(first.side, twin.side)), (first, twin))
    assert max(float(turned.rarity.max()) for turned in turned_prints(doubled)) < 0.05


def test_without_any_candidate_there_is_no_lattice(photographed: Any) -> None:
    assert fit_lattice([], photographed.prints) is None


def test_tiles_are_placed_the_same_way_again(photographed: Any, photo: BgrImage) -> None:
    board, placements = photographed.reading.seen.board, photographed.reading.seen.placements
    candidates = [p.candidate for p in placements if p.candidate is not None]
    again = place_tiles(photo, board.view, (board.lattice, candidates), photographed.prints)
    assert {(p.print_index, p.quarters) for p in again} <= {(p.print_index, p.quarters) for p in placements}
