"""A camera with changing picture sizes: a rotated phone, or another program's settings."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.pose import CameraView
from vision.live.gating import FrameGate
from vision.simulation.sample import sample_scene
from vision.tiles.lattice_fit import Lattice


@pytest.fixture(scope="module")
def scene():
    return sample_scene()


@pytest.fixture(scope="module")
def photo(scene):
    """A picture with something to see everywhere."""
    lens = scene.view.lens
    return np.random.default_rng(6).integers(0, 255, (lens.height_px, lens.width_px, 3)).astype(np.uint8)


@pytest.fixture
def gate(scene, photo):
    """Watches some cells at the right of the picture."""
    seen, lens = scene.view, scene.view.lens
    view = CameraView(lens, seen.rotation_vector, seen.translation_mm, 0.1, (1, 2, 3))
    ((x_mm, y_mm),) = view.table_from_image([(0.9 * lens.width_px, 0.7 * lens.height_px)], 2.0).tolist()
    cells = frozenset((column, row) for column in range(3) for row in range(3))
    return FrameGate(view, Lattice((x_mm, y_mm), 0.0, 25.4), cells, 2.0, photo)


@pytest.mark.parametrize("shape", [(480, 640), (1920, 1080), (108, 192), (64, 64), (2160, 3840)])
def test_nothing_is_compared_with_a_picture_of_another_size(gate, photo, shape):
    assert gate.judge(photo).is_still
    other = np.zeros((*shape, 3), np.uint8)
    first, second = gate.judge(other), gate.judge(other)
    assert first.is_upset
    assert second.is_upset
    assert first.hidden == second.hidden
    assert len(first.hidden) > 3
    assert (first.is_still, second.is_still) == (False, True)
    assert gate.likeness(other, [tuple(sorted(first.hidden)[:1])]) == {}


def test_the_first_picture_of_the_old_size_is_no_still_one(gate, photo):
    gate.judge(np.zeros((480, 640, 3), np.uint8))
    back, still = gate.judge(photo), gate.judge(photo)
    assert not back.is_still
    assert still.is_still
    assert not still.is_upset
