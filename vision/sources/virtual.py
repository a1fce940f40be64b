"""The simulated table as a camera among cameras, with its faults to be switched from the other side."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from assistant.table.lattice import Cell, Edge
from calibration.arrays import BgrImage
from vision.simulation.faults import Fault
from vision.simulation.puts import Put
from vision.simulation.reaches import endless_moves
from vision.simulation.sample import SAMPLE, Cast, sample_scene
from vision.simulation.virtual_camera import VirtualCamera


@dataclass(frozen=True)
class VirtualTable:
    """What the simulated camera is to show: the sample game, with figures that walk about.

    Args:
        size_wh: the pictures' size.
        frames_per_s: how many pictures a second; each costs the machine some milliseconds.
        moves_every_s: from one reach into the table to the next; 0 leaves everything where it stands.
        begun_s: when the moves began, on the monotonic clock: a camera that is opened again finds its table as it is.
        cast: whose tiles and figures they are.
        is_still: whether nothing moves before somebody lets it.
    """

    size_wh: tuple[int, int] = (1280, 720)
    frames_per_s: float = 10.0
    moves_every_s: float = 7.0
    begun_s: float = field(default_factory=time.monotonic)
    cast: Cast = SAMPLE
    is_still: bool = False


@dataclass(frozen=True)
class Switch:
    """The wish to turn a fault on or off."""

    fault: Fault
    is_on: bool


@dataclass(frozen=True)
class LetMove:
    """The wish that hands begin to move the figures, as of a moment of the monotonic clock."""

    since_s: float


@dataclass(frozen=True)
class PutFigures:
    """The wish that hands put figures where a match has them; nothing moves by itself from then on.

    Args:
        puts: who goes where: his name, the spaces that he leaves and those that he goes to, none for the box.
        is_everybody: whether whoever is not named is taken off the table.
    """

    puts: tuple[tuple[str, tuple[Cell, ...], tuple[Cell, ...]], ...]
    is_everybody: bool = False


@dataclass(frozen=True)
class SetDoors:
    """The wish that doors stand on just these edges, or None for those of the beginning.

    The others are taken off the table, and those that lack are brought.
    """

    standing: frozenset[Edge] | None


@dataclass
class VirtualOpener:
    """Opens the simulated camera."""

    table: VirtualTable
    identity: str = "virtual"

    def ask(self, wish: object) -> None:
        """Turns a fault on or off, lets hands begin to move the figures, or has figures or doors put somewhere."""
        if isinstance(wish, Switch):
            self._camera.switch(wish.fault, on=wish.is_on)
        elif isinstance(wish, LetMove):
            self._camera.let_move(wish.since_s)
        elif isinstance(wish, PutFigures):
            self._camera.put([Put(*each) for each in wish.puts], is_everybody=wish.is_everybody)
        elif isinstance(wish, SetDoors):
            self._camera.set_doors(wish.standing)

    def open(self) -> VirtualDevice:
        """The camera over the same table as before; it finds out by itself that it is unplugged."""
        return VirtualDevice(self._camera, 1 / self.table.frames_per_s, time.monotonic())

    @cached_property
    def _camera(self) -> VirtualCamera:
        scene, table = sample_scene(self.table.cast), self.table
        moves = endless_moves(scene, scene.seed, every_s=table.moves_every_s) if table.moves_every_s else None
        return VirtualCamera(
            scene,
            time.monotonic,
            moves=moves,
            size_wh=table.size_wh,
            begun_s=table.begun_s,
            is_still=table.is_still,
        )


class PaintedCamera(Protocol):
    """What is asked for the picture of this moment."""

    def frame(self) -> BgrImage:
        """The newest picture (H, W, 3).

        Raises:
            CameraLost: the camera is “unplugged”.
        """


@dataclass
class VirtualDevice:
    """The open simulated camera: a picture at every beat."""

    camera: PaintedCamera
    every_s: float
    due_s: float

    def read(self) -> BgrImage:
        """The picture of this moment, when it is due.

        Raises:
            CameraLost: the camera is “unplugged”.
        """
        time.sleep(max(0.0, self.due_s - time.monotonic()))
        self.due_s = max(self.due_s + self.every_s, time.monotonic())
        return self.camera.frame()

    def close(self) -> None:
        """The table stays for the next time."""
