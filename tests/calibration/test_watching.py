"""The watcher on rendered frames: it follows markers and reports problems within a second of frames."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from assistant.errors import SizeMismatch
from calibration.drift import Alarm, DriftCorrection
from calibration.marker_tracking import MarkerTracker
from calibration.markers import find_markers
from calibration.watching import DriftWatcher

FRAME_S = 0.1
BOARD = np.stack(np.meshgrid(np.linspace(20, 320, 7), np.linspace(0, 220, 5)), -1).reshape(-1, 2)


@pytest.fixture(scope="module")
def pose(synthetic):
    return synthetic.looking_at((165, 120), 800, 25, 10)


@pytest.fixture(scope="module")
def photo(synthetic, pose):
    return synthetic.render(pose, synthetic.LENS, synthetic.TABLE, blur_px=0.6, noise=1.5, seed=1)


@pytest.fixture(scope="module")
def bumped_pose(pose):
    turn = cv2.Rodrigues(np.radians((0.0, 1.0, 0.0)))[0]
    rvec = cv2.Rodrigues(turn @ cv2.Rodrigues(pose.rvec)[0])[0].ravel()
    return replace(pose, rvec=rvec, tvec=turn @ pose.tvec + (5.0, 0.0, 0.0))


def colored(gray):
    return cv2.cvtColor(gray, cv2.COLOR_GRAY2BGR)


def fed(watcher, gray, count=9, start_s=0.0):
    """Return the last verdict on the same picture again and again, and the events with their times since the first."""
    events = []
    for k in range(count):
        verdict = watcher.look(colored(gray), start_s + k * FRAME_S)
        events += [(event, k * FRAME_S) for event in verdict.events]
    return verdict, events


@pytest.fixture
def watcher(synthetic, photo):
    watcher = DriftWatcher(synthetic.TABLE, synthetic.LENS)
    verdict, events = fed(watcher, photo, count=2)
    assert verdict.is_trusted
    assert events == []
    return watcher


def test_followed_markers_have_the_corners_of_found_ones(synthetic, pose, photo):
    tracker = MarkerTracker(synthetic.TABLE, synthetic.LENS)
    tracker.find(photo)
    other = synthetic.render(pose, synthetic.LENS, synthetic.TABLE, blur_px=0.6, noise=1.5, seed=2)

    followed = tracker.find(other)
    found = find_markers(other, synthetic.FAMILY, {s.id for s in followed}, lens=synthetic.LENS)

    assert [s.id for s in followed] == [3, 7, 12, 20, 31]
    for one, again in zip(followed, found, strict=True):
        assert one.corners_px == pytest.approx(again.corners_px, abs=0.03)


def test_a_covered_marker_is_missed_at_once_and_found_again(synthetic, pose, photo):
    tracker = MarkerTracker(synthetic.TABLE, synthetic.LENS)
    tracker.find(photo)
    covered = photo.copy()
    left, top = pose.pixels(synthetic.TABLE.markers[1].corners_mm, synthetic.LENS).min(axis=0).astype(int) - 5
    covered[top : top + 60, left : left + 60] = np.random.default_rng(5).integers(90, 150, (60, 60))

    assert [s.id for s in tracker.find(covered)] == [3, 12, 20, 31]
    after = [len(tracker.find(photo)) for _ in range(6)]
    assert after[0] == 4
    assert after[-1] == 5


def test_a_bumped_camera_is_found_again_within_a_second(synthetic, bumped_pose, watcher):
    after = synthetic.render(bumped_pose, synthetic.LENS, synthetic.TABLE, blur_px=0.6, noise=1.5, seed=3)

    first = watcher.look(colored(after), 0.5)
    verdict, events = fed(watcher, after, start_s=0.6)

    assert not first.is_trusted
    assert verdict.is_trusted
    assert [event.kind for event, _ in events if isinstance(event.kind, DriftCorrection)] == [
        DriftCorrection.CAMERA_MOVED
    ]
    assert max(time_s for _, time_s in events) < 0.9
    on_board = verdict.view.table_from_image(bumped_pose.pixels(BOARD, synthetic.LENS))
    assert np.linalg.norm(on_board - BOARD, axis=1).max() < 0.5


def test_a_lens_zoomed_before_the_watch_began_is_measured_again(synthetic, pose):
    zoomed = synthetic.LENS.zoomed(1.25)
    photo = synthetic.render(pose, zoomed, synthetic.TABLE, blur_px=0.6, noise=1.5, seed=5)

    verdict, events = fed(DriftWatcher(synthetic.TABLE, synthetic.LENS), photo)

    assert [event.kind for event, _ in events] == [DriftCorrection.LENS_CHANGED]
    assert verdict.is_trusted
    assert verdict.calibration.lens == verdict.view.lens
    assert verdict.calibration.lens.matrix[0][0] == pytest.approx(zoomed.matrix[0][0], rel=0.01)


def test_markers_that_contradict_each_other_from_the_start_are_not_called_hidden(synthetic, pose):
    """A table begun after a zoom, with three markers in sight, was called one of covered markers."""
    three = replace(synthetic.TABLE, markers=synthetic.TABLE.markers[:3])
    seen = synthetic.render(pose, synthetic.LENS.zoomed(1.4), three, blur_px=0.6, noise=1.5, seed=5)
    watcher = DriftWatcher(synthetic.TABLE, synthetic.LENS)
    fed(watcher, np.full_like(seen, 90), count=2)

    verdict, events = fed(watcher, seen)

    assert [event.kind for event in verdict.alarms] == [Alarm.MARKERS_DISAGREE]
    assert [(event.kind, event.is_over) for event, _ in events] == [
        (Alarm.HIDDEN, True),
        (Alarm.MARKERS_DISAGREE, False),
    ]


def test_a_moved_marker_is_used_where_it_is(synthetic, pose, watcher):
    markers = [
        replace(m, corners_mm=tuple((x + 9, y - 6) for x, y in m.corners_mm)) if m.id == 7 else m
        for m in synthetic.TABLE.markers
    ]
    moved = replace(synthetic.TABLE, markers=tuple(markers))
    after = synthetic.render(pose, synthetic.LENS, moved, blur_px=0.6, noise=1.5, seed=4)

    verdict, events = fed(watcher, after, start_s=0.5)

    assert [(event.kind, event.values) for event, _ in events] == [(DriftCorrection.MARKER_MOVED, {"id": 7})]
    assert verdict.is_trusted
    place = next(marker for marker in verdict.calibration.markers.markers if marker.id == 7)
    assert np.array(place.corners_mm) == pytest.approx(np.array(markers[1].corners_mm), abs=0.3)


@pytest.mark.parametrize(
    ("spoil", "alarm"),
    [
        (lambda gray: cv2.GaussianBlur(gray, (0, 0), 2.2), Alarm.BLURRED),
        (lambda gray: gray // 30, Alarm.TOO_DARK),
        (lambda gray: np.clip(gray.astype(int) * 3, 0, 255).astype(np.uint8), Alarm.TOO_BRIGHT),
    ],
)
def test_a_picture_that_runs_away_is_reported_and_taken_back(photo, watcher, spoil, alarm):
    gone, events = fed(watcher, spoil(photo), start_s=0.5)
    back, more = fed(watcher, photo, start_s=1.5)

    assert alarm in [event.kind for event, _ in events]
    assert events[0][1] < 1.0
    assert alarm in [event.kind for event in gone.alarms]
    assert not gone.is_trusted
    assert alarm in [event.kind for event, _ in more if event.is_over]
    assert back.alarms == ()
    assert back.is_trusted


def test_a_switched_lamp_is_reported_once(photo, watcher):
    verdict, events = fed(watcher, (photo * 0.7).astype(np.uint8), start_s=0.5)

    assert [event.kind for event, _ in events] == [DriftCorrection.LIGHT_CHANGED]
    assert verdict.is_trusted


def test_without_a_lens_nothing_is_noticed_while_all_is_well(synthetic, photo):
    verdict, events = fed(DriftWatcher(synthetic.TABLE, None), photo)

    assert events == []
    assert verdict.view.lens_is_guessed
    assert verdict.is_trusted


def test_without_a_lens_a_bumped_camera_is_found_again(synthetic, photo, bumped_pose):
    watcher = DriftWatcher(synthetic.TABLE, None)
    fed(watcher, photo, count=2)
    after = synthetic.render(bumped_pose, synthetic.LENS, synthetic.TABLE, blur_px=0.6, noise=1.5, seed=3)

    verdict, events = fed(watcher, after, start_s=0.5)

    assert [event.kind for event, _ in events if isinstance(event.kind, DriftCorrection)] == [
        DriftCorrection.CAMERA_MOVED
    ]
    assert verdict.is_trusted


def test_before_the_first_markers_are_seen_nothing_is_trusted(synthetic, photo):
    watcher = DriftWatcher(synthetic.TABLE, synthetic.LENS)
    before = watcher.look(colored(np.full_like(photo, 90)), 0.0)
    again = watcher.look(colored(np.full_like(photo, 90)), 0.1)
    after = watcher.look(colored(photo), 0.2)

    assert before.view is None
    assert not before.is_trusted
    assert [event.kind for event in before.events] == [Alarm.HIDDEN]
    assert again.events == ()
    assert [event.kind for event in again.alarms] == [Alarm.HIDDEN]
    assert [(event.kind, event.is_over) for event in after.events] == [(Alarm.HIDDEN, True)]
    assert after.is_trusted


def test_frames_of_another_shape_are_refused(synthetic, photo, watcher):
    with pytest.raises(SizeMismatch):
        watcher.look(colored(photo[:, :700]), 1.0)
