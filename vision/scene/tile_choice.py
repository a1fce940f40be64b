"""Choose the set of tiles on the table: each piece of the box once, no two on one cell.

Prints that differ in a detail agree with the photo almost equally well. So each placement competes with every other
print of the same outline, in the cells where the two differ. The lead over its best rivals is its certainty.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from jaxtyping import Float32

from assistant.table.lattice import Cell
from calibration.arrays import BgrImage, Singles
from calibration.pose import CameraView
from vision.learned import MOST_LOG_ODDS
from vision.photo.paper_light import PaperLight
from vision.scene.model import Hypothesis, TableScene
from vision.scene.solve import find_worlds, likeliest
from vision.tiles.candidates import TileCandidate
from vision.tiles.cells import SeenCells, TurnedPrint, color_distance, factors, tile_model, turned_prints
from vision.tiles.lattice_fit import Lattice
from vision.tiles.placements import (
    TilePlacement,
    cells_of,
    evidence_of,
    light_of,
    piece_at,
    propose_tiles,
    sure_tiles,
    without_bare,
)
from vision.tiles.prints import TilePrints

_FAINT, _SHOWN = 0.2, 0.3
"""Likeness below which a cell shows neither of two prints and is ignored, and the excess from which it counts fully."""

_DECIDING, _ALIKE = 16.0, 0.5
"""Log odds per unit of the likeness by which one print leads another, and the unit's growth limit. On photographs of
real tiles the lead is 0.85 of the difference of the prints, give or take 0.25 if they differ by a cell. With more cells
the odds grow more slowly."""

ASIDE_MM = 2.7
"""Spread of hand-laid tiles about the place given by their neighbours."""

_BY_COLOR, _MOST_BY_COLOR = 0.25, 2.0
_BY_VOTES, _MOST_BY_VOTES = 1.6, 4.0
"""Weight of the keypoints between two prints, and its cap. The prints share keypoints, which vote for either, so votes
count half as much as against the bare table."""

_STANDS_OUT, _STANDS_OUT_ODDS = 1.2, 2.0
"""Strength of a placement that stands out, and its log odds. On three photographs of crowded boards the right one had
1.3 to 2.6. On photos of tables without a tile of the set none had more than .6."""

_BESIDE_KNOWN = 3.5
"""Log odds below which a tile is left to the closer search beside the known ones (``vision.scene.missing_tiles``). A
cloth of a tile's own colour had 1.4 for that tile, and -14 in the closer search."""

MOST_RIVALS = 3
_FAR_BEHIND = 5.0
"""Largest deficit of a rival in log odds."""

_Key = tuple[int, int, Cell]


class _Rival(NamedTuple):
    """Another candidate print for a tile's place, and its deficit in log odds."""

    print_index: int
    quarters: int
    behind: float


def place_tiles(
    photo: BgrImage,
    view: CameraView,
    fitted: tuple[Lattice, Sequence[TileCandidate]],
    prints: TilePrints,
    paper: PaperLight | None = None,
    bare: frozenset[Cell] = frozenset(),
) -> list[TilePlacement]:
    """Return the tiles on the lattice, the best proven first. No two share a cell.

    Args:
        photo: the photo.
        view: the camera.
        fitted: a lattice, and the keypoint candidates that agree on it (``vision.tiles.lattice_fit``).
        prints: the tile set.
        paper: the light on the markers' paper, used if no tile is sure enough to give it.
        bare: cells under markers, which have no tile unless its other cells leave no doubt.
    """
    cells, proposals = propose_tiles(photo, view, *fitted, prints, paper)
    proposals = [*without_bare(proposals, bare, prints)]
    judged = judge_tiles(cells, proposals, prints)
    votes = {p.key: p.candidate.votes for p in proposals if p.candidate is not None}
    look = _Look(cells, prints, light_of(cells, sure_tiles(proposals, prints), prints), votes)
    likely = {p.key: p for p in sorted((p for p in judged if p.log_odds > 0), key=_rank)}
    options: dict[_Key, TilePlacement] = {}
    for key, placement in likely.items():
        if key not in options:
            options.update((p.key, p) for p in _list_alike(placement, look, likely) if p.key not in options)
    chosen = _known(best_choice([*options.values()], prints) or _standing_out(judged))
    return sorted(_with_rivals(chosen, [look.rivals_of(p) for p in chosen], prints), key=_rank)


