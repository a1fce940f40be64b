"""The camera's pose from its markers: exact, robust, and honest about the unknowable."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.errors import PoseAmbiguous, SizeMismatch, TooFewMarkers
from calibration.markers import MarkerSighting
from calibration.pose import solve_view

BOARD = np.stack(np.meshgrid(np.linspace(20, 320, 7), np.linspace(0, 220, 5)), -1).reshape(-1, 2)


@pytest.fixture
def seen(synthetic):
    """An ideal detector's sightings from a pose, with a little noise."""

    def sightings(pose, *, noise_px=0.0, seed=0, ids=None, moved=None):
        noise = np.random.default_rng(seed)
        found = []
        for marker in synthetic.TABLE.markers:
            if ids is not None and marker.id not in ids:
                continue
            shift = (moved or {}).get(marker.id, (0, 0))
            corners = pose.pixels(np.array(marker.corners_mm) + shift, synthetic.LENS)
            found.append(MarkerSighting(marker.id, corners + noise.normal(0, noise_px, (4, 2))))
        return found

    return sightings


@pytest.mark.parametrize("tilt_deg", [0, 12, 35, 55])
@pytest.mark.parametrize("around_deg", [0, 100, 200])
def test_the_view_maps_the_board_both_ways(synthetic, seen, tilt_deg, around_deg):
    pose = synthetic.looking_at((165, 120), 800, tilt_deg, around_deg)

    view = solve_view(seen(pose), synthetic.TABLE, synthetic.LENS)

    for height_mm in (0.0, 2.0, 33.0):
        pixels = pose.pixels(BOARD, synthetic.LENS, height_mm)
        assert view.image_from_table(BOARD, height_mm) == pytest.approx(pixels, abs=1e-3)
        assert view.table_from_image(pixels, height_mm) == pytest.approx(BOARD, abs=1e-3)
    assert view.reprojection_px < 1e-3
    assert view.markers_seen == (3, 7, 12, 20, 31)
    assert not view.lens_is_guessed


def test_the_camera_is_where_it_was_put(synthetic, seen):
    view = solve_view(seen(synthetic.looking_at((165, 120), 800, 0, 30)), synthetic.TABLE, synthetic.LENS)

    assert view.camera_center_mm == pytest.approx((165, 120, 800), abs=0.01)
    point_in_camera = view.camera_from_table @ (165, 120, 0, 1)
    assert point_in_camera[:3] == pytest.approx((0, 0, 800), abs=0.01)


def test_heights_may_differ_from_point_to_point(synthetic, seen):
    view = solve_view(seen(synthetic.looking_at((165, 120), 800, 40, 30)), synthetic.TABLE, synthetic.LENS)
    heights_mm = np.linspace(0, 40, len(BOARD))

    pixels = view.image_from_table(BOARD, heights_mm)

    assert view.table_from_image(pixels, heights_mm) == pytest.approx(BOARD, abs=1e-6)


def test_what_is_behind_the_camera_or_above_the_horizon_has_no_place(synthetic, seen):
    view = solve_view(seen(synthetic.looking_at((165, 120), 800, 60, 0)), synthetic.TABLE, synthetic.LENS)

    assert np.isnan(view.image_from_table([(165, -5000)])).all()
    assert np.isnan(view.table_from_image([(640, 1100)])).all()


@pytest.mark.parametrize("ids", [(3, 7, 12), (3, 12, 31), (7, 12, 31), (3, 20, 31)])
def test_any_three_markers_do(synthetic, seen, ids):
    pose = synthetic.looking_at((165, 120), 800, 30, 60)

    view = solve_view(seen(pose, noise_px=0.05, ids=ids), synthetic.TABLE, synthetic.LENS)

    on_board = view.table_from_image(pose.pixels(BOARD, synthetic.LENS))
    assert np.median(np.linalg.norm(on_board - BOARD, axis=1)) < 0.2


@pytest.mark.parametrize("moved_id", [3, 7, 12, 20, 31])
@pytest.mark.parametrize("shift_mm", [(3, 0), (0, -8), (60, 40)])
def test_a_moved_marker_is_left_out_and_named(synthetic, seen, moved_id, shift_mm):
    pose = synthetic.looking_at((165, 120), 800, 25, 10)
    sightings = seen(pose, noise_px=0.05, moved={moved_id: shift_mm})

    view = solve_view(sightings, synthetic.TABLE, synthetic.LENS)

    assert view.markers_left_out == (moved_id,)
    assert view.markers_seen == tuple(sorted({3, 7, 12, 20, 31} - {moved_id}))
    assert np.abs(view.table_from_image(pose.pixels(BOARD, synthetic.LENS)) - BOARD).max() < 0.5


