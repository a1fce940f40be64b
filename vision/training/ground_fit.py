"""Samples for the network that tells print from table: cells of simulated photos, on the board and beside it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from jaxtyping import Shaped, UInt8

from assistant import documents
from calibration.arrays import Numbers
from vision.photo.decoding import decode_photo
from vision.photo.paper_light import paper_light
from vision.reading import TableReader
from vision.tiles.lattice_fit import Lattice
from vision.tiles.prints import load_prints
from vision.tiles.unknown import ground_patches

_AROUND_CELLS = 7
_BESIDE_SHARE = 2
"""So many cells beside the board are taken for each on it."""


class GroundSamples(NamedTuple):
    """Patches (N, 3, 32, 32) as bytes, and whether each shows a tile, (N,)."""

    patches: UInt8[Numbers, "n 3 32 32"]
    labels: Shaped[Numbers, " n"]


def ground_samples(list_path: Path, seed: int) -> Iterator[GroundSamples]:
    """The samples of each photo of a list made by ``sightline simulate``.

    Raises:
        InputError: a file of the list is missing or breaks its format.
        PhotoError: a photo has too few markers.
    """
    rng = np.random.default_rng(seed)
    for entry in json.loads(list_path.read_text(encoding="utf-8")):
        path = {key: list_path.parent / entry[key] for key in ("photo", "table", "camera", "tiles", "roster", "truth")}
        markers = documents.table_from_json(path["table"].read_bytes())
        roster, lens = (
            documents.roster_from_json(path["roster"].read_bytes()),
            documents.camera_from_json(path["camera"].read_bytes()),
        )
        prints = load_prints(path["tiles"])
        photo = decode_photo(path["photo"].read_bytes())
        view = TableReader(prints, roster, markers, lens).find_view(photo)
        truth = json.loads(path["truth"].read_text(encoding="utf-8"))
        grid, on = truth["grid"], {(c, r) for c, r in truth["board"]["cells"]}
        lattice = Lattice((grid["origin_mm"][0], grid["origin_mm"][1]), grid["angle_deg"], grid["cell_mm"])
        columns, rows = [c for c, _ in on], [r for _, r in on]
        around = {
            (c, r)
            for c in range(min(columns) - _AROUND_CELLS, max(columns) + _AROUND_CELLS + 1)
            for r in range(min(rows) - _AROUND_CELLS, max(rows) + _AROUND_CELLS + 1)
        }
        paper = paper_light(photo, view, markers)
        found = ground_patches(photo, view, lattice, around, thickness_mm=prints.tile_set.thickness_mm, paper=paper)
        labels = np.array([cell in on for cell in found.cells])
        beside = rng.permutation(np.flatnonzero(~labels))[: _BESIDE_SHARE * int(labels.sum())]
        chosen = np.sort(np.concatenate([np.flatnonzero(labels), beside]))
        yield GroundSamples(np.round(found.patches[chosen] * 255).astype(np.uint8), labels[chosen].astype(np.int64))
