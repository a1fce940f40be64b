"""The virtual camera: figures move, and every fault switch works."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from assistant.errors import CameraLost
from vision.simulation.dataset import frame_truth
from vision.simulation.faults import OTHER_WH, WARM_UP_S, Fault
from vision.simulation.live_table import RenderedTable
from vision.simulation.moves import ScriptedMove, instant
from vision.simulation.reaches import endless_moves
from vision.simulation.sample import sample_scene
from vision.simulation.scene import Scene
from vision.simulation.stage_setup import build_stage, figure_bodies
from vision.simulation.virtual_camera import VirtualCamera, bump_board

SIZE_WH = (640, 360)
Image = NDArray[np.uint8]


class Clock:
    """A clock in seconds that advances only when a test says so."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture(scope="module")
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="module")
def still_camera(clock: Clock) -> VirtualCamera:
    """A camera over a motionless table; every test switches its faults off again."""
    return VirtualCamera(sample_scene(), clock, size_wh=SIZE_WH)


@pytest.fixture
def faulty(still_camera: VirtualCamera, clock: Clock) -> Iterator[Callable[[Fault], VirtualCamera]]:
    """Switches one fault on for the time of a test."""
    switched: list[Fault] = []
    clock.now_s += 1.0
    still_camera.frame()

    def switch(fault: Fault) -> VirtualCamera:
        still_camera.switch(fault, on=True)
        switched.append(fault)
        return still_camera

    yield switch
    for fault in switched:
        still_camera.switch(fault, on=False)


@pytest.fixture(scope="module")
def good(still_camera: VirtualCamera) -> Image:
    return still_camera.frame()


def markers_found(image: Image) -> set[int]:
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11))
    _, ids, _ = detector.detectMarkers(cv2.resize(image, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC))
    return set() if ids is None else {int(i) for i in np.ravel(ids)}


def difference(a: Image, b: Image) -> float:
    return float(np.abs(a.astype(int) - b).mean())


def sharpness(image: Image) -> float:
    return float(cv2.Laplacian(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.CV_32F).var())


def test_a_frame_shows_all_markers_and_only_noise_changes(still_camera: VirtualCamera, good: Image) -> None:
    again = still_camera.frame()
    assert good.shape == (SIZE_WH[1], SIZE_WH[0], 3)
    assert markers_found(good) == {marker.id for marker in sample_scene().markers.markers}
    assert 0.05 < difference(good, again) < 4


def test_unplugged_raises_until_it_is_plugged_in_again(faulty: Callable[[Fault], VirtualCamera], good: Image) -> None:
    camera = faulty(Fault.UNPLUGGED)
    with pytest.raises(CameraLost, match="plug"):
        camera.frame()
    camera.switch(Fault.UNPLUGGED, on=False)
    assert difference(camera.frame(), good) < 4


def test_stalled_sends_the_very_same_picture(faulty: Callable[[Fault], VirtualCamera], clock: Clock) -> None:
    camera = faulty(Fault.STALLED)
    first = camera.frame()
    clock.now_s += 2
    assert np.array_equal(first, camera.frame())


def test_half_a_jpeg_decodes_to_a_full_picture_with_a_dead_lower_half(
    faulty: Callable[[Fault], VirtualCamera], good: Image
) -> None:
    image = faulty(Fault.HALF_JPEG).frame()
    assert image.shape == good.shape
    assert difference(image[:60], good[:60]) < 6
    assert image[-60:].std(axis=1).max() < 2


def test_flipped_bytes_spoil_the_picture_differently_each_time(
    faulty: Callable[[Fault], VirtualCamera], clock: Clock, good: Image
) -> None:
    camera = faulty(Fault.FLIPPED_BYTES)
    spoiled = []
    for _ in range(3):
        clock.now_s += 0.3
        spoiled.append(difference(camera.frame(), good))
    assert max(spoiled) > 4
    assert len(set(spoiled)) == 3


def test_another_resolution_is_what_the_frame_has(faulty: Callable[[Fault], VirtualCamera]) -> None:
    assert faulty(Fault.OTHER_RESOLUTION).frame().shape == (OTHER_WH[1], OTHER_WH[0], 3)


def test_focus_hunts_from_sharp_to_blurred_and_back(faulty: Callable[[Fault], VirtualCamera], clock: Clock) -> None:
    camera = faulty(Fault.FOCUS_HUNTING)
    values = []
    for _ in range(8):
        clock.now_s += 0.27
        values.append(sharpness(camera.frame()))
    assert max(values) > 4 * min(values)


