"""The simulated room while a table is set up: somebody holds up the lens board, and carries the camera about."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace

from calibration.lens_board import LensBoard
from vision.simulation.arrays import Image
from vision.simulation.camera_view import Around, CameraView
from vision.simulation.lens_board import WALK, BoardStage, Held
from vision.simulation.scene import Scene
from vision.simulation.virtual_camera import VirtualCamera

ASIDE = (Around(860.0, 32.0, 150.0), Around(820.0, 38.0, 20.0))
"""From where the camera looks at the markers before it is put up for good."""

LOOKS_HELD = 2
"""A board is held still for so many pictures: the first shows that it is there, the second that it rests."""


class SimulatedRoom:
    """A camera that shows what it would show in each step of the set-up; nothing is rendered before it is asked for.

    Args:
        scene: the table as it stands when all is set up.
        clock: seconds, any zero point.
        size_wh: the pictures' size; a scaled picture of the scene's own camera.
    """

    def __init__(self, scene: Scene, clock: Callable[[], float], *, size_wh: tuple[int, int] = (1280, 720)) -> None:
        self._scene = scene
        self._clock = clock
        self._size_wh = size_wh
        self._boards = BoardStage(LensBoard(), scene.view.lens.scaled_to(*size_wh))
        self._walk = self._held()
        self._cameras: dict[Around | None, VirtualCamera] = {}

    def board(self) -> Image:
        """The next picture of somebody who holds up the lens board."""
        held, seed = next(self._walk)
        return self._boards.photo(held, seed)

    def table(self, place: int) -> Image:
        """The table from the first, second… place to which the camera is carried, the last of which is its own."""
        return self._camera(ASIDE[place]).frame() if place < len(ASIDE) else self.watching()

    def watching(self) -> Image:
        """The table from where the camera watches it for good."""
        return self._camera(None).frame()

    def _held(self) -> Iterator[tuple[Held, int]]:
        seeds = itertools.count()
        for held in itertools.cycle(WALK):
            for _ in range(LOOKS_HELD):
                yield held, next(seeds)

    def _camera(self, around: Around | None) -> VirtualCamera:
        if around not in self._cameras:
            scene = self._scene
            if around is not None:
                x, y = scene.lighting.target_mm
                scene = replace(scene, view=CameraView.looking_at(scene.view.lens, (x, y + 4), around))
            self._cameras[around] = VirtualCamera(scene, self._clock, size_wh=self._size_wh)
        return self._cameras[around]
