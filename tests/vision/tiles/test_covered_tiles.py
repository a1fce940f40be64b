"""Tiles with an ambiguous print are placed by their outline; a bad fit stays unknown."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from assistant import documents
from assistant.table.lattice import Cell
from vision.reading import TableReader, TilePose
from vision.tiles.board_view import board_view
from vision.tiles.choice import place_tiles
from vision.tiles.covered import covered_tiles, join_regions
from vision.tiles.lattice_fit import Lattice, normalize_lattice, relabel
from vision.tiles.missing import MissingTiles
from vision.tiles.placements import TilePlacement, cells_of, moved_to, piece_of, pose_of
from vision.tiles.prints import TilePrints


def lies_as(placement: TilePlacement) -> tuple[int, int, Cell]:
    return placement.print_index, placement.quarters, placement.corner


def test_the_tile_that_fits_the_outline_is_placed(photographed: Any, without_one: Any) -> None:
    board, rest, missed = without_one
    [found] = covered_tiles(board, rest, [cells_of(missed, photographed.prints)], photographed.prints)
    assert lies_as(found) == lies_as(missed)
    assert found.log_odds > 0


def test_a_tile_is_placed_although_a_crowd_hides_some_of_its_outline(photographed: Any, without_one: Any) -> None:
    board, rest, missed = without_one
    cells = sorted(cells_of(missed, photographed.prints))
    [found] = covered_tiles(board, rest, [frozenset(cells[1:-1])], photographed.prints)
    assert lies_as(found) == lies_as(missed)


def test_two_tiles_that_nobody_knows_are_placed_side_by_side(photographed: Any) -> None:
    seen, prints = photographed.reading.seen, photographed.prints
    by_size = sorted(seen.placements, key=lambda placement: len(cells_of(placement, prints)))
    known, missed = by_size[-1:], by_size[:-1]
    board = board_view(seen.board.photo, seen.board.view, seen.board.lattice, known, prints)
    found = covered_tiles(board, known, [frozenset().union(*(cells_of(m, prints) for m in missed))], prints)
    assert {lies_as(one) for one in found} == {lies_as(one) for one in missed}


def test_a_part_of_a_larger_outline_proves_nothing(photographed: Any, without_one: Any) -> None:
    board, rest, missed = without_one
    cells = cells_of(missed, photographed.prints)
    column, row = max(cells)
    larger = cells | {(column + 1, row), (column + 2, row), (column + 3, row)}
    assert covered_tiles(board, rest, [larger], photographed.prints) == []


def test_a_tile_that_the_set_does_not_have_stays_unknown(photographed: Any, without_one: Any) -> None:
    board, rest, missed = without_one
    prints: TilePrints = photographed.prints
    piece = piece_of(prints.prints[missed.print_index].side.id)
    kept = [index for index, one in enumerate(prints.prints) if piece_of(one.side.id) != piece]
    others = TilePrints(
        replace(prints.tile_set, sides=tuple(prints.prints[index].side for index in kept)),
        tuple(prints.prints[index] for index in kept),
    )
    known = [replace(placement, print_index=kept.index(placement.print_index)) for placement in rest]
    assert covered_tiles(board, known, [cells_of(missed, prints)], others) == []


def test_nothing_unknown_needs_no_tile(photographed: Any, without_one: Any) -> None:
    board, rest, _ = without_one
    assert covered_tiles(board, rest, [], photographed.prints) == []


def test_a_whole_cloth_that_looks_like_print_is_no_tile(photographed: Any, without_one: Any) -> None:
    board, rest, missed = without_one
    column, row = max(cells_of(missed, photographed.prints))
    cloth = frozenset((column + i, row + j) for i in range(30) for j in range(30)) - board.cells
    assert covered_tiles(board, rest, [cloth], photographed.prints) == []


def test_groups_that_share_a_cell_are_one() -> None:
    one, two, three = frozenset({(0, 0), (1, 0)}), frozenset({(5, 5)}), frozenset({(1, 0), (2, 0)})
    assert join_regions([one, frozenset(), two], [three]) == [one | three, two]


def test_a_tile_that_lay_there_before_is_looked_for_where_it_lay(photographed: Any, monkeypatch: Any) -> None:
    seen, prints = photographed.reading.seen, photographed.prints
    missed = min(seen.placements, key=lambda placement: len(cells_of(placement, prints)))

    def with_one_missed(*arguments: Any) -> list[TilePlacement]:
        return [placement for placement in place_tiles(*arguments) if placement.print_index != missed.print_index]

    monkeypatch.setattr("vision.reading.place_tiles", with_one_missed)
    monkeypatch.setattr("vision.reading.unknown_tiles", lambda board, printed: [])
    monkeypatch.setattr("vision.reading.find_missing_tiles", lambda *arguments: MissingTiles([], []))
    reader = TableReader(
        prints,
        documents.roster_from_json((photographed.folder / "roster.json").read_bytes()),
        documents.table_from_json((photographed.folder / "table.json").read_bytes()),
        documents.camera_from_json((photographed.folder / "camera.json").read_bytes()),
    )
    alone = reader.read(seen.board.photo)
    reader.forget_tiles()
    again = reader.read(seen.board.photo, [TilePose(seen.board.lattice, missed)])
    assert len(alone.seen.placements) == len(seen.placements) - 1
    assert {p.print_index for p in again.seen.placements} == {p.print_index for p in seen.placements}


def test_a_tile_is_the_same_on_a_lattice_that_is_counted_otherwise(photographed: Any) -> None:
    seen, prints = photographed.reading.seen, photographed.prints
    lattice, change = normalize_lattice(seen.board.lattice, seen.board.cells)
    turned = Lattice(lattice.shifted((3, -2)).origin_mm, lattice.angle_deg - 90, lattice.cell_mm)
    for placement in seen.placements:
        for other in (lattice, turned):
            there = moved_to(other, placement, seen.board.lattice, prints)
            assert lies_as(moved_to(seen.board.lattice, there, other, prints)) == lies_as(placement)
            by_lattice = replace(placement, candidate=None)
            pose = pose_of(by_lattice, seen.board.lattice, prints)
            moved = pose_of(replace(there, candidate=None), other, prints)
            assert moved.center_mm == pytest.approx(pose.center_mm, abs=0.01)
            assert (moved.rotation_deg - pose.rotation_deg + 180) % 360 - 180 == pytest.approx(0, abs=0.01)
        on_board = moved_to(lattice, placement, seen.board.lattice, prints)
        assert cells_of(on_board, prints) == {relabel(cell, change) for cell in cells_of(placement, prints)}
