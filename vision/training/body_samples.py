"""Places of boards for the fit of bodies: figures, things and empty cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Float32
from numpy.random import Generator

from calibration.arrays import Flags, Numbers, Singles
from vision.evidence.bodies import body_maps, chance_of_any, likely_places
from vision.evidence.figures import FigureSighting, judge_figures
from vision.evidence.hidden_print import print_maps
from vision.evidence.occupancy import find_occupancy
from vision.evidence.patches import patch_source
from vision.learned import log_odds_of
from vision.training.labelled import KnownBoard

_EMPTY_PLACES = 10

_IMPORTANCE = {"figure": 1.0, "thing": 2.0, "part": 0.3, "empty": 1.0}
"""Cost of a mistake on each kind of place. Things are few, and a part of a large base is a body, too."""

_MISTAKEN = 3.0
"""How much more a mistake costs at a likely place without a figure: there the other evidence is wrong."""


class BodySamples(NamedTuple):
    """Places of boards.

    Args:
        maps: what the network sees, (N, channels, rows, columns).
        stood: whether a figure stood there, (N,).
        importance: the cost of a mistake, (N,).
        stated: log odds of a figure by the other evidence, (N,), nan where it finds nobody.
        leaned_over: the share of the cell, 0 to 1, that bodies on nearby cells occlude, (N,).
    """

    maps: Float32[Singles, "n channels rows columns"]
    stood: Bool[Flags, " n"]
    importance: Float32[Singles, " n"]
    stated: Float[Numbers, " n"]
    leaned_over: Float[Numbers, " n"]


def body_samples(table: KnownBoard, rng: Generator) -> BodySamples:
    """Return the places of one board: figures, things, likely places, and some others."""
    board, roster = table.board, table.roster
    source = patch_source(board, roster)
    occupancy = find_occupancy(source, print_maps(source), roster)
    places = dict(likely_places(judge_figures(board, roster, occupancy)))
    kind_of = dict.fromkeys(board.cells & table.things, "thing")
    kind_of |= {cell: "figure" if len(cells) == 1 else "part" for cells in table.figures for cell in cells}
    empty = sorted(board.cells - {*kind_of, *places})
    asked = [cell for cell, kind in kind_of.items() if kind != "part" and cell in board.cells]
    asked += [empty[i] for i in rng.permutation(len(empty))[:_EMPTY_PLACES]]
    chances = {cell: chance_of_any(there) for cell, there in places.items()}
    for cell in sorted({*asked} - {*places}):
        x, y = board.frame_from_lattice(np.array([cell]) + 0.5)[0].tolist()
        places[cell] = [FigureSighting(None, (cell,), (x, y), 0.0)]
    kinds = [kind_of.get(cell, "empty") for cell in places]
    cost = [_cost(kind, is_likely=cell in chances) for cell, kind in zip(places, kinds, strict=True)]
    stated = [log_odds_of(chances[cell]) if cell in chances else np.nan for cell in places]
    stood = np.array([kind == "figure" for kind in kinds])
    leans = np.array([occupancy.by_trunk.leaned_over.get(cell, 0.0) for cell in places])
    return BodySamples(body_maps(places, board, roster), stood, np.array(cost, np.float32), np.array(stated), leans)


def _cost(kind: str, *, is_likely: bool) -> float:
    return _IMPORTANCE[kind] * (_MISTAKEN if is_likely and kind != "figure" else 1.0)


def joined_bodies(parts: Sequence[BodySamples]) -> BodySamples:
    """Return the samples of several boards."""
    return BodySamples(*(np.concatenate(some) for some in zip(*parts, strict=True)))
