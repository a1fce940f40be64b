"""Tiles by their whole prints: where a print repeats itself, a doubt says so."""

from __future__ import annotations

import cv2
import numpy as np

from assistant.table.tiles import TileSet, TileSide
from calibration.arrays import BgrImage
from vision.photo.rectify import PlaneFrame, Rectified
from vision.tiles.placements import confidence_of
from vision.tiles.prints import TilePrints, prints_from_images
from vision.tiles.whole_prints import PX_PER_CELL, find_whole_prints

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


def seen(picture: BgrImage) -> Rectified:
    """Return the print on a table, turned and darker."""
    px_per_mm, size = PX_PER_CELL / CELL_MM, 520
    c, s = (PX_PER_CELL / PRINT_PX * float(f(np.radians(TURN_DEG))) for f in (np.cos, np.sin))
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
