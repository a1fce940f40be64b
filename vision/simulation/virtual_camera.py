"""A camera over the simulated table, with moving figures, reaching hands and a switch for every fault."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from queue import SimpleQueue

import cv2
import numpy as np

from assistant.errors import CameraLost
from assistant.table.lattice import Cell, Edge
from assistant.table.observation import LatticePose
from assistant.translations.messages import said
from calibration.arrays import BgrImage, Levels
from vision.simulation import faults, props
from vision.simulation.camera_view import RenderCamera
from vision.simulation.faults import Fault
from vision.simulation.live_table import RenderedTable
from vision.simulation.meshes import box
from vision.simulation.moves import Instant, Put, ScriptedMove, hand_direction, instant, put_figures, set_doors
from vision.simulation.scene import PlacedFigure, Scene, rotation
from vision.simulation.sensor import Sensor
from vision.simulation.shading import Body
from vision.simulation.stage_setup import build_stage, door_bodies, figure_bodies, figure_body

SKIN, SLEEVE = (0.16, 0.25, 0.46), (0.16, 0.08, 0.05)
MARKER_MOVE_MM = (11.0, -8.0)

BUMP_MM, BUMP_DEG = (9.0, -6.0), 1.6


class VirtualCamera:
    """Frames of a simulated table at the times of a clock.

    Time only goes forward. Rendering begins with the first frame.

    Args:
        scene: the initial table.
        clock: seconds, any zero point.
        moves: moves in order of time, in seconds after the first frame, possibly endless.
        size_wh: the picture's size, a scaled version of the scene's own camera.
        begun_s: start of the moves on the clock, None for the first frame.
        is_still: whether nothing moves before a call of `let_move`.
    """

    def __init__(
        self,
        scene: Scene,
        clock: Callable[[], float],
        *,
        moves: Iterator[ScriptedMove] | None = None,
        size_wh: tuple[int, int] = (1280, 720),
        begun_s: float | None = None,
        is_still: bool = False,
    ) -> None:
        self.scene = scene
        self._clock = clock
        self._moves = moves or iter(())
        self._next_move: ScriptedMove | None = next(self._moves, None)
        self._box = {placed.figure.id: placed for placed in scene.figures}
        self._puts: SimpleQueue[tuple[Sequence[Put], bool]] = SimpleQueue()
        self._door_box = scene.doors
        self._doors: SimpleQueue[frozenset[Edge]] = SimpleQueue()
        lens = scene.view.lens.scaled_to(*size_wh)
        self._view = replace(scene.view, lens=lens)
        self._faults: set[Fault] = set()
        self._begun_s = begun_s
        self._is_still = is_still
        self._opened_s: float | None = None
        self._table: RenderedTable | None = None
        self._picture = Sensor(scene.camera, scene.seed, size_wh)
        self._last: Levels | None = None
        self._active: ScriptedMove | None = None
        self._hand: Body | None = None
        self._time_s = 0.0

    @property
    def view(self) -> RenderCamera:
        """The true pose and lens of the camera: zoomed, or bumped."""
        if Fault.LENS_ZOOMED in self._faults:
            return replace(self._view, lens=self._view.lens.zoomed(faults.ZOOM))
        if Fault.CAMERA_BUMPED not in self._faults:
            return self._view
        vector = np.array(self._view.rotation_vector) + np.radians((0.7, -0.9, BUMP_DEG))
        x, y, z = self._view.translation_mm
        a, b, c = vector.tolist()
        return RenderCamera(self._view.lens, (a, b, c), (x + BUMP_MM[0], y + BUMP_MM[1], z + 4.0))

    @property
    def hand(self) -> Body | None:
        """The hand in the last frame."""
        return self._hand

    @property
    def standing(self) -> Scene:
        """The table in the last frame. A figure in the air counts at its former place."""
        move = self._active
        return move.done_on(self._shown_scene) if move and self._time_s >= move.put_down_s else self._shown_scene

    def switch(self, fault: Fault, *, on: bool) -> None:
        """Turn a fault on or off."""
        if on == (fault in self._faults):
            return
        (self._faults.add if on else self._faults.discard)(fault)
        if fault in (Fault.CAMERA_BUMPED, Fault.LENS_ZOOMED, Fault.TABLE_BUMPED, Fault.MARKER_MOVED):
            self._table = None
        if fault is Fault.UNPLUGGED and not on:
            self._opened_s = None
        if fault is Fault.MARKER_COVERED and self._table is not None:
            self._cover_marker(self._table)

    def let_move(self, since_s: float) -> None:
        """Start the moves of a still table, as of that clock time."""
        if self._is_still:
            self._begun_s, self._is_still = since_s, False

    def put(self, puts: Sequence[Put], *, is_everybody: bool = False) -> None:
        """Put figures elsewhere before the next frame, and end the scripted moves. Safe from any thread.

        Args:
            puts: figures and their new spaces.
            is_everybody: whether all other figures leave the table.
        """
        self._puts.put((puts, is_everybody))

    def set_doors(self, standing: frozenset[Edge] | None) -> None:
        """Stand doors on exactly these edges (None: the first ones) before the next frame. Safe from any thread."""
        self._doors.put(frozenset(door.edge for door in self._door_box) if standing is None else standing)

    def frame(self) -> BgrImage:
        """Return the newest picture (H, W, 3), 8-bit blue-green-red.

        Raises:
            CameraLost: the camera is unplugged, or its picture cannot be decoded.
        """
        if Fault.UNPLUGGED in self._faults:
            raise CameraLost(said("the simulated camera is unplugged; plug it in again"))
        if Fault.STALLED in self._faults and self._last is not None:
            return self._last.copy()
        now_s = self._clock()
        if self._begun_s is None:
            self._begun_s = now_s
        if self._opened_s is None:
            self._opened_s = now_s
        if Fault.SLOW_START in self._faults and now_s - self._opened_s < faults.WARM_UP_S:
            return faults.warm_up_picture((self._view.lens.height_px, self._view.lens.width_px, 3))
        self._last = self._transmit(self._take(0.0 if self._is_still else now_s - self._begun_s), now_s)
        return self._last.copy()

    def _take(self, time_s: float) -> BgrImage:
        """Return the picture before transmission faults."""
        table = self._advance(time_s)
        changed = table.update()
        self._picture.develop(table, changed, frozenset(self._faults), time_s)
        return self._picture.noisy()

    def _transmit(self, image: BgrImage, now_s: float) -> BgrImage:
        for fault in (Fault.HALF_JPEG, Fault.FLIPPED_BYTES):
            if fault in self._faults:
                image = faults.damage_jpeg(image, fault, now_s)
        if Fault.OTHER_RESOLUTION in self._faults:
            image = np.asarray(cv2.resize(image, faults.OTHER_WH, interpolation=cv2.INTER_AREA), np.uint8)
        return image

    def _advance(self, time_s: float) -> RenderedTable:
        """Update the table to a time: finish past moves, and show the one in progress."""
        table = self._table or self._fresh_table()
        self._time_s = time_s
        while not self._puts.empty():
            self._carry_out(table, *self._puts.get())
        while not self._doors.empty():
            self._set_doors(table, self._doors.get())
        while self._next_move is not None and self._next_move.end_s <= time_s:
            self._finish(table, self._next_move)
            self._next_move = next(self._moves, None)
        move = self._next_move
        if move is not None and move.start_s <= time_s:
            self._active = move
            self._show_instant(table, move, instant(self._shown_scene, move, time_s, hand_direction(self.scene)))
        return table

    def _carry_out(self, table: RenderedTable, puts: Sequence[Put], is_everybody: bool) -> None:
        """Show figures in their new places."""
        before = {placed.figure.id: placed for placed in self.scene.figures}
        scene = put_figures(self.scene, self._box, puts, is_everybody=is_everybody)
        after = {placed.figure.id: placed for placed in scene.figures}
        changed = [name for name in before.keys() | after.keys() if _cells(before, name) != _cells(after, name)]
        if not changed:
            return
        self._moves, self._next_move, self._active, self._hand = iter(()), None, None, None
        table.hide("hand")
        self._box.update(after)
        self.scene = scene
        shown = {placed.figure.id: placed for placed in self._shown_scene.figures}
        for name in changed:
            table.hide(f"figure:{name}")
            if name in shown:
                table.show(figure_body(self._shown_scene, shown[name]))

    def _set_doors(self, table: RenderedTable, standing: frozenset[Edge]) -> None:
        """Remove and add doors that changed."""
        before = {body.name for body in door_bodies(self._shown_scene)}
        self.scene = set_doors(self.scene, self._door_box, standing)
        after = {body.name: body for body in door_bodies(self._shown_scene)}
        for name in before - after.keys():
            table.hide(name)
        for name in after.keys() - before:
            table.show(after[name])

    def _finish(self, table: RenderedTable, move: ScriptedMove) -> None:
        self.scene = move.done_on(self.scene)
        self._active = self._hand = None
        table.hide("hand")
        table.show(figure_body(self._shown_scene, self._shown_scene.placed(move.figure_id)))

    def _show_instant(self, table: RenderedTable, move: ScriptedMove, moment: Instant) -> None:
        placed = self._shown_scene.placed(move.figure_id)
        table.show(figure_body(self._shown_scene, placed, lifted_mm=moment.lifted_mm, at_mm=moment.figure_mm))
        if moment.hand_mm is not None:
            x, y = hand_direction(self.scene)
            elbow = (moment.hand_mm[0] + 330 * x, moment.hand_mm[1] + 330 * y)
            self._hand = Body("hand", props.hand(moment.hand_mm, elbow, SKIN, SLEEVE), None, 0.05, is_coarse=True)
            table.show(self._hand)

    def _fresh_table(self) -> RenderedTable:
        """Return the table rendered anew, at the beginning or after a bump of camera or board."""
        stage = build_stage(self._shown_scene)
        movable = (*door_bodies(self._shown_scene), *figure_bodies(self._shown_scene))
        table = RenderedTable(replace(stage, bodies=stage.without(frozenset(body.name for body in movable))), self.view)
        for body in movable:
            table.show(body)
        self._table = table
        self._cover_marker(table)
        return table

    def _cover_marker(self, table: RenderedTable) -> None:
        table.hide("cover")
        if Fault.MARKER_COVERED in self._faults:
            x, y = np.mean(self.scene.markers.markers[0].corners_mm, axis=0).tolist()
            table.show(Body("cover", box((x + 8, y + 5, 9), (90, 60, 18), (0.05, 0.12, 0.3))))

    @property
    def _shown_scene(self) -> Scene:
        """Return the scene after a bump of the table or a pushed marker, if that fault is on."""
        scene = push_marker(self.scene) if Fault.MARKER_MOVED in self._faults else self.scene
        return bump_board(scene) if Fault.TABLE_BUMPED in self._faults else scene


def _cells(placed: Mapping[str, PlacedFigure], name: str) -> tuple[Cell, ...]:
    """Return the cells of a figure, none in the box."""
    return placed[name].cells if name in placed else ()


def push_marker(scene: Scene) -> Scene:
    """Push the last marker aside."""
    *others, last = scene.markers.markers
    a, b, c, d = ((x + MARKER_MOVE_MM[0], y + MARKER_MOVE_MM[1]) for x, y in last.corners_mm)
    return replace(scene, markers=replace(scene.markers, markers=(*others, replace(last, corners_mm=(a, b, c, d)))))


def bump_board(scene: Scene) -> Scene:
    """Bump the board: everything on it slides by the same motion."""
    pivot = np.array(scene.lighting.target_mm)
    turn = rotation(BUMP_DEG)

    def slid(point: tuple[float, float]) -> tuple[float, float]:
        x, y = (pivot + turn @ (np.array(point) - pivot) + BUMP_MM).tolist()
        return x, y

    grid = scene.grid
    return replace(
        scene,
        grid=LatticePose(slid(grid.origin_mm), grid.angle_deg + BUMP_DEG, grid.cell_mm),
        doors=tuple(replace(d, from_mm=slid(d.from_mm), to_mm=slid(d.to_mm)) for d in scene.doors),
        figures=tuple(
            replace(
                f, center_mm=slid(f.center_mm), base_turn_deg=f.base_turn_deg + BUMP_DEG, yaw_deg=f.yaw_deg + BUMP_DEG
            )
            for f in scene.figures
        ),
        damage_mm=tuple(slid(place) for place in scene.damage_mm),
    )
