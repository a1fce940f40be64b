"""What players do, made from a seed: one figure walks, two are moved in one reach, two swap places, one is put back."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from assistant.table.lattice import Cell, edge_between
from vision.simulation.arrays import Generator
from vision.simulation.game_setup import MAX_OFFSET_MM, has_room
from vision.simulation.moves import ScriptedMove
from vision.simulation.scene import PlacedFigure, Scene

PUT_BACK_SHARE, TWO_SHARE, SWAP_SHARE = 0.1, 0.12, 0.08
"""How many reaches put a figure back where it stood, move two figures, and let two swap places; the rest move one."""

MOVE_S = 3.0
"""A hand comes, carries and goes in this time."""


def endless_moves(scene: Scene, seed: int, *, first_s: float = 4.0, every_s: float = 7.0) -> Iterator[ScriptedMove]:
    """Small figures being moved about for ever, a few cells at a time; a walk never crosses a wall or a figure.

    Args:
        scene: the table at the beginning.
        seed: where chance comes from; the same seed gives the same moves.
        first_s: when the first hand comes.
        every_s: from one reach to the next, if the reach takes no longer than usual.
    """
    rng = np.random.default_rng(seed)
    now, start_s = scene, first_s
    while any(len(placed.cells) == 1 for placed in now.figures):
        moves = _reach(rng, now, start_s)
        yield from moves
        for move in moves:
            now = move.done_on(now)
        start_s = (moves[-1].end_s if moves else start_s + MOVE_S) + every_s - MOVE_S


def _reach(rng: Generator, scene: Scene, start_s: float) -> list[ScriptedMove]:
    """The moves of one reach: none if the figure that was chosen cannot go anywhere."""
    walkers = [placed for placed in scene.figures if len(placed.cells) == 1]
    order = [walkers[int(i)] for i in rng.permutation(len(walkers))]
    chance = rng.random()
    if chance < PUT_BACK_SHARE:
        return _linked(rng, scene, start_s, [(order[0], order[0].cells[0])])
    if chance < PUT_BACK_SHARE + SWAP_SHARE and len(order) > 1:
        free = sorted(scene.cells.difference(*(placed.cells for placed in scene.figures)))
        if free:
            first, second = order[0], _lookalike(order)
            aside = min(free, key=lambda c: math.dist(c, first.cells[0]))
            return _linked(rng, scene, start_s, [(first, aside), (second, first.cells[0]), (first, second.cells[0])])
    movers = order[: 2 if chance > 1 - TWO_SHARE else 1]
    steps, now = [], scene
    for placed in movers:
        path = _walk(rng, now, placed)
        if path:
            steps.append((placed, path[-1]))
            now = now.with_figure_moved(placed.figure.id, (path[-1],), yaw_deg=placed.yaw_deg)
    return _linked(rng, scene, start_s, steps)


def _lookalike(order: Sequence[PlacedFigure]) -> PlacedFigure:
    """A figure of the same kind as the first one, if one is there: the hardest swap to see."""
    return next((p for p in order[1:] if p.figure.kind == order[0].figure.kind), order[1])


def _linked(
    rng: Generator, scene: Scene, start_s: float, steps: Sequence[tuple[PlacedFigure, Cell]]
) -> list[ScriptedMove]:
    """Moves in one reach, each put down a little off the middle; the hand goes from figure to figure."""
    moves: list[ScriptedMove] = []
    now = scene
    for index, (placed, cell) in enumerate(steps):
        x, y = (np.array(cell) - now.placed(placed.figure.id).cells[0]).tolist()
        yaw = math.degrees(math.atan2(y, x)) + scene.grid.angle_deg if x or y else placed.yaw_deg
        hand_from = now.placed(moves[-1].figure_id).center_mm if moves else None
        plan = ScriptedMove(placed.figure.id, (cell,), start_s, MOVE_S, yaw, hand_from_mm=hand_from)
        moves.append(_carelessly(rng, now, replace(plan, hand_stays=index < len(steps) - 1)))
        now = moves[-1].done_on(now)
        start_s = moves[-1].end_s
    return moves


def _carelessly(rng: Generator, scene: Scene, move: ScriptedMove) -> ScriptedMove:
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
    barred = {door.edge for door in scene.doors} | scene.edges.keys()
    path: list[Cell] = []
    cell = placed.cells[0]
    for _ in range(int(rng.integers(1, 5))):
        x, y = cell
        beside = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        free = [c for c in beside if c in scene.cells - taken and edge_between(cell, c) not in barred]
        if not free:
            break
        cell = free[int(rng.integers(len(free)))]
        path.append(cell)
    return [] if path and path[-1] == placed.cells[0] else path
