"""The simulated tables as cameras. The main process may switch faults or let hands act."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import cached_property

from assistant.table.camera import PointMm
from assistant.table.free_table import FreeTable
from assistant.table.lattice import Cell, Edge
from calibration.arrays import BgrImage
from vision.simulation.faults import Fault
from vision.simulation.free_camera import ModelPlace, VirtualFreeCamera
from vision.simulation.free_sample import free_sample_scene
from vision.simulation.moves import Put
from vision.simulation.reaches import endless_moves
from vision.simulation.sample import SAMPLE, Cast, sample_scene
from vision.simulation.virtual_camera import VirtualCamera


@dataclass(frozen=True)
class VirtualTable:
    """The scene of the simulated camera: the sample game, with moving figures.

    Args:
        size_wh: the pictures' size.
        frames_per_s: pictures a second. Each costs some milliseconds.
        moves_every_s: time between reaches into the table, 0 for none.
        begun_s: the start of the moves on the monotonic clock, so that a reopened camera finds its table unchanged.
        cast: its tiles and figures.
        is_still: whether nothing moves before a request.
    """

    size_wh: tuple[int, int] = (1280, 720)
    frames_per_s: float = 10.0
    moves_every_s: float = 7.0
    begun_s: float = field(default_factory=time.monotonic)
    cast: Cast = SAMPLE
    is_still: bool = False


@dataclass(frozen=True)
class Switch:
    """The request to turn a fault on or off."""

    fault: Fault
    is_on: bool


@dataclass(frozen=True)
class LetMove:
    """The request for hands to start moving the figures, as of a monotonic time."""

    since_s: float


@dataclass(frozen=True)
class PutFigures:
    """The request for hands to put figures in a match's places. Nothing moves by itself afterwards.

    Args:
        puts: for each figure its name, its old spaces and its new ones, none for the box.
        is_everybody: whether unnamed figures are taken off the table.
    """

    puts: tuple[tuple[str, tuple[Cell, ...], tuple[Cell, ...]], ...]
    is_everybody: bool = False


@dataclass(frozen=True)
class SetDoors:
    """The request for doors on exactly these edges, or None for the initial ones."""

    standing: frozenset[Edge] | None


@dataclass
class VirtualOpener:
    """Opens the simulated camera."""

    table: VirtualTable
    identity: str = "virtual"

    def ask(self, request: object) -> None:
        """Turn a fault on or off, start the moves of figures, or place figures or doors."""
        if isinstance(request, Switch):
            self._camera.switch(request.fault, on=request.is_on)
        elif isinstance(request, LetMove):
            self._camera.let_move(request.since_s)
        elif isinstance(request, PutFigures):
            self._camera.put([Put(*each) for each in request.puts], is_everybody=request.is_everybody)
        elif isinstance(request, SetDoors):
            self._camera.set_doors(request.standing)

    def open(self) -> VirtualDevice:
        """Return the camera over the same table as before. It detects its own unplugging."""
        return VirtualDevice(self._camera, 1 / self.table.frames_per_s, time.monotonic())

    @cached_property
    def _camera(self) -> VirtualCamera:
        scene, table = sample_scene(self.table.cast), self.table
        moves = endless_moves(scene, scene.seed, every_s=table.moves_every_s) if table.moves_every_s else None
        return VirtualCamera(
            scene, time.monotonic, moves=moves, size_wh=table.size_wh, begun_s=table.begun_s, is_still=table.is_still
        )


@dataclass
class VirtualDevice:
    """The open simulated camera: a picture at every beat."""

    camera: VirtualCamera | VirtualFreeCamera
    every_s: float
    due_s: float

    def read(self) -> BgrImage:
        time.sleep(max(0.0, self.due_s - time.monotonic()))
        self.due_s = max(self.due_s + self.every_s, time.monotonic())
        return self.camera.frame()

    def close(self) -> None:
        """Do nothing: the table stays for the next opening."""


@dataclass(frozen=True)
class VirtualFreeTable:
    """The scene of the simulated camera: a table without a grid, with every model of its box on it.

    Args:
        table: the table with the initial places of the models.
        size_wh: the pictures' size. Smaller ones do not locate bases to a millimetre.
        frames_per_s: pictures a second. Nobody watches them as a film.
    """

    table: FreeTable
    size_wh: tuple[int, int] = (1600, 900)
    frames_per_s: float = 4.0


@dataclass(frozen=True)
class PutModels:
    """The request for hands to place models. Unnamed models go into the box.

    ``places`` hold the name, the middle of the base (mm), its height, and the facing (degrees).
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

    def ask(self, request: object) -> None:
        """Let hands place models."""
        if isinstance(request, PutModels):
            self._camera.put([ModelPlace(*place) for place in request.places])

    def open(self) -> VirtualDevice:
        """Return the camera over the same table as before."""
        return VirtualDevice(self._camera, 1 / self.table.frames_per_s, time.monotonic())