def test_exposure_jumps_between_dark_and_bright(faulty: Callable[[Fault], VirtualCamera], clock: Clock) -> None:
    camera = faulty(Fault.EXPOSURE_JUMPS)
    means = []
    for _ in range(5):
        clock.now_s += 0.8
        means.append(float(camera.frame().mean()))
    assert max(means) > 1.8 * min(means)


def test_banding_darkens_rows_in_waves_that_wander(
    faulty: Callable[[Fault], VirtualCamera], clock: Clock, good: Image
) -> None:
    camera = faulty(Fault.BANDING)
    profiles = []
    for _ in range(2):
        clock.now_s += 0.013
        profiles.append(camera.frame().mean((1, 2)) / good.mean((1, 2)))
    assert np.ptp(profiles[0]) > 0.1
    assert np.abs(profiles[0] - profiles[1]).max() > 0.05


def test_without_the_lamp_the_picture_is_dark(faulty: Callable[[Fault], VirtualCamera], good: Image) -> None:
    assert faulty(Fault.LAMP_OFF).frame().mean() < 0.4 * good.mean()


def test_a_covered_marker_is_the_only_one_that_is_missed(faulty: Callable[[Fault], VirtualCamera], good: Image) -> None:
    image = faulty(Fault.MARKER_COVERED).frame()
    assert markers_found(good) - markers_found(image) == {sample_scene().markers.markers[0].id}


def test_glare_burns_a_spot_into_the_middle(faulty: Callable[[Fault], VirtualCamera], good: Image) -> None:
    image = faulty(Fault.GLARE).frame()
    middle = slice(150, 180), slice(300, 340)
    assert image[middle].mean() > 235
    assert difference(image[:40, :80], good[:40, :80]) < 6


def test_a_bumped_camera_sees_the_markers_elsewhere(faulty: Callable[[Fault], VirtualCamera]) -> None:
    camera = faulty(Fault.CAMERA_BUMPED)
    image = camera.frame()
    marker = np.column_stack([np.array(sample_scene().markers.markers[1].corners_mm), np.zeros(4)])
    moved = camera.view.project(marker)
    before = replace(sample_scene().view, lens=camera.view.lens).project(marker)
    assert np.linalg.norm(moved - before, axis=1).min() > 3
    assert sample_scene().markers.markers[1].id in markers_found(image)


def test_a_bumped_table_moves_the_board_and_not_the_markers(
    faulty: Callable[[Fault], VirtualCamera], good: Image
) -> None:
    camera = faulty(Fault.TABLE_BUMPED)
    assert markers_found(camera.frame()) == markers_found(good)
    before, after = sample_scene(), camera.standing
    assert after.markers == before.markers
    assert after.grid.angle_deg != before.grid.angle_deg
    shift = np.subtract(after.figures[0].center_mm, before.figures[0].center_mm)
    assert 4 < np.hypot(*shift) < 25
    assert after.figures[0].cells == before.figures[0].cells


def test_a_slow_start_sends_nothing_of_use_for_a_while(clock: Clock) -> None:
    camera = VirtualCamera(sample_scene(), clock, size_wh=(320, 180))
    camera.switch(Fault.SLOW_START, on=True)
    assert camera.frame().max() < 30
    clock.now_s += WARM_UP_S + 0.1
    assert camera.frame().mean() > 40


def test_a_move_takes_a_figure_to_its_cell_under_a_hand(clock: Clock) -> None:
    scene = sample_scene()
    move = next(endless_moves(scene, 3, first_s=1.0))
    camera = VirtualCamera(scene, clock, moves=iter([move]), size_wh=(480, 270))
    start_s = clock.now_s
    before = camera.frame()
    clock.now_s = start_s + move.start_s + 0.45 * move.duration_s
    during = camera.frame()
    assert camera.hand is not None
    assert frame_truth(camera)["hand"]
    assert camera.standing.placed(move.figure_id).cells == scene.placed(move.figure_id).cells
    clock.now_s = start_s + move.put_down_s + 0.1
    camera.frame()
    assert camera.standing.placed(move.figure_id).cells == move.cells
    clock.now_s = start_s + move.end_s + 1
    after = camera.frame()
    assert camera.hand is None
    assert camera.scene.placed(move.figure_id).cells == move.cells
    assert difference(before, during) > 3
    changed = (np.abs(before.astype(int) - after).max(-1) > 40).mean()
    assert 0.0005 < changed < 0.05


