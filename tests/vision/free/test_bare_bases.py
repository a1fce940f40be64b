"""Bases without a painted rim, in hand-drawn pictures: found by their contrast with the ground."""

import math
from dataclasses import replace

import pytest

from assistant.table.roster import Roster, RosterFigure
from calibration.color import lab_from_bgr
from tests.vision.free.drawn_tables import VIEW, cloth, photo, plane
from vision.free.bases import BaseKind
from vision.free.choice import BaseSighting, choose_bases, choose_maybes
from vision.free.reading import name_bases
from vision.free.rim_colors import read_rim_colors
from vision.free.rims import BasePose, RimPicture, fit_rim
from vision.free.search import find_places, rim_share

OLIVE, GREEN, BLACK, BODY = (60, 110, 105), (60, 170, 60), (35, 35, 38), (40, 40, 150)


def _figures(count):
    return tuple(RosterFigure(f"digger-{n}", "digger", "diggers", (1, 1), 25.0, 30.0, None) for n in range(count))


def _kind(ring, count):
    return BaseKind(True, (25.0, 25.0), ring, _figures(count))


def _chosen(shown, *kinds):
    return choose_bases(_found(shown, *kinds))


def _found(shown, *kinds):
    picture = RimPicture(lab_from_bgr(shown), VIEW)
    above = plane(shown)
    found = []
    for place in find_places(above, kinds)[:90]:
        fit = fit_rim(picture, place.kind, BasePose(place.center_mm))
        found.append(BaseSighting(fit, rim_share(above, place), read_rim_colors(picture, fit)))
    return found


PLACES = [(60.3, 70.2), (140.0, 51.5), (251.7, 88.0), (96.4, 170.9), (220.2, 178.1)]


@pytest.fixture(scope="module")
def bare():
    """The choices on a cloth with five bare bases, each with a figure on it."""
    discs = [disc for x, y in PLACES for disc in (((x, y), 12.5, OLIVE), ((x + 2, y - 1), 6.0, BODY))]
    return _chosen(photo(cloth(), discs), _kind(None, 5))


def test_bare_bases_are_found_on_a_cloth_full_of_edges(bare):
    assert len(bare) == 5
    for base in bare:
        assert min(math.dist(base.fit.pose.center_mm, place) for place in PLACES) < 0.7


def test_their_colours_part_them_from_the_ground_and_go_on_inwards(bare):
    assert all(base.colors.parted > 0.9 and base.colors.goes_on > 0.7 for base in bare)
    assert all(base.chosen_confidence >= 0.87 for base in bare)


def test_a_bare_top_in_the_colour_of_a_ring_is_no_ring():
    ringed = [disc for x, y in PLACES[:2] for disc in (((x, y), 12.5, GREEN), ((x, y), 11.0, BLACK))]
    plain = [((x, y), 12.5, GREEN) for x, y in PLACES[2:4]]
    chosen = _chosen(photo(cloth(300), ringed + plain), _kind("#3caa3c", 4), _kind(None, 4))
    told = {min(PLACES, key=lambda place: math.dist(place, base.fit.pose.center_mm)): base for base in chosen}
    assert {place: base.fit.kind.ring for place, base in told.items()} == {
        **dict.fromkeys(PLACES[:2], "#3caa3c"),
        **dict.fromkeys(PLACES[2:4]),
    }
    assert all(base.colors.ring_step > 0.5 for place, base in told.items() if place in PLACES[:2])


def test_an_empty_cloth_has_no_bases():
    assert _chosen(photo(cloth(), []), _kind(None, 5)) == []


def test_who_was_found_and_not_chosen_stays_a_maybe_where_nobody_stands():
    discs = [disc for x, y in PLACES for disc in (((x, y), 12.5, OLIVE), ((x + 2, y - 1), 6.0, BODY))]
    found = _found(photo(cloth(), discs), _kind(None, 6))
    chosen = choose_bases(found)
    maybes = choose_maybes(found, chosen[1:])
    assert maybes[0].fit.pose.center_mm == chosen[0].fit.pose.center_mm
    assert not {id(maybe) for maybe in choose_maybes(found, chosen)} & {id(base) for base in chosen}
    for maybe in maybes:
        assert all(math.dist(maybe.fit.pose.center_mm, base.fit.pose.center_mm) > 20 for base in chosen[1:])


def test_a_box_that_is_used_up_leaves_no_maybes():
    discs = [((x, y), 12.5, OLIVE) for x, y in PLACES]
    found = _found(photo(cloth(), discs), _kind(None, 3))
    assert len(choose_bases(found)) == 3
    assert choose_maybes(found, choose_bases(found)) == []


def test_of_kinds_that_look_alike_each_base_has_a_name_of_its_own():
    """Three bare bases of a box with one ghoul and three diggers, all alike, are not all the ghoul."""
    alike = (RosterFigure("ghoul", "ghoul", "diggers", (1, 1), 25.0, 30.0, None), *_figures(3))
    alone = RosterFigure("boss", "boss", "diggers", (1, 1), 40.0, 30.0, None)
    shared, own = BaseKind(True, (25.0, 25.0), None, alike), BaseKind(True, (40.0, 40.0), None, (alone,))
    seen = _found(photo(cloth(300), [((80.0, 120.0), 12.5, BLACK)]), _kind(None, 1))[0]
    placed = [replace(seen, fit=replace(seen.fit, kind=kind)) for kind in (shared, own, shared, shared)]
    named = [name for name, _ in name_bases(placed, Roster((*alike, alone), ()))]
    assert named == ["ghoul~1", "boss", "ghoul~2", "ghoul~3"]
