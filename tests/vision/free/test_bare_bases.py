"""Bases that nobody painted a rim on, in pictures drawn by hand: found by what parts them from the ground."""

import math

import cv2
import numpy as np
import pytest

from assistant.table.camera import CameraLens
from assistant.table.roster import RosterFigure
from calibration.color import lab_from_bgr
from calibration.pose import CameraView
from vision.free.bases import BaseKind
from vision.free.choice import BaseSighting, choose_bases
from vision.free.rim_colors import read_rim_colors
from vision.free.rims import BasePose, RimPicture, fit_rim
from vision.free.search import Level, find_places, plane_of, rim_share
from vision.paper_light import PaperLight

SIZE_MM, FINE = (320, 240), 6
VIEW = CameraView(
    CameraLens(480, 360, ((900.0, 0.0, 239.5), (0.0, 900.0, 179.5), (0.0, 0.0, 1.0)), (0.0, 0.0, 0.0, 0.0, 0.0)),
    (0.0, 0.0, 0.0), (-160.0, -120.0, 600.0), 0.3, (),
)  # fmt: skip
"""A camera 600 mm above the middle of a small table, looking straight down."""

OLIVE, GREEN, BLACK, BODY = (60, 110, 105), (60, 170, 60), (35, 35, 38), (40, 40, 150)


def _figures(count):
    return tuple(RosterFigure(f"digger-{n}", "digger", "diggers", (1, 1), 25.0, 30.0, None) for n in range(count))


def _kind(ring, count):
    return BaseKind(True, (25.0, 25.0), ring, _figures(count))


def _cloth(squares_mm=18):
    """A table cloth of two colours with grain, FINE pixels a millimetre."""
    height, width = SIZE_MM[1] * FINE, SIZE_MM[0] * FINE
    rows, columns = np.mgrid[0:height, 0:width] // (squares_mm * FINE)
    cloth = np.where(((rows + columns) % 2)[..., None], (190, 195, 200), (120, 60, 60)).astype(np.float32)
    return cloth + np.random.default_rng(5).normal(0, 6, (height, width, 1)).astype(np.float32)


def _photo(cloth, discs):
    """The picture: discs of (place, radius, colour) drawn one on the other, then seen by the camera."""
    for place, radius, color in discs:
        for height_mm in (0.0, 3.0):  # a base is a low cylinder: its top is nearer to the camera
            grown = 600 / (600 - height_mm)
            x, y = ((at - size / 2) * grown + size / 2 for at, size in zip(place, SIZE_MM, strict=True))
            middle = (round((x * FINE - 0.5) * 16), round((y * FINE - 0.5) * 16))
            cv2.circle(cloth, middle, round(radius * grown * FINE * 16), color, -1, cv2.LINE_AA, 4)
    small = cv2.resize(cloth, (480, 360), interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(6).normal(0, 2, small.shape)
    return np.clip(cv2.GaussianBlur(small, (0, 0), 0.6) + noise, 0, 255).astype(np.uint8)


def _chosen(photo, *kinds):
    picture = RimPicture(lab_from_bgr(photo), VIEW)
    paper = PaperLight(np.ones(3), np.array([math.log(0.8), 0.0, 0.0]), 0)
    plane = plane_of(photo, VIEW, paper, Level((0.0, 0.0, *map(float, SIZE_MM)), 0.0))
    found = []
    for place in find_places(plane, kinds)[:90]:
        fit = fit_rim(picture, place.kind, BasePose(place.center_mm))
        found.append(BaseSighting(fit, rim_share(plane, place), read_rim_colors(picture, fit)))
    return choose_bases(found)


PLACES = [(60.3, 70.2), (140.0, 51.5), (251.7, 88.0), (96.4, 170.9), (220.2, 178.1)]


@pytest.fixture(scope="module")
def bare():
    """What is chosen on a cloth with five bare bases, each with somebody standing on it."""
    discs = [disc for x, y in PLACES for disc in (((x, y), 12.5, OLIVE), ((x + 2, y - 1), 6.0, BODY))]
    return _chosen(_photo(_cloth(), discs), _kind(None, 5))


def test_bare_bases_are_found_on_a_cloth_full_of_edges(bare):
    assert len(bare) == 5
    for base in bare:
        assert min(math.dist(base.fit.pose.center_mm, place) for place in PLACES) < 0.7


def test_their_colours_part_them_from_the_ground_and_go_on_inwards(bare):
    assert all(base.colors.parted > 0.9 and base.colors.goes_on > 0.7 for base in bare)
    assert all(base.chosen_confidence > 0.9 for base in bare)


def test_a_bare_top_in_the_colour_of_a_ring_is_no_ring():
    ringed = [disc for x, y in PLACES[:2] for disc in (((x, y), 12.5, GREEN), ((x, y), 11.0, BLACK))]
    plain = [((x, y), 12.5, GREEN) for x, y in PLACES[2:4]]
    chosen = _chosen(_photo(_cloth(300), ringed + plain), _kind("#3caa3c", 4), _kind(None, 4))
    told = {min(PLACES, key=lambda place: math.dist(place, base.fit.pose.center_mm)): base for base in chosen}
    assert {place: base.fit.kind.ring for place, base in told.items()} == {
        **dict.fromkeys(PLACES[:2], "#3caa3c"),
        **dict.fromkeys(PLACES[2:4]),
    }
    assert all(base.colors.ring_step > 0.5 for place, base in told.items() if place in PLACES[:2])


def test_an_empty_cloth_has_no_bases():
    assert _chosen(_photo(_cloth(), []), _kind(None, 5)) == []
