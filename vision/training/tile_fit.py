"""Fit the evidence for tiles, and cut samples of print and table, from the photos of ``sightline simulate``.

The photos are whole pictures, since a tile must be distinguished from the table beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float, Int, Num, Shaped, UInt8

from assistant.table.lattice import Cell
from calibration.arrays import Numbers
from vision.photo.paper_light import paper_light
from vision.tiles.candidates import find_candidates
from vision.tiles.cells import CELL_SHAPE, TileContext, TileModel, factors
from vision.tiles.lattice_fit import Lattice, fit_lattice
from vision.tiles.placements import TilePlacement, evidence_of, propose_tiles
from vision.tiles.prints import TilePrints
from vision.tiles.unknown import ground_patches
from vision.training.labelled import read_list
from vision.training.logistic import fit_logistic

_NEAR_DEG = 6.0

_LEAST_CELL, _MOST_CELL = -1.0, 4.5
"""Caps on the log odds of one cell."""

_BORROWED, _NEVER = 300.0, 0.01
"""Counts that a bin borrows from similar ones, and that every bin has."""


class TileSample(NamedTuple):
    """One candidate placement: the bins of its cells, its context, and its truth."""

    bins: Int[Numbers, " n"]
    around: TileContext
    lay: bool


def tile_samples(list_path: Path) -> Iterator[TileSample]:
    """Collect the candidate placements on the photos of a list, with their truth.

    Raises:
        InputError: a file of the list is missing or breaks its format.
        PhotoError: a photo has too few markers.
    """
    for entry in read_list(list_path):
        photo, prints = entry.photo, entry.prints
        view = entry.reader.find_view(photo)
        fitted = fit_lattice(find_candidates(entry.reader.keypoints(photo, view), prints), prints)
        if fitted is None:
            continue
        truth = _true_places(entry.truth, fitted[0], prints)
        cells, proposals = propose_tiles(photo, view, *fitted, prints)
        for placement, bins, around in evidence_of(cells, proposals, prints):
            yield TileSample(bins, around, (placement.print_index, placement.quarters, placement.corner) in truth)


def _true_places(truth: Mapping[str, Any], lattice: Lattice, prints: TilePrints) -> set[tuple[int, int, Cell]]:
    """Return print, quarter turns and corner of each true tile."""
    sides = {p.side.id: index for index, p in enumerate(prints.prints)}
    places = set()
    for tile in truth["tiles"]:
        index = sides[tile["id"]]
        turn = (tile["rotation_deg"] - lattice.angle_deg) / 90
        if abs(turn - round(turn)) * 90 > _NEAR_DEG:
            continue
        size = TilePlacement(index, round(turn) % 4, (0, 0), 0.0, None).size_cells(prints.prints[index].side)
        middle = lattice.lattice_from_table(np.array([tile["center_mm"]]))[0]
        column, row = np.round(middle - np.array(size) / 2).astype(int)
        places.add((index, round(turn) % 4, (int(column), int(row))))
    return places


def fit_tiles(samples: Iterable[TileSample]) -> TileModel:
    """Fit the model that separates true placements from false ones."""
    chosen = list(samples)
    counts = np.zeros((2, int(np.prod(CELL_SHAPE))))
    for sample in chosen:
        np.add.at(counts[int(sample.lay)], sample.bins, 1)
    odds = cell_log_odds(counts[1], counts[0])
    features = np.array([factors(sample.bins, sample.around, odds) for sample in chosen])
    return TileModel(odds, fit_logistic(features, np.array([sample.lay for sample in chosen])))


def cell_log_odds(true_counts: Num[Numbers, "*bins"], false_counts: Num[Numbers, "*bins"]) -> Float[Numbers, " 432"]:
    """Return the flat log odds of each bin from its counts in true and in false placements.

    Rare bins borrow from bins with the same likeness.
    """
    odds = np.log(_shares(true_counts) / _shares(false_counts))
    return np.clip(odds, _LEAST_CELL, _MOST_CELL)


def _shares(counts: Num[Numbers, "*bins"]) -> Float[Numbers, " 432"]:
    table = np.asarray(counts, dtype=float).reshape(CELL_SHAPE)
    without_rarity = np.broadcast_to(table.sum(axis=2, keepdims=True) / CELL_SHAPE[2], CELL_SHAPE)
    by_rarity = np.broadcast_to(table.sum(axis=(1, 3), keepdims=True) / (CELL_SHAPE[1] * CELL_SHAPE[3]), CELL_SHAPE)
    borrowed = (without_rarity / without_rarity.sum() + by_rarity / by_rarity.sum()) / 2
    shares: Numbers = (table + _BORROWED * borrowed + _NEVER) / (table.sum() + _BORROWED + _NEVER * table.size)
    return shares.ravel()


def model_document(model: TileModel) -> Mapping[str, object]:
    """Return the model as ``vision/data/tiles.json`` stores it."""
    odds = np.round(model.cell_log_odds, 2).reshape(CELL_SHAPE)
    return {"cell_log_odds": odds.tolist(), "weights": np.round(model.weights, 3).tolist()}


_AROUND_CELLS = 7
_BESIDE_SHARE = 2
"""Cells beside the board for each cell on it."""


class GroundSamples(NamedTuple):
    """Patches (N, 3, 32, 32) as bytes, and whether each shows a tile, (N,)."""

    patches: UInt8[Numbers, "n 3 32 32"]
    labels: Shaped[Numbers, " n"]


def ground_samples(list_path: Path, seed: int) -> Iterator[GroundSamples]:
    """Cut the cells on the board and beside it from each photo of a list.

    Raises:
        InputError: a file of the list is missing or breaks its format.
        PhotoError: a photo has too few markers.
    """
    rng = np.random.default_rng(seed)
    for entry in read_list(list_path):
        photo, thickness_mm = entry.photo, entry.prints.tile_set.thickness_mm
        view = entry.reader.find_view(photo)
        on = {(c, r) for c, r in entry.truth["board"]["cells"]}
        columns, rows = [c for c, _ in on], [r for _, r in on]
        around = {
            (c, r)
            for c in range(min(columns) - _AROUND_CELLS, max(columns) + _AROUND_CELLS + 1)
            for r in range(min(rows) - _AROUND_CELLS, max(rows) + _AROUND_CELLS + 1)
        }
        paper = paper_light(photo, view, entry.markers)
        found = ground_patches(photo, view, entry.lattice, around, thickness_mm=thickness_mm, paper=paper)
        labels = np.array([cell in on for cell in found.cells])
        beside = rng.permutation(np.flatnonzero(~labels))[: _BESIDE_SHARE * int(labels.sum())]
        chosen = np.sort(np.concatenate([np.flatnonzero(labels), beside]))
        yield GroundSamples(np.round(found.patches[chosen] * 255).astype(np.uint8), labels[chosen].astype(np.int64))
