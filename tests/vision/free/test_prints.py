"""A flat printed ring and the rim of a raised base, drawn as a camera over the middle sees them."""

import json
import math
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.table.camera import CameraLens
from assistant.table.roster import RosterFigure
from calibration.color import lab_from_bgr
from calibration.pose import CameraView
from tests.vision.free.drawn_tables import FINE, SIZE_MM, VIEW, cloth, painted, photo, plane
from vision.free.bases import BaseKind
from vision.free.choice import SURE_MARGIN, BaseSighting, choose_bases, choose_maybes
from vision.free.relief import is_raised
from vision.free.rim_colors import read_rim_colors
from vision.free.rims import BasePose, RimPicture, fit_again, fit_rim
from vision.free.search import BasePlace, is_in_its_color, rim_share

RING, GREEN, BLACK, PAPER = "#3caa3c", (60, 170, 60), (35, 35, 38), (150, 160, 210)
ASIDE, AGAIN, MIDDLE = (285.3, 205.8), (36.2, 41.7), (SIZE_MM[0] / 2, SIZE_MM[1] / 2)

PRINTS = Path(__file__).parents[2] / "data" / "scenes" / "free-prints"


def _kind(count):
    figures = tuple(RosterFigure(f"digger-{n}", "digger", "diggers", (1, 1), 25.0, 30.0, RING) for n in range(count))
    return BaseKind(True, (25.0, 25.0), RING, figures)


def _with_base(place):
    """Return a cloth with a base on it: its side, and on top of that its rim and the top within."""
    ground = cloth(300)
    for height_mm in (0.0, 1.0, 2.0, 3.0):
        painted(ground, [(place, 12.5, GREEN)], height_mm)
    return painted(ground, [(place, 12.5, GREEN), (place, 11.0, BLACK)], 3.0)


def _printed(place):
    return painted(cloth(300), [(place, 22.0, PAPER), (place, 12.5, GREEN), (place, 11.0, PAPER)])


def _of_rim(ring, rim_bgr, ground_bgr):
    """Return a base of the box's colour in place of one with another rim on plain ground, both some 25 mm wide."""
    ground = np.full((SIZE_MM[1] * FINE, SIZE_MM[0] * FINE, 3), ground_bgr, np.float32)
    for height_mm in (0.0, 1.0, 2.0, 3.0):
        painted(ground, [(ASIDE, 12.5, rim_bgr)], height_mm)
    shown = photo(painted(ground, [(ASIDE, 12.5, rim_bgr), (ASIDE, 11.0, BLACK)], 3.0), [])
    return _sighting(shown, ASIDE, replace(_kind(3), ring=ring))


def _sighting(shown, place, kind=None):
    picture = RimPicture(lab_from_bgr(shown), VIEW)
    kind = kind or _kind(3)
    fit = fit_rim(picture, kind, BasePose(place))
    at = BasePlace(kind, fit.pose.center_mm, 0.0, 0.0, 0.0)
    above = plane(shown)
    own_color = is_in_its_color(above, at)
    sighting = BaseSighting(fit, rim_share(above, at), read_rim_colors(picture, fit), is_in_its_color=own_color)
    return replace(sighting, is_raised=is_raised(picture, fit))


@pytest.mark.parametrize("place", [ASIDE, AGAIN])
def test_a_base_shows_its_side_to_the_camera_and_a_print_does_not(place):
    base = _sighting(photo(_with_base(place), []), place)
    print_ = _sighting(photo(_printed(place), []), place)
    assert base.is_raised
    assert base.chosen_confidence >= 0.9
    assert not print_.is_raised
    assert print_.may_be_sure, "by its likeness alone it is as good as a base"
    assert print_.chosen_confidence < 0.9


def test_the_end_of_a_small_card_beyond_a_ring_is_no_side_of_a_base():
    (x, y), share = AGAIN, 0.012
    card = (x + (x - MIDDLE[0]) * share, y + (y - MIDDLE[1]) * share)
    shown = photo(painted(cloth(300), [(card, 15.2, PAPER), (AGAIN, 12.5, GREEN), (AGAIN, 11.0, PAPER)]), [])
    assert not _sighting(shown, AGAIN).is_raised


def test_from_straight_above_nothing_tells_and_nobody_is_sure():
    for shown in (photo(_with_base(MIDDLE), []), photo(_printed(MIDDLE), [])):
        seen = _sighting(shown, MIDDLE)
        assert not seen.is_raised
        assert seen.chosen_confidence < 0.9


def test_who_stands_on_a_base_hides_its_rim_behind_him():
    x, y = ASIDE
    behind = ((x - MIDDLE[0]) * 0.09 + x, (y - MIDDLE[1]) * 0.09 + y)
    body = [(behind, 5.0, (40, 40, 150))]
    assert _sighting(photo(_printed(ASIDE), []), ASIDE).is_raised is False
    assert _sighting(photo(_printed(ASIDE), body), ASIDE).is_raised


def test_a_print_that_is_fitted_beside_its_place_hides_no_rim():
    """Another colour's ring lies behind the ring of the box's colour, where the rim of a base would be."""
    blue, purple = (190, 60, 20), (150, 30, 140)
    discs = [(22.0, PAPER), (14.3, blue), (12.36, GREEN), (10.57, blue), (9.8, purple), (8.0, blue)]
    shown = photo(painted(cloth(300), [(AGAIN, radius_mm, color) for radius_mm, color in discs]), [])
    (x, y), share = AGAIN, 0.03
    seen = _sighting(shown, (x + (x - MIDDLE[0]) * share, y + (y - MIDDLE[1]) * share))
    assert replace(seen, is_in_its_color=True).may_be_sure, "by its likeness alone it is as good as a base"
    assert not seen.is_raised


