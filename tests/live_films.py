"""Films of the simulated table: frames rendered once, with what stands there, to be played as often as wanted.

Rendering a frame in which a hand moves costs ten times what reading it does, so whatever is measured about a watched
table is measured on films. A film is a folder: ``frames.bin`` holds the JPEGs one after the other, ``film.json`` what
is known of each. It is made under another name and renamed when it is whole, so that a run that is ended in between
can be gone on with.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import cv2
import msgspec
import numpy as np

from assistant.errors import CameraLost
from assistant.table.lattice import Cell, corners
from calibration.arrays import BgrImage, Numbers
from vision.simulation.faults import Fault
from vision.simulation.moves import ScriptedMove
from vision.simulation.scene import Scene, on_table
from vision.simulation.virtual_camera import VirtualCamera

JPEG_QUALITY = 85
"""The quality of motion JPEG cameras."""

PASSING = (Fault.FOCUS_HUNTING, Fault.LAMP_OFF, Fault.GLARE, Fault.HALF_JPEG, Fault.FLIPPED_BYTES, Fault.EXPOSURE_JUMPS)
"""Faults of the camera without any motion; the others have their own tests."""

FAULT_S = 1.5
FAULTS_PER_S = 0.12
"""Length of a fault, and rate of faults in films with faults."""

Cells = tuple[Cell, ...]


class Shown(msgspec.Struct, frozen=True):
    """Known facts of a frame.

    ``time_s``: when it was taken. ``table``: what stood there. ``is_busy``: whether a hand or a fault was in the
    picture. ``is_reached``: whether a hand was over the board.
    """

    time_s: float
    size_bytes: int
    table: int
    is_busy: bool
    is_reached: bool


class Contents(msgspec.Struct, frozen=True):
    """All that is known of a film: its frames, and the tables that they show, by figure in the scene's lattice."""

    frames: tuple[Shown, ...]
    tables: tuple[dict[str, Cells], ...]


@dataclass(frozen=True)
class Take:
    """The plan of a film.

    Args:
        scene: the table at the beginning.
        moves: what happens on it.
        times_s: when the frames are taken.
        size_wh: their size; None takes that of the scene's camera.
        faults_seed: where the faults of the camera come from; None leaves it without.
    """

    scene: Scene
    moves: Iterable[ScriptedMove]
    times_s: Sequence[float]
    size_wh: tuple[int, int] | None = None
    faults_seed: int | None = None

    def frames(self) -> Iterator[tuple[float, BgrImage, VirtualCamera, Fault | None]]:
        """Yield the frames: time, picture, the camera that took it, and its fault if it has one."""
        lens = self.scene.view.lens
        clock_s = [0.0]
        size_wh = self.size_wh or (lens.width_px, lens.height_px)
        camera = VirtualCamera(self.scene, lambda: clock_s[0], moves=iter(self.moves), size_wh=size_wh, begun_s=0.0)
        faults = _Faults(self.faults_seed)
        for time_s in self.times_s:
            clock_s[0] = time_s
            fault = faults.switched(camera, time_s)
            try:
                image = camera.frame()
            except CameraLost:  # nothing could be decoded of it: no such frame arrives
                continue
            yield time_s, image, camera, fault


@dataclass
class _Faults:
    """The faults that befall a camera by chance."""

    seed: int | None
    first_s: float = 5.0
    _fault: Fault | None = None
    _until_s: float = 0.0
    _last_s: float = 0.0
    _rng: random.Random = field(default_factory=random.Random)

    def __post_init__(self) -> None:
        self._rng.seed(self.seed)

    def switched(self, camera: VirtualCamera, time_s: float) -> Fault | None:
        """Return the fault that is on at a time, switched on the camera."""
        passed_s, self._last_s = time_s - self._last_s, time_s
        if self._fault is not None and time_s >= self._until_s:
            camera.switch(self._fault, on=False)
            self._fault = None
        if self.seed is None or self._fault is not None or time_s < self.first_s:
            return self._fault
        if self._rng.random() < FAULTS_PER_S * passed_s:
            self._fault, self._until_s = self._rng.choice(PASSING), time_s + FAULT_S
            camera.switch(self._fault, on=True)
        return self._fault


@dataclass(frozen=True)
class Film:
    """A film on disk; ``frames`` are decoded one after the other."""

    folder: Path

    @cached_property
    def contents(self) -> Contents:
        """Return the known facts of its frames."""
        return msgspec.json.decode((self.folder / "film.json").read_bytes(), type=Contents)

    def jpegs(self) -> Iterator[tuple[Shown, bytes]]:
        """Yield its frames as they are stored."""
        with (self.folder / "frames.bin").open("rb") as stored:
            for shown in self.contents.frames:
                yield shown, stored.read(shown.size_bytes)

    def frames(self) -> Iterator[tuple[Shown, BgrImage]]:
        """Yield its frames, each decoded when it is asked for."""
        for shown, jpeg in self.jpegs():
            yield shown, decoded(jpeg)


def decoded(jpeg: bytes) -> BgrImage:
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return np.asarray(image, np.uint8)


def hand_over(camera: VirtualCamera, area_px: Numbers) -> bool:
    """Return whether the hand of the last frame covers any of a convex part (N, 2) of the picture."""
    if camera.hand is None:
        return False
    hand_px = camera.view.project(camera.hand.mesh.vertices)
    hull = cv2.convexHull(hand_px.astype(np.float32))
    return float(cv2.intersectConvexConvex(hull, area_px.astype(np.float32))[0]) > 0


def _board_px(camera: VirtualCamera) -> Numbers:
    """Return the outline of the board in the picture, without its hollows."""
    scene = camera.scene
    points = on_table(scene.grid, np.array([p for c in scene.cells for p in corners(c)], float))
    board_px = camera.view.project(np.column_stack([points, np.zeros(len(points))]))
    return np.asarray(cv2.convexHull(board_px.astype(np.float32)))[:, 0]


def film_of(folder: Path, take: Take) -> Film:
    """Return the film in a folder, made if it is not there yet."""
    film = Film(folder)
    if (folder / "film.json").exists():
        return film
    under_way = folder.with_name(folder.name + ".part")
    shutil.rmtree(under_way, ignore_errors=True)
    under_way.mkdir(parents=True)
    shown: list[Shown] = []
    tables: list[dict[str, Cells]] = []
    with (under_way / "frames.bin").open("wb") as stored:
        for time_s, image, camera, fault in take.frames():
            height, width = image.shape[:2]
            picture_px = np.array([[0, 0], [width, 0], [width, height], [0, height]])
            is_busy = fault is not None or hand_over(camera, picture_px)
            table = {placed.figure.id: placed.cells for placed in camera.standing.figures}
            if not tables or tables[-1] != table:
                tables.append(table)
            jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()
            stored.write(jpeg)
            is_reached = hand_over(camera, _board_px(camera))
            shown.append(Shown(time_s, len(jpeg), len(tables) - 1, is_busy, is_reached))
    (under_way / "film.json").write_bytes(msgspec.json.encode(Contents(tuple(shown), tuple(tables))))
    under_way.rename(folder)
    return film
