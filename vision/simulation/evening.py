"""Effects of play on a table: things on the board, chipped rims, leaning and fallen figures, and a phone's picture."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np
from jaxtyping import Float

from assistant.table.camera import PointMm
from assistant.table.lattice import Cell
from assistant.table.observation import lattice_from_table
from calibration.arrays import Numbers
from calibration.color import light_from_hex
from vision.simulation.arrays import Generator
from vision.simulation.compose import random_scene
from vision.simulation.meshes import Color, clip_color
from vision.simulation.scene import Bucket, CameraLook, Clutter, PlacedFigure, Scene, on_table

THING_SHARES: Mapping[str, float] = {
    "die": 0.1,
    "spotted dice": 0.1,
    "polyhedron": 0.1,
    "shard": 0.06,
    "gem": 0.06,
    "beads": 0.06,
    "token": 0.05,
    "counter": 0.07,
    "cardboard": 0.08,
    "portrait": 0.08,
    "chip": 0.05,
    "coin": 0.05,
    "cap": 0.03,
    "cube": 0.03,
    "pieces": 0.04,
    "meeple": 0.02,
    "key": 0.02,
}
"""Share of each kind of thing on a cell."""

_IN_A_RINGS_COLOR, _ROUND_IN_A_RINGS_COLOR = 0.35, 0.7
"""Shares of things, and of round flat things, in the colour of one of the box's rims, since they often have a side's
colour."""

_ROUND = frozenset({"counter", "chip", "cap", "portrait"})

_CARD_SHARE, _PEN_SHARE, _PHONE_SHARE = 0.4, 0.3, 0.6
_MOST_THINGS = 6
_CHIPPED_SHARE, _MOST_CHIPPED = 0.4, 0.5
_FALLEN_SHARE, _FALLS_TO_TRY = 0.06, 12
_LEANING_SHARE, _LEAST_LEAN, _MOST_LEAN = 0.2, 0.05, 0.16
"""Share of leaning figures, and their lean as a share of their height, 3 to 9 degrees."""


def evening_scene(seed: int, bucket: Bucket, *, name: str | None = None) -> Scene:
    """Return the scene of a seed and bucket with the clutter of play. The same seed gives the same scene."""
    rng = np.random.default_rng([seed, 83])
    scene = random_scene(seed, bucket, name=name)
    looks = {
        kind: look._replace(chipped=float(rng.uniform(0.1, _MOST_CHIPPED))) if rng.random() < _CHIPPED_SHARE else look
        for kind, look in scene.looks.items()
    }
    figures = [
        replace(placed, leaning=_lean(rng)) if rng.random() < _LEANING_SHARE else placed for placed in scene.figures
    ]
    on_board = things_on_cells(rng, scene, int(rng.integers(2, _MOST_THINGS + 1)))
    across = _across_the_edge(rng, scene)
    camera = _phone(rng, scene.camera) if rng.random() < _PHONE_SHARE else scene.camera
    busy = replace(scene, looks=looks, figures=tuple(figures), clutter=on_board, camera=camera)
    tipped = tip_over(np.random.default_rng([seed, 89]), busy, _FALLEN_SHARE)
    return replace(tipped, clutter=(*scene.clutter, *on_board, *across))


def things_on_cells(rng: Generator, scene: Scene, count: int) -> tuple[Clutter, ...]:
    """Return up to that many things, each on its own empty cell."""
    free, things = _free_cells(scene), list[Clutter]()
    rings = [figure.ring for figure in scene.roster.figures if figure.ring]
    for cell in [free[int(i)] for i in rng.permutation(len(free))[:count]]:
        x, y = on_table(scene.grid, np.array([cell]) + rng.uniform(0.35, 0.65, 2))[0].tolist()
        kind = str(rng.choice(list(THING_SHARES), p=list(THING_SHARES.values())))
        share = _ROUND_IN_A_RINGS_COLOR if kind in _ROUND else _IN_A_RINGS_COLOR
        is_ring_colored = bool(rings) and rng.random() < share
        color = painted_as(rng, rings[int(rng.integers(len(rings)))]) if is_ring_colored else None
        things.append(Clutter(kind, (x, y), float(rng.uniform(0, 360)), int(rng.integers(2**31)), True, color))
    return tuple(things)


def _free_cells(scene: Scene) -> list[Cell]:
    taken = {cell for placed in scene.figures for cell in placed.cells}
    return sorted(scene.cells - taken - {cell for door in scene.doors for cell in door.edge.cells})


def painted_as(rng: Generator, ring: str) -> Color:
    """Return the colour of a thing painted like that rim, slightly brighter or darker."""
    return clip_color(np.array(light_from_hex(ring)) * rng.uniform(0.7, 1.3), 0.003, 0.92)


def _across_the_edge(rng: Generator, scene: Scene) -> list[Clutter]:
    """Return a card or a pen half on the board, clear of everything standing."""
    free = _free_cells(scene)
    edge = [cell for cell in free if any(n not in scene.cells for n in _beside(cell))]
    things = []
    for kind, share in (("card", _CARD_SHARE), ("pen", _PEN_SHARE)):
        if edge and rng.random() < share:
            place = on_table(scene.grid, np.array([edge[int(rng.integers(len(edge)))]]) + 0.5)[0]
            out = place - on_table(scene.grid, np.array(sorted(scene.cells)) + 0.5).mean(0)
            x, y = (place + out / max(float(np.linalg.norm(out)), 1e-6) * 38).tolist()
            if _is_clear((x, y), scene):
                things.append(Clutter(kind, (x, y), float(rng.uniform(0, 360)), int(rng.integers(2**31)), True))
    return things


def _beside(cell: Cell) -> list[Cell]:
    column, row = cell
    return [(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)]


def _is_clear(place_mm: PointMm, scene: Scene) -> bool:
    """Return whether a card or a pen there touches no base, door or marker."""
    middles = [np.array(placed.center_mm) for placed in scene.figures]
    middles += [(np.array(door.from_mm) + door.to_mm) / 2 for door in scene.doors]
    middles += [np.mean(marker.corners_mm, 0) for marker in scene.markers.markers]
    return all(float(np.linalg.norm(middle - place_mm)) > 95 for middle in middles)


def tip_over(rng: Generator, scene: Scene, share: float) -> Scene:
    """Return the scene with about that share of its figures of one cell fallen, clear of all that stands or lies."""
    fallen: list[PlacedFigure] = []
    for placed in scene.figures:
        if len(placed.cells) > 1 or rng.random() >= share:
            continue
        for yaw_deg in rng.uniform(0, 360, _FALLS_TO_TRY).tolist():
            lying = replace(placed, yaw_deg=yaw_deg, leaning=(0.0, 0.0))
            if _is_free_of_others(lying, scene, fallen):
                fallen.append(lying)
                break
    gone = {one.figure for one in fallen}
    upright = tuple(placed for placed in scene.figures if placed.figure not in gone)
    return replace(scene, figures=upright, fallen=tuple(fallen))


def _is_free_of_others(lying: PlacedFigure, scene: Scene, fallen: Iterable[PlacedFigure]) -> bool:
    """Return whether a fallen figure lies wholly on the board and touches nothing that stands or lies there."""
    figure, start = lying.figure, np.array(lying.center_mm)
    turn = np.radians(lying.yaw_deg)
    way = np.array([np.cos(turn), np.sin(turn)])
    middles = [start + way * step for step in np.arange(0.0, figure.height_mm + figure.base_mm / 2, 4.0)]
    others = [(np.array(p.center_mm), max(p.figure.base_size_mm) / 2) for p in scene.figures if p.figure != figure]
    others += [(np.array(p.center_mm), p.figure.height_mm) for p in fallen]
    others += [((np.array(door.from_mm) + door.to_mm) / 2, scene.grid.cell_mm / 2) for door in scene.doors]
    others += [(np.array(thing.center_mm), scene.grid.cell_mm / 2) for thing in scene.clutter]
    is_on_board = all(lattice_cell(scene, middle) in scene.cells for middle in middles)
    return is_on_board and all(
        float(np.linalg.norm(middle - place)) > reach + figure.base_mm / 2
        for middle in middles
        for place, reach in others
    )


def lattice_cell(scene: Scene, place_mm: Float[Numbers, " 2"]) -> Cell:
    """Return the cell of a place on the table."""
    x, y = lattice_from_table(scene.grid, (float(place_mm[0]), float(place_mm[1])))
    return math.floor(x), math.floor(y)


def _lean(rng: Generator) -> PointMm:
    angle, by = rng.uniform(0, 2 * np.pi), rng.uniform(_LEAST_LEAN, _MOST_LEAN)
    return float(np.cos(angle) * by), float(np.sin(angle) * by)


def _phone(rng: Generator, look: CameraLook) -> CameraLook:
    """Return a phone's look: sharpened, clipped, off in its white balance, and hard compressed."""
    warm = rng.normal(0, 0.07)
    return replace(
        look,
        white_balance_bgr=(float(1 - warm), float(1 + rng.normal(0, 0.03)), float(1 + warm)),
        sharpening=float(rng.uniform(0.4, 1.0)),
        overexposure=float(rng.uniform(1.0, 1.25)),
        jpeg_quality=int(rng.integers(60, 85)),
    )
