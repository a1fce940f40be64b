"""A simulated table, rendered once for all tests of the room."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from assistant import documents
from vision.photo.decoding import decode_photo
from vision.reading import Reading, TableReader
from vision.simulation.compose import random_scene
from vision.simulation.dataset import write_scene
from vision.tiles.board_view import BoardView, board_view
from vision.tiles.placements import TilePlacement, cells_of
from vision.tiles.prints import TilePrints, load_prints


class Photographed(NamedTuple):
    """A scene on disk, its truth and the reading of its photo."""

    folder: Path
    truth: dict[str, Any]
    prints: TilePrints
    reader: TableReader
    reading: Reading


@pytest.fixture(scope="session")
def photographed(tmp_path_factory: pytest.TempPathFactory) -> Photographed:
    """A normal simulated table with figures and doors, read from its photo."""
    base = tmp_path_factory.mktemp("scene")
    scene = random_scene(2007, "normal", name="table")
    write_scene(base, scene)
    folder = base / "table"
    prints = load_prints(folder / "tiles")
    reader = TableReader(
        prints,
        documents.roster_from_json((folder / "roster.json").read_bytes()),
        documents.table_from_json((folder / "table.json").read_bytes()),
        documents.camera_from_json((folder / "camera.json").read_bytes()),
    )
    reading = reader.read(decode_photo((folder / "photo.jpg").read_bytes()))
    return Photographed(folder, json.loads((folder / "truth.json").read_text()), prints, reader, reading)


class MissedTile(NamedTuple):
    """The board without one of its tiles, the recognised tiles, and the missed one."""

    board: BoardView
    known: list[TilePlacement]
    missed: TilePlacement


@pytest.fixture(scope="session")
def without_one(photographed: Photographed) -> MissedTile:
    """The simulated table with its largest tile not recognised."""
    seen, prints = photographed.reading.seen, photographed.prints
    missed = max(seen.placements, key=lambda placement: len(cells_of(placement, prints)))
    rest = [placement for placement in seen.placements if placement is not missed]
    board = seen.board
    return MissedTile(board_view(board.photo, board.view, board.lattice, rest, prints), rest, missed)
