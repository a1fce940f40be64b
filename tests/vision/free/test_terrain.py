"""Moved terrain, found again on hand-drawn pictures."""

from fractions import Fraction

import cv2
import numpy as np
import pytest

from assistant.table.free_table import Terrain
from calibration.color import lab_from_bgr
from tests.vision.free.drawn_tables import FINE, VIEW, cloth, photo, plane
from vision.evidence.bases import BASE_HEIGHT_MM
from vision.free.bases import turned
from vision.free.rims import RimPicture
from vision.free.terrain import find_terrain

BENT = np.array([[-30.0, -14.0], [26.0, -18.0], [32.0, 16.0], [0.0, 6.0], [-26.0, 18.0]])
BLOCK = np.array([[-30.0, -14.0], [30.0, -14.0], [30.0, 14.0], [-30.0, 14.0]])


def _piece(corners):
    return Terrain("ruin", "difficult", tuple((Fraction(x), Fraction(y)) for x, y in corners.tolist()), Fraction(0))


def _found(drawn, known):
    """Return what is found of a piece known elsewhere, on a cloth with its drawing."""
    ground = cloth(25)
    if drawn is not None:
        cv2.fillPoly(ground, [np.round((drawn * FINE - 0.5) * 16).astype(np.int32)], (70, 90, 80), cv2.LINE_AA, 4)
    shown = photo(ground, [])
    return find_terrain(plane(shown, -BASE_HEIGHT_MM / 2), RimPicture(lab_from_bgr(shown), VIEW), _piece(known))


@pytest.mark.parametrize("shape", [BENT, BLOCK[::-1]])
def test_a_piece_is_found_where_it_was_moved_and_turned(shape):
    drawn = turned(shape, np.radians(37.0)) + np.array([201.3, 140.8])
    found = _found(drawn, shape + np.array([80.0, 70.0]))
    assert found.edge_share >= 0.75
    for corner in found.corners_mm:
        assert np.linalg.norm(drawn - np.array(corner), axis=1).min() < 1.0


def test_a_block_that_was_pushed_is_not_turned_round():
    found = _found(BLOCK + np.array([201.3, 140.8]), BLOCK + np.array([80.0, 70.0]))
    assert np.abs(np.array(found.corners_mm) - BLOCK - np.array([201.3, 140.8])).max() < 1.0


def test_a_piece_that_was_taken_away_is_not_found():
    assert _found(None, BENT + np.array([80.0, 70.0])) is None
