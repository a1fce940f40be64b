"""Simulated tables without a grid: what lies beside the tests is what the seed gives."""

from __future__ import annotations

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.photo import decode_photo
from vision.simulation.free_compose import random_free_scene
from vision.simulation.free_dataset import write_free_scene

SMALL_WH = (480, 270)


@pytest.fixture(scope="module")
def scene():
    return random_free_scene(8002)


@pytest.fixture(scope="module")
def written(scene, tmp_path_factory):
    """The same table through a camera with few pixels."""
    base = tmp_path_factory.mktemp("free")
    small = replace(scene, view=replace(scene.view, lens=scene.view.lens.scaled_to(*SMALL_WH)))
    entry = write_free_scene(base, small)
    return {field: base / name for field, name in entry.items()}


@pytest.mark.parametrize("name", ["table", "roster", "free_table", "truth"])
def test_the_documents_are_those_of_the_seed(written, golden, name):
    kept = golden / "scenes" / "free-8002" / written[name].name
    assert json.loads(written[name].read_bytes()) == json.loads(kept.read_bytes())


def test_the_photo_is_the_one_of_the_seed(written, golden):
    kept = decode_photo((golden / "scenes" / "free-8002" / "photo.jpg").read_bytes())
    small = decode_photo(written["photo"].read_bytes())
    shrunk = cv2.resize(kept, SMALL_WH, interpolation=cv2.INTER_AREA)
    assert np.median(np.abs(small.astype(int) - shrunk)) < 8
    assert (
        np.corrcoef(cv2.GaussianBlur(small, (0, 0), 2).ravel(), cv2.GaussianBlur(shrunk, (0, 0), 2).ravel())[0, 1]
        > 0.97
    )