def test_time_that_jumps_over_several_moves_does_them_all(clock: Clock) -> None:
    scene = sample_scene()
    moves = list(itertools.islice(endless_moves(scene, 4, every_s=4.0), 3))
    camera = VirtualCamera(scene, clock, moves=iter(moves), size_wh=(320, 180))
    camera.frame()
    clock.now_s += moves[-1].end_s + 1
    camera.frame()
    expected = scene
    for move in moves:
        expected = move.done_on(expected)
    assert camera.scene.figures == expected.figures


def test_nothing_moves_on_a_still_table_before_it_is_let(clock: Clock) -> None:
    scene = sample_scene()
    move = next(endless_moves(scene, 3, first_s=1.0))
    camera = VirtualCamera(scene, clock, moves=iter([move]), size_wh=(320, 180), is_still=True)
    camera.frame()
    clock.now_s += 600
    camera.frame()
    assert camera.standing.figures == scene.figures
    camera.let_move(clock.now_s)
    clock.now_s += move.end_s + 1
    camera.frame()
    assert camera.standing.placed(move.figure_id).cells == move.cells


def test_moves_never_end_on_another_figure_and_repeat_with_the_seed() -> None:
    scene = sample_scene()
    first, second = (list(itertools.islice(endless_moves(scene, 5), 12)) for _ in range(2))
    assert first == second
    now = scene
    for move in first:
        now = move.done_on(now)
        assert len(now.board.figures) == len(scene.figures)


def test_some_reaches_move_two_swap_look_alikes_or_put_back() -> None:
    scene = sample_scene()
    moves = list(itertools.islice(endless_moves(scene, 8, every_s=5.0), 120))
    assert any(move.hand_stays for move in moves)
    put_back = swapped = 0
    now = scene
    for move, following in itertools.pairwise(moves):
        before = now.placed(move.figure_id).cells
        put_back += move.cells == before
        swapped += following.cells == before and following.figure_id != move.figure_id
        now = move.done_on(now)
        # A hand that stays continues from its place at once; otherwise there is a pause without a hand.
        assert (following.start_s == move.end_s) == move.hand_stays
        assert (following.hand_from_mm == now.placed(move.figure_id).center_mm) == move.hand_stays
    assert put_back > 2
    assert swapped > 1


def test_a_hand_that_stays_does_not_jump_to_the_next_figure() -> None:
    scene = sample_scene()
    moves = itertools.islice(endless_moves(scene, 8), 200)
    now = scene
    for move, following in itertools.pairwise(moves):
        after = move.done_on(now)
        if move.hand_stays:
            last = instant(now, move, move.end_s, (0.0, 1.0)).hand_mm
            first = instant(after, following, following.start_s, (0.0, 1.0)).hand_mm
            assert last is not None
            assert first is not None
            assert np.hypot(*np.subtract(last, first)[:2]) < 0.01
            return
        now = after
    pytest.fail("no reach moved two figures")


def test_a_figure_is_carried_in_the_air_and_the_hand_comes_and_goes() -> None:
    scene = sample_scene()
    walker = next(p for p in scene.figures if len(p.cells) == 1)
    move = ScriptedMove(walker.figure.id, walker.cells, 0.0, duration_s=10.0)
    moments = [instant(scene, move, t, (0.0, 1.0)) for t in (0.0, 5.0, 10.0)]
    assert moments[0].lifted_mm == pytest.approx(0.0)
    assert moments[1].lifted_mm > 20
    assert moments[2].lifted_mm == pytest.approx(0.0, abs=1e-6)
    assert moments[0].hand_mm is not None
    assert moments[1].hand_mm is not None
    assert moments[0].hand_mm[1] > moments[1].hand_mm[1] + 400
    unseen = instant(scene, replace(move, with_hand=False), 5.0, (0.0, 1.0))
    assert unseen.hand_mm is None


def test_a_layer_taken_away_leaves_the_picture_as_it_was(scene_of: Callable[..., Scene]) -> None:
    scene = scene_of(5, "normal")
    view = replace(scene.view, lens=scene.view.lens.scaled_to(320, 180))
    stage = build_stage(scene)
    bodies = figure_bodies(scene)
    table = RenderedTable(replace(stage, bodies=stage.without(frozenset(b.name for b in bodies))), view)
    table.update()
    empty = table.lamp_light.copy()
    table.show(bodies[0])
    assert table.update()
    assert np.abs(table.lamp_light - empty).max() > 0.01
    table.hide(bodies[0].name)
    table.update()
    assert np.array_equal(table.lamp_light, empty)
    assert table.update() == []


def test_a_bump_keeps_every_figure_on_its_cell_of_the_moved_lattice() -> None:
    scene = bump_board(sample_scene())
    assert scene.board == sample_scene().board
