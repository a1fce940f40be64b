"""Fit the weights of several photos of one table, on simulated tables from three sides.

The log odds of one photo are calibrated. Those of two are added with weights (``views.weights``). The prior is counted.
The share of errors common to photos from any side is fitted by maximum likelihood over all pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from scipy.optimize import minimize_scalar

from assistant.table.lattice import Cell, list_inner_edges
from assistant.table.roster import Roster
from calibration.arrays import Numbers
from vision.evidence.bases import shapes_of, stands
from vision.learned import log_odds_of
from vision.scene.occupants import judge_places
from vision.simulation.arrays import Generator
from vision.simulation.camera_view import Around, RenderCamera
from vision.simulation.compose import sees_board
from vision.simulation.scene import Scene, board_corners, on_table
from vision.training.samples import board_of, table_of
from vision.views.occupants import SeenPlaces, door_odds, sides_of, somebody_odds
from vision.views.weights import ViewWeights

_STEP_BACK = 1.05
"""Growth of the distance until the whole board is in the picture."""


def from_another_side(scene: Scene, turn_deg: float, rng: Generator) -> Scene:
    """Carry the camera round the board, with a slightly different tilt.

    Args:
        scene: the first view of the table.
        turn_deg: turn of the camera round the board.
        rng: random numbers of the small differences.
    """
    tilt, azimuth, _, distance = scene.around
    tilt = float(np.clip(tilt + rng.normal(0, 6), 0, 55))
    middle = on_table(scene.grid, np.array(sorted(scene.cells)) + 0.5).mean(axis=0) + rng.normal(0, 10, 2)
    x, y = (float(v) for v in middle)
    roll = float(rng.uniform(-6, 6))
    corners = board_corners(scene.grid, scene.cells)
    while True:
        around = Around(distance, tilt, (azimuth + turn_deg) % 360, roll)
        view = RenderCamera.looking_at(scene.view.lens, (x, y), around)
        if sees_board(view, corners, scene.markers):
            return replace(scene, view=view, around=(tilt, around.azimuth_deg, roll, distance))
        distance *= _STEP_BACK


_NEAR_DEG, _FAR_DEG = (3.0, 12.0, 30.0, 60.0), (70.0, 290.0)
"""Turns of another photo from nearly the same side, and of one from another side."""

_MOST_SHARED = 0.95
_LEAST_SHARED = {"doors": 0.0, "figures": 0.8}
"""Least share of common errors. Simulated bases mislead each side differently. On six ray-traced pairs both sides took
large bases for small ones: 0.8 to 0.95 was best there, cost little on simulated ones, and halved confident errors."""


class ViewSample(NamedTuple):
    """Log odds of two photos for one place, directions of the cameras, and the truth."""

    log_odds: tuple[float, ...]
    sides: Float[Numbers, "2 3"]
    stood: bool


class ViewSamples(NamedTuple):
    """Samples of doors or figures, with the counts of occupied and of possible places."""

    pairs: list[ViewSample]
    standing: int
    places: int


def view_samples(seed: int) -> Mapping[str, ViewSamples]:
    """Compare three photos of one simulated table in pairs, for ``doors`` and ``figures``."""
    scene, board = table_of(seed, crowded=False)
    rng = np.random.default_rng([seed, 91])
    turns = float(rng.choice(_NEAR_DEG)), float(rng.uniform(*_FAR_DEG))
    boards = [board, *(board_of(from_another_side(scene, turn, rng), seed, rng) for turn in turns)]
    seen = [SeenPlaces(one, judge_places(one, scene.roster)) for one in boards]
    edges = list_inner_edges(board.cells)
    doors = {door.edge for door in scene.doors}
    figures = {tuple(sorted(placed.cells)) for placed in scene.figures}
    of_doors: list[ViewSample] = []
    of_figures: list[ViewSample] = []
    for pair in combinations(seen, 2):
        sides = sides_of([one.board for one in pair])
        of_doors += [ViewSample(tuple(door_odds(pair, edge)), sides, edge in doors) for edge in edges]
        of_figures += [ViewSample(odds, sides, cells in figures) for cells, odds in _disjoint(somebody_odds(pair))]
    return {
        "doors": ViewSamples(of_doors, len(doors), len(edges)),
        "figures": ViewSamples(of_figures, len(figures), _count_stands(scene.roster, board.cells)),
    }


def _disjoint(odds: Mapping[tuple[Cell, ...], Sequence[float]]) -> Iterator[tuple[tuple[Cell, ...], tuple[float, ...]]]:
    """Yield places that share no cell with a likelier one. No other place can be chosen."""
    taken: set[Cell] = set()
    for cells in sorted(odds, key=lambda cells: (-sum(odds[cells]) * len(cells) ** 0.5, cells)):
        if taken.isdisjoint(cells):
            taken |= set(cells) if sum(odds[cells]) > 0 else set()
            yield cells, tuple(odds[cells])


def _count_stands(roster: Roster, cells: frozenset[Cell]) -> int:
    shapes = {shape for figure in roster.figures for shape in shapes_of(figure)}
    return sum(1 for shape in shapes for _ in stands(shape, cells))


def view_weights_document(what: str, samples: Sequence[ViewSamples]) -> Mapping[str, float]:
    """Fit the weights of doors or figures, in the form of ``vision/data/view_weights.json``."""
    prior = log_odds_of(sum(part.standing for part in samples) / sum(part.places for part in samples))
    best = minimize_scalar(
        lambda shared: _loss(ViewWeights(prior, float(shared)), samples),
        bounds=(_LEAST_SHARED[what], _MOST_SHARED),
        method="bounded",
        options={"xatol": 0.01},
    )
    return {"prior": round(prior, 2), "shared": round(float(best.x), 2)}


def _loss(model: ViewWeights, samples: Iterable[ViewSamples]) -> float:
    """Return the negative log likelihood of the truth of all pairs."""
    pairs = [sample for part in samples for sample in part.pairs]
    stood = np.array([sample.stood for sample in pairs])
    joint = np.array([model.joint_log_odds(one.log_odds, model.weights_of(one.sides)) for one in pairs])
    return float(np.logaddexp(0, np.where(stood, -joint, joint)).sum())
