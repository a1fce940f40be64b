"""A photo of a simulated table, read from its bytes to its board."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from assistant import documents
from assistant.errors import NoTiles, TooFewMarkers
from assistant.table.camera import NO_MARKERS
from assistant.table.lattice import Cell
from calibration.arrays import BgrImage
from vision import reading
from vision.overlays import write_overlays
from vision.photo.decoding import decode_photo
from vision.reading import Reading, TableReader, known_tiles
from vision.scene.occupants import each_of
from vision.tiles.keypoints import find_keypoints
from vision.tiles.placements import cells_of
from vision.tiles.prints import load_prints


def test_every_tile_is_found_where_it_lies(photographed: Any) -> None:
    seen = {tile.id: tile for tile in photographed.reading.observation.tiles}
    for tile in photographed.truth["tiles"]:
        assert math.dist(seen[tile["id"]].center_mm, tile["center_mm"]) < 1.0
        off_deg = (seen[tile["id"]].rotation_deg - tile["rotation_deg"] + 180) % 360 - 180
        assert abs(off_deg) < 1.0
    assert len(seen) == len(photographed.truth["tiles"])


def test_the_board_has_the_printed_lines_of_the_tiles(photographed: Any) -> None:
    board, truth = photographed.reading.observation.board, photographed.truth["board"]
    assert len(board.cells) == len(truth["cells"])
    assert len(board.difficult) == len(truth["difficult"])
    kinds = sorted(edge["kind"] for edge in truth["edges"])
    assert sorted(board.edges.values()) == kinds


def test_most_figures_are_found_with_their_kind(photographed: Any) -> None:
    seen = photographed.reading.observation.figures
    with_ring = [figure for figure in photographed.truth["figures"] if figure["ring"]]
    found = [
        any(math.dist(f.center_mm, figure["center_mm"]) < 4 and f.kind == figure["kind"] for f in seen)
        for figure in with_ring
    ]
    assert sum(found) >= 0.8 * len(found)


def test_the_same_photo_gives_the_same_observation(photographed: Any) -> None:
    photo = decode_photo((photographed.folder / "photo.jpg").read_bytes())
    again = documents.observation_document(photographed.reader.read(photo).observation)
    assert again == documents.observation_document(photographed.reading.observation)


def test_a_refused_photo_is_searched_for_keypoints_once_near_and_once_wide(
    photographed: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search for whole prints repeated the near search."""
    searched = []

    def counted(image: BgrImage, *rest: Any) -> Any:
        searched.append(image.shape)
        return find_keypoints(image, *rest)

    monkeypatch.setattr(reading, "find_keypoints", counted)
    reader = photographed.reader
    photo = decode_photo((photographed.folder / "photo.jpg").read_bytes())
    fresh = TableReader(reader.prints, reader.roster, reader.markers, None)
    with pytest.raises(NoTiles):
        fresh.lay_tiles(cv2.GaussianBlur(photo, (0, 0), 25.0), photographed.reading.view)
    assert len(searched) == 2


def test_a_sheet_printed_too_small_is_noticed_by_the_tiles_and_allowed_for(photographed: Any) -> None:
    """A table of markers at 97 % seems larger than it is. The prints of its tiles reveal it."""
    table, before = photographed.reader.markers, photographed.reading.observation
    lens = documents.camera_from_json((photographed.folder / "camera.json").read_bytes())
    reader = TableReader(photographed.prints, photographed.reader.roster, table.scaled(1 / 0.97), lens)
    photo = decode_photo((photographed.folder / "photo.jpg").read_bytes())
    for _ in range(2):
        seen = reader.read(photo).observation
        assert abs(seen.camera.marker_scale - 0.97) < 0.002
        assert abs(seen.grid.cell_mm - before.grid.cell_mm) < 0.02
        assert math.dist(seen.grid.origin_mm, before.grid.origin_mm) < 1.0
        assert len(seen.doors) == len(before.doors)
    assert before.camera.marker_scale == 1.0
    assert documents.observation_document(seen)["camera"]["marker_scale"] == pytest.approx(0.97, abs=0.002)