def _standing_out(judged: Sequence[TilePlacement]) -> list[TilePlacement]:
    """Return the single placement that stands out where none is likely by itself, as under a crowd.

    A photo of a table shows some tile of its set, so only the lead over all others counts.
    """
    if not judged:
        return []
    best, *others = sorted(judged, key=lambda p: -p.strength)
    ahead = best.strength - max((other.strength for other in others), default=0.0)
    if best.strength < _STANDS_OUT or ahead < _STANDS_OUT / 2:
        return []
    return [replace(best, log_odds=max(best.log_odds, _STANDS_OUT_ODDS))]


def _known(chosen: list[TilePlacement]) -> list[TilePlacement]:
    """Return the clear tiles as anchors for the search beside them, or all tiles if none is clear."""
    return [placement for placement in chosen if placement.log_odds >= _BESIDE_KNOWN] or chosen


def judge_tiles(cells: SeenCells, proposals: Sequence[TilePlacement], prints: TilePrints) -> list[TilePlacement]:
    """Return the proposals worth judging, with the log odds of each.

    A tile loses log odds for lying off the place given by its neighbours.
    """
    model = tile_model()
    found = []
    for placement, bins, around in evidence_of(cells, proposals, prints):
        off_place = 0.5 * (math.hypot(*placement.shift) / ASIDE_MM) ** 2
        log_odds = float(model.weights @ factors(bins, around, model.cell_log_odds)) - off_place
        found.append(replace(placement, log_odds=log_odds))
    return found


def _list_alike(placement: TilePlacement, look: _Look, likely: Mapping[_Key, TilePlacement]) -> Iterator[TilePlacement]:
    """Yield the placement and those of rival prints there. The best of them keeps the judged log odds.

    It skips a print seen at another shift, since that was judged by itself.
    """
    rivals = look.rivals_of(placement)
    lead = max([0.0, *(-rival.behind for rival in rivals)])
    yield replace(placement, log_odds=placement.log_odds - lead)
    for other in (_in_place_of(placement, rival._replace(behind=rival.behind + lead)) for rival in rivals):
        known = likely.get(other.key, other)
        if other.log_odds > 0 and known.shift == other.shift:
            yield other


def best_choice(options: Sequence[TilePlacement], prints: TilePrints) -> list[TilePlacement]:
    """Return the placements with the greatest sum of log odds, no two on one cell.

    A box holds each piece once. A second copy comes from another box, which costs the most stated log odds.
    """
    return [options[index % len(options)] for index in likeliest(_tile_scene(options, prints))]


def _tile_scene(options: Sequence[TilePlacement], prints: TilePrints) -> TableScene[TilePlacement]:
    """Return the scene of possible placements, each once as the box's piece and once as a piece of another box."""
    own, foreign = [], []
    for option in options:
        cells, piece = frozenset[Hashable](cells_of(option, prints)), piece_at(option, prints)
        own.append(Hypothesis(option, option.log_odds, cells, piece))
        foreign.append(Hypothesis(option, option.log_odds - MOST_LOG_ODDS, cells))
    return TableScene([*own, *foreign], {hypothesis.kind: 1 for hypothesis in own})


def _with_rivals(
    chosen: Sequence[TilePlacement], rivals: Sequence[Sequence[_Rival]], prints: TilePrints
) -> Iterator[TilePlacement]:
    """Yield the placements, each with its rival prints, the likeliest first.

    Their log odds are those of all tables. If a rival's piece lies elsewhere on the table, there are two of it, or the
    two have changed places.
    """
    others = [[_in_place_of(p, rival) for rival in own] for p, own in zip(chosen, rivals, strict=True)]
    options = [*chosen, *(rival for own in others for rival in own)]
    chance = [0.0] * len(options)
    for group in find_worlds(_tile_scene(options, prints)):
        for index, share in group.chances().items():
            chance[index % len(options)] += share
    first = len(chosen)
    for placement, here, own in zip(chosen, chance, others, strict=False):
        there, first = chance[first : first + len(own)], first + len(own)
        judged = [
            replace(rival, log_odds=min(0.0, math.log(share / here)))
            for rival, share in zip(own, there, strict=True)
            if share > here * math.exp(-_FAR_BEHIND)
        ]
        yield replace(placement, rivals=tuple(sorted(judged, key=_rank)[:MOST_RIVALS]))


