"""A ring that is printed flat and the rim of a base that stands, drawn as a camera over the middle sees them."""

from dataclasses import replace

import pytest

from assistant.table.roster import RosterFigure
from calibration.color import lab_from_bgr
from tests.vision.free.drawn_tables import SIZE_MM, VIEW, cloth, painted, photo, plane
from vision.free.bases import BaseKind
from vision.free.choice import SURE_MARGIN, BaseSighting, choose_bases, choose_maybes
from vision.free.relief import is_raised
from vision.free.rim_colors import read_rim_colors
from vision.free.rims import BasePose, RimPicture, fit_rim
from vision.free.search import BasePlace, rim_share

RING, GREEN, BLACK, PAPER = "#3caa3c", (60, 170, 60), (35, 35, 38), (150, 160, 210)
ASIDE, AGAIN, MIDDLE = (285.3, 205.8), (36.2, 41.7), (SIZE_MM[0] / 2, SIZE_MM[1] / 2)


def _kind(count):
    figures = tuple(RosterFigure(f"digger-{n}", "digger", "diggers", (1, 1), 25.0, 30.0, RING) for n in range(count))
    return BaseKind(True, (25.0, 25.0), RING, figures)


def _with_base(place):
    """A cloth with a base on it: its side, and on top of that its rim and the top within."""
    ground = cloth(300)
    for height_mm in (0.0, 1.0, 2.0, 3.0):
        painted(ground, [(place, 12.5, GREEN)], height_mm)
    return painted(ground, [(place, 12.5, GREEN), (place, 11.0, BLACK)], 3.0)


def _printed(place):
    return painted(cloth(300), [(place, 22.0, PAPER), (place, 12.5, GREEN), (place, 11.0, PAPER)])


def _sighting(shown, place, kind=None):
    picture = RimPicture(lab_from_bgr(shown), VIEW)
    kind = kind or _kind(3)
    fit = fit_rim(picture, kind, BasePose(place))
    at = BasePlace(kind, fit.pose.center_mm, 0.0, 0.0, 0.0)
    sighting = BaseSighting(fit, rim_share(plane(shown), at), read_rim_colors(picture, fit))
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
    """Behind the ring of the box's colour lies one of another, where the rim of a base of that place would be."""
    blue, purple = (190, 60, 20), (150, 30, 140)
    discs = [(22.0, PAPER), (14.3, blue), (12.36, GREEN), (10.57, blue), (9.8, purple), (8.0, blue)]
    shown = photo(painted(cloth(300), [(AGAIN, radius_mm, color) for radius_mm, color in discs]), [])
    (x, y), share = AGAIN, 0.03
    seen = _sighting(shown, (x + (x - MIDDLE[0]) * share, y + (y - MIDDLE[1]) * share))
    assert seen.may_be_sure, "by its likeness alone it is as good as a base"
    assert not seen.is_raised


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
