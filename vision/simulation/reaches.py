"""Draw players' reaches from a seed: move one figure or two, swap two, or put one back."""

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
"""Shares of reaches that put a figure back, move two, and swap two. The rest move one."""

MOVE_S = 3.0
"""Time of one move: the hand comes, carries and goes."""


def endless_moves(scene: Scene, seed: int, *, first_s: float = 4.0, every_s: float = 7.0) -> Iterator[ScriptedMove]:
    """Yield endless moves of small figures, a few cells at a time. No walk crosses a wall or a figure.

    Args:
        scene: the table at the beginning.
        seed: seed of the moves.
        first_s: time of the first reach.
        every_s: time from one reach to the next. Longer reaches delay the next.
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
    """Draw the moves of one reach: none if the chosen figure is enclosed."""
    walkers = [placed for placed in scene.figures if len(placed.cells) == 1]
    order = [walkers[int(i)] for i in rng.permutation(len(walkers))]
    chance = rng.random()
    if chance < PUT_BACK_SHARE:
        return _link(rng, scene, start_s, [(order[0], order[0].cells[0])])
    if chance < PUT_BACK_SHARE + SWAP_SHARE and len(order) > 1:
        free = sorted(scene.cells.difference(*(placed.cells for placed in scene.figures)))
        if free:
            first, second = order[0], _lookalike(order)
            aside = min(free, key=lambda c: math.dist(c, first.cells[0]))
            return _link(rng, scene, start_s, [(first, aside), (second, first.cells[0]), (first, second.cells[0])])
    movers = order[: 2 if chance > 1 - TWO_SHARE else 1]
    steps, now = [], scene
    for placed in movers:
        path = _walk(rng, now, placed)
        if path:
            steps.append((placed, path[-1]))
            now = now.with_figure_moved(placed.figure.id, (path[-1],), yaw_deg=placed.yaw_deg)
    return _link(rng, scene, start_s, steps)


def _lookalike(order: Sequence[PlacedFigure]) -> PlacedFigure:
    """Return another figure of the first one's kind, if any: the hardest swap to detect."""
    return next((p for p in order[1:] if p.figure.kind == order[0].figure.kind), order[1])


def _link(
    rng: Generator, scene: Scene, start_s: float, steps: Sequence[tuple[PlacedFigure, Cell]]
) -> list[ScriptedMove]:
    """Join moves into one reach: the hand goes from figure to figure and puts each slightly off the middle."""
    moves: list[ScriptedMove] = []
    now = scene
    for index, (placed, cell) in enumerate(steps):
        x, y = (np.array(cell) - now.placed(placed.figure.id).cells[0]).tolist()
        yaw = math.degrees(math.atan2(y, x)) + scene.grid.angle_deg if x or y else placed.yaw_deg
        hand_from = now.placed(moves[-1].figure_id).center_mm if moves else None
        plan = ScriptedMove(placed.figure.id, (cell,), start_s, MOVE_S, yaw, hand_from_mm=hand_from)
        moves.append(_put_off_centre(rng, now, replace(plan, hand_stays=index < len(steps) - 1)))
        now = moves[-1].done_on(now)
        start_s = moves[-1].end_s
    return moves


def _put_off_centre(rng: Generator, scene: Scene, move: ScriptedMove) -> ScriptedMove:
    """Shift the end of a move slightly off the middle, if the figure then touches nothing."""
    others = [placed for placed in scene.figures if placed.figure.id != move.figure_id]
    for _ in range(6):
        x, y = rng.uniform(-MAX_OFFSET_MM, MAX_OFFSET_MM, 2).tolist()
        trial = replace(move, offset_mm=(x, y))
        if has_room(trial.done_on(scene).placed(move.figure_id), others, scene.grid, [d.edge for d in scene.doors]):
            return trial
    return move


def _walk(rng: Generator, scene: Scene, placed: PlacedFigure) -> Sequence[Cell]:
    """Return up to four steps over free cells without crossing a printed line or a door."""
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
