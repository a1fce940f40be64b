"""Figures and doors of the simulated table put where a match has them: moved, taken off into the box, brought out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from assistant.table.lattice import Cell, Edge
from vision.simulation.scene import PlacedDoor, PlacedFigure, Scene, on_table


@dataclass(frozen=True)
class Put:
    """One figure goes somewhere.

    A match knows a figure by where it stands rather than by which of two alike it is, so that ``start`` comes before
    the name.

    Args:
        figure: its name.
        start: the spaces on which it stands; none for one that may stand anywhere, or in the box.
        end: the spaces on which it shall stand; none for the box.
    """

    figure: str
    start: tuple[Cell, ...]
    end: tuple[Cell, ...]


def put_figures(
    scene: Scene, box: Mapping[str, PlacedFigure], puts: Iterable[Put], *, is_everybody: bool = False
) -> Scene:
    """The scene with the figures where they are put; whom the table has no room for stays in the box.

    Args:
        scene: the table before.
        box: every figure of the game by its name, as it stood the last time.
        puts: who goes where.
        is_everybody: whether whoever is not named goes into the box.
    """
    meant = [(_meant(scene, put), put) for put in puts]
    gone = {name for name, _ in meant}
    staying = [placed for placed in scene.figures if not is_everybody and placed.figure.id not in gone]
    for name, put in meant:
        taken = {cell for placed in staying for cell in placed.cells}
        if name in box and put.end and scene.cells.issuperset(put.end) and not taken.intersection(put.end):
            staying.append(_standing(scene, box[name], put.end))
    return replace(scene, figures=tuple(staying))


def set_doors(scene: Scene, box: Iterable[PlacedDoor], standing: Iterable[Edge]) -> Scene:
    """The scene with doors on just these edges; a door that stands there already is not touched.

    Args:
        scene: the table before.
        box: doors that may be put back as they stood.
        standing: where doors shall stand; edges beside the board are left out.
    """
    known = {door.edge: door for door in (*box, *scene.doors)}
    wanted = {edge for edge in standing if scene.cells.issuperset(edge.cells)}
    others = [_standing_door(scene, edge) for edge in sorted(wanted - known.keys())]
    return replace(scene, doors=(*(door for edge, door in known.items() if edge in wanted), *others))


def _standing_door(scene: Scene, edge: Edge) -> PlacedDoor:
    (x0, y0), (x1, y1) = on_table(scene.grid, np.array([edge.start, edge.end], float)).tolist()
    return PlacedDoor(f"door-{edge.start}-{edge.end}", edge, (x0, y0), (x1, y1))


def _meant(scene: Scene, put: Put) -> str:
    """The name of the figure that is meant: whoever of its kind stands there."""
    start, kind = tuple(sorted(put.start)), put.figure.rpartition("-")[0]
    there = (placed.figure for placed in scene.figures if tuple(sorted(placed.cells)) == start)
    return next((figure.id for figure in there if figure.kind == kind), put.figure)


def _standing(scene: Scene, placed: PlacedFigure, cells: tuple[Cell, ...]) -> PlacedFigure:
    x, y = on_table(scene.grid, np.mean(np.array(cells, float) + 0.5, axis=0)[None])[0].tolist()
    return replace(placed, cells=tuple(sorted(cells)), center_mm=(x, y))
