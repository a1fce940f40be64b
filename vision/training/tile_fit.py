"""What a cell's look is worth and how the evidence for a tile adds up, fitted on simulated photos.

The photos are those of ``sightline simulate``: whole pictures, since a tile must be told from the table beside it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from jaxtyping import Int

from assistant import documents
from assistant.table.lattice import Cell
from calibration.arrays import BgrImage, Numbers
from vision.photo.decoding import decode_photo
from vision.reading import TableReader
from vision.tiles.candidates import find_candidates
from vision.tiles.cells import CELL_SHAPE, TileContext, TileModel, cell_log_odds, factors
from vision.tiles.lattice_fit import Lattice, fit_lattice
from vision.tiles.placements import TilePlacement, evidence_of, propose_tiles
from vision.tiles.prints import TilePrints, load_prints
from vision.training.logistic import fit_logistic

_NEAR_DEG = 6.0


class TileSample(NamedTuple):
    """One placement that was thought possible: its cells' bins, what is round it, and whether the tile lay there."""

    bins: Int[Numbers, " n"]
    around: TileContext
    lay: bool


def tile_samples(list_path: Path) -> Iterator[TileSample]:
    """What was thought possible on the photos of a list, and what was so.

    Raises:
        InputError: a file of the list is missing or breaks its format.
        PhotoError: a photo has too few markers.
    """
    prints: tuple[Path, TilePrints] | None = None
    for entry in json.loads(list_path.read_text(encoding="utf-8")):
        path = {key: list_path.parent / entry[key] for key in ("photo", "table", "camera", "tiles", "roster", "truth")}
        if prints is None or prints[0] != path["tiles"]:
            prints = (path["tiles"], load_prints(path["tiles"]))
        reader = TableReader(
            prints[1],
            documents.roster_from_json(path["roster"].read_bytes()),
            documents.table_from_json(path["table"].read_bytes()),
            documents.camera_from_json(path["camera"].read_bytes()),
        )
        yield from _samples(reader, decode_photo(path["photo"].read_bytes()), prints[1], path["truth"])


def _samples(reader: TableReader, photo: BgrImage, prints: TilePrints, truth_path: Path) -> Iterator[TileSample]:
    view = reader.find_view(photo)
    fitted = fit_lattice(find_candidates(reader.keypoints(photo, view), prints), prints)
    if fitted is None:
        return
    truth = _true_places(truth_path, fitted[0], prints)
    cells, proposals = propose_tiles(photo, view, *fitted, prints)
    for placement, bins, around in evidence_of(cells, proposals, prints):
        yield TileSample(bins, around, (placement.print_index, placement.quarters, placement.corner) in truth)


def _true_places(truth_path: Path, lattice: Lattice, prints: TilePrints) -> set[tuple[int, int, Cell]]:
    """Print, quarter turns and corner of each tile that lies there."""
    sides = {p.side.id: index for index, p in enumerate(prints.prints)}
    places = set()
    for tile in json.loads(truth_path.read_text(encoding="utf-8"))["tiles"]:
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
    """The model that tells true placements from false ones."""
    chosen = list(samples)
    counts = np.zeros((2, int(np.prod(CELL_SHAPE))))
    for sample in chosen:
        np.add.at(counts[int(sample.lay)], sample.bins, 1)
    odds = cell_log_odds(counts[1], counts[0])
    features = np.array([factors(sample.bins, sample.around, odds) for sample in chosen])
    return TileModel(odds, fit_logistic(features, np.array([sample.lay for sample in chosen])))
