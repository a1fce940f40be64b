"""A model's facing, by the mark on its rim: only from marks of the right width and colour."""

import cv2
import numpy as np
import pytest

from assistant.table.roster import RosterFigure
from calibration.color import lab_from_bgr
from tests.vision.free.drawn_tables import FINE, SIZE_MM, VIEW, cloth, painted, photo
from vision.evidence.bases import RIM_MM
from vision.free.bases import BaseKind
from vision.free.facing import find_facing
from vision.free.rims import BasePose, RimPicture, fit_rim

GREEN, BLACK, WHITE, RED, MUD = (60, 170, 60), (35, 35, 38), (240, 240, 240), (40, 40, 200), (70, 180, 90)
PLACE, RADIUS_MM = (205.3, 150.8), 20.0
KIND = BaseKind(
    True,
    (2 * RADIUS_MM, 2 * RADIUS_MM),
    "#3caa3c",
    (RosterFigure("ogre-1", "ogre", "diggers", (1, 1), 2 * RADIUS_MM, 40.0, "#3caa3c", mark="#f0f0f0"),),
)


def told_of(*parts):
    """Return the facing read from a rim with parts of other colours: (middle, width in degrees, colour)."""
    ground = cloth(300)
    for height_mm in (0.0, 1.0, 2.0, 3.0):
        painted(ground, [(PLACE, RADIUS_MM, GREEN)], height_mm)
    grown = 600 / 597
    x, y = ((at - size / 2) * grown + size / 2 for at, size in zip(PLACE, SIZE_MM, strict=True))
    for middle_deg, wide_deg, color in parts:
        angle = np.radians(np.linspace(middle_deg - wide_deg / 2, middle_deg + wide_deg / 2, 40))
        fan = np.vstack([[0.0, 0.0], RADIUS_MM * grown * np.column_stack([np.cos(angle), np.sin(angle)])])
        cv2.fillPoly(ground, [np.round((fan + np.array([x, y])) * FINE * 16).astype(np.int32)], color, cv2.LINE_AA, 4)
    painted(ground, [(PLACE, RADIUS_MM - RIM_MM, BLACK)], 3.0)
    picture = RimPicture(lab_from_bgr(photo(ground, [])), VIEW)
    return find_facing(picture, fit_rim(picture, KIND, BasePose(PLACE)))


@pytest.mark.parametrize("facing_deg", [10.0, 131.0, 288.0])
def test_a_model_looks_where_its_mark_is(facing_deg):
    found = told_of((facing_deg, 20, WHITE))
    assert found is not None
    assert abs((found.facing_deg - facing_deg + 180) % 360 - 180) < 3 * found.error_deg / 5


@pytest.mark.parametrize(
    "other",
    [
        pytest.param((131.0, 60, WHITE), id="wider than any mark: a body before the far rim"),
        pytest.param((131.0, 20, RED), id="another color than the mark's"),
        pytest.param((131.0, 20, MUD), id="hardly another color than the rim's"),
    ],
)
def test_what_only_differs_from_the_rim_is_no_mark(other):
    assert told_of(other) is None


def test_two_that_look_like_marks_tell_nothing():
    assert told_of((20.0, 20, WHITE), (200.0, 20, WHITE)) is None
