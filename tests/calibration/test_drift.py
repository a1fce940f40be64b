"""The calibration monitors itself: a problem is noticed within a second, and corrected if possible."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import cv2
import numpy as np
import pytest

from assistant.errors import PhotoError
from calibration.drift import Alarm, DriftCorrection, DriftState, FrameMeasurement, motion, update_watch
from calibration.markers import MarkerSighting
from calibration.picture_stats import PictureStats, picture_stats
from calibration.pose import solve_view, solve_view_at_any_zoom

USUAL = PictureStats(brightness=110.0, blown_share=0.01, warmth=1.1, sharpness=0.8)
FRAME_S = 0.1
BOARD = np.stack(np.meshgrid(np.linspace(20, 320, 7), np.linspace(0, 220, 5)), -1).reshape(-1, 2)


@pytest.fixture
def pose(synthetic):
    return synthetic.looking_at((165, 120), 800, 25, 10)


@pytest.fixture
def sightings(synthetic):
    """Sightings from a pose, with a little noise."""
    noise = np.random.default_rng(3)

    def seen(pose, *, moved=None, ids=(3, 7, 12, 20, 31), lens=synthetic.LENS):
        found = []
        for marker in synthetic.TABLE.markers:
            if marker.id in ids:
                corners_mm = np.array(marker.corners_mm) + (moved or {}).get(marker.id, (0, 0))
                pixels = pose.pixels(corners_mm, lens)
                found.append(MarkerSighting(marker.id, pixels + noise.normal(0, 0.05, (4, 2))))
        return tuple(found)

    return seen


@pytest.fixture
def watch(synthetic, pose, sightings):
    view = solve_view(sightings(pose), synthetic.TABLE, synthetic.LENS)
    return DriftState(synthetic.TABLE, synthetic.LENS, view, USUAL)


def after_frames(watch, see, count=9, start=0, stats=USUAL):
    """Return the watch after some frames of 0.1 s, and all events with their times since the first."""
    events = []
    for k in range(start, start + count):
        watch, noticed = update_watch(watch, FrameMeasurement(k * FRAME_S, see(), stats))
        events += [(event, (k - start) * FRAME_S) for event in noticed]
    return watch, events


def test_nothing_is_noticed_while_all_is_well(watch, pose, sightings):
    later, events = after_frames(watch, lambda: sightings(pose), count=30)

    assert events == []
    assert later.is_trusted
    assert later.view == watch.view


def bumped(pose, turn_deg=0.0, shift_mm=0.0):
    turn = cv2.Rodrigues(np.array([0.0, np.radians(turn_deg), 0.0]))[0]
    rotation = turn @ cv2.Rodrigues(pose.rvec)[0]
    return replace(pose, rvec=cv2.Rodrigues(rotation)[0].ravel(), tvec=turn @ pose.tvec + (shift_mm, 0.0, 0.0))


@pytest.mark.parametrize("bump", [{"turn_deg": 1.0}, {"shift_mm": 5.0}, {"turn_deg": 8.0, "shift_mm": 60.0}])
def test_a_bumped_camera_is_noticed_and_found_again_within_a_second(watch, synthetic, pose, sightings, bump):
    new = bumped(pose, **bump)

    during, _ = update_watch(watch, FrameMeasurement(0.0, sightings(new), USUAL))
    later, events = after_frames(watch, lambda: sightings(new))

    assert not during.is_trusted
    assert [event.kind for event, _ in events if isinstance(event.kind, DriftCorrection)] == [
        DriftCorrection.CAMERA_MOVED
    ]
    assert max(time for _, time in events) < 1.0
    assert later.is_trusted
    on_board = later.view.table_from_image(new.pixels(BOARD, synthetic.LENS))
    assert np.linalg.norm(on_board - BOARD, axis=1).max() < 0.5


@pytest.mark.parametrize("by", [0.8, 1.15, 1.3])
def test_a_zoomed_lens_is_measured_again_within_a_second(watch, synthetic, pose, sightings, by):
    """A zoom was a moved camera and a marker astray for ever, or one that was wrongly taken at a new place."""
    zoomed = synthetic.LENS.zoomed(by)

    later, events = after_frames(watch, lambda: sightings(pose, lens=zoomed))

    assert [event.kind for event, _ in events if isinstance(event.kind, DriftCorrection)] == [
        DriftCorrection.LENS_CHANGED
    ]
    assert max(time for _, time in events) < 1.0
    assert later.is_trusted
    assert later.lens.matrix[0][0] == pytest.approx(zoomed.matrix[0][0], rel=0.01)
    on_board = later.view.table_from_image(pose.pixels(BOARD, zoomed))
    assert np.linalg.norm(on_board - BOARD, axis=1).max() < 0.5


@pytest.mark.parametrize(
    ("tilt_deg", "ids", "pushed"),
    [
        (0, (3, 7, 12, 20, 31), {}),
        (12, (3, 7, 12, 20, 31), {}),
        (12, (3, 12, 20), {}),
        (25, (3, 12, 20), {}),
        (25, (3, 7, 12, 20, 31), {7: (9, -6)}),
    ],
)
def test_a_zoom_of_a_camera_that_stands_still_is_told_from_three_markers_and_from_above(
    synthetic, sightings, tilt_deg, ids, pushed
):
    """It was a moved camera, or the markers contradicted each other for ever."""
    pose = synthetic.looking_at((165, 120), 800, tilt_deg, 10)
    view = solve_view(sightings(pose), synthetic.TABLE, synthetic.LENS)
    zoomed = synthetic.LENS.zoomed(1.2)

    later, events = after_frames(
        DriftState(synthetic.TABLE, synthetic.LENS, view, USUAL),
        lambda: sightings(pose, ids=ids, lens=zoomed, moved=pushed),
        count=20,
    )

    expected = [DriftCorrection.LENS_CHANGED, *([DriftCorrection.MARKER_MOVED] if pushed else [])]
    assert [event.kind for event, _ in events if isinstance(event.kind, DriftCorrection)] == expected
    assert later.is_trusted
    assert later.lens.matrix[0][0] == pytest.approx(zoomed.matrix[0][0], rel=0.01)


def test_a_zoom_before_the_watch_began_is_told_from_ten_degrees(synthetic, sightings):
    """All markers agreed on the old lens at another distance, within half a millimetre, and heights were off."""
    pose = synthetic.looking_at((165, 120), 800, 10, 10)
    zoomed = synthetic.LENS.zoomed(1.2)
    seen = sightings(pose, lens=zoomed)
    assert solve_view(seen, synthetic.TABLE, synthetic.LENS).markers_left_out == ()

    view = solve_view_at_any_zoom(seen, synthetic.TABLE, synthetic.LENS, image_wh=(1280, 720))

    assert view.lens.matrix[0][0] == pytest.approx(zoomed.matrix[0][0], rel=0.01)


@pytest.mark.parametrize("push_mm", [(5, 0), (0, -6), (4, 4), (-5, 5)])
def test_a_marker_pushed_together_with_the_camera_is_no_zoom(watch, synthetic, pose, sightings, push_mm):
    later, events = after_frames(watch, lambda: sightings(bumped(pose, turn_deg=2.0), moved={20: push_mm}), count=20)

    assert events[0][0].kind is DriftCorrection.CAMERA_MOVED
    assert later.lens == synthetic.LENS


@pytest.mark.parametrize("seed", [249, 390, 477])
def test_a_pushed_marker_of_four_seen_from_above_is_no_zoom(synthetic, seed):
    """A lens more than half as long again explained these four markers, but left its own focal length uncertain."""
    rng = np.random.default_rng(seed)
    pose = synthetic.looking_at((165, 120), rng.uniform(600, 1000), rng.choice([0, 3]), rng.uniform(0, 90))
    ids = rng.permutation([3, 7, 12, 20, 31])[:4]
    pushed, turn, by_mm = rng.choice(ids), rng.uniform(0, 2 * np.pi), rng.uniform(1, 25)
    seen = []
    for marker in synthetic.TABLE.markers:
        if marker.id in ids:
            push_mm = by_mm * np.array([np.cos(turn), np.sin(turn)]) * (marker.id == pushed)
            corners_px = pose.pixels(np.array(marker.corners_mm) + push_mm, synthetic.LENS)
            seen.append(MarkerSighting(marker.id, corners_px + rng.normal(0, 0.15, (4, 2))))
    with suppress(PhotoError):
        view = solve_view_at_any_zoom(seen, synthetic.TABLE, synthetic.LENS, image_wh=(1280, 720))
        assert view.lens == synthetic.LENS


def test_the_motion_is_reported(watch, synthetic, pose, sightings):
    new = solve_view(sightings(bumped(pose, turn_deg=2.0)), synthetic.TABLE, synthetic.LENS)

    moved_mm, turned_deg = motion(watch.view, new)

    assert turned_deg == pytest.approx(2.0, abs=0.1)
    assert moved_mm < 3


def test_while_the_camera_keeps_moving_rulings_wait(watch, pose, sightings):
    angle = iter(np.arange(1.0, 40.0, 0.7))

    later, events = after_frames(watch, lambda: sightings(bumped(pose, turn_deg=next(angle))), count=12)

    assert [event.kind for event, _ in events] == [Alarm.MOVING]
    assert not later.is_trusted


@pytest.mark.parametrize("moved_id", [3, 12, 31])
def test_a_moved_marker_is_taken_at_its_new_place(watch, synthetic, pose, sightings, moved_id):
    later, events = after_frames(watch, lambda: sightings(pose, moved={moved_id: (12, -7)}))

    assert [event.kind for event, _ in events] == [DriftCorrection.MARKER_MOVED]
    assert f"Marker {moved_id} " in str(events[0][0].sentence)
    assert events[0][1] < 1.0
    moved = next(marker for marker in later.table.markers if marker.id == moved_id)
    before = next(marker for marker in synthetic.TABLE.markers if marker.id == moved_id)
    assert np.array(moved.corners_mm) == pytest.approx(np.array(before.corners_mm) + np.array([12, -7]), abs=0.3)
    assert later.is_trusted
    assert after_frames(later, lambda: sightings(pose, moved={moved_id: (12, -7)}), start=20)[1] == []


def test_a_marker_pushed_onto_a_book_is_taken_at_its_new_place_once(watch, pose, sightings):
    """It looks a little too large there. It was taken anew without end, and the whole table was read each time."""

    def raised():
        return tuple(
            replace(s, corners_px=s.center_px + (9, -6) + 1.037 * (s.corners_px - s.center_px)) if s.id == 12 else s
            for s in sightings(pose)
        )

    later, events = after_frames(watch, raised, count=60)
    assert [event.kind for event, _ in events] == [DriftCorrection.MARKER_MOVED]
    assert later.is_trusted


def test_a_marker_that_is_lifted_raises_an_alarm(watch, pose, sightings):
    def lifted():
        return tuple(
            replace(s, corners_px=s.center_px + 1.2 * (s.corners_px - s.center_px)) if s.id == 12 else s
            for s in sightings(pose)
        )

    later, events = after_frames(watch, lifted)
    assert [event.kind for event, _ in events] == [Alarm.MARKER_ASTRAY]
    assert not later.is_trusted


@pytest.mark.parametrize("ids", [(3, 7, 12, 20, 31), (3, 7, 20, 31)])
def test_a_lifted_marker_that_is_put_back_or_taken_away_is_no_alarm_any_more(watch, pose, sightings, ids):
    def lifted():
        return tuple(
            replace(s, corners_px=s.center_px + 1.2 * (s.corners_px - s.center_px)) if s.id == 12 else s
            for s in sightings(pose)
        )

    gone, _ = after_frames(watch, lifted)
    back, events = after_frames(gone, lambda: sightings(pose, ids=ids), start=9)

    assert [(event.kind, event.is_over) for event, _ in events] == [(Alarm.MARKER_ASTRAY, True)]
    assert back.is_trusted


def test_a_hand_that_passes_over_markers_is_no_event(watch, pose, sightings):
    covered, events = after_frames(watch, lambda: sightings(pose, ids=(3, 7)), count=3)
    _, more = after_frames(covered, lambda: sightings(pose), start=3)

    assert events == more == []


def test_hidden_markers_are_reported_and_their_return_too(watch, pose, sightings):
    hidden, events = after_frames(watch, lambda: sightings(pose, ids=(3, 7)))
    back, more = after_frames(hidden, lambda: sightings(pose), start=9)

    assert [(event.kind, event.is_over) for event, _ in events + more] == [(Alarm.HIDDEN, False), (Alarm.HIDDEN, True)]
    assert (hidden.is_trusted, back.is_trusted) == (False, True)


def test_markers_that_contradict_each_other_raise_an_alarm(watch, pose, sightings):
    moved = {3: (30, 0), 7: (0, 25), 12: (-20, 9)}

    later, events = after_frames(watch, lambda: sightings(pose, moved=moved))

    assert [event.kind for event, _ in events] == [Alarm.MARKERS_DISAGREE]
    assert not later.is_trusted


@pytest.mark.parametrize(
    ("stats", "alarm"),
    [
        (replace(USUAL, sharpness=0.3), Alarm.BLURRED),
        (replace(USUAL, brightness=5.0, sharpness=0.1), Alarm.TOO_DARK),
        (replace(USUAL, brightness=245.0), Alarm.TOO_BRIGHT),
        (replace(USUAL, blown_share=0.6), Alarm.TOO_BRIGHT),
    ],
)
def test_a_picture_that_runs_away_is_reported(watch, pose, sightings, stats, alarm):
    gone, events = after_frames(watch, lambda: sightings(pose), stats=stats)
    back, more = after_frames(gone, lambda: sightings(pose), start=9)

    assert [(event.kind, event.is_over) for event, _ in events + more] == [(alarm, False), (alarm, True)]
    assert events[0][1] < 1.0
    assert back.is_trusted


@pytest.mark.parametrize("stats", [replace(USUAL, brightness=70.0), replace(USUAL, warmth=1.6)])
def test_a_switched_lamp_is_noticed_once_and_becomes_usual(watch, pose, sightings, stats):
    later, events = after_frames(watch, lambda: sightings(pose), count=30, stats=stats)

    assert [event.kind for event, _ in events] == [DriftCorrection.LIGHT_CHANGED]
    assert later.is_trusted
    assert later.stats.sharpness == USUAL.sharpness


def test_numbers_of_a_picture(synthetic, pose):
    gray = synthetic.render(pose, synthetic.LENS, synthetic.TABLE, blur_px=0.6, noise=1.0, seed=0)
    picture = cv2.merge([gray // 2, gray, gray])

    sharp, soft = picture_stats(picture), picture_stats(cv2.GaussianBlur(picture, (0, 0), 2.0))

    assert sharp.warmth == pytest.approx(2.0, rel=0.05)
    assert sharp.brightness == pytest.approx(float(picture.mean()), abs=1)
    assert soft.sharpness < 0.5 * sharp.sharpness
    assert picture_stats(np.full((48, 64, 3), 255, np.uint8)).blown_share == 1.0
    assert picture_stats(np.full((48, 64, 3), 90, np.uint8)).sharpness == 0.0
