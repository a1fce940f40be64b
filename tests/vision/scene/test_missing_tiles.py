"""Tiles of the box are found beside the board by the parts that figures leave visible; unknown tiles are not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from assistant import documents
from assistant.table.lattice import Cell, grow
from vision.reading import TableReader
from vision.scene.missing_tiles import find_missing_tiles
from vision.tiles.board_view import BoardView, board_view
from vision.tiles.placements import TilePlacement, cells_of, confidence_of, piece_at, piece_of
from vision.tiles.print_patches import UsualLikeness, by_color, by_pattern, print_colors
from vision.tiles.prints import TilePrints


def alike(count: int, mean: float) -> UsualLikeness:
    """Return patches that other tiles show with this likeness."""
    return UsualLikeness(np.full(count, mean), np.full(count, 0.1))


def lies_as(placement: TilePlacement) -> tuple[int, int, Cell]:
    return placement.print_index, placement.quarters, placement.corner


def hidden_in(board: BoardView, cells: Any, share: float, known: Any, prints: TilePrints) -> BoardView:
    """Return the board in a photo on which a dark body covers a share of some cells, seen from the camera."""
    photo = board.photo.copy()
    rows, columns = np.mgrid[0 : photo.shape[0], 0 : photo.shape[1]]
    on_table = board.view.table_from_image(np.column_stack([columns.ravel(), rows.ravel()]) * 1.0, board.thickness_mm)
    places = board.lattice.lattice_from_table(on_table)
    for cell in cells:
        inside = (places >= cell).all(axis=1) & (places[:, 0] < cell[0] + share) & (places[:, 1] < cell[1] + 1)
        photo[inside.reshape(photo.shape[:2])] = (30, 40, 60)
    return board_view(photo, board.view, board.lattice, known, prints)


def test_a_tile_that_was_not_recognised_is_found_beside_the_board(photographed: Any, without_one: Any) -> None:
    board, known, missed = without_one
    [found] = find_missing_tiles(board, known, {}, photographed.prints).found
    assert lies_as(found) == lies_as(missed)
    assert confidence_of(found) > 0.95


def test_a_tile_is_found_by_the_third_that_bodies_leave_of_it(photographed: Any, without_one: Any) -> None:
    board, known, missed = without_one
    prints = photographed.prints
    crowded = hidden_in(board, cells_of(missed, prints), 0.65, known, prints)
    [found] = find_missing_tiles(crowded, known, {}, prints).found
    assert lies_as(found) == lies_as(missed)


def test_a_tile_that_bodies_all_but_hide_is_found_where_no_table_is_seen(photographed: Any, without_one: Any) -> None:
    board, known, missed = without_one
    prints = photographed.prints
    hidden = hidden_in(board, cells_of(missed, prints), 0.85, known, prints)
    around = grow(board.cells | cells_of(missed, prints), 3) - board.cells
    printed = {cell: 0.95 if cell in cells_of(missed, prints) else 0.02 for cell in around}
    [found] = find_missing_tiles(hidden, known, printed, prints).found
    assert lies_as(found) == lies_as(missed)


def test_where_nothing_is_left_to_see_nothing_is_found_and_a_tile_may_be_hidden(
    photographed: Any, without_one: Any
) -> None:
    """Rulings across a book or a mug beside the board were stated as if nothing could lie under it."""
    board, known, missed = without_one
    prints = photographed.prints
    hidden = hidden_in(board, cells_of(missed, prints), 1.0, known, prints)
    around = grow(board.cells | cells_of(missed, prints), 3) - board.cells
    sought = find_missing_tiles(hidden, known, dict.fromkeys(around, 0.02), prints)
    assert sought.found == []
    assert cells_of(missed, prints) <= frozenset().union(*sought.hidden)


def test_bare_table_hides_no_tile(photographed: Any) -> None:
    seen, prints = photographed.reading.seen, photographed.prints
    around = grow(seen.board.cells, 3) - seen.board.cells
    sought = find_missing_tiles(seen.board, seen.placements, dict.fromkeys(around, 0.02), prints)
    assert sought.hidden == []


def test_a_known_tile_that_fits_as_well_is_a_rival(photographed: Any, without_one: Any) -> None:
    """A tile of no set fits several tiles of one art as well. The one that was left in the box was stated as sure."""
    board, known, missed = without_one
    index = known[0].print_index
    model = photographed.prints.prints[index]
    twin = replace(model, side=replace(model.side, id="98A"))
    others = (*photographed.prints.prints, twin)
    prints = TilePrints(replace(photographed.prints.tile_set, sides=tuple(p.side for p in others)), others)
    elsewhere = replace(missed, print_index=len(others) - 1)
    [first, *_] = find_missing_tiles(board, [known[0], elsewhere], {}, prints).known
    assert first.rivals[0].print_index == elsewhere.print_index
    assert confidence_of(first) == pytest.approx(confidence_of(known[0]) / 2, abs=0.02)


def test_a_tile_is_placed_though_its_print_stays_open(photographed: Any, without_one: Any) -> None:
    """A tile half under figures was left out where two of its turns were as likely, and a figure on it with it."""
    board, known, missed = without_one
    model = photographed.prints.prints[missed.print_index]
    twin = replace(model, side=replace(model.side, id="98A"))
    others = (*photographed.prints.prints, twin)
    prints = TilePrints(replace(photographed.prints.tile_set, sides=tuple(p.side for p in others)), others)
    [found] = find_missing_tiles(board, known, {}, prints).found
    assert cells_of(found, prints) == cells_of(missed, prints)
    assert found.rivals[0].log_odds == pytest.approx(0, abs=0.01)
    assert confidence_of(found) == pytest.approx(0.5, abs=0.02)

    [again] = find_missing_tiles(board, known, {}, prints, earlier=[found]).found
    assert confidence_of(again) == pytest.approx(0.5, abs=0.02), "the last picture knew no more"


def test_a_tile_that_the_box_does_not_hold_is_not_taken_for_another(photographed: Any, without_one: Any) -> None:
    board, known, missed = without_one
    prints: TilePrints = photographed.prints
    piece = piece_at(missed, prints)
    kept = [index for index, one in enumerate(prints.prints) if piece_of(one.side.id) != piece]
    sides = tuple(prints.prints[index].side for index in kept)
    others = TilePrints(replace(prints.tile_set, sides=sides), tuple(prints.prints[index] for index in kept))
    renamed = [replace(placement, print_index=kept.index(placement.print_index)) for placement in known]
    sought = find_missing_tiles(board, renamed, {}, others)
    assert sought.found == []
    assert max(confidence_of(placement) for placement in sought.possible) < 0.5


def test_two_tiles_that_nobody_knows_are_found(photographed: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader goes on beside a tile that it has just found."""
    seen, prints = photographed.reading.seen, photographed.prints
    largest = max(seen.placements, key=lambda placement: len(cells_of(placement, prints)))
    monkeypatch.setattr("vision.reading.place_tiles", lambda *arguments: [largest])
    lens = documents.camera_from_json((photographed.folder / "camera.json").read_bytes())
    reader = TableReader(prints, photographed.reader.roster, photographed.reader.markers, lens)
    again = reader.read(seen.board.photo)
    assert {lies_as(p) for p in again.seen.placements} == {lies_as(p) for p in seen.placements}