@pytest.mark.parametrize("printed", [0.94, 0.9])
def test_sheets_printed_far_too_small_cost_no_figure(photographed: Any, printed: float) -> None:
    """Beyond 8 % most of the table was lost without a word."""
    table, before = photographed.reader.markers, photographed.reading.observation
    lens = documents.camera_from_json((photographed.folder / "camera.json").read_bytes())
    reader = TableReader(photographed.prints, photographed.reader.roster, table.scaled(1 / printed), lens)
    seen = reader.read(decode_photo((photographed.folder / "photo.jpg").read_bytes())).observation
    assert seen.camera.marker_scale == pytest.approx(printed, abs=0.015)
    assert len(seen.tiles) == len(before.tiles)
    assert [figure.kind for figure in seen.figures] == [figure.kind for figure in before.figures]


def test_an_estimated_lens_makes_no_sheet_a_misprint(photographed: Any) -> None:
    """A guessed lens alone makes tiles look too large. The advice was to print right sheets again."""
    photo = decode_photo((photographed.folder / "photo.jpg").read_bytes())
    for seen in (photo, np.ascontiguousarray(photo[:, photo.shape[1] // 5 :])):
        reader = TableReader(photographed.prints, photographed.reader.roster, photographed.reader.markers, None)
        assert reader.read(seen).observation.camera.marker_scale == 1.0


def doubted_or_taken(seen: Reading, cell: Cell) -> bool:
    """Return whether somebody stands on a cell, or may with a chance of one in ten."""
    figures = (*seen.seen.figures, *each_of(seen.seen.maybe_figures))
    return sum(figure.confidence for figure in figures if cell in figure.cells) > 0.1


def test_spaces_beyond_the_edge_of_the_photo_are_not_stated_as_empty(photographed: Any) -> None:
    board = photographed.reading.seen.board
    middles_px = board.view.image_from_table(board.lattice.table_from_lattice(np.array(sorted(board.cells)) + 0.5))
    width = int(np.quantile(middles_px[:, 0], 0.8))
    photo = decode_photo((photographed.folder / "photo.jpg").read_bytes())
    lens = replace(documents.camera_from_json((photographed.folder / "camera.json").read_bytes()), width_px=width)
    reader = TableReader(photographed.prints, photographed.reader.roster, photographed.reader.markers, lens)
    seen = reader.read(np.ascontiguousarray(photo[:, :width]))
    assert board.unseen == frozenset()
    assert seen.seen.board.unseen
    doors = {door.edge: door for door in (*seen.seen.doors, *seen.seen.maybe_doors)}
    unseen = [door for edge, door in doors.items() if seen.seen.board.unseen.issuperset(edge.cells)]
    assert all(door.confidence < 0.5 and not door.is_shown for door in unseen)
    assert all(doubted_or_taken(seen, cell) for cell in seen.seen.board.unseen)


def test_spaces_under_a_reflection_of_a_lamp_are_not_stated_as_empty(photographed: Any) -> None:
    board = photographed.reading.seen.board
    taken = {cell for figure in photographed.reading.seen.figures for cell in figure.cells}
    cell = next(cell for cell in sorted(board.cells) if not doubted_or_taken(photographed.reading, cell))
    photo = decode_photo((photographed.folder / "photo.jpg").read_bytes())
    (middle_px,) = board.view.image_from_table(board.lattice.table_from_lattice(np.array([cell]) + 0.5))
    cv2.circle(photo, np.rint(middle_px).astype(int).tolist(), 60, (255, 255, 255), -1)
    reader = TableReader(photographed.prints, photographed.reader.roster, photographed.reader.markers, None)
    seen = reader.read(photo)
    assert seen.seen.board.unseen - taken
    assert all(doubted_or_taken(seen, cell) for cell in seen.seen.board.unseen)


def test_every_stage_leaves_a_picture(photographed: Any, tmp_path: Path) -> None:
    write_overlays(photographed.reading, tmp_path / "debug")
    pictures = sorted(path.stem for path in (tmp_path / "debug").iterdir())
    assert pictures == ["1-markers", "2-from-above", "3-tiles", "4-print-and-photo", "5-board"]


def test_a_photo_without_markers_is_refused(photographed: Any) -> None:
    with pytest.raises(TooFewMarkers, match="printed markers"):
        photographed.reader.read(np.full((1080, 1920, 3), 128, dtype=np.uint8))


def test_a_table_without_tiles_says_so(photographed: Any) -> None:
    photo = decode_photo((photographed.folder / "photo.jpg").read_bytes())
    board = photographed.reading.seen.board
    corners = np.array([(c + i, r + j) for c, r in board.cells for i in (0, 1) for j in (0, 1)], dtype=float)
    outline = board.view.image_from_table(board.lattice.table_from_lattice(corners))
    hull = cv2.convexHull(np.round(outline).astype(np.int32))
    bare = np.asarray(cv2.fillConvexPoly(photo.copy(), hull, (90, 90, 90)), dtype=np.uint8)
    with pytest.raises(NoTiles, match="tile set"):
        photographed.reader.read(bare)


def _covered_but_for(photographed: Any, cells_left: int) -> Any:
    """Return the photo with a plain grey thing on every cell of each tile but its clearest ones, and their tile."""
    photo = decode_photo((photographed.folder / "photo.jpg").read_bytes()).copy()
    board, prints = photographed.reading.seen.board, photographed.prints
    for placement in photographed.reading.seen.placements:
        clear = sorted(cells_of(placement, prints), key=lambda cell: -board.likeness[cell])
        for column, row in clear[cells_left:]:
            corners = np.array([[column, row], [column + 1, row], [column + 1, row + 1], [column, row + 1]], float)
            outline = board.view.image_from_table(board.lattice.table_from_lattice(corners), board.thickness_mm)
            cv2.fillConvexPoly(photo, np.round(outline).astype(np.int32), (90, 90, 90))
    return photo


def _reader_without_search(photographed: Any, monkeypatch: pytest.MonkeyPatch) -> TableReader:
    """Return a reader that knows the table from its last picture, and finds no tile in the next ones."""
    lens = documents.camera_from_json((photographed.folder / "camera.json").read_bytes())
    reader = TableReader(photographed.prints, photographed.reader.roster, photographed.reader.markers, lens)
    photo = decode_photo((photographed.folder / "photo.jpg").read_bytes())
    reader.lay_tiles(photo, reader.find_view(photo))
    reader.forget_tiles()
    monkeypatch.setattr(reader, "_candidates", lambda photo, view: iter(()))
    return reader


def test_a_crowd_on_known_tiles_is_not_refused(photographed: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Too few keypoints are left to find a tile, but the last picture knows where the tiles lie."""
    reader = _reader_without_search(photographed, monkeypatch)
    crowded = _covered_but_for(photographed, 3)
    laid = reader.lay_tiles(crowded, reader.find_view(crowded))
    assert laid.board.cells == photographed.reading.seen.board.cells


def test_a_new_reader_knows_the_tiles_of_an_earlier_observation_under_a_crowd(
    photographed: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A camera that was opened again refused its first picture of a crowded board."""
    lens = documents.camera_from_json((photographed.folder / "camera.json").read_bytes())
    reader = TableReader(photographed.prints, photographed.reader.roster, photographed.reader.markers, lens)
    monkeypatch.setattr(reader, "_candidates", lambda photo, view: iter(()))
    crowded = _covered_but_for(photographed, 3)
    known = known_tiles(photographed.reading.observation, photographed.prints)
    laid = reader.lay_tiles(crowded, reader.find_view(crowded), known)
    assert len(laid.board.cells) == len(photographed.reading.seen.board.cells)


def test_known_tiles_that_are_gone_are_refused(photographed: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = _reader_without_search(photographed, monkeypatch)
    bare = _covered_but_for(photographed, 0)
    with pytest.raises(NoTiles, match="Clear some spaces of each tile"):  # not “closer” or “light”, which it has
        reader.lay_tiles(bare, reader.find_view(bare))


def test_a_tile_in_another_lamp_is_not_refused_in_a_first_photo(
    photographed: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither keypoints nor a last picture find a tile, but the slopes of its whole print do."""
    lens = documents.camera_from_json((photographed.folder / "camera.json").read_bytes())
    reader = TableReader(photographed.prints, photographed.reader.roster, photographed.reader.markers, lens)
    monkeypatch.setattr(reading, "fit_lattice", lambda candidates, prints: None)
    photo = decode_photo((photographed.folder / "photo.jpg").read_bytes())
    yellow = np.asarray(photo * np.array([0.5, 0.75, 0.9]), dtype=np.uint8)
    laid = reader.lay_tiles(yellow, reader.find_view(yellow))
    known = photographed.reading.seen
    assert sorted(p.print_index for p in laid.placements) == sorted(p.print_index for p in known.placements)
    assert len(laid.board.cells) == len(known.board.cells)


def test_a_view_of_an_earlier_picture_by_itself_finds_no_tile(photographed: Any) -> None:
    """Without markers only tiles tell where to search. The search ended with a ValueError."""
    reader = TableReader(photographed.prints, photographed.reader.roster, NO_MARKERS, None)
    photo = decode_photo((photographed.folder / "photo.jpg").read_bytes())
    with pytest.raises(NoTiles):
        reader.lay_tiles(photo, photographed.reading.view)


@pytest.mark.parametrize("name", ["easy-04", "normal-02", "hard-02"])
def test_a_ray_traced_table_is_read(dev_scenes: Path, name: str) -> None:
    folder = dev_scenes / name
    reader = TableReader(
        load_prints(dev_scenes.parent / "tiles-dev"),
        documents.roster_from_json((folder / "roster.json").read_bytes()),
        documents.table_from_json((folder / "table.json").read_bytes()),
        documents.camera_from_json((folder / "camera.json").read_bytes()),
    )
    observation = reader.read(decode_photo((folder / "photo.jpg").read_bytes())).observation
    truth = json.loads((folder / "truth.json").read_text())
    assert sorted(tile.id for tile in observation.tiles) == sorted(tile["id"] for tile in truth["tiles"])
    assert len(observation.board.cells) == len(truth["board"]["cells"])
    near = [any(math.dist(f.center_mm, t["center_mm"]) < 5 for f in observation.figures) for t in truth["figures"]]
    assert sum(near) >= 0.9 * len(near)


@pytest.mark.parametrize("with_markers", [True, False])
def test_a_tablet_that_shows_the_table_is_not_taken_for_it(dev_scenes: Path, with_markers: bool) -> None:
    """Its picture holds the same markers and prints, only smaller."""
    folder = dev_scenes / "normal-02"
    photo = decode_photo((folder / "photo.jpg").read_bytes())
    height, width = photo.shape[:2]
    shown = cv2.resize(photo, None, fx=0.42, fy=0.42, interpolation=cv2.INTER_AREA)
    shown = cv2.copyMakeBorder(shown, 12, 12, 12, 12, cv2.BORDER_CONSTANT, value=(18, 18, 18))
    high, wide = shown.shape[:2]
    corners = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    top, right = height - high, 0.95 * wide
    leaning = np.array([(0.05 * wide, top), (right, top), (wide, height), (0, height)], np.float32)
    image_from_screen = cv2.getPerspectiveTransform(corners, leaning)
    cv2.warpPerspective(shown, image_from_screen, (width, height), dst=photo, borderMode=cv2.BORDER_TRANSPARENT)
    markers = documents.table_from_json((folder / "table.json").read_bytes())
    lens = documents.camera_from_json((folder / "camera.json").read_bytes())
    reader = TableReader(
        load_prints(dev_scenes.parent / "tiles-dev"),
        documents.roster_from_json((folder / "roster.json").read_bytes()),
        markers if with_markers else NO_MARKERS,
        lens if with_markers else None,
    )
    observation = reader.read(photo).observation
    truth = json.loads((folder / "truth.json").read_text())
    assert sorted(tile.id for tile in observation.tiles) == sorted(tile["id"] for tile in truth["tiles"])
    assert len(observation.figures) == len(truth["figures"])
    assert len(observation.doors) == len(truth["doors"])
