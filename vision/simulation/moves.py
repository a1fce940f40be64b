"""Move figures and doors of the simulated table, by a visible hand over time or from one frame to the next."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from assistant.table.camera import PointMm
from assistant.table.lattice import Cell, Edge
from vision.simulation.scene import PlacedDoor, PlacedFigure, Scene, on_table

REACH_SHARE, CARRY_SHARE = 0.3, 0.4
"""Shares of a move's time: the hand comes, then the figure travels, and for the rest the hand goes."""

LIFT_MM = 28.0
HAND_AWAY_MM = 520.0


@dataclass(frozen=True)
class ScriptedMove:
    """A move of a figure to other cells: its start, its duration, and whether a hand is visible.

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
        return self.start_s + self.duration_s

    @property
    def put_down_s(self) -> float:
        """The time when the figure stands in its new place."""
        return self.start_s + (REACH_SHARE + CARRY_SHARE) * self.duration_s

    def done_on(self, scene: Scene) -> Scene:
        """Return the scene after the move.

        Raises:
            UnknownName: no such figure stands on the board.
            BoardError: it cannot stand there.
        """
        return scene.with_figure_moved(self.figure_id, self.cells, yaw_deg=self.yaw_deg, offset_mm=self.offset_mm)


@dataclass(frozen=True)
class Instant:
    """A moment of a move: the figure's place and height, and the place of the fingertips (None: out of reach)."""

    figure_mm: PointMm
    lifted_mm: float
    hand_mm: tuple[float, float, float] | None


def instant(scene: Scene, move: ScriptedMove, time_s: float, side_mm: PointMm) -> Instant:
    """Place figure and hand at a time during the move.

    Args:
        scene: the table before the move.
        move: the move.
        time_s: the moment.
        side_mm: direction (x, y) from which the hand comes, of any length.
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
    """Return the direction of a player's reach: from the camera's side of the table, slightly from the right."""
    outward = scene.view.center_mm[:2] - np.array(scene.lighting.target_mm)
    if float(np.hypot(*outward)) < 60.0:
        outward = np.array([0.0, 1.0])
    angle = math.atan2(outward[1], outward[0]) - 0.5
    return math.cos(angle), math.sin(angle)


@dataclass(frozen=True)
class Put:
    """The move of one figure to other spaces or into the box.

    A match cannot distinguish two figures of one kind by name. A figure of that kind on ``start`` is moved first.

    Args:
        figure: its name.
        start: its spaces now, empty if unknown or in the box.
        end: its new spaces, empty for the box.
    """

    figure: str
    start: tuple[Cell, ...]
    end: tuple[Cell, ...]


def put_figures(
    scene: Scene, box: Mapping[str, PlacedFigure], puts: Iterable[Put], *, is_everybody: bool = False
) -> Scene:
    """Put figures on the table. Those without room stay in the box.

    Args:
        scene: the table before.
        box: every figure of the game by its name, in its last pose.
        puts: figures and their new spaces.
        is_everybody: whether all other figures go into the box.
    """
    named = [(_identify(scene, put), put) for put in puts]
    gone = {name for name, _ in named}
    staying = [placed for placed in scene.figures if not is_everybody and placed.figure.id not in gone]
    for name, put in named:
        taken = {cell for placed in staying for cell in placed.cells}
        if name in box and put.end and scene.cells.issuperset(put.end) and not taken.intersection(put.end):
            staying.append(_standing(scene, box[name], put.end))
    return replace(scene, figures=tuple(staying))


def set_doors(scene: Scene, box: Iterable[PlacedDoor], standing: Iterable[Edge]) -> Scene:
    """Stand doors on exactly these edges, without touching doors already there.

    Args:
        scene: the table before.
        box: doors to put back in their former poses.
        standing: the edges. Those beside the board are ignored.
    """
    known = {door.edge: door for door in (*box, *scene.doors)}
    wanted = {edge for edge in standing if scene.cells.issuperset(edge.cells)}
    others = [_standing_door(scene, edge) for edge in sorted(wanted - known.keys())]
    return replace(scene, doors=(*(door for edge, door in known.items() if edge in wanted), *others))


def _standing_door(scene: Scene, edge: Edge) -> PlacedDoor:
    (x0, y0), (x1, y1) = on_table(scene.grid, np.array([edge.start, edge.end], float)).tolist()
    return PlacedDoor(f"door-{edge.start}-{edge.end}", edge, (x0, y0), (x1, y1))


def _identify(scene: Scene, put: Put) -> str:
    """Return the name of the figure of this kind on the start, else the given name."""
    start, kind = tuple(sorted(put.start)), put.figure.rpartition("-")[0]
    there = (placed.figure for placed in scene.figures if tuple(sorted(placed.cells)) == start)
    return next((figure.id for figure in there if figure.kind == kind), put.figure)


def _standing(scene: Scene, placed: PlacedFigure, cells: tuple[Cell, ...]) -> PlacedFigure:
    x, y = on_table(scene.grid, np.mean(np.array(cells, float) + 0.5, axis=0)[None])[0].tolist()
    return replace(placed, cells=tuple(sorted(cells)), center_mm=(x, y))
