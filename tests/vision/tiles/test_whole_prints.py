"""Tiles by their whole prints: where a print repeats itself, a doubt says so."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from assistant.table.camera import TableMarkers
from assistant.table.roster import DoorSpec, Roster
from assistant.table.tiles import TileSet, TileSide
from calibration.arrays import BgrImage
from tests.calibration.synthetic_table import FAMILY, LENS, looking_at, render, square_marker
from vision.photo.rectify import PlaneFrame, Rectified
from vision.reading import TableReader
from vision.tiles import whole_prints
from vision.tiles.candidates import TileCandidate
from vision.tiles.placements import Pose, confidence_of
from vision.tiles.prints import TilePrints, prints_from_images
from vision.tiles.whole_prints import PX_PER_CELL, find_whole_prints, size_by_whole_print

NOBODY = Roster((), DoorSpec(0, 1, 30.0, 2.0))

SIDE_CELLS, CELL_MM, PRINT_PX, TURN_DEG = 10, 25.4, 64, 20.25


def chequered(*, marked: bool) -> BgrImage:
    """Return a print that looks the same after half a turn, or has a mark in one corner."""
    cells = np.indices((SIDE_CELLS, SIDE_CELLS)).sum(axis=0) % 2
    gray = np.kron(np.where(cells, 60, 190), np.ones((PRINT_PX, PRINT_PX))).astype(np.uint8)
    if marked:
        cv2.circle(gray, (PRINT_PX, PRINT_PX), PRINT_PX // 2, 120, 9)
        cv2.line(gray, (20, 2 * PRINT_PX), (3 * PRINT_PX, 30), 20, 7)
    return np.repeat(gray[:, :, None], 3, axis=2)


def prints_of(picture: BgrImage) -> TilePrints:
    side = TileSide("1", "1.png", frozenset((c, r) for c in range(SIDE_CELLS) for r in range(SIDE_CELLS)))
    return prints_from_images(TileSet("board", CELL_MM, PRINT_PX, 2.0, (side,)), [picture])


def seen(picture: BgrImage, larger: float = 1.0) -> Rectified:
    """Return the print on a table, turned, darker and ``larger`` times as large."""
    px_per_mm, size = PX_PER_CELL / CELL_MM, 520
    c, s = (larger * PX_PER_CELL / PRINT_PX * float(f(np.radians(TURN_DEG))) for f in (np.cos, np.sin))
    turn = np.array([[c, -s], [s, c]])
    into = np.column_stack([turn, size / 2 - turn @ np.full(2, SIDE_CELLS * PRINT_PX / 2)])
    soft = cv2.GaussianBlur(picture, (0, 0), 1.0)
    image = cv2.warpAffine(soft, into, (size, size), borderMode=cv2.BORDER_CONSTANT, borderValue=(90, 90, 90))
    noisy = image * 0.7 + np.random.default_rng(5).normal(0, 2, image.shape)
    frame = PlaneFrame((0.0, 0.0), 0.0, px_per_mm, (size, size))
    return Rectified(frame, np.clip(noisy, 0, 255).astype(np.uint8), np.ones((size, size), dtype=bool))


def test_a_print_with_a_mark_lies_surely_in_its_turn() -> None:
    picture = chequered(marked=True)
    found = find_whole_prints(seen(picture), prints_of(picture), [])
    assert found is not None
    [tile] = found[1]
    assert confidence_of(tile) > 0.9


def test_a_print_that_looks_the_same_turned_by_half_is_no_surer_than_a_coin() -> None:
    picture = chequered(marked=False)
    found = find_whole_prints(seen(picture), prints_of(picture), [])
    assert found is not None
    [tile] = found[1]
    assert confidence_of(tile) < 0.6
    assert any((rival.quarters - tile.quarters) % 4 == 2 for rival in tile.rivals)


@pytest.mark.parametrize("larger", [0.9, 0.95, 1.0, 1.04, 1.1])
def test_the_size_of_a_print_is_measured_where_few_keypoints_placed_it(larger: float) -> None:
    """Such a place is some millimetres off, for the few keypoints lie on one side of the tile."""
    picture = chequered(marked=True)
    middle_mm = 260 * CELL_MM / PX_PER_CELL
    about = Pose(TURN_DEG, (middle_mm + 4.0, middle_mm - 5.0))
    found = size_by_whole_print(seen(picture, larger), prints_of(picture).prints[0], about)
    assert found == pytest.approx(larger, abs=0.006)


@pytest.mark.parametrize("printed", [1.0, 0.94, 0.91])
def test_a_crowded_board_tells_that_the_markers_were_printed_too_small(printed: float) -> None:
    """Its few keypoints do not tell. The board was refused, and the advice named another cause."""
    photo, table = crowded_board()
    reader = TableReader(prints_of(chequered(marked=True)), NOBODY, table.scaled(1 / printed), LENS)
    laid = reader.lay_tiles(photo, reader.find_view(photo))
    assert len(laid.placements) == 1
    assert laid.board.view.marker_scale == pytest.approx(printed, abs=0.01)


def crowded_board() -> tuple[BgrImage, TableMarkers]:
    """Return a photo of a board with a token on every second space, and the true places of its markers."""
    width_mm = SIDE_CELLS * CELL_MM
    corners_mm = np.array([(0, 0), (width_mm, 0), (width_mm, width_mm), (0, width_mm)])
    beside = [(-70, -20), (width_mm + 30, -10), (width_mm + 25, width_mm - 40), (-80, width_mm - 30)]
    table = TableMarkers(FAMILY, tuple(square_marker(i, x, y, 40, 10 * i) for i, (x, y) in enumerate(beside)))
    pose = looking_at((width_mm / 2, width_mm / 2), 620, 20, 15)
    photo = np.repeat(render(pose, LENS, table, blur_px=0.6, noise=1.0, seed=3)[:, :, None], 3, axis=2)
    picture = chequered(marked=True)
    for column, row in np.ndindex(SIDE_CELLS, SIDE_CELLS):
        if (column + row) % 3:
            middle = ((column + 0.5) * PRINT_PX, (row + 0.5) * PRINT_PX)
            cv2.circle(picture, np.rint(middle).astype(int).tolist(), 27, (70, 110 + 9 * row, 60 + 15 * column), -1)
    side = SIDE_CELLS * PRINT_PX
    corners_px = np.array([(0, 0), (side, 0), (side, side), (0, side)], dtype=np.float32)
    into = cv2.getPerspectiveTransform(corners_px, pose.pixels(corners_mm, LENS, 2.0).astype(np.float32))
    size_wh = (LENS.width_px, LENS.height_px)
    board = cv2.warpPerspective(cv2.GaussianBlur(picture, (0, 0), 1.0), into, size_wh)
    is_board = cv2.warpPerspective(np.ones((side, side), np.uint8), into, size_wh) > 0
    photo[is_board] = board[is_board]
    return photo, table


def test_a_table_without_the_print_is_refused_at_half_the_scale(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each refused photo was compared at full scale: for the 31 prints of a large box somebody waited for seconds."""

    def must_not_compare(*_: object) -> tuple[int, int, float, float]:
        raise AssertionError("no print may stand out, so none needs a comparison at full scale")

    monkeypatch.setattr(whole_prints, "_compared", must_not_compare)
    noise = np.random.default_rng(7).normal(128, 40, (640, 640, 3)).clip(0, 255).astype(np.uint8)
    assert find_whole_prints(seen(cv2.GaussianBlur(noise, (0, 0), 3.0)), prints_of(chequered(marked=True)), []) is None


def test_a_blank_table_is_refused() -> None:
    """The best place of a print on a blank area is its corner, beside which there are no pixels."""
    blank = np.full((640, 640, 3), 128, dtype=np.uint8)
    proposed = [TileCandidate(0, turn_deg, (0.0, 0.0), 5.0) for turn_deg in (10.0, 40.0)]
    table = replace(seen(blank), image=np.full((520, 520, 3), 128, dtype=np.uint8))
    assert find_whole_prints(table, prints_of(chequered(marked=True)), proposed) is None
