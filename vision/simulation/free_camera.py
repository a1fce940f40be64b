"""A camera over a simulated table without a grid, with a hand that moves models."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from queue import SimpleQueue

from assistant.table.camera import PointMm
from calibration.arrays import BgrImage
from vision.simulation import props
from vision.simulation.free_scene import FreeScene, PlacedModel
from vision.simulation.free_stage import build_free_stage, model_body
from vision.simulation.live_table import RenderedTable
from vision.simulation.sensor import Sensor
from vision.simulation.shading import Body
from vision.simulation.virtual_camera import SKIN, SLEEVE

REACH_S = 1.0
"""Time that a hand stays in the picture while it moves models."""

ELBOW_MM = 330.0
NEAR_MM, NEAR_DEG = 1.5, 10.0
"""Smallest correction of a model's place, since readings are no more exact."""

OVER_SHARE = 0.8
"""Height at which fingers hold a model, as a share of its own."""


@dataclass(frozen=True)
class ModelPlace:
    """Requested place, elevation and facing (degrees, x towards y) of a model."""

    figure: str
    center_mm: PointMm
    elevation_mm: float
    facing_deg: float


class VirtualFreeCamera:
    """Frames of a simulated table without a grid, rendered on demand.

    Args:
        scene: the initial table, with every model of its box on it.
        clock: seconds, any zero point.
        size_wh: the picture's size, a scaled version of the scene's own camera.
    """

    def __init__(
        self, scene: FreeScene, clock: Callable[[], float], *, size_wh: tuple[int, int] = (1920, 1080)
    ) -> None:
        self._scene = scene
        self._clock = clock
        self._size_wh = size_wh
        self._standing = {model.figure.id: model for model in scene.figures}
        self._box = dict(self._standing)
        self._requests: SimpleQueue[tuple[ModelPlace, ...]] = SimpleQueue()
        self._reach: tuple[float, tuple[ModelPlace, ...]] | None = None
        self._table: RenderedTable | None = None
        self._sensor = Sensor(scene.camera, scene.seed, size_wh)

    @property
    def standing(self) -> tuple[PlacedModel, ...]:
        """The models on the table in the last frame."""
        return tuple(self._standing.values())

    def put(self, places: Sequence[ModelPlace]) -> None:
        """Let a hand place these models and remove all others. Safe from any thread."""
        self._requests.put(tuple(places))

    def frame(self) -> BgrImage:
        """Return the newest picture (H, W, 3), 8-bit blue-green-red."""
        now_s = self._clock()
        table = self._table or self._fresh_table()
        if self._reach is not None and now_s >= self._reach[0]:
            table.hide("hand")
            self._set_down(table, self._reach[1])
            self._reach = None
        if self._reach is None and not self._requests.empty():
            self._begin_reach(table, self._newest_request(), now_s)
        self._sensor.develop(table, table.update(), frozenset(), now_s)
        return self._sensor.noisy()

    def _newest_request(self) -> tuple[ModelPlace, ...]:
        """Return the newest request. Skipping older ones moves a match of many steps in one reach."""
        newest = self._requests.get()
        while not self._requests.empty():
            newest = self._requests.get()
        return newest

    def _begin_reach(self, table: RenderedTable, places: tuple[ModelPlace, ...], now_s: float) -> None:
        """Start a reach for the first model with another requested place, if any."""
        other = [place for place in places if not self._stands_so(place)]
        gone = self._standing.keys() - {place.figure for place in places}
        reached = next((self._standing[p.figure] for p in other if p.figure in self._standing), None)
        if reached is not None:
            table.show(_hand_over(reached))
        if other or gone:
            self._reach = now_s + REACH_S, places

    def _stands_so(self, place: ModelPlace) -> bool:
        model = self._standing.get(place.figure)
        if model is None or model.elevation_mm != place.elevation_mm:
            return False
        turned_deg = abs((model.turn_deg - place.facing_deg + 180) % 360 - 180)
        return math.dist(model.center_mm, place.center_mm) <= NEAR_MM and turned_deg <= NEAR_DEG

    def _set_down(self, table: RenderedTable, places: Sequence[ModelPlace]) -> None:
        before = self._standing
        self._standing = {
            p.figure: before[p.figure] if self._stands_so(p) else _placed(self._box[p.figure], p)
            for p in places
            if p.figure in self._box
        }
        for name in before.keys() - self._standing.keys():
            table.hide(f"figure:{name}")
        for name, model in self._standing.items():
            if before.get(name) != model:
                table.show(model_body(self._scene, model))

    def _fresh_table(self) -> RenderedTable:
        view = replace(self._scene.view, lens=self._scene.view.lens.scaled_to(*self._size_wh))
        bare = replace(self._scene, figures=())
        table = RenderedTable(build_free_stage(bare), view)
        for model in self._standing.values():
            table.show(model_body(self._scene, model))
        self._table = table
        return table


def _placed(model: PlacedModel, place: ModelPlace) -> PlacedModel:
    return replace(model, center_mm=place.center_mm, elevation_mm=place.elevation_mm, turn_deg=place.facing_deg)


def _hand_over(model: PlacedModel) -> Body:
    """Return a hand from the near side of the table, holding a model."""
    x, y = model.center_mm
    side = math.radians(55.0)
    elbow = (x + ELBOW_MM * math.cos(side), y + ELBOW_MM * math.sin(side))
    tip = (x, y, model.elevation_mm + OVER_SHARE * model.figure.height_mm)
    return Body("hand", props.hand(tip, elbow, SKIN, SLEEVE), None, 0.05, is_coarse=True)
