"""The table from a few photos: exact without a ruler, and wrong markers are named."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.errors import CalibrationError
from calibration.markers import MarkerSighting, find_markers
from calibration.table_solve import MarkerFaultKind, mirrored_markers, solve_table

WH = (1280, 720)
SIDE_MM = 40.0


@pytest.fixture
def poses(synthetic):
    return [synthetic.looking_at((165, 110), 750 + 40 * k, 30 + 8 * k, 20 + 110 * k) for k in range(3)]


@pytest.fixture
def photos(synthetic, poses):
    """Sightings in three photos; ``spoil(photo_index, marker_id, corners_mm)`` moves a marker."""

    def taken(spoil=lambda photo, marker_id, corners_mm: corners_mm, noise_px=0.05, lens=None):
        noise = np.random.default_rng(5)
        return [
            [
                MarkerSighting(
                    marker.id,
                    pose.pixels(spoil(k, marker.id, np.array(marker.corners_mm)), lens or synthetic.LENS)
                    + noise.normal(0, noise_px, (4, 2)),
                )
                for marker in synthetic.TABLE.markers
            ]
            for k, pose in enumerate(poses)
        ]

    return taken


def solved(synthetic, sightings, lens="known"):
    return solve_table(sightings, synthetic.FAMILY, SIDE_MM, synthetic.LENS if lens == "known" else None, image_wh=WH)


def apart_mm(table, synthetic) -> float:
    """RMS distance of the corners from the truth, after the two were laid on each other."""
    truth = {marker.id: np.array(marker.corners_mm) for marker in synthetic.TABLE.markers}
    ours = np.concatenate([np.array(marker.corners_mm) for marker in table.markers])
    theirs = np.concatenate([truth[marker.id] for marker in table.markers])
    a, b = ours - ours.mean(axis=0), theirs - theirs.mean(axis=0)
    u, _, vt = np.linalg.svd(a.T @ b)
    return float(np.sqrt(((a @ (u @ vt) - b) ** 2).sum(axis=1).mean()))


def test_three_photos_give_the_table_to_a_tenth_of_a_millimetre(synthetic, photos):
    result = solved(synthetic, photos())

    assert [marker.id for marker in result.table.markers] == [3, 7, 12, 20, 31]
    assert apart_mm(result.table, synthetic) < 0.1
    assert result.faults == ()
    assert result.reprojection_px < 0.15
    assert 0 < result.sigma_mm < 0.5
    assert result.table.markers[0].corners_mm[0] == (0.0, 0.0)
    assert result.table.markers[0].corners_mm[1] == pytest.approx((SIDE_MM, 0.0), abs=2e-3)


def test_its_views_fit_its_table(synthetic, photos, poses):
    result = solved(synthetic, photos(noise_px=0.0))

    for view, sightings in zip(result.views, photos(noise_px=0.0), strict=True):
        for marker, sighting in zip(result.table.markers, sightings, strict=True):
            assert view.image_from_table(marker.corners_mm) == pytest.approx(sighting.corners_px, abs=0.02)


def test_two_photos_do(synthetic, photos):
    assert apart_mm(solved(synthetic, photos()[:2]).table, synthetic) < 0.3


def test_rendered_photos_give_the_table_within_half_a_millimetre(synthetic, poses):
    pictures = [
        synthetic.render(pose, synthetic.LENS, synthetic.TABLE, blur_px=0.8, noise=2.0, seed=k)
        for k, pose in enumerate(poses)
    ]
    sightings = [find_markers(picture, synthetic.FAMILY, range(40), lens=synthetic.LENS) for picture in pictures]

    result = solved(synthetic, sightings)

    assert len(result.table.markers) == 5
    assert apart_mm(result.table, synthetic) < 0.5


def test_a_marker_that_only_one_photo_shows_is_placed_too(synthetic, photos):
    sightings = photos()
    some = [[s for s in photo if s.id != 31 or k == 1] for k, photo in enumerate(sightings)]

    result = solved(synthetic, some)

    assert len(result.table.markers) == 5
    assert apart_mm(result.table, synthetic) < 0.3


def test_without_a_lens_the_table_is_found_less_exactly(synthetic, photos):
    result = solved(synthetic, photos(), lens="unknown")

    assert apart_mm(result.table, synthetic) < 2.5
    assert result.views[0].lens.matrix[0][0] == pytest.approx(1051, rel=0.06)
    assert result.views[0].focal_uncertainty > 0


def moved(photo, marker_id, corners_mm):
    return corners_mm + np.array([6.0, 0.0]) if (photo, marker_id) == (2, 12) else corners_mm


def resized(photo, marker_id, corners_mm):
    middle = corners_mm.mean(axis=0)
    return middle + (corners_mm - middle) * 1.1 if marker_id == 12 else corners_mm


def bent(photo, marker_id, corners_mm):
    return corners_mm + np.array([[4.0, 3.0], [0, 0], [0, 0], [0, 0]]) if marker_id == 12 else corners_mm


@pytest.mark.parametrize(
    ("spoil", "fault"),
    [(moved, MarkerFaultKind.MOVED), (resized, MarkerFaultKind.RESIZED), (bent, MarkerFaultKind.BENT)],
)
def test_a_marker_that_is_wrong_is_left_out_and_named(synthetic, photos, spoil, fault):
    result = solved(synthetic, photos(spoil))

    assert [(found.id, found.fault) for found in result.faults] == [(12, fault)]
    assert str(result.faults[0].sentence).startswith("Marker 12 ")
    assert apart_mm(result.table, synthetic) < 0.1


def test_a_marker_that_is_there_twice_is_named(synthetic, photos):
    sightings = photos()
    sightings[1].append(MarkerSighting(7, sightings[1][0].corners_px + 200))

    result = solved(synthetic, sightings)

    assert [(found.id, found.fault) for found in result.faults] == [(7, MarkerFaultKind.DUPLICATED)]


def test_a_mirrored_marker_is_noticed(synthetic, poses):
    picture = synthetic.render(poses[0], synthetic.LENS, synthetic.TABLE, blur_px=0.6, noise=1.0, seed=0)

    assert mirrored_markers(picture, synthetic.FAMILY, [3, 7, 12, 20, 31]) == ()
    assert mirrored_markers(np.ascontiguousarray(picture[:, ::-1]), synthetic.FAMILY, []) == (3, 7, 12, 20, 31)


def test_too_little_to_work_with_is_refused(synthetic, photos):
    sightings = photos()

    with pytest.raises(CalibrationError, match="One photo is not enough"):
        solved(synthetic, sightings[:1])
    with pytest.raises(CalibrationError, match="only 3 different markers"):
        solved(synthetic, [photo[:3] for photo in sightings])
    shake = [40 * np.sin(np.arange(8) * s.id).reshape(4, 2) for s in sightings[0]]
    shaken = [MarkerSighting(s.id, s.corners_px + by) for s, by in zip(sightings[0], shake, strict=True)]
    with pytest.raises(CalibrationError, match="do not fit together"):
        solved(synthetic, [shaken, sightings[1]])