def _in_place_of(placement: TilePlacement, rival: _Rival) -> TilePlacement:
    return replace(
        placement,
        print_index=rival.print_index,
        quarters=rival.quarters,
        candidate=None,
        log_odds=placement.log_odds - rival.behind,
    )


class _Look(NamedTuple):
    """The photo's cells, the light on them, and the votes of keypoints for placements."""

    cells: SeenCells
    prints: TilePrints
    light: Float32[Singles, "rows columns 3"] | None
    votes: Mapping[_Key, float]

    def rivals_of(self, placement: TilePlacement) -> list[_Rival]:
        """Return rivals of the same outline, even likelier ones, up to the largest deficit, the likeliest first."""
        place = placement.print_index, placement.quarters
        alike, vectors, colors = _same_outline(self.prints)[place]
        own = next(i for i, t in enumerate(alike) if (t.print_index, t.quarters) == place)
        cells = self.cells.at(placement.shift)
        rows = alike[own].rows + placement.corner[1] - cells.first[1]
        columns = alike[own].columns + placement.corner[0] - cells.first[0]
        likeness = np.einsum("mkn,kn->mk", vectors, cells.vectors[rows, columns])
        counts = np.clip((np.maximum(likeness, likeness[own]) - _FAINT) / _SHOWN, 0, 1)
        # Where both prints are plain, the photo shows light and no print.
        weights = np.stack([t.weights for t in alike])
        counts = counts * np.minimum(1, np.maximum(weights, weights[own]))
        more = ((likeness[own] - likeness) * counts).sum(axis=1)
        differ = 0.5 * np.square(vectors - vectors[own]).sum(axis=2)
        behind = _DECIDING * more / (1 + _ALIKE * (differ * counts).sum(axis=1))
        if self.light is not None:
            off = color_distance((cells.colors - self.light)[rows, columns] - colors)
            by_color = (np.clip(0.5 * (off**2 - off[own] ** 2), -1, 1) * counts).sum(axis=1)
            behind = behind + np.clip(_BY_COLOR * by_color, -_MOST_BY_COLOR, _MOST_BY_COLOR)
        voted = np.sqrt([self.votes.get((t.print_index, t.quarters, placement.corner), 0.0) for t in alike])
        # Of two equal prints one gets all the votes, so votes count no more than the difference can.
        most = np.minimum(_MOST_BY_VOTES, _DECIDING * differ.sum(axis=1))
        behind = behind + np.clip(_BY_VOTES * (voted[own] - voted), -most, most)
        found = [_Rival(t.print_index, t.quarters, float(b)) for t, b in zip(alike, behind, strict=True)]
        return sorted((r for i, r in enumerate(found) if i != own and r.behind < _FAR_BEHIND), key=lambda r: r.behind)


@lru_cache(maxsize=4)
def _same_outline(
    prints: TilePrints,
) -> Mapping[tuple[int, int], tuple[list[TurnedPrint], Float32[Singles, "m k n"], Float32[Singles, "m k 3"]]]:
    """Return for each turned print all prints of its outline, itself included, with cell patterns and colours."""
    groups: dict[tuple[object, ...], list[TurnedPrint]] = defaultdict(list)
    for turned in turned_prints(prints):
        groups[turned.size_cells, tuple(turned.rows), tuple(turned.columns)].append(turned)
    return {
        (turned.print_index, turned.quarters): found
        for alike in groups.values()
        for found in [(alike, np.stack([t.vectors for t in alike]), np.stack([t.colors for t in alike]))]
        for turned in alike
    }


def _rank(placement: TilePlacement) -> tuple[float, int, int, Cell]:
    return -placement.log_odds, *placement.key
