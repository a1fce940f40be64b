"""The simulated room during set-up: a person holds up the lens board, and carries the camera about."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from calibration.arrays import BgrImage
from calibration.lens_board import LensBoard
from vision.simulation.camera_view import Around, RenderCamera
from vision.simulation.lens_board import WALK, BoardStage, Held
from vision.simulation.sample import sample_scene
from vision.simulation.scene import Scene
from vision.simulation.virtual_camera import VirtualCamera

ASIDE = Around(840.0, 36.0, 160.0)
"""The camera's viewpoint for the markers before its final mounting."""

LOOKS_HELD = 2
"""Pictures for which a board is held still: the first shows its presence, the second that it rests."""


class SimulatedRoom:
    """A camera with the pictures of each set-up step, rendered on demand. ``scene`` is the table afterwards."""

    def __init__(self, scene: Scene, clock: Callable[[], float], *, size_wh: tuple[int, int] = (1280, 720)) -> None:
        self._scene = scene
        self._clock = clock
        self._size_wh = size_wh
        self._boards = BoardStage(LensBoard(), scene.view.lens.scaled_to(*size_wh))
        self._walk = self._held()
        self._aside: VirtualCamera | None = None
        self._own: VirtualCamera | None = None

    def board(self) -> BgrImage:
        """Return the next picture of a person holding up the lens board."""
        held, seed = next(self._walk)
        return self._boards.photo(held, seed)

    def table_from_aside(self) -> BgrImage:
        """Return the table from another viewpoint than the camera's final one."""
        if self._aside is None:
            x, y = self._scene.lighting.target_mm
            view = RenderCamera.looking_at(self._scene.view.lens, (x, y + 4), ASIDE)
            self._aside = VirtualCamera(replace(self._scene, view=view), self._clock, size_wh=self._size_wh)
        return self._aside.frame()

    def table(self) -> BgrImage:
        """Return the table from the camera's final viewpoint."""
        self._own = self._own or VirtualCamera(self._scene, self._clock, size_wh=self._size_wh)
        return self._own.frame()

    def _held(self) -> Iterator[tuple[Held, int]]:
        seeds = itertools.count()
        for held in itertools.cycle(WALK):
            for _ in range(LOOKS_HELD):
                yield held, next(seeds)


def sample_room() -> SimulatedRoom:
    """Return the sample game's room, by this machine's clock."""
    return SimulatedRoom(sample_scene(), time.monotonic)
