"""Unrolled rims: the painted ring is recognised in any colour, and bare rims give none."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from calibration.arrays import BgrImage
from calibration.color import bgr_from_hex
from vision.evidence.bases import BaseFootprint, Stand
from vision.evidence.ring_strips import ANGLES, CHANNELS, INSETS, ring_inputs, ring_strips
from vision.evidence.rings import find_rings
from vision.learned import ring_log_odds
from vision.tiles.board_view import BoardView
from vision.training.samples import table_of

COLORS = ("#d8342c", "#2f6fd0", "#37a34a", "#e8e8e4", "#c9a227", "#7d3fb5")
ROUND = BaseFootprint(True, (22.0, 22.0), (1, 1))
FLOOR, BASE = (120, 130, 125), (38, 40, 42)


@pytest.fixture(scope="module")
def board() -> BoardView:
    """The board of a simulated table; only its cells' places matter."""
    return table_of(800_004, crowded=False)[1]


def painted(
    board: BoardView,
    stand: Stand,
    color: str | None,
    off_mm: tuple[float, float] = (0.0, 0.0),
    *,
    top: Sequence[int] = BASE,
    rim_mm: float = 1.5,
) -> BgrImage:
    """Return a plain floor and a base with a rim in that colour. The base is dark by default."""
    width, height = board.frame.size_wh
    image = np.full((height, width, 3), FLOOR, dtype=np.uint8)
    center = board.frame_from_lattice(np.array([stand.middle]))[0] + np.array(off_mm) * board.px_per_mm
    place = tuple(int(v) for v in np.round(center * 16))
    radius_px = stand.shape.size_mm[0] / 2 * board.px_per_mm
    for inset_mm, paint in ((0.0, top if color is None else bgr_from_hex(color)), (rim_mm, top)):
        cv2.circle(image, place, round((radius_px - inset_mm * board.px_per_mm) * 16), paint, -1, cv2.LINE_AA, 4)
    return image


def floor(board: BoardView) -> BgrImage:
    width, height = board.frame.size_wh
    return np.full((height, width, 3), FLOOR, dtype=np.uint8)


@pytest.mark.parametrize("off_mm", [(0.0, 0.0), (2.0, -1.5)])
@pytest.mark.parametrize("color", COLORS)
def test_a_ring_of_any_color_is_distinguished_from_the_others(
    board: BoardView, color: str, off_mm: tuple[float, float]
) -> None:
    stand = Stand(ROUND, min(board.cells))
    strips = ring_strips(painted(board, stand, color, off_mm), floor(board), board, [stand])
    [log_odds] = ring_log_odds(ring_inputs(strips, COLORS))
    assert COLORS[int(log_odds.argmax())] == color
    assert log_odds.max() > 0


@pytest.mark.parametrize(
    ("rim", "top", "rival"),
    [("#5a2956", "#287537", "#154530"), ("#19440e", "#a02010", "#b03020"), ("#3d6a6d", "#892486", "#6c79b0")],
)
def test_a_thin_dark_rim_is_not_taken_for_the_paint_within(board: BoardView, rim: str, top: str, rival: str) -> None:
    """Rim, base and the ring of another kind that is of the base's color or of what both blur to."""
    stand, asked = Stand(ROUND, min(board.cells)), (rim, rival, "#e79e0a", "#bedcd4")
    seen = painted(board, stand, rim, (1.0, 0.5), top=bgr_from_hex(top), rim_mm=0.9)
    strips = ring_strips(cv2.GaussianBlur(seen, (0, 0), 1.5), floor(board), board, [stand])
    [log_odds] = ring_log_odds(ring_inputs(strips, asked))
    assert np.exp(log_odds[0]) / np.exp(log_odds).sum() > 0.9


def test_neither_a_bare_base_nor_the_floor_has_a_ring(board: BoardView) -> None:
    stand = Stand(ROUND, min(board.cells))
    for image in (painted(board, stand, None), floor(board)):
        [log_odds] = ring_log_odds(ring_inputs(ring_strips(image, floor(board), board, [stand]), COLORS))
        assert log_odds.max() < 0


def test_a_strip_goes_round_the_base_and_inwards(board: BoardView) -> None:
    stand = Stand(ROUND, min(board.cells))
    [strip] = ring_strips(painted(board, stand, "#ffffff"), floor(board), board, [stand])
    assert strip.shape == (2, INSETS, ANGLES, 3)
    brightest = strip[0].mean(axis=-1).argmax(axis=0)
    assert np.ptp(brightest) <= 1
    assert (strip[0, 0] == FLOOR).all()
    assert (strip[0, -1] == BASE).all()
    assert (strip[1] == FLOOR).all()


def test_a_rectangle_is_unrolled_along_its_sides(board: BoardView) -> None:
    shape = BaseFootprint(False, (46.0, 20.0), (2, 1))
    stand = Stand(shape, min(board.cells))
    image = floor(board)
    x, y = board.frame_from_lattice(np.array([stand.middle]))[0]
    half = np.array(shape.size_mm) / 2 * board.px_per_mm
    corners = np.round([x - half[0], y - half[1], x + half[0], y + half[1]]).astype(int)
    cv2.rectangle(image, tuple(corners[:2].tolist()), tuple(corners[2:].tolist()), BASE, -1)
    [strip] = ring_strips(image, floor(board), board, [stand])
    assert (np.abs(strip[0, 0].astype(int) - FLOOR) <= 1).all()
    assert (np.abs(strip[0, -1].astype(int) - BASE) <= 1).all()


def test_nothing_is_asked_of_no_places(board: BoardView) -> None:
    strips = ring_strips(floor(board), floor(board), board, [])
    assert ring_inputs(strips, COLORS).shape == (0, len(COLORS), CHANNELS, INSETS, ANGLES)
    assert ring_log_odds(ring_inputs(strips, COLORS)).shape == (0, len(COLORS))


def test_where_nothing_may_stand_no_ring_is_looked_for(board: BoardView) -> None:
    scene, _ = table_of(800_004, crowded=False)
    assert find_rings(board, scene.roster, frozenset()) == []
