"""Fallen figures: they are found where they lie, nobody stands there, and the table asks to stand them up."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from assistant import documents
from assistant.table.lattice import Cell
from assistant.table.observation import Observation
from vision.photo.decoding import decode_photo
from vision.reading import TableReader
from vision.simulation.compose import random_scene
from vision.simulation.dataset import write_scene
from vision.simulation.evening import tip_over
from vision.simulation.scene import Scene
from vision.simulation.truth import truth_document
from vision.tiles.prints import load_prints

SEEDS = (820_003, 820_005)


def _read(scene: Scene, folder: Path) -> Observation:
    write_scene(folder, scene)
    table = folder / scene.name
    reader = TableReader(
        load_prints(table / "tiles"),
        documents.roster_from_json((table / "roster.json").read_bytes()),
        documents.table_from_json((table / "table.json").read_bytes()),
        documents.camera_from_json((table / "camera.json").read_bytes()),
    )
    return reader.read(decode_photo((table / "photo.jpg").read_bytes())).observation


@pytest.fixture(scope="module", params=SEEDS)
def fallen(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Scene, Observation]:
    """A table with fallen figures that no fit has seen, and its reading."""
    scene = tip_over(np.random.default_rng(1), random_scene(request.param, "easy", name="table"), 1.0)
    return scene, _read(scene, tmp_path_factory.mktemp("fallen"))


def _beside(cell: Cell, others: set[Cell]) -> bool:
    return any(max(abs(cell[0] - column), abs(cell[1] - row)) <= 1 for column, row in others)


def test_most_fallen_figures_are_found_where_they_lie_and_none_elsewhere(fallen: tuple[Scene, Observation]) -> None:
    scene, seen = fallen
    lies = [
        {(column, row) for column, row in lying["across"]} | {*placed.cells}
        for lying, placed in zip(truth_document(scene)["fallen"], scene.fallen, strict=True)
    ]
    found = [set(one.cells) for one in seen.fallen]
    assert sum(any(_beside(cell, there) for one in found for cell in one) for there in lies) > len(lies) / 2
    assert all(any(_beside(cell, there) for there in lies for cell in one) for one in found)


def test_nobody_stands_where_a_figure_lies(fallen: tuple[Scene, Observation]) -> None:
    scene, seen = fallen
    assert {figure.cells for figure in seen.board.figures} == {tuple(sorted(placed.cells)) for placed in scene.figures}


def test_a_figure_may_stand_wherever_one_lies(fallen: tuple[Scene, Observation]) -> None:
    _, seen = fallen
    assert seen.fallen
    maybe = {figure.cells[0]: v.chance for doubt in seen.doubts for v in doubt.variants for figure in v.figures}
    for lying in seen.fallen:
        assert all(0.1 < maybe[cell] < 0.5 for cell in lying.cells)


def test_the_saved_reading_keeps_its_fallen_figures(fallen: tuple[Scene, Observation]) -> None:
    _, seen = fallen
    assert seen.fallen
    saved = documents.observation_from_json(json.dumps(documents.observation_document(seen)).encode())
    assert [one.cells for one in saved.fallen] == [one.cells for one in seen.fallen]
