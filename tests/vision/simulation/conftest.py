"""Small pictures of simulated scenes, rendered once for many tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.simulation.camera_effects import photograph
from vision.simulation.camera_view import Region
from vision.simulation.compose import random_scene
from vision.simulation.render import Renderer
from vision.simulation.scene import Bucket, Scene
from vision.simulation.stage_setup import build_stage

SMALL_WH = (960, 540)
"""Large enough for markers to be found, a quarter of a photo's pixels."""


def shrunk(scene: Scene, size_wh: tuple[int, int] = SMALL_WH) -> Scene:
    """Return the same scene through a camera with fewer pixels, in focus and still."""
    view = replace(scene.view, lens=scene.view.lens.scaled_to(*size_wh))
    look = replace(scene.camera, defocus_px=0.0, motion=None)
    return replace(scene, view=view, camera=look)


def rendered(scene: Scene) -> tuple[Renderer, NDArray[np.uint8]]:
    """Return a scene's renderer and its picture with noise, before compression."""
    renderer = Renderer(build_stage(scene), scene.view)
    lens = scene.view.lens
    light = renderer.picture(Region(0, 0, lens.width_px, lens.height_px, 2))
    return renderer, photograph(light, scene.camera, np.random.default_rng(1))


@pytest.fixture(scope="session")
def scene_of() -> Callable[[int, Bucket], Scene]:
    made: dict[tuple[int, Bucket], Scene] = {}

    def scene(seed: int, bucket: Bucket) -> Scene:
        if (seed, bucket) not in made:
            made[seed, bucket] = random_scene(seed, bucket)
        return made[seed, bucket]

    return scene


@pytest.fixture(scope="session")
def small_scene(scene_of: Callable[[int, Bucket], Scene]) -> Scene:
    """A normal scene, seen through a small camera."""
    return shrunk(scene_of(5, "normal"))


@pytest.fixture(scope="session")
def small_photo(small_scene: Scene) -> tuple[Renderer, NDArray[np.uint8]]:
    return rendered(small_scene)


@pytest.fixture(scope="session")
def hard_scene(scene_of: Callable[[int, Bucket], Scene]) -> Scene:
    """A scene under a hard lamp, seen through a small camera."""
    return shrunk(scene_of(2, "hard"))


@pytest.fixture(scope="session")
def hard_photo(hard_scene: Scene) -> tuple[Renderer, NDArray[np.uint8]]:
    return rendered(hard_scene)


@pytest.fixture(scope="session")
def scorer() -> Path:
    """The scorer beside the project; without it the test is skipped."""
    path = Path(__file__).resolve().parents[4] / "shared" / "scenes" / "score.py"
    if not path.is_file():
        pytest.skip(f"{path} is not there")
    return path
