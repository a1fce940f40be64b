"""Markers are found, with their corners in the true places."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.errors import UnknownName
from calibration.markers import MarkerSighting, cells_of, find_markers, least_outline

CORNERS = np.array([[0.0, 0], [8, 0], [8, 8], [0, 8]])


@pytest.fixture(scope="module")
def pose(synthetic):
    return synthetic.looking_at((165, 120), 700, 25, 20)


@pytest.fixture(scope="module")
def photo(synthetic, pose):
    return synthetic.render(pose, synthetic.LENS, synthetic.TABLE, blur_px=0.7, noise=2.0, seed=1)


def test_every_marker_of_the_table_is_found_where_it_is(synthetic, pose, photo):
    sightings = find_markers(photo, synthetic.FAMILY, None)

    assert [sighting.id for sighting in sightings] == [3, 7, 12, 20, 31]
    for sighting, marker in zip(sightings, synthetic.TABLE.markers, strict=True):
        missed_px = np.abs(sighting.corners_px - pose.pixels(marker.corners_mm, synthetic.LENS))
        assert missed_px.max() < 1.0


def test_only_the_ids_that_are_asked_for_are_returned(synthetic, photo):
    assert [s.id for s in find_markers(photo, synthetic.FAMILY, {7, 31, 99})] == [7, 31]


@pytest.mark.parametrize("shape", [(1, 1), (1, 4000), (11, 300), (12, 12)])
def test_a_picture_too_small_for_a_marker_holds_none(synthetic, shape):
    assert find_markers(np.zeros(shape, np.uint8), synthetic.FAMILY) == ()


@pytest.mark.parametrize("family", ["DICT_KLINGON", "ArucoDetector", ""])
def test_an_unknown_family_is_named(family):
    with pytest.raises(UnknownName, match="marker family"):
        find_markers(np.zeros((100, 100), np.uint8), family)


def test_a_sighting_keeps_its_corners_as_they_were():
    corners = CORNERS.copy()
    sighting = MarkerSighting(5, corners)
    corners += 1

    assert sighting.corners_px[0].tolist() == [0, 0]
    assert sighting.side_px == 8
    assert sighting.center_px.tolist() == [4, 4]
    with pytest.raises(ValueError, match="read-only"):
        sighting.corners_px[0, 0] = 3


@pytest.mark.parametrize("corners", [CORNERS[:3], CORNERS * np.nan])
def test_a_sighting_needs_four_finite_corners(corners):
    with pytest.raises(ValueError, match="four finite corners"):
        MarkerSighting(5, corners)


@pytest.mark.timeout(60)
def test_a_marker_that_is_missing_on_a_checked_cloth_is_given_up_soon(synthetic):
    """Thousands of squares kept the detector busy for minutes, in each picture in which a marker was hidden."""
    rng = np.random.default_rng(4)
    down, right = np.mgrid[:1080, :1920]
    turned = (right * 0.97 + down * 0.24, down * 0.97 - right * 0.24)
    dark = sum((np.floor(along / 17).astype(int) % 2 for along in turned), np.zeros((1080, 1920)))
    cloth = np.choose(dark.astype(int), (150, 110, 60)) + rng.normal(0, 3, dark.shape)
    photo = np.clip(cloth, 0, 255).astype(np.uint8)
    for number, (x, y) in zip((3, 7, 12), ((300, 200), (1500, 250), (900, 800)), strict=True):
        bits, cells = cells_of(synthetic.FAMILY, number)
        printed = np.frombuffer(bits, np.uint8).reshape(cells, cells) * 255
        photo[y - 20 : y + 140, x - 20 : x + 140] = 240
        photo[y : y + 120, x : x + 120] = np.kron(printed, np.ones((120 // cells, 120 // cells)))

    assert 4 * 17 / 1920 < least_outline(photo) < 4 * 120 / 1920
    assert [s.id for s in find_markers(photo, synthetic.FAMILY, {3, 7, 12, 20})] == [3, 7, 12]
    assert find_markers(photo, synthetic.FAMILY, {20}) == ()


@pytest.mark.parametrize("at", [(2, 400), (400, 2), (1664, 400), (400, 824)], ids=["left", "top", "right", "bottom"])
def test_a_marker_whose_cut_out_paper_reaches_the_edge_of_the_picture_is_found(synthetic, at):
    """The paper's outline was taken for the marker's and dropped with it, being too near to the edge."""
    x, y = at
    bits, cells = cells_of(synthetic.FAMILY, 7)
    photo = np.full((1080, 1920), 70, np.uint8)
    photo[y : y + 254, x : x + 254] = 225
    printed = np.frombuffer(bits, np.uint8).reshape(cells, cells) * 200 + 20
    photo[y + 47 : y + 207, x + 47 : x + 207] = np.kron(printed, np.ones((160 // cells, 160 // cells)))

    assert [s.id for s in find_markers(photo, synthetic.FAMILY, {7})] == [7]
