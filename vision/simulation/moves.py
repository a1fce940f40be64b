"""What happens on the simulated table while the camera looks: figures lifted, carried and put down by a hand."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from assistant.table.camera import PointMm
from assistant.table.lattice import Cell
from vision.simulation.scene import Scene, on_table

REACH_SHARE, CARRY_SHARE = 0.3, 0.4
"""Parts of a move's time: the hand comes, the figure travels; the rest of the time the hand goes."""

LIFT_MM = 28.0
HAND_AWAY_MM = 520.0


@dataclass(frozen=True)
class ScriptedMove:
    """A figure goes to other cells: when it begins, how long it takes, and whether a hand is seen doing it.

    A hand that moves several figures in one reach comes from the last one (``hand_from_mm``) and stays for
    the next one (``hand_stays``).
    """

    figure_id: str
    cells: tuple[Cell, ...]
    start_s: float
    duration_s: float = 3.0
    yaw_deg: float = 0.0
    offset_mm: PointMm = (0.0, 0.0)
    with_hand: bool = True
    hand_from_mm: PointMm | None = None
    hand_stays: bool = False

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


def instant(scene: Scene, move: ScriptedMove, time_s: float, side_mm: PointMm) -> Instant:
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
    coming = max(1 - share / REACH_SHARE, 0.0)
    going = 0.0 if move.hand_stays else max((share - 1) / (1 - REACH_SHARE - CARRY_SHARE) + 1, 0.0)
    hand = np.array([x, y])
    if move.hand_from_mm is not None:
        hand = hand + coming * (np.array(move.hand_from_mm) - hand)
        coming = 0.0
    absent = max(coming, going)
    out = np.array(side_mm) / max(math.hypot(*side_mm), 1e-9)
    hand_x, hand_y = (hand + out * absent * HAND_AWAY_MM).tolist()
    height = placed.figure.height_mm * 0.8 + lifted + 60 * absent
    return Instant((x, y), lifted, (hand_x, hand_y, height))


def hand_direction(scene: Scene) -> PointMm:
    """From where a player reaches in: from the camera's side of the table, a little from the right."""
    outward = scene.view.center_mm[:2] - np.array(scene.lighting.target_mm)
    if float(np.hypot(*outward)) < 60.0:
        outward = np.array([0.0, 1.0])
    angle = math.atan2(outward[1], outward[0]) - 0.5
    return math.cos(angle), math.sin(angle)
