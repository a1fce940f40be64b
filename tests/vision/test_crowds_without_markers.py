"""Crowded boards without markers: a near board is read, and the advice of a refusal fits its cause."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from assistant.errors import NoTiles
from assistant.table.camera import NO_MARKERS
from assistant.table.roster import DoorSpec, Roster
from assistant.table.tiles import TileSet, TileSide
from calibration.arrays import BgrImage
from vision.reading import TableReader
from vision.tiles.prints import TilePrints, prints_from_images

NOBODY = Roster((), DoorSpec(0, 1, 30.0, 2.0))
CELLS, CELL_MM, PRINT_PX = 8, 25.0, 64


def board(*, chequered: bool, seed: int = 4) -> BgrImage:
    """Return the print of a board of wood: chequered with a grain and a rim of signs, or of blots."""
    draw = np.random.default_rng(seed)
    side = CELLS * PRINT_PX
    grain = cv2.GaussianBlur(draw.normal(0, 60, (side, side)).astype(np.float32), (0, 0), 2.0)
    gray = 120 + grain
    if chequered:
        dark = np.indices((CELLS, CELLS)).sum(axis=0) % 2
        gray = gray + np.kron(np.where(dark, -60, 60), np.ones((PRINT_PX, PRINT_PX)))
    else:
        for _ in range(160):
            x, y, size = [*draw.integers(0, side, 2).tolist(), int(draw.integers(4, 30))]
            cv2.circle(gray, (x, y), size, float(draw.integers(20, 235)), -1)
    clipped = np.clip(gray, 0, 255).astype(np.uint8)
    return np.repeat(clipped[:, :, None], 3, axis=2)


def prints_of(picture: BgrImage) -> TilePrints:
    side = TileSide("1", "1.png", frozenset((c, r) for c in range(CELLS) for r in range(CELLS)))
    return prints_from_images(TileSet("board", CELL_MM, PRINT_PX, 2.0, (side,)), [picture])


def crowded(picture: BgrImage, share: float) -> BgrImage:
    """Return the print with that share of its spaces under tokens."""
    draw = np.random.default_rng(8)
    shown = picture.copy()
    for column, row in np.ndindex(CELLS, CELLS):
        if draw.random() < share:
            middle = (round((column + 0.5) * PRINT_PX), round((row + 0.5) * PRINT_PX))
            cv2.circle(shown, middle, 31, draw.integers(40, 220, 3).tolist(), -1)
    return shown


def photo_of(picture: BgrImage, width_px: int) -> BgrImage:
    """Return a photo of a board from a tilted camera, ``width_px`` wide in the picture."""
    side = picture.shape[0]
    into_px = np.array([(0.06, 0.0), (0.94, 0.0), (1.0, 0.86), (0.0, 0.86)]) * width_px
    into_px += np.array([960 - width_px / 2, 540 - 0.43 * width_px])
    corners = np.array([(0, 0), (side, 0), (side, side), (0, side)], dtype=np.float32)
    view = cv2.getPerspectiveTransform(corners, into_px.astype(np.float32))
    photo = cv2.warpPerspective(
        picture, view, (1920, 1080), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_CONSTANT, borderValue=(70, 90, 80)
    )
    noisy = photo + np.random.default_rng(1).normal(0, 2, photo.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


def reader_of(picture: BgrImage) -> TableReader:
    return TableReader(prints_of(picture), NOBODY, NO_MARKERS, None)


def test_a_crowded_chequered_board_that_fills_the_picture_is_read() -> None:
    """Its spaces have 150 pixels, and nothing searched for such large ones."""
    picture = board(chequered=True)
    view = reader_of(picture).find_view(photo_of(crowded(picture, 0.75), 1240))
    assert view.tiles_seen == ("1",)


def test_a_hidden_chequered_board_is_said_to_repeat_its_pattern() -> None:
    picture = board(chequered=True)
    with pytest.raises(NoTiles, match="repeat one pattern"):
        reader_of(picture).read(photo_of(crowded(picture, 1.0), 700))


def test_a_hidden_board_of_other_prints_is_to_be_cleared_or_marked() -> None:
    picture = board(chequered=False)
    with pytest.raises(NoTiles, match="Clear some spaces of each tile, move closer, or lay printed markers"):
        reader_of(picture).read(photo_of(crowded(picture, 1.0), 700))


def test_a_chequered_print_repeats_itself_and_others_do_not() -> None:
    assert prints_of(board(chequered=True)).repeat
    assert not prints_of(board(chequered=False)).repeat
