"""What happens on the simulated table while the camera looks: figures lifted, carried and put down by a hand."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from assistant.table.camera import PointMm
from assistant.table.lattice import Cell, Edge, edge_between
from vision.simulation.arrays import Generator
from vision.simulation.game_setup import MAX_OFFSET_MM, has_room
from vision.simulation.scene import PlacedFigure, Scene, on_table

REACH_SHARE, CARRY_SHARE = 0.3, 0.4
"""Parts of a move's time: the hand comes, the figure travels; the rest of the time the hand goes."""

PUT_BACK_SHARE = 0.1
LIFT_MM = 28.0
HAND_AWAY_MM = 520.0


@dataclass(frozen=True)
class Move:
    """A figure goes to other cells: when it begins, how long it takes, and whether a hand is seen doing it."""

    figure_id: str
    cells: tuple[Cell, ...]
    start_s: float
    duration_s: float = 3.0
    yaw_deg: float = 0.0
    offset_mm: PointMm = (0.0, 0.0)
    with_hand: bool = True

    @property
    def end_s(self) -> float:
        """When the hand is gone again."""
        return self.start_s + self.duration_s

    @property
    def put_down_s(self) -> float:
        """When the figure stands in its new place."""
        return self.start_s + (REACH_SHARE + CARRY_SHARE) * self.duration_s

    def done_on(self, scene: Scene) -> Scene:
        """The scene after the move.

        Raises:
            UnknownName: no such figure stands on the board.
            BoardError: it cannot stand there.
        """
        return scene.with_figure_moved(self.figure_id, self.cells, yaw_deg=self.yaw_deg, offset_mm=self.offset_mm)


@dataclass(frozen=True)
class Instant:
    """A moment of a move: where the figure is, how high, and where the fingertips are (None: out of reach)."""

    figure_mm: PointMm
    lifted_mm: float
    hand_mm: tuple[float, float, float] | None


def instant(scene: Scene, move: Move, time_s: float, side_mm: PointMm) -> Instant:
    """Where everything is at a time during the move, on the scene as it was before.

    Args:
        scene: the table before the move.
        move: what happens.
        time_s: the moment.
        side_mm: a direction (x, y) on the table from where the hand comes, any length.
    """
    placed = scene.placed(move.figure_id)
    share = min(max((time_s - move.start_s) / move.duration_s, 0.0), 1.0)
    start = np.array(placed.center_mm)
    end = on_table(scene.grid, (np.array(move.cells, float) + 0.5).mean(0)[None])[0] + move.offset_mm
    carried = min(max((share - REACH_SHARE) / CARRY_SHARE, 0.0), 1.0)
    smooth = carried * carried * (3 - 2 * carried)
    x, y = (start + (end - start) * smooth).tolist()
    lifted = LIFT_MM * math.sin(math.pi * carried)
    if not move.with_hand:
        return Instant((x, y), lifted, None)
    out = np.array(side_mm) / max(math.hypot(*side_mm), 1e-9)
    absent = max(1 - share / REACH_SHARE, (share - REACH_SHARE - CARRY_SHARE) / (1 - REACH_SHARE - CARRY_SHARE), 0.0)
    hand_x, hand_y = (np.array([x, y]) + out * absent * HAND_AWAY_MM).tolist()
    height = placed.figure.height_mm * 0.8 + lifted + 60 * absent
    return Instant((x, y), lifted, (hand_x, hand_y, height))


def hand_direction(scene: Scene) -> PointMm:
    """From where a player reaches in: from the camera's side of the table, a little from the right."""
    outward = scene.view.center_mm[:2] - np.array(scene.lighting.target_mm)
    if float(np.hypot(*outward)) < 60.0:
        outward = np.array([0.0, 1.0])
    angle = math.atan2(outward[1], outward[0]) - 0.5
    return math.cos(angle), math.sin(angle)


def endless_moves(scene: Scene, seed: int, *, first_s: float = 4.0, every_s: float = 7.0) -> Iterator[Move]:
    """Small figures walking about for ever, a few cells at a time, never through a wall or onto another."""
    rng = np.random.default_rng(seed)
    now = scene
    start_s = first_s
    while True:
        walkers = [placed for placed in now.figures if len(placed.cells) == 1]
        if not walkers:
            return
        placed = walkers[int(rng.integers(len(walkers)))]
        # Now and then somebody lifts a figure and puts it back.
        path = [placed.cells[0]] if rng.random() < PUT_BACK_SHARE else _walk(rng, now, placed)
        if path:
            x, y = (np.array(path[-1]) - placed.cells[0]).tolist()
            yaw = math.degrees(math.atan2(y, x)) + now.grid.angle_deg if x or y else placed.yaw_deg
            move = _carelessly(rng, now, Move(placed.figure.id, (path[-1],), start_s, yaw_deg=yaw))
            now = move.done_on(now)
            yield move
        start_s += every_s


def _carelessly(rng: Generator, scene: Scene, move: Move) -> Move:
    """The move with the figure put down a little off the middle, where that touches nothing."""
    others = [placed for placed in scene.figures if placed.figure.id != move.figure_id]
    for _ in range(6):
        x, y = rng.uniform(-MAX_OFFSET_MM, MAX_OFFSET_MM, 2).tolist()
        trial = replace(move, offset_mm=(x, y))
        if has_room(trial.done_on(scene).placed(move.figure_id), others, scene.grid, [d.edge for d in scene.doors]):
            return trial
    return move


def _walk(rng: Generator, scene: Scene, placed: PlacedFigure) -> Sequence[Cell]:
    """Up to four steps over free cells without crossing a printed line or a door."""
    taken = {cell for other in scene.figures for cell in other.cells}
    doors = {door.edge for door in scene.doors}
    path: list[Cell] = []
    cell = placed.cells[0]
    for _ in range(int(rng.integers(1, 5))):
        x, y = cell
        beside = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        free = [c for c in beside if c in scene.cells - taken and not _is_barred(scene, doors, edge_between(cell, c))]
        if not free:
            break
        cell = free[int(rng.integers(len(free)))]
        path.append(cell)
    return [] if path and path[-1] == placed.cells[0] else path


def _is_barred(scene: Scene, doors: set[Edge], edge: Edge) -> bool:
    return edge in doors or edge in scene.edges