def test_a_grey_rim_on_red_ground_is_no_cyan_one():
    """Its step from the ground is that of a cyan rim (57007: a model on a wall of bricks, told as another kind)."""
    grey, red, cyan = (130, 133, 135), (50, 60, 120), (169, 167, 39)
    seen, true = _of_rim("#27a7a9", grey, red), _of_rim("#27a7a9", cyan, red)
    assert seen.is_raised
    assert seen.rim_share > 0.5, "it does step towards cyan"
    assert not seen.is_proven
    assert seen.chosen_confidence < 0.9
    assert true.is_proven
    assert true.log_odds > seen.log_odds


def test_a_printed_disc_larger_than_a_base_shows_no_end_of_its_rim():
    """A disc of the rim's colour extends beyond a base of the box: nothing shows where the base would end (73018)."""
    (x, y), share = ASIDE, 0.09
    behind = (x + (x - MIDDLE[0]) * share, y + (y - MIDDLE[1]) * share)
    body = [(behind, 5.0, (40, 40, 150))]
    discs = [(16.0, (57, 161, 57)), (12.5, GREEN), (11.0, BLACK)]
    seen = _sighting(photo(painted(cloth(300), [(ASIDE, radius, color) for radius, color in discs]), body), ASIDE)
    assert not seen.is_raised
    assert _sighting(photo(_with_base(ASIDE), body), ASIDE).is_raised


@pytest.mark.parametrize("table", ["73016", "73018", "74002"])
def test_a_ray_traced_print_that_was_reported_as_a_base_is_not_seen_to_be_raised(table):
    """A thin ring in noise, a disc larger than its base, and a disc that was fitted beside its place."""
    told = json.loads((PRINTS / "prints.json").read_bytes())[table]
    size, distortion = (told["lens"]["width_px"], told["lens"]["height_px"]), tuple(told["lens"]["distortion"])
    lens = CameraLens(*size, tuple(map(tuple, told["lens"]["matrix"])), distortion)
    view = CameraView(lens, tuple(told["rotation"]), tuple(told["translation_mm"]), 0.3, ())
    picture = RimPicture(lab_from_bgr(cv2.imread(str(PRINTS / f"{table}.png"))), view)
    kind = BaseKind(True, (told["base_mm"],) * 2, told["ring"])
    assert not is_raised(picture, fit_rim(picture, kind, BasePose(tuple(told["center_mm"]))))


def test_a_side_that_the_noise_of_the_outline_may_make_proves_nothing():
    shown = _with_base(ASIDE)
    assert _sighting(photo(shown.copy(), []), ASIDE).is_raised
    noisy = photo(shown, []).astype(float) + np.random.default_rng(3).normal(0, 30, (360, 480, 3))
    assert not _sighting(np.clip(noisy, 0, 255).astype(np.uint8), ASIDE).is_raised


def test_a_fit_that_others_from_beside_contradict_is_known_less_exactly():
    """Beside the base lies an edge that runs as its outline does, as that of a shadow."""
    alone, shaded = _with_base(ASIDE), _with_base(ASIDE)
    ground = cloth(300)
    painted(ground, [((ASIDE[0] + 1.5, ASIDE[1] + 1.0), 12.9, (20, 20, 20))])
    for height_mm in (0.0, 1.0, 2.0, 3.0):
        painted(ground, [(ASIDE, 12.5, (40, 60, 40))], height_mm)
    shaded = painted(ground, [(ASIDE, 11.0, BLACK)], 3.0)
    errors = []
    for shown in (alone, shaded):
        picture = RimPicture(lab_from_bgr(photo(shown, [])), VIEW)
        fit = fit_again(picture, fit_rim(picture, _kind(3), BasePose(ASIDE)))
        off_mm = math.dist(fit.pose.center_mm, ASIDE)
        assert off_mm < 2.5 * fit.error_mm
        errors.append(fit.error_mm)
    assert errors[0] < errors[1]


def test_a_print_does_not_take_the_place_of_a_base_of_a_box_that_is_used_up():
    kind = _kind(1)
    base, seen = (
        _sighting(photo(_with_base(ASIDE), []), ASIDE, kind),
        _sighting(photo(_printed(AGAIN), []), AGAIN, kind),
    )
    worse = replace(base, rim_share=base.rim_share - 0.3)
    assert SURE_MARGIN <= worse.log_odds < seen.log_odds
    (chosen,) = choose_bases([seen, worse])
    assert chosen.fit is worse.fit
    assert choose_maybes([seen, worse], [chosen]) == []


def test_of_two_rims_that_may_be_prints_the_one_beyond_the_box_may_be_the_base():
    kind = _kind(1)
    two = photo(painted(_printed(AGAIN), [(MIDDLE, 12.5, GREEN), (MIDDLE, 11.0, BLACK)]), [])
    found = [_sighting(two, place, kind) for place in (AGAIN, MIDDLE)]
    assert all(base.may_be_sure for base in found)
    chosen = choose_bases(found)
    (maybe,) = choose_maybes(found, chosen)
    assert {id(base.fit) for base in (*chosen, maybe)} == {id(base.fit) for base in found}
    assert maybe.confidence == 0.5