def test_of_two_markers_with_one_id_the_one_that_fits_is_taken(synthetic, seen):
    pose = synthetic.looking_at((165, 120), 800, 25, 10)
    stray = MarkerSighting(7, seen(pose, ids=(12,))[0].corners_px + np.array([0, 150]))

    view = solve_view([stray, *seen(pose)], synthetic.TABLE, synthetic.LENS)

    assert view.markers_seen == (3, 7, 12, 20, 31)
    assert view.markers_left_out == ()
    assert view.reprojection_px < 1e-3


@pytest.mark.parametrize("ids", [(), (3,), (3, 12)])
def test_fewer_than_three_markers_are_too_few(synthetic, seen, ids):
    sightings = seen(synthetic.looking_at((165, 120), 800, 25, 10), ids=ids)

    with pytest.raises(TooFewMarkers) as refused:
        solve_view(sightings, synthetic.TABLE, synthetic.LENS)

    assert (refused.value.seen, refused.value.needed) == (len(ids), 3)


def test_markers_of_another_table_do_not_count(synthetic, seen):
    stranger = MarkerSighting(99, np.array([[0.0, 0], [40, 0], [40, 40], [0, 40]]))
    sightings = [*seen(synthetic.looking_at((165, 120), 800, 25, 10), ids=(3, 7)), stranger]

    with pytest.raises(TooFewMarkers):
        solve_view(sightings, synthetic.TABLE, synthetic.LENS)


def test_three_markers_that_contradict_each_other_give_no_pose(synthetic, seen):
    pose = synthetic.looking_at((165, 120), 800, 25, 10)

    with pytest.raises(PoseAmbiguous, match="nobody moved them"):
        solve_view(seen(pose, ids=(3, 7, 12), moved={7: (25, 0)}), synthetic.TABLE, synthetic.LENS)


def test_corners_in_one_point_give_no_pose(synthetic):
    flat = [MarkerSighting(marker.id, np.full((4, 2), 300.0)) for marker in synthetic.TABLE.markers]

    with pytest.raises(PoseAmbiguous):
        solve_view(flat, synthetic.TABLE, synthetic.LENS)


def test_a_photo_of_another_shape_is_refused(synthetic, seen):
    sightings = seen(synthetic.looking_at((165, 120), 800, 25, 10))

    with pytest.raises(SizeMismatch):
        solve_view(sightings, synthetic.TABLE, synthetic.LENS, image_wh=(1280, 960))


def test_a_smaller_photo_of_the_same_camera_is_accepted(synthetic, seen):
    pose = synthetic.looking_at((165, 120), 800, 25, 10)
    small = [MarkerSighting(s.id, (s.corners_px + 0.5) / 2 - 0.5) for s in seen(pose)]

    view = solve_view(small, synthetic.TABLE, synthetic.LENS, image_wh=(640, 360))

    assert view.lens.width_px == 640
    assert view.camera_center_mm == pytest.approx(
        solve_view(seen(pose), synthetic.TABLE, synthetic.LENS).camera_center_mm
    )


def test_without_a_lens_the_focal_length_is_estimated_and_called_unsure(synthetic, seen):
    pose = synthetic.looking_at((165, 120), 800, 40, 10)
    sightings = seen(pose, noise_px=0.1)

    view = solve_view(sightings, synthetic.TABLE, None, image_wh=(1280, 720))

    assert view.lens_is_guessed
    assert view.lens.matrix[0][0] == pytest.approx(1051, rel=0.06)
    on_board = view.table_from_image(pose.pixels(BOARD, synthetic.LENS))
    assert np.median(np.linalg.norm(on_board - BOARD, axis=1)) < 2.0


def test_seen_from_straight_above_the_focal_length_is_far_less_sure(synthetic, seen):
    tilted, flat = (
        solve_view(
            seen(synthetic.looking_at((165, 120), 800, tilt_deg, 10)), synthetic.TABLE, None, image_wh=(1280, 720)
        ).focal_uncertainty
        for tilt_deg in (40, 0)
    )

    assert flat > 5 * tilted


def test_a_view_is_a_key(synthetic, seen):
    view = solve_view(seen(synthetic.looking_at((165, 120), 800, 25, 10)), synthetic.TABLE, synthetic.LENS)

    assert {view: 1}[view] == 1
