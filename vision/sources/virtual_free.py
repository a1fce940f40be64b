"""The simulated table without a grid as a camera among cameras, with hands that put its models somewhere."""

from __future__ import annotations

import time
from dataclasses import dataclass

from assistant.table.camera import PointMm
from assistant.table.free_table import FreeTable
from vision.simulation.free_camera import ModelPlace, VirtualFreeCamera
from vision.simulation.free_sample import free_sample_scene
from vision.sources.virtual import VirtualDevice


@dataclass(frozen=True)
class VirtualFreeTable:
    """What the simulated camera is to show: a table without a grid, with every model of its box on it.

    Args:
        table: the table; the models stand where they stand there until hands put them elsewhere.
        size_wh: the pictures' size; bases are read to a millimetre from larger ones only.
        frames_per_s: how many pictures a second; nobody watches them as a film.
    """

    table: FreeTable
    size_wh: tuple[int, int] = (1600, 900)
    frames_per_s: float = 4.0


@dataclass(frozen=True)
class PutModels:
    """The wish that hands put models somewhere; who is not named goes into the box.

    Args:
        places: who, where the middle of its base is (mm), how high, and where it looks (degrees).
    """

    places: tuple[tuple[str, PointMm, float, float], ...]


@dataclass
class VirtualFreeOpener:
    """Opens the simulated camera over a table without a grid."""

    table: VirtualFreeTable
    identity: str = "virtual"

    def __post_init__(self) -> None:
        scene = free_sample_scene(self.table.table)
        self._camera = VirtualFreeCamera(scene, time.monotonic, size_wh=self.table.size_wh)

    def ask(self, wish: object) -> None:
        """Has hands put models somewhere."""
        if isinstance(wish, PutModels):
            self._camera.put([ModelPlace(*place) for place in wish.places])

    def open(self) -> VirtualDevice:
        """The camera over the same table as before."""
        return VirtualDevice(self._camera, 1 / self.table.frames_per_s, time.monotonic())