def test_a_tile_of_the_last_picture_is_still_there_under_a_crowd(photographed: Any, without_one: Any) -> None:
    board, known, missed = without_one
    prints = photographed.prints
    hidden = hidden_in(board, cells_of(missed, prints), 1.0, known, prints)
    [found] = find_missing_tiles(hidden, known, {}, prints, earlier=[missed]).found
    assert lies_as(found) == lies_as(missed)


def test_a_tile_that_was_taken_away_does_not_lie_where_it_lay(photographed: Any) -> None:
    """Bare table speaks against it."""
    seen, prints = photographed.reading.seen, photographed.prints
    used = {piece_at(placement, prints) for placement in seen.placements}
    left = next(i for i, p in enumerate(prints.prints) if piece_of(p.side.id) not in used)
    right = max(column for column, _ in seen.board.cells)
    row = min(row for column, row in seen.board.cells if column == right)
    gone = TilePlacement(left, 0, (right + 1, row), 0.0, None)
    assert find_missing_tiles(seen.board, seen.placements, {}, prints, earlier=[gone]).found == []


def test_nothing_is_sought_when_the_box_is_empty(photographed: Any, without_one: Any) -> None:
    board, known, _ = without_one
    prints: TilePrints = photographed.prints
    kept = [placement.print_index for placement in known]
    sides = tuple(prints.prints[index].side for index in kept)
    empty = TilePrints(replace(prints.tile_set, sides=sides), tuple(prints.prints[index] for index in kept))
    renamed = [replace(placement, print_index=place) for place, placement in enumerate(known)]
    sought = find_missing_tiles(board, renamed, {}, empty)
    assert (sought.found, sought.possible, sought.hidden) == ([], [], [])


def test_faded_ink_is_distinguished_from_what_covers_it() -> None:
    rng = np.random.default_rng(3)
    printed = rng.uniform(-3, 0, (120, 3))
    seen = 0.4 * printed + 0.3 * printed.mean(axis=1, keepdims=True) + (0.2, 0.0, -0.1)
    covered = seen.copy()
    covered[:40] = rng.uniform(-4, 0, (40, 3))
    colors = print_colors(printed, covered)
    assert colors.seen(printed) == pytest.approx(seen, abs=0.25)
    assert np.abs(printed - seen).max() > 1


def test_what_looks_like_nothing_of_the_print_proves_nothing() -> None:
    rng = np.random.default_rng(4)
    assert by_pattern(rng.normal(0.05, 0.2, 48), np.full(48, 20.0)) < 2
    assert by_pattern(np.zeros(0), np.zeros(0)) == 0


def test_a_few_clear_scraps_prove_a_print() -> None:
    likeness = np.concatenate([np.full(8, 0.8), np.zeros(32)])
    assert by_pattern(likeness, np.full(40, 25.0)) > 3


def test_a_print_that_other_tiles_show_as_well_proves_no_tile() -> None:
    likeness = np.concatenate([np.full(24, 0.9), np.zeros(24)])
    assert by_pattern(likeness, np.full(48, 25.0)) > 10
    assert by_pattern(likeness, np.full(48, 25.0), alike(48, 0.9)) < 1


def test_the_colours_of_a_print_speak_for_it_and_others_against() -> None:
    assert by_color(np.full((30, 3), 0.02), 0.1) > 5
    assert by_color(np.tile([0.8, -0.6, -0.2], (30, 1)), 0.1) < 0
